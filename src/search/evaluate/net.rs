//! Evaluation by a net: alone, or beside playouts. Alone, the net gives each node a policy, a value, a margin and owners.
//! Beside playouts, it gives a policy and a second value to each node that gets children, and every visit gets a playout.

use std::fmt;
use std::sync::Arc;

use crate::go::{Color, Komi, Point};
use crate::net::Workspace;
use crate::net::cache::{self, Answer, CachedNet};
use crate::net::planes::{PlaneMaker, Planes, Situation};
use crate::playout::{PolicyKind, Rng};
use crate::search::params::Params;

use super::{CERTAIN, Count, Evaluator, Leaf, finished, playouts};

/// The most komi, in points, with which a net's lead is taken at its word. Rows for teaching have little more, and with
/// 50 points the lead is already 15 too low (`docs/net.md`, "Komi"). Beyond, komi is added to the owners that the net
/// expects with the largest komi that it knows.
pub const KNOWN_KOMI: f32 = 20.0;

const _: () = assert!(CERTAIN == cache::OWNER_STEPS, "owners are handed on as they are");

/// Asks a net about each leaf. Beside playouts, it asks about the leaves that get children, and plays a playout from
/// each leaf.
pub struct NetEvaluator {
    net: Arc<CachedNet>,
    workspace: Workspace,
    maker: PlaneMaker,
    planes: Planes,
    answer: Answer,
    /// The answer with the largest komi that the net knows. Owners come from it where komi is larger.
    within: Answer,
    /// [`Params::settled`].
    settled: f32,
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
            within: Answer::default(),
            settled: params.settled,
            playouts: (params.second_share < 1.0).then(|| playouts::evaluator(policy, params)),
        }
    }

    /// Asks the net about the leaf.
    fn ask(&mut self, leaf: &mut Leaf) {
        let Leaf { position, last, komi, evaluation, .. } = leaf;
        let last = last.map(|point| (point != Point::NONE).then_some(point));
        let half_points = *komi;
        let komi = Komi::from_half_points(half_points);
        let situation = Situation { position, last, komi };
        self.maker.make(&situation, &mut self.planes);
        let to_move = position.to_move();
        let pass = position.size().points();
        let points = position.board().points().enumerate();
        self.net.ask(&mut self.workspace, &self.planes, &mut self.answer);
        let is_known = (komi.points() as f32).abs() <= KNOWN_KOMI;
        if self.playouts.is_none() && !is_known {
            let most = (2.0 * KNOWN_KOMI) as i32;
            let komi = Komi::from_half_points(komi.half_points().clamp(-most, most));
            self.maker.make(&Situation { position, last, komi }, &mut self.planes);
            self.net.ask(&mut self.workspace, &self.planes, &mut self.within);
        }
        let answer = &self.answer;
        let owners = if is_known { answer } else { &self.within };
        let policy = &mut evaluation.policy;
        for (i, point) in points {
            policy.plays[point] = answer.policy[i];
            if self.playouts.is_none() {
                evaluation.ownership[point] = to_move.sign() as i8 * owners.owners[i];
            }
        }
        policy.pass = answer.policy[pass];
        if self.playouts.is_none() {
            // Everything that playouts would tell comes from the net as well.
            let sign = to_move.sign() as f32;
            let komi = komi.points() as f32;
            evaluation.margin = if is_known { sign * answer.lead } else { sign * owners.territory - komi };
            evaluation.knows_owners = true;
        }
        policy.is_known = true;
        let value = if to_move == Color::Black { answer.win_rate } else { 1.0 - answer.win_rate };
        match self.playouts {
            Some(_) => evaluation.second = Some(value),
            None => {
                evaluation.value = value;
                if self.settled > 0.0
                    && let Some(count) = Count::by_owners(position, half_points, &evaluation.ownership)
                {
                    count.mix_into(evaluation, self.settled);
                }
            }
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
        // The result of a game that has ended needs no net, but the owners of its points do.
        let is_asked = || leaf.owners_wanted || finished::by_rules(&leaf.position, leaf.komi).is_none();
        if leaf.opens || self.playouts.is_none() && is_asked() {
            self.ask(leaf);
        }
        if let Some(playouts) = &mut self.playouts {
            playouts.evaluate(leaf, rng);
        }
    }
}
