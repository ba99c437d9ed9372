//! A thought: what the engine decided when a move was asked for, and the report that led to the decision.

use serde::Serialize;

use super::{Lead, MoveView, Owners, View};
use crate::engine::{Decision, thought::Thought};
use crate::go::Size;

/// A thought as the side that had it sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThoughtView {
    /// What was decided: a vertex, `pass` or `resign`.
    pub decision: String,
    /// Did the engine resign?
    pub resigns: bool,
    /// The number of the move in the game, from 1.
    pub move_number: usize,
    /// Does the search tell the score, and who is ahead? (See [`Thought::knows_score`].)
    #[serde(skip)]
    pub knows_score: bool,
    /// The place of the played move among the moves of the search; `None` if the search did not try the move, or if
    /// the engine resigned.
    pub made: Option<usize>,
    /// What the search found. A search for a move mostly takes no sample of scores. Then the expected score and the
    /// owners of the position come from all playouts that were played to their end; `None` where these are too few.
    pub search: View,
}

impl ThoughtView {
    /// A thought about a game on a board of this size.
    pub fn of(thought: &Thought, size: impl Into<Size>) -> ThoughtView {
        let size = size.into();
        let Thought { color, decision, moves_before, knows_score, report } = thought;
        let lead = thought.margin().map(|margin| Lead::of(margin, *color));
        let search = View::of(report, *color, size);
        let owners = search.owners.clone().or_else(|| lead.map(|_| Owners::of(&report.ownership, *color, size)));
        let search = View { lead, owners, ..search };
        let made = match *decision {
            Decision::Move(mv) => search.moves.iter().position(|m| m.mv == mv && m.visits > 0),
            Decision::Resign => None,
        };
        ThoughtView {
            decision: decision.text(size),
            resigns: *decision == Decision::Resign,
            move_number: moves_before + 1,
            knows_score: *knows_score,
            made,
            search,
        }
    }

    /// What the search found about the played move; `None` if the search did not try it.
    pub fn move_made(&self) -> Option<&MoveView> {
        self.search.moves.get(self.made?)
    }
}
