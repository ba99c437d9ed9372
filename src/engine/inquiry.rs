//! Questions to the net alone, without a search; and to a few playouts, where no net was taught on so small a board.

use std::borrow::Cow;
use std::sync::Arc;

use super::Engine;
use super::asking::Manner;
use crate::go::{Color, Position};
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::net::{CachedNet, Output, Workspace};
use crate::search::{Limits, Report, SearchError};

/// Playouts of a [glance](Engine::glance). A guess: they take a few milliseconds on a small board.
const GLANCE: u64 = 100;

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
    /// What a hundred playouts say of the present position with this side to move. The kept tree stays as it is.
    ///
    /// # Errors
    /// If the search fails.
    pub fn glance(&mut self, to_move: Color) -> Result<Arc<Report>, SearchError> {
        let mut position = self.game.position().clone();
        if position.to_move() != to_move {
            position = Position::from_board(position.board().clone(), to_move, *position.rules());
        }
        position.open_for_analysis();
        let mut manner = Manner { searches: Some(0), threads: Some(1), ..self.playout_manner() };
        let limits = Limits { playouts: Some(GLANCE), ..Limits::default() };
        let request = self.request_aside(&mut manner, &position, limits);
        self.ask(request, &mut |_| {})
    }

    /// A question to the net about the present position with this side to move; `None` if the engine has no net. If it
    /// is not this side's turn, the net hears of no moves, no passes and no ko before the position, as in KataGo.
    pub fn inquiry(&self, to_move: Color) -> Option<Inquiry> {
        let net = Arc::clone(self.options.nets.for_size(self.game.size())?);
        let mut position = Cow::Borrowed(self.game.position());
        let mut last = last_of(self.game.moves().iter().map(|&(_, mv)| mv));
        if position.to_move() != to_move {
            position = Cow::Owned(Position::from_board(position.board().clone(), to_move, *position.rules()));
            last = last_of(std::iter::empty());
        }
        let situation = Situation { position: &position, last, komi: self.game.total_komi() };
        let mut planes = Planes::default();
        PlaneMaker::default().make(&situation, &mut planes);
        Some(Inquiry { workspace: Workspace::new(net.net()), net, planes })
    }
}
