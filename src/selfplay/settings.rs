//! The settings of self-play.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::dataset::row::Form;
use crate::go::{Komi, Ruleset, rule_keys};
use crate::net::Nets;
use crate::playout::PolicyKind;
use crate::search::params::Tunables;
use crate::search::{Evaluators, Params};

/// What is played, how it is searched, and where the rows go.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the files.
    pub folder: PathBuf,
    /// Games in the folder at the end, those of earlier runs included.
    pub games: u64,
    /// Games in a file.
    pub file_games: u64,
    /// Board sizes. The files take them in turn.
    pub sizes: Vec<usize>,
    /// Games at a time, each in a thread of its own.
    pub threads: usize,
    /// MiB that the tree of a game may take.
    pub memory: usize,
    /// Seed of all games. A game depends on the seed and its own number.
    pub seed: u64,
    /// Rule sets. A game takes one by chance; one that is named twice is taken twice as often.
    pub rules: Vec<Ruleset>,
    /// The middle of the distribution of komi.
    pub komi: Komi,
    /// The nets that help the search, if there are any.
    pub nets: Nets,
    /// The tunables of the search that the user has set.
    pub tunables: Tunables,
    /// Playouts of a full search. The position before it is taught.
    pub playouts: u64,
    /// Playouts of a quick search. The position before it is not taught.
    pub quick_playouts: u64,
    /// The probability of a full search, 0 to 1.
    pub full_share: f64,
    /// Entries of the policy target; `None` for what the board needs, up to [`MOST_ENTRIES`].
    pub entries: Option<usize>,
    /// Playouts that find the owners of a game's points; 0 for no owners.
    pub owner_playouts: u32,
    /// No progress on standard error.
    pub quiet: bool,
}

/// Entries of the policy target unless there is a setting. 600 playouts visit fewer moves nearly always.
pub const MOST_ENTRIES: usize = 64;
/// Entries of the reply's target, at the most.
const MOST_REPLIES: usize = 16;

impl Settings {
    /// The form of the rows of a size.
    pub(super) fn form(&self, size: usize) -> Form {
        let entries = self.entries.unwrap_or((size * size + 1).min(MOST_ENTRIES));
        Form::new(size, entries, entries.min(MOST_REPLIES))
    }

    /// The board size of the games of a file that begins with this game.
    pub(super) fn size_of(&self, game: u64) -> usize {
        let file = game / self.file_games.max(1);
        self.sizes[(file % self.sizes.len() as u64) as usize]
    }

    /// Who evaluates the leaves on boards of this size, and the tunables of the search.
    pub(super) fn search(&self, size: usize) -> (Evaluators, Params) {
        let evaluators = Evaluators::of(self.nets.for_size(size), PolicyKind::Tactical);
        let params = self.tunables.over(evaluators.defaults(size));
        (evaluators, params)
    }

    /// What decides how game number n is played and written. A folder holds games of one such choice.
    pub(super) fn identity(&self) -> Map<String, Value> {
        let tunables: Map<String, Value> =
            self.tunables.changed().map(|(param, value)| (param.name.to_owned(), value.into())).collect();
        let nets: Vec<String> = self
            .nets
            .all()
            .iter()
            .map(|net| net.net().description())
            .map(|net| format!("{}, {} steps", net.name, net.origin.steps))
            .collect();
        let value = json!({
            "file_games": self.file_games,
            "sizes": self.sizes,
            "seed": self.seed,
            "rules": self.rules.iter().map(rules_name).collect::<Vec<_>>(),
            "komi": self.komi.points(),
            "nets": nets,
            "tunables": tunables,
            "playouts": self.playouts,
            "quick_playouts": self.quick_playouts,
            "full_share": self.full_share,
            "entries": self.entries,
            "owner_playouts": self.owner_playouts,
        });
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

/// The name of a rule set, or its parts if it has no name.
fn rules_name(rules: &Ruleset) -> String {
    match rules.name() {
        "custom" => rule_keys::write(rules),
        name => name.to_owned(),
    }
}
