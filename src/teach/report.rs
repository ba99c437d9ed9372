//! The page of a run: one HTML file with curves, tables and a few games, and nothing from elsewhere.

use serde::Serialize;

use super::chart::{Line, svg};
use super::folder::{Folder, at, name_of};
use super::judge::by_opponent;
use super::progress::clock;
use super::rating::Rating;
use super::record::{Judged, Made, Written, net_name};
use crate::file;
use crate::game::Game;
use crate::go::{Color, Ruleset, Size, vertex};
use crate::review::page::{BOARD_SCRIPTS, STYLE, filled};
use crate::review::svg::escape;
use crate::sgf;

/// Games of self-play and of the judge that the page shows.
const SHOWN: usize = 4;

/// The longest file of games that is read for the page.
const LONGEST: usize = 16 << 20;

/// All that the page tells.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub made: &'a [Made],
    pub judged: &'a [Judged],
    pub ratings: &'a [Rating],
    pub best: Option<u64>,
    pub writers: &'a [Written],
}

/// A game to click through.
#[derive(Debug, Serialize)]
struct Shown {
    name: String,
    about: String,
    size: Size,
    /// Black's handicap stones.
    black: Vec<String>,
    moves: Vec<(char, String)>,
}

/// Writes the page.
///
/// # Errors
/// A message if a file cannot be read or written.
pub(super) fn write(folder: &Folder, name: &str, findings: &Findings<'_>) -> Result<(), String> {
    let games = shown(folder, findings)?;
    // A "<" could end the element that holds the data.
    let data = serde_json::to_string(&games).map_err(|error| error.to_string())?.replace('<', "\\u003c");
    let made = findings.made;
    let last = made.last();
    let seconds: f64 = made.iter().map(|made| made.play_seconds + made.train_seconds).sum::<f64>()
        + findings.judged.iter().map(|judged| judged.seconds).sum::<f64>();
    let about = last.map_or_else(
        || "No net has been made yet.".into(),
        |made| {
            format!(
                "{} generations · {} games, {} rows, {} playouts in self-play · {} samples · {} in all · Kosumi {}",
                made.generation,
                made.games,
                made.rows,
                made.playouts,
                made.samples,
                clock(seconds),
                env!("CARGO_PKG_VERSION")
            )
        },
    );
    let parts = [
        ("title", escape(&format!("Teaching in {name}"))),
        ("about", escape(&about)),
        ("style", STYLE.into()),
        ("ratings", ratings(findings)),
        ("losses", losses(findings)),
        ("generations", generations(findings)),
        ("writers", writers(findings.writers)),
        ("data", data),
        ("rules", BOARD_SCRIPTS.concat()),
        ("script", include_str!("report.js").into()),
    ];
    folder.write("report.html", filled(include_str!("report.html"), &parts).as_bytes())
}

/// The hours that the run had taken when each generation was made. Times of pauses do not count.
fn hours(findings: &Findings<'_>) -> Vec<(u64, f64)> {
    let mut sum = 0.0;
    let judged = |generation| findings.judged.iter().find(|judged| judged.generation == generation);
    findings
        .made
        .iter()
        .map(|made| {
            sum += (made.play_seconds + made.train_seconds) / 3600.0;
            let at = sum;
            sum += judged(made.generation).map_or(0.0, |judged| judged.seconds / 3600.0);
            (made.generation, at)
        })
        .collect()
}

fn ratings(findings: &Findings<'_>) -> String {
    let of = |generation: u64| findings.ratings.iter().find(|rating| rating.name == net_name(generation));
    let curve = |x: &dyn Fn(&Made) -> f64| {
        let points = findings.made.iter().filter_map(|made| {
            let rating = of(made.generation)?;
            Some((x(made), rating.elo, rating.margin))
        });
        vec![Line { name: "Elo, with its interval of 95 %".into(), points: points.collect() }]
    };
    let hours = hours(findings);
    let hour = |made: &Made| hours.iter().find(|(g, _)| *g == made.generation).map_or(f64::NAN, |(_, hour)| *hour);
    let scores = by_opponent(findings.judged).into_iter().map(|(name, scores)| Line {
        name,
        points: scores.into_iter().map(|(generation, score)| (generation as f64, 100.0 * score, 0.0)).collect(),
    });
    let exam = |name: &str, of: &dyn Fn(&Judged) -> u32| Line {
        name: name.into(),
        points: (findings.judged.iter().filter(|judged| judged.exam.positions > 0))
            .map(|judged| (judged.generation as f64, f64::from(of(judged)), 0.0))
            .collect(),
    };
    [
        svg("Rating by generation", "generation", &curve(&|made| made.generation as f64), escape),
        svg("Rating by time", "hours", &curve(&hour), escape),
        svg("Rating by playouts of self-play", "playouts", &curve(&|made| made.playouts as f64), escape),
        svg("Points against opponents that stay, in %", "generation", &scores.collect::<Vec<_>>(), escape),
        svg(
            "Right answers to the test positions",
            "generation",
            &[exam("the net's first move", &|j| j.exam.policy), exam("a short search", &|j| j.exam.search)],
            escape,
        ),
    ]
    .concat()
}

fn losses(findings: &Findings<'_>) -> String {
    let made = findings.made;
    let mut names: Vec<&String> = made.iter().flat_map(|made| made.losses.keys()).collect();
    names.sort();
    names.dedup();
    let lines = |x: &dyn Fn(&Made) -> f64| -> Vec<Line> {
        let line = |name: &&String| {
            let points = made.iter().filter_map(|made| Some((x(made), *made.losses.get(*name)?, 0.0)));
            Line { name: (*name).clone(), points: points.collect() }
        };
        names.iter().map(line).collect()
    };
    let hours = hours(findings);
    let hour = |made: &Made| hours.iter().find(|(g, _)| *g == made.generation).map_or(f64::NAN, |(_, hour)| *hour);
    let mut charts = [
        svg("Losses of the last steps, by generation", "generation", &lines(&|made| made.generation as f64), escape),
        svg("Losses by time", "hours", &lines(&hour), escape),
        svg("Losses by playouts of self-play", "playouts", &lines(&|made| made.playouts as f64), escape),
    ]
    .concat();
    for figure in ["policy_top1", "policy_loss", "value_error", "lead_error", "owner_right"] {
        let mut sizes: Vec<&String> = made.iter().flat_map(|made| made.held_out.keys()).collect();
        sizes.sort();
        sizes.dedup();
        let lines: Vec<Line> = sizes
            .into_iter()
            .map(|size| {
                let of = |made: &Made| Some((made.generation as f64, *made.held_out.get(size)?.get(figure)?, 0.0));
                Line { name: format!("{size}×{size}"), points: made.iter().filter_map(of).collect() }
            })
            .collect();
        charts += &svg(&format!("Held out: {}", figure.replace('_', " ")), "generation", &lines, escape);
    }
    charts
}

fn generations(findings: &Findings<'_>) -> String {
    let mut rows = String::new();
    for made in findings.made.iter().rev() {
        let judged = findings.judged.iter().find(|judged| judged.generation == made.generation);
        let rating = findings.ratings.iter().find(|rating| rating.name == net_name(made.generation));
        let matches: Vec<String> = judged
            .map(|judged| &judged.matches[..])
            .unwrap_or_default()
            .iter()
            .map(|met| format!("{} : {} : {} {}", met.wins, met.draws, met.losses, met.b))
            .collect();
        let exam = judged.filter(|judged| judged.exam.positions > 0).map_or(String::new(), |judged| {
            format!("{} · {} of {}", judged.exam.policy, judged.exam.search, judged.exam.positions)
        });
        let mark = match (judged, findings.best == Some(made.generation)) {
            (_, true) => "best",
            (Some(judged), _) if !judged.accepted => "does not play",
            _ => "",
        };
        rows += &format!(
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td><td>{mark}</td></tr>\n",
            made.generation,
            made.games,
            made.rows,
            made.steps,
            clock(made.play_seconds + made.train_seconds + judged.map_or(0.0, |judged| judged.seconds)),
            rating.map_or(String::new(), |rating| format!("{:+.0} ± {:.0}", rating.elo, rating.margin)),
            escape(&matches.join(", ")),
            escape(&exam),
        );
    }
    format!(
        "<table><thead><tr><th>Net</th><th class=\"number\">Games</th><th class=\"number\">Rows</th>\
         <th class=\"number\">Steps</th><th class=\"number\">Time</th><th class=\"number\">Elo</th>\
         <th>Won : drawn : lost</th><th>Test positions: net · search</th><th></th></tr></thead><tbody>\n{rows}</tbody></table>"
    )
}

fn writers(writers: &[Written]) -> String {
    let mut rows = String::new();
    for writer in writers {
        let per_hour = |count: u64| if writer.seconds > 0.0 { count as f64 / writer.seconds * 3600.0 } else { 0.0 };
        rows += &format!(
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{:.0}</td>\
             <td class=\"number\">{:.0}</td><td class=\"number\">{:.1}</td></tr>\n",
            escape(&writer.writer),
            writer.games,
            writer.rows,
            per_hour(writer.games),
            per_hour(writer.playouts) / 3600.0,
            writer.moves as f64 / writer.games.max(1) as f64,
        );
    }
    format!(
        "<table><thead><tr><th>Process</th><th class=\"number\">Games</th><th class=\"number\">Rows</th>\
         <th class=\"number\">Games/h</th><th class=\"number\">Playouts/s</th><th class=\"number\">Moves a game</th></tr>\
         </thead><tbody>\n{rows}</tbody></table>"
    )
}

/// Games of the newest self-play, and of the newest matches.
fn shown(folder: &Folder, findings: &Findings<'_>) -> Result<Vec<Shown>, String> {
    let mut games = Vec::new();
    if let Some(path) = folder.list("games")?.pop() {
        let bytes = file::read(&path, LONGEST).map_err(|error| at(&path, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        for (i, record) in text.split_inclusive("\n)\n").take(SHOWN).enumerate() {
            games.extend(show(record.as_bytes(), &format!("Self-play {}, {}", i + 1, name_of(&path))));
        }
    }
    let newest = findings.judged.last().map_or(0, |judged| judged.generation);
    for path in folder.list("matches")? {
        let name = name_of(&path);
        if newest == 0 || !name.starts_with(&super::folder::number(newest)) {
            continue;
        }
        for record in folder.list(&format!("matches/{name}/games"))?.into_iter().take(SHOWN) {
            let bytes = file::read(&record, LONGEST).map_err(|error| at(&record, &error))?;
            games.extend(show(&bytes, &format!("Match {name}, game {}", name_of(&record).trim_end_matches(".sgf"))));
        }
    }
    Ok(games)
}

/// A game as the page has it; `None` if the record cannot be read.
fn show(record: &[u8], name: &str) -> Option<Shown> {
    let game = Game::load(sgf::read(record).ok()?, None, Ruleset::default(), None).ok()?;
    let size = game.size();
    let board = game.start().board();
    let black = board.points().filter(|&point| board.cell(point) == Color::Black.cell());
    let players = Color::BOTH.map(|color| game.record().player(color).unwrap_or_default());
    let players = match players.each_ref().map(String::as_str) {
        ["", ""] => String::new(),
        [black, white] => format!("Black: {black}, White: {white}, "),
    };
    let result = game.recorded_result().unwrap_or("no result");
    Some(Shown {
        name: format!("{name}: {result}"),
        about: format!("{players}{} rules, komi {}, {result}", game.rules().name(), game.komi().points()),
        size,
        black: black.map(|point| vertex::of(point, size)).collect(),
        moves: game.moves().iter().map(|&(color, mv)| (color.letter(), vertex::of_move(mv, size))).collect(),
    })
}
