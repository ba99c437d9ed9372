//! The nodes of a record in order: what they set up and what they play.

use crate::go::IllegalMove;
use crate::record::{NodeId, Record};

use super::error::CannotFollow;
use super::line::Line;

/// Follows these nodes. `judge` is called for each move with the rule that forbids the move, if any.
pub(super) fn follow(
    record: &Record,
    line: &mut Line,
    way: &[NodeId],
    mut judge: impl FnMut(NodeId, Option<IllegalMove>) -> Result<(), CannotFollow>,
) -> Result<(), CannotFollow> {
    let size = line.position.size();
    // The root may have many properties, and many nodes may set up stones.
    let of_root = std::cell::LazyCell::new(|| record.handicap(NodeId::ROOT));
    let mut moves_left = way.iter().filter(|&&node| record.has_move(node)).count();
    for &node in way {
        if let Some(set_up) = record.set_up(node, size)? {
            // Some programs name the handicap in the root, and set its stones up in the next node.
            let named = record.handicap(node).or_else(|| *of_root);
            line.set_up(node, &set_up, named)?;
        }
        let Some((color, mv)) = record.move_at(node, size)? else { continue };
        let number = line.before + line.moves.len() + 1;
        let forbidden = line
            .add(color, mv, line.moves.len() + moves_left)
            .map_err(|reason| CannotFollow::Illegal { number, reason })?;
        moves_left -= 1;
        judge(node, forbidden)?;
    }
    Ok(())
}
