//! The game as a cursor on its record: from node to node, with the position of each.

use std::collections::HashSet;

use crate::go::{Color, IllegalMove, Move};
use crate::record::{NodeId, Record};

use super::Game;
use super::error::{CannotFollow, MOST_PLAYS};
use super::follow::follow;
use super::line::Line;

impl Game {
    /// The record on which the game is a cursor: what was loaded, and what has been played or set up since.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The node of the position now.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The nodes that follow, the main variation first.
    pub fn variations(&self) -> Vec<NodeId> {
        self.record.children(self.cursor).collect()
    }

    /// Moves from the beginning of the record to the position now. [`Game::moves`] has fewer where stones were set up on
    /// the way.
    pub fn move_count(&self) -> usize {
        self.line.before + self.line.moves.len()
    }

    /// The comment on the position now.
    pub fn comment(&self) -> Option<String> {
        self.record.comment(self.cursor)
    }

    /// Writes a comment on the position now, in place of the one that is there. An empty one takes it away.
    pub fn set_comment(&mut self, comment: &str) {
        if comment.is_empty() {
            self.record.remove(self.cursor, "C");
        } else {
            self.record.set_text(self.cursor, "C", comment);
        }
    }

    /// Why the rule set in force forbids the last move, if it does: a recorded move is made all the same.
    pub fn forbidden(&self) -> Option<IllegalMove> {
        self.record.forbidden(self.cursor)
    }

    /// Goes to the next node of the main variation. Says whether there is one.
    ///
    /// # Errors
    /// See [`CannotFollow`]; nothing changes then.
    pub fn forward(&mut self) -> Result<bool, CannotFollow> {
        match self.record.first_child(self.cursor) {
            Some(child) => self.advance(&[child]).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes to the node above. Says whether there is one.
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
        let above: HashSet<NodeId> = self.record.ancestors(self.cursor).collect();
        let mut way: Vec<NodeId> = self.record.ancestors(node).take_while(|node| !above.contains(node)).collect();
        way.reverse();
        let common = way.first().map_or(Some(node), |&first| self.record.parent(first));
        let before = self.cursor;
        self.retreat(common.unwrap_or(NodeId::ROOT));
        self.advance(&way).inspect_err(|_| {
            // The way there was followed before.
            let _ = self.go_to(before);
        })
    }

    /// Goes up to a node above.
    pub(super) fn retreat(&mut self, to: NodeId) {
        let mut taken_back = 0;
        let mut over_start = false;
        for node in self.record.ancestors(self.cursor).take_while(|&node| node != to) {
            taken_back += usize::from(self.record.has_move(node));
            over_start |= node == self.line.node;
        }
        if over_start {
            // It was followed before, under these rules.
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

    /// Whose turn it is at the cursor as the record has it: after the last move, or as a node says.
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

    /// Goes down along these nodes, the first of which is a child of the cursor (or the root, where nothing is done yet).
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
