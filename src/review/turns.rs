//! The turns of a game: the positions of its main line, each with the move that follows.

use crate::game::{Game, LoadError};
use crate::go::{Color, Komi, Move, Ruleset};
use crate::record::{NodeId, Record};

/// The most moves of a review. (A guess: no game between people or programs has a tenth of them.)
const MOST_MOVES: usize = 10_000;

/// A game to review.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// The game at its beginning. Its record is what was read.
    pub start: Game,
    /// The moves of the main line.
    pub moves: Vec<Turn>,
    /// Why the main line cannot be followed to its end.
    pub cut: Option<String>,
}

/// A move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Its node.
    pub node: NodeId,
    /// The side that made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Were stones set up between the move before and this one?
    pub is_set_up: bool,
}

impl Turns {
    /// The turns of a record's main line. `rules` and `komi` are in force if the record names none. A main line that
    /// cannot be followed to its end is cut there.
    ///
    /// # Errors
    /// If the record is no game of Go that can be begun.
    pub(super) fn of(record: Record, rules: Ruleset, komi: Option<Komi>) -> Result<Turns, LoadError> {
        let start = Game::load(record, Some(1), rules, komi)?;
        let mut game = start.clone();
        let mut moves = Vec::new();
        let mut is_set_up = false;
        let cut = loop {
            match game.forward() {
                Ok(true) => {}
                Ok(false) => break None,
                Err(error) => break Some(error.to_string()),
            }
            let node = game.cursor();
            match game.record().move_at(node, game.size()) {
                Ok(Some(_)) if moves.len() == MOST_MOVES => {
                    break Some(format!("a review has no more than {MOST_MOVES} moves"));
                }
                Ok(Some((color, mv))) => {
                    moves.push(Turn { node, color, mv, is_set_up });
                    is_set_up = false;
                }
                _ => is_set_up |= matches!(game.record().set_up(node, game.size()), Ok(Some(_))),
            }
        };
        Ok(Turns { start, moves, cut })
    }

    /// Why there is nothing to review; `None` if there is a move.
    pub(super) fn no_moves(&self) -> Option<String> {
        let why = || match &self.cut {
            Some(why) => format!("the record cannot be followed to its first move: {why}"),
            None => "there is no move in the record".into(),
        };
        self.moves.is_empty().then(why)
    }

    /// A sentence about what is left out, if the main line cannot be followed to its end.
    pub(super) fn left_out(&self) -> Option<String> {
        let moves = match self.moves.len() {
            1 => "the first move".into(),
            moves => format!("the first {moves} moves"),
        };
        self.cut.as_ref().map(|why| format!("The review holds {moves}, because {why}."))
    }

    /// The number of positions: before each move, and at the end.
    pub(super) fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Calls `see` with the game at each position and the side whose turn it is, from the first position on. `see` says
    /// whether to go on.
    pub(super) fn walk<E>(&self, mut see: impl FnMut(usize, &Game, Color) -> Result<bool, E>) -> Result<(), E> {
        let mut game = self.start.clone();
        for turn in 0..self.positions() {
            let color = self.moves.get(turn).map_or(game.position().to_move(), |turn| turn.color);
            // Stones that are set up before the next move belong to the position.
            if let Some(next) = self.moves.get(turn)
                && next.is_set_up
            {
                let parent = game.record().parent(next.node).unwrap_or(game.cursor());
                // The way has been followed before.
                let _ = game.go_to(parent);
            }
            if !see(turn, &game, color)? {
                break;
            }
            if let Some(next) = self.moves.get(turn) {
                let _ = game.go_to(next.node);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::CHINESE;

    #[test]
    fn a_review_of_endless_passes_ends() {
        let turns = |passes: usize| {
            let text = format!("(;SZ[9]{})", ";B[]".repeat(passes));
            Turns::of(crate::sgf::read(text.as_bytes()).expect("a record"), CHINESE, None).expect("a game")
        };
        assert_eq!(turns(MOST_MOVES).left_out(), None);
        let long = turns(MOST_MOVES + 5);
        assert_eq!(long.positions(), MOST_MOVES + 1);
        assert!(long.left_out().is_some_and(|why| why.contains("no more than 10000 moves")));
    }
}
