//! The cursor of a game on its record: from node to node, with the position at each.

use std::collections::HashSet;

use crate::go::{Color, IllegalMove, Move};
use crate::record::{NodeId, Record};

use super::Game;
use super::error::{CannotFollow, MOST_PLAYS};
use super::follow::follow;
use super::line::Line;

impl Game {
    /// The record of the game: what was loaded, and what has been played or set up since.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The node of the present position.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The next nodes, the main variation first.
    pub fn variations(&self) -> Vec<NodeId> {
        self.record.children(self.cursor).collect()
    }

    /// Moves from the beginning of the record to the present position. [`Game::moves`] has fewer if stones were set up
    /// on the way.
    pub fn move_count(&self) -> usize {
        self.line.before + self.line.moves.len()
    }

    /// The comment on the present position.
    pub fn comment(&self) -> Option<String> {
        self.record.comment(self.cursor)
    }

    /// Replaces the comment on the present position. An empty text removes the comment.
    pub fn set_comment(&mut self, comment: &str) {
        if comment.is_empty() {
            self.record.remove(self.cursor, "C");
        } else {
            self.record.set_text(self.cursor, "C", comment);
        }
    }

    /// Why the rule set in force forbids the last move; `None` if the move is legal. A forbidden recorded move is made
    /// anyway.
    pub fn forbidden(&self) -> Option<IllegalMove> {
        self.record.forbidden(self.cursor)
    }

    /// Goes to the next node of the main variation. Returns whether there is one.
    ///
    /// # Errors
    /// See [`CannotFollow`]; nothing changes then.
    pub fn forward(&mut self) -> Result<bool, CannotFollow> {
        match self.record.first_child(self.cursor) {
            Some(child) => self.advance(&[child]).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes to the parent node. Returns whether there is one.
    pub fn back(&mut self) -> bool {
        match self.record.parent(self.cursor) {
            Some(parent) => {
                self.retreat(parent);
                true
            }
            None => false,
        }
    }

    /// Goes to a node.
    ///
    /// # Errors
    /// See [`CannotFollow`]; nothing changes then.
    ///
    /// # Panics
    /// If the node belongs to another record.
    pub fn go_to(&mut self, node: NodeId) -> Result<(), CannotFollow> {
        if self.record.parent(node) == Some(self.cursor) {
            return self.advance(&[node]);
        }
        let above: HashSet<NodeId> = self.record.ancestors(self.cursor).collect();
        let mut way: Vec<NodeId> = self.record.ancestors(node).take_while(|node| !above.contains(node)).collect();
        way.reverse();
        let common = way.first().map_or(Some(node), |&first| self.record.parent(first));
        let before = self.cursor;
        self.retreat(common.unwrap_or(NodeId::ROOT));
        self.advance(&way).inspect_err(|_| {
            // The game has followed the way to this node before.
            let _ = self.go_to(before);
        })
    }

    /// Goes up to an ancestor.
    pub(super) fn retreat(&mut self, to: NodeId) {
        let mut taken_back = 0;
        let mut over_start = false;
        for node in self.record.ancestors(self.cursor).take_while(|&node| node != to) {
            taken_back += usize::from(self.record.has_move(node));
            over_start |= node == self.line.node;
        }
        if over_start {
            // The game has followed this way before, under these rules.
            if let Ok(line) = self.line_to(to, |_, _| Ok(())) {
                self.line = line;
                self.cursor = to;
            }
            return;
        }
        self.line.truncate(self.line.moves.len() - taken_back);
        self.cursor = to;
        let turn = self.turn();
        self.line.set_to_move(turn);
    }

    /// The side to move at the cursor by the record: after the last move, or as a node says.
    fn turn(&self) -> Color {
        for node in self.record.ancestors(self.cursor).take_while(|&node| node != self.line.node) {
            if let Ok(Some(set_up)) = self.record.set_up(node, self.size())
                && let Some(color) = set_up.to_move
            {
                return color;
            }
            if self.record.has_move(node) {
                break;
            }
        }
        self.line.moves.last().map_or(self.line.start.to_move(), |(color, _)| color.other())
    }

    /// Goes down along these nodes. The first is a child of the cursor, or the root where no node was followed yet.
    pub(super) fn advance(&mut self, way: &[NodeId]) -> Result<(), CannotFollow> {
        if self.line.moves.len() + way.len() > MOST_PLAYS {
            let is_play = |mv| matches!(mv, Ok(Some((_, Move::Play(_)))));
            let before = self.line.moves.iter().filter(|(_, mv)| matches!(mv, Move::Play(_))).count();
            let plays = way.iter().filter(|&&node| is_play(self.record.move_at(node, self.size()))).count();
            if before + plays > MOST_PLAYS {
                return Err(CannotFollow::TooLong);
            }
        }
        let mut marks = Vec::new();
        let followed = follow(&self.record, &mut self.line, way, |node, forbidden| {
            marks.push((node, forbidden));
            Ok(())
        });
        if let Err(error) = followed {
            if let Ok(line) = self.line_to(self.cursor, |_, _| Ok(())) {
                self.line = line;
            }
            return Err(error);
        }
        for (node, forbidden) in marks {
            self.record.mark(node, forbidden);
        }
        self.cursor = way.last().copied().unwrap_or(self.cursor);
        Ok(())
    }

    /// The line from the beginning of the record to a node.
    fn line_to(
        &self,
        node: NodeId,
        judge: impl FnMut(NodeId, Option<IllegalMove>) -> Result<(), CannotFollow>,
    ) -> Result<Line, CannotFollow> {
        let mut line = Line::new(self.size(), *self.rules());
        let mut way: Vec<NodeId> = self.record.ancestors(node).collect();
        way.reverse();
        follow(&self.record, &mut line, &way, judge)?;
        Ok(line)
    }
}
