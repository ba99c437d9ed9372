//! Self-play: games of the engine's own searches become training rows.
//!
//! `settings` says what is played. `player` plays one game, with `choice` and `gumbel` for its moves, `ending` for its
//! end. `folder` holds the files, `tally` the sums and `progress` the line on the terminal.
//! This file runs several games at a time; `stream` does it for a caller who keeps the games. `dataset` makes the rows.
//! `docs/training.md` says how to use the rows.

mod choice;
mod ending;
mod folder;
mod gumbel;
mod player;
mod progress;
mod settings;
mod stream;
mod tally;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use serde_json::json;

use crate::dataset::RowOptions;
use folder::{Folder, Part};
use player::{Played, Player};
use progress::Progress;
pub use settings::{MOST_ENTRIES, Settings, Variety};
pub use stream::{Finished, stream};
pub use tally::Tally;

/// Plays the games that are missing in the folder, and writes them and their rows. Returns the sums over these games.
///
/// # Errors
/// A message if the folder cannot be used or a search fails. The complete files stay.
///
/// # Panics
/// If there are no sizes or no rules, or a size is out of range.
pub fn run(settings: &Settings) -> Result<Tally, String> {
    let folder = Folder::open(&settings.folder, &settings.identity())?;
    let first = folder.next();
    let progress = Progress::start(settings, first);
    let next = AtomicU64::new(first);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..settings.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(settings, next, &sender));
        }
        drop(sender);
        let mut writer = Writer { settings, folder: &folder, part: None, tally: Tally::default(), progress };
        let mut waiting = BTreeMap::new();
        let mut expected = first;
        // When this loop ends early, nobody listens any more, and the threads end after their games.
        for (number, played) in receiver {
            waiting.insert(number, played?);
            while let Some(played) = waiting.remove(&expected) {
                writer.add(expected, played)?;
                expected += 1;
            }
        }
        writer.progress.finish(&writer.tally);
        Ok(writer.tally)
    })
}

/// A finished game and its number, or why there is none.
type Message = (u64, Result<Played, String>);

/// A thread: plays games as long as games are missing and somebody listens.
fn work(settings: &Settings, next: &AtomicU64, sender: &mpsc::Sender<Message>) {
    let mut player = Player::new(settings);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= settings.games {
            return;
        }
        let played = match &mut player {
            Ok(player) => player.play(number).map_err(|error| error.to_string()),
            Err(error) => Err(error.clone()),
        };
        if sender.send((number, played)).is_err() {
            return;
        }
    }
}

/// Writes games in the order of their numbers.
struct Writer<'a> {
    settings: &'a Settings,
    folder: &'a Folder,
    part: Option<(Part, Tally, Instant)>,
    tally: Tally,
    progress: Progress,
}

impl Writer<'_> {
    fn add(&mut self, number: u64, played: Played) -> Result<(), String> {
        if self.part.is_none() {
            let options = RowOptions {
                form: self.settings.form(self.settings.size_of(number)),
                one_in: 1,
                owner_playouts: self.settings.owner_playouts,
                komi_spread: 0.0,
                seed: self.settings.seed,
            };
            self.part = Some((self.folder.begin(number, options)?, self.tally, Instant::now()));
        }
        let Some((part, ..)) = &mut self.part else { return Ok(()) };
        self.tally.add(&played);
        let before = part.counts();
        part.add(played.lesson, &played.sgf)?;
        self.tally.add_rows(before, part.counts());
        self.progress.show(&self.tally);
        let end = number + 1;
        if end.is_multiple_of(self.settings.file_games.max(1)) || end == self.settings.games {
            self.finish_file(end)?;
        }
        Ok(())
    }

    fn finish_file(&mut self, end: u64) -> Result<(), String> {
        let Some((part, before, start)) = self.part.take() else { return Ok(()) };
        part.finish()?;
        let line = json!({
            "end": end,
            "seconds": start.elapsed().as_secs_f64(),
            "sums": self.tally.since(&before),
        });
        self.folder.log(&line)
    }
}
