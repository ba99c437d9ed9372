//! How a search is told to end from outside, and how its monitor is woken.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The hold that others have on one search.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    /// Has the monitor been called since it last looked up?
    called: Mutex<bool>,
    bell: Condvar,
}

impl Control {
    /// A search that nobody has stopped.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search at once, also one that has not begun.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.call();
    }

    /// Has it been stopped?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Makes the monitor look up.
    pub fn call(&self) {
        *self.called.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_all();
    }

    /// Waits until somebody calls, but no longer than so.
    pub fn wait(&self, longest: Duration) {
        let called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut called, _) =
            self.bell.wait_timeout_while(called, longest, |called| !*called).unwrap_or_else(PoisonError::into_inner);
        *called = false;
    }
}
