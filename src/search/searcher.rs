//! The background searcher: a caller starts a job, looks at its latest report, stops the job, or waits for its end.
//!
//! One thread runs the jobs, one after another, and keeps the trees. Each job has its own stop flag.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::control::Control;
use super::monitor::Running;
use super::report::Report;
use super::request::Request;
use super::shared::lock;
use super::store::MemoryError;
use super::{Search, SearchError, SearchOptions};

/// The longest wait for a report of a running search. (A guess: whoever waits notices a stop within this time.)
const PATIENCE: Duration = Duration::from_millis(500);

/// Why there can be no searcher.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system refuses the memory.
    #[error("{0}; --memory sets how much is asked for")]
    Memory(#[from] MemoryError),
    /// The system refuses the searching thread.
    #[error("the system gives the process no thread to search in: {0}")]
    Thread(io::Error),
}

/// Runs searches in the background, one after another.
///
/// ```
/// use kosumi::go::{Position, Ruleset};
/// use kosumi::search::{Request, SearchOptions, Searcher};
///
/// let searcher = Searcher::new(SearchOptions::default())?;
/// let mut request = Request::new(Position::new(9, Ruleset::default()), 14);
/// request.limits.least = 50; // A stop leaves these playouts alone; without limits the search would never end.
///
/// let handle = searcher.start(request);
/// handle.stop();
/// let report = handle.join()?;
/// assert!(report.playouts >= 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// The watcher of a job: called every few milliseconds, in the searching thread.
type Watch = Box<dyn FnMut(&Running<'_>) + Send>;

enum Order {
    Run(Arc<Job>, Watch),
    Forget,
    Threads(usize),
}

/// A search that a caller asked for.
#[derive(Debug)]
struct Job {
    request: Request,
    control: Control,
    state: Mutex<JobState>,
    changed: Condvar,
}

/// What the caller and the searcher's thread tell each other about a job.
#[derive(Debug, Default)]
struct JobState {
    /// Does a caller wait for a new report?
    wanted: bool,
    latest: Option<Arc<Report>>,
    result: Option<Result<Arc<Report>, SearchError>>,
}

impl Searcher {
    /// Takes the memory and starts the thread.
    ///
    /// # Errors
    /// If the system refuses the memory or the thread.
    pub fn new(options: SearchOptions) -> Result<Searcher, StartError> {
        let search = Search::new(options)?;
        let (orders, received) = channel();
        let thread = std::thread::Builder::new()
            .name("searcher".into())
            .spawn(move || work(search, received))
            .map_err(StartError::Thread)?;
        Ok(Searcher { orders, thread: Some(thread) })
    }

    /// Starts a search as soon as all earlier ones have ended.
    pub fn start(&self, request: Request) -> Handle {
        self.start_watched(request, |_| {})
    }

    /// Starts a search as [`Searcher::start`] does. `watch` is called every few milliseconds, in the searching thread.
    pub fn start_watched(&self, request: Request, watch: impl FnMut(&Running<'_>) + Send + 'static) -> Handle {
        let job = Arc::new(Job {
            request,
            control: Control::new(),
            state: Mutex::new(JobState::default()),
            changed: Condvar::new(),
        });
        if self.orders.send(Order::Run(Arc::clone(&job), Box::new(watch))).is_err() {
            job.end(Err(SearchError::Broken));
        }
        Handle { job }
    }

    /// Empties the trees as soon as all searches started so far have ended.
    pub fn forget(&self) {
        // Sending fails only when the thread has ended, and the trees have gone with the thread.
        let _ = self.orders.send(Order::Forget);
    }

    /// Changes the number of threads for all searches started from now on.
    pub fn set_threads(&self, threads: usize) {
        let _ = self.orders.send(Order::Threads(threads));
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        // The thread ends when no order can come any more. Handles stop their jobs when they are dropped.
        drop(std::mem::replace(&mut self.orders, channel().0));
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been caught and logged.
            let _ = thread.join();
        }
    }
}

/// The searching thread.
fn work(mut search: Search, orders: Receiver<Order>) {
    for order in orders {
        match order {
            Order::Forget => search.forget(),
            Order::Threads(threads) => search.set_threads(threads),
            Order::Run(job, mut watch) => {
                let run = || {
                    search.run(&job.request, &job.control, &mut |running| {
                        watch(running);
                        job.publish_if_wanted(running);
                    })
                };
                let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(SearchError::Broken));
                if matches!(result, Err(SearchError::Broken)) {
                    search.forget();
                }
                job.end(result.map(Arc::new));
            }
        }
    }
}

impl Job {
    fn state(&self) -> MutexGuard<'_, JobState> {
        lock(&self.state)
    }

    fn publish_if_wanted(&self, running: &Running<'_>) {
        if !self.state().wanted {
            return;
        }
        let report = Arc::new(running.report());
        let mut state = self.state();
        state.wanted = false;
        state.latest = Some(report);
        self.changed.notify_all();
    }

    fn end(&self, result: Result<Arc<Report>, SearchError>) {
        let mut state = self.state();
        state.wanted = false;
        if let Ok(report) = &result {
            state.latest = Some(Arc::clone(report));
        }
        state.result = Some(result);
        self.changed.notify_all();
    }
}

/// The hold on one search of a [`Searcher`], which also has the example. Dropping the handle stops the search.
#[derive(Debug)]
pub struct Handle {
    job: Arc<Job>,
}

impl Handle {
    /// Ends the search at once.
    pub fn stop(&self) {
        self.job.control.stop();
    }

    /// Has the search ended?
    pub fn is_over(&self) -> bool {
        self.job.state().result.is_some()
    }

    /// Waits for the end of the search, `longest` at most. Gives whether the search has ended.
    pub fn wait(&self, longest: Duration) -> bool {
        let waiting = |state: &mut JobState| state.result.is_none();
        let (state, _) = self
            .job
            .changed
            .wait_timeout_while(self.job.state(), longest, waiting)
            .unwrap_or_else(PoisonError::into_inner);
        state.result.is_some()
    }

    /// The last report that a caller has asked for, or the final one.
    pub fn latest(&self) -> Option<Arc<Report>> {
        self.job.state().latest.clone()
    }

    /// A report of this moment; the wait is some milliseconds. While the search makes room in its tree there is none:
    /// then it is the last one, after a wait of half a second. `None` without one, or if the search has broken off.
    pub fn report(&self) -> Option<Arc<Report>> {
        let mut state = self.job.state();
        if state.result.is_none() {
            state.wanted = true;
            drop(state);
            self.job.control.call();
            state = self
                .job
                .changed
                .wait_timeout_while(self.job.state(), PATIENCE, |state| state.wanted && state.result.is_none())
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        match &state.result {
            Some(Err(_)) => None,
            Some(Ok(report)) => Some(Arc::clone(report)),
            None => state.latest.clone(),
        }
    }

    /// Waits for the end of the search and gives the final report.
    ///
    /// # Errors
    /// See [`Search::run`].
    pub fn join(self) -> Result<Arc<Report>, SearchError> {
        let state = self
            .job
            .changed
            .wait_while(self.job.state(), |state| state.result.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        // The wait ends only when there is a result.
        state.result.clone().unwrap_or(Err(SearchError::Broken))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
    }
}
