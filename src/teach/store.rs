//! Games on their way into the folder. Each process writes files of its own; their names hold the host, the process and
//! a random number, so they never clash. A game is added to a file in progress with one write of its rows.
//!
//! The process that writes a file holds its lock. The lock goes when the process goes, however that happens. A file
//! without a lock is then finished by whoever looks next, so a killed process loses the games that it was playing and
//! nothing else. Locks between machines are not to be trusted on every network drive. So a file from another machine is
//! finished only if nobody has written to it for [`IDLE`].

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::folder::{Folder, Standing, at, name_of, number};
use super::record::{Written, now};
use crate::dataset::row::Rows;
use crate::selfplay::Finished;

/// A file in progress of another machine is given up when nobody has written to it for so long. A guess: no game takes
/// an hour.
const IDLE: Duration = Duration::from_secs(3600);

/// Ends of names of files in progress.
const ROWS_PART: &str = ".rows.part";
const GAMES_PART: &str = ".sgf.part";

/// What stands between two games in a file.
const BETWEEN: &[u8] = b"\n)\n";

/// Who writes: host, process and a random number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Writer {
    pub name: String,
    host: String,
    /// The random number, from which the seed of the games is made.
    pub random: u64,
}

impl Writer {
    /// This process.
    pub(super) fn here() -> Writer {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).or_else(|| std::env::var("HOSTNAME").ok());
        // Words of names are parted by hyphens. `ip-10-0-1-23` and `ip-10-0-12-3` have to stay two hosts.
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut host: String = host.unwrap_or_default().trim().chars().map(word).take(64).collect();
        if host.is_empty() {
            host = "host".into();
        }
        // The standard library seeds its hashes from the system's random numbers.
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(now());
        let random = hasher.finish();
        let process = std::process::id();
        Writer { name: format!("{host}-{process}-{random:016x}"), host, random }
    }
}

/// A file in progress.
#[derive(Debug)]
struct Part {
    /// Path without the end of the name.
    stem: PathBuf,
    rows: File,
    games: File,
    count: u64,
    is_held: bool,
}

impl Part {
    /// Adds a game, whole or not at all: what a full disk cut off is taken back.
    fn write(&mut self, game: &Finished) -> std::io::Result<()> {
        let before = (self.games.stream_position()?, self.rows.stream_position()?);
        let games = (game.sgf.clone() + "\n").into_bytes();
        // On the disk before the next game: a machine that is gone loses no finished game.
        let written = (self.games.write_all(&games))
            .and_then(|()| self.rows.write_all(&game.rows))
            .and_then(|()| self.games.sync_data())
            .and_then(|()| self.rows.sync_data());
        if written.is_err() {
            for (file, end) in [(&mut self.games, before.0), (&mut self.rows, before.1)] {
                file.set_len(end)?;
                file.seek(SeekFrom::Start(end))?;
            }
        } else {
            self.count += 1;
        }
        written
    }
}

/// Writes the games of this process.
#[derive(Debug)]
pub(super) struct Store<'a> {
    folder: &'a Folder,
    writer: &'a Writer,
    standing: Standing,
    file_games: u64,
    held_out_share: f64,
    /// By board size.
    parts: BTreeMap<usize, Part>,
    /// The sums over the games of this process, also of its earlier rounds.
    pub sums: Written,
    /// Files begun so far.
    begun: u64,
    /// Games in the files that this store has finished.
    finished: u64,
}

impl<'a> Store<'a> {
    /// A store for games of this round. `before` are the sums of the process so far, and its number of files.
    pub(super) fn new(
        folder: &'a Folder,
        writer: &'a Writer,
        standing: Standing,
        (file_games, held_out_share): (u64, f64),
        before: (Written, u64),
    ) -> Store<'a> {
        let (sums, begun) = before;
        let sums = Written { writer: writer.name.clone(), ..sums };
        Store { folder, writer, standing, file_games, held_out_share, parts: BTreeMap::new(), sums, begun, finished: 0 }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A message if it cannot be written, as when the disk is full.
    pub(super) fn add(&mut self, game: &Finished) -> Result<(), String> {
        let size = game.form.size();
        if !self.parts.contains_key(&size) {
            let part = self.begin(game)?;
            self.parts.insert(size, part);
        }
        let Some(part) = self.parts.get_mut(&size) else { return Ok(()) };
        part.write(game).map_err(|error| at(&with_end(&part.stem, ROWS_PART), &error))?;
        let tally = &game.tally;
        self.sums.games += tally.games;
        self.sums.dropped += tally.dropped;
        self.sums.rows += tally.rows;
        self.sums.playouts += tally.playouts;
        self.sums.moves += tally.moves;
        self.sums.black += tally.black;
        if part.count >= self.file_games
            && let Some(part) = self.parts.remove(&size)
        {
            self.finish(size, part)?;
        }
        Ok(())
    }

    fn begin(&mut self, game: &Finished) -> Result<Part, String> {
        let Standing { round, net } = self.standing;
        let name = format!("{}-{}-{}-{:05}", number(round), number(net), self.writer.name, self.begun);
        // Spread evenly over the files: with a share of 0.05, every twentieth file is one to measure with. Each writer
        // begins elsewhere, or many writers of few files would have none.
        let phase = self.writer.random as f64 / u64::MAX as f64;
        let share = |files: u64| (files as f64 * self.held_out_share + phase) as u64;
        let is_held = share(self.begun + 1) > share(self.begun);
        self.begun += 1;
        let size = game.form.size();
        let stem = self.folder.at("parts").join(format!("{name}-{}{size}x{size}", if is_held { "held-" } else { "" }));
        let open = |path: &Path| {
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
            file.map_err(|error| at(path, &error))
        };
        // Nobody sees the file before it is locked and has its head: until then its name begins with a point.
        let path = with_end(&stem, ROWS_PART);
        let hidden = path.with_file_name(format!(".{}", name_of(&path)));
        let mut rows = open(&hidden)?;
        rows.lock().map_err(|error| at(&hidden, &error))?;
        rows.write_all(&game.form.head()).map_err(|error| at(&hidden, &error))?;
        let games = open(&with_end(&stem, GAMES_PART))?;
        fs::rename(&hidden, &path).map_err(|error| at(&path, &error))?;
        Ok(Part { stem, rows, games, count: 0, is_held })
    }

    fn finish(&mut self, size: usize, part: Part) -> Result<(), String> {
        let error = |error: std::io::Error| at(&part.stem, &error);
        part.games.sync_all().and_then(|()| part.rows.sync_all()).map_err(error)?;
        place(self.folder, &part.stem, (part.count, size), part.is_held).map_err(error)?;
        self.finished += part.count;
        self.tell()
    }

    /// Games in the files that this store has finished.
    pub(super) fn finished(&self) -> u64 {
        self.finished
    }

    /// Writes the sums of this process.
    pub(super) fn tell(&mut self) -> Result<(), String> {
        self.sums.at = now();
        self.folder.write_json(&format!("writers/{}.json", self.writer.name), &self.sums)
    }

    /// Finishes all files. Returns what the next store goes on with.
    ///
    /// # Errors
    /// A message if that cannot be done.
    pub(super) fn close(mut self) -> Result<(Written, u64), String> {
        for (size, part) in std::mem::take(&mut self.parts) {
            self.finish(size, part)?;
        }
        self.tell()?;
        Ok((self.sums, self.begun))
    }
}

/// A path with this end added to its name. (`with_extension` would take a part of the name away.)
fn with_end(stem: &Path, end: &str) -> PathBuf {
    stem.with_file_name(name_of(stem) + end)
}

/// Gives finished files their names: the games first, then the rows, because rows are what counts.
fn place(folder: &Folder, stem: &Path, (games, size): (u64, usize), is_held: bool) -> std::io::Result<()> {
    let name = name_of(stem);
    let name = name.trim_end_matches(&format!("{size}x{size}")).trim_end_matches("held-").to_owned();
    let name = format!("{name}{games}g-{size}x{size}");
    let rows = if is_held { "held-out" } else { "rows" };
    fs::rename(with_end(stem, GAMES_PART), folder.at("games").join(format!("{name}.sgf")))
        .or_else(|error| if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
    fs::rename(with_end(stem, ROWS_PART), folder.at(rows).join(format!("{name}.rows")))
}

/// Finishes the files of processes that are gone. Returns how many there were.
///
/// # Errors
/// A message if a file cannot be read or written.
pub(super) fn adopt(folder: &Folder, here: &Writer) -> Result<usize, String> {
    let mut adopted = 0;
    for path in folder.list("parts")? {
        let name = name_of(&path);
        if let Some(stem) = name.strip_suffix(ROWS_PART) {
            let stem = path.with_file_name(stem);
            adopted += usize::from(adopt_one(folder, here, &path, &stem).map_err(|error| at(&path, &error))?);
        }
    }
    Ok(adopted)
}

fn adopt_one(folder: &Folder, here: &Writer, path: &Path, stem: &Path) -> std::io::Result<bool> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        // Its writer has finished it in this moment, or somebody else has.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // The third word of the name is the host.
    let is_ours = name_of(path).split('-').nth(2) == Some(&here.host);
    let idle = SystemTime::now().duration_since(file.metadata()?.modified()?).unwrap_or_default();
    if file.try_lock().is_err() || !is_ours && idle < IDLE || !path.exists() {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let Ok(rows) = Rows::open(&bytes) else {
        // A machine lost its power before the head was on the disk. Nothing can be made of it.
        fs::rename(path, path.with_extension("damaged"))?;
        return Ok(false);
    };
    file.set_len(rows.sound_bytes() as u64)?;
    file.sync_all()?;
    // The game that was being written may be cut off.
    let games_path = with_end(stem, GAMES_PART);
    let text = fs::read(&games_path).unwrap_or_default();
    let ends: Vec<usize> =
        text.windows(BETWEEN.len()).enumerate().filter(|(_, w)| *w == BETWEEN).map(|(i, _)| i).collect();
    if let Ok(games) = OpenOptions::new().write(true).open(&games_path) {
        games.set_len(ends.last().map_or(0, |end| (end + BETWEEN.len()) as u64))?;
    }
    let is_held = name_of(stem).contains("-held-");
    let games = ends.len().max(rows.games());
    place(folder, stem, (games as u64, rows.form().size()), is_held)?;
    Ok(true)
}
