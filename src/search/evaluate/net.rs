//! Evaluation by a net, beside playouts: the net gives each node that gets children a policy and a second value, once.
//! Every visit gets a playout, unless the net's value counts alone.

use std::fmt;
use std::sync::Arc;

use crate::go::{Color, Komi, Move, Point};
use crate::net::planes::{PlaneMaker, Planes, Situation};
use crate::net::{Net, Workspace};
use crate::playout::{PolicyKind, Rng};
use crate::search::params::Params;

use super::{CERTAIN, Evaluator, Leaf, playouts};

/// Asks a net about each leaf that gets children, and plays a playout from each leaf.
pub struct NetEvaluator {
    net: Arc<Net>,
    workspace: Workspace,
    maker: PlaneMaker,
    planes: Planes,
    /// `None` if the net's value counts alone.
    playouts: Option<Box<dyn Evaluator>>,
}

impl fmt::Debug for NetEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetEvaluator")
            .field("net", &self.net.description().name)
            .field("has_playouts", &self.playouts.is_some())
            .finish_non_exhaustive()
    }
}

impl NetEvaluator {
    /// An evaluator with this net, and with playouts of this policy. With the whole [share](Params::second_share) for the
    /// net there are no playouts.
    pub fn new(net: &Arc<Net>, policy: PolicyKind, params: &Params) -> NetEvaluator {
        NetEvaluator {
            workspace: Workspace::new(net),
            net: Arc::clone(net),
            maker: PlaneMaker::default(),
            planes: Planes::default(),
            playouts: (params.second_share < 1.0).then(|| playouts::evaluator(policy, params)),
        }
    }

    /// Asks the net about the leaf.
    fn ask(&mut self, leaf: &mut Leaf) {
        let Leaf { position, last, komi, evaluation, .. } = leaf;
        let last = last.map(|point| (point != Point::NONE).then_some(point));
        let situation = Situation { position, last, komi: Komi::from_half_points(*komi) };
        self.maker.make(&situation, &mut self.planes);
        let output = self.net.evaluate(&mut self.workspace, &self.planes, 0);
        let to_move = position.to_move();
        let win_rate = output.win_rate();
        let value = if to_move == Color::Black { win_rate } else { 1.0 - win_rate };
        evaluation.second = Some(value);
        evaluation.policy.is_known = true;
        evaluation.policy.pass = output.probability(Move::Pass);
        for &point in position.board().empties() {
            evaluation.policy.plays[point] = output.probability(Move::Play(point));
        }
        if self.playouts.is_none() {
            evaluation.value = value;
            let sign = to_move.sign() as f32;
            evaluation.margin = sign * output.lead;
            for point in position.board().points() {
                evaluation.ownership[point] = (sign * output.owner(point) * f32::from(CERTAIN)) as i8;
            }
            evaluation.knows_owners = true;
        }
    }
}

impl Evaluator for NetEvaluator {
    fn knows_policy(&self) -> bool {
        true
    }

    fn gives_second(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        if leaf.opens || self.playouts.is_none() {
            self.ask(leaf);
        }
        if let Some(playouts) = &mut self.playouts {
            playouts.evaluate(leaf, rng);
        }
    }
}
