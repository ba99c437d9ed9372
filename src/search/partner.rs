//! A partner of a search: what makes a search on this machine a part of a search on several machines.
//!
//! The search tells its partner when it begins and ends, and lets it look every few milliseconds. Who the others are
//! and how they are told is left to the partner.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use super::control::Control;
use super::monitor::Running;
use super::request::{Request, WhichTree};
use crate::go::Move;

/// The beginning of a search, as its partner sees it.
#[derive(Debug)]
pub struct Beginning<'a> {
    /// What is searched.
    pub request: &'a Request,
    /// The number of the tree, which no other tree of the process has.
    pub tree: u64,
    /// The moves from the tree's earlier root to the present one; `None` if the tree is empty.
    pub moves: Option<&'a [Move]>,
}

/// Takes part in searches.
pub trait Partner: Send {
    /// A search begins.
    fn begin(&mut self, beginning: &Beginning<'_>);

    /// Looks at the search, every few milliseconds. `false` ends the search.
    #[must_use]
    fn look(&mut self, running: &Running<'_>) -> bool;

    /// The search has ended.
    fn end(&mut self);

    /// Playouts between two looks if the search runs in the thread that asks for it, see
    /// [`SearchOptions::threads`](super::SearchOptions::threads).
    fn round(&self) -> u64 {
        super::shared::ROUND
    }
}

/// The partner of one or several searches. It takes part in one search at a time; the others search alone meanwhile.
#[derive(Clone)]
pub struct Partnership(Arc<Mutex<dyn Partner>>);

impl fmt::Debug for Partnership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partnership").finish_non_exhaustive()
    }
}

impl Partnership {
    /// With this partner.
    pub fn new(partner: impl Partner + 'static) -> Partnership {
        Partnership(Arc::new(Mutex::new(partner)))
    }

    /// The partner for one search; `None` while it takes part in another one.
    fn take(&self) -> Option<MutexGuard<'_, dyn Partner + 'static>> {
        match self.0.try_lock() {
            Ok(partner) => Some(partner),
            Err(TryLockError::Poisoned(partner)) => Some(partner.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// The part that a partner takes in one search, from its beginning to its end.
pub(super) struct Part<'a>(Option<MutexGuard<'a, dyn Partner + 'static>>);

impl<'a> Part<'a> {
    /// Begins, if there is a partner, and if the search is one of the kept tree.
    pub(super) fn begin(partnership: Option<&'a Partnership>, beginning: &Beginning<'_>) -> Part<'a> {
        let partnership = partnership.filter(|_| beginning.request.tree == WhichTree::Kept);
        let mut partner = partnership.and_then(Partnership::take);
        if let Some(partner) = &mut partner {
            partner.begin(beginning);
        }
        Part(partner)
    }

    pub(super) fn look(&mut self, running: &Running<'_>, control: &Control) {
        if let Some(partner) = &mut self.0
            && !partner.look(running)
        {
            control.stop();
        }
    }

    pub(super) fn round(&self) -> u64 {
        self.0.as_ref().map_or(super::shared::ROUND, |partner| partner.round())
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if let Some(partner) = &mut self.0 {
            partner.end();
        }
    }
}

/// A number for a new tree.
pub(super) fn tree_number() -> u64 {
    static TREES: AtomicU64 = AtomicU64::new(1);
    TREES.fetch_add(1, Relaxed)
}
