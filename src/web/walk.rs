//! How a person goes through the record: along the line that is shown, and into its variations.

use crate::go::vertex;
use crate::record::NodeId;

use super::sitting::Sitting;

impl Sitting {
    /// The line that is shown: the nodes from the root to the tip.
    pub(super) fn line(&self) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = self.game.record().ancestors(self.tip).collect();
        line.reverse();
        line
    }

    /// The place of the cursor in the line.
    pub(super) fn place(&self) -> usize {
        self.game.record().ancestors(self.game.cursor()).count() - 1
    }

    /// The names of the next moves in all variations, the main one first. A node without a move has an empty name.
    pub(super) fn variations(&self) -> Vec<String> {
        self.game.variations().into_iter().map(|node| self.name_of(node)).collect()
    }

    /// The number of variations beside the last move, itself included, and its own number.
    pub(super) fn siblings(&self) -> (usize, usize) {
        let (cursor, record) = (self.game.cursor(), self.game.record());
        let Some(parent) = record.parent(cursor) else { return (1, 0) };
        let nodes: Vec<NodeId> = record.children(parent).collect();
        (nodes.len(), nodes.iter().position(|node| *node == cursor).unwrap_or(0))
    }

    /// The name of a node's move; empty if the node has none.
    pub(super) fn name_of(&self, node: NodeId) -> String {
        let size = self.game.size();
        match self.game.record().move_at(node, size) {
            Ok(Some((_, mv))) => vertex::of_move(mv, size),
            _ => String::new(),
        }
    }

    /// The line goes on from the cursor along the main variation, unless the tip lies behind the cursor already.
    pub(super) fn follow_main_line(&mut self) {
        let record = self.game.record();
        let cursor = self.game.cursor();
        if record.ancestors(self.tip).any(|node| node == cursor) {
            return;
        }
        let mut tip = cursor;
        while let Some(child) = record.first_child(tip) {
            tip = child;
        }
        self.tip = tip;
    }

    /// Goes to a node of the line.
    pub(super) fn go_to(&mut self, to: usize) -> Result<(), String> {
        let line = self.line();
        let node = line.get(to).or(line.last()).copied().unwrap_or(NodeId::ROOT);
        self.visit(node)
    }

    /// Goes on by so many nodes of the line, or back.
    pub(super) fn step(&mut self, by: i32) -> Result<(), String> {
        let by = isize::try_from(by).unwrap_or(0);
        self.go_to(self.place().saturating_add_signed(by))
    }

    /// Goes on with a variation.
    pub(super) fn choose_variation(&mut self, number: usize) -> Result<(), String> {
        let node = self.game.variations().get(number).copied().ok_or("There is no such variation.")?;
        self.visit(node)
    }

    /// Goes to a variation beside the last move.
    pub(super) fn go_beside(&mut self, by: i32) -> Result<(), String> {
        let (cursor, record) = (self.game.cursor(), self.game.record());
        let (count, number) = self.siblings();
        if count < 2 {
            return Err("The last move has no other variation.".into());
        }
        let wanted = (number as i64 + i64::from(by)).rem_euclid(count as i64) as usize;
        let parent = record.parent(cursor).unwrap_or(NodeId::ROOT);
        let node = record.children(parent).nth(wanted).unwrap_or(cursor);
        self.visit(node)
    }

    fn visit(&mut self, node: NodeId) -> Result<(), String> {
        if node == self.game.cursor() {
            return Ok(());
        }
        self.charge();
        let left = self.game.cursor();
        let is_running = self.since.is_some() && self.due.is_none();
        self.game.go_to(node).map_err(|error| format!("That position cannot be shown: {error}."))?;
        self.follow_main_line();
        self.put_off = self.due.map(|color| (left, color)).or(self.put_off);
        self.leave();
        // Who looks back while Kosumi thinks, lets it think again on coming back.
        if let Some((_, color)) = self.put_off.take_if(|(at, _)| *at == node) {
            self.due = Some(color);
            self.start_clock();
        }
        if is_running {
            self.stopped_at = Some(left);
        } else if self.stopped_at == Some(node) {
            self.start_clock();
        }
        // Who leaves the end of a game before it is counted finds the count on coming back.
        self.wants_count = self.game.position().is_over() && self.result().is_none();
        Ok(())
    }
}
