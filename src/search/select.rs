//! The formula that chooses among the children of a node.
//!
//! With n visits and w wins of a child, ñ and w̃/ñ its all-moves-as-first weight and mean, p its prior probability,
//! and N the visits of the node:
//!
//! ```text
//! n' = n + e + s√p          e: prior_even      s: prior_scale
//! w' = w + e·½ + s√p
//! β  = ñ / (ñ + n' + ñ·n'/k)                   k: rave_equivalence
//! value = (1 − β)·w'/n' + β·w̃/ñ + c·p·√N/(1 + n)
//! ```
//!
//! β is the schedule of Gelly & Silver 2011 ("Monte-Carlo tree search and rapid action value estimation in computer
//! Go", §4.6, with the bias folded into k, as Pachi and michi write it). Priors as virtual visits are theirs too
//! (§5); √p as their number is Pachi's. A thread below a child counts as `virtual_loss` lost visits (Chaslot,
//! Winands, van den Herik 2008).

use super::node::{ILLEGAL, Node};
use super::params::Params;

/// The parameters of the formula, ready for use.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    even: f32,
    scale: f32,
    inverse_equivalence: f32,
    exploration: f32,
    virtual_loss: f32,
}

impl Formula {
    /// The formula with these parameters.
    pub fn new(params: &Params) -> Formula {
        Formula {
            even: params.prior_even,
            scale: params.prior_scale,
            inverse_equivalence: 1.0 / params.rave_equivalence.max(1.0),
            exploration: params.exploration,
            virtual_loss: params.virtual_loss,
        }
    }

    /// The value of a child of a node with `√N` = `root_visits`.
    #[inline(always)]
    pub fn value(&self, child: &Node, root_visits: f32) -> f32 {
        let losses = f32::from(child.virtual_losses()) * self.virtual_loss;
        let n = child.visits() as f32 + losses;
        let prior = child.prior();
        let bonus = self.scale * prior.sqrt();
        let visits = n + self.even + bonus;
        let wins = child.value_sum() + 0.5 * self.even + bonus;
        let (amaf_weight, amaf) = child.amaf();
        // The 1e-6 keeps a child without visits, prior and observations from dividing by zero.
        let beta = amaf_weight / (amaf_weight + visits + amaf_weight * visits * self.inverse_equivalence + 1e-6);
        let mean = wins / (visits + 1e-6);
        mean + beta * (amaf - mean) + self.exploration * prior * root_visits / (1.0 + n)
    }

    /// The place of the best child; the first one where several are equal.
    #[inline]
    pub fn best(&self, children: &[Node], visits: u32) -> Option<usize> {
        let root_visits = (visits as f32).sqrt();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for (i, child) in children.iter().enumerate() {
            let value = self.value(child, root_visits);
            if value > most && child.children_raw() != ILLEGAL {
                most = value;
                best = Some(i);
            }
        }
        best
    }
}
