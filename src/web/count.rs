//! The count of a game, with the dead stones as the engine judged them or as the person has corrected them.

use crate::game::Game;
use crate::go::rules::DeadStones;
use crate::go::score::{self, Outcome};
use crate::go::{Color, Point, Size, Statuses};

/// A count of one position.
#[derive(Clone, Debug)]
pub(super) struct Count {
    statuses: Statuses,
    /// The statuses as the engine judged them.
    judged: Statuses,
    /// Has the person corrected it?
    pub(super) is_corrected: bool,
    /// Is there still something to play for, so that a count says little?
    pub(super) is_open: bool,
}

impl Count {
    /// With the stones as the engine judged them.
    pub(super) fn of(statuses: Statuses, is_open: bool) -> Count {
        Count { judged: statuses, statuses, is_corrected: false, is_open }
    }

    /// Which stones are dead.
    pub(super) fn statuses(&self) -> &Statuses {
        &self.statuses
    }

    /// How the game ends.
    pub(super) fn outcome(&self, game: &Game) -> Outcome {
        game.outcome(&self.statuses)
    }

    /// Makes the chain on a point dead, or alive if it is dead.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub(super) fn toggle(&mut self, game: &Game, at: Point) -> Result<(), String> {
        let board = game.position().board();
        if game.rules().dead_stones == DeadStones::Stand {
            let rules = game.rules().name();
            return Err(format!(
                "Under {rules} rules all stones that stand on the board count; dead ones have to be captured."
            ));
        }
        if board.cell(at).color().is_none() {
            return Err("There is no stone to mark on that point.".into());
        }
        let makes_dead = !self.statuses.dead.contains(at);
        for stone in board.chain(at) {
            if makes_dead {
                self.statuses.dead.insert(stone);
                self.statuses.seki.remove(stone);
            } else {
                self.statuses.dead.remove(stone);
                if self.judged.seki.contains(stone) {
                    self.statuses.seki.insert(stone);
                }
            }
        }
        self.is_corrected = true;
        Ok(())
    }

    /// The owner of each point, row by row from the top: `X`, `O` or `.`.
    pub(super) fn owners(&self, game: &Game) -> String {
        let size = game.size();
        let owners = score::owners(game.position(), &self.statuses);
        let letter = |owner: Option<Color>| owner.map_or('.', |color| if color == Color::Black { 'X' } else { 'O' });
        rows(size).map(|point| letter(owners[point])).collect()
    }
}

/// All points of a board, row by row from the top.
pub(super) fn rows(size: Size) -> impl Iterator<Item = Point> {
    size.from_the_top()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{CHINESE, TROMP_TAYLOR};
    use crate::go::{Move, Ruleset};

    /// A wall of each side down the board, and a white stone behind Black's.
    fn game(rules: Ruleset) -> Game {
        let size = 5;
        let mut game = Game::new(size, rules, None);
        let column = |column: usize| (0..size).map(move |row| Point::new(column, row, size));
        let black = column(2).map(|point| (Color::Black, point));
        let white = column(3).chain([Point::new(0, 0, size)]).map(|point| (Color::White, point));
        for (color, point) in black.chain(white) {
            game.play(color, Move::Play(point)).expect("a legal move");
        }
        game
    }

    #[test]
    fn a_chain_is_dead_and_alive_again() {
        let game = game(CHINESE);
        let mut count = Count::of(Statuses::ALL_ALIVE, false);
        let stone = Point::new(0, 0, 5);
        assert_eq!(
            count.owners(&game).matches('X').count(),
            5,
            "Black's area belongs to nobody while White lives there"
        );
        count.toggle(&game, stone).expect("a stone");
        assert!(count.is_corrected && count.statuses().dead.contains(stone));
        assert_eq!(count.owners(&game).matches('X').count(), 15);
        assert_eq!(count.outcome(&game).to_string(), "W+2.5");
        count.toggle(&game, stone).expect("a stone");
        assert!(count.statuses().dead.is_empty());
        assert!(count.toggle(&game, Point::new(1, 1, 5)).is_err(), "no stone");
    }

    #[test]
    fn stones_that_stand_cannot_be_dead() {
        let game = game(TROMP_TAYLOR);
        let error = Count::of(Statuses::ALL_ALIVE, false).toggle(&game, Point::new(0, 0, 5)).expect_err("refused");
        assert!(error.contains("tromp-taylor"), "{error}");
    }
}
