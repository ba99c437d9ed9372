//! The evaluators of a search: one for each thread.

use std::fmt;
use std::sync::Arc;

use crate::playout::PolicyKind;
use crate::search::params::Params;

use super::{Evaluator, playouts};

/// Makes the evaluator of one thread, for these tunables.
pub type MakeEvaluator = dyn Fn(&Params) -> Box<dyn Evaluator> + Send + Sync;

/// Makes the evaluators of a search. An example is with [`Evaluator`].
#[derive(Clone)]
pub enum Evaluators {
    /// Playouts of this policy.
    Playouts(PolicyKind),
    /// Evaluators from this function.
    Made(Arc<MakeEvaluator>),
}

impl Evaluators {
    /// Evaluators of the caller, such as a net. `make` is called for each thread of each search.
    pub fn made(make: impl Fn(&Params) -> Box<dyn Evaluator> + Send + Sync + 'static) -> Evaluators {
        Evaluators::Made(Arc::new(make))
    }

    /// An evaluator for a thread.
    pub fn evaluator(&self, params: &Params) -> Box<dyn Evaluator> {
        match self {
            Evaluators::Playouts(policy) => playouts::evaluator(*policy, params),
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
            (Evaluators::Made(make), Evaluators::Made(other)) => Arc::ptr_eq(make, other),
            (Evaluators::Playouts(_), Evaluators::Made(_)) | (Evaluators::Made(_), Evaluators::Playouts(_)) => false,
        }
    }
}

impl fmt::Debug for Evaluators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluators::Playouts(policy) => f.debug_tuple("Playouts").field(policy).finish(),
            Evaluators::Made(_) => f.write_str("Made"),
        }
    }
}
