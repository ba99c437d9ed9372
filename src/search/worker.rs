//! The search loop of one thread: select, expand, evaluate, back up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::go::{Color, Move, Point, PointMap, Position};
use crate::playout::Rng;

use super::criticality::Criticality;
use super::evaluate::{Evaluation, Evaluator, Leaf};
use super::limits::{EarlyStop, Limits};
use super::node::{BUSY, ILLEGAL, LEAF};
use super::ownership::Ownership;
use super::params::Params;
use super::prior::{self, Candidate, Context, Tools};
use super::select::Formula;
use super::study::{Details, Restriction, Sampler};
use super::tree::Tree;

/// Playouts between two merges of a thread's ownership sums and two looks at the limits that cost more than a
/// comparison.
const ROUND: u64 = 32;

/// A move is obvious that gets this share of the visits, after so many, when one in `LOOK` of the playouts is made.
const OBVIOUS: f32 = 0.97;
const LEAST_VISITS: u32 = 500;
const LOOK: u64 = 16;

/// A pass begins with so many lost observations of all-moves-as-first, of which it never gets any otherwise: while those
/// of plays told them all to be bad, a pass that nothing was known of looked better, and in nodes of few visits it was
/// searched most. The number is a guess: 13 virtual visits speak for it.
const PASS_LOSSES: f32 = 20.0;

/// What the threads of a search share.
pub struct Shared<'a> {
    /// The tree; its root has children.
    pub tree: &'a Tree,
    /// The position at its root.
    pub root: &'a Position,
    /// The last move before the root and the one before that.
    pub last: [Point; 2],
    /// Komi and compensation in half points.
    pub komi: i32,
    /// The tunables.
    pub params: &'a Params,
    /// When to end.
    pub limits: Limits,
    /// When the search began.
    pub start: Instant,
    /// Playouts begun.
    pub playouts: AtomicU64,
    /// Set from outside to end the search at once.
    pub stop: &'a AtomicBool,
    /// Set when a limit is reached.
    pub done: AtomicBool,
    /// Sums of all threads.
    pub ownership: Mutex<Ownership>,
    /// Which moves get children.
    pub choice: Choice<'a>,
    /// Sums of a sample, also for each move at the root, if they are wanted.
    pub details: Option<Mutex<Details>>,
}

/// A step down the tree.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    mover: Color,
    point: Point,
}

/// One thread's tools.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    evaluator: Box<dyn Evaluator>,
    /// Takes the place of the evaluator for a sample of the leaves.
    sampler: Option<Sampler>,
    rng: Rng,
    formula: Formula,
    position: Position,
    path: Vec<Step>,
    evaluation: Evaluation,
    candidates: Vec<Candidate>,
    tools: Tools,
    /// Who played first on a point below the node at hand, and how much that counts in all-moves-as-first: above 0 for
    /// Black, below for White, 0 for nobody.
    first: PointMap<f32>,
    ownership: Ownership,
    criticality: Criticality,
    expand_after: u32,
    area: usize,
}

impl<'a> Worker<'a> {
    /// A thread's tools for this search.
    pub fn new(shared: &'a Shared<'a>, evaluator: Box<dyn Evaluator>, rng: Rng) -> Worker<'a> {
        let size = shared.root.size();
        Worker {
            evaluator,
            sampler: None,
            rng,
            formula: Formula::new(shared.params),
            position: shared.root.clone(),
            path: Vec::with_capacity(256),
            evaluation: Evaluation::default(),
            candidates: Vec::with_capacity(crate::go::MAX_POINTS + 1),
            tools: Tools::new(size),
            first: PointMap::filled(0.0),
            ownership: Ownership::default(),
            criticality: Criticality::new(shared.params, size * size),
            expand_after: shared.params.expand_after as u32,
            area: (size + 2) * (size + 1) + 1,
            shared,
        }
    }

    /// Collects [`Details`] from leaves that this evaluator judges, which is slower and knows owners.
    pub fn sample_with(&mut self, evaluator: Box<dyn Evaluator>) {
        self.sampler = Some(Sampler::new(evaluator));
    }

    /// Searches until a limit is reached. `watch` is called every now and then, by the thread that has it.
    pub fn run(&mut self, mut watch: Option<&mut (dyn FnMut(&Shared<'_>) + '_)>) {
        let shared = self.shared;
        let mut round = 0;
        while !shared.stop.load(Relaxed) && !shared.done.load(Relaxed) && !shared.tree.is_full() {
            if shared.limits.hard.is_some_and(|hard| shared.start.elapsed() >= hard) {
                shared.done.store(true, Relaxed);
                break;
            }
            let begun = shared.playouts.fetch_add(1, Relaxed);
            if shared.limits.playouts.is_some_and(|most| begun >= most) {
                shared.playouts.fetch_sub(1, Relaxed);
                shared.done.store(true, Relaxed);
                break;
            }
            self.playout();
            round += 1;
            if round == ROUND {
                round = 0;
                self.flush();
                if let Some(watch) = &mut watch {
                    watch(shared);
                }
            }
        }
        self.flush();
    }

    fn flush(&mut self) {
        if self.ownership.playouts() > 0 {
            shared_lock(&self.shared.ownership).merge(&self.ownership);
            self.ownership.clear();
        }
    }

    /// One playout: down the tree, evaluation of the leaf, and back up.
    fn playout(&mut self) {
        if self.descend() {
            self.evaluate();
            self.back_up();
        }
        for step in &self.path {
            self.shared.tree.node(step.node).leave();
        }
    }

    /// Goes from the root to a leaf, making children of it if it has been visited enough. `false` if the way
    /// ended at a move that superko forbids, which is barred from now on.
    fn descend(&mut self) -> bool {
        let tree = self.shared.tree;
        self.position.rewind_to(self.shared.root);
        self.path.clear();
        let mut node = tree.root();
        self.enter(node, self.shared.root.to_move().other(), Point::NONE);
        while !self.position.is_over() {
            let here = tree.node(node);
            if here.children_raw() == LEAF && here.visits() >= self.expand_after {
                self.expand(node);
            }
            let first = here.children_raw();
            if matches!(first, LEAF | BUSY | ILLEGAL) {
                break;
            }
            let Some(best) = self.formula.best(tree.children(here), here.visits()) else { break };
            node = first + best as u32;
            let mv = tree.node(node).mv();
            let mover = self.position.to_move();
            self.enter(node, mover, mv.point().unwrap_or(Point::NONE));
            if !self.position.play_checking_superko(mv) {
                // The way to a node is always the same, so what is repeated once is always repeated.
                tree.node(node).forbid();
                return false;
            }
        }
        true
    }

    fn enter(&mut self, node: u32, mover: Color, point: Point) {
        self.shared.tree.node(node).enter();
        self.path.push(Step { node, mover, point });
    }

    /// The last move and the one before it at the leaf.
    fn last(&self) -> [Point; 2] {
        let mut last = self.shared.last;
        // The first step stands for the root itself.
        for step in &self.path[1..] {
            last = [step.point, last[0]];
        }
        last
    }

    /// Makes the children of a node, unless another thread is about it or there is no room.
    fn expand(&mut self, node: u32) {
        let tree = self.shared.tree;
        if !tree.node(node).claim() {
            return;
        }
        let mut context = Context { position: &self.position, last: self.last(), tools: &mut self.tools };
        // The first step is the root itself, whose children are at ply 0.
        let ply = self.path.len() - 1;
        let choice = Choice { factors: self.criticality.factors(), ..self.shared.choice };
        let evaluator = &mut *self.evaluator;
        expand_within(tree, node, &mut context, evaluator, choice, ply, &mut self.candidates);
    }

    fn evaluate(&mut self) {
        let leaf = Leaf { position: &self.position, last: self.last(), komi: self.shared.komi };
        // A game that has ended is played out, too: dead stones stand at its end, and who owns what is asked for.
        let sampler = self.sampler.as_mut().and_then(Sampler::draw);
        let is_sample = sampler.is_some();
        let evaluator = sampler.unwrap_or(&mut *self.evaluator);
        evaluator.evaluate(&leaf, &mut self.rng, &mut self.evaluation);
        if let Some(margin) = leaf.ended(&self.evaluation) {
            self.evaluation.settle(margin);
        }
        if self.evaluation.knows_owners {
            self.ownership.add(&self.evaluation, self.area);
            self.criticality.add(self.shared.root.board(), &self.evaluation);
        }
        if let Some(details) = self.shared.details.as_ref().filter(|_| is_sample) {
            shared_lock(details).add(self.path.get(1).map(|step| step.point), &self.evaluation, self.area);
        }
    }

    /// Adds the result to the nodes of the way and, as all-moves-as-first, to their children: the later in the playout
    /// a move was made, the less it counts, down to nothing for the last one. (Fuego goes down to one half. Against
    /// equal weights: 56 % of 290 games on all three boards, see `docs/strength.md`.)
    fn back_up(&mut self) {
        let params = self.shared.params;
        let size = self.shared.root.size();
        let full = params.score_range * (size * size) as f32;
        let by_margin = 0.5 + 0.5 * (self.evaluation.margin / full).clamp(-1.0, 1.0);
        let black = self.evaluation.value + params.score_share * (by_margin - self.evaluation.value);
        let fall = 1.0 / self.evaluation.moves.len() as f32;
        for (place, &(color, point)) in self.evaluation.moves.iter().enumerate().rev() {
            self.first[point] = color.sign() as f32 * (1.0 - place as f32 * fall);
        }
        for step in self.path.iter().rev() {
            let node = self.shared.tree.node(step.node);
            let (mover, other) = match step.mover {
                Color::Black => (black, 1.0 - black),
                Color::White => (1.0 - black, black),
            };
            node.add(mover);
            let next = step.mover.other().sign() as f32;
            for child in self.shared.tree.children(node) {
                let weight = next * self.first[child.point()];
                if weight > 0.0 {
                    child.add_amaf(other, weight);
                }
            }
            if step.point != Point::NONE {
                self.first[step.point] = step.mover.sign() as f32;
            }
        }
        for &(_, point) in &self.evaluation.moves {
            self.first[point] = 0.0;
        }
        for step in &self.path {
            self.first[step.point] = 0.0;
        }
    }
}

/// Makes the children of a node that this thread has claimed.
pub fn expand(
    tree: &Tree,
    node: u32,
    position: &Position,
    last: [Point; 2],
    evaluator: &mut dyn Evaluator,
    tools: &mut Tools,
    candidates: &mut Vec<Candidate>,
) {
    expand_within(tree, node, &mut Context { position, last, tools }, evaluator, Choice::default(), 0, candidates);
}

/// Which moves get children, and how strong they are.
#[derive(Clone, Copy, Default)]
pub struct Choice<'a> {
    /// Moves to leave out.
    pub restrictions: &'a [Restriction],
    /// Leave out those that are images of others on a symmetric board?
    pub merge_twins: bool,
    /// By what the strength of a move on each point is multiplied.
    pub factors: Option<&'a PointMap<f32>>,
}

/// The same without some of the moves. `ply` is 0 for the children of the root.
pub fn expand_within(
    tree: &Tree,
    node: u32,
    context: &mut Context<'_>,
    evaluator: &mut dyn Evaluator,
    Choice { restrictions, merge_twins, factors }: Choice<'_>,
    ply: usize,
    candidates: &mut Vec<Candidate>,
) {
    prior::candidates(context, evaluator, candidates);
    if let Some(factors) = factors {
        prior::multiply(candidates, factors);
    }
    if merge_twins {
        prior::twins::merge(context.position, candidates);
    }
    let color = context.position.to_move();
    candidates.retain(|candidate| !restrictions.iter().any(|r| r.forbids(color, candidate.mv, ply)));
    match tree.allocate(candidates.len()) {
        Some(first) => {
            for (i, candidate) in candidates.iter().enumerate() {
                let child = tree.node(first + i as u32);
                child.reset(candidate.mv, candidate.strength);
                if candidate.mv == Move::Pass && context.position.consecutive_passes() == 0 {
                    child.add_amaf(0.0, PASS_LOSSES);
                }
            }
            tree.node(node).publish(first, candidates.len() as u16);
        }
        None => tree.node(node).make_leaf(),
    }
}

/// The lock, also when a thread panicked while it held it: sums stay sums.
pub fn shared_lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Shared<'_> {
    /// Ends the search if it has nothing more to find: see [`Limits`].
    pub fn check_limits(&self) {
        let limits = &self.limits;
        let elapsed = self.start.elapsed();
        let playouts = self.playouts.load(Relaxed);
        let mut left = u64::MAX;
        if let Some(most) = limits.playouts {
            left = most.saturating_sub(playouts);
        }
        if let Some(soft) = limits.soft {
            if elapsed >= soft && (limits.hard.is_none() || !self.is_in_doubt()) {
                self.done.store(true, Relaxed);
                return;
            }
            let rest = if elapsed < soft { soft - elapsed } else { Duration::ZERO };
            let rate = playouts as f64 / elapsed.as_secs_f64().max(1e-6);
            left = left.min((rate * rest.as_secs_f64()) as u64);
            if elapsed >= soft {
                left = u64::MAX;
            }
        }
        if limits.early_stop != EarlyStop::Never && left != u64::MAX && playouts >= ROUND {
            let (best, second, all) = self.two_most_visited();
            let is_decided = limits.early_stop == EarlyStop::Decided && u64::from(best - second) > left;
            let has_looked = all >= LEAST_VISITS && playouts >= (playouts + left) / LOOK;
            let is_obvious = has_looked && best as f32 >= OBVIOUS * all as f32;
            if is_decided || is_obvious {
                self.done.store(true, Relaxed);
            }
        }
    }

    /// Visits of the two most visited moves, and of all moves.
    fn two_most_visited(&self) -> (u32, u32, u32) {
        let (mut best, mut second, mut all) = (0, 0, 0);
        for child in self.tree.children(self.tree.node(self.tree.root())) {
            let visits = child.visits();
            all += visits;
            if visits > best {
                second = best;
                best = visits;
            } else if visits > second {
                second = visits;
            }
        }
        (best, second, all)
    }

    /// Is another move better than the most visited one by its results, or nearly as often visited?
    fn is_in_doubt(&self) -> bool {
        let children = self.tree.children(self.tree.node(self.tree.root()));
        let Some(most) = children.iter().max_by_key(|child| child.visits()) else { return false };
        let value = most.value().unwrap_or(0.0);
        children.iter().any(|child| {
            !std::ptr::eq(child, most)
                && (child.visits() as f32 * 1.5 > most.visits() as f32
                    || child.visits() * 8 > most.visits() && child.value().unwrap_or(0.0) > value + 0.01)
        })
    }
}

/// Bars moves at the root that superko forbids or that are not among those to look at.
pub fn bar_root_moves(tree: &Tree, root: &Position, only: Option<&[Move]>) {
    let mut position = root.clone();
    for child in tree.children(tree.node(tree.root())) {
        if position.check(child.mv()).is_err() || only.is_some_and(|only| !only.contains(&child.mv())) {
            child.forbid();
        }
    }
}
