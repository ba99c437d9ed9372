//! Groups that look dead, each with the enemy chains that it fights: a race or a seki that playouts misjudge, in a part
//! of the board that is too wide to solve as a whole.

use crate::go::region::flood;
use crate::go::{Board, Cell, Color, Point, PointSet};

/// The most points of an empty region that belongs to such a fight. A guess: larger ones are territory.
const MOST_ROOM: usize = 8;

/// The fight of these `stones`, which all look dead: the stones, the enemy chains next to them that are not `solid`,
/// the empty regions next to both, and `dead` stones there. `None` if a region is too large, or if the fight touches
/// other stones of the group's side whose life is not sure.
pub(super) fn fight(
    board: &Board,
    stones: &PointSet,
    color: Color,
    dead: &PointSet,
    solid: &PointSet,
) -> Option<PointSet> {
    let enemies = stones.iter().flat_map(|p| board.adjacent(p)).filter(|&q| board.cell(q) == color.other().cell());
    let mut part: PointSet =
        enemies.filter(|&q| !solid.contains(q)).flat_map(|q| board.chain(q)).chain(stones.iter()).collect();
    let mut empties = PointSet::EMPTY;
    let mut rim: Vec<Point> = part.iter().collect();
    while let Some(stone) = rim.pop() {
        for p in board.adjacent(stone) {
            if board.cell(p) != Cell::Empty || !empties.insert(p) {
                continue;
            }
            let region = flood(board, p, |q| board.cell(q) == Cell::Empty);
            if region.inside.len() > MOST_ROOM {
                return None;
            }
            region.inside.iter().for_each(|q| _ = empties.insert(q));
            for q in region.edge.iter().filter(|&q| dead.contains(q)).flat_map(|q| board.chain(q)) {
                if part.insert(q) {
                    rim.push(q);
                }
            }
        }
    }
    // Dead stones elsewhere would count as walls, although the enemy chains can capture them.
    let enemy = |&p: &Point| board.cell(p) == color.other().cell();
    let dead_wall = |q: Point| dead.contains(q) && board.cell(q) == color.cell() && !part.contains(q);
    if part.iter().filter(enemy).flat_map(|p| board.adjacent(p)).any(dead_wall) {
        return None;
    }
    let near_walls = stones.iter().chain(empties.iter()).flat_map(|p| board.adjacent(p));
    let mut walls = near_walls.filter(|&q| board.cell(q) == color.cell() && !part.contains(q));
    if walls.any(|q| !solid.contains(q)) {
        return None;
    }
    Some(part.iter().chain(empties.iter()).collect())
}
