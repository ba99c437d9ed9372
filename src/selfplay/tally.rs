//! What came of the games so far.

use serde::Serialize;

use super::player::Played;
use crate::dataset::Counts;
use crate::go::Color;

/// Sums over games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Games that were too long, and gave no rows.
    pub dropped: u64,
    /// Rows.
    pub rows: u64,
    /// Games with owners in their rows.
    pub with_owners: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games that were decided before their end.
    pub decided: u64,
    /// Games with many points at the end that playouts do not agree on.
    pub in_doubt: u64,
    /// Moves of all games.
    pub moves: u64,
    /// Playouts of all searches.
    pub playouts: u64,
}

impl Tally {
    /// Adds a game.
    pub(super) fn add(&mut self, played: &Played) {
        self.playouts += played.playouts;
        if played.lesson.is_none() {
            self.dropped += 1;
            return;
        }
        self.games += 1;
        self.moves += played.moves as u64;
        self.black += u64::from(played.winner == Some(Color::Black));
        self.draws += u64::from(played.winner.is_none());
        self.decided += u64::from(played.decided);
        self.in_doubt += u64::from(played.in_doubt);
    }

    /// Adds the rows of a game: the counts before it and after it.
    pub(super) fn add_rows(&mut self, before: Counts, after: Counts) {
        self.rows += after.rows - before.rows;
        self.with_owners += after.with_owners - before.with_owners;
    }

    /// The sums without these earlier ones.
    pub(super) fn since(&self, before: &Tally) -> Tally {
        Tally {
            games: self.games - before.games,
            dropped: self.dropped - before.dropped,
            rows: self.rows - before.rows,
            with_owners: self.with_owners - before.with_owners,
            black: self.black - before.black,
            draws: self.draws - before.draws,
            decided: self.decided - before.decided,
            in_doubt: self.in_doubt - before.in_doubt,
            moves: self.moves - before.moves,
            playouts: self.playouts - before.playouts,
        }
    }

    /// Games, the dropped ones included.
    pub fn all(&self) -> u64 {
        self.games + self.dropped
    }
}
