//! The monitor: the thread that asked for a search. It handles limits by time, stops from outside, and the watcher.
//! Workers read one flag only.

use std::time::Duration;

use super::control::Control;
use super::near::{self, Known, NodeNews, Reach};
use super::report::Report;
use super::shared::{End, Shared};
use crate::time::TimeSource;

/// The longest wait of the monitor between two looks. A search ends this much late at most. A look costs about ten
/// microseconds.
const TICK: Duration = Duration::from_millis(5);

/// A search in progress, as its watcher sees it.
#[derive(Debug)]
pub struct Running<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) time: &'a TimeSource,
}

impl Running<'_> {
    /// A report of this moment.
    pub fn report(&self) -> Report {
        Report::of(self.shared, self.time.now())
    }

    /// The statistics of the nodes near the root, for searches of the same position on other machines. What of them is
    /// news to another machine, [`Known::news`] says.
    pub fn near(&self, reach: &Reach) -> Vec<NodeNews> {
        near::near(self.shared.tree, reach)
    }

    /// Adds what another search of the same position has told. Selection, limits and reports then use the sums.
    /// `playouts` is the number of playouts that the other search has made since it last told something.
    pub fn learn(&self, known: &mut Known, news: &[NodeNews], playouts: u64) {
        known.learn(self.shared.tree, news);
        self.shared.foreign.fetch_add(playouts, std::sync::atomic::Ordering::Relaxed);
    }

    /// Playouts of this search alone.
    pub fn playouts_here(&self) -> u64 {
        self.shared.playouts.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The playouts that are done of [`Running::playouts`]: not those on their way down and up. (A playout that has
    /// just begun may count as done.)
    pub fn playouts_done(&self) -> u64 {
        let tree = self.shared.tree;
        self.shared.all_playouts().saturating_sub(tree.node(tree.root()).descents())
    }

    /// Playouts of this search, and of all others that have told theirs.
    pub fn playouts(&self) -> u64 {
        self.shared.all_playouts()
    }
}

/// A watcher of a search: called every few milliseconds.
pub type Watch<'a> = dyn FnMut(&Running<'_>) + 'a;

/// Watches until `workers` workers have come to rest. `heed` says whether limits by time and stops from outside count.
pub fn run(running: &Running<'_>, workers: usize, control: &Control, heed: bool, watch: &mut Watch<'_>) {
    let shared = running.shared;
    // The guard ends the workers if the watcher panics.
    let _guard = EndOnDrop(shared);
    while shared.resting() < workers {
        let left = shared.time_left(running.time.now()).filter(|_| heed);
        control.wait(left.map_or(TICK, |left| left.min(TICK)));
        look(running, control, heed, watch);
    }
}

/// One look at time, stops and the watcher, if `heed` says that they count.
pub fn look(running: &Running<'_>, control: &Control, heed: bool, watch: &mut Watch<'_>) {
    if heed {
        if control.is_stopped() {
            running.shared.end(End::Done);
        }
        running.shared.look_at_time(running.time.now());
        watch(running);
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
