//! KataGo's JSON analysis engine: queries about positions come as lines of JSON, and answers go out as lines of JSON,
//! in the order in which they are ready. The protocol is that of KataGo's document *Analysis Engine*.
//!
//! ```text
//! lines ──→ intake ──→ queue ──→ workers (a search each) ──→ outbox ──→ output
//!              └── answers to actions, errors ──────────────────┘
//! ```
//!
//! - `lines` cuts the input, `fields` reads the fields of an object, `query` makes a query of them, `intake` decides
//!   what a line asks for.
//! - `queue` holds the positions that wait, `worker` searches one after another.
//! - `answer`, with `policy` and `hash`, says what a search found. `outbox` writes.
//!
//! Standard output has nothing but answers. No line of input ends the engine.
//!
//! # Threads and memory
//!
//! There are as many workers as search threads, unless the settings ask for fewer. A position shares the threads with
//! those that are searched or wait when its search begins: many positions have one thread each, and a lone one has all.
//! Each worker has its own tree. The first one takes what comes alone, and has a quarter of the memory at least. The
//! tree is emptied after each position, so an answer does not depend on earlier queries.

mod answer;
mod fields;
mod hash;
mod intake;
mod lines;
mod options;
mod outbox;
mod policy;
mod query;
mod queue;
pub mod settings;
mod start;
mod weight;
mod worker;

use std::io::{BufReader, Read, Write};
use std::num::NonZeroUsize;
use std::thread::{Scope, ScopedJoinHandle};

use crate::search::{MemoryError, Search, SearchOptions, most_threads};

use intake::Intake;
pub use options::AnalysisOptions;
use outbox::Outbox;
use queue::Queue;
pub use settings::Settings;

/// Why the analysis engine cannot work.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The system refuses the memory.
    #[error("{0}; --memory sets how much is asked for")]
    Memory(#[from] MemoryError),
    /// The system refuses a thread.
    #[error("the system gives the process no thread: {0}")]
    Thread(std::io::Error),
    /// The input cannot be read.
    #[error("cannot read: {0}")]
    Read(std::io::Error),
}

/// Answers queries until the input ends, and all queries are answered. `ready` is called when the first query can
/// come. It is no error that nobody reads the output any more: the engine ends then.
///
/// ```
/// use kosumi::analysis::{self, AnalysisOptions};
///
/// let query = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":10}"#;
/// let mut options = AnalysisOptions::default();
/// options.engine.search.memory = 16;
/// let mut output = Vec::new();
/// analysis::run(&options, query.as_bytes(), &mut output, || {})?;
/// assert!(output.starts_with(br#"{"id":"a","isDuringSearch":false,"moveInfos":[{"#));
/// # Ok::<(), analysis::AnalysisError>(())
/// ```
///
/// # Errors
/// Why the engine cannot start, or cannot read. What has been asked by then is answered.
pub fn run(
    options: &AnalysisOptions,
    input: impl Read,
    output: impl Write + Send,
    ready: impl FnOnce(),
) -> Result<(), AnalysisError> {
    let searches = searches(options)?;
    let threads = options.engine.search.threads.max(1);
    let (queue, outbox) = (Queue::new(searches.len(), threads), Outbox::default());
    std::thread::scope(|scope| {
        // Threads that have started have to end, whatever fails here.
        let result = (|| {
            let outbox = &outbox;
            spawn(scope, "output".into(), move || outbox.write_to(output))?;
            let mut workers = Vec::new();
            for (number, search) in searches.into_iter().enumerate() {
                let worker = worker::Worker::new(number, options, &queue, outbox, search);
                workers.push(spawn(scope, format!("analysis-{number}"), || worker.run())?);
            }
            log::info!("up to {} positions are searched side by side", workers.len());
            ready();
            let result = Intake::new(options, &queue, outbox).read(BufReader::new(input));
            if options.quit_without_waiting {
                queue.abandon();
            }
            queue.close();
            for worker in workers {
                // A worker catches its panics.
                let _ = worker.join();
            }
            result.map_err(AnalysisError::Read)
        })();
        queue.close();
        outbox.close();
        result
    })
}

fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, ()>, AnalysisError> {
    std::thread::Builder::new().name(name).spawn_scoped(scope, work).map_err(AnalysisError::Thread)
}

/// The part of the memory that the first worker has at least: one quarter. A guess: it has the long searches of a
/// client that looks at one position, and shares those of many positions with the others.
const FIRST_PART: usize = 4;

/// A search for each worker. The first one can use all threads, the second one half of them, and so on: see
/// [`Queue::take`].
fn searches(options: &AnalysisOptions) -> Result<Vec<Search>, MemoryError> {
    let SearchOptions { threads, memory, time, partners } = &options.engine.search;
    let threads = (*threads).max(1);
    let workers = options.settings.workers.map_or(threads, NonZeroUsize::get).min(threads).min(most_threads());
    let search = |worker| {
        let share = SearchOptions {
            threads: queue::share(threads, worker + 1),
            memory: memory_of(worker, workers, *memory),
            time: time.clone(),
            partners: partners.clone(),
        };
        Search::new(share)
    };
    (0..workers).map(search).collect()
}

/// The memory of a worker, in MiB, of all that there is.
fn memory_of(worker: usize, workers: usize, all: usize) -> usize {
    let first = (all / workers).max(all / FIRST_PART);
    if worker == 0 { first.max(1) } else { ((all - first) / (workers - 1)).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_worker_has_a_quarter_of_the_memory() {
        let shares = |workers, all| (0..workers).map(|worker| memory_of(worker, workers, all)).collect::<Vec<_>>();
        assert_eq!(shares(1, 512), [512]);
        assert_eq!(shares(2, 512), [256, 256]);
        assert_eq!(shares(7, 512), [128, 64, 64, 64, 64, 64, 64]);
        assert_eq!(shares(3, 1), [1, 1, 1], "a tree has 1 MiB at least");
    }
}
