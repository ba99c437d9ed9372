//! Games from records, and records that say what is in force from games.

use crate::go::{Komi, Ruleset};
use crate::record::meaning::{ValueError, komi_value};
use crate::record::rules;
use crate::record::{NodeId, Record, text};

use super::Game;
use super::error::CannotFollow;

/// Why a record is no game to play on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The record is of another game than Go.
    #[error("it is a record of another game than Go")]
    OtherGame,
    /// Size or komi make no sense.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The moves cannot be followed.
    #[error(transparent)]
    Follow(CannotFollow),
}

impl From<CannotFollow> for LoadError {
    fn from(error: CannotFollow) -> LoadError {
        match error {
            CannotFollow::Value(error) => LoadError::Value(error),
            error => LoadError::Follow(error),
        }
    }
}

/// Properties of the root that stand before those of the rules, the result and the stones.
const HEAD: &[&str] = &["GM", "FF", "CA", "AP", "ST", "SZ"];

impl Game {
    /// The game of a record's main line, at the position before move `until` (counted from 1), else at the end. `komi`
    /// and `rules` are in force if the record names none. The next game uses them in any case, see
    /// [`Game::chosen_rules`].
    ///
    /// # Errors
    /// See [`LoadError`]. The record after the requested position is not checked.
    pub fn load(record: Record, until: Option<usize>, rules: Ruleset, komi: Option<Komi>) -> Result<Game, LoadError> {
        if !record.is_of_go() {
            return Err(LoadError::OtherGame);
        }
        let mut game = Game::new(record.size()?, record.rules().unwrap_or(rules), komi);
        game.chosen_rules = rules;
        game.recorded_komi = record.komi()?;
        let mut moves_left = until.map_or(usize::MAX, |number| number.saturating_sub(1));
        let mut way = Vec::new();
        for node in record.main_line() {
            if record.has_move(node) {
                match moves_left.checked_sub(1) {
                    Some(left) => moves_left = left,
                    None => break,
                }
            }
            way.push(node);
        }
        game.loaded = record.node_count();
        let result = record.result();
        game.record = record;
        game.advance(&way)?;
        if let Some(result) = result
            && game.record.first_child(game.cursor).is_none()
        {
            game.set_recorded_result(&result);
        }
        Ok(game)
    }

    /// The record with komi, rules and `result` as they are in force. Its main line goes through the present position.
    /// Moves played since loading and taken back are not on the main line. Where other moves replaced them, they are
    /// variations.
    ///
    /// Without `result`, the record keeps its own result, unless the game has changed since loading.
    pub fn to_record(&self, result: Option<&str>) -> Record {
        let mut record = self.to_whole_record(result);
        record.retain_children(self.cursor, |child| child.is_among_first(self.loaded));
        record
    }

    /// The same with all moves that were ever played, those too that were taken back and not replaced. The main line
    /// goes on with them behind the present position.
    pub fn to_whole_record(&self, result: Option<&str>) -> Record {
        let mut record = self.record.clone();
        let way: Vec<NodeId> = self.record.ancestors(self.cursor).collect();
        let first_before = |&node: &NodeId| self.record.parent(node).and_then(|parent| self.record.first_child(parent));
        // The result of a record is that of its main line.
        let is_main_line = way.iter().all(|node| first_before(node).is_none_or(|first| first == *node));
        for &node in &way {
            record.promote(node);
        }
        let root = NodeId::ROOT;
        let (komi_at, rules_at) = (record.node_with("KM").unwrap_or(root), record.node_with("RU").unwrap_or(root));
        // A text that is no number stays as long as the user chooses no komi.
        let is_said = record.text(komi_at, "KM").is_some_and(|text| !text.trim().is_empty());
        let is_unread = is_said && !matches!(record.komi(), Ok(Some(_))) && self.chosen_komi().is_none();
        if record.komi() != Ok(Some(self.komi())) && !is_unread {
            record.set_behind(komi_at, "KM", &[&komi_value(self.komi())], HEAD);
        }
        // A name of rules that nobody understands stays as long as the user chooses no other rules.
        let says_rules =
            if self.rules_changed { record.rules().is_some() } else { record.property(rules_at, "RU").is_some() };
        if !says_rules || record.rules().is_some_and(|rules| rules != *self.rules()) {
            record.set_behind(rules_at, "RU", &[&text::escape(&rules::value_of(self.rules()))], &["KM"]);
        }
        match result {
            Some(result) if record.text(root, "RE").as_deref() == Some(result) => {}
            Some(result) => record.set_behind(root, "RE", &[&text::escape(result)], &["RU"]),
            None if self.changed || !is_main_line => record.remove(root, "RE"),
            None => {}
        }
        record
    }
}
