//! Ladders, read out: series of ataris from which a chain escapes or does not.

use super::board::Board;
use super::color::Color;
use super::point::Point;
use super::shape::{for_enemy_neighbors, is_self_atari};

/// Reads ladders on boards of its own. If the reader runs out of plays, the chain counts as escaped.
#[derive(Debug)]
pub struct Ladders {
    boards: Vec<Board>,
    budget: u32,
    left: u32,
}

impl Ladders {
    /// A reader that may try `budget` plays from one [`Ladders::refill`] to the next.
    pub fn new(budget: u32) -> Ladders {
        Ladders { boards: Vec::new(), budget, left: budget }
    }

    /// Restores the full number of plays.
    pub fn refill(&mut self) {
        self.left = self.budget;
    }

    /// Does `color`, to move, capture the chain of `prey` by ataris?
    pub fn captures(&mut self, board: &Board, color: Color, prey: Point) -> bool {
        self.load(board);
        self.captures_at(0, color, prey)
    }

    /// Does an atari by `color` on `point` capture the chain of `prey` against every answer? The chain has two
    /// liberties.
    pub fn atari_captures(&mut self, board: &Board, color: Color, prey: Point, point: Point) -> bool {
        self.load(board);
        self.atari_at(0, color, prey, point)
    }

    /// Can the chain of `prey`, in atari and to move, escape by a capture next to it or by extending?
    pub fn escapes(&mut self, board: &Board, prey: Point) -> bool {
        self.load(board);
        self.escapes_at(0, prey)
    }

    /// Is the own chain of `chain` captured by ataris after its side has played on `point`?
    pub fn is_caught_after(&mut self, board: &Board, color: Color, point: Point, chain: Point) -> bool {
        self.load(board);
        self.boards[0].place(color, point);
        self.captures_at(0, color.other(), chain)
    }

    fn load(&mut self, board: &Board) {
        if self.boards.is_empty() {
            self.boards.push(board.clone());
        } else {
            self.boards[0].copy_from(board);
        }
    }

    /// Plays on a copy of the board at `depth`, which becomes the board at `depth + 1`. Returns `false` if no more
    /// plays may be tried.
    fn try_play(&mut self, depth: usize, color: Color, point: Point) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.boards.len() == depth + 1 {
            self.boards.push(self.boards[depth].clone());
        } else {
            let (above, below) = self.boards.split_at_mut(depth + 1);
            below[0].copy_from(&above[depth]);
        }
        self.boards[depth + 1].place(color, point);
        true
    }

    fn captures_at(&mut self, depth: usize, color: Color, prey: Point) -> bool {
        let mut liberties = [Point::NONE; 3];
        match self.boards[depth].first_liberties(prey, &mut liberties) {
            1 => self.boards[depth].is_legal(color, liberties[0]),
            2 => (0..2).any(|i| self.atari_at(depth, color, prey, liberties[i])),
            _ => false,
        }
    }

    fn atari_at(&mut self, depth: usize, color: Color, prey: Point, point: Point) -> bool {
        let board = &self.boards[depth];
        if !board.is_legal(color, point) || is_self_atari(board, color, point) || !self.try_play(depth, color, point) {
            return false;
        }
        self.boards[depth + 1].liberties(prey).is_atari() && !self.escapes_at(depth + 1, prey)
    }

    fn escapes_at(&mut self, depth: usize, prey: Point) -> bool {
        let board = &self.boards[depth];
        let (Some(color), Some(liberty)) = (board.cell(prey).color(), board.liberties(prey).only()) else {
            return true;
        };
        // Captures come first, because they end most ladders at once.
        let mut tries = [Point::NONE; 5];
        let mut count = 0;
        for_enemy_neighbors(board, prey, |near| {
            if let Some(p) = board.liberties(near).only()
                && p != liberty
                && !tries[..count].contains(&p)
            {
                tries[count] = p;
                count += 1;
            }
            count < tries.len() - 1
        });
        tries[count] = liberty;
        for &p in &tries[..=count] {
            if !self.boards[depth].is_legal(color, p) {
                continue;
            }
            if !self.try_play(depth, color, p) {
                return true;
            }
            let mut liberties = [Point::NONE; 3];
            match self.boards[depth + 1].first_liberties(prey, &mut liberties) {
                0 | 1 => {}
                2 if self.captures_at(depth + 1, color.other(), prey) => {}
                _ => return true,
            }
        }
        false
    }
}
