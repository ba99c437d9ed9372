//! All tabs, each with a game of its own. Their number is bounded; a tab that nobody has looked at for long gives way
//! to a new one.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::EngineOptions;
use crate::time::TimeSource;

use super::guard;
use super::queue::Queue;
use super::rate::Bucket;
use super::sitting::Sitting;
use super::tab::Tab;

/// Tabs at once. (Twenty people in a room, and some more.)
const MOST: usize = 64;

/// A tab that nobody has looked at for so long may be closed for another one. The page of a hidden tab still asks for
/// news now and then.
const FORSAKEN: Duration = Duration::from_secs(600);

/// Why there is no new tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TooMany {
    Tabs,
    Requests,
    System(String),
}

/// All tabs.
#[derive(Debug)]
pub(super) struct Tabs {
    engine: EngineOptions,
    time: TimeSource,
    queue: Arc<Queue>,
    open: Mutex<Vec<Arc<Tab>>>,
    /// Has a tab ever given way to another one?
    has_closed_one: AtomicBool,
    rate: Mutex<Bucket>,
}

impl Tabs {
    /// No tab yet. The options are those of the first game in each tab.
    pub(super) fn new(engine: EngineOptions, queue: Arc<Queue>) -> Tabs {
        let time = engine.search.time.clone();
        let rate = Mutex::new(Bucket::full(time.now()));
        Tabs { engine, time, queue, open: Mutex::new(Vec::new()), has_closed_one: AtomicBool::new(false), rate }
    }

    /// Opens a tab with a new game.
    ///
    /// # Errors
    /// If there are too many, or too many were opened at once.
    pub(super) fn open(&self) -> Result<Arc<Tab>, TooMany> {
        let now = self.time.now();
        if !self.rate.lock().unwrap_or_else(PoisonError::into_inner).take(now) {
            return Err(TooMany::Requests);
        }
        let name = guard::secret().map_err(TooMany::System)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST {
            let oldest = open.iter().enumerate().max_by_key(|(_, tab)| tab.unseen(now));
            match oldest.filter(|(_, tab)| tab.unseen(now) >= FORSAKEN).map(|(at, _)| at) {
                Some(at) => {
                    open.remove(at).close();
                    self.has_closed_one.store(true, Relaxed);
                }
                None => return Err(TooMany::Tabs),
            }
        }
        let tab = Arc::new(Tab::new(name, Sitting::new(&self.engine, self.time.clone()), self.time.clone()));
        open.push(Arc::clone(&tab));
        Ok(tab)
    }

    /// The tab of this name.
    pub(super) fn find(&self, name: &str) -> Option<Arc<Tab>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().find(|tab| tab.name() == name).map(Arc::clone)
    }

    /// Why a tab that a page knows is not there.
    pub(super) fn why_gone(&self) -> &'static str {
        if self.has_closed_one.load(Relaxed) {
            "Kosumi was started again, or it needed the room for other games."
        } else {
            "Kosumi was started again."
        }
    }

    /// Puts a tab into the queue if it wants something of the engine.
    pub(super) fn wake(&self, tab: &Arc<Tab>) {
        if tab.wants_work() {
            self.queue.add(tab);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchOptions;

    #[test]
    fn a_forsaken_tab_gives_way_and_no_other() {
        let time = TimeSource::stopped();
        let search = SearchOptions { time: time.clone(), ..SearchOptions::default() };
        let tabs = Tabs::new(EngineOptions { search, ..EngineOptions::default() }, Arc::default());
        let mut names = Vec::new();
        for _ in 0..MOST {
            names.push(tabs.open().expect("a tab").name().to_owned());
            time.advance(Duration::from_secs(1));
        }
        assert_eq!(tabs.open().expect_err("full"), TooMany::Tabs);
        assert_eq!(names.iter().filter(|name| tabs.find(name).is_some()).count(), MOST);
        assert_eq!(tabs.why_gone(), "Kosumi was started again.", "no tab has been closed");
        time.advance(FORSAKEN - Duration::from_secs(MOST as u64));
        for name in &names[1..] {
            assert!(tabs.find(name).expect("open").may_ask());
        }
        tabs.open().expect("a tab");
        assert!(tabs.find(&names[0]).is_none());
        assert!(tabs.why_gone().contains("needed the room"));
        assert!(tabs.find(&names[1]).is_some());
    }
}
