//! Live analysis, as Leela Zero and KataGo have made it common: `lz-analyze`, `kata-analyze` and their kin.

use std::time::Duration;

use super::super::analysis::{Dialect, Form, play_line};
use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::engine::Interest;
use crate::go::vertex::{self, Vertex};
use crate::go::{Board, Color, Move, PointSet, Size};
use crate::search::Restriction;

/// What the arguments ask for.
struct Wish {
    form: Form,
    interest: Interest,
    interval: Option<Duration>,
}

/// Time between two lines of an analysis, if the command names none.
const INTERVAL: Duration = Duration::from_secs(1);

/// The shortest interval. A shorter one counts as this.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// The answer of a search that was given up, in place of a move.
const CANCELLED: &str = "cancelled";

/// Analysis until the next line of input, in Leela Zero's form.
pub(super) fn lz_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    analyze(session, args, Dialect::LeelaZero)
}

/// Analysis until the next line of input, in KataGo's form.
pub(super) fn kata_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    analyze(session, args, Dialect::KataGo)
}

/// `genmove` with analysis, in Leela Zero's form.
pub(super) fn lz_genmove_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    choose(session, args, Dialect::LeelaZero, true)
}

/// `genmove` with analysis, in KataGo's form.
pub(super) fn kata_genmove_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    choose(session, args, Dialect::KataGo, true)
}

/// A move that is chosen as `genmove` does it, and not played.
pub(super) fn kata_search(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = side(session, args)?;
    let size = session.engine.game().size();
    let (decision, _) = session.engine.search_move(color, &Interest::default(), &mut |_| {})?;
    Ok(decision.text(size))
}

/// As [`kata_search`]. The search is given up when a line of input comes.
pub(super) fn kata_search_cancellable(session: &mut Session, args: &Args<'_>) -> CommandResult {
    // Wrong arguments are wrong even if a line has come.
    side(session, args)?;
    session.stream.end_with_any_line();
    let decision = kata_search(session, args)?;
    Ok(if session.stream.has_line() { CANCELLED.into() } else { decision })
}

/// A move that is not played, with analysis.
pub(super) fn kata_search_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    choose(session, args, Dialect::KataGo, false)
}

/// A move that is not played, with analysis. The search is given up when a line of input comes.
pub(super) fn kata_search_analyze_cancellable(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let Wish { form, interest, interval } = read(session, args, Dialect::KataGo)?;
    let (color, size) = (form.color, form.size);
    let Session { engine, stream, .. } = session;
    stream.end_with_any_line();
    let (decision, _) = stream.lines(
        interval,
        |report| form.line(report),
        |watch| engine.search_move(color, &interest, watch),
        |made, _| made.as_ref().ok()?.1.as_deref(),
    )?;
    Ok(if stream.has_line() { format!("play {CANCELLED}") } else { play_line(decision, size) })
}

fn analyze(session: &mut Session, args: &Args<'_>, dialect: Dialect) -> CommandResult {
    let Wish { form, interest, interval } = read(session, args, dialect)?;
    let Session { engine, stream, .. } = session;
    stream.end_with_any_line();
    stream.lines(
        Some(interval.unwrap_or(INTERVAL)),
        |report| form.line(report),
        |watch| engine.analyze(form.color, &interest, watch),
        // Even an analysis that ends at once has a line.
        |found, has_line| found.as_ref().ok().filter(|_| !has_line).map(|report| &**report),
    )?;
    Ok(String::new())
}

fn choose(session: &mut Session, args: &Args<'_>, dialect: Dialect, play: bool) -> CommandResult {
    let Wish { form, interest, interval } = read(session, args, dialect)?;
    let (color, size) = (form.color, form.size);
    let Session { engine, stream, .. } = session;
    let (decision, _) = stream.lines(
        interval,
        |report| form.line(report),
        |watch| match play {
            true => engine.genmove_watched(color, &interest, watch),
            false => engine.search_move(color, &interest, watch),
        },
        |made, _| made.as_ref().ok()?.1.as_deref(),
    )?;
    Ok(play_line(decision, size))
}

/// The named side, or the side to move.
fn side(session: &Session, args: &Args<'_>) -> Result<Color, CommandError> {
    if args.is_empty() { Ok(session.engine.game().position().to_move()) } else { args.color(0) }
}

/// `[COLOR] [INTERVAL] [KEY VALUE]...`, the first two in either order, intervals in hundredths of a second.
fn read(session: &Session, args: &Args<'_>, dialect: Dialect) -> Result<Wish, CommandError> {
    let game = session.engine.game();
    let (mut color, mut interval) = (None, None);
    let mut next = 0;
    // Leela Zero takes the two in either order.
    while let Some(word) = args.words().get(next) {
        if color.is_none()
            && let Some(named) = Color::by_name(word)
        {
            color = Some(named);
        } else if interval.is_none() && word.starts_with(|c: char| c.is_ascii_digit()) {
            interval = Some(centiseconds(args, next)?);
        } else {
            break;
        }
        next += 1;
    }
    let color = color.unwrap_or(game.position().to_move());
    let mut form = Form {
        dialect,
        color,
        size: game.size(),
        min_moves: 0,
        max_moves: usize::MAX,
        ownership: false,
        ownership_deviation: false,
        moves_ownership: false,
        moves_ownership_deviation: false,
        no_result: false,
        variation_visits: Vec::new(),
        root_info: false,
    };
    let mut interest = Interest { restrictions: Vec::new(), details: dialect == Dialect::KataGo };
    let mut allowed = Vec::new();
    while let Some(key) = args.words().get(next) {
        let value = next + 1;
        next += 2;
        match key.as_str() {
            "interval" => interval = Some(centiseconds(args, value)?),
            "minmoves" => form.min_moves = args.count(value)?,
            "maxmoves" => form.max_moves = args.count(value)?,
            "ownership" => form.ownership = flag(args, value)?,
            "movesOwnership" => form.moves_ownership = flag(args, value)?,
            "rootInfo" => form.root_info = flag(args, value)?,
            "pvVisits" | "pvEdgeVisits" => {
                let key = if key == "pvVisits" { "pvVisits" } else { "pvEdgeVisits" };
                form.variation_visits.retain(|&other| other != key);
                if flag(args, value)? {
                    form.variation_visits.push(key);
                }
            }
            "ownershipStdev" => form.ownership_deviation = flag(args, value)?,
            "movesOwnershipStdev" => form.moves_ownership_deviation = flag(args, value)?,
            "noResultValue" => form.no_result = flag(args, value)?,
            "avoid" | "allow" => {
                let named = restriction(args, value, game.size())?;
                if key == "avoid" {
                    interest.restrictions.push(named)
                } else {
                    allow(&mut allowed, named)
                }
                next += 2;
            }
            _ => return Err(CommandError::syntax()),
        }
    }
    interest.restrictions.extend(allowed.into_iter().map(|named| all_but(named, game.size())));
    Ok(Wish { form, interest, interval })
}

fn centiseconds(args: &Args<'_>, index: usize) -> Result<Duration, CommandError> {
    Ok((args.seconds(index)? / 100).max(SHORTEST_INTERVAL))
}

fn flag(args: &Args<'_>, index: usize) -> Result<bool, CommandError> {
    match args.word(index)?.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(CommandError::syntax()),
    }
}

/// `COLOR VERTEX,VERTEX,... PLIES`.
fn restriction(args: &Args<'_>, at: usize, size: Size) -> Result<Restriction, CommandError> {
    let color: Color = args.color(at)?;
    let mut points = PointSet::EMPTY;
    let mut pass = false;
    for word in args.word(at + 1)?.split(',').filter(|word| !word.is_empty()) {
        match vertex::parse(word, size) {
            Some(Vertex::On(Move::Play(point))) => _ = points.insert(point),
            Some(Vertex::On(Move::Pass)) => pass = true,
            _ => return Err(CommandError::syntax()),
        }
    }
    Ok(Restriction { color, points, pass, plies: args.count(at + 2)? })
}

/// Adds moves to those that a side may play. Two lists for one side are joined.
fn allow(allowed: &mut Vec<Restriction>, named: Restriction) {
    match allowed.iter_mut().find(|other| other.color == named.color) {
        Some(other) => {
            other.points = other.points.iter().chain(named.points.iter()).collect();
            other.pass |= named.pass;
            other.plies = other.plies.max(named.plies);
        }
        None => allowed.push(named),
    }
}

/// The restriction to these moves.
fn all_but(allowed: Restriction, size: Size) -> Restriction {
    let board = Board::new(size);
    let points = board.points().filter(|&p| !allowed.points.contains(p)).collect();
    Restriction { points, pass: !allowed.pass, ..allowed }
}
