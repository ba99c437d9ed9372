//! The threads that search: one pool, started with the first search.

/// Bytes of the stack of a search thread. The deepest recursion is a ladder across the largest board.
const STACK_BYTES: usize = 4 << 20;

/// Bytes of address space for a thread: its stack, and what the allocator takes for it. The one of glibc asks for 128
/// MiB, to cut an aligned area of 64 MiB out of them. Elsewhere this is a guess.
const THREAD_BYTES: usize = STACK_BYTES + if cfg!(target_env = "gnu") { 128 << 20 } else { 1 << 20 };

/// Bytes of address space that are left for the rest of the program when the threads have started. A guess.
const SPARE_BYTES: usize = 32 << 20;

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
        if has_room(threads) {
            match start(threads) {
                Ok(pool) => return Some(pool),
                Err(error) => log::warn!("cannot start {threads} search threads: {error}; trying fewer"),
            }
        } else {
            log::warn!("cannot start {threads} search threads: the system refuses their memory; trying fewer");
        }
        threads /= 2;
    }
    log::warn!("the system gives no search thread: the search runs in the thread that asks for it");
    None
}

/// Has the system address space for so many threads, and for the rest of the program beside them? Threads that take the
/// last of it leave the program nothing, and the next small allocation ends the process.
fn has_room(threads: usize) -> bool {
    let reserve = |bytes: usize| {
        let mut room: Vec<u8> = Vec::new();
        // Memory that nobody looks at would be optimized away, and be taken for granted.
        room.try_reserve_exact(bytes).ok().map(|()| std::hint::black_box(room))
    };
    // In pieces: a system that promises more than it has refuses one large piece.
    let pieces = std::iter::repeat_n(THREAD_BYTES, threads).chain([SPARE_BYTES]);
    pieces.map(reserve).collect::<Option<Vec<_>>>().is_some()
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
