//! The command line of `kosumi match`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use kosumi::clock::TimeControl;
use kosumi::go::{Komi, Ruleset, Size};
use kosumi::matches::{Counting, EngineCommand, OpeningSource, Settings, statistics::Sprt};
use kosumi::time::TimeSource;

use super::values::{board_size, rules, seconds, whole};

/// Options of a match.
#[derive(Args, Debug, Clone)]
pub(crate) struct MatchOptions {
    /// Command of engine A, in quotes; Black in the games of odd number, or in all
    #[arg(value_name = "COMMAND_A")]
    pub a: EngineCommand,
    /// Command of engine B. `{game}` in a command stands for the number of the game (for seeds); such an engine is
    /// started anew for each game
    #[arg(value_name = "COMMAND_B")]
    pub b: EngineCommand,
    /// Games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1..=u32::MAX))]
    pub games: u32,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1u16..=1024))]
    pub concurrency: u16,
    /// A is Black in every game: to try a handicap that the openings set up
    #[arg(long)]
    pub a_is_black: bool,
    /// Board size, 2 to 25, or columns and rows (9x13)
    #[arg(long, value_name = "SIZE", default_value = "9", value_parser = board_size)]
    pub size: Size,
    /// Komi in points [default: that of the rule set]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    pub komi: Option<Komi>,
    /// Rule set of the referee; told to engines that list kosumi-rules or kata-set-rules
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = rules)]
    pub rules: Ruleset,
    /// Openings, each played with both colours: a folder of SGF files, an SGF file, or a text file of move lists
    #[arg(long, value_name = "PATH", conflicts_with = "random_openings")]
    pub openings: Option<PathBuf>,
    /// Moves of each opening that are played [default: all]
    #[arg(long, value_name = "N", requires = "openings")]
    pub opening_moves: Option<u16>,
    /// Begin each pair of games with so many random moves that leave the game about even
    #[arg(long, value_name = "PLIES")]
    pub random_openings: Option<u16>,
    /// Seed of the random openings
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
    /// Whole seconds that each side has for the game, or before byo-yomi
    #[arg(long, value_name = "SECONDS", value_parser = whole(0u32..=1_000_000))]
    pub time: Option<u32>,
    /// Canadian byo-yomi after that time: whole seconds for so many stones, such as 30/5; for one stone if not given
    #[arg(long, value_name = "SECONDS[/STONES]", value_parser = byo_yomi)]
    pub byo_yomi: Option<(u32, u32)>,
    /// Longest time for a move; it is measured, but the engines are not told
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub move_time: Option<Duration>,
    /// How far a side may exceed its clock in a whole game, and each move its time, before the game is lost on time
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    pub margin: Duration,
    /// An engine that does not answer within this time hangs
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds)]
    pub hang: Duration,
    /// Moves after which a game is stopped and counted [default: three for each point of the board]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub max_moves: Option<u32>,
    /// Count every stone on the board as living instead of judging which are dead
    #[arg(long)]
    pub count_as_it_stands: bool,
    /// Command of an engine whose final_score is compared with our count
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<EngineCommand>,
    /// Stop when this sequential test is decided: elo0,elo1,alpha,beta, such as 0,10,0.05,0.05
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Folder for games and results; a match that was interrupted goes on there when it is started again
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

impl MatchOptions {
    /// What the match is.
    pub(crate) fn settings(self) -> Settings {
        let main = Duration::from_secs(self.time.unwrap_or(0).into());
        let clock = match (self.time, self.byo_yomi) {
            (None, None) => TimeControl::Unlimited,
            (_, None) => TimeControl::Absolute { main },
            (_, Some((period, stones))) => TimeControl::from_gtp(main, Duration::from_secs(period.into()), stones),
        };
        let moves = self.opening_moves.map(usize::from);
        let openings = match (self.openings, self.random_openings) {
            (Some(path), _) => OpeningSource::Path { path, moves },
            (None, Some(plies)) => OpeningSource::Random { plies: plies.into() },
            (None, None) => OpeningSource::Empty,
        };
        Settings {
            engines: [self.a, self.b],
            a_is_black: self.a_is_black,
            size: self.size,
            komi: self.komi,
            rules: self.rules,
            openings,
            seed: self.seed,
            clock,
            move_time: self.move_time,
            margin: self.margin,
            hang: self.hang,
            games: self.games as usize,
            concurrency: self.concurrency.into(),
            max_moves: self.max_moves.map_or(3 * self.size.points(), |moves| moves as usize),
            counting: if self.count_as_it_stands { Counting::AsItStands } else { Counting::Judged },
            referee: self.referee,
            sprt: self.sprt,
            output: self.output,
            quiet: self.quiet,
            json: self.json,
            time: TimeSource::system(),
            stop: Arc::default(),
        }
    }
}

fn byo_yomi(text: &str) -> Result<(u32, u32), String> {
    let (seconds, stones) = text.split_once('/').unwrap_or((text, "1"));
    match (seconds.parse(), stones.parse()) {
        (Ok(seconds @ 1..=1_000_000), Ok(stones @ 1..=1000)) => Ok((seconds, stones)),
        _ => Err("must be SECONDS/STONES in whole numbers, such as 30/5".into()),
    }
}
