//! Self-play into the folder, until there are games enough or another net is to play.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::folder::{Counts, Folder, Standing};
use super::progress::Progress;
use super::record::Written;
use super::settings::Settings;
use super::store::{Store, Writer};
use crate::selfplay;

/// The time between two looks at what other processes have done. (A look reads the names of a folder.)
const LOOK: Duration = Duration::from_secs(5);

/// When the games end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// There are so many games, of all processes together.
    Games(u64),
    /// A newer net is there, or this process has played so many games (if there is a number).
    News(Option<u64>),
}

/// A process that plays.
#[derive(Debug)]
pub(super) struct Plays {
    /// Its name.
    pub writer: Writer,
    /// The sums so far.
    pub sums: Written,
    /// Files begun so far.
    begun: u64,
    /// The number of its next game.
    next: u64,
    /// What is known of the files in the folder.
    known: BTreeMap<String, Counts>,
}

impl Plays {
    /// This process, without games so far.
    pub(super) fn new() -> Plays {
        let writer = Writer::here();
        Plays { writer, sums: Written::default(), begun: 0, next: 0, known: BTreeMap::new() }
    }

    /// Games and rows of all processes.
    pub(super) fn counts(&mut self, folder: &Folder) -> Result<Counts, String> {
        folder.counts(&mut self.known)
    }

    /// Plays games for a round.
    ///
    /// # Errors
    /// A message if the net cannot be read, a game cannot be written, or a search fails.
    pub(super) fn play(
        &mut self,
        folder: &Folder,
        settings: &Settings,
        standing: Standing,
        until: Until,
        progress: &mut Progress,
    ) -> Result<(), String> {
        let there = self.counts(folder)?;
        if let Until::Games(wanted) = until
            && there.games >= wanted
        {
            return Ok(());
        }
        let seed = match (settings.games.seed, until) {
            (0, _) => self.writer.random,
            // Another seed in each round and after each start, or the same games would come again.
            (seed, Until::Games(_)) => seed ^ (there.games + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            // Of several workers, no two may play the same games.
            (seed, Until::News(_)) => seed ^ self.writer.random,
        };
        let games = settings.selfplay(folder.nets(standing.net)?, seed)?;
        let before = (std::mem::take(&mut self.sums), self.begun);
        let (had, seconds) = (before.0.games + before.0.dropped, before.0.seconds);
        let shape = (settings.games.file_games, settings.games.held_out_share);
        let mut store = Store::new(folder, &self.writer, standing, shape, before);
        store.sums.threads = games.threads;
        let started = Instant::now();
        let (mut looked, mut others) = (Instant::now(), there.games);
        let (known, next) = (&mut self.known, &mut self.next);
        let mut told = Instant::now();
        let result = selfplay::stream(&games, *next, &mut |game| {
            *next = (*next).max(game.number + 1);
            store.add(&game)?;
            store.sums.seconds = seconds + started.elapsed().as_secs_f64();
            let own = store.sums.games + store.sums.dropped;
            if told.elapsed() >= LOOK {
                told = Instant::now();
                store.tell()?;
            }
            let mut standing_now = standing;
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                match until {
                    // Files of this process are there, too; its own games are counted once.
                    Until::Games(_) => others = folder.counts(known)?.games.saturating_sub(store.finished()),
                    Until::News(_) => standing_now = folder.standing(settings.generations.gate)?,
                }
            }
            Ok(match until {
                Until::Games(wanted) => {
                    let all = others + (own - had);
                    progress.playing(all, wanted, &store.sums, started.elapsed());
                    all < wanted
                }
                Until::News(most) => {
                    progress.playing(own, most.unwrap_or(0), &store.sums, started.elapsed());
                    standing_now == standing && most.is_none_or(|most| own < most)
                }
            })
        });
        // What was played is kept in either case.
        let closed = store.close();
        result?;
        (self.sums, self.begun) = closed?;
        Ok(())
    }
}
