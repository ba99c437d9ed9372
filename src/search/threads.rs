//! The threads that search: one pool, started with the first search.

use super::error::SearchError;

/// Bytes of the stack of a search thread. The deepest recursion is a ladder across the largest board.
const STACK_BYTES: usize = 4 << 20;

/// Threads that start when they are first needed.
#[derive(Debug)]
pub(super) struct Threads {
    wanted: usize,
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// `wanted` threads, at least one.
    pub(super) fn new(wanted: usize) -> Threads {
        Threads { wanted: wanted.max(1), pool: None }
    }

    /// The pool. If the system refuses so many threads, the pool has one.
    ///
    /// # Errors
    /// If the system refuses even one.
    pub(super) fn pool(&mut self) -> Result<&rayon::ThreadPool, SearchError> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => start(self.wanted).or_else(|error| {
                log::error!("cannot start {} search threads: {error}", self.wanted);
                start(1).map_err(|error| SearchError::NoThread(error.to_string()))
            })?,
        };
        Ok(self.pool.insert(pool))
    }
}

fn start(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|i| format!("search-{i}"))
        .build()
}
