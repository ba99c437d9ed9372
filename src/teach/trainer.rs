//! The trainer as a process of its own: from the rows in the folder to the weights of the next generation.
//!
//! The trainer holds the lock `trainer/lock` as its standard input. So the lock lives as long as the trainer does, also
//! when this process is killed. A run that is started again waits until the trainer of the earlier one has ended.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use toml::Table;

use super::folder::{BEGIN_WITH, Counts, Folder, at, number};
use super::progress::Progress;
use super::record::Made;
use super::settings::Settings;
use crate::net::Net;

/// The time between two looks at a trainer at work.
const LOOK: Duration = Duration::from_millis(200);

/// How the window grows with the rows: as KataGo's, N·(1 + β·((rows/N)^α − 1)/α) with α = 0.75 and β = 0.4 (Wu 2019).
const WINDOW_POWER: f64 = 0.75;
const WINDOW_SCALE: f64 = 0.4;

/// Rows of the window if it has this many at the least, and there are so many rows. 0 is all rows.
pub(super) fn window(least: u64, rows: u64) -> u64 {
    if least == 0 || rows <= least {
        return least;
    }
    let ratio = rows as f64 / least as f64;
    (least as f64 * (1.0 + WINDOW_SCALE * (ratio.powf(WINDOW_POWER) - 1.0) / WINDOW_POWER)) as u64
}

/// Steps from the first one to the end of a generation that begins with so many rows.
fn steps(settings: &Settings, rows: u64, before: u64) -> u64 {
    let trainer = &settings.trainer;
    ((trainer.reuse * rows as f64) as u64 / trainer.batch).max(before + 1)
}

/// Makes the net of a generation: learns, writes the weights, and gives them their name.
///
/// # Errors
/// A message if the trainer cannot be started or fails.
pub(super) fn make(
    folder: &Folder,
    settings: &Settings,
    (generation, last): (u64, Option<&Made>),
    counts: Counts,
    progress: &mut Progress,
) -> Result<Made, String> {
    let started = Instant::now();
    let before = last.map_or(0, |made| made.steps);
    let steps = steps(settings, counts.rows, before);
    let window = window(settings.trainer.window, counts.rows);
    folder.write("trainer/config.toml", config(settings, steps, before, window)?.as_bytes())?;
    let state = folder.at("trainer");
    let mut learn = words(settings)?;
    learn.push("train".into());
    learn.extend(settings.trainer.arguments.iter().cloned());
    let path = |path: PathBuf| path.display().to_string();
    learn.extend(["--state".into(), path(state.clone()), "--config".into(), path(state.join("config.toml"))]);
    learn
        .extend(["--stop-after", &steps.to_string(), "--measure-steps", "0", "--line-seconds", "2"].map(str::to_owned));
    if let Some(weights) = folder.start()?.begin_with {
        learn.extend(["--begin-with".into(), path(folder.at(&weights.display().to_string()))]);
    }
    if counts.held > 0 {
        learn.extend(["--held-out".into(), path(folder.at("held-out"))]);
    }
    // Before `--`, an option with several values would take the rows, too.
    learn.extend(["--".into(), path(folder.at("rows"))]);
    run(folder, &learn, progress, generation)?;
    let made_at = folder.at(&format!("trainer/{}.kosunet", number(generation)));
    let mut export = words(settings)?;
    export.extend(["export".into(), path(state), "--out".into(), path(made_at.clone())]);
    export.extend(["--name".into(), format!("taught-{}", number(generation))]);
    export.extend(["--data".into(), format!("{} own games, {} rows", counts.games, counts.rows), "--rules".into()]);
    let mut rules = settings.games.rules.clone();
    rules.sort();
    rules.dedup();
    export.extend(rules);
    run(folder, &export, progress, generation)?;
    let bytes = fs::read(&made_at).map_err(|error| at(&made_at, &error))?;
    Net::from_bytes(&bytes).map_err(|error| at(&made_at, &error))?;
    folder.write(&format!("nets/{}.kosunet", number(generation)), &bytes)?;
    let _ = fs::remove_file(&made_at);
    let (losses, held_out) = logged(folder)?;
    Ok(Made {
        generation,
        games: counts.games,
        rows: counts.rows,
        steps,
        samples: steps * settings.trainer.batch,
        window,
        losses,
        held_out,
        train_seconds: started.elapsed().as_secs_f64(),
        ..Made::default()
    })
}

/// The words of the trainer's command.
fn words(settings: &Settings) -> Result<Vec<String>, String> {
    let words = shlex::split(&settings.trainer.command).filter(|words| !words.is_empty());
    words.ok_or_else(|| "trainer.command must be a program and its arguments, quotes in pairs".into())
}

/// The trainer's own file of settings.
fn config(settings: &Settings, steps: u64, before: u64, window: u64) -> Result<String, String> {
    let trainer = &settings.trainer;
    let mut learning = trainer.learning.clone();
    let new = (steps - before) as f64;
    let whole = |number: u64| i64::try_from(number).map_err(|error| error.to_string());
    learning.insert("batch".into(), whole(trainer.batch)?.into());
    learning.insert("steps".into(), whole(steps)?.into());
    // The trainer takes a share of all steps, also of those of earlier generations.
    learning.insert("quantized_share".into(), (trainer.rounded_share * new / steps as f64).into());
    let mut data = Table::new();
    data.insert("window".into(), whole(window)?.into());
    let shares = trainer.shares.iter().map(|(size, &share)| (size.clone(), share.into()));
    data.insert("shares".into(), toml::Value::Table(shares.collect()));
    let groups = [("net", trainer.net.clone()), ("loss", trainer.loss.clone()), ("learning", learning), ("data", data)];
    let table: Table = groups.into_iter().map(|(name, group)| (name.to_owned(), toml::Value::Table(group))).collect();
    toml::to_string(&table).map_err(|error| error.to_string())
}

/// What is said where the trainer cannot run.
const HINT: &str = "docs/training.md says how to install the trainer";

/// What Python says where the trainer is not installed.
const NOT_INSTALLED: &str = "No module named kosumi_training";

/// Lets the trainer show its help, which shows that it can run.
///
/// # Errors
/// A message if it cannot.
pub(super) fn try_out(settings: &Settings, progress: &mut Progress) -> Result<(), String> {
    progress.trying(&settings.trainer.command);
    tried(settings, &["--help".into()])
}

/// Asks the trainer whether a run with these settings can begin with what was copied into the folder.
///
/// # Errors
/// A message if it cannot, as with settings of a smaller shape.
pub(super) fn try_begin(folder: &Folder, settings: &Settings) -> Result<(), String> {
    folder.write("trainer/config.toml", config(settings, 1, 0, 0)?.as_bytes())?;
    let path = |name: &str| folder.at(name).display().to_string();
    tried(settings, &["can-begin".into(), path(BEGIN_WITH), "--config".into(), path("trainer/config.toml")])
}

/// Runs the trainer, which shall say yes.
fn tried(settings: &Settings, arguments: &[String]) -> Result<(), String> {
    let words = words(settings)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(arguments).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("{}: {error}; {HINT}", words[0]))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.trim().lines().rev().take(LAST_LINES).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    let command = &settings.trainer.command;
    let (status, last) = (output.status, last.join("\n"));
    Err(match arguments {
        [help] => format!("{command} {help}: the trainer cannot run ({status}); {HINT}. It said:\n{last}"),
        _ => format!("{command} {}: {status}. It said:\n{last}", arguments.join(" ")),
    })
}

/// Lines that are shown of what a trainer says that cannot run. (A guess: the reason stands in the last ones.)
const LAST_LINES: usize = 10;

/// A trainer that is ended when nobody waits for it any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended, or an error ends this process.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a command of the trainer to its end.
fn run(folder: &Folder, words: &[String], progress: &mut Progress, generation: u64) -> Result<(), String> {
    let lock = loop {
        match folder.lock("trainer/lock")? {
            Some(lock) => break lock,
            None => {
                progress.training(generation, "waits for the trainer of an earlier start");
                std::thread::sleep(LOOK);
            }
        }
    };
    let output_path = folder.at("trainer/output.log");
    let open = |path| OpenOptions::new().create(true).append(true).open(path);
    let output = open(&output_path).map_err(|error| at(&output_path, &error))?;
    let begin = output.metadata().map_or(0, |about| about.len());
    let copy = output.try_clone().map_err(|error| at(&output_path, &error))?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::from(lock)).stdout(copy).stderr(output);
    let child = command.spawn().map_err(|error| format!("{}: {error}; {HINT}", words[0]))?;
    // The command holds a copy of the lock; with it, the lock would outlive the trainer.
    drop(command);
    let mut running = Running(child);
    loop {
        if let Some(status) = running.0.try_wait().map_err(|error| error.to_string())? {
            if status.success() {
                return Ok(());
            }
            let said = tail(&output_path, begin);
            let hint = if said.contains(NOT_INSTALLED) { format!("\n{HINT}") } else { String::new() };
            let place = output_path.display();
            return Err(format!("the trainer failed ({status}); {place} has all of it:\n{said}{hint}"));
        }
        if let Some(line) = tail(&output_path, begin).lines().last() {
            progress.training(generation, line);
        }
        std::thread::sleep(LOOK);
    }
}

/// The last lines of a file after its first bytes.
fn tail(path: &std::path::Path, begin: u64) -> String {
    use std::io::{Read, Seek, SeekFrom};
    const MOST: u64 = 2000;
    let mut text = Vec::new();
    let _ = File::open(path).and_then(|mut file| {
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(begin.max(end.saturating_sub(MOST))))?;
        file.read_to_end(&mut text)
    });
    String::from_utf8_lossy(&text).trim().to_owned()
}

type Figures = BTreeMap<String, BTreeMap<String, f64>>;

/// The last losses and the last figures on held-out rows in the trainer's log.
fn logged(folder: &Folder) -> Result<(BTreeMap<String, f64>, Figures), String> {
    let path = folder.at("trainer/log.jsonl");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Default::default()),
        Err(error) => return Err(at(&path, &error)),
    };
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let last = |name: &str| lines.iter().rev().find_map(|line| line.get(name)).cloned().unwrap_or_default();
    let numbers = |value: &Value| -> BTreeMap<String, f64> {
        let entries = value.as_object().into_iter().flatten();
        entries.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
    };
    let figures = last("held_out");
    let by_size = figures.as_object().into_iter().flatten().map(|(size, values)| (size.clone(), numbers(values)));
    Ok((numbers(&last("losses")), by_size.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::settings::preset;

    #[test]
    fn the_window_grows_more_slowly_than_the_rows() {
        assert_eq!(window(0, 1_000_000), 0);
        assert_eq!(window(250_000, 100_000), 250_000);
        assert_eq!(window(250_000, 250_000), 250_000);
        // 16 times the rows: 1 + 0.4·(16^0.75 − 1)/0.75 = 4.73.
        assert_eq!(window(250_000, 4_000_000), 1_183_333);
    }

    #[test]
    fn the_last_steps_of_a_generation_are_rounded() {
        let mut settings = Settings::parse(preset("teach-5x5").expect("a preset")).expect("settings");
        settings.trainer.rounded_share = 0.25;
        let table: Table = config(&settings, 1000, 600, 5).expect("a text").parse().expect("TOML");
        let learning = table["learning"].as_table().expect("a group");
        // A quarter of the 400 new steps are the last 100 of all 1000.
        assert_eq!(learning["quantized_share"].as_float(), Some(0.1));
        assert_eq!(learning["steps"].as_integer(), Some(1000));
        assert_eq!(table["data"]["window"].as_integer(), Some(5));
    }

    #[test]
    fn each_row_pays_for_its_samples() {
        let mut settings = Settings::parse(preset("teach-5x5").expect("a preset")).expect("settings");
        (settings.trainer.reuse, settings.trainer.batch) = (4.0, 100);
        assert_eq!(steps(&settings, 5000, 0), 200);
        assert_eq!(steps(&settings, 5000, 200), 201, "a generation has a step at the least");
    }
}
