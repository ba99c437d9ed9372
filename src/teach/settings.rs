//! The settings of a run of teaching: the file `teach.toml`, checked. The files in `presets/teach-*.toml` are part of
//! the program; a new run begins with a copy of one.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Table;

use crate::go::{Komi, MAX_SIZE, MIN_SIZE, Ruleset, rule_keys};
use crate::net::Nets;
use crate::search::params::Tunables;
use crate::selfplay::{self, Variety};

/// The presets: name and file.
pub const PRESETS: &[(&str, &str)] = &[
    ("teach-5x5", include_str!("../../presets/teach-5x5.toml")),
    ("teach-7x7", include_str!("../../presets/teach-7x7.toml")),
    ("teach-9x9", include_str!("../../presets/teach-9x9.toml")),
    ("teach-mixed", include_str!("../../presets/teach-mixed.toml")),
    ("teach-nine", include_str!("../../presets/teach-nine.toml")),
    ("teach-on", include_str!("../../presets/teach-on.toml")),
];

/// The text of a preset.
pub fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}

/// What `teach.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The games that are played.
    pub games: Games,
    /// The searches of these games.
    pub search: Searches,
    /// When a net is made, and which one plays.
    pub generations: Generations,
    /// How the nets learn.
    pub trainer: Trainer,
    /// How the nets are judged.
    pub judge: Judge,
}

/// The games of self-play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// Board sizes; one that is named twice comes twice as often.
    pub sizes: Vec<usize>,
    /// Names of rule sets; one that is named twice comes twice as often.
    pub rules: Vec<String>,
    /// The middle of komi.
    pub komi: f64,
    /// The middle of komi by board size.
    #[serde(default)]
    pub komi_of: BTreeMap<String, f64>,
    /// See [`Variety`], also for the next ones.
    pub komi_deviation: f64,
    /// The mean length of drawn openings, as a share of the points.
    pub opening_share: f64,
    /// Share of the games after whose opening komi makes the position even.
    pub fair_share: f64,
    /// Share of the games that begin with a fork.
    pub fork_share: f64,
    /// Share of the games with handicap stones.
    pub handicap_share: f64,
    /// The win rate from which a game is decided.
    pub decided_rate: f32,
    /// Share of the positions of a decided game that are taught.
    pub decided_taught: f64,
    /// Playouts from the end of each game, which tell who owned the points.
    pub owner_playouts: u32,
    /// Games in a file.
    pub file_games: u64,
    /// Share of the files that are measured with, and never learned from.
    pub held_out_share: f64,
    /// Games at a time; 0 for one on each core.
    pub threads: usize,
    /// MiB that the tree of a game may take.
    pub memory: usize,
    /// Seed of the games; 0 for another one at each start.
    pub seed: u64,
}

/// The searches of self-play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searches {
    /// Playouts of a full search, whose position is taught.
    pub playouts: u64,
    /// Playouts of a quick search.
    pub quick_playouts: u64,
    /// Share of the moves that are searched in full.
    pub full_share: f64,
    /// Moves that a full search considers by Gumbel's method; 0 for the usual search.
    #[serde(default)]
    pub gumbel_moves: u16,
    /// Visits from which positions beside the game are taught, too; 0 for none.
    #[serde(default)]
    pub aside_visits: u64,
    /// Tunables of the search, as for `--set`.
    #[serde(default)]
    pub set: BTreeMap<String, f64>,
}

/// When a net is made, and which one plays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generations {
    /// Games before the first net is made.
    pub first_games: u64,
    /// Games between two nets.
    pub games: u64,
    /// Points per game that a new net has to make against the one before, to play in its place. At 0 every net plays.
    pub gate: f64,
    /// The last generation; 0 for no last one.
    pub last: u64,
}

/// How the nets learn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trainer {
    /// The command that starts the trainer.
    pub command: String,
    /// Arguments for `train` besides ours, such as `--threads 1`.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Samples for each row.
    pub reuse: f64,
    /// Rows of the window at the least; it grows with the rows. 0 for all rows.
    pub window: u64,
    /// Rows of a step.
    pub batch: u64,
    /// Share of a generation's steps that are rounded as the integers round: the last ones.
    pub rounded_share: f64,
    /// The groups `net`, `loss` and `learning` of the trainer's own settings.
    pub net: Table,
    /// The weights of the losses.
    pub loss: Table,
    /// Rate, decay and the like.
    pub learning: Table,
    /// How often each size comes, see `data.shares` of the trainer.
    #[serde(default)]
    pub shares: BTreeMap<String, f64>,
}

/// How the nets are judged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// Games of each net against the one before; 0 for none.
    pub games: u32,
    /// Playouts of a move in these games.
    pub playouts: u64,
    /// Board sizes of the matches: one, or several, each with as many games.
    pub size: Sizes,
    /// Komi of the matches.
    pub komi: f64,
    /// Random moves at the start of each pair of games.
    pub random_openings: usize,
    /// Playouts for each position of the test set; 0 for no searches there.
    pub exam_playouts: u64,
    /// Tunables of the search of our nets, as for `--set`.
    #[serde(default)]
    pub set: BTreeMap<String, f64>,
    /// Opponents that stay the same.
    #[serde(default)]
    pub opponents: Vec<Opponent>,
}

/// A board size, or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a board size or a list of them")]
pub enum Sizes {
    /// One size.
    One(usize),
    /// Several.
    Several(Vec<usize>),
}

impl Sizes {
    /// All of them.
    pub fn all(&self) -> &[usize] {
        match self {
            Sizes::One(size) => std::slice::from_ref(size),
            Sizes::Several(sizes) => sizes,
        }
    }
}

/// An opponent that stays the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name in tables and curves.
    pub name: String,
    /// Its command; `{kosumi}` stands for this program, `{game}` for the number of the game.
    pub command: String,
    /// Games of a net against it.
    pub games: u32,
    /// Every how many generations it plays.
    pub every: u64,
}

impl Settings {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Settings, String> {
        let settings: Settings = toml::from_str(text).map_err(|error| error.to_string())?;
        settings.check()?;
        Ok(settings)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<Settings, String> {
        const LONGEST: usize = 1 << 20;
        let bytes = crate::file::read(path, LONGEST).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{}: is no text in UTF-8", path.display()))?;
        Settings::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn check(&self) -> Result<(), String> {
        let (games, search) = (&self.games, &self.search);
        let shares = [
            ("games.fair_share", games.fair_share),
            ("games.fork_share", games.fork_share),
            ("games.handicap_share", games.handicap_share),
            ("games.opening_share", games.opening_share),
            ("games.decided_rate", games.decided_rate.into()),
            ("games.decided_taught", games.decided_taught),
            ("games.held_out_share", games.held_out_share),
            ("search.full_share", search.full_share),
            ("generations.gate", self.generations.gate),
            ("trainer.rounded_share", self.trainer.rounded_share),
        ];
        if let Some((name, _)) = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            return Err(format!("{name} must be a number from 0 to 1"));
        }
        let numbers = [
            ("games.file_games", games.file_games),
            ("games.memory", games.memory as u64),
            ("search.playouts", search.playouts),
            ("search.quick_playouts", search.quick_playouts),
            ("generations.first_games", self.generations.first_games),
            ("generations.games", self.generations.games),
            ("trainer.batch", self.trainer.batch),
            ("judge.playouts", self.judge.playouts),
        ];
        if let Some((name, _)) = numbers.iter().find(|&&(_, number)| !(1..=u64::from(u32::MAX)).contains(&number)) {
            return Err(format!("{name} must be a whole number from 1 to {}", u32::MAX));
        }
        if !(0.0..=1e6).contains(&games.komi_deviation) || !(0.01..=1000.0).contains(&self.trainer.reuse) {
            return Err("games.komi_deviation must be 0 or more, trainer.reuse from 0.01 to 1000".into());
        }
        if games.sizes.is_empty() || games.rules.is_empty() || games.threads > 1024 {
            return Err("games.sizes and games.rules must name at least one; games.threads is 1024 at the most".into());
        }
        let mut judged = self.judge.size.all().to_vec();
        judged.sort_unstable();
        if judged.is_empty() || judged.windows(2).any(|pair| pair[0] == pair[1]) {
            // The same games would count twice.
            return Err("judge.size must name at least one size, and none twice".into());
        }
        let sizes = games.sizes.iter().chain(self.judge.size.all());
        if let Some(size) = sizes.into_iter().find(|size| !(MIN_SIZE..=MAX_SIZE).contains(size)) {
            return Err(format!("{size} is no board size: {MIN_SIZE} to {MAX_SIZE}"));
        }
        if self.judge.opponents.iter().any(|opponent| opponent.every == 0) {
            return Err("judge.opponents: every must be 1 or more".into());
        }
        let mut words: Vec<String> = self.judge.opponents.iter().map(|opponent| folder_word(&opponent.name)).collect();
        words.sort_unstable();
        if let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("judge.opponents: two names are {} as the name of a folder", pair[0]));
        }
        tunables(&self.judge.set)?;
        komi(self.judge.komi)?;
        self.selfplay(Nets::none(), 1).map(|_| ())
    }

    /// The settings of self-play with these nets.
    ///
    /// # Errors
    /// If a rule set, a komi or a tunable is wrong.
    pub(super) fn selfplay(&self, nets: Nets, seed: u64) -> Result<selfplay::Settings, String> {
        let games = &self.games;
        let mut komi_of = BTreeMap::new();
        for (size, &points) in &games.komi_of {
            let size = size.parse().map_err(|_| format!("games.komi_of: {size} is no board size"))?;
            komi_of.insert(size, komi(points)?);
        }
        Ok(selfplay::Settings {
            folder: Default::default(),
            games: u64::MAX,
            // The board size changes from game to game.
            file_games: 1,
            sizes: games.sizes.clone(),
            threads: self.threads(),
            memory: games.memory,
            seed,
            rules: games.rules.iter().map(|name| rules(name)).collect::<Result<_, _>>()?,
            komi: komi(games.komi)?,
            variety: Variety {
                komi_of,
                komi_deviation: games.komi_deviation,
                opening_share: games.opening_share,
                fair_share: games.fair_share,
                fork_share: games.fork_share,
                handicap_share: games.handicap_share,
                decided_rate: games.decided_rate,
                decided_taught: games.decided_taught,
            },
            nets,
            tunables: tunables(&self.search.set)?,
            playouts: self.search.playouts,
            quick_playouts: self.search.quick_playouts,
            full_share: self.search.full_share,
            gumbel_moves: self.search.gumbel_moves.into(),
            aside_visits: self.search.aside_visits,
            entries: None,
            owner_playouts: games.owner_playouts,
            quiet: true,
        })
    }

    /// Games at a time.
    pub(super) fn threads(&self) -> usize {
        match self.games.threads {
            0 => std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            threads => threads,
        }
    }

    /// Games before the net of this generation is made.
    pub(super) fn games_before(&self, generation: u64, at_the_last: u64) -> u64 {
        if generation <= 1 { self.generations.first_games } else { at_the_last + self.generations.games }
    }
}

/// Komi of so many points.
pub(super) fn komi(points: f64) -> Result<Komi, String> {
    Komi::new(points).map_err(|error| format!("komi {points}: {error}"))
}

fn rules(name: &str) -> Result<Ruleset, String> {
    let rules = rule_keys::read(name).or_else(|| Ruleset::by_name(name));
    let rules = rules.ok_or_else(|| format!("games.rules: there is no rule set called {name}"))?;
    rules.validate().map(|()| rules).map_err(|error| format!("games.rules: {name}: {error}"))
}

fn tunables(set: &BTreeMap<String, f64>) -> Result<Tunables, String> {
    let mut tunables = Tunables::default();
    for (name, value) in set {
        tunables.set(name, &value.to_string()).map_err(|error| error.to_string())?;
    }
    Ok(tunables)
}

/// An opponent's name in that of a folder.
pub(super) fn folder_word(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_good() {
        for (name, text) in PRESETS {
            Settings::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        let text = preset("teach-5x5").expect("a preset");
        for (from, to, word) in [
            ("fork_share = ", "fork_share = 2 # ", "fork_share"),
            ("sizes = [", "sizes = [1, ", "board size"),
            ("file_games = ", "file_games = 0 # ", "file_games"),
            ("gate = ", "gates = ", "gates"),
            ("\nsize = ", "\nsize = [5, 1] # ", "board size"),
            ("\nsize = ", "\nsize = [] # ", "judge.size"),
            ("\nsize = ", "\nsize = [5, 7, 5] # ", "judge.size"),
            ("\nsize = ", "\nsize = \"5\" # ", "a board size or a list"),
            ("rules = [", "rules = [\"mine\", ", "mine"),
            (
                "[[judge.opponents]]",
                "[[judge.opponents]]\nname = \"no-net\"\ncommand = \"x\"\ngames = 1\nevery = 1\n[[judge.opponents]]",
                "no-net",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Settings::parse(&text.replacen(from, to, 1)).expect_err(word);
            assert!(error.contains(word), "{error}");
        }
    }
}
