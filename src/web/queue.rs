//! The tabs that want something of the engine. Each stands in the queue once. A worker takes the first one, does one
//! piece of work for it, and hands it back: to the end of the queue, if the tab wants more. So all tabs get their turn
//! alike.
//!
//! The first worker alone can use all threads. It does so for a tab that comes while nothing else waits or is worked
//! for; then the other workers leave the tab to it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::tab::{Tab, is_same};

/// The queue.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Arc<Tab>>,
    /// Tabs that a worker works for.
    in_hand: Vec<Arc<Tab>>,
    closed: bool,
}

/// A tab in a worker's hand.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) tab: Arc<Tab>,
    /// Was nothing else waiting or worked for? Then all threads may work for this tab.
    pub(super) is_alone: bool,
}

impl Queue {
    /// Adds a tab at the end, unless it waits or is in hand. (A tab in hand is asked again when the worker hands it
    /// back.)
    pub(super) fn add(&self, tab: &Arc<Tab>) {
        let mut state = self.state();
        if !state.waiting.iter().chain(&state.in_hand).any(|other| is_same(other, tab)) {
            state.waiting.push_back(Arc::clone(tab));
            self.changed.notify_all();
        }
    }

    /// Waits for a tab. `None` when the queue is closed. Workers have numbers from 0.
    pub(super) fn take(&self, worker: usize) -> Option<Turn> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let is_alone = state.in_hand.is_empty() && state.waiting.len() == 1;
            if (!is_alone || worker == 0)
                && let Some(tab) = state.waiting.pop_front()
            {
                state.in_hand.push(Arc::clone(&tab));
                return Some(Turn { tab, is_alone });
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Hands a tab back. `wants_more` is asked while nobody can add the tab, so that no wish is lost.
    pub(super) fn hand_back(&self, tab: &Arc<Tab>, wants_more: impl FnOnce() -> bool) {
        let mut state = self.state();
        state.in_hand.retain(|other| !is_same(other, tab));
        if wants_more() {
            state.waiting.push_back(Arc::clone(tab));
        }
        self.changed.notify_all();
    }

    /// Does a tab wait?
    pub(super) fn is_waited_in(&self) -> bool {
        !self.state().waiting.is_empty()
    }

    /// Has the queue been closed?
    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Ends the work.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineOptions;
    use crate::time::TimeSource;
    use crate::web::sitting::Sitting;

    fn tab(name: &str) -> Arc<Tab> {
        let time = TimeSource::system();
        Arc::new(Tab::new(name.into(), Sitting::new(&EngineOptions::default(), time.clone()), time))
    }

    #[test]
    fn tabs_take_turns() {
        let queue = Queue::default();
        let tabs = ["a", "b", "c"].map(tab);
        tabs.iter().for_each(|tab| queue.add(tab));
        queue.add(&tabs[1]);
        let mut order = String::new();
        for _ in 0..7 {
            let turn = queue.take(1).expect("open");
            assert!(!turn.is_alone);
            queue.add(&turn.tab);
            order.push_str(turn.tab.name());
            queue.hand_back(&turn.tab, || true);
        }
        assert_eq!(order, "abcabca", "each once, although one was added twice and each while it was in hand");
    }

    #[test]
    fn a_lone_tab_belongs_to_the_first_worker() {
        let queue = Queue::default();
        let [a, b] = ["a", "b"].map(tab);
        queue.add(&a);
        let turn = queue.take(0).expect("open");
        assert!(turn.is_alone);
        queue.add(&b);
        let other = queue.take(1).expect("open");
        assert!(!other.is_alone && is_same(&other.tab, &b));
        queue.hand_back(&a, || false);
        queue.hand_back(&b, || true);
        assert!(queue.take(0).expect("open").is_alone);
        queue.close();
        assert!(queue.take(0).is_none() && queue.is_closed());
    }
}
