//! The choice of a move at a level.

use std::sync::Arc;

use rand::RngExt as _;

use super::super::asking::{Manner, Watch};
use super::super::choose::Choice;
use super::super::{Engine, EngineError, Interest};
use super::draw::draw;
use super::rungs::{Rung, Sight};
use crate::go::shape::{is_self_atari, joined_len};
use crate::go::{Board, Cell, Color, Move, Point, Position};
use crate::playout::{Rng, stream};
use crate::search::{EarlyStop, Limits, MoveReport, Params, Report, Request, WhichTree};

/// Share of the prior's probability that the likeliest moves must hold together. Only these moves are drawn; no human
/// would think of the others. A guess; the ranks were measured with it.
const NATURAL: f32 = 0.95;

/// A self-atari of this many stones or more is not drawn. A guess; the ranks were measured with it.
const SACRIFICE: usize = 2;

impl Engine {
    /// Searches and decides at a level, with a watcher. `limits` are those of the clock.
    pub(in crate::engine) fn choose_at_level(
        &mut self,
        position: &mut Position,
        limits: Limits,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, EngineError> {
        self.note_standing();
        // Random numbers that depend on the position and not on earlier searches. So a level plays the same moves on
        // every machine.
        let seed = self.options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.board().hash();
        let mut rng = stream(seed, self.game.moves().len() as u64);
        let with_net = self.options.nets.for_level_game(position.size(), position.rules()).is_some();
        let rung = draw(self.options.level, position.size(), with_net, &mut rng);
        let usual = match rung {
            Some(rung) if !rung.net => {
                // The steps without a net were measured without criticality.
                let playouts = self.playout_manner();
                Manner { params: Params { criticality: 0.0, ..playouts.params }, ..playouts }
            }
            Some(_) => self.level_manner(),
            None => self.usual_manner(),
        };
        // A level's tree does not help a search at full strength, so the kept tree stays as it is.
        let mut manner = Manner { seed, searches: Some(0), threads: Some(1), tree: WhichTree::Aside, ..usual };
        let report = match rung {
            Some(rung) => self.search_at(rung, position, limits, &mut rng, &mut manner, interest, watch)?,
            None => {
                let request = wished(self.request(&mut manner, position, limits), interest);
                self.ask_and_remember(request, watch)?
            }
        };
        self.decide(position, report, &mut manner)
    }

    /// Searches by a step of the table. The first move of the report is the move to play.
    #[expect(clippy::too_many_arguments, reason = "all of them are one call's; a struct would be made for it alone")]
    fn search_at(
        &mut self,
        rung: Rung,
        position: &mut Position,
        limits: Limits,
        rng: &mut Rng,
        manner: &mut Manner,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = Limits { playouts: Some(rung.playouts.into()), soft: None, ..limits };
        let Some(sight) = rung.sight else {
            let request = wished(self.request(manner, position, limits), interest);
            return Ok(self.ask_and_remember(request, watch)?);
        };
        // A move that the search leaves out is not drawn either.
        let brief = Limits { playouts: Some(1), ..limits };
        let request = Request { restrictions: interest.restrictions.clone(), ..self.request(manner, position, brief) };
        let glance = self.ask(request, &mut |_| {})?;
        let seen = come_to_mind(position, &glance.moves, &sight, rng);
        // The others are compared with the most natural move. The pass is searched too: the game may be over.
        let natural = by_prior(position, &glance.moves).first().map(|m| m.mv);
        let mut only = seen.clone();
        only.extend(natural.into_iter().chain([Move::Pass]).filter(|mv| !seen.contains(mv)));
        let limits = Limits { early_stop: EarlyStop::Never, ..limits };
        let mut request = wished(self.request(manner, position, limits), interest);
        request.only = Some(only);
        request.knowledge.owners = true;
        let report = self.ask_and_remember(request, watch)?;
        let mut report = Arc::unwrap_or_clone(report);
        prefer(&mut report.moves, &seen, sight.loss);
        Ok(Arc::new(report))
    }
}

/// The request, with what the watcher wants.
fn wished(request: Request, interest: &Interest) -> Request {
    Request { restrictions: interest.restrictions.clone(), knowledge: interest.knowledge(), ..request }
}

/// Puts the best seen move first, unless its loss against the best of all moves is too large.
fn prefer(moves: &mut [MoveReport], seen: &[Move], loss: f32) {
    let Some(best) = moves.first().map(|m| m.value) else { return };
    let Some(own) = moves.iter().position(|m| seen.contains(&m.mv)) else { return };
    if moves[own].value >= best - loss {
        moves[..=own].rotate_right(1);
    }
}

/// The legal plays that are no plain blunders, likeliest first.
fn by_prior<'a>(position: &mut Position, moves: &'a [MoveReport]) -> Vec<&'a MoveReport> {
    let color = position.to_move();
    let mut is_sound =
        |mv: Move| mv.point().is_some_and(|p| !throws_away(position.board(), color, p)) && position.check(mv).is_ok();
    let mut plays: Vec<&MoveReport> = moves.iter().filter(|m| is_sound(m.mv)).collect();
    plays.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    plays
}

/// Does the play give away stones for nothing?
fn throws_away(board: &Board, color: Color, point: Point) -> bool {
    is_self_atari(board, color, point)
        && !board.captures_something(color, point)
        && joined_len(board, color, point) >= SACRIFICE
}

/// The moves that the step sees: some by chance, and those that no player of this level overlooks.
fn come_to_mind(position: &mut Position, moves: &[MoveReport], sight: &Sight, rng: &mut Rng) -> Vec<Move> {
    let plays = by_prior(position, moves);
    let whole: f32 = plays.iter().map(|m| m.prior).sum();
    let mut sum = 0.0;
    let natural = plays.iter().take_while(|m| {
        let before = sum;
        sum += m.prior;
        before < NATURAL * whole
    });
    let mut urn: Vec<(Move, f32)> = natural.map(|m| (m.mv, m.prior)).collect();
    let (total, total_root): (f32, f32) = urn.iter().fold((0.0, 0.0), |(p, r), m| (p + m.1, r + m.1.sqrt()));
    let even = 1.0 / urn.len().max(1) as f32;
    for (_, weight) in &mut urn {
        let (plain, root) = (*weight / total.max(f32::MIN_POSITIVE), weight.sqrt() / total_root.max(f32::MIN_POSITIVE));
        *weight = match sight.scatter {
            scatter @ ..=1.0 => plain + scatter * (root - plain),
            scatter => root + (scatter - 1.0) * (even - root),
        };
    }
    let mut seen: Vec<Move> = Vec::new();
    for _ in 0..sight.moves {
        let Some(drawn) = draw_weighted(&urn, rng) else { break };
        seen.push(urn.swap_remove(drawn).0);
    }
    for mv in urgent(position.board(), position.to_move(), usize::from(sight.chain)) {
        if !seen.contains(&mv) && moves.iter().any(|m| m.mv == mv) && position.check(mv).is_ok() {
            seen.push(mv);
        }
    }
    seen
}

/// The index of an entry that is drawn by weight.
fn draw_weighted(urn: &[(Move, f32)], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.random::<f32>() * urn.iter().map(|m| m.1).sum::<f32>();
    for (place, (_, weight)) in urn.iter().enumerate() {
        left -= weight;
        if left <= 0.0 {
            return Some(place);
        }
    }
    urn.len().checked_sub(1)
}

/// Plays that save a chain of at least `least` stones from atari, or capture such a chain.
fn urgent(board: &Board, color: Color, least: usize) -> Vec<Move> {
    let in_atari = |p: Point| board.liberties(p).only().filter(|_| board.liberties(p).is_atari());
    let mut plays = Vec::new();
    for head in board.points().filter(|&p| board.cell(p).color().is_some() && board.head(p) == p) {
        let Some(liberty) = in_atari(head).filter(|_| board.chain_len(head) >= least) else { continue };
        let ours = board.cell(head) == color.cell();
        if !ours || !throws_away(board, color, liberty) {
            plays.push(Move::Play(liberty));
        }
        if ours {
            // A capture of a surrounding chain may save it instead.
            let around = board.chain(head).flat_map(|stone| board.adjacent(stone));
            let enemies = around.filter(|&p| board.cell(p) == color.other().cell());
            plays.extend(enemies.filter_map(in_atari).map(Move::Play));
        }
    }
    plays.retain(|mv| mv.point().is_some_and(|p| board.cell(p) == Cell::Empty));
    plays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Ruleset, diagram};

    fn report(mv: Move, value: f32, prior: f32) -> MoveReport {
        MoveReport::known(mv, 0, value, prior)
    }

    fn play(column: usize, row: usize, size: usize) -> Move {
        Move::Play(Point::new(column, row, size))
    }

    #[test]
    fn a_seen_move_is_preferred_unless_it_loses_too_much() {
        let moves = [report(play(0, 0, 5), 0.6, 0.5), report(play(1, 0, 5), 0.5, 0.1), report(play(2, 0, 5), 0.2, 0.1)];
        let first = |seen: &[Move], loss| {
            let mut moves = moves.to_vec();
            prefer(&mut moves, seen, loss);
            assert_eq!(moves.len(), 3);
            moves[0].mv
        };
        assert_eq!(first(&[play(1, 0, 5), play(2, 0, 5)], 0.2), play(1, 0, 5));
        assert_eq!(first(&[play(1, 0, 5)], 0.05), play(0, 0, 5));
        assert_eq!(first(&[play(2, 0, 5)], 0.2), play(0, 0, 5));
        assert_eq!(first(&[], 0.2), play(0, 0, 5));
    }

    #[test]
    fn a_large_chain_in_atari_is_not_overlooked() {
        let board = diagram::parse(
            ". . . . . .
             . O O O O .
             . O X X X O
             . O X X X O
             . . O O . O
             . . . . . .",
        )
        .expect("a picture");
        // Black's six stones have one liberty, E2; White's chain of three around it has more.
        let liberty = play(4, 1, 6);
        assert_eq!(urgent(&board, Color::White, 6), [liberty]);
        assert_eq!(urgent(&board, Color::White, 7), []);
        let mut position = Position::from_board(board, Color::White, Ruleset::default());
        let moves: Vec<MoveReport> =
            position.board().empties().iter().map(|&p| report(Move::Play(p), 0.5, 0.05)).collect();
        let sight = Sight { moves: 1, scatter: 0.0, loss: 0.2, chain: 6 };
        for seed in 0..20 {
            let seen = come_to_mind(&mut position, &moves, &sight, &mut stream(seed, 0));
            assert!(seen.contains(&liberty), "{seen:?}");
        }
    }

    #[test]
    fn what_comes_to_mind_is_likely_and_no_blunder_at_sight() {
        let board = diagram::parse(
            ". . X O .
             . . X O .
             . . X O .
             . . X O O
             . . X O .",
        )
        .expect("a picture");
        let mut position = Position::from_board(board, Color::Black, Ruleset::default());
        let unlikely = play(0, 0, 5);
        let prior = |mv| if mv == unlikely { 0.001 } else { 0.1 };
        let moves: Vec<MoveReport> =
            position.board().empties().iter().map(|&p| Move::Play(p)).map(|mv| report(mv, 0.5, prior(mv))).collect();
        let sight = Sight { moves: 3, scatter: 1.0, loss: 1.0, chain: 1 };
        let mut all = Vec::new();
        for seed in 0..200 {
            let seen = come_to_mind(&mut position, &moves, &sight, &mut stream(seed, 0));
            assert_eq!(seen.len(), 3);
            assert!(!seen.contains(&unlikely));
            all.extend(seen);
        }
        assert!(all.contains(&play(1, 4, 5)) && all.contains(&play(0, 3, 5)));
    }
}
