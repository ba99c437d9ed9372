//! The settings of self-play.

use std::collections::BTreeMap;
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
    /// How games differ from each other, and what is done with decided ones.
    pub variety: Variety,
    /// The nets that help the search, if there are any.
    pub nets: Nets,
    /// The tunables of the search that the user has set.
    pub tunables: Tunables,
    /// Playouts of a full search. The position before it is taught.
    pub playouts: u64,
    /// Playouts of a quick search. The position before it is taught only if positions beside the game are, and the search
    /// knows much of it.
    pub quick_playouts: u64,
    /// The probability of a full search, 0 to 1.
    pub full_share: f64,
    /// Moves that a full search considers by Gumbel's method (`gumbel.rs`); 0 for the formula of the tree at the root,
    /// too.
    pub gumbel_moves: usize,
    /// Visits from which a position that a search has looked at beside the game is taught, too; 0 for none of them.
    pub aside_visits: u64,
    /// Entries of the policy target; `None` for what the board needs, up to [`MOST_ENTRIES`].
    pub entries: Option<usize>,
    /// Playouts that find the owners of a game's points; 0 for no owners.
    pub owner_playouts: u32,
    /// No progress on standard error.
    pub quiet: bool,
}

/// How games differ from each other, and what is done with games that are decided. The defaults are those of the games
/// from which the first nets of the program learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Variety {
    /// The middle of komi on boards of these sizes; [`Settings::komi`] for the others.
    pub komi_of: BTreeMap<usize, Komi>,
    /// The deviation of komi in points.
    pub komi_deviation: f64,
    /// Moves drawn from the priors before the first search, as a share of the points of the board: the mean.
    pub opening_share: f64,
    /// Share of the openings of several moves after which komi makes the position even.
    pub fair_share: f64,
    /// Share of the games that begin far from what the engine would play: after a longer opening the best of a few
    /// random moves is made, and komi makes the position even.
    pub fork_share: f64,
    /// Share of the games in which Black has handicap stones. In [`Self::fair_share`] of them, komi makes up for the
    /// stones.
    pub handicap_share: f64,
    /// A game is decided when both sides' win rates say for some moves in a row that one side wins with this
    /// probability.
    pub decided_rate: f32,
    /// Share of the positions of a decided game that are taught.
    pub decided_taught: f64,
}

impl Default for Variety {
    /// Komi as KataGo varies it (`komiStdev` 1), openings as KataGo draws them (`policyInitAreaProp` 0.04), fair komi
    /// after half of them (`handicapCompensateKomiProb` and the like), no forks, no handicap. A game is decided at
    /// 0.95 (KataGo's `reduceVisitsThreshold` is 0.9); one position in ten is then taught.
    fn default() -> Variety {
        Variety {
            komi_of: BTreeMap::new(),
            komi_deviation: 1.0,
            opening_share: 0.04,
            fair_share: 0.5,
            fork_share: 0.0,
            handicap_share: 0.0,
            decided_rate: 0.95,
            decided_taught: 0.1,
        }
    }
}

impl Variety {
    /// What differs from the default, by name.
    fn changed(&self) -> Map<String, Value> {
        let usual = Variety::default();
        let mut changed = Map::new();
        let numbers = [
            ("komi_deviation", self.komi_deviation, usual.komi_deviation),
            ("opening_share", self.opening_share, usual.opening_share),
            ("fair_share", self.fair_share, usual.fair_share),
            ("fork_share", self.fork_share, usual.fork_share),
            ("handicap_share", self.handicap_share, usual.handicap_share),
            ("decided_rate", self.decided_rate.into(), usual.decided_rate.into()),
            ("decided_taught", self.decided_taught, usual.decided_taught),
        ];
        for (name, value, usual) in numbers {
            if value != usual {
                changed.insert(name.into(), value.into());
            }
        }
        if !self.komi_of.is_empty() {
            let komi = self.komi_of.iter().map(|(size, komi)| (size.to_string(), komi.points().into()));
            changed.insert("komi_of".into(), Value::Object(komi.collect()));
        }
        changed
    }
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

    /// The middle of komi on boards of this size.
    pub(super) fn komi_of(&self, size: usize) -> Komi {
        self.variety.komi_of.get(&size).copied().unwrap_or(self.komi)
    }

    /// Who evaluates the leaves in games on boards of this size by these rules, and the tunables of the search.
    pub(super) fn search(&self, size: usize, rules: &Ruleset) -> (Evaluators, Params) {
        let evaluators = Evaluators::of(self.nets.for_game(size, rules), PolicyKind::Tactical);
        let params = evaluators.params(size, &self.tunables);
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
            // What rows say: 2 since a net learns the means of its searches, and not the win rates that people see; 3
            // since these means have no share of the margin, and Gumbel's policies are made of the net's own; 4 since a count
            // of the owners takes a part of the net's values.
            "meaning": 4,
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
        let mut map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        // What has its default is left out, so that folders from before these settings can be gone on with.
        map.extend(self.variety.changed());
        if self.gumbel_moves > 0 {
            map.insert("gumbel_moves".into(), self.gumbel_moves.into());
        }
        if self.aside_visits > 0 {
            map.insert("aside_visits".into(), self.aside_visits.into());
        }
        map
    }
}

/// The name of a rule set, or its parts if it has no name.
fn rules_name(rules: &Ruleset) -> String {
    match rules.name() {
        "custom" => rule_keys::write(rules),
        name => name.to_owned(),
    }
}
