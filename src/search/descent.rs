//! One way down the tree, from the root to a leaf that waits for its evaluation. A descent is a value: one thread can
//! have several descents open, and hand their leaves to an evaluator together.

use crate::go::{Color, Point, Position};

use super::advantage::MoveKey;
use super::bias::Situation;
use super::evaluate::{LastMoves, Leaf};
use super::node::NodeId;
use super::transpositions::Key;

/// A step down the tree.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The node that the step leads to.
    pub node: NodeId,
    /// The side that moves.
    pub mover: Color,
    /// The point played; [`Point::NONE`] for a pass, and for the root.
    pub point: Point,
    /// The situation after the move, if the search learns from the errors of its evaluator.
    pub situation: Situation,
    /// The move in its surroundings, if the search learns of moves.
    pub key: Option<MoveKey>,
}

impl Step {
    /// The step to the root, which is no move. `mover` is the side that has moved there.
    pub fn to_root(node: NodeId, mover: Color) -> Step {
        Step { node, mover, point: Point::NONE, situation: Situation::NONE, key: None }
    }
}

/// A way down the tree and the leaf at its end.
#[derive(Debug)]
pub struct Descent {
    /// The nodes on the way, the root first.
    pub path: Vec<Step>,
    /// The leaf at the end.
    pub leaf: Leaf,
    /// The key of the leaf's position, if the search looks for transpositions and has to remember the leaf.
    pub key: Option<Key>,
    /// Is the leaf one of the sample that [`Details`](super::Details) are made of?
    pub is_sample: bool,
}

impl Descent {
    /// A descent that begins at this position, after these last moves.
    pub fn new(root: &Position, last: LastMoves, komi: i32) -> Descent {
        let leaf = Leaf { last, ..Leaf::new(root.clone(), komi) };
        Descent { path: Vec::with_capacity(256), leaf, key: None, is_sample: false }
    }

    /// Begins again at the root.
    pub(super) fn restart(&mut self, root: &Position, last: LastMoves) {
        self.path.clear();
        self.leaf.position.rewind_to(root);
        self.leaf.last = last;
        self.leaf.opens = false;
        self.leaf.evaluation.clear();
        self.key = None;
        self.is_sample = false;
    }

    /// Adds a step whose move has been made in the position.
    pub(super) fn enter(&mut self, step: Step) {
        self.leaf.last.rotate_right(1);
        self.leaf.last[0] = step.point;
        self.path.push(step);
    }

    /// Tells the last step its situation, of the position after its move. `before` is the point of the move before.
    pub(super) fn situate(&mut self, before: Point) {
        let board = self.leaf.position.board();
        if let Some(step) = self.path.last_mut() {
            step.situation = Situation::after(step.mover, step.point, before, board);
        }
    }

    /// The last step.
    ///
    /// # Panics
    /// Before the first one, which leads to the root.
    pub fn end(&self) -> Step {
        self.path[self.path.len() - 1]
    }
}
