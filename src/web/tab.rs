//! A tab of the browser: the lock around its sitting, and what server and engine ask of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::record::Record;
use crate::time::TimeSource;

use super::order::Order;
use super::rate::Bucket;
use super::sitting::Sitting;
use super::state;

/// A tab that nobody has looked at for so long gets no analysis and no review until somebody does. (Browsers wake a
/// hidden page once in a minute.)
const UNSEEN: Duration = Duration::from_secs(150);

/// A tab.
#[derive(Debug)]
pub(super) struct Tab {
    name: String,
    time: TimeSource,
    /// [`Sitting::epoch`], to be read without the lock.
    epoch: AtomicU64,
    closed: AtomicBool,
    seen: Mutex<(Instant, Bucket)>,
    sitting: Mutex<Sitting>,
}

impl Tab {
    pub(super) fn new(name: String, sitting: Sitting, time: TimeSource) -> Tab {
        let now = time.now();
        let seen = Mutex::new((now, Bucket::full(now)));
        let epoch = AtomicU64::new(sitting.epoch());
        Tab { name, time, epoch, closed: AtomicBool::new(false), seen, sitting: Mutex::new(sitting) }
    }

    /// Its name, which nobody guesses.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// How long nobody has looked at it.
    pub(super) fn unseen(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.seen().0)
    }

    /// Counts a request. Gives whether it may be answered.
    pub(super) fn may_ask(&self) -> bool {
        let now = self.time.now();
        let mut seen = self.seen();
        seen.0 = now;
        seen.1.take(now)
    }

    /// Its game is given up.
    pub(super) fn close(&self) {
        self.closed.store(true, Relaxed);
    }

    /// Carries an order out.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub(super) fn obey(&self, order: Order) -> Result<(), String> {
        self.change(|sitting| sitting.obey(order))
    }

    /// Goes on with the game of an SGF text.
    ///
    /// # Errors
    /// Why the text is no game.
    pub(super) fn load(&self, text: &[u8]) -> Result<(), String> {
        self.change(|sitting| sitting.load(text))
    }

    /// Changes the sitting. The engine's work for what was before ends.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Sitting) -> T) -> T {
        let mut sitting = self.sitting();
        let result = change(&mut sitting);
        self.epoch.store(sitting.epoch(), Relaxed);
        result
    }

    /// Has the sitting changed so that work which began in this epoch is useless?
    pub(super) fn has_moved_on(&self, epoch: u64) -> bool {
        self.closed.load(Relaxed) || self.epoch.load(Relaxed) != epoch
    }

    /// Does it want something of the engine?
    pub(super) fn wants_work(&self) -> bool {
        let is_watched = self.is_watched();
        !self.closed.load(Relaxed) && self.sitting().wanted(is_watched).is_some()
    }

    /// Is a review in progress?
    pub(super) fn is_reviewing(&self) -> bool {
        self.sitting().is_reviewing()
    }

    /// Has somebody looked at it lately?
    pub(super) fn is_watched(&self) -> bool {
        self.unseen(self.time.now()) < UNSEEN
    }

    /// Has it changed since this revision?
    pub(super) fn has_news(&self, since: u64) -> bool {
        self.change(|sitting| {
            sitting.look_at_clock();
            sitting.revision() != since
        })
    }

    /// The sitting as JSON.
    pub(super) fn state(&self) -> String {
        self.change(|sitting| {
            sitting.look_at_clock();
            state::of(&self.name, sitting)
        })
    }

    /// The game's record with its result.
    pub(super) fn record(&self) -> Record {
        self.sitting().record(true)
    }

    /// The page of a finished review.
    pub(super) fn review_page(&self) -> Option<String> {
        self.sitting().review().and_then(|review| review.page())
    }

    /// The record of a finished review.
    pub(super) fn review_record(&self) -> Option<Record> {
        self.sitting().review().and_then(|review| review.record())
    }

    fn sitting(&self) -> MutexGuard<'_, Sitting> {
        self.sitting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, (Instant, Bucket)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tabs are the same if they are one.
pub(super) fn is_same(a: &Arc<Tab>, b: &Arc<Tab>) -> bool {
    Arc::ptr_eq(a, b)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::EngineOptions;

    #[test]
    fn work_is_useless_once_the_clock_has_run_out() {
        let time = TimeSource::stopped();
        let tab = Tab::new("a".into(), Sitting::new(&EngineOptions::default(), time.clone()), time.clone());
        let order = json!({ "do": "new", "size": 9, "rules": "chinese", "level": "20k", "color": "black",
                            "clock": { "kind": "absolute", "main": 60 } });
        tab.obey(serde_json::from_value(order).expect("an order")).expect("a game");
        for look in [|tab: &Tab| _ = tab.state(), |tab: &Tab| _ = tab.has_news(0)] {
            tab.obey(serde_json::from_value(json!({ "do": "type", "line": "new" })).expect("an order"))
                .expect("a game");
            let epoch = tab.change(|sitting| sitting.epoch());
            look(&tab);
            assert!(!tab.has_moved_on(epoch));
            time.advance(Duration::from_secs(61));
            look(&tab);
            assert!(tab.has_moved_on(epoch));
        }
    }
}
