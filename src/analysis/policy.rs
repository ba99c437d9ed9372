//! What is known of a position before its search: the probabilities of the moves, and what the net says.

use std::sync::Arc;

use crate::go::Move;
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::net::{CachedNet, Workspace};
use crate::search::{Limits, Request, Search, SearchError, WhichTree};

/// What is known before the search.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstSight {
    /// The probabilities of the points, row by row from the top, and of the pass; −1 where a move is illegal. `None`
    /// if nobody asked.
    pub policy: Option<Vec<f32>>,
    /// What the net says of the position; `None` without a net.
    pub raw: Option<Raw>,
}

/// What the net alone says, for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    /// The win rate.
    pub win_rate: f32,
    /// The expected score in points.
    pub lead: f32,
    /// The standard deviation of the score in points.
    pub spread: f32,
}

impl FirstSight {
    /// Looks at the position of a request, with the net if there is one. Else the probabilities are those that a search
    /// begins with.
    ///
    /// # Errors
    /// If the search fails.
    pub(super) fn of(
        search: &mut Search,
        request: &Request,
        net: Option<&Arc<CachedNet>>,
        komi: crate::go::Komi,
        wants_policy: bool,
    ) -> Result<FirstSight, SearchError> {
        if let Some(net) = net {
            let last = last_of(request.history.moves.iter().map(|&(_, mv)| mv));
            let mut planes = Planes::default();
            PlaneMaker::default().make(&Situation { position: &request.position, last, komi }, &mut planes);
            let mut workspace = Workspace::new(net.net());
            let output = net.net().evaluate(&mut workspace, &planes, 0);
            let raw = Raw { win_rate: output.win_rate(), lead: output.lead, spread: output.spread };
            let policy = wants_policy.then(|| in_rows(request, |mv| output.probability(mv)));
            return Ok(FirstSight { policy, raw: Some(raw) });
        }
        if !wants_policy {
            return Ok(FirstSight::default());
        }
        // The moves that a query forbids have probabilities, too.
        let first = Request {
            tree: WhichTree::Aside,
            restrictions: Vec::new(),
            threads: Some(1),
            limits: Limits { playouts: Some(1), ..Limits::default() },
            ..request.clone()
        };
        let report = search.run_alone(&first)?;
        let prior = |mv| report.moves.iter().find(|m| m.mv == mv).map_or(0.0, |m| m.prior);
        Ok(FirstSight { policy: Some(in_rows(request, prior)), raw: None })
    }
}

/// The probabilities in KataGo's order; those of the legal moves add up to 1.
fn in_rows(request: &Request, probability: impl Fn(Move) -> f32) -> Vec<f32> {
    let size = request.position.size();
    let mut position = request.position.clone();
    let points = size.from_the_top();
    let moves = points.map(Move::Play).chain([Move::Pass]);
    let mut policy: Vec<f32> =
        moves.map(|mv| if position.check(mv).is_ok() { probability(mv).max(0.0) } else { -1.0 }).collect();
    let sum: f32 = policy.iter().filter(|&&share| share > 0.0).sum();
    if sum > 0.0 {
        policy.iter_mut().filter(|share| **share > 0.0).for_each(|share| *share /= sum);
    }
    policy
}
