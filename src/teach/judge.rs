//! The judge: each new net plays the one before and opponents that stay, and answers the positions of `exam`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::exam;
use super::folder::{Folder, number};
use super::progress::Progress;
use super::record::{Judged, Met, net_name};
use super::settings::{self, Settings};
use crate::clock::TimeControl;
use crate::go::{MIN_SIZE, Ruleset};
use crate::matches::player::Player;
use crate::matches::storage::Storage;
use crate::matches::{self, Counting, EngineCommand, OpeningSource};
use crate::net::nets::NetChoice;
use crate::time::TimeSource;

/// An engine that does not answer within this time hangs. As for `kosumi match`.
const HANG: Duration = Duration::from_secs(120);

/// MiB for the tree of an engine.
const MEMORY: u32 = 32;

/// The name of the opponent without a net of its own, if the run begins without one.
pub(super) const NO_NET: &str = "no net";

/// The name of a generation's player in tables: generation 0 of a run that begins without a net is the engine without
/// one.
pub(super) fn player_name(folder: &Folder, generation: u64) -> Result<String, String> {
    Ok(match generation {
        0 if folder.start()?.net == "none" => NO_NET.into(),
        _ => net_name(generation),
    })
}

/// Judges a generation. What was played before an interruption is kept.
///
/// # Errors
/// A message if a match cannot be played.
pub(super) fn judge(
    folder: &Folder,
    settings: &Settings,
    (generation, before): (u64, u64),
    progress: &mut Progress,
) -> Result<Judged, String> {
    let started = Instant::now();
    let judge = &settings.judge;
    let mut met = Vec::new();
    let mut accepted = true;
    let ours = engine(folder, settings, generation)?;
    if judge.games > 0 {
        let opponent = player_name(folder, before)?;
        progress.judging(generation, &games_against(judge, judge.games, &opponent));
        let theirs = engine(folder, settings, before)?;
        let played = play(folder, settings, generation, &opponent, [ours.clone(), theirs], judge.games, progress)?;
        accepted =
            settings.generations.gate <= 0.0 || played.score().is_some_and(|score| score >= settings.generations.gate);
        met.push(played);
    }
    for opponent in &judge.opponents {
        let is_due = (generation - 1).is_multiple_of(opponent.every);
        let known = met.iter().any(|met| met.b == opponent.name);
        if opponent.games == 0 || !is_due || known {
            continue;
        }
        let command = opponent.command.replace("{kosumi}", &program()?);
        let command: EngineCommand = command.parse().map_err(|error| format!("{}: {error}", opponent.name))?;
        if !is_found(&command) {
            progress.say(&format!("{} is not here: {}", opponent.name, command.text()));
            continue;
        }
        progress.judging(generation, &games_against(judge, opponent.games, &opponent.name));
        let engines = [ours.clone(), command];
        // A program that is here may still not play: without its net, with options of another version, without memory.
        if let Err(error) = try_opponent(settings, generation, &engines) {
            progress.warn(&format!("{} is left out: {error}", opponent.name));
            continue;
        }
        met.push(play(folder, settings, generation, &opponent.name, engines, opponent.games, progress)?);
    }
    progress.judging(generation, "positions with known answers");
    let largest = settings.games.sizes.iter().copied().max().unwrap_or(0);
    let exam = exam::examine(&folder.nets(generation)?, largest, judge.exam_playouts)?;
    Ok(Judged { generation, accepted, matches: met, exam, seconds: started.elapsed().as_secs_f64() })
}

/// What is said of a match.
fn games_against(judge: &settings::Judge, games: u32, opponent: &str) -> String {
    format!("{} games against {opponent}", games as usize * judge.size.all().len())
}

/// Starts the second of two engines as a match does, and ends it.
fn try_opponent(settings: &Settings, generation: u64, engines: &[EngineCommand; 2]) -> Result<(), String> {
    let size = settings.judge.size.all().first().copied().unwrap_or(MIN_SIZE);
    let setting = match_settings(settings, generation, engines.clone(), 1, (size, PathBuf::new()))?;
    Player::start(&engines[1], 1, &setting).map(drop)
}

/// This program, quoted for a command.
fn program() -> Result<String, String> {
    let path = std::env::current_exe().map_err(|error| format!("where this program lies is not known: {error}"))?;
    quoted(&path)
}

fn quoted(path: &Path) -> Result<String, String> {
    let text = path.to_str().ok_or_else(|| format!("{}: a name that is no UTF-8", path.display()))?;
    shlex::try_quote(text).map(|text| text.into_owned()).map_err(|error| format!("{text}: {error}"))
}

/// The command of the engine with the net of a generation.
fn engine(folder: &Folder, settings: &Settings, generation: u64) -> Result<EngineCommand, String> {
    let net = match folder.choice(generation)? {
        NetChoice::Without => "none".into(),
        NetChoice::Shipped => "shipped".into(),
        NetChoice::File(path) => quoted(&std::path::absolute(&path).unwrap_or(path))?,
    };
    let judge = &settings.judge;
    let mut command = format!(
        "{} gtp --no-config --net {net} --threads 1 --memory {MEMORY} --playouts {} --seed {{game}}",
        program()?,
        judge.playouts
    );
    for (name, value) in &judge.set {
        command += &format!(" --set {name}={value}");
    }
    command.parse()
}

/// Is the program of a command here?
fn is_found(command: &EngineCommand) -> bool {
    let Some(program) = command.words(1).into_iter().next() else { return false };
    if program.contains(std::path::MAIN_SEPARATOR) || program.contains('/') {
        return Path::new(&program).is_file();
    }
    let places = std::env::var_os("PATH").unwrap_or_default();
    let names = [program.clone(), program + std::env::consts::EXE_SUFFIX];
    std::env::split_paths(&places).any(|place| names.iter().any(|name| place.join(name).is_file()))
}

/// Plays a match on each size of the judge, and adds up the results.
fn play(
    folder: &Folder,
    settings: &Settings,
    generation: u64,
    opponent: &str,
    engines: [EngineCommand; 2],
    games: u32,
    progress: &mut Progress,
) -> Result<Met, String> {
    let word = settings::folder_word(opponent);
    let mut met = Met { a: player_name(folder, generation)?, b: opponent.into(), wins: 0, draws: 0, losses: 0 };
    for (place, &size) in settings.judge.size.all().iter().enumerate() {
        let on_size = if place == 0 { String::new() } else { format!("-{size}x{size}") };
        let output = folder.at(&format!("matches/{}-{word}{on_size}", number(generation)));
        let setting = match_settings(settings, generation, engines.clone(), games, (size, output.clone()))?;
        // The settings of the judge may change between two starts. The games of a match that had begun count no more.
        if Storage::holds_another(&output, &setting.identity())? {
            progress.say(&format!("the match against {opponent} begins again: its settings are others now"));
            std::fs::remove_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
        }
        let (summary, error) = matches::play(&setting)?;
        if let Some(error) = error {
            return Err(format!("the match against {opponent}: {error}"));
        }
        let [a, b] = &summary.engines;
        met.wins += a.wins;
        met.draws += summary.draws;
        met.losses += b.wins;
    }
    Ok(met)
}

/// A match on one size. Games that are known from before are not played again.
fn match_settings(
    settings: &Settings,
    generation: u64,
    engines: [EngineCommand; 2],
    games: u32,
    (size, output): (usize, PathBuf),
) -> Result<matches::Settings, String> {
    let judge = &settings.judge;
    let plies = judge.random_openings;
    Ok(matches::Settings {
        engines,
        a_is_black: false,
        size: size.into(),
        komi: Some(settings::komi(judge.komi)?),
        rules: Ruleset::default(),
        openings: if plies > 0 { OpeningSource::Random { plies } } else { OpeningSource::Empty },
        seed: generation,
        clock: TimeControl::Unlimited,
        move_time: None,
        margin: Duration::from_millis(500),
        hang: HANG,
        games: games as usize,
        concurrency: settings.threads(),
        max_moves: 3 * size * size,
        counting: Counting::Judged,
        referee: None,
        sprt: None,
        output: Some(output),
        quiet: true,
        json: false,
        time: TimeSource::system(),
        stop: Arc::default(),
    })
}

/// Points per game of each generation against each opponent that stays, for the curves.
pub(super) fn by_opponent(judged: &[Judged]) -> BTreeMap<String, Vec<(u64, f64)>> {
    let mut scores: BTreeMap<String, Vec<(u64, f64)>> = BTreeMap::new();
    for judged in judged {
        for met in judged.matches.iter().filter(|met| !met.b.starts_with("net ")) {
            if let Some(score) = met.score() {
                scores.entry(met.b.clone()).or_default().push((judged.generation, score));
            }
        }
    }
    scores
}
