//! A tree with the request that it belongs to, and how the next search finds its position in the tree.

use super::advantage::{self, Advantages};
use super::bias::{self, Biases};
use super::details::Details;
use super::prior::twins;
use super::request::Request;
use super::store::MemoryError;
use super::transpositions::{self, Transpositions};
use super::tree::Tree;
use crate::go::{Color, Move, Position, Ruleset, Size};

/// A tree that searches grow.
#[derive(Debug)]
pub(super) struct Grown {
    /// The tree.
    pub tree: Tree,
    /// The errors of the evaluator that searches of this tree have found.
    pub biases: Biases,
    /// What searches of this tree have learned of moves.
    pub advantages: Advantages,
    /// Its positions.
    pub transpositions: Transpositions,
    /// Slots in use when the last search began.
    used_before: usize,
    /// Samples of the position at the root, if searches have collected any.
    pub details: Option<Details>,
    lineage: Option<Lineage>,
}

/// The request that a tree has been searched for.
#[derive(Debug)]
struct Lineage {
    request: Request,
    to_move: Color,
    /// Have twins been left out somewhere in the tree?
    merged_twins: bool,
}

/// A search has at least this part of the tree to fill: one eighth. A guess.
const LEAST_ROOM: usize = 8;

/// Nodes with fewer visits lose their children when the tree is full (Fuego: 16).
const PRUNE_BELOW: u64 = 16;

impl Grown {
    /// An empty tree of `bytes` at most.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(bytes: usize) -> Result<Grown, MemoryError> {
        let [errors, moves, positions] = [bias::BYTES_A_BYTE, advantage::BYTES_A_BYTE, transpositions::BYTES_A_BYTE]
            .map(|bytes_a_byte| bytes / bytes_a_byte);
        let tree = Tree::new(bytes - errors - moves - positions)?;
        let (biases, advantages) = (Biases::new(errors), Advantages::new(moves));
        let transpositions = Transpositions::new(positions);
        Ok(Grown { tree, biases, advantages, transpositions, used_before: 0, details: None, lineage: None })
    }

    /// Empties the tree.
    pub(super) fn forget(&mut self) {
        self.clear();
        self.lineage = None;
    }

    /// Empties the tree and what belongs to its nodes. The next search may go on with the same position.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.biases.clear();
        self.advantages.clear();
        self.transpositions.clear();
        self.details = None;
    }

    /// Moves the root to the position of the request, if the tree has that position, and gives the moves on the way.
    /// Empties the tree otherwise, and gives `None`.
    pub(super) fn find_root(&mut self, request: &Request) -> Option<Vec<Move>> {
        let old = self.lineage.take();
        let merges = request.leaves_out_twins();
        let merged = old.as_ref().is_some_and(|old| old.merged_twins);
        // The old tree may lack twins that are wanted now.
        let lacks_twins = merged && !merges && twins::are_possible(request.position.board());
        let moves = old.filter(|_| !lacks_twins).and_then(|old| {
            let moves = request.history.moves.iter().skip(old.request.history.moves.len()).map(|&(_, mv)| mv);
            self.advance_from(&old, request).then(|| moves.collect::<Vec<Move>>())
        });
        if moves.is_none() {
            self.clear();
        }
        let merged_twins = merges || moves.is_some() && merged;
        self.lineage = Some(Lineage { request: request.clone(), to_move: request.position.to_move(), merged_twins });
        moves
    }

    fn advance_from(&mut self, old: &Lineage, new: &Request) -> bool {
        let before = &old.request;
        let rules = |request: &Request| -> (Ruleset, Size) { (*request.position.rules(), request.position.size()) };
        let same_game = (before.komi, rules(before), before.history.start_hash)
            == (new.komi, rules(new), new.history.start_hash)
            && before.params.grow_alike(&new.params)
            && before.evaluators == new.evaluators;
        // A tree in which moves were left out serves no other search.
        let complete = before.only.is_none() && new.only.is_none();
        let (old_moves, new_moves) = (&before.history.moves, &new.history.moves);
        if !same_game || !complete || !new_moves.starts_with(old_moves) {
            return false;
        }
        let unrestricted = before.restrictions.is_empty() && new.restrictions.is_empty();
        if !unrestricted && (&before.restrictions, old_moves) != (&new.restrictions, new_moves) {
            return false;
        }
        let moves = &new_moves[old_moves.len()..];
        if !knows_end(before.position.clone(), moves, &new.position) {
            return false;
        }
        let mut to_move = old.to_move;
        for &(color, mv) in moves {
            if color != to_move || !self.tree.advance(mv) {
                return false;
            }
            self.details = self.details.as_ref().map(|details| details.after(mv));
            to_move = color.other();
        }
        to_move == new.position.to_move()
    }

    /// Makes room for a search, if the tree has less than the last search took. That takes time, and positions are
    /// forgotten with it (see [`Grown::compact`]).
    pub(super) fn prepare(&mut self, give_up: &dyn Fn() -> bool) {
        let (used, capacity) = (self.tree.used(), self.tree.capacity());
        // A tree may have been emptied or compacted since the last search began.
        let growth = used.saturating_sub(self.used_before).max(capacity / LEAST_ROOM);
        if used > capacity / 2 && used + growth > capacity {
            self.compact(0, give_up);
        }
        self.used_before = self.tree.used();
    }

    /// Compacts the tree, see [`Tree::compact`]. Its nodes move, so their positions are forgotten.
    pub(super) fn compact(&mut self, least: u64, give_up: &dyn Fn() -> bool) -> bool {
        self.transpositions.clear();
        self.tree.compact(least, give_up)
    }

    /// Frees a quarter of the tree; `false` if `give_up` said so. What the root does not reach goes first, then the least
    /// visited nodes.
    pub(super) fn make_room(&mut self, give_up: &dyn Fn() -> bool) -> bool {
        let mut least = 0;
        loop {
            if !self.compact(least, give_up) {
                return false;
            }
            if self.tree.used() <= self.tree.capacity() / 4 * 3 || least > u64::MAX / 4 {
                return true;
            }
            least = (2 * least).max(PRUNE_BELOW);
        }
    }
}

/// Does the tree of an earlier position find the same end of the game after these moves as a search of the new position
/// does? A game that has ended can be played on, and an analysis forgets a pass ([`Position::open_for_analysis`]). Then
/// the tree holds results of a game that has not ended.
fn knows_end(mut earlier: Position, moves: &[(Color, Move)], new: &Position) -> bool {
    let end = |position: &Position| (position.consecutive_passes(), position.is_over());
    moves.iter().all(|&(_, mv)| earlier.play(mv).is_ok()) && end(&earlier) == end(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_compacted_if_it_has_less_room_than_the_last_search_took() {
        let mut grown = Grown::new(1 << 20).expect("memory");
        let capacity = grown.tree.capacity();
        // Nothing leads to these blocks, so that a compaction frees them.
        let fill = |grown: &Grown, until: usize| while grown.tree.used() < until && grown.tree.allocate(9).is_some() {};
        grown.prepare(&|| false);
        for part in [3, 5, 6] {
            fill(&grown, capacity * part / 8);
            let used = grown.tree.used();
            grown.prepare(&|| false);
            assert_eq!(grown.tree.used(), used, "{part}");
        }
        // Less than an eighth is left.
        fill(&grown, capacity * 15 / 16);
        grown.prepare(&|| false);
        assert!(grown.tree.used() < capacity / 8);
    }
}
