//! How many bytes the queries that wait may take. A query holds its share until it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes of text of all queries that wait together. A query takes up to four times its text.
const MOST: usize = 256 << 20;

/// The weights in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    used: Arc<AtomicUsize>,
}

/// A share of the weight.
#[derive(Debug)]
pub(super) struct Weight {
    scales: Scales,
    bytes: usize,
}

impl Scales {
    /// A share of so many bytes; `None` if there is no room for so many.
    pub(super) fn take(&self, bytes: usize) -> Option<Weight> {
        // The weight is added before the look, so that it is taken away again in any case.
        let weight = Weight { scales: self.clone(), bytes };
        (self.used.fetch_add(bytes, Relaxed) + bytes <= MOST).then_some(weight)
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.scales.used.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_makes_room() {
        let scales = Scales::default();
        let first = scales.take(MOST - 10).expect("room");
        assert!(scales.take(11).is_none());
        let second = scales.take(10).expect("room: what was refused takes none");
        assert!(scales.take(1).is_none());
        drop((first, second));
        assert!(scales.take(MOST).is_some());
    }
}
