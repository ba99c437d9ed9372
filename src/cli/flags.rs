//! The flags. The comments here are the help texts, and the comments of the file that `kosumi config` prints.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand};
use kosumi::cluster;
use kosumi::engine::{self, Level};
use kosumi::go::{Color, Komi, Ruleset, Size};
use kosumi::gtp;
use kosumi::net::Kernel;
use kosumi::net::nets::{NetChoice, NetChoiceError};
use kosumi::playout::PolicyKind;
use kosumi::review;
use kosumi::search;
use kosumi::search::params::Tunables;
use rand::TryRng;
use rand::rngs::SysRng;

use super::net::{DatasetOptions, NetOptions, kernel};
use super::values::{
    board_size, color, engine_name, handicap, log_level, picture_format, policy, preset, rate, rules_or_parts, seconds,
    switch, tunable, whole,
};

/// A Go (weiqi, baduk) engine that speaks the Go Text Protocol (GTP) on standard input and output.
///
/// Without a subcommand it starts `gtp`, which is what Sabaki, GoGui and other programs expect.
#[derive(Parser, Debug)]
#[command(name = "kosumi", version, propagate_version = true, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(super) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of `gtp`, which may stand without its name.
    #[command(flatten)]
    gtp: GtpOptions,
}

/// The other places where options may stand.
const AFTER_HELP: &str = "Every option of `gtp` may also stand in the environment (KOSUMI_TIME_PER_MOVE=5) or in a \
                          file (time-per-move = 5); `kosumi config` shows what is in force and from where.";

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Play over the Go Text Protocol on standard input and output (the default)
    #[command(after_help = AFTER_HELP)]
    Gtp(GtpOptions),
    /// Answer KataGo's JSON queries on standard input, as programs that start KataGo's analysis engine expect
    #[command(after_help = AFTER_HELP)]
    Analysis(Box<AnalysisOptions>),
    /// Play a game against Kosumi in the terminal
    #[command(after_help = AFTER_HELP)]
    Play(Box<PlayOptions>),
    /// Review games: records with comments and variations, and pages with pictures
    #[command(after_help = AFTER_HELP)]
    Review(Box<ReviewOptions>),
    /// Play, analyse and review on a page in the browser
    #[command(after_help = AFTER_HELP)]
    Web(Box<WebOptions>),
    /// Print the settings that `gtp` with the same options would have, as a configuration file
    #[command(after_help = AFTER_HELP)]
    Config(GtpOptions),
    /// Let two engines play a match, and say what it shows
    Match(Box<super::matches::MatchOptions>),
    /// Measure the speed of playouts and search with a fixed workload, and print a signature of the results
    Bench(BenchOptions),
    /// Print what is in a weight file of a net
    Net(NetOptions),
    /// Write training rows for a net from game records
    Dataset(DatasetOptions),
    /// Play games of the engine against itself, and write training rows for a net
    Selfplay(Box<super::selfplay::SelfplayOptions>),
    /// Let a net learn from its own games: self-play, training and matches in turn, in one folder
    Teach(Box<super::teach::TeachOptions>),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page
    #[command(hide = true)]
    Man,
}

/// The command line's description. A negative number is a value, so it is refused with the range of the option.
/// Otherwise clap would take it for a flag. What means nothing to a subcommand is not shown with it.
pub(super) fn command() -> clap::Command {
    let hidden = |command: clap::Command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| match arg.get_long() {
            Some(long) if is_without_meaning(&name, long) => arg.hide(true),
            _ => arg,
        })
    };
    fn with_negative_values(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| match arg.get_action().takes_values() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        });
        command.mut_subcommands(with_negative_values)
    }
    with_negative_values(Cli::command().mut_subcommands(hidden))
}

/// Options of `bench`.
#[derive(Args, Debug, Clone)]
pub(crate) struct BenchOptions {
    /// Search threads (playouts alone run in one)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1u16..=1024))]
    pub threads: u16,
    /// Do the workload divided by this
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=u64::MAX))]
    pub divide_by: u64,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Options of a playing engine.
#[derive(Args, Debug, Clone)]
pub(crate) struct GtpOptions {
    /// Search threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole(1u16..=1024))]
    pub threads: Option<u16>,
    /// Playouts for a move; with it, only a running clock limits the time [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    pub playouts: Option<u64>,
    /// Seconds for a move when no clock runs
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub time_per_move: Duration,
    /// The longest move in seconds on a clock, however much time that shows (for correspondence games, above all)
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    pub longest_move: Duration,
    /// MiB that all search trees may take together
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = whole(1u64..=1 << 20))]
    pub memory: u64,
    /// Seed of the random numbers; with one thread and --playouts it fixes every game [default: 0; with `play`,
    /// `web` and a level another one each time]
    #[arg(long, value_name = "NUMBER", value_parser = whole(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Board size at the start, 2 to 25, or columns and rows (9x13)
    #[arg(long, value_name = "SIZE", default_value = "19", value_parser = board_size)]
    pub size: Size,
    /// Komi in points: a number within a million, to the thousandth [default: that of the rule set: for Chinese rules 7
    /// on 9×9, 7.5 elsewhere]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    pub komi: Option<Komi>,
    /// Rule set: its name, or its parts as KataGo strings them together (koSIMPLEscoreAREA)
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = rules_or_parts)]
    pub rules: Ruleset,
    /// Resign when the win rate stays below this (0 to 1; 0 never resigns)
    #[arg(long, value_name = "RATE", default_value = "0.005", value_parser = rate)]
    pub resign_below: f32,
    /// Moves of a game before which it does not resign (never before a fifth of the points has been played)
    #[arg(long, value_name = "MOVES", default_value_t = 20, value_parser = whole(0..=usize::MAX))]
    pub resign_after: usize,
    /// Think on the opponent's time, ten minutes at the most
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    pub ponder: bool,
    /// Seconds kept back on every clock for delays between this program and the clock
    #[arg(long, value_name = "SECONDS", default_value = "0.3", value_parser = seconds)]
    pub lag: Duration,
    /// How strong it plays: a rank from 30k to 9d, at which it thinks with one thread and neither time nor --playouts
    /// count, or max
    #[arg(long, value_name = "RANK", default_value = "max")]
    pub level: Level,
    /// Know the command kgs-chat: answer questions about the game on KGS (later versions of kgsGtp fail with it)
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    pub kgs_chat: bool,
    /// Write variation and chat lines for gtp2ogs to standard error, and play moves of the server that repeat a position
    /// or are suicide
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    pub gtp2ogs: bool,
    /// Answer this to the command name: some clients, such as Lizzie, show scores only of a program whose name begins
    /// with KataGo
    #[arg(long, value_name = "TEXT", default_value = "Kosumi", value_parser = engine_name)]
    pub name: String,
    /// Write KataGo's line "GTP ready" to standard error when the program is ready: some clients wait for it
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    pub gtp_ready: bool,
    /// What plays the playouts: tactical, or uniform, which is fast and weak
    #[arg(long, value_name = "NAME", default_value = "tactical", value_parser = policy)]
    pub policy: PolicyKind,
    /// Weight file of the net that evaluates positions at full strength; none for no net, shipped for the nets in
    /// this program
    #[arg(long, value_name = "FILE", default_value = "shipped")]
    pub net: NetChoice,
    /// The code that evaluates the net: plain, neon, neon-dot, sse41, avx2, avx-vnni, avx512-vnni or amx; all give the
    /// same moves [default: the fastest that the machine has]
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    pub net_kernel: Option<Kernel>,
    /// Set a tunable of the search, see `kosumi-param` over GTP; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = tunable)]
    pub tunables: Vec<(String, String)>,
    /// What is logged: off, error, warn, info, debug, trace; info shows win rate and speed of each move
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = log_level)]
    pub log_level: log::LevelFilter,
    /// File that the log is added to [default: standard error]
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Read settings from this file [default: kosumi/config.toml in the user's folder for configurations]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no settings from a file
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    pub no_config: bool,
    /// Defaults for a purpose: laptop, server, cgos, kgs, ogs
    #[arg(long, value_name = "NAME", value_parser = preset)]
    pub preset: Option<String>,
    /// What ranks tell each other.
    #[cfg(feature = "mpi")]
    #[command(flatten)]
    pub exchange: super::ranks::ExchangeOptions,
}

/// Where `--help` of other commands lists the options of `gtp`: after their own.
const GTP_HEADING: &str = "Options of gtp, which count here too";

/// Options about other programs that read what `gtp` writes.
const FOR_READERS: &[&str] = &["kgs-chat", "gtp2ogs", "name", "gtp-ready"];

/// Options about a game that Kosumi plays.
const FOR_GAMES: &[&str] = &["longest-move", "size", "resign-below", "resign-after", "ponder", "lag", "level"];

/// Options of `gtp` that mean nothing to another subcommand, in three lists each. They are accepted, because clients pass
/// them and would not start otherwise. `--help` leaves them out.
const WITHOUT_MEANING: &[(&str, [&[&str]; 3])] = &[
    ("play", [FOR_READERS, &[], &[]]),
    // The engines of the page serve whichever tab comes next.
    ("web", [FOR_READERS, &[], &["ponder"]]),
    ("review", [FOR_READERS, FOR_GAMES, &[]]),
    // Each query says its komi, or the rules say it.
    ("analysis", [FOR_READERS, FOR_GAMES, &["komi"]]),
];

/// Does this option of `gtp` mean nothing to a subcommand?
pub(super) fn is_without_meaning(subcommand: &str, option: &str) -> bool {
    let lists = WITHOUT_MEANING.iter().filter(|(name, _)| *name == subcommand).flat_map(|(_, lists)| lists);
    lists.copied().flatten().any(|&name| name == option)
}

/// Options of `play`.
#[derive(Args, Debug, Clone)]
pub(crate) struct PlayOptions {
    /// Your side: black or white
    #[arg(long, value_name = "SIDE", default_value = "black", value_parser = color)]
    pub color: Color,
    /// Handicap stones for Black, from 2
    #[arg(long, value_name = "STONES", default_value_t = 0, hide_default_value = true,
          value_parser = handicap)]
    pub handicap: usize,
    /// Options of `gtp`. Those about other programs have no meaning here.
    #[command(flatten, next_help_heading = GTP_HEADING)]
    pub engine: GtpOptions,
}

/// Options of `review`.
#[derive(Args, Debug, Clone)]
pub(crate) struct ReviewOptions {
    /// Records, and folders with records (folders inside them are left out)
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Folder for what is written [default: beside each record]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Seconds for all positions of all games together, in the place of --time-per-move
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["time_per_move", "visits", "playouts"])]
    pub total_time: Option<Duration>,
    /// Playouts for each position, in the place of a time
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX), conflicts_with_all = ["time_per_move", "playouts"])]
    pub visits: Option<u64>,
    /// Draw the board after this move as a picture, instead of a review; may be repeated
    #[arg(long = "picture", value_name = "MOVE", value_parser = whole(0..=usize::MAX), conflicts_with = "json")]
    pub pictures: Vec<usize>,
    /// What --picture writes: svg or png
    #[arg(long, value_name = "FORMAT", default_value = "svg", value_parser = picture_format, requires = "pictures")]
    pub picture_format: review::PictureFormat,
    /// Give each review on standard output, too, as a line of JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    /// Options of `gtp`. --time-per-move is the time for each position; those about one game have no meaning here.
    #[command(flatten, next_help_heading = GTP_HEADING)]
    pub engine: GtpOptions,
}

/// Options of `web`.
#[derive(Args, Debug, Clone)]
pub(crate) struct WebOptions {
    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = whole(0u16..=65535))]
    pub port: u16,
    /// Address to listen on. Other machines can reach any but 127.0.0.1 and ::1; the page then needs the token in the
    /// address that is printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Open no browser
    #[arg(long)]
    pub no_browser: bool,
    /// Options of `gtp`. Those about other programs have no meaning here; size, komi, rules, level and time for a move
    /// are those of the first game.
    #[command(flatten, next_help_heading = GTP_HEADING)]
    pub engine: GtpOptions,
}

/// Options of `analysis`.
#[derive(Args, Debug, Clone)]
pub(crate) struct AnalysisOptions {
    /// Search at most so many positions side by side [default: as many as there are search threads] (KataGo's flag
    /// -analysis-threads)
    #[arg(long, value_name = "N", value_parser = whole(1u16..=16384))]
    pub analysis_threads: Option<u16>,
    /// When the input ends, answer at once what is being searched and leave out what waits (KataGo's flag
    /// -quit-without-waiting)
    #[arg(long)]
    pub quit_without_waiting: bool,
    /// Settings by KataGo's names, as overrideSettings in a query (KataGo's flag -override-config)
    #[arg(long, value_name = "NAME=VALUE,…")]
    pub override_config: Vec<String>,
    /// A configuration file of KataGo, of which the settings count that have a meaning here (KataGo's flag -config)
    #[arg(long, value_name = "FILE")]
    pub katago_config: Vec<PathBuf>,
    /// Ignored: a net of KataGo (KataGo's flag -model); --net names a net of Kosumi
    #[arg(long, value_name = "FILE")]
    pub katago_model: Option<PathBuf>,
    /// Ignored: a net of KataGo (KataGo's flag -human-model)
    #[arg(long, value_name = "FILE")]
    pub katago_human_model: Option<PathBuf>,
    /// Options of `gtp`. Those about one game, such as clocks, have no meaning here.
    #[command(flatten, next_help_heading = GTP_HEADING)]
    pub engine: GtpOptions,
}

impl ReviewOptions {
    /// How the review is made.
    ///
    /// # Errors
    /// Why the weight file of the net cannot be used.
    pub(crate) fn settings(self) -> Result<review::Settings, NetChoiceError> {
        let visits = self.visits.or(self.engine.playouts);
        let effort = match (self.total_time, visits) {
            (Some(time), _) => review::Effort::TotalTime(time),
            (None, Some(visits)) => review::Effort::Visits(visits),
            (None, None) => review::Effort::TimePerMove(self.engine.time_per_move),
        };
        Ok(review::Settings {
            inputs: self.inputs,
            output: self.output,
            effort,
            engine: self.engine.engine()?,
            json: self.json,
            pictures: self.pictures,
            picture_format: self.picture_format,
            quiet: self.quiet,
        })
    }
}

impl GtpOptions {
    /// The same with a seed for games with a person: without `--seed` each session plays other games.
    pub(crate) fn for_a_person(&self) -> GtpOptions {
        GtpOptions { seed: self.seed.or_else(|| SysRng.try_next_u64().ok()), ..self.clone() }
    }

    /// How the session behaves, and who reads what it writes beside the answers.
    pub(crate) fn session(&self, reader: gtp::Reader) -> gtp::SessionOptions {
        gtp::SessionOptions {
            kgs_chat: self.kgs_chat,
            for_gtp2ogs: self.gtp2ogs,
            says_ready: self.gtp_ready,
            name: Some(self.name.clone()),
            reader,
        }
    }

    /// How ranks work together.
    pub(crate) fn cluster(&self) -> cluster::Settings {
        #[cfg(feature = "mpi")]
        return self.exchange.settings();
        #[cfg(not(feature = "mpi"))]
        cluster::Settings::default()
    }

    /// What the engine is made of.
    ///
    /// # Errors
    /// Why the weight file of the net cannot be used.
    pub(crate) fn engine(&self) -> Result<engine::EngineOptions, NetChoiceError> {
        let mut nets = self.net.nets()?;
        if let Some(kernel) = self.net_kernel {
            nets = nets.with_kernel(kernel);
        }
        // A level has a fixed number of playouts. With one seed, whoever has won a game could win it again move by move.
        let another_game = || if self.level == Level::Max { None } else { SysRng.try_next_u64().ok() };
        let mut tunables = Tunables::default();
        for (name, value) in &self.tunables {
            // The name and the value were checked when the command line was read.
            let _ = tunables.set(name, value);
        }
        let threads = self.threads.map(usize::from);
        Ok(engine::EngineOptions {
            search: search::SearchOptions {
                threads: threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())),
                memory: self.memory as usize,
                ..search::SearchOptions::default()
            },
            tunables,
            nets,
            seed: self.seed.or_else(another_game).unwrap_or(0),
            policy: self.policy,
            size: self.size,
            komi: self.komi,
            rules: self.rules,
            time_per_move: self.time_per_move,
            longest_move: self.longest_move,
            playouts: self.playouts,
            visits: None,
            most_time: None,
            lag: self.lag,
            resign_below: self.resign_below,
            may_resign: true,
            resign_after: self.resign_after,
            ponder: self.ponder,
            analysis_noise: 0.0,
            level: self.level,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    const README: &str = include_str!("../../README.md");

    /// The words of an option without what only one of the two places has: defaults, marks, links to other pages.
    fn words(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, (shown, after))) =
            rest.split_once('[').and_then(|(before, link)| Some((before, link.split_once("](")?)))
        {
            plain += before;
            plain += shown;
            rest = after.split_once(')').map_or("", |(_, after)| after);
        }
        plain += rest;
        let plain = plain.split(" [default: ").next().unwrap_or_default().replace('`', "");
        let plain = plain.trim_end_matches(", see below").trim_end_matches("; the rest is small");
        let mut letters = plain.chars();
        letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
    }

    #[test]
    fn a_level_has_a_seed_of_its_own_unless_one_is_given() {
        let seed = |words: &[&str]| {
            let matches =
                GtpOptions::augment_args(Command::new("kosumi")).get_matches_from([&["kosumi"], words].concat());
            let options = GtpOptions::from_arg_matches(&matches).expect("the words are options");
            options.engine().expect("the nets of the program are whole").seed
        };
        assert_eq!([seed(&[]), seed(&["--seed", "5"]), seed(&["--level", "10k", "--seed", "5"])], [0, 5, 5]);
        assert_ne!(seed(&["--level", "10k"]), seed(&["--level", "10k"]));
    }

    #[test]
    fn the_table_of_the_readme_has_the_words_of_the_help() {
        let (_, section) = README.split_once("\n## Options\n").expect("a section");
        let table = section.split_once("\nStandard output carries").expect("an end").0;
        let rows = table.lines().filter(|line| line.starts_with("| `--"));
        let of_readme: Vec<(String, String)> = rows
            .map(|row| {
                let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
                let name = cells[0].trim_start_matches("`--").split(['`', ' ']).next().unwrap_or_default();
                (name.to_owned(), words(cells.last().expect("a cell")))
            })
            .collect();
        let command = GtpOptions::augment_args(Command::new("kosumi"));
        let mut of_help = Vec::new();
        for arg in command.get_arguments() {
            let help = arg.get_help().map(|help| help.to_string()).unwrap_or_default();
            let name = arg.get_long().unwrap_or_default().to_owned();
            // Those of a cluster stand in docs/cluster.md.
            if !cfg!(feature = "mpi") || of_readme.iter().any(|(known, _)| *known == name) {
                of_help.push((name, words(&help)));
            }
        }
        assert_eq!(of_readme, of_help);
    }

    #[test]
    fn options_without_meaning_are_options_that_help_leaves_out() {
        for (name, lists) in WITHOUT_MEANING {
            let command = command();
            let mut sub = command.find_subcommand(name).expect("a subcommand").clone();
            let help = sub.render_long_help().to_string();
            for option in lists.iter().copied().flatten() {
                assert!(sub.get_arguments().any(|arg| arg.get_long() == Some(option)), "{name}: {option}");
                assert!(!help.contains(&format!("--{option} ")), "{name}: {option}");
                assert!(is_without_meaning(name, option) && !is_without_meaning("gtp", option));
            }
            assert!(help.contains("--threads ") && help.contains(GTP_HEADING));
        }
    }
}
