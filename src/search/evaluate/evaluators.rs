//! The evaluators of a search: one for each thread.

use std::fmt;
use std::sync::Arc;

use crate::go::Size;
use crate::net::CachedNet;
use crate::playout::PolicyKind;
use crate::search::params::{Params, Tunables};

use super::net::NetEvaluator;
use super::{Evaluator, playouts};

/// Makes the evaluator of one thread, for these tunables.
pub type MakeEvaluator = dyn Fn(&Params) -> Box<dyn Evaluator> + Send + Sync;

/// Makes the evaluators of a search. An example is with [`Evaluator`].
#[derive(Clone)]
pub enum Evaluators {
    /// Playouts of this policy.
    Playouts(PolicyKind),
    /// A net, beside playouts of this policy.
    Net(Arc<CachedNet>, PolicyKind),
    /// Evaluators from this function.
    Made(Arc<MakeEvaluator>),
}

impl Evaluators {
    /// Evaluators of the caller, such as a net. `make` is called for each thread of each search.
    pub fn made(make: impl Fn(&Params) -> Box<dyn Evaluator> + Send + Sync + 'static) -> Evaluators {
        Evaluators::Made(Arc::new(make))
    }

    /// Evaluators with this net, if there is one, and with playouts of this policy.
    pub fn of(net: Option<&Arc<CachedNet>>, policy: PolicyKind) -> Evaluators {
        net.map_or(Evaluators::Playouts(policy), |net| Evaluators::Net(Arc::clone(net), policy))
    }

    /// The tunables' defaults for these evaluators, on a board of this size.
    pub fn defaults(&self, size: impl Into<Size>) -> Params {
        self.params(size, &Tunables::default())
    }

    /// The tunables of a search with these evaluators, on a board of this size, as far as the user has not set others.
    pub fn params(&self, size: impl Into<Size>, tunables: &Tunables) -> Params {
        let size = size.into();
        self.over(self.beside_playouts(size), size, tunables)
    }

    /// The defaults for a `second_share` below 1, where every visit gets a playout.
    pub fn beside_playouts(&self, size: impl Into<Size>) -> Params {
        match self {
            Evaluators::Net(..) => Params::with_net(size),
            Evaluators::Playouts(_) | Evaluators::Made(_) => Params::default(),
        }
    }

    /// These defaults on a board of this size, with what the user has set. Where a net's value then counts alone
    /// (`second_share` 1), the other tunables have their defaults for a net alone.
    pub fn over(&self, defaults: Params, size: impl Into<Size>, tunables: &Tunables) -> Params {
        let params = tunables.over(defaults);
        if self.is_net_alone(&params) { tunables.over(params.for_net_alone(size)) } else { params }
    }

    /// Does a net evaluate alone with these tunables? Then nothing in the search has been played to its end.
    pub fn is_net_alone(&self, params: &Params) -> bool {
        matches!(self, Evaluators::Net(..)) && params.second_share >= 1.0
    }

    /// An evaluator for a thread.
    pub fn evaluator(&self, params: &Params) -> Box<dyn Evaluator> {
        match self {
            Evaluators::Playouts(policy) => playouts::evaluator(*policy, params),
            Evaluators::Net(net, policy) => Box::new(NetEvaluator::new(net, *policy, params)),
            Evaluators::Made(make) => make(params),
        }
    }
}

impl Default for Evaluators {
    fn default() -> Evaluators {
        Evaluators::Playouts(PolicyKind::Tactical)
    }
}

/// Two searches share a tree only if their evaluators are equal.
impl PartialEq for Evaluators {
    fn eq(&self, other: &Evaluators) -> bool {
        match (self, other) {
            (Evaluators::Playouts(policy), Evaluators::Playouts(other)) => policy == other,
            (Evaluators::Net(net, policy), Evaluators::Net(other, its)) => Arc::ptr_eq(net, other) && policy == its,
            (Evaluators::Made(make), Evaluators::Made(other)) => Arc::ptr_eq(make, other),
            (Evaluators::Playouts(_) | Evaluators::Net(..) | Evaluators::Made(_), _) => false,
        }
    }
}

impl fmt::Debug for Evaluators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluators::Playouts(policy) => f.debug_tuple("Playouts").field(policy).finish(),
            Evaluators::Net(net, policy) => {
                f.debug_tuple("Net").field(&net.net().description().name).field(policy).finish()
            }
            Evaluators::Made(_) => f.write_str("Made"),
        }
    }
}
