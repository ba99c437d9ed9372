//! Twins: moves that are images of each other on a symmetric board. One stands for all, so the search does not look at
//! the first moves of a game eight times.

use crate::go::{Board, Point, Position, symmetry};

use super::Candidate;

/// The most stones of a board that is checked. With more stones symmetry is rare, and the check is slower.
const MOST_STONES: usize = 10;

/// Is the board symmetric, so that it has twins?
pub fn are_possible(board: &Board) -> bool {
    !symmetries(board).is_empty()
}

fn symmetries(board: &Board) -> Vec<usize> {
    match board.size().points() - board.empties().len() {
        ..=MOST_STONES => all_symmetries(board).collect(),
        _ => Vec::new(),
    }
}

/// The symmetries other than number 0 under which the board looks the same.
fn all_symmetries(board: &Board) -> impl Iterator<Item = usize> + '_ {
    let size = board.size();
    let same = move |number| {
        let mut stones = board.points().filter(|&p| board.cell(p).color().is_some());
        stones.all(|p| board.cell(symmetry::image(p, size, number)) == board.cell(p))
    };
    (1..size.symmetries()).filter(move |&number| same(number))
}

/// Keeps one of several twins: the likeliest, with the strength of all. Of equal twins the one in the upper right
/// stays, where a game begins by custom (as Black sees the board).
pub fn merge(position: &Position, candidates: &mut Vec<Candidate>) {
    let board = position.board();
    let symmetries = symmetries(board);
    if symmetries.is_empty() {
        return;
    }
    let size = board.size();
    let custom = |p: Point| (p.column(size) + p.row(size), p.column(size));
    let before = candidates.clone();
    candidates.retain_mut(|candidate| {
        let Some(point) = candidate.mv.point() else { return true };
        let mut images: Vec<Point> = symmetries.iter().map(|&s| symmetry::image(point, size, s)).collect();
        images.sort_unstable_by_key(|p| p.index());
        images.dedup();
        let twins = before.iter().filter(|c| c.mv.point().is_some_and(|p| p != point && images.contains(&p)));
        let mut strength = candidate.strength;
        for twin in twins {
            let other = twin.mv.point().map(custom);
            if (twin.strength, other) > (candidate.strength, Some(custom(point))) {
                return false;
            }
            strength += twin.strength;
        }
        candidate.strength = strength;
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Color, Move, rules};
    use crate::search::prior::plays;

    fn merged(moves: &[(usize, usize)]) -> Vec<Candidate> {
        let mut position = Position::new(9, rules::CHINESE);
        for &(column, row) in moves {
            position.play(Move::Play(Point::new(column, row, 9))).expect("a legal move");
        }
        let mut candidates = Vec::new();
        plays(&position, &mut candidates);
        merge(&position, &mut candidates);
        candidates
    }

    #[test]
    fn an_eighth_of_the_empty_board_stands_for_all_of_it() {
        let left = merged(&[]);
        assert_eq!(left.len(), 15);
        assert_eq!(left.iter().map(|c| c.strength).sum::<f32>(), 81.0);
        let mut corner = left.iter().filter_map(|c| c.mv.point()).map(|p| (p.column(9), p.row(9)));
        assert!(corner.all(|(column, row)| column >= 4 && row >= 4 && column >= row));
    }

    #[test]
    fn the_more_stones_the_fewer_twins() {
        assert_eq!(merged(&[(4, 4)]).len(), 14);
        assert_eq!(merged(&[(2, 2)]).len(), 80 - 36, "36 pairs across the diagonal");
        assert_eq!(merged(&[(2, 3)]).len(), 80);
    }

    fn symmetries_of(stones: &[(usize, usize)]) -> Vec<usize> {
        let stones = stones.iter().map(|&(column, row)| (Color::Black, Point::new(column, row, 9)));
        all_symmetries(&Board::with_stones(9, stones).expect("a board")).collect()
    }

    #[test]
    fn a_board_is_as_symmetric_as_its_stones() {
        assert_eq!(symmetries_of(&[]), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(symmetries_of(&[(4, 4)]).len(), 7);
        assert_eq!(symmetries_of(&[(2, 2)]), [4], "the diagonal that it lies on");
        assert_eq!(symmetries_of(&[(4, 2)]), [1], "left and right");
        assert!(symmetries_of(&[(2, 3)]).is_empty());
        assert_eq!(symmetries_of(&[(2, 2), (6, 6)]), [3, 4, 7]);
    }
}
