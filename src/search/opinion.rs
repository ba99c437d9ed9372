//! What a net says of the margin at the root, before any search.

use crate::go::{Komi, Point};
use crate::net::Workspace;
use crate::net::cache::Answer;
use crate::net::planes::{PlaneMaker, Planes, Situation};

use super::evaluate::Evaluators;
use super::evaluate::net::KNOWN_KOMI;
use super::request::Request;

/// What a net expects of the margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    /// Black's expected margin after komi, in points.
    pub margin: f32,
    /// The standard deviation that the net expects of it.
    pub deviation: f32,
}

impl Opinion {
    /// The opinion on the position of a request; `None` if no net evaluates its leaves, or if komi is larger than nets
    /// know.
    pub(super) fn of(request: &Request) -> Option<Opinion> {
        let Evaluators::Net(net, _) = &request.evaluators else { return None };
        let komi = Komi::from_half_points(request.komi);
        if (komi.points() as f32).abs() > KNOWN_KOMI {
            return None;
        }
        let situation = Situation {
            position: &request.position,
            last: request.last_points().map(|point| (point != Point::NONE).then_some(point)),
            komi,
        };
        let mut planes = Planes::default();
        PlaneMaker::default().make(&situation, &mut planes);
        let mut answer = Answer::default();
        net.ask(&mut Workspace::new(net.net()), &planes, &mut answer);
        let sign = request.position.to_move().sign() as f32;
        Some(Opinion { margin: sign * answer.lead, deviation: answer.spread })
    }
}
