//! The games of a match added up.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::record::{Ending, Row, Side};
use super::settings::Settings;
use super::statistics::{Counts, Sprt, Verdict, elo};

/// The results of a match: `summary.json`. All scores and Elo differences are A's.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// A and B.
    pub engines: [EngineSummary; 2],
    /// Games finished.
    pub games: u32,
    /// Games wanted.
    pub planned: usize,
    /// Draws and games without result.
    pub draws: u32,
    /// A's points per game.
    pub score: Option<f64>,
    /// The Wilson interval of 95 % of the score.
    pub score_interval: Option<(f64, f64)>,
    /// The Elo difference; JSON's null stands for infinity, too.
    pub elo: Option<f64>,
    /// The interval of 95 % of the Elo difference.
    pub elo_interval: Option<(f64, f64)>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// Games by how they ended.
    pub endings: BTreeMap<&'static str, u32>,
    /// Games with the moves of an earlier game. They tell nothing new.
    pub repeated: u32,
    /// Counted games that a second referee has counted, too.
    pub second_referee: u32,
    /// The games in which the second referee differs.
    pub referees_differ: Vec<usize>,
    /// Counted games in which the second referee gave no score.
    pub referee_failed: Vec<usize>,
    /// Seconds that the games took, added up.
    pub seconds: f64,
}

/// An engine's part in a match.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EngineSummary {
    /// Name and version.
    pub name: String,
    /// The command that starts the engine.
    pub command: String,
    /// Games won.
    pub wins: u32,
    /// Games won with Black.
    pub wins_as_black: u32,
    /// Games with Black.
    pub games_as_black: u32,
    /// Games lost by an illegal move or an answer that is no move.
    pub illegal_moves: u32,
    /// Games lost by refusing to go on.
    pub refusals: u32,
    /// Games lost because the process ended.
    pub crashes: u32,
    /// Games lost because no answer came.
    pub hangs: u32,
    /// Games lost on time.
    pub time_losses: u32,
    /// Moves chosen.
    pub moves: u32,
    /// Wall time for a move, in seconds.
    pub mean_seconds: Option<f64>,
    /// Wall time of the longest move, in seconds.
    pub longest_seconds: f64,
    /// CPU time for a move in seconds, as the engine says, over the games in which it says so.
    pub mean_cpu_seconds: Option<f64>,
}

/// A sequential test so far.
#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    /// Hypothesis 0.
    pub elo0: f64,
    /// Hypothesis 1.
    pub elo1: f64,
    /// Hypothesis 0 is accepted at or below this log-likelihood ratio.
    pub lower: f64,
    /// Hypothesis 1 is accepted at or above this log-likelihood ratio.
    pub upper: f64,
    /// The log-likelihood ratio now.
    pub llr: f64,
    /// The hypothesis that was accepted first.
    pub verdict: Option<&'static str>,
}

/// Results as they come in.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// A's results.
    pub counts: Counts,
    /// What the sequential test found first.
    pub verdict: Option<Verdict>,
}

impl Standing {
    /// Adds a game.
    pub fn add(&mut self, winner: Option<Side>, sprt: Option<&Sprt>) {
        match winner {
            Some(Side::A) => self.counts.wins += 1,
            Some(Side::B) => self.counts.losses += 1,
            None => self.counts.draws += 1,
        }
        // The first verdict holds: games that were running at that moment do not change it.
        self.verdict = self.verdict.or_else(|| sprt?.verdict(&self.counts));
    }
}

/// Adds up all games.
pub fn summarize(settings: &Settings, rows: &[Row]) -> Summary {
    let mut standing = Standing::default();
    let mut endings = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut repeated = 0;
    for row in rows {
        standing.add(row.winner, settings.sprt.as_ref());
        *endings.entry(row.ending.name()).or_insert(0) += 1;
        repeated += u32::from(!seen.insert((row.opening_moves, &row.opening, &row.moves)));
    }
    let counts = standing.counts;
    let interval = counts.interval();
    let opinions = || rows.iter().filter_map(|row| row.referee.as_ref().map(|opinion| (row.game, opinion)));
    Summary {
        engines: Side::BOTH.map(|side| engine(settings, rows, side)),
        games: counts.games(),
        planned: settings.games,
        draws: counts.draws,
        score: counts.score(),
        score_interval: interval,
        elo: counts.score().map(elo),
        elo_interval: interval.map(|(low, high)| (elo(low), elo(high))),
        sprt: settings.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            let verdict = standing.verdict.map(|verdict| match verdict {
                Verdict::H0 => "H0",
                Verdict::H1 => "H1",
            });
            SprtSummary { elo0: sprt.elo0, elo1: sprt.elo1, lower, upper, llr: sprt.llr(&counts), verdict }
        }),
        endings,
        repeated,
        second_referee: opinions().filter(|(_, opinion)| opinion.error().is_none()).count() as u32,
        referees_differ: opinions().filter(|(_, opinion)| opinion.differs()).map(|(game, _)| game).collect(),
        referee_failed: opinions().filter(|(_, opinion)| opinion.error().is_some()).map(|(game, _)| game).collect(),
        seconds: rows.iter().map(|row| row.seconds).sum(),
    }
}

fn engine(settings: &Settings, rows: &[Row], side: Side) -> EngineSummary {
    let mut sum = EngineSummary { command: settings.engines[side.index()].text().into(), ..EngineSummary::default() };
    let (mut seconds, mut cpu_seconds, mut cpu_moves) = (0.0, 0.0, 0);
    for row in rows {
        sum.name.clone_from(&row.names[side.index()]);
        let won = u32::from(row.winner == Some(side));
        sum.wins += won;
        if row.black == side {
            sum.games_as_black += 1;
            sum.wins_as_black += won;
        }
        if row.at_fault() == Some(side) {
            match row.ending {
                Ending::Illegal => sum.illegal_moves += 1,
                Ending::Refusal => sum.refusals += 1,
                Ending::Crash => sum.crashes += 1,
                Ending::Hang => sum.hangs += 1,
                Ending::Time => sum.time_losses += 1,
                Ending::Resignation | Ending::Count | Ending::MoveLimit | Ending::Rule => {}
            }
        }
        let share = row.share(side);
        sum.moves += share.moves;
        seconds += share.seconds;
        sum.longest_seconds = sum.longest_seconds.max(share.longest);
        if let Some(cpu) = share.cpu_seconds {
            cpu_seconds += cpu;
            cpu_moves += share.moves;
        }
    }
    sum.mean_seconds = (sum.moves > 0).then(|| seconds / f64::from(sum.moves));
    sum.mean_cpu_seconds = (cpu_moves > 0).then(|| cpu_seconds / f64::from(cpu_moves));
    sum
}
