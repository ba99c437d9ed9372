//! Ends a search from outside, and wakes its monitor.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The stop flag of one search, and the bell of its monitor.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    /// Has the monitor been called since its last wait?
    called: Mutex<bool>,
    bell: Condvar,
}

impl Control {
    /// The control of a search that nobody has stopped.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search at once, even before its start.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.call();
    }

    /// Has the search been stopped?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Wakes the monitor.
    pub fn call(&self) {
        *self.called.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_all();
    }

    /// Waits for a [`Control::call`], `longest` at most.
    pub fn wait(&self, longest: Duration) {
        let called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut called, _) =
            self.bell.wait_timeout_while(called, longest, |called| !*called).unwrap_or_else(PoisonError::into_inner);
        *called = false;
    }
}
