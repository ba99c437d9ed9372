//! `kosumi review`: games that were played, as records with comments and as pages with pictures.
//!
//! ```text
//! files ──→ turns ──→ ask ──→ journal ──→ losses ──┬→ annotate ──→ GAME.review.sgf
//!  (names)  (positions) (searcher) (findings)      └→ page ──────→ GAME.review.html
//! ```
//!
//! Each position of a game's main line is searched for the same time. The findings go to a file as they come, so a
//! review that is stopped goes on where it was. A page holds all findings, so a game that has its page is not searched
//! again. Files get their names when they are whole.

mod annotate;
mod ask;
mod course;
mod curve;
mod files;
mod finding;
mod glyphs;
mod journal;
mod losses;
pub(crate) mod page;
pub(crate) mod picture;
mod png;
mod progress;
mod settings;
pub(crate) mod svg;
mod turns;

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::go::{Move, vertex, vertex::Vertex};
use crate::search::SearchError;
use crate::search::searcher::StartError;
use crate::{file, sgf};

use ask::{Asker, Limit};
pub use course::{Course, NoCourse};
use files::{Job, jobs};
pub use finding::{Candidate, Finding};
use journal::Journal;
pub use losses::{MoveLoss, PhaseLoss};
use page::Review;
use progress::Progress;
pub use settings::{Effort, PictureFormat, Settings};
use turns::Turns;

/// Why there is no review at all. What concerns one game is written to standard error, and the others are reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The inputs or the folder for the output cannot be used.
    #[error("{0}")]
    Files(String),
    /// The system refuses the memory or a thread.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// What was found cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// What a run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that were reviewed, or drawn.
    pub done: usize,
    /// Games that had their review already.
    pub known: usize,
    /// Games that could not be read or written.
    pub failed: usize,
    /// Positions that were searched.
    pub searched: usize,
    /// Was the run stopped before its end?
    pub stopped: bool,
}

/// A game that is to be reviewed.
struct Loaded {
    job: Job,
    turns: Turns,
    identity: Value,
}

/// Reviews games until all are done, or `stop` is set. With [`Settings::json`], each review goes to `output` as a line.
///
/// # Errors
/// See [`ReviewError`].
pub fn run(settings: &Settings, stop: &AtomicBool, mut output: impl Write) -> Result<Tally, ReviewError> {
    let found = jobs(&settings.inputs, settings.output.as_deref()).map_err(ReviewError::Files)?;
    if let Some(folder) = &settings.output {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => ReviewError::Files(format!("{}: this is no folder", folder.display())),
            _ => ReviewError::Files(format!("{}: {error}", folder.display())),
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut tally = Tally::default();
    let mut games = Vec::new();
    for job in found {
        match load(&job, settings) {
            Ok((turns, identity)) => {
                if let Some(text) = turns.left_out() {
                    let _ = writeln!(io::stderr(), "kosumi: {}: {text}", job.record.display());
                }
                games.push(Loaded { job, turns, identity });
            }
            Err(error) => {
                tally.failed += 1;
                let _ = writeln!(io::stderr(), "kosumi: {}: {error}", job.record.display());
            }
        }
    }
    let asker = Asker::new(&settings.engine, stop)?;
    let positions = games.iter().map(|game| game.turns.positions()).sum::<usize>();
    let limit = match settings.effort {
        Effort::TimePerMove(time) => Limit::Time(time),
        Effort::TotalTime(time) => Limit::Time(time.div_f64(positions.max(1) as f64)),
        Effort::Visits(visits) => Limit::Visits(visits),
    };
    let all = if settings.pictures.is_empty() { positions } else { games.len() * settings.pictures.len() };
    let mut progress = Progress::start(all, settings.quiet);
    for game in &games {
        let mut reviewer = Reviewer { settings, asker: &asker, limit, progress: &mut progress, tally: &mut tally };
        let result = match settings.pictures.is_empty() {
            true => reviewer.review(game, &mut output),
            false => reviewer.draw(game),
        };
        match result {
            Ok(()) => {}
            Err(ReviewError::Files(error)) => {
                tally.failed += 1;
                progress.warn(&format!("kosumi: {error}"));
            }
            Err(error) => {
                progress.finish();
                return Err(error);
            }
        }
        if stop.load(Relaxed) {
            tally.stopped = true;
            break;
        }
    }
    progress.finish();
    Ok(tally)
}

/// Reads a record. Gives its turns, and what tells its review from others.
fn load(job: &Job, settings: &Settings) -> Result<(Turns, Value), String> {
    let bytes = file::read(&job.record, sgf::LONGEST).map_err(|error| error.to_string())?;
    let (record, has_others) = sgf::read_first(&bytes).map_err(|error| error.to_string())?;
    if has_others {
        let name = job.record.display();
        let _ = writeln!(io::stderr(), "kosumi: {name}: the file holds several games, and only the first one is read");
    }
    let engine = &settings.engine;
    let turns = Turns::of(record, engine.rules, engine.komi).map_err(|error| error.to_string())?;
    if let Some(why) = turns.no_moves() {
        return Err(why);
    }
    let net = engine.nets.for_size(turns.start.size()).map(|net| net.net().description().to_string());
    let tunables: Vec<String> =
        engine.tunables.changed().map(|(param, value)| format!("{}={value}", param.name)).collect();
    let identity = json!({
        "program": concat!("Kosumi ", env!("CARGO_PKG_VERSION")),
        "record": format!("{:08x}-{}", crc32fast::hash(&bytes), bytes.len()),
        "effort": settings.effort.describe(),
        "rules": crate::record::rules::value_of(turns.start.rules()),
        "komi": turns.start.komi().to_string(),
        "net": net.map(|net| format!("{:08x}", crc32fast::hash(net.as_bytes()))),
        "policy": format!("{:?}", engine.policy),
        "tunables": tunables,
        "seed": engine.seed,
    });
    Ok((turns, identity))
}

/// Reviews one game after another.
struct Reviewer<'a> {
    settings: &'a Settings,
    asker: &'a Asker<'a>,
    limit: Limit,
    progress: &'a mut Progress,
    tally: &'a mut Tally,
}

impl Reviewer<'_> {
    fn review(&mut self, game: &Loaded, output: &mut impl Write) -> Result<(), ReviewError> {
        let Loaded { job, turns, identity } = game;
        let known = stored(&job.page(), identity).filter(|_| job.sgf().exists());
        let is_known = known.is_some();
        let findings = match known {
            Some(findings) => {
                self.progress.game(&job.name(), turns.positions());
                findings
            }
            None => match self.search(game)? {
                Some((findings, journal)) => {
                    self.write(game, &findings)?;
                    journal.finish().map_err(|error| at(&job.part(), &error))?;
                    findings
                }
                None => return Ok(()),
            },
        };
        let losses = losses::losses(turns, &findings);
        if self.settings.json {
            let name = job.name();
            let review = Review::of(&name, identity, turns, &findings, &losses);
            let line = serde_json::to_string(&review).map_err(io::Error::from)?;
            writeln!(output, "{line}").and_then(|()| output.flush())?;
        }
        if is_known {
            self.tally.known += 1;
            self.progress.say(&format!("{}: has been reviewed already", job.page().display()));
        } else {
            self.tally.done += 1;
            self.progress.say(&format!("{} and {}", job.page().display(), job.sgf().display()));
        }
        Ok(())
    }

    /// The findings about all positions. `None` if the review was stopped.
    fn search(&mut self, game: &Loaded) -> Result<Option<(Vec<Finding>, Journal)>, ReviewError> {
        let Loaded { job, turns, identity } = game;
        let path = job.part();
        let (mut journal, mut findings) = Journal::open(&path, identity).map_err(|error| at(&path, &error))?;
        self.progress.game(&job.name(), findings.len());
        let known: Vec<usize> = findings.iter().map(|finding| finding.turn).collect();
        let mut stopped = false;
        turns.walk(|turn, game, to_move| -> Result<bool, ReviewError> {
            if known.contains(&turn) {
                return Ok(true);
            }
            let found = self.asker.finding(turn, game, to_move, self.limit, || self.progress.show())?;
            let Some(found) = found else {
                stopped = true;
                return Ok(false);
            };
            journal.add(&found).map_err(|error| at(&path, &error))?;
            findings.push(found);
            self.tally.searched += 1;
            self.progress.step();
            Ok(true)
        })?;
        findings.sort_by_key(|finding| finding.turn);
        Ok((!stopped).then_some((findings, journal)))
    }

    /// Writes the reviewed record and the page. The page comes last: it says that the review is complete.
    fn write(&self, game: &Loaded, findings: &[Finding]) -> Result<(), ReviewError> {
        let Loaded { job, turns, identity } = game;
        let effort = self.settings.effort.describe();
        let losses = losses::losses(turns, findings);
        let record = annotate::annotated(turns, findings, &losses, &effort);
        let (name, path) = (job.name(), job.sgf());
        file::write(&path, sgf::write(&record).as_bytes()).map_err(|error| at(&path, &error))?;
        let review = Review::of(&name, identity, turns, findings, &losses);
        let page = review.page(&effort).map_err(io::Error::from)?;
        let path = job.page();
        file::write(&path, page.as_bytes()).map_err(|error| at(&path, &error))
    }

    /// Writes the pictures that the settings ask for.
    fn draw(&mut self, game: &Loaded) -> Result<(), ReviewError> {
        let Loaded { job, turns, identity } = game;
        let size = turns.start.size();
        let known = stored(&job.page(), identity).unwrap_or_default();
        self.progress.game(&job.name(), 0);
        for &number in &self.settings.pictures {
            if number > turns.moves.len() {
                let moves = match turns.moves.len() {
                    1 => "1 move".to_owned(),
                    moves => format!("{moves} moves"),
                };
                return Err(ReviewError::Files(format!("{}: the game has {moves} only", job.record.display())));
            }
            turns.walk(|turn, position, to_move| -> Result<bool, ReviewError> {
                if turn < number {
                    return Ok(true);
                }
                let found = match known.iter().find(|finding| finding.turn == turn) {
                    Some(finding) => Some(finding.clone()),
                    None => {
                        self.tally.searched += 1;
                        self.asker.finding(turn, position, to_move, self.limit, || self.progress.show())?
                    }
                };
                let Some(finding) = found else { return Ok(false) };
                let last = number.checked_sub(1).and_then(|index| turns.moves[index].mv.point());
                let best = finding.moves.iter().filter_map(|m| match vertex::parse(&m.vertex, size) {
                    Some(Vertex::On(Move::Play(point))) => Some(point),
                    _ => None,
                });
                let labels: Vec<_> = best.take(PICTURE_LABELS).zip('A'..).collect();
                let title =
                    format!("{} after move {number}: {}", job.name(), annotate::rating(finding.winrate, finding.lead));
                let marks = picture::Marks { last, labels: &labels, finding: Some(&finding), title: &title };
                let drawn = picture::picture(position.position().board(), &marks);
                let format = self.settings.picture_format;
                let path = job.picture(number, format);
                let bytes = match format {
                    PictureFormat::Svg => svg::text(&drawn).into_bytes(),
                    PictureFormat::Png => png::bytes(&drawn).map_err(|error| at(&path, &error))?,
                };
                file::write(&path, &bytes).map_err(|error| at(&path, &error))?;
                self.progress.say(&path.display().to_string());
                self.progress.step();
                Ok(false)
            })?;
        }
        self.tally.done += 1;
        Ok(())
    }
}

/// The best moves that a picture names.
const PICTURE_LABELS: usize = 3;

/// Pages are not longer than this. (A page of a game of a thousand moves has a megabyte.)
const LONGEST_PAGE: usize = 64 << 20;

/// The findings of a page that is there.
fn stored(path: &Path, identity: &Value) -> Option<Vec<Finding>> {
    let bytes = file::read(path, LONGEST_PAGE).ok()?;
    page::stored(&String::from_utf8_lossy(&bytes), identity)
}

fn at(path: &Path, error: &dyn std::fmt::Display) -> ReviewError {
    ReviewError::Files(format!("{}: {error}", path.display()))
}
