//! Evaluation by a net, beside playouts: the net gives each node that gets children a policy and a second value, once.
//! Every visit gets a playout, unless the net's value counts alone.

use std::fmt;
use std::sync::Arc;

use crate::go::{Color, Komi, Move, Point};
use crate::net::Workspace;
use crate::net::cache::{Answer, CachedNet};
use crate::net::planes::{PlaneMaker, Planes, Situation};
use crate::playout::{PolicyKind, Rng};
use crate::search::params::Params;

use super::{CERTAIN, Evaluator, Leaf, finished, playouts};

/// Asks a net about each leaf that gets children, and plays a playout from each leaf.
pub struct NetEvaluator {
    net: Arc<CachedNet>,
    workspace: Workspace,
    maker: PlaneMaker,
    planes: Planes,
    answer: Answer,
    /// `None` if the net's value counts alone.
    playouts: Option<Box<dyn Evaluator>>,
}

impl fmt::Debug for NetEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetEvaluator")
            .field("net", &self.net.net().description().name)
            .field("has_playouts", &self.playouts.is_some())
            .finish_non_exhaustive()
    }
}

impl NetEvaluator {
    /// An evaluator with this net, and with playouts of this policy. With the whole [share](Params::second_share) for
    /// the net there are no playouts.
    pub fn new(net: &Arc<CachedNet>, policy: PolicyKind, params: &Params) -> NetEvaluator {
        NetEvaluator {
            workspace: Workspace::new(net.net()),
            net: Arc::clone(net),
            maker: PlaneMaker::default(),
            planes: Planes::default(),
            answer: Answer::default(),
            playouts: (params.second_share < 1.0).then(|| playouts::evaluator(policy, params)),
        }
    }

    /// Asks the net about the leaf.
    fn ask(&mut self, leaf: &mut Leaf) {
        let Leaf { position, last, komi, evaluation, .. } = leaf;
        let last = last.map(|point| (point != Point::NONE).then_some(point));
        let situation = Situation { position, last, komi: Komi::from_half_points(*komi) };
        self.maker.make(&situation, &mut self.planes);
        let to_move = position.to_move();
        let pass = position.size().points();
        let points = position.board().points().enumerate();
        let policy = &mut evaluation.policy;
        let win_rate;
        if self.playouts.is_some() {
            self.net.ask(&mut self.workspace, &self.planes, &mut self.answer);
            win_rate = self.answer.win_rate;
            points.for_each(|(i, point)| policy.plays[point] = self.answer.policy[i]);
            policy.pass = self.answer.policy[pass];
        } else {
            // Everything that playouts would tell comes from the net as well.
            let output = self.net.net().evaluate(&mut self.workspace, &self.planes, 0);
            let sign = to_move.sign() as f32;
            win_rate = output.win_rate();
            for (i, point) in points {
                policy.plays[point] = output.policy()[i];
                evaluation.ownership[point] = (sign * output.ownership()[i] * f32::from(CERTAIN)) as i8;
            }
            policy.pass = output.probability(Move::Pass);
            evaluation.margin = sign * output.lead;
            evaluation.knows_owners = true;
        }
        policy.is_known = true;
        let value = if to_move == Color::Black { win_rate } else { 1.0 - win_rate };
        match self.playouts {
            Some(_) => evaluation.second = Some(value),
            None => evaluation.value = value,
        }
    }
}

impl Evaluator for NetEvaluator {
    fn knows_policy(&self) -> bool {
        true
    }

    fn gives_second(&self) -> bool {
        self.playouts.is_some()
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        let is_counted = || finished::by_rules(&leaf.position, leaf.komi).is_some();
        if leaf.opens || self.playouts.is_none() && !is_counted() {
            self.ask(leaf);
        }
        if let Some(playouts) = &mut self.playouts {
            playouts.evaluate(leaf, rng);
        }
    }
}
