//! The end of a game: is there anything left to play for, and what does the game count?

use crate::go::rules::Scoring;
use crate::go::score::area;
use crate::go::{Cell, Color, Point, PointSet, Position};

/// A point is settled when one side owns it in the playouts to this degree (−1 to 1), as for the engine.
const SETTLED: f32 = 0.9;

/// What the owners of the points in playouts say of a position.
#[derive(Debug)]
pub(super) struct Verdict {
    /// The stones of chains that the other side owns.
    pub dead: PointSet,
    /// Points that may still become either side's.
    pub open: usize,
}

impl Verdict {
    /// The verdict for these owners: from 1, always Black's, to −1, always White's.
    pub(super) fn new(position: &Position, owner_of: impl Fn(Point) -> f32) -> Verdict {
        let board = position.board();
        let mut dead = PointSet::EMPTY;
        for head in board.points().filter(|&p| board.head(p) == p) {
            let Some(color) = board.cell(head).color() else { continue };
            let owned: f32 = board.chain(head).map(&owner_of).sum();
            if owned * (color.sign() as f32) < 0.0 {
                board.chain(head).for_each(|stone| {
                    dead.insert(stone);
                });
            }
        }
        let owner = area(board, &dead);
        let is_worthless = |p: Point| {
            let touches = |color: Color| board.adjacent(p).into_iter().any(|q| board.cell(q) == color.cell());
            position.rules().scoring == Scoring::Territory
                && board.cell(p) == Cell::Empty
                && owner[p].is_none()
                && Color::BOTH.into_iter().all(touches)
        };
        // A point with an open border nearby is nobody's yet, however sure its later owner is.
        let is_settled = |p: Point| owner[p].is_some_and(|color| owner_of(p) * color.sign() as f32 >= SETTLED);
        let open = board.points().filter(|&p| !is_settled(p) && !is_worthless(p)).count();
        Verdict { dead, open }
    }

    /// The dead stones of a side.
    pub(super) fn dead_of(&self, position: &Position, color: Color) -> PointSet {
        self.dead.iter().filter(|&p| position.board().cell(p) == color.cell()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{CHINESE, JAPANESE};
    use crate::go::{Ruleset, diagram};

    /// Two living sides, one neutral point at the top, and a white stone that is dead.
    const FINISHED: &str = "
        . X . O .
        X X X O O
        . X O O .
        X X X O O
        O X X O .";

    /// The verdict if the playouts own every point as the picture shows.
    fn verdict(rules: Ruleset) -> (Position, Verdict) {
        let board = diagram::parse(FINISHED).expect("a board");
        let position = Position::from_board(board, Color::Black, rules);
        let verdict = Verdict::new(&position, |p| match (p.column(5), p.row(5)) {
            (3, 4) => 0.0,
            (0..=1, _) | (2, 0..=1) | (2, 3..=4) => 1.0,
            _ => -1.0,
        });
        (position, verdict)
    }

    #[test]
    fn stones_that_the_other_side_owns_are_dead() {
        let (position, verdict) = verdict(CHINESE);
        assert_eq!(verdict.dead_of(&position, Color::White).iter().collect::<Vec<_>>(), [Point::new(0, 0, 5)]);
        assert!(verdict.dead_of(&position, Color::Black).is_empty());
    }

    #[test]
    fn a_neutral_point_is_open_where_it_counts() {
        assert_eq!(verdict(CHINESE).1.open, 1);
        assert_eq!(verdict(JAPANESE).1.open, 0);
    }

    #[test]
    fn a_point_behind_an_open_border_is_open_however_sure_its_owner_is() {
        let board = diagram::parse(". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . O . .").expect("a board");
        let position = Position::from_board(board, Color::Black, CHINESE);
        // The white stone is dead, so the border is closed.
        assert_eq!(Verdict::new(&position, |_| 1.0).open, 0);
        let alive = |p: Point| if p.row(5) == 0 { -1.0 } else { 1.0 };
        // All points but the stones.
        assert_eq!(Verdict::new(&position, alive).open, 23);
    }
}
