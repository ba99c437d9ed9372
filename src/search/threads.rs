//! The threads that search: one pool, started with the first search.

/// Bytes of the stack of a search thread. The deepest recursion is a ladder across the largest board.
const STACK_BYTES: usize = 4 << 20;

/// Threads that are always granted, however few cores there are: tests and clusters ask for more than there are cores.
const ALWAYS_GRANTED: usize = 64;

/// Threads for each core, beyond which a search would only get slower and take more memory. (A guess.)
const MOST_FOR_A_CORE: usize = 4;

/// Threads that start when they are first needed.
#[derive(Debug)]
pub(super) struct Threads {
    wanted: usize,
    pool: Pool,
}

#[derive(Debug)]
enum Pool {
    /// No thread has been asked for yet.
    NotStarted,
    Started(rayon::ThreadPool),
    /// The system gives no thread.
    Refused,
}

/// The most search threads that make sense on this machine.
pub fn most_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    ALWAYS_GRANTED.max(MOST_FOR_A_CORE * cores)
}

impl Threads {
    /// `wanted` threads. With 0 there is no pool.
    pub(super) fn new(wanted: usize) -> Threads {
        Threads { wanted, pool: if wanted == 0 { Pool::Refused } else { Pool::NotStarted } }
    }

    /// No threads, as on a system that refuses all of them.
    #[cfg(test)]
    pub(super) fn refused() -> Threads {
        Threads { wanted: 1, pool: Pool::Refused }
    }

    /// The pool. It has fewer threads than were wanted if so many make no sense, or if the system refuses some of them.
    /// `None` if the system refuses even one: the search then runs in the thread that asks for it.
    pub(super) fn pool(&mut self) -> Option<&rayon::ThreadPool> {
        if matches!(self.pool, Pool::NotStarted) {
            self.pool = start_some(self.wanted).map_or(Pool::Refused, Pool::Started);
        }
        match &self.pool {
            Pool::Started(pool) => Some(pool),
            Pool::NotStarted | Pool::Refused => None,
        }
    }
}

/// Starts these threads, or as many of them as there can be.
fn start_some(wanted: usize) -> Option<rayon::ThreadPool> {
    let mut threads = wanted.min(most_threads());
    if threads < wanted {
        log::warn!("{wanted} search threads make no sense on this machine: {threads} search");
    }
    while threads > 0 {
        match start(threads) {
            Ok(pool) => return Some(pool),
            Err(error) => log::warn!("cannot start {threads} search threads: {error}; trying fewer"),
        }
        threads /= 2;
    }
    log::warn!("the system gives no search thread: the search runs in the thread that asks for it");
    None
}

fn start(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|i| format!("search-{i}"))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_start_than_make_sense() {
        let mut threads = Threads::new(100_000);
        assert_eq!(threads.pool().expect("threads").current_num_threads(), most_threads());
        assert!(Threads::new(0).pool().is_none());
    }
}
