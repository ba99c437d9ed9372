//! `kosumi teach`: the net learns from its own games, generation by generation, in one folder.
//!
//! ```text
//! run ──→ play (self-play) ──→ trainer (a process) ──→ judge (matches, exam) ──→ rating ──→ report
//!           └→ store (rows and games into the folder; also what killed processes leave)
//! ```
//! `folder` knows what lies where, `record` what is kept of a generation, `settings` the file `teach.toml`. What is
//! done next follows from the files in the folder alone. So a run that was stopped anywhere goes on from there. A
//! worker ([`Options::worker`]) only plays, on this machine or on another one that shares the folder.
//! `docs/teaching.md` says how to use all this.

mod chart;
mod exam;
mod folder;
mod judge;
mod play;
mod progress;
mod rating;
mod record;
mod report;
pub mod settings;
mod store;
mod trainer;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::net::nets::NetChoice;
use folder::{FirstNet, Folder, Standing, name_of, number};
use play::{Plays, Until};
use progress::Progress;
use rating::Rating;
use record::{Made, Met, Written, net_name, now};
use report::Findings;
use settings::Settings;

/// How `kosumi teach` is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The settings of a new run, as the text of a `teach.toml`.
    pub settings: String,
    /// The net of the first games of a new run; `None` for random weights.
    pub net: Option<NetChoice>,
    /// The folder of a run of the trainer whose averaged weights a new run begins with.
    pub begin_with: Option<PathBuf>,
    /// The options for a new run that the user has given, such as `--net`. In a folder with a run they mean nothing.
    pub given: Vec<&'static str>,
    /// The trainer's command, in the place of the one in the settings.
    pub trainer: Option<String>,
    /// The last generation, in the place of the one in the settings.
    pub generations: Option<u64>,
    /// Games at a time, in the place of the number in the settings.
    pub threads: Option<usize>,
    /// Only play.
    pub worker: bool,
    /// Games that a worker plays; `None` for no end.
    pub games: Option<u64>,
    /// No progress on standard error.
    pub quiet: bool,
}

/// The option that names the settings of a new run.
pub const PRESET: &str = "--preset";

/// The time between two looks of a worker for a run that nobody has begun yet.
const WAIT: Duration = Duration::from_secs(1);

/// Teaches until the last generation is judged, or plays as a worker.
///
/// # Errors
/// A message if the folder cannot be used, or if self-play, the trainer or a match fails. What is in the folder stays
/// whole.
pub fn run(options: &Options) -> Result<(), String> {
    let mut progress = Progress::start(options.quiet);
    if options.worker {
        return work(options, &mut progress);
    }
    let folder = Folder::make(&options.folder)?;
    let Some(_held) = folder.lock("teach.lock")? else {
        return Err(format!("{}: another process teaches in this folder", options.folder.display()));
    };
    // A trainer that cannot run shall not be noticed after thousands of games.
    let mut is_tried = false;
    if folder.is_begun() {
        let ignored = ignored(&folder, options);
        ignored.into_iter().for_each(|text| progress.say(&text));
    } else {
        begin(&folder, options, &mut progress)?;
        is_tried = true;
    }
    // The process before may have been ended between a judgement and its report.
    if !folder.judged()?.is_empty()
        && let Err(error) = report(&folder, options, &mut progress)
    {
        progress.warn(&format!("the report is not written: {error}"));
    }
    let mut plays = Plays::new();
    loop {
        let settings = settings(&folder, options)?;
        let made = folder.made()?;
        let judged = folder.judged()?;
        let newest = made.last();
        match newest {
            Some(made) if !judged.iter().any(|judged| judged.generation == made.generation) => {
                let before = folder.standing_before(made.generation, settings.generations.gate)?;
                let judged = judge::judge(&folder, &settings, (made.generation, before), &mut progress)?;
                folder.write_json(&format!("judged/{}.json", number(made.generation)), &judged)?;
                report(&folder, options, &mut progress)?;
                continue;
            }
            _ => {}
        }
        let round = newest.map_or(0, |made| made.generation);
        if settings.generations.last > 0 && round >= settings.generations.last {
            return Ok(());
        }
        if !std::mem::replace(&mut is_tried, true) {
            trainer::try_out(&settings, &mut progress)?;
        }
        next(&folder, &settings, newest, &mut plays, &mut progress)?;
    }
}

/// What is said of options for a new run that mean nothing in this folder.
fn ignored(folder: &Folder, options: &Options) -> Option<String> {
    let path = folder.at("teach.toml");
    // The same command goes on with a run, so the settings of the folder are often those of the option.
    let is_same = std::fs::read_to_string(&path).is_ok_and(|text| text == options.settings);
    let counts = |name: &str| if name == PRESET { is_same } else { !folder.is_begun() };
    let given: Vec<&str> = options.given.iter().copied().filter(|name| !counts(name)).collect();
    let verb = if given.len() == 1 { "is for a new run, and means" } else { "are for a new run, and mean" };
    let (last, others) = given.split_last()?;
    let names = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
    Some(format!("{names} {verb} nothing in this folder; its settings are in {}", path.display()))
}

/// Begins a run in an empty folder. What can go wrong is tried first, since the settings stay in the folder.
fn begin(folder: &Folder, options: &Options, progress: &mut Progress) -> Result<(), String> {
    let settings = match folder.at("teach.toml").exists() {
        true => {
            ignored(folder, options).into_iter().for_each(|text| progress.say(&text));
            Settings::read(&folder.at("teach.toml"))?
        }
        false => Settings::parse(&options.settings)?,
    };
    let shape = |name: &str| settings.trainer.net.get(name).and_then(toml::Value::as_integer);
    let shape = |name: &str| shape(name).and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    let net = match &options.net {
        Some(NetChoice::Without) => FirstNet::None,
        Some(NetChoice::Shipped) => FirstNet::Shipped,
        Some(NetChoice::File(path)) => FirstNet::File(path.clone()),
        None => {
            // What a description of a net allows, and no more: the numbers come from a file.
            let (blocks, channels) = (shape("blocks"), shape("channels"));
            if !(1..=64).contains(&blocks) || !(32..=256).contains(&channels) || !channels.is_multiple_of(32) {
                return Err("trainer.net: blocks must be 1 to 64, channels a multiple of 32 up to 256".into());
            }
            FirstNet::Random { blocks, channels, seed: settings.games.seed }
        }
    };
    let start = net.start(options.begin_with.as_deref())?;
    let settings = under(options, settings);
    trainer::try_out(&settings, progress)?;
    if let Some(path) = &options.begin_with {
        folder.copy_state(path)?;
        trainer::try_begin(folder, &settings)?;
    }
    folder.begin(&options.settings, &start)
}

/// The settings in the folder, with what the command line says over them.
fn settings(folder: &Folder, options: &Options) -> Result<Settings, String> {
    Ok(under(options, Settings::read(&folder.at("teach.toml"))?))
}

/// Settings with what the command line says over them.
fn under(options: &Options, mut settings: Settings) -> Settings {
    if let Some(trainer) = &options.trainer {
        settings.trainer.command.clone_from(trainer);
    }
    if let Some(last) = options.generations {
        settings.generations.last = last;
    }
    if let Some(threads) = options.threads {
        settings.games.threads = threads;
    }
    settings
}

/// Makes the next generation: plays what is missing, then learns.
fn next(
    folder: &Folder,
    settings: &Settings,
    newest: Option<&Made>,
    plays: &mut Plays,
    progress: &mut Progress,
) -> Result<(), String> {
    let started = Instant::now();
    let generation = newest.map_or(0, |made| made.generation) + 1;
    let adopted = store::adopt(folder, &plays.writer)?;
    if adopted > 0 {
        progress.say(&match adopted {
            1 => "1 file of a process that is gone was finished".to_owned(),
            adopted => format!("{adopted} files of processes that are gone were finished"),
        });
    }
    let standing = folder.standing(settings.generations.gate)?;
    let wanted = settings.games_before(generation, newest.map_or(0, |made| made.games));
    plays.play(folder, settings, standing, Until::Games(wanted), progress)?;
    store::adopt(folder, &plays.writer)?;
    let counts = plays.counts(folder)?;
    let play_seconds = started.elapsed().as_secs_f64();
    let made = trainer::make(folder, settings, (generation, newest), counts, progress)?;
    let playouts = written(folder)?.iter().map(|writer| writer.playouts).sum();
    let made = Made { playouts, play_seconds, at: now(), ..made };
    folder.write_json(&format!("generations/{}.json", number(generation)), &made)
}

/// What all processes that play have done.
fn written(folder: &Folder) -> Result<Vec<Written>, String> {
    let paths = folder.list("writers")?;
    paths.iter().filter_map(|path| folder.read_json(&format!("writers/{}", name_of(path))).transpose()).collect()
}

/// Plays as a worker, with each net from the moment in which it is there.
fn work(options: &Options, progress: &mut Progress) -> Result<(), String> {
    // Nothing is made here before somebody has begun the run.
    let mut has_told = false;
    while !options.folder.join("start.json").exists() {
        if !has_told {
            progress.warn(&format!("waits until a run begins in {}", options.folder.display()));
            has_told = true;
        }
        std::thread::sleep(WAIT);
    }
    let folder = Folder::make(&options.folder)?;
    let mut plays = Plays::new();
    loop {
        let settings = settings(&folder, options)?;
        let standing: Standing = folder.standing(settings.generations.gate)?;
        let is_over = settings.generations.last > 0 && standing.round >= settings.generations.last;
        let played = plays.sums.games + plays.sums.dropped;
        if is_over || options.games.is_some_and(|games| played >= games) {
            return Ok(());
        }
        plays.play(&folder, &settings, standing, Until::News(options.games), progress)?;
    }
}

/// Rates all nets, keeps the best one under its name, and writes the page.
fn report(folder: &Folder, options: &Options, progress: &mut Progress) -> Result<(), String> {
    let (made, judged) = (folder.made()?, folder.judged()?);
    let matches: Vec<Met> = judged.iter().flat_map(|judged| judged.matches.iter().cloned()).collect();
    let anchor = judge::player_name(folder, 0)?;
    // Without a match against the first net, the oldest one is what the others are compared with.
    let is_known = |name: &str| matches.iter().any(|met| met.a == name || met.b == name);
    let anchor = match (is_known(judge::NO_NET), is_known(&anchor)) {
        (true, _) => judge::NO_NET.to_owned(),
        (false, true) => anchor,
        _ => net_name(1),
    };
    let ratings = rating::ratings(&matches, &anchor);
    let of = |generation: u64| ratings.iter().find(|rating| rating.name == net_name(generation));
    let rated = made.iter().filter_map(|made| Some((made.generation, of(made.generation)?.elo)));
    let best = rated.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(generation, _)| generation);
    if let Some(best) = best {
        let path = folder.weights(best);
        let bytes = std::fs::read(&path).map_err(|error| folder::at(&path, &error))?;
        folder.write("best.kosunet", &bytes)?;
    }
    let writers = written(folder)?;
    let findings = Findings { made: &made, judged: &judged, ratings: &ratings, best, writers: &writers };
    let name = std::path::absolute(&options.folder).unwrap_or_else(|_| options.folder.clone());
    report::write(folder, &name_of(&name), &findings)?;
    if let Some(made) = made.last() {
        let text = standing_text(made, of(made.generation), &anchor, best);
        progress.say(&text);
        progress.set_standing(short_standing(made, of(made.generation)));
    }
    Ok(())
}

/// What is said of the newest net in every line.
fn short_standing(made: &Made, rating: Option<&Rating>) -> String {
    let losses = made.losses.get("policy").zip(made.losses.get("result"));
    let losses = losses.map_or(String::new(), |(policy, result)| format!(", loss {policy:.2} + {result:.2}"));
    let rating = rating.map_or(String::new(), |rating| format!(", Elo {:+.0} ± {:.0}", rating.elo, rating.margin));
    format!("net {}{losses}{rating}", made.generation)
}

/// What is said of a new net.
fn standing_text(made: &Made, rating: Option<&Rating>, anchor: &str, best: Option<u64>) -> String {
    let mut text = format!("net {}: {} games, {} rows, step {}", made.generation, made.games, made.rows, made.steps);
    for name in ["policy", "result"] {
        if let Some(loss) = made.losses.get(name) {
            text += &format!(", {name} loss {loss:.3}");
        }
    }
    if let Some(rating) = rating {
        text += &format!(", Elo {:+.0} ± {:.0} ({anchor} is 0)", rating.elo, rating.margin);
    }
    if let Some(best) = best {
        text += &format!(", the best is net {best}");
    }
    text
}
