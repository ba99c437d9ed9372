//! Extensions of Gomill's ringmaster, named in its manual under "GTP extensions".

use super::super::{Session, args::Args, error::CommandResult, explain};
use super::moves;
use crate::engine::Level;
use crate::go::life::unconditional;
use crate::go::rules::{Scoring, Tax};
use crate::go::{Color, Ruleset};
use crate::view::ThoughtView;

/// The thought about the last move that was asked for; empty if there was none.
pub(super) fn gomill_explain_last_move(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    let thought = session.engine.last_thought().map(|thought| ThoughtView::of(thought, size));
    Ok(thought.map_or_else(String::new, |thought| explain::in_full(&thought)))
}

/// Name, version, and every setting that makes a difference to the moves.
pub(super) fn gomill_describe_engine(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let options = session.engine.options().clone();
    let effort = match options.playouts {
        _ if options.level != Level::Max => format!("level {}", session.engine.level_in_words()),
        Some(playouts) => format!("{playouts} playouts a move"),
        None => format!("{} s a move without a clock", options.time_per_move.as_secs_f64()),
    };
    let params = session.engine.params();
    let mut lines = vec![
        format!("Kosumi {}", env!("CARGO_PKG_VERSION")),
        format!("{effort}, lag {} s, pondering {}", options.lag.as_secs_f64(), on_off(options.ponder)),
        format!(
            "{} threads, {} MiB, seed {}, {} playouts",
            options.search.threads,
            options.search.memory,
            options.seed,
            options.policy.name()
        ),
        format!("{} rules, resigns below {}", session.engine.game().rules().name(), options.resign_below),
    ];
    let net = options.nets.for_size(session.engine.game().size());
    lines.extend(net.map(|net| format!("net {}", net.net().description().name)));
    lines.extend(options.tunables.changed().map(|(param, _)| format!("{} {}", param.name, param.get(&params))));
    Ok(lines.join("\n"))
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// The keywords of `gomill-genmove_ex`.
const KEYWORDS: &str = "claim";

/// As `genmove`. With the word `claim`, the answer is `claim` instead of a move when the game is certainly won. Without
/// a colour, the answer is the words that are understood. Other words are ignored.
pub(super) fn gomill_genmove_ex(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if args.is_empty() {
        return Ok(KEYWORDS.into());
    }
    let color = args.color(0)?;
    if args.words()[1..].iter().any(|word| word == KEYWORDS) && is_won(session, color) {
        return Ok(KEYWORDS.into());
    }
    let decision = session.engine.genmove(color)?;
    Ok(moves::made(session, decision))
}

/// Would the side win by area if it kept only its unconditional area, and all other points went to the other side?
fn is_won(session: &Session, color: Color) -> bool {
    let game = session.engine.game();
    let Ruleset {
        scoring,
        tax,
        supply,
        first_capture,
        button,
        // Dead stones in such territory can be captured where they have to be.
        dead_stones: _,
        // Unconditional area stays the side's whatever moves are legal.
        ko: _,
        suicide: _,
        long_cycle: _,
        // Part of the game's total komi.
        handicap_bonus: _,
        komi: _,
    } = *game.rules();
    // Under other rules a side can lose points in other ways than to the other side.
    if scoring != Scoring::Area || tax != Tax::None || supply.is_some() || first_capture {
        return false;
    }
    let board = game.position().board();
    let safe = unconditional(board, color);
    let own = board.points().filter(|&p| safe.stones.contains(p) || safe.territory.contains(p)).count() as f64;
    // The other side may have the button or get it.
    let others = board.size().points() as f64 - own + if button { 0.5 } else { 0.0 };
    own - others - game.total_komi().points() * f64::from(color.sign()) > 0.0
}
