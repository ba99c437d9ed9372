//! A worker: takes a position from the queue, searches it, and posts the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::json;

use crate::search::{EarlyStop, Evaluators, History, Knowledge, Limits, Request, Running, Search, SearchError};

use super::answer::Form;
use super::options::AnalysisOptions;
use super::outbox::Outbox;
use super::policy::FirstSight;
use super::queue::{Queue, Task};
use super::start::NoGame;

/// Playouts at the start of every search, even of one that is terminated at once. So an answer is never empty. (The
/// same number as in live analysis.)
const FIRST_PLAYOUTS: u64 = 8;

/// A thread that searches one position after another.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    number: usize,
    options: &'a AnalysisOptions,
    queue: &'a Queue,
    outbox: &'a Outbox,
    search: Search,
}

/// Why a position has no answer.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    #[error(transparent)]
    Game(#[from] NoGame),
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl<'a> Worker<'a> {
    /// A worker of this number.
    pub(super) fn new(
        number: usize,
        options: &'a AnalysisOptions,
        queue: &'a Queue,
        outbox: &'a Outbox,
        search: Search,
    ) -> Worker<'a> {
        Worker { number, options, queue, outbox, search }
    }

    /// Works until the queue is closed and empty.
    pub(super) fn run(mut self) {
        while let Some(task) = self.queue.take(self.number) {
            let result = catch_unwind(AssertUnwindSafe(|| self.answer(&task)));
            let message = match result {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.to_string()),
                // The hook for panics has logged it.
                Err(_) => Some("internal error".into()),
            };
            if let Some(message) = message {
                self.outbox
                    .post(&json!({ "id": task.order.query.id, "turnNumber": task.order.turn, "error": message }));
            }
            self.search.forget();
            self.queue.finish(self.number);
            if self.outbox.is_broken() {
                self.queue.abandon();
            }
        }
    }

    fn answer(&mut self, task: &Task) -> Result<(), NoAnswer> {
        let (query, turn) = (&*task.order.query, task.order.turn);
        let game = query.start.game(turn)?;
        let engine = &self.options.engine;
        let size = game.size();
        let net = engine.nets.for_game(size, game.rules());
        let evaluators = Evaluators::of(net, engine.policy);
        let mut position = game.position().clone();
        // A client asks for moves after two passes, too.
        position.open_for_analysis();
        let request = Request {
            history: History { start_hash: game.start_key(), moves: game.moves().to_vec() },
            limits: self.limits(task),
            params: evaluators.params(size, &query.settings.tunables.after(&engine.tunables)),
            seed: engine.seed,
            evaluators,
            threads: Some(task.threads.min(query.settings.threads.unwrap_or(usize::MAX)).max(1)),
            restrictions: query.restrictions.clone(),
            knowledge: Knowledge { details: true, ..Knowledge::default() },
            ..Request::new(position, game.total_komi().half_points())
        };
        let first_sight = FirstSight::of(&mut self.search, &request, net, game.total_komi(), query.include.policy)?;
        let form = Form { query, turn, game: &game, first_sight: &first_sight };
        let time = &engine.search.time;
        let start = time.now();
        let mut next = query.first_report;
        let mut watch = |running: &Running<'_>| {
            if self.outbox.is_broken() {
                task.control.stop();
            }
            let elapsed = time.since(start);
            if next.is_some_and(|next| elapsed >= next) {
                next = query.report_every.map(|every| elapsed + every);
                let report = running.report();
                if report.playouts > 0 && !self.outbox.is_crowded() {
                    self.outbox.post(&form.answer(&report, true));
                }
            }
        };
        let report = self.search.run(&request, &task.control, &mut watch)?;
        self.outbox.post_when_there_is_room(&form.answer(&report, false));
        Ok(())
    }

    /// A query that names neither visits nor a time has the usual limits of a move.
    fn limits(&self, task: &Task) -> Limits {
        let settings = &task.order.query.settings;
        let engine = &self.options.engine;
        let (mut playouts, mut time): (Option<u64>, Option<Duration>) = (settings.playouts(), settings.max_time);
        if playouts.is_none() && time.is_none() {
            playouts = engine.playouts;
            time = playouts.is_none().then_some(engine.time_per_move);
        }
        let least = playouts.map_or(FIRST_PLAYOUTS, |most| most.min(FIRST_PLAYOUTS));
        Limits { playouts, least, hard: time, early_stop: EarlyStop::Never, ..Limits::default() }
    }
}
