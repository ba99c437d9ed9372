//! The moves of a game before its first search, which make games differ: handicap, moves drawn from the priors, forks,
//! and a komi that makes the position even.

use rand::Rng as _;

use super::Table;
use super::half_points;
use crate::chance::{geometric, happens, unit};
use crate::go::{Move, handicap};
use crate::search::{Knowledge, SearchError, WhichTree};
use crate::selfplay::choice::{by_prior, legal};

/// After an opening of so many plies, komi may make the position even.
const FAIR_AFTER: usize = 3;

/// A fork comes after so many plies at the most, as a share of the points. A guess: a third of the board is filled
/// then.
const FORK_WITHIN: f64 = 0.33;

/// A fork is the best of so many random moves (KataGo: `earlyForkGameMinChoices` 3, `earlyForkGameMaxChoices` 12), each
/// with this many playouts on average. The playouts are a guess.
const FORK_CHOICES: (u64, u64) = (3, 12);
const FORK_PLAYOUTS: u64 = 8;

/// The most handicap stones, as a share of the points of the board: 3 on 7×7, 5 on 9×9, 9 on 13×13. At most nine. A
/// guess.
const MOST_HANDICAP: f64 = 0.0625;

/// Searches that find a fair komi, and the playouts of each. The second one begins with the komi of the first: a side
/// that is far ahead plays safe, and the mean score says less.
const FAIR_SEARCHES: usize = 2;
const FAIR_PLAYOUTS: u64 = 200;

impl Table<'_> {
    /// Plays the random moves of the opening, and sets komi after them.
    pub(super) fn open(&mut self) -> Result<(), SearchError> {
        let variety = &self.settings.variety;
        let (fork_share, fair_share) = (variety.fork_share, variety.fair_share);
        let mean = variety.opening_share * self.points() as f64;
        let has_handicap = self.chance(variety.handicap_share) && self.place_handicap();
        let is_fork = !has_handicap && self.chance(fork_share);
        let plies = match is_fork {
            true => (unit(&mut self.rng) * FORK_WITHIN * self.points() as f64) as usize,
            false => geometric(&mut self.rng, mean),
        };
        for _ in 0..plies {
            let request = self.request(1);
            let report = self.ask(&request)?;
            let moves = legal(self.game.position(), &report);
            let Some(mv) = by_prior(&moves, &mut self.rng) else { break };
            self.play(mv, Vec::new(), None, false);
            if self.game.position().is_over() {
                break;
            }
        }
        if is_fork {
            self.fork()?;
        }
        if is_fork || (has_handicap || plies >= FAIR_AFTER) && happens(&mut self.rng, fair_share) {
            for _ in 0..FAIR_SEARCHES {
                let mut request = self.request(FAIR_PLAYOUTS);
                request.tree = WhichTree::Aside;
                request.knowledge = Knowledge { details: true, ..Knowledge::default() };
                let margin = self.ask(&request)?.details.all().margin().0;
                self.game.set_komi(half_points(self.game.komi().points() + f64::from(margin)));
            }
        }
        Ok(())
    }

    /// True with this probability. No random number is drawn for a probability of 0, so that a setting that is off
    /// changes no game.
    fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && happens(&mut self.rng, probability)
    }

    /// Gives Black two handicap stones or more. False if the board is too small for them.
    fn place_handicap(&mut self) -> bool {
        let most = (MOST_HANDICAP * self.points() as f64).round().min(9.0) as u64;
        if most < 2 {
            return false;
        }
        let stones = 2 + (self.rng.next_u64() % (most - 1)) as usize;
        handicap::free(self.game.size(), stones).is_some_and(|points| self.game.place_handicap(&points).is_ok())
    }

    /// Makes the best of a few random moves.
    fn fork(&mut self) -> Result<(), SearchError> {
        let mut position = self.game.position().clone();
        if position.is_over() {
            return Ok(());
        }
        let mut moves: Vec<Move> = position.board().empties().iter().copied().map(Move::Play).collect();
        moves.retain(|&mv| position.check(mv).is_ok());
        let (least, most) = FORK_CHOICES;
        let wanted = (least + self.rng.next_u64() % (most - least + 1)) as usize;
        while moves.len() > wanted {
            let out = (self.rng.next_u64() % moves.len() as u64) as usize;
            moves.swap_remove(out);
        }
        if moves.is_empty() {
            return Ok(());
        }
        let mut request = self.request(FORK_PLAYOUTS * moves.len() as u64);
        request.tree = WhichTree::Aside;
        request.only = Some(moves);
        let report = self.ask(&request)?;
        if let Some(first) = legal(self.game.position(), &report).first() {
            self.play(first.mv, Vec::new(), None, false);
        }
        Ok(())
    }
}
