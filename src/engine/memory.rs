//! What the engine remembers of its game: reports, judgements and thoughts. Each one is kept with the state of the game
//! and the side that it is about. [`Memory::forget`] forgets all of them, but for the
//! moves before which a game looked lost.

use std::sync::Arc;
use std::time::Duration;

use crate::game::Game;
use crate::go::{Color, Move, PointSet, Position, Ruleset, Size, Statuses};
use crate::search::Report;

use super::thought::Thought;

/// Identifies a state of a game, as far as searches depend on the state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    start: u64,
    size: Size,
    rules: Ruleset,
    komi: i32,
    moves: Vec<(Color, Move)>,
}

impl Key {
    /// The present state of a game.
    pub(super) fn of(game: &Game) -> Key {
        Key {
            start: game.start_key(),
            size: game.size(),
            rules: *game.rules(),
            komi: game.total_komi().half_points(),
            moves: game.moves().to_vec(),
        }
    }

    /// The number of moves up to this state.
    pub(super) fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The moves made since an earlier state of the same game. `None` for another game, or if moves were taken back.
    fn moves_since(&self, earlier: &Key) -> Option<&[(Color, Move)]> {
        let same = (self.start, self.size, self.rules, self.komi)
            == (earlier.start, earlier.size, earlier.rules, earlier.komi);
        self.moves.strip_prefix(&earlier.moves[..]).filter(|_| same)
    }
}

/// The report of a search, and the state of the game that it is about.
#[derive(Debug)]
struct Findings {
    key: Key,
    /// The side whose move the search was for.
    to_move: Color,
    /// Passes before the search, as far as the search knew of them, see [`Position::open_for_analysis`].
    passes: u8,
    report: Arc<Report>,
}

/// A judgement of life and death, and the board that was judged.
#[derive(Debug)]
struct Judgement {
    board: (u64, Size, Ruleset),
    /// Time limit of the playouts.
    time: Duration,
    statuses: Statuses,
}

/// Moves of a side in a row before which the game looked lost to the side.
#[derive(Clone, Debug)]
struct LostRun {
    /// The state of the game before the last of them.
    key: Key,
    moves: usize,
}

/// How often in a row the game has looked lost to each side. An engine resigns after a few such moves.
#[derive(Clone, Debug, Default)]
pub struct LostMoves([Option<LostRun>; 2]);

/// What the engine remembers of its game.
#[derive(Debug, Default)]
pub(super) struct Memory {
    findings: Option<Findings>,
    judgement: Option<Judgement>,
    thought: Option<Thought>,
    /// Kept apart, because it goes with the game where several engines play it in turn.
    pub(super) lost: LostMoves,
    /// Stones of the other side that a clean-up is to capture, and the game at the side's last clean-up move.
    condemned: [Option<(Key, PointSet)>; 2],
    /// The side that resigned, and the game at that moment.
    resigned: Option<(Key, Color)>,
    /// Searches for this game so far. Each search has its own random numbers.
    searches: u64,
}

impl Memory {
    /// Forgets everything, because another game begins. Only the moves before which a game looked lost stay: they know
    /// their game, and a controller may send the whole game again before each move.
    pub(super) fn forget(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        *self = Memory { lost, ..Memory::default() };
    }

    /// Counts another search. Returns the number of searches before it.
    pub(super) fn count_search(&mut self) -> u64 {
        self.searches += 1;
        self.searches - 1
    }

    /// Remembers the report of a search of this position of the game.
    pub(super) fn note_report(&mut self, key: Key, (to_move, passes): (Color, u8), report: &Arc<Report>) {
        self.findings = Some(Findings { key, to_move, passes, report: Arc::clone(report) });
    }

    /// The report of the last search, if the search was about this state of the game.
    pub(super) fn report(&self, key: &Key) -> Option<&Report> {
        self.findings.as_ref().filter(|findings| findings.key == *key).map(|findings| &*findings.report)
    }

    /// The same report to keep, if the search was for a move of this side and knew of so many passes before.
    pub(super) fn report_for(&self, key: &Key, to_move: Color, passes: u8) -> Option<Arc<Report>> {
        let is_same = |found: &&Findings| (&found.key, found.to_move, found.passes) == (key, to_move, passes);
        self.findings.as_ref().filter(is_same).map(|findings| Arc::clone(&findings.report))
    }

    /// Remembers the dead stones and those in seki, judged by playouts with this time limit.
    pub(super) fn note_statuses(&mut self, position: &Position, time: Duration, statuses: Statuses) {
        self.judgement = Some(Judgement { board: board_of(position), time, statuses });
    }

    /// The dead stones and those in seki, if they are known from playouts with this time limit or a longer one. A
    /// judgement in a hurry is no answer to a caller with time.
    pub(super) fn statuses(&self, position: &Position, time: Duration) -> Option<Statuses> {
        let known = self.judgement.as_ref().filter(|known| known.board == board_of(position) && known.time >= time);
        known.map(|known| known.statuses)
    }

    /// Forgets the judgements that depend on the settings of the search.
    pub(super) fn forget_judgements(&mut self) {
        self.findings = None;
        self.judgement = None;
    }

    /// Remembers the thought about the last move that was asked for; `None` if there is none.
    pub(super) fn note_thought(&mut self, thought: Option<Thought>) {
        self.thought = thought;
    }

    /// The thought about the last move that was asked for.
    pub(super) fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// Remembers whether the game, before its next move, looks lost to a side.
    pub(super) fn note_lost(&mut self, key: Key, color: Color, is_lost: bool) {
        let moves = if is_lost { self.lost_moves(&key, color) + 1 } else { 0 };
        self.lost.0[color.index()] = Some(LostRun { key, moves });
    }

    /// A side's moves in a row before which the game looked lost to the side, up to its last move. Moves that were
    /// taken back do not count, nor do moves of another game or under other rules.
    pub(super) fn lost_moves(&self, key: &Key, color: Color) -> usize {
        let Some(known) = &self.lost.0[color.index()] else { return 0 };
        match key.moves_since(&known.key) {
            // A repeated question about the same move does not count twice.
            Some([]) => known.moves.saturating_sub(1),
            Some(_) => known.moves,
            None => 0,
        }
    }

    /// Remembers which stones of the other side a clean-up by this side is to capture.
    pub(super) fn note_condemned(&mut self, key: Key, color: Color, stones: PointSet) {
        self.condemned[color.index()] = Some((key, stones));
    }

    /// Stones that were found dead at an earlier move of a side's clean-up. They stay dead while the other side only
    /// passes. They may look alive for a time, because the captor's own stones inside a dead shape are captured first.
    pub(super) fn condemned(&self, key: &Key, color: Color) -> PointSet {
        let only_passes = |since: &[(Color, Move)]| since.iter().all(|&(by, mv)| by == color || mv == Move::Pass);
        match &self.condemned[color.index()] {
            Some((before, stones)) if key.moves_since(before).is_some_and(only_passes) => *stones,
            _ => PointSet::EMPTY,
        }
    }

    /// Remembers the side that resigned; `None` if no side did.
    pub(super) fn note_resignation(&mut self, key: Key, color: Option<Color>) {
        self.resigned = color.map(|color| (key, color));
    }

    /// The side that resigned, if nothing has happened since.
    pub(super) fn resigned(&self, key: &Key) -> Option<Color> {
        self.resigned.as_ref().filter(|(before, _)| before == key).map(|&(_, color)| color)
    }
}

/// What life and death depend on: the board and the rule set.
fn board_of(position: &Position) -> (u64, Size, Ruleset) {
    (position.board().hash(), position.size(), *position.rules())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Point, rules};

    fn game(moves: usize) -> Game {
        let mut game = Game::new(9, rules::CHINESE, None);
        for i in 0..moves {
            let color = game.position().to_move();
            game.play(color, Move::Play(Point::new(i % 9, i / 9, 9))).expect("a legal move");
        }
        game
    }

    #[test]
    fn each_side_has_lost_moves_of_its_own() {
        let mut memory = Memory::default();
        for moves in 0..4 {
            // Black finds its game lost, White does not.
            let key = Key::of(&game(moves));
            let color = if moves % 2 == 0 { Color::Black } else { Color::White };
            memory.note_lost(key, color, color == Color::Black);
        }
        let now = Key::of(&game(4));
        assert_eq!((memory.lost_moves(&now, Color::Black), memory.lost_moves(&now, Color::White)), (2, 0));
        // The last question once more; then moves taken back, other rules, another game.
        assert_eq!(memory.lost_moves(&Key::of(&game(2)), Color::Black), 1);
        assert_eq!(memory.lost_moves(&Key::of(&game(1)), Color::Black), 0);
        let mut other = game(4);
        other.set_rules(rules::TROMP_TAYLOR).expect("no move conflicts");
        assert_eq!(memory.lost_moves(&Key::of(&other), Color::Black), 0);
        // A controller may send the whole game again.
        memory.forget();
        assert_eq!(memory.lost_moves(&now, Color::Black), 2);
        assert_eq!(memory.lost_moves(&Key::of(&game(0)), Color::Black), 0, "another game");
    }

    #[test]
    fn what_was_judged_in_a_hurry_does_not_serve_those_with_time() {
        let mut memory = Memory::default();
        let game = game(3);
        let [hurried, unhurried] = [1, 60].map(Duration::from_secs);
        memory.note_statuses(game.position(), hurried, Statuses::ALL_ALIVE);
        assert!(memory.statuses(game.position(), hurried).is_some());
        assert!(memory.statuses(game.position(), unhurried).is_none());
        memory.note_statuses(game.position(), unhurried, Statuses::ALL_ALIVE);
        assert!(memory.statuses(game.position(), hurried).is_some());
    }

    #[test]
    fn a_resignation_stands_until_something_happens() {
        let mut memory = Memory::default();
        memory.note_resignation(Key::of(&game(3)), Some(Color::White));
        assert_eq!(memory.resigned(&Key::of(&game(3))), Some(Color::White));
        assert_eq!(memory.resigned(&Key::of(&game(4))), None);
    }
}
