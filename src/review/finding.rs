//! What a search found about one position of a game: what is kept between two runs, and what the page shows. All values
//! are Black's.

use serde::{Deserialize, Serialize};

use crate::go::{Color, Size};
use crate::search::Report;
use crate::view::{Lead, MoveView, View, round};

/// Decimals of win rates (0..=1) and of points.
const RATE: u32 = 4;
const POINTS: u32 = 2;

/// The best moves that are kept of a position.
const CANDIDATES: usize = 5;

/// Moves that are kept of a continuation.
const CONTINUATION: usize = 12;

/// Steps between "always White's" and "always Black's", which are the letters `a` and `y`.
const OWNER_STEPS: f32 = 24.0;

/// What a search found about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Moves of the game before the position.
    pub turn: usize,
    /// How often Black wins, 0..=1.
    pub winrate: f64,
    /// Black's expected lead in points.
    pub lead: f64,
    /// Playouts of the search.
    pub visits: u64,
    /// The best moves, best first.
    pub moves: Vec<Candidate>,
    /// The owner of each point, row by row from the top: letters from `a` (White's) to `y` (Black's).
    pub owners: String,
}

/// A move that the search looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The move's name.
    #[serde(rename = "move")]
    pub vertex: String,
    /// How often Black wins after it, 0..=1.
    pub winrate: f64,
    /// Black's expected lead after it in points.
    pub lead: f64,
    /// Playouts through it.
    pub visits: u64,
    /// The expected continuation, this move first.
    pub pv: Vec<String>,
}

impl Finding {
    /// The finding of a report about the position after so many moves.
    pub fn of(turn: usize, report: &Report, to_move: Color, size: Size) -> Finding {
        let view = View::of(report, to_move, size).seen_by(Color::Black);
        let lead = |lead: Option<Lead>| round(lead.unwrap_or_default().points, POINTS);
        let candidate = |m: &MoveView| Candidate {
            vertex: m.vertex.clone(),
            winrate: round(m.win_rate, RATE),
            lead: lead(m.lead),
            visits: m.visits,
            pv: m.variation.iter().take(CONTINUATION).cloned().collect(),
        };
        Finding {
            turn,
            winrate: round(view.win_rate, RATE),
            lead: lead(view.lead),
            visits: view.visits,
            moves: view.tried().take(CANDIDATES).map(candidate).collect(),
            owners: view.owners.iter().flat_map(|owners| owners.iter()).map(letter).collect(),
        }
    }

    /// The best move; `None` if the search tried none.
    pub fn best(&self) -> Option<&Candidate> {
        self.moves.first()
    }

    /// The owner of a point, −1 (White's) to 1 (Black's), by its place in the rows from the top.
    pub fn owner(&self, place: usize) -> f32 {
        let letter = self.owners.as_bytes().get(place).copied().unwrap_or(b'm');
        f32::from(letter.clamp(b'a', b'y') - b'a') * 2.0 / OWNER_STEPS - 1.0
    }
}

fn letter(owner: f32) -> char {
    let step = ((owner.clamp(-1.0, 1.0) + 1.0) / 2.0 * OWNER_STEPS).round();
    char::from(b'a' + step as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_letters_and_back() {
        for (owner, expected) in [(-1.0, 'a'), (0.0, 'm'), (1.0, 'y'), (7.0, 'y')] {
            assert_eq!(letter(owner), expected);
        }
        let finding = Finding {
            turn: 0,
            winrate: 0.5,
            lead: 0.0,
            visits: 1,
            moves: Vec::new(),
            owners: [-1.0, -0.5, 0.0, 0.5, 1.0].map(letter).iter().collect(),
        };
        for (place, owner) in [-1.0, -0.5, 0.0, 0.5, 1.0].into_iter().enumerate() {
            assert!((finding.owner(place) - owner).abs() < 0.05, "{place}");
        }
        assert_eq!(finding.owner(99), 0.0, "an unknown point is nobody's");
    }
}
