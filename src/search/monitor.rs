//! The thread that asked for a search watches over it: limits by time, stops from outside, and those who look on. The
//! workers only look at one flag.

use std::time::Duration;

use super::control::Control;
use super::report::Report;
use super::root::{Foreign, RootStatistics};
use super::shared::{End, Shared};
use crate::time::TimeSource;

/// The monitor looks up so often at the least. A search ends this much late at the most; a look costs about ten
/// microseconds.
const TICK: Duration = Duration::from_millis(5);

/// A search that goes on, as those see it who look on.
#[derive(Debug)]
pub struct Running<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) foreign: &'a Foreign,
    pub(super) time: &'a TimeSource,
}

impl Running<'_> {
    /// What has been found so far.
    pub fn report(&self) -> Report {
        Report::of(self.shared, self.time.now())
    }

    /// What this search itself has found at the root.
    pub fn own_statistics(&self) -> RootStatistics {
        self.foreign.own(self.shared.tree)
    }

    /// Adds what another search of the same position has found at its root. Selection, limits and reports then use the
    /// sums; what came from outside is never among [`Running::own_statistics`].
    pub fn merge(&self, statistics: &RootStatistics) {
        self.foreign.merge(self.shared.tree, statistics);
    }
}

/// Looks on: called every few milliseconds.
pub type Watch<'a> = dyn FnMut(&Running<'_>) + 'a;

/// Watches until so many workers have come to rest. `heed`: do limits by time and stops from outside count?
pub fn run(running: &Running<'_>, workers: usize, control: &Control, heed: bool, watch: &mut Watch<'_>) {
    let shared = running.shared;
    // A watcher that panics leaves no workers behind.
    let _guard = EndOnDrop(shared);
    while shared.resting() < workers {
        let left = shared.time_left(running.time.now()).filter(|_| heed);
        control.wait(left.map_or(TICK, |left| left.min(TICK)));
        if heed {
            if control.is_stopped() {
                shared.end(End::Done);
            }
            shared.look_at_time(running.time.now());
            watch(running);
        }
    }
}

struct EndOnDrop<'a>(&'a Shared<'a>);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(End::Broken);
        }
    }
}
