//! The search loop of one thread: go down, evaluate, back up, until the flag ends the search.

use std::fmt;

use super::descent::Descent;
use super::evaluate::Evaluator;
use super::shared::{ROUND, Shared};
use super::walker::{Arrival, Walker};
use crate::playout::Rng;

/// The most descents that a thread keeps open, even if its evaluator likes more.
const MOST_OPEN: usize = 32;

/// One thread of a search.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    walker: Walker<'a>,
    evaluator: Box<dyn Evaluator>,
    rng: Rng,
    /// The descents: first those that wait for their evaluation, then the unused ones.
    descents: Vec<Descent>,
    /// Does this thread check, for all threads, whether an early stop is due?
    counts: bool,
}

impl fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("open", &self.descents.len())
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<'a> Worker<'a> {
    /// A thread's tools for this search. With `counts` the thread checks, for all threads, whether an
    /// [early stop](super::EarlyStop) is due by the number of playouts.
    pub fn new(shared: &'a Shared<'a>, evaluator: Box<dyn Evaluator>, rng: Rng, counts: bool) -> Worker<'a> {
        let walker = Walker::new(shared, &*evaluator);
        let open = evaluator.batch().clamp(1, MOST_OPEN);
        let descents = (0..open).map(|_| walker.descent()).collect();
        Worker { shared, walker, evaluator, rng, descents, counts }
    }

    /// Searches until a limit is reached. After every `length` playouts, [`ROUND`] at most, `each_round` is called.
    pub fn run(&mut self, length: u64, each_round: &mut dyn FnMut()) {
        let mut round = 0;
        while self.shared.goes_on() {
            let (begun, waiting) = self.go_down();
            self.evaluate(waiting);
            for descent in &mut self.descents[..waiting] {
                self.walker.finish(descent);
            }
            round += begun;
            if round >= length.min(ROUND) {
                round = 0;
                self.walker.flush();
                if self.counts {
                    self.shared.look_at_counts();
                }
                each_round();
            }
        }
        self.walker.flush();
    }

    /// Goes down until as many leaves wait as the evaluator likes. Gives the number of playouts begun, and of leaves.
    fn go_down(&mut self) -> (u64, usize) {
        let (mut begun, mut waiting) = (0, 0);
        while waiting < self.descents.len() && begun < ROUND && self.shared.goes_on() && self.shared.begin_playout() {
            begun += 1;
            if self.walker.descend(&mut self.descents[waiting], &mut self.rng) == Arrival::Leaf {
                waiting += 1;
            }
        }
        (begun, waiting)
    }

    fn evaluate(&mut self, waiting: usize) {
        match &mut self.descents[..waiting] {
            [] => {}
            [one] => self.evaluator.evaluate(&mut one.leaf, &mut self.rng),
            several => {
                let mut leaves: Vec<_> = several.iter_mut().map(|descent| &mut descent.leaf).collect();
                self.evaluator.evaluate_all(&mut leaves, &mut self.rng);
            }
        }
    }
}
