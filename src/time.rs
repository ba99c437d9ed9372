//! Where "now" comes from: the system's clock, or a clock that a test sets.
//!
//! Code that measures time for a decision (clocks of a game, limits of a search, batches of input) asks a
//! [`TimeSource`]. So a test can let an hour pass at once, and no test depends on the machine's speed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest sleep of a thread that waits for a stopped clock to move, in time of the machine. (A guess.)
const NAP: Duration = Duration::from_millis(2);

/// A source of the present time. All clones show the same time.
#[derive(Clone, Debug, Default)]
pub struct TimeSource {
    /// The time that a test has set; `None` for the system's.
    set: Option<Arc<Mutex<Instant>>>,
}

impl TimeSource {
    /// The system's clock.
    pub fn system() -> TimeSource {
        TimeSource::default()
    }

    /// A clock that stands still until [`TimeSource::advance`] moves it: for tests.
    pub fn stopped() -> TimeSource {
        TimeSource { set: Some(Arc::new(Mutex::new(Instant::now()))) }
    }

    /// The time now.
    pub fn now(&self) -> Instant {
        match &self.set {
            Some(set) => *set.lock().unwrap_or_else(PoisonError::into_inner),
            None => Instant::now(),
        }
    }

    /// The time since `then`; zero if `then` is in the future.
    pub fn since(&self, then: Instant) -> Duration {
        self.now().saturating_duration_since(then)
    }

    /// How long a thread that waits for at most `left` may sleep before it asks for the time again. A test moves a
    /// stopped clock without waking any thread, so the sleep is short then.
    pub fn nap(&self, left: Duration) -> Duration {
        if self.set.is_some() { left.min(NAP) } else { left }
    }

    /// Moves a stopped clock forward. On the system's clock this has no effect.
    pub fn advance(&self, by: Duration) {
        if let Some(set) = &self.set {
            *set.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}

/// The processor time that the process has used, all threads together. `None` if the system does not tell it.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(used.tv_sec.try_into().ok()?, used.tv_nsec.try_into().ok()?))
}

/// The processor time that the process has used, all threads together. `None` if the system does not tell it.
#[cfg(windows)]
pub fn processor_time() -> Option<Duration> {
    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};
    let mut times = [FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 }; 4];
    let [start, end, system, user] = &mut times;
    // SAFETY: the handle of the own process is always valid, and the function writes four times to where there is room.
    let known = unsafe { GetProcessTimes(GetCurrentProcess(), start, end, system, user) } != 0;
    // Windows counts in tenths of a microsecond.
    let ticks = |time: &FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    known.then(|| Duration::from_nanos((ticks(system) + ticks(user)).saturating_mul(100)))
}

/// The processor time that the process has used. Nothing tells it on this system.
#[cfg(not(any(unix, windows)))]
pub fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let Some(before) = processor_time() else { return };
        let mut sum = 0u64;
        while processor_time().expect("known a moment ago") - before < Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
    }

    #[test]
    fn a_stopped_clock_moves_only_when_it_is_told() {
        let time = TimeSource::stopped();
        let (same, start) = (time.clone(), time.now());
        assert_eq!(same.now(), start);
        time.advance(Duration::from_secs(3600));
        assert_eq!(same.since(start), Duration::from_secs(3600));
        assert_eq!(time.since(start + Duration::from_secs(9999)), Duration::ZERO);
    }
}
