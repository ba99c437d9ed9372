//! What the engine remembers of its game: findings, judgements, thoughts. Each is kept with the game that it is about, and
//! by the side that it is about, and [`Memory::forget`] forgets them all.

use std::sync::Arc;
use std::time::Duration;

use crate::game::Game;
use crate::go::{Color, Move, PointSet, Position, Ruleset, Statuses};
use crate::search::Report;

use super::thought::Thought;

/// Tells states of games apart, as far as findings go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    start: u64,
    size: usize,
    rules: Ruleset,
    komi: i32,
    moves: Vec<(Color, Move)>,
}

impl Key {
    /// The state of a game now.
    pub(super) fn of(game: &Game) -> Key {
        Key {
            start: game.start_key(),
            size: game.size(),
            rules: *game.rules(),
            komi: game.total_komi().half_points(),
            moves: game.moves().to_vec(),
        }
    }

    /// The moves made since an earlier state of the same game; `None` if it is another game, or moves were taken back.
    fn moves_since(&self, earlier: &Key) -> Option<&[(Color, Move)]> {
        let same = (self.start, self.size, self.rules, self.komi)
            == (earlier.start, earlier.size, earlier.rules, earlier.komi);
        self.moves.strip_prefix(&earlier.moves[..]).filter(|_| same)
    }
}

/// What a search found out about a state of the game.
#[derive(Debug)]
struct Findings {
    key: Key,
    /// Whose move was looked for.
    to_move: Color,
    report: Arc<Report>,
}

/// A judgement of life and death, and the board that it is about.
#[derive(Debug)]
struct Judgement {
    board: (u64, usize, Ruleset),
    /// How long its playouts were allowed to take.
    time: Duration,
    statuses: Statuses,
}

/// Moves of a side in a row at which the game looked lost to it.
#[derive(Debug)]
struct Despair {
    /// The state of the game before the last of them.
    key: Key,
    moves: usize,
}

/// What the engine remembers of its game.
#[derive(Debug, Default)]
pub(super) struct Memory {
    findings: Option<Findings>,
    judgement: Option<Judgement>,
    thought: Option<Thought>,
    despair: [Option<Despair>; 2],
    /// Stones of the other side that a clean-up is to take, and the game when the side was last at it.
    condemned: [Option<(Key, PointSet)>; 2],
    /// Who resigned, and the game when that happened.
    resigned: Option<(Key, Color)>,
    /// Searches for this game so far: each has random numbers of its own.
    searches: u64,
}

impl Memory {
    /// Forgets everything: another game begins.
    pub(super) fn forget(&mut self) {
        *self = Memory::default();
    }

    /// Counts another search; gives how many there were before.
    pub(super) fn count_search(&mut self) -> u64 {
        self.searches += 1;
        self.searches - 1
    }

    /// Remembers what a search for this side's move found.
    pub(super) fn note_report(&mut self, key: Key, to_move: Color, report: &Arc<Report>) {
        self.findings = Some(Findings { key, to_move, report: Arc::clone(report) });
    }

    /// What the last search found, if it was about the game as it is now.
    pub(super) fn report(&self, key: &Key) -> Option<&Report> {
        self.findings.as_ref().filter(|findings| findings.key == *key).map(|findings| &*findings.report)
    }

    /// The same, if it was for a move of this side, to be kept.
    pub(super) fn report_for(&self, key: &Key, to_move: Color) -> Option<Arc<Report>> {
        let known = self.findings.as_ref().filter(|findings| findings.key == *key && findings.to_move == to_move);
        known.map(|findings| Arc::clone(&findings.report))
    }

    /// Remembers which stones are dead or in seki, by playouts that were allowed to take so long.
    pub(super) fn note_statuses(&mut self, position: &Position, time: Duration, statuses: Statuses) {
        self.judgement = Some(Judgement { board: board_of(position), time, statuses });
    }

    /// Which stones are dead or in seki, if that is known from playouts that were allowed to take as long, or longer. What
    /// was judged in a hurry is no answer to somebody with time.
    pub(super) fn statuses(&self, position: &Position, time: Duration) -> Option<Statuses> {
        let known = self.judgement.as_ref().filter(|known| known.board == board_of(position) && known.time >= time);
        known.map(|known| known.statuses)
    }

    /// Forgets what rests on how the engine searches.
    pub(super) fn forget_judgements(&mut self) {
        self.findings = None;
        self.judgement = None;
    }

    /// Remembers what was thought of the last move that was asked for; `None` if nothing was.
    pub(super) fn note_thought(&mut self, thought: Option<Thought>) {
        self.thought = thought;
    }

    /// What was thought of the last move that was asked for.
    pub(super) fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// Remembers whether the game, before its move now, looks lost to a side.
    pub(super) fn note_despair(&mut self, key: Key, color: Color, is_lost: bool) {
        let moves = if is_lost { self.lost_moves(&key, color) + 1 } else { 0 };
        self.despair[color.index()] = Some(Despair { key, moves });
    }

    /// Moves in a row at which the game looked lost to a side, up to its last one. Moves that were taken back do not
    /// count, nor do those of another game or under other rules.
    pub(super) fn lost_moves(&self, key: &Key, color: Color) -> usize {
        let Some(known) = &self.despair[color.index()] else { return 0 };
        match key.moves_since(&known.key) {
            // The same question again is no further move.
            Some([]) => known.moves.saturating_sub(1),
            Some(_) => known.moves,
            None => 0,
        }
    }

    /// Remembers which stones of the other side a clean-up by this side is to take.
    pub(super) fn note_condemned(&mut self, key: Key, color: Color, stones: PointSet) {
        self.condemned[color.index()] = Some((key, stones));
    }

    /// Stones that were found dead at an earlier move of a side's clean-up. While the other side only passes they stay
    /// so, though they may look otherwise for a time: what is played inside a dead shape has to be taken first.
    pub(super) fn condemned(&self, key: &Key, color: Color) -> PointSet {
        let only_passes = |since: &[(Color, Move)]| since.iter().all(|&(by, mv)| by == color || mv == Move::Pass);
        match &self.condemned[color.index()] {
            Some((before, stones)) if key.moves_since(before).is_some_and(only_passes) => *stones,
            _ => PointSet::EMPTY,
        }
    }

    /// Remembers who resigned; `None` if nobody did.
    pub(super) fn note_resignation(&mut self, key: Key, color: Option<Color>) {
        self.resigned = color.map(|color| (key, color));
    }

    /// Who resigned, if nothing else has happened since.
    pub(super) fn resigned(&self, key: &Key) -> Option<Color> {
        self.resigned.as_ref().filter(|(before, _)| before == key).map(|&(_, color)| color)
    }
}

/// What life and death depend on.
fn board_of(position: &Position) -> (u64, usize, Ruleset) {
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
    fn each_side_despairs_for_itself() {
        let mut memory = Memory::default();
        for moves in 0..4 {
            // Black finds its game lost, White does not.
            let key = Key::of(&game(moves));
            let color = if moves % 2 == 0 { Color::Black } else { Color::White };
            memory.note_despair(key, color, color == Color::Black);
        }
        let now = Key::of(&game(4));
        assert_eq!((memory.lost_moves(&now, Color::Black), memory.lost_moves(&now, Color::White)), (2, 0));
        // The last question once more; moves that were taken back, other rules, another game.
        assert_eq!(memory.lost_moves(&Key::of(&game(2)), Color::Black), 1);
        assert_eq!(memory.lost_moves(&Key::of(&game(1)), Color::Black), 0);
        let mut other = game(4);
        other.set_rules(rules::TROMP_TAYLOR).expect("no move conflicts");
        assert_eq!(memory.lost_moves(&Key::of(&other), Color::Black), 0);
        memory.forget();
        assert_eq!(memory.lost_moves(&now, Color::Black), 0);
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
