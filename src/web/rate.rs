//! How many requests a tab may make: a bucket that fills at a steady rate, and from which each request takes one.

use std::time::{Duration, Instant};

/// Requests at once, and requests in a second. (Guesses: a page asks for news seven times in a second, and a person
/// who holds an arrow key down sends thirty orders in a second.)
const MOST: f64 = 100.0;
const EACH_SECOND: f64 = 50.0;

/// The bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(super) fn full(now: Instant) -> Bucket {
        Bucket { left: MOST, at: now }
    }

    /// Takes one request out. Gives whether there was one left.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let passed: Duration = now.saturating_duration_since(self.at);
        self.left = (self.left + passed.as_secs_f64() * EACH_SECOND).min(MOST);
        self.at = now;
        let is_left = self.left >= 1.0;
        if is_left {
            self.left -= 1.0;
        }
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_empty_after_many_and_fills_again() {
        let start = Instant::now();
        let mut bucket = Bucket::full(start);
        assert_eq!((0..1000).filter(|_| bucket.take(start)).count(), MOST as usize);
        let later = start + Duration::from_secs(1);
        assert_eq!((0..1000).filter(|_| bucket.take(later)).count(), EACH_SECOND as usize);
        let much_later = later + Duration::from_secs(3600);
        assert_eq!((0..1000).filter(|_| bucket.take(much_later)).count(), MOST as usize);
    }
}
