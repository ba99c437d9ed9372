//! A worker: an engine that works for one tab after another, a piece of work at a time.
//!
//! A piece is a move, a hint, a count, a position of a review, or a slice of an analysis. It ends early when its tab
//! has moved on. An analysis ends its slice when another tab waits, or when its own tab has a review to be gone on
//! with.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread::Scope;
use std::time::{Duration, Instant};

use crate::engine::{Engine, EngineError, EngineOptions, Interest, Interrupt, Level};
use crate::go::Color;
use crate::play::say;
use crate::review::Finding;
use crate::search::searcher::StartError;
use crate::search::{Report, SearchOptions};
use crate::view::View;

use super::count::Count;
use super::error::WebError;
use super::queue::{Queue, Turn};
use super::sitting::Sitting;
use super::tab::Tab;
use super::wishes::{Task, Wish};

/// The longest slice of an analysis while other tabs wait. (A guess: nobody waits for long, and the tree, which another
/// tab's work replaces, is worth something until then.)
const SLICE: Duration = Duration::from_millis(500);

/// The longest search for a hint. (A guess: as long as the engine's own for findings.)
const LONGEST_HINT: Duration = Duration::from_secs(1);

/// Time between two findings of an analysis, and before the first one.
const EVERY: Duration = Duration::from_millis(300);
const FIRST: Duration = Duration::from_millis(100);

/// The largest number of workers. Each has a tree of its own, which must not be too small.
const MOST: usize = 8;

/// The first worker, which works for a tab that is alone, has this part of the memory.
const FIRST_PART: usize = 2;

/// Starts the workers: one for each search thread, up to some.
///
/// # Errors
/// If the system refuses the memory or a thread.
pub(super) fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    options: &EngineOptions,
    queue: &Arc<Queue>,
) -> Result<(), WebError> {
    let threads = options.search.threads.max(1);
    let count = threads.min(MOST);
    for number in 0..count {
        let memory = match number {
            _ if count == 1 => options.search.memory,
            0 => options.search.memory / FIRST_PART,
            _ => (options.search.memory - options.search.memory / FIRST_PART) / (count - 1),
        };
        let search = SearchOptions {
            threads: if number == 0 { threads } else { 1 },
            memory: memory.max(1),
            time: options.search.time.clone(),
            partners: options.search.partners.clone(),
        };
        let options = EngineOptions { search, ponder: false, ..options.clone() };
        let worker = Worker::new(number, threads, options, Arc::clone(queue))?;
        std::thread::Builder::new()
            .name(format!("web-{number}"))
            .spawn_scoped(scope, move || worker.run())
            .map_err(|error| WebError::System(error.to_string()))?;
    }
    Ok(())
}

struct Worker {
    number: usize,
    /// Threads of a search for a tab that is alone, if this is the first worker.
    threads: usize,
    /// The seed of a tab's game of number 0.
    seed: u64,
    /// May Kosumi resign at all?
    may_resign: bool,
    engine: Engine,
    interrupt: Interrupt,
    queue: Arc<Queue>,
    /// The tab of the last piece of work: the tree knows its game.
    last: Weak<Tab>,
}

/// What a piece of work has come to: how the sitting changes.
type Done = Result<Box<dyn FnOnce(&mut Sitting)>, EngineError>;

impl Worker {
    fn new(number: usize, threads: usize, options: EngineOptions, queue: Arc<Queue>) -> Result<Worker, StartError> {
        let interrupt = Interrupt::new(AtomicBool::new(false));
        let (seed, may_resign) = (options.seed, options.may_resign);
        let engine = Engine::new(options, Arc::clone(&interrupt))?;
        Ok(Worker { number, threads, seed, may_resign, engine, interrupt, queue, last: Weak::new() })
    }

    /// Works until the queue is closed.
    fn run(mut self) {
        while let Some(Turn { tab, is_alone }) = self.queue.take(self.number) {
            let is_watched = tab.is_watched();
            if let Some(task) = tab.change(|sitting| sitting.task(is_watched)) {
                let epoch = task.epoch;
                let result = catch_unwind(AssertUnwindSafe(|| self.work(&tab, task, is_alone)));
                tab.change(|sitting| match result {
                    _ if tab.has_moved_on(epoch) => {}
                    Ok(Ok(apply)) => apply(sitting),
                    Ok(Err(error)) => sitting.failed(&error.to_string()),
                    // The hook for panics has logged it.
                    Err(_) => sitting.failed("something went wrong inside; please report it"),
                });
            }
            self.queue.hand_back(&tab, || tab.wants_work());
        }
    }

    fn work(&mut self, tab: &Arc<Tab>, task: Task, is_alone: bool) -> Done {
        let threads = if self.number == 0 && is_alone { self.threads } else { 1 };
        let seed = self.seed.wrapping_add(task.number);
        let may_resign = self.may_resign && task.may_resign;
        self.engine.set_level(task.level);
        self.engine.change(|options| {
            options.threads = threads;
            options.most_time = None;
            options.may_resign = may_resign;
            options.seed = seed;
        });
        let is_review = matches!(task.wish, Wish::Review(_));
        if is_review || !std::ptr::eq(self.last.as_ptr(), Arc::as_ptr(tab)) {
            self.engine.load(task.game);
        } else {
            // The tree knows the moves before.
            *self.engine.game_mut() = task.game;
        }
        self.last = if is_review { Weak::new() } else { Arc::downgrade(tab) };
        self.interrupt.store(false, Relaxed);
        match task.wish {
            Wish::Move(color) => {
                self.engine.set_lost_moves(task.lost);
                self.make_move(tab, task.epoch, color, task.pace, task.clocks)
            }
            Wish::Hint => self.hint(tab, task.epoch),
            Wish::Count => {
                // The judgement of an open game is kept, and the statuses are taken from it.
                let open = self.engine.is_open();
                let count = Count::of(self.engine.statuses(), open);
                Ok(Box::new(move |sitting| sitting.counted(count)))
            }
            Wish::Analysis => self.analyze(tab, task.epoch),
            Wish::Review(step) => {
                let report = self.search_for(tab, task.epoch, step.to_move, step.time)?;
                let finding = Finding::of(step.turn, &report, step.to_move, self.engine.game().size());
                Ok(Box::new(move |sitting| sitting.reviewed(step.review, finding)))
            }
        }
    }

    fn make_move(
        &mut self,
        tab: &Tab,
        epoch: u64,
        color: Color,
        pace: Duration,
        clocks: [crate::clock::Clock; 2],
    ) -> Done {
        for side in Color::BOTH {
            let clock = self.engine.clock_mut(side);
            *clock = clocks[side.index()];
            // The page keeps the clocks itself: no delay lies between a move and its clock.
            if let Some((left, periods)) = clock.left() {
                clock.set_left(left, periods);
            }
        }
        let has_clock = clocks[color.index()].left().is_some();
        if self.engine.options().level == Level::Max && !has_clock && self.engine.options().playouts.is_none() {
            self.engine.change(|options| options.most_time = Some(pace));
        }
        let (turn, size) = (self.engine.game().move_count(), self.engine.game().size());
        let interest = Interest { details: true, ..Interest::default() };
        let (queue, interrupt) = (Arc::clone(&self.queue), Arc::clone(&self.interrupt));
        let mut watch = give_up(tab, epoch, &queue, &interrupt);
        let (decision, _) = self.engine.genmove_watched(color, &interest, &mut watch)?;
        let clocks = Color::BOTH.map(|side| *self.engine.clock(side));
        let report = self.engine.last_thought().filter(|thought| thought.knows_score).map(|thought| &thought.report);
        let ahead = report.map(|report| say::ahead(&View::of(report, color, size))).unwrap_or_default();
        let found = report.map(|report| Finding::of(turn, report, color, size));
        let lost = self.engine.lost_moves();
        Ok(Box::new(move |sitting| {
            sitting.lost = lost;
            sitting.moved(color, decision, clocks, found, &ahead);
        }))
    }

    fn hint(&mut self, tab: &Tab, epoch: u64) -> Done {
        let game = self.engine.game();
        let (turn, color, size) = (game.move_count(), game.position().to_move(), game.size());
        let (queue, interrupt) = (Arc::clone(&self.queue), Arc::clone(&self.interrupt));
        let mut end = give_up(tab, epoch, &queue, &interrupt);
        let start = Instant::now();
        // With a fixed number of playouts nothing else ends the search in time.
        let report = self.engine.findings_watched(color, &mut |report| {
            end(report);
            if start.elapsed() >= LONGEST_HINT {
                interrupt.store(true, Relaxed);
            }
        })?;
        let text = format!("{}.", say::capital(say::hint(&View::of(&report, color, size)).replace('\n', "; ")));
        let finding = Finding::of(turn, &report, color, size);
        Ok(Box::new(move |sitting| sitting.hinted(text, finding)))
    }

    /// A slice of an analysis. The findings go to the tab on the way.
    fn analyze(&mut self, tab: &Tab, epoch: u64) -> Done {
        let game = self.engine.game();
        let (turn, color, size) = (game.move_count(), game.position().to_move(), game.size());
        let (queue, interrupt) = (Arc::clone(&self.queue), Arc::clone(&self.interrupt));
        let start = Instant::now();
        let mut next = start + FIRST;
        let interest = Interest { details: true, ..Interest::default() };
        let show = |report: &Report| {
            let finding = Finding::of(turn, report, color, size);
            tab.change(|sitting| {
                if !tab.has_moved_on(epoch) {
                    sitting.found(finding);
                }
            });
        };
        let mut end = give_up(tab, epoch, &queue, &interrupt);
        let report = self.engine.analyze(color, &interest, &mut |report| {
            end(report);
            let is_long = start.elapsed() >= SLICE;
            if is_long && (queue.is_waited_in() || tab.is_reviewing() || !tab.is_watched()) {
                interrupt.store(true, Relaxed);
            }
            if Instant::now() >= next {
                next = Instant::now() + EVERY;
                if let Some(report) = report() {
                    show(&report);
                }
            }
        })?;
        show(&report);
        Ok(Box::new(|_| {}))
    }

    /// A search of the engine's position for so long.
    fn search_for(&mut self, tab: &Tab, epoch: u64, color: Color, time: Duration) -> Result<Arc<Report>, EngineError> {
        let (queue, interrupt) = (Arc::clone(&self.queue), Arc::clone(&self.interrupt));
        let interest = Interest { details: true, ..Interest::default() };
        let mut end = give_up(tab, epoch, &queue, &interrupt);
        let start = Instant::now();
        self.engine.analyze(color, &interest, &mut |report| {
            end(report);
            if start.elapsed() >= time {
                interrupt.store(true, Relaxed);
            }
        })
    }
}

/// A watcher that ends a search when nobody wants it any more.
fn give_up<'a>(
    tab: &'a Tab,
    epoch: u64,
    queue: &'a Queue,
    interrupt: &'a AtomicBool,
) -> impl FnMut(&dyn Fn() -> Option<Arc<Report>>) + 'a {
    move |_| {
        if tab.has_moved_on(epoch) || queue.is_closed() {
            interrupt.store(true, Relaxed);
        }
    }
}
