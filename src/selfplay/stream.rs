//! Games one after the other, for a caller who keeps their rows and says when it is enough.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::player::Player;
use super::settings::Settings;
use super::tally::Tally;
use crate::dataset::row::Form;
use crate::dataset::{Counts, RowOptions, Teacher};

/// A finished game, ready to be kept.
#[derive(Debug)]
pub struct Finished {
    /// The number of the game.
    pub number: u64,
    /// The form of its rows.
    pub form: Form,
    /// Its rows; none if the game was too long.
    pub rows: Vec<u8>,
    /// The game as SGF.
    pub sgf: String,
    /// The sums over this one game.
    pub tally: Tally,
}

/// Plays the games from number `first` on, several at a time, and gives each to `keep` as it ends, in no fixed order.
/// As soon as `keep` answers false, no game is begun any more; those in progress are played to their end and given to
/// `keep`, too. (Otherwise the last games would be short ones.) Game n depends on the settings and n alone.
///
/// Of the settings, the folder and the numbers of games count for nothing here, but `file_games` games in a row have
/// the same board size.
///
/// # Errors
/// The first error of `keep`, or a message if a search fails.
pub fn stream(
    settings: &Settings,
    first: u64,
    keep: &mut dyn FnMut(Finished) -> Result<bool, String>,
) -> Result<(), String> {
    let (next, enough) = (AtomicU64::new(first), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..settings.threads.max(1) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            scope.spawn(move || work(settings, next, enough, &sender));
        }
        drop(sender);
        let mut result = Ok(());
        for finished in receiver {
            let answer = match (&result, finished) {
                (Ok(()), Ok(finished)) => keep(finished),
                (Ok(()), Err(error)) => Err(error),
                // After an error nothing is kept; the threads end after their games.
                (Err(_), _) => Ok(false),
            };
            match answer {
                Ok(true) => {}
                Ok(false) => enough.store(true, Ordering::Relaxed),
                Err(error) => {
                    enough.store(true, Ordering::Relaxed);
                    result = Err(error);
                }
            }
        }
        result
    })
}

/// A thread: plays games until there are enough.
fn work(settings: &Settings, next: &AtomicU64, enough: &AtomicBool, sender: &mpsc::Sender<Result<Finished, String>>) {
    let mut player = Player::new(settings);
    while !enough.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let finished = match &mut player {
            Ok(player) => play(settings, player, number),
            Err(error) => Err(error.clone()),
        };
        let failed = finished.is_err();
        if sender.send(finished).is_err() || failed {
            return;
        }
    }
}

/// Plays a game and makes its rows.
fn play(settings: &Settings, player: &mut Player<'_>, number: u64) -> Result<Finished, String> {
    let played = player.play(number).map_err(|error| error.to_string())?;
    let mut tally = Tally::default();
    tally.add(&played);
    let form = settings.form(settings.size_of(number));
    let options =
        RowOptions { form, one_in: 1, owner_playouts: settings.owner_playouts, komi_spread: 0.0, seed: settings.seed };
    let (mut teacher, mut rows) = (Teacher::new(options, number), Vec::new());
    teacher.teach(vec![played.lesson], &mut rows).map_err(|error| error.to_string())?;
    tally.add_rows(Counts::default(), teacher.counts());
    Ok(Finished { number, form, rows, sgf: played.sgf, tally })
}
