//! What the threads of a search share, and the rules by which the search ends.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::advantage::Advantages;
use super::bias::Biases;
use super::details::Details;
use super::evaluate::LastMoves;
use super::limits::{EarlyStop, Limits};
use super::lineage::Grown;
use super::ownership::Ownership;
use super::request::Request;
use super::secure::Secure;
use super::transpositions::Transpositions;
use super::tree::Tree;

/// Playouts between two merges of a thread's sums, and between two looks of the first thread at the limits by count.
pub const ROUND: u64 = 32;

/// A move with this share of the visits is obvious, after `LEAST_VISITS` visits and one in `LOOK` of the playouts. No
/// early end at all scored 47.3 % against 0.97 (74 games, `docs/strength.md`, "What each step gave"). The others are
/// guesses.
const OBVIOUS: f32 = 0.97;
const LEAST_VISITS: u64 = 500;
const LOOK: u64 = 16;

/// A game with a mean in this range is open. A net alone then uses the whole of a time that it cannot save: without
/// any early end, 13 : 5 : 3 of 21 games on 9×9, 0.5 s a move (`docs/strength.md`). The range is a guess.
const OPEN: RangeInclusive<f32> = 0.1..=0.9;

/// What the threads of a search share.
#[derive(Debug)]
pub struct Shared<'a> {
    /// The tree; its root has children.
    pub tree: &'a Tree,
    /// What the search has learned of the errors of its evaluator.
    pub biases: &'a Biases,
    /// What the search has learned of moves.
    pub advantages: &'a Advantages,
    /// The positions in the tree.
    pub transpositions: &'a Transpositions,
    /// What is searched.
    pub request: &'a Request,
    /// The last moves before the root.
    pub last: LastMoves,
    /// When to end: the limits of the request, unless this is the first part of the search.
    pub limits: Limits,
    /// When the search began, by the clock of [`Search`](super::Search).
    pub start: Instant,
    /// When this part of the search began, and the playouts before it. Between two parts the search makes room in its
    /// tree, which says nothing of its speed.
    part: (Instant, u64),
    /// Playouts begun.
    pub playouts: AtomicU64,
    /// Playouts that searches on other machines have told.
    pub foreign: AtomicU64,
    /// Sums of all threads.
    pub ownership: Mutex<Ownership>,
    /// Sums of the sample, also for each move at the root, if details are wanted.
    pub details: Option<Mutex<Details>>,
    /// See [`Report::spread_of_net`](super::Report::spread_of_net).
    pub spread_of_net: f32,
    /// The one flag that workers read: see [`End`].
    end: AtomicU8,
    /// Workers that have come to rest.
    resting: AtomicUsize,
}

/// Why the workers come to rest. Of several reasons the last in this list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The workers go on.
    Running,
    /// The tree is full.
    Full,
    /// A limit is reached, or somebody has stopped the search.
    Done,
    /// A worker has panicked.
    Broken,
}

impl<'a> Shared<'a> {
    /// The state at the beginning of a search, or after a pause.
    pub(super) fn new(
        Grown { tree, biases, advantages, transpositions, .. }: &'a Grown,
        request: &'a Request,
        limits: Limits,
        (start, now): (Instant, Instant),
        Sums { playouts, foreign, ownership, details, spread_of_net }: Sums,
    ) -> Shared<'a> {
        Shared {
            tree,
            biases,
            advantages,
            transpositions,
            request,
            last: request.last_points(),
            limits,
            start,
            part: (now, playouts + foreign),
            playouts: AtomicU64::new(playouts),
            foreign: AtomicU64::new(foreign),
            ownership: Mutex::new(ownership),
            details: details.map(Mutex::new),
            spread_of_net,
            end: AtomicU8::new(End::Running as u8),
            resting: AtomicUsize::new(0),
        }
    }

    /// The sums so far.
    pub fn into_sums(self) -> Sums {
        Sums {
            playouts: self.playouts.into_inner(),
            foreign: self.foreign.into_inner(),
            ownership: self.ownership.into_inner().unwrap_or_else(PoisonError::into_inner),
            details: self.details.map(|sums| sums.into_inner().unwrap_or_else(PoisonError::into_inner)),
            spread_of_net: self.spread_of_net,
        }
    }

    /// Brings the workers to rest.
    pub fn end(&self, why: End) {
        self.end.fetch_max(why as u8, Relaxed);
    }

    /// Should the workers go on?
    #[inline(always)]
    pub fn goes_on(&self) -> bool {
        self.end.load(Relaxed) == End::Running as u8
    }

    /// Why the workers come, or came, to rest.
    pub fn why(&self) -> End {
        let reasons = [End::Running, End::Full, End::Done, End::Broken];
        reasons[usize::from(self.end.load(Relaxed))]
    }

    /// Counts a worker that has come to rest.
    pub fn rest(&self) {
        self.resting.fetch_add(1, Relaxed);
    }

    /// Workers that have come to rest.
    pub fn resting(&self) -> usize {
        self.resting.load(Relaxed)
    }

    /// Playouts begun here and on other machines.
    pub fn all_playouts(&self) -> u64 {
        self.playouts.load(Relaxed) + self.foreign.load(Relaxed)
    }

    /// Counts another playout. `false` if there may be no more; the search ends then.
    #[inline]
    pub fn begin_playout(&self) -> bool {
        let begun = self.playouts.fetch_add(1, Relaxed);
        if self.limits.playouts.is_some_and(|most| begun + self.foreign.load(Relaxed) >= most) {
            self.playouts.fetch_sub(1, Relaxed);
            self.end(End::Done);
            return false;
        }
        true
    }

    /// Ends the search if the playouts that are left cannot change the best move: see [`EarlyStop`]. Only limits by
    /// count matter here. So with one thread the search ends at the same playout on every machine.
    pub fn look_at_counts(&self) {
        if let Some(most) = self.limits.playouts {
            let playouts = self.all_playouts();
            self.end_if_decided(playouts, most.saturating_sub(playouts));
        }
    }

    /// Ends the search if its time is over, or if the time that is left cannot change the best move.
    pub fn look_at_time(&self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.start);
        if self.limits.hard.is_some_and(|hard| elapsed >= hard) {
            return self.end(End::Done);
        }
        let Some(soft) = self.limits.soft else { return };
        // A search in doubt may go on to the hard limit. So only that limit can decide it.
        let end = self.limits.hard.filter(|_| self.is_in_doubt()).map_or(soft, |hard| hard.max(soft));
        if elapsed >= end {
            return self.end(End::Done);
        }
        let playouts = self.all_playouts();
        let (since, before) = self.part;
        let here = playouts.saturating_sub(before);
        if here < ROUND {
            return;
        }
        let rate = here as f64 / now.saturating_duration_since(since).as_secs_f64().max(1e-6);
        let left = (rate * (end - elapsed).as_secs_f64()) as u64;
        let left = self.limits.playouts.map_or(left, |most| left.min(most.saturating_sub(playouts)));
        self.end_if_decided(playouts, left);
    }

    /// The time from `now` to the next limit by time.
    pub fn time_left(&self, now: Instant) -> Option<Duration> {
        let elapsed = now.saturating_duration_since(self.start);
        let ahead = |limit: Option<Duration>| limit.and_then(|limit| limit.checked_sub(elapsed));
        ahead(self.limits.soft).filter(|left| !left.is_zero()).or(ahead(self.limits.hard))
    }

    fn end_if_decided(&self, playouts: u64, left: u64) {
        if self.limits.early_stop == EarlyStop::Never || playouts < ROUND {
            return;
        }
        let (best, second, all) = self.two_most_visited();
        let is_decided =
            self.limits.early_stop == EarlyStop::Decided && best - second > left && self.most_visited_is_best();
        let has_looked = all >= LEAST_VISITS && playouts >= playouts.saturating_add(left) / LOOK;
        let is_obvious = has_looked && best as f32 >= OBVIOUS * all as f32 && !self.is_worth_the_time();
        if is_decided || is_obvious {
            self.end(End::Done);
        }
    }

    /// Does a search that saves no time go on although its move is obvious, for the tree of the next search?
    fn is_worth_the_time(&self) -> bool {
        let Request { evaluators, params, position, .. } = self.request;
        let mean = || self.tree.mean(self.tree.node(self.tree.root()), params.second_share_at(position));
        self.limits.early_stop == EarlyStop::Obvious
            && evaluators.is_net_alone(params)
            && mean().is_some_and(|mean| OPEN.contains(&mean))
    }

    /// Visits of the two most visited moves, and of all moves.
    fn two_most_visited(&self) -> (u64, u64, u64) {
        let (mut best, mut second, mut all) = (0, 0, 0);
        for child in self.tree.children(self.tree.node(self.tree.root())) {
            let visits = child.visits();
            all += visits;
            if visits > best {
                second = best;
                best = visits;
            } else if visits > second {
                second = visits;
            }
        }
        (best, second, all)
    }

    /// Is the move with the most visits the one that the report would name first?
    fn most_visited_is_best(&self) -> bool {
        let children = self.tree.children(self.tree.node(self.tree.root()));
        let Some(most) = children.iter().max_by_key(|child| child.visits()) else { return true };
        let Some(secure) = Secure::new(self.request.params.secure, most.visits()) else { return true };
        let share = self.request.params.second_share_at(&self.request.position);
        let rank = |child| secure.rank(self.tree.mean(child, share).unwrap_or(0.0), child.visits());
        let best = rank(most);
        children.iter().all(|child| rank(child) <= best)
    }

    /// Does another move have better results than the most visited one, or nearly as many visits? The three numbers are
    /// guesses. As a whole the rule scored 55 % of 160 games on the clock (`docs/strength.md`, "On the clock").
    fn is_in_doubt(&self) -> bool {
        let children = self.tree.children(self.tree.node(self.tree.root()));
        let Some(most) = children.iter().max_by_key(|child| child.visits()) else { return false };
        let share = self.request.params.second_share_at(&self.request.position);
        let mean = |child| self.tree.mean(child, share).unwrap_or(0.0);
        let value = mean(most);
        children.iter().any(|child| {
            !std::ptr::eq(child, most)
                && (child.visits() as f32 * 1.5 > most.visits() as f32
                    || child.visits() * 8 > most.visits() && mean(child) > value + 0.01)
        })
    }
}

/// What a search sums up outside its tree. The sums are kept over pauses.
#[derive(Debug, Default)]
pub struct Sums {
    /// Playouts begun.
    pub playouts: u64,
    /// Playouts that searches on other machines have told.
    pub foreign: u64,
    /// The owners at the ends of the playouts.
    pub ownership: Ownership,
    /// Sums of the sample, also for each move at the root, if details are wanted.
    pub details: Option<Details>,
    /// See [`Report::spread_of_net`](super::Report::spread_of_net).
    pub spread_of_net: f32,
}

/// Takes a lock, even one whose holder panicked: sums stay sums.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Move, Point, Position, Ruleset};

    #[test]
    fn a_search_is_not_decided_while_a_move_with_fewer_visits_is_better() {
        let grown = Grown::new(1 << 16).expect("memory");
        let tree = &grown.tree;
        assert!(tree.node(tree.root()).claim());
        assert!(tree.add_children(tree.root(), 2, |i, child| {
            child.reset(Move::Play(Point::new(i, 0, 9)), 0.5);
            child.add_foreign([600, 200][i], [300.0, 120.0][i]);
        }));
        let why = |secure: f32, left: u64| {
            let mut request = Request::new(Position::new(9, Ruleset::default()), 15);
            request.params.secure = secure;
            let limits = Limits { early_stop: EarlyStop::Decided, ..Limits::default() };
            let shared = Shared::new(&grown, &request, limits, (Instant::now(), Instant::now()), Sums::default());
            shared.end_if_decided(800, left);
            shared.why()
        };
        assert_eq!((why(0.0, 399), why(0.0, 400)), (End::Done, End::Running));
        assert_eq!(why(0.8, 399), End::Running, "0.60 in 200 visits is better than 0.50 in 600");
        assert_eq!(why(4.0, 399), End::Done, "with this allowance it is not");
    }
}
