//! The end of a game: is there anything left to play for, and what does the game count?

use crate::go::rules::Scoring;
use crate::go::score::area;
use crate::go::{Cell, Color, Point, PointSet, Position, Statuses};

/// A point is settled when one side owns it in the playouts to this degree (−1 to 1), as for the engine.
const SETTLED: f32 = 0.9;

/// After the end, a point is in doubt when no side owns it to this degree. Then less than seven playouts in eight agree.
const DOUBTED: f32 = 0.75;

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

/// A finished game, judged.
#[derive(Debug)]
pub(super) struct Judgement {
    /// Dead stones; sekis are not told apart.
    pub statuses: Statuses,
    /// Points that the playouts do not agree on, except worthless ones.
    pub in_doubt: usize,
}

impl Judgement {
    /// Judges the end of a game by the owners at the end of playouts, as in [`Verdict::new`].
    pub(super) fn new(end: &Position, owner_of: impl Fn(Point) -> f32) -> Judgement {
        let dead = Verdict::new(end, &owner_of).dead;
        let owner = area(end.board(), &dead);
        let in_doubt = end.board().points().filter(|&p| owner[p].is_some() && owner_of(p).abs() < DOUBTED).count();
        Judgement { statuses: Statuses { dead, ..Statuses::ALL_ALIVE }, in_doubt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::diagram;
    use crate::go::rules::{CHINESE, JAPANESE};

    /// Two living sides, one neutral point at the top, and a white stone that is dead.
    const FINISHED: &str = "
        . X . O .
        X X X O O
        . X O O .
        X X X O O
        O X X O .";

    fn judged(rules: crate::go::Ruleset) -> (Position, Judgement) {
        let board = diagram::parse(FINISHED).expect("a board");
        let position = Position::from_board(board, Color::Black, rules);
        let judgement = Judgement::new(&position, |p| match (p.column(5), p.row(5)) {
            (3, 4) => 0.0,
            (0..=1, _) | (2, 0..=1) | (2, 3..=4) => 1.0,
            _ => -1.0,
        });
        (position, judgement)
    }

    #[test]
    fn dead_stones_are_found_and_counted_off() {
        let (position, judgement) = judged(CHINESE);
        assert_eq!(judgement.statuses.dead.iter().collect::<Vec<_>>(), [Point::new(0, 0, 5)]);
        assert_eq!(judgement.in_doubt, 0);
        // Black has 14 points and White 10; one is neutral.
        assert_eq!(crate::go::score::count(&position, &judgement.statuses).0, 2 * (14 - 10));
    }

    #[test]
    fn a_neutral_point_is_open_where_it_counts() {
        for (rules, open) in [(CHINESE, 1), (JAPANESE, 0)] {
            let (position, judgement) = judged(rules);
            let owner = area(position.board(), &judgement.statuses.dead);
            let verdict = Verdict::new(&position, |p| owner[p].map_or(0.0, |color| color.sign() as f32));
            assert_eq!(verdict.open, open, "{}", rules.name());
            assert_eq!(verdict.dead_of(&position, Color::White).len(), 1);
            assert!(verdict.dead_of(&position, Color::Black).is_empty());
        }
    }
}
