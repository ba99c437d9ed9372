//! The descents of one thread: select and expand on the way down, back up on the way to the root.

use crate::go::rules::{LongCycle, Scoring};
use crate::go::{Color, Move, Point, PointMap};

use super::advantage::MoveKey;
use super::bias::Situation;
use super::corrected::Corrected;
use super::criticality::Criticality;
use super::descent::{Descent, Step};
use super::details::{Sampled, Sampling};
use super::evaluate::{Evaluator, Leaf, finished};
use super::folded::Folded;
use super::node::{Children, Node, NodeId};
use super::ownership::Ownership;
use super::prior::{self, Candidate, Opening, Tools};
use super::select::Formula;
use super::shared::{End, Shared, lock};
use super::stages;
use super::transpositions::{Key, Known};
use super::tree::Tree;
use crate::playout::Rng;

/// A pass begins with so many lost all-moves-as-first observations, and never gets others. Without them a pass looked
/// better than plays with bad observations, and was searched most in nodes of few visits. The number is a guess: 13
/// virtual visits speak for a pass.
const PASS_LOSSES: f32 = 20.0;

/// One thread's tools for going down the tree and up again.
#[derive(Debug)]
pub struct Walker<'a> {
    shared: &'a Shared<'a>,
    formula: Formula,
    candidates: Vec<Candidate>,
    tools: Tools,
    /// Who played first on a point below the current node, times the weight in all-moves-as-first: above 0 for Black,
    /// below 0 for White, 0 for nobody.
    first: PointMap<f32>,
    ownership: Ownership,
    criticality: Criticality,
    sampling: Option<Sampling>,
    /// Visits of a leaf from which children are made.
    expand_after: u64,
    knows_policy: bool,
    /// Is all that is backed up from a node what one evaluation says of it? Then the node keeps its policy folded until
    /// its second visit makes children of it, and the search can learn from the errors of the evaluator.
    is_alone: bool,
    /// How much of the evaluator's errors is taken off (see `bias.rs`); 0 if the search does not learn from them.
    bias_share: f32,
    /// Does the search learn of moves (see `advantage.rs`)?
    learns_moves: bool,
    /// Do leaves begin with what is known of their positions?
    transposes: bool,
    merge_twins: bool,
    /// Has the pass to be tried like a play near the root?
    weighs_pass: bool,
    /// Does all-moves-as-first count?
    with_amaf: bool,
    /// Points of the board.
    points: usize,
    /// Entries of the point arrays that the board uses.
    area: usize,
}

/// Where a descent has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// At a leaf that has to be evaluated.
    Leaf,
    /// At a leaf whose value is known, or at a forbidden move: the descent is over.
    Done,
}

impl<'a> Walker<'a> {
    /// The tools for this search. `evaluator` is the one that gets the leaves.
    pub fn new(shared: &'a Shared<'a>, evaluator: &dyn Evaluator) -> Walker<'a> {
        let request = shared.request;
        let size = request.position.size();
        let with_amaf = request.params.rave_equivalence > 0.0;
        // Second values and all-moves-as-first need children at the first visit.
        let is_alone = evaluator.knows_policy() && !evaluator.gives_second() && !with_amaf;
        Walker {
            formula: Formula::new(request, evaluator),
            candidates: Vec::with_capacity(crate::go::MAX_POINTS + 1),
            tools: Tools::new(size),
            first: PointMap::filled(0.0),
            ownership: Ownership::default(),
            criticality: Criticality::new(&request.params, size.points()),
            sampling: shared.details.as_ref().map(|details| Sampling::after(lock(details).all().playouts())),
            expand_after: request.params.expand_after as u64,
            knows_policy: evaluator.knows_policy(),
            is_alone,
            bias_share: if is_alone { request.params.bias_share } else { 0.0 },
            learns_moves: is_alone && request.params.advantage > 0.0,
            // Restrictions depend on the ply, so equal positions can have unequal moves.
            transposes: is_alone && request.params.transpositions > 0.0 && request.restrictions.is_empty(),
            merge_twins: request.leaves_out_twins(),
            weighs_pass: evaluator.knows_policy() && prior::weighs_pass(&request.position, &request.params),
            with_amaf,
            points: size.points(),
            area: size.padded(),
            shared,
        }
    }

    /// A descent that has not begun.
    pub fn descent(&self) -> Descent {
        Descent::new(&self.shared.request.position, self.shared.last, self.shared.request.komi)
    }

    /// Goes from the root to a leaf. A leaf with enough visits gets children. `rng` makes the noise at the root, where
    /// some is wanted.
    pub fn descend(&mut self, descent: &mut Descent, rng: &mut Rng) -> Arrival {
        let tree = self.shared.tree;
        let request = self.shared.request;
        descent.restart(&request.position, self.shared.last);
        let mut id = tree.root();
        tree.node(id).enter();
        // The step to the root is no move, so the last moves stay as they are.
        descent.path.push(Step::to_root(id, request.position.to_move().other()));
        while !descent.leaf.position.is_over() {
            let node = tree.node(id);
            let mut children = node.children();
            if children == Children::None && node.visits() >= self.expand_after && node.claim() {
                if self.knows_policy {
                    // The children are made when the evaluator has answered.
                    descent.leaf.opens = true;
                    break;
                }
                self.expand(descent);
                children = node.children();
            } else if let Children::Folded(first) = children
                && node.claim_folded(first)
            {
                self.unfold(descent, first);
                children = node.children();
            }
            let Children::At(first) = children else { break };
            let best = if descent.path.len() == 1 {
                self.formula.best_at_the_root(tree, node, first, rng)
            } else {
                // A pass whose prior has been raised is not at its place in the order.
                let has_order = !(self.weighs_pass && descent.path.len() <= prior::PASS_PLIES);
                self.formula.best(tree, node, first, has_order)
            };
            let Some(best) = best else { break };
            id = best;
            let child = tree.node(id);
            let mv = child.mv();
            let mover = descent.leaf.position.to_move();
            child.enter();
            let before = descent.leaf.last[0];
            let point = mv.point().unwrap_or(Point::NONE);
            let key = (self.learns_moves && point != Point::NONE)
                .then(|| MoveKey::before(mover, point, before, descent.leaf.position.board()));
            descent.enter(Step { node: id, mover, point, situation: Situation::NONE, key });
            if !descent.leaf.position.play_checking_superko(mv) {
                // The path to a node is always the same, so a repetition here is one at every visit.
                child.forbid();
                descent.path.iter().for_each(|step| tree.node(step.node).leave());
                return Arrival::Done;
            }
            if self.bias_share > 0.0 {
                descent.situate(before);
            }
        }
        descent.is_sample = self.sampling.as_mut().is_some_and(Sampling::draw);
        descent.leaf.owners_wanted = descent.is_sample || request.knowledge.owners;
        if descent.leaf.position.is_over() && !descent.leaf.owners_wanted {
            return self.arrive_at_the_end(descent);
        }
        if self.transposes && descent.leaf.opens {
            return self.arrive_by_another_way(descent);
        }
        Arrival::Leaf
    }

    /// The leaf opens. If its position is in the tree already, the leaf takes over the policy and the mean found there.
    fn arrive_by_another_way(&mut self, descent: &mut Descent) -> Arrival {
        let key = Key::of(&descent.leaf.position);
        let tree = self.shared.tree;
        let Some(known) = self.shared.transpositions.find(key) else {
            // Only then the table has to learn of this leaf: a node that is known has more visits.
            descent.key = Some(key);
            return Arrival::Leaf;
        };
        // What is sampled are evaluations, and the owners of a search come from some evaluations at least.
        let lacks_owners = descent.leaf.owners_wanted && self.ownership.playouts() == 0;
        if descent.is_sample || lacks_owners {
            return Arrival::Leaf;
        }
        let end = descent.end();
        let Some(value) = tree.node(known.node).value() else { return Arrival::Leaf };
        if !tree.copy_folded(end.node, known.folded) {
            self.shared.end(End::Full);
        }
        descent.leaf.opens = false;
        // The side to move is in the key, so both nodes have the same mover.
        self.back_up(descent, if end.mover == Color::Black { value } else { 1.0 - value });
        Arrival::Done
    }

    /// The game has ended on the way. After enough visits the mean result stands, without another evaluation.
    fn arrive_at_the_end(&mut self, descent: &mut Descent) -> Arrival {
        let end = descent.end();
        let node = self.shared.tree.node(end.node);
        // A net alone says the same at each look.
        let looks = if self.is_alone { 1 } else { finished::LOOKS };
        match node.value() {
            Some(value) if node.visits() >= looks => {
                self.back_up(descent, if end.mover == Color::Black { value } else { 1.0 - value });
                Arrival::Done
            }
            _ => {
                // The owners say what is dead.
                descent.leaf.owners_wanted = descent.leaf.position.rules().scoring == Scoring::Territory;
                Arrival::Leaf
            }
        }
    }

    /// Makes the children of the claimed leaf, if there is room.
    fn expand(&mut self, descent: &Descent) {
        let leaf = &descent.leaf;
        let mut opening = Opening {
            position: &leaf.position,
            last: [leaf.last[0], leaf.last[1]],
            policy: leaf.evaluation.policy.is_known.then_some(&leaf.evaluation.policy),
            criticality: self.criticality.factors(),
            advantages: self.learns_moves.then_some(self.shared.advantages),
            merge_twins: self.merge_twins,
            restrictions: &self.shared.request.restrictions,
            favours: self.shared.request.favours,
            // The first step is the root itself, whose children are at ply 0.
            ply: descent.path.len() - 1,
            params: &self.shared.request.params,
            tools: &mut self.tools,
        };
        stages::candidates(&mut opening, &mut self.candidates);
        if self.formula.is_in_order() {
            prior::order(&mut self.candidates);
        }
        let first_losses =
            if leaf.position.consecutive_passes() == 0 && !opening.weighs_pass() { PASS_LOSSES } else { 0.0 };
        if !make_children(self.shared.tree, descent.end().node, &self.candidates, first_losses) {
            self.shared.end(End::Full);
        }
    }

    /// Keeps the policy of the claimed leaf without making children, if there is room.
    fn fold(&mut self, descent: &Descent) {
        let Leaf { position, evaluation, .. } = &descent.leaf;
        let policy = &evaluation.policy;
        let empties = position.board().empties();
        // The pass comes last, after all empty points.
        let moves = (0..empties.len() + 1).map(|i| {
            let mv = empties.get(i).map_or(Move::Pass, |&point| Move::Play(point));
            Folded { mv, weight: policy.of(mv) }
        });
        let node = descent.end().node;
        match (self.shared.tree.fold_children(node, moves), descent.key) {
            (Some(folded), Some(key)) => self.shared.transpositions.insert(key, Known { node, folded }),
            (Some(_), None) => {}
            (None, _) => self.shared.end(End::Full),
        }
    }

    /// Makes the children of the node at the end of the descent, which this thread has claimed, of its folded ones.
    fn unfold(&mut self, descent: &mut Descent, first: NodeId) {
        let policy = &mut descent.leaf.evaluation.policy;
        for Folded { mv, weight } in self.shared.tree.folded(first) {
            match mv {
                Move::Play(point) => policy.plays[point] = weight,
                Move::Pass => policy.pass = weight,
            }
        }
        policy.is_known = true;
        let own = self.shared.tree.block(first).own();
        self.expand(descent);
        descent.leaf.evaluation.policy.is_known = false;
        if let Some(own) = own {
            self.set_own(descent.end().node, own);
        }
    }

    /// Keeps the evaluator's own value of a node, if the node has children, folded or not.
    fn set_own(&self, id: NodeId, own: Corrected) {
        let tree = self.shared.tree;
        if let Children::At(first) | Children::Folded(first) = tree.node(id).children() {
            tree.block(first).set_own(own);
        }
    }

    /// Black's result of a leaf after what the search has learned of the evaluator's errors.
    fn corrected(&self, descent: &Descent, black: f32) -> f32 {
        let end = descent.end();
        let leaf = &descent.leaf;
        if self.bias_share == 0.0 || end.situation == Situation::NONE || !leaf.opens || leaf.position.is_over() {
            return black;
        }
        let value = if end.mover == Color::Black { black } else { 1.0 - black };
        let own = self.shared.biases.correct(end.situation, value, self.bias_share);
        self.set_own(end.node, own);
        (black + end.mover.sign() as f32 * own.correction()).clamp(0.0, 1.0)
    }

    /// Raises the prior of the pass among the children of the root and among their children, where it has to be tried
    /// like a play. An earlier search may have made these children when they were farther from its root.
    fn raise_pass(&self) {
        let tree = self.shared.tree;
        let raise = |node: &Node| {
            let children = tree.children(node);
            let least = prior::least_of_pass(children.len());
            if let Some(pass) = children.iter().find(|child| child.mv() == Move::Pass && child.prior() < least) {
                pass.set_prior(least);
            }
        };
        let root = tree.node(tree.root());
        raise(root);
        tree.children(root).iter().for_each(raise);
    }

    /// Makes the children of the root, if the root has none.
    pub fn open_root(&mut self, evaluator: &mut dyn Evaluator, rng: &mut crate::playout::Rng) {
        let tree = self.shared.tree;
        let root = tree.node(tree.root());
        let folded = match root.children() {
            Children::None if root.claim() => None,
            Children::Folded(first) if root.claim_folded(first) => Some(first),
            Children::At(_) if self.weighs_pass => return self.raise_pass(),
            _ => return,
        };
        let mut descent = self.descent();
        let mover = self.shared.request.position.to_move().other();
        descent.path.push(Step::to_root(tree.root(), mover));
        if let Some(first) = folded {
            self.unfold(&mut descent, first);
            return;
        }
        if self.knows_policy {
            descent.leaf.opens = true;
            evaluator.evaluate(&mut descent.leaf, rng);
        }
        self.expand(&descent);
    }

    /// Expands an evaluated leaf if it opens, and backs up its result.
    pub fn finish(&mut self, descent: &mut Descent) {
        if descent.leaf.opens {
            if self.is_alone && descent.leaf.evaluation.policy.is_known {
                self.fold(descent);
            } else {
                self.expand(descent);
            }
        }
        let leaf = &mut descent.leaf;
        if leaf.position.is_over() {
            let by_rules = finished::by_rules(&leaf.position, leaf.komi);
            if let Some(margin) = by_rules.or_else(|| finished::by_owners(&leaf.position, leaf.komi, &leaf.evaluation))
            {
                leaf.evaluation.settle(margin);
            }
        }
        let evaluation = &leaf.evaluation;
        if evaluation.knows_owners {
            self.ownership.add(evaluation, self.area);
            self.criticality.add(self.shared.request.position.board(), evaluation);
        }
        let black = stages::result(evaluation, &self.shared.request.params, self.points);
        if let Some(details) = self.shared.details.as_ref().filter(|_| descent.is_sample) {
            let is_void = leaf.position.is_cycle() && leaf.position.rules().long_cycle == LongCycle::NoResult;
            let sampled = Sampled { evaluation, result: black, is_void };
            lock(details).add(descent.path.get(1).map(|step| step.point), &sampled, self.area);
        }
        self.back_up(descent, black);
    }

    /// Adds Black's result to the nodes of the path and, as all-moves-as-first, to their children. The later a move of
    /// the playout, the less it counts; the last move counts nothing. (Fuego goes down to one half. Against equal
    /// weights: 56 % of 290 games on all three boards, see `docs/strength.md`.)
    fn back_up(&mut self, descent: &Descent, black: f32) {
        let tree = self.shared.tree;
        let black = self.corrected(descent, black);
        // What corrections below have changed, for Black.
        let mut change = 0.0;
        let Descent { path, leaf, .. } = descent;
        let moves = &leaf.evaluation.moves;
        let second = leaf.evaluation.second;
        let fall = 1.0 / moves.len() as f32;
        for (place, &(color, point)) in moves.iter().enumerate().rev() {
            self.first[point] = color.sign() as f32 * (1.0 - place as f32 * fall);
        }
        for (i, step) in path.iter().enumerate().rev() {
            let node = tree.node(step.node);
            let (mover, other) = match step.mover {
                Color::Black => (black, 1.0 - black),
                Color::White => (1.0 - black, black),
            };
            node.add_and_leave(mover);
            if let Some(key) = step.key
                && let Some(before) = i.checked_sub(1).and_then(|i| tree.node(path[i].node).value())
            {
                // The node before has the mean of the other side.
                self.shared.advantages.tell(key, node.visits(), mover - (1.0 - before));
            }
            if self.bias_share > 0.0 {
                let sign = step.mover.sign() as f32;
                node.add_change(sign * change);
                if step.situation != Situation::NONE {
                    let more = self.shared.biases.learn(tree, node, step.situation, self.bias_share);
                    node.add_change(more);
                    change += sign * more;
                }
            }
            if let Children::At(first) = node.children() {
                if let Some(second) = second {
                    tree.block(first).add_second(if step.mover == Color::Black { second } else { 1.0 - second });
                }
                if !self.with_amaf {
                    continue;
                }
                let next = step.mover.other().sign() as f32;
                for child in tree.siblings(first) {
                    let weight = next * self.first[child.point()];
                    if weight > 0.0 {
                        child.add_amaf(other, weight);
                    }
                }
            }
            if step.point != Point::NONE {
                self.first[step.point] = step.mover.sign() as f32;
            }
        }
        for &(_, point) in moves {
            self.first[point] = 0.0;
        }
        for step in path {
            self.first[step.point] = 0.0;
        }
    }

    /// Adds this thread's sums to the shared ones.
    pub fn flush(&mut self) {
        if self.ownership.playouts() > 0 {
            lock(&self.shared.ownership).merge(&self.ownership);
            self.ownership.clear();
        }
    }
}

/// Makes the children of a node that this thread has claimed; `false` if there is no room. The pass begins with so many
/// losses.
fn make_children(tree: &Tree, id: NodeId, candidates: &[Candidate], first_losses: f32) -> bool {
    tree.add_children(id, candidates.len(), |i, child| {
        let candidate = &candidates[i];
        child.reset(candidate.mv, candidate.strength);
        if candidate.mv == Move::Pass && first_losses > 0.0 {
            child.add_amaf(0.0, first_losses);
        }
    })
}

/// Bars the moves at the root that superko forbids, and those that the request leaves out. The priors of the moves that
/// the request names add up to 1 then, so that the search looks at all of them.
pub fn bar_root_moves(shared: &Shared<'_>) {
    let mut position = shared.request.position.clone();
    let only = shared.request.only.as_deref();
    for child in shared.tree.children(shared.tree.node(shared.tree.root())) {
        if position.check(child.mv()).is_err() || only.is_some_and(|only| !only.contains(&child.mv())) {
            child.forbid();
        }
    }
    if only.is_some() {
        let left = || shared.tree.children(shared.tree.node(shared.tree.root())).iter().filter(|c| !c.is_barred());
        let sum: f32 = left().map(Node::prior).sum();
        left().for_each(|child| child.set_prior(child.prior() / sum));
    }
}
