//! Questions to the net alone, without a search.

use std::sync::Arc;

use super::Engine;
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::net::{CachedNet, Output, Workspace};

/// A net that is asked about a position.
#[derive(Debug)]
pub struct Inquiry {
    net: Arc<CachedNet>,
    workspace: Workspace,
    planes: Planes,
}

impl Inquiry {
    /// What the net says. `symmetry` turns the board before the net sees it.
    ///
    /// # Panics
    /// If `symmetry` is not below [`SYMMETRIES`](crate::go::symmetry::SYMMETRIES).
    pub fn ask(&mut self, symmetry: usize) -> &Output {
        self.net.net().evaluate(&mut self.workspace, &self.planes, symmetry)
    }
}

impl Engine {
    /// A question to the net about the present position; `None` if the engine has no net.
    pub fn inquiry(&self) -> Option<Inquiry> {
        let net = Arc::clone(self.options.nets.for_size(self.game.size())?);
        let last = last_of(self.game.moves().iter().map(|&(_, mv)| mv));
        let situation = Situation { position: self.game.position(), last, komi: self.game.total_komi() };
        let mut planes = Planes::default();
        PlaneMaker::default().make(&situation, &mut planes);
        Some(Inquiry { workspace: Workspace::new(net.net()), net, planes })
    }
}
