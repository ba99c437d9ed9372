//! What came of a search, as one side sees it: the layer between the engine and whatever shows its findings. Lines of
//! live analysis, drawings, JSON and explanations take their moves and numbers from here and only choose a form.
//!
//! # Perspective
//!
//! A search gives win rates for the side to move, and scores and owners for Black. A view gives all of them for one
//! side, [`View::side`], and this is the only rule:
//!
//! - a win rate is the rate at which that side wins,
//! - a lead is positive where that side is ahead,
//! - an owner is 1 where a point is that side's and −1 where it is the other side's.
//!
//! A view is made for the side to move. [`View::seen_by`] gives the same findings for the other side. A text that names
//! a side itself, such as `B+3.5`, needs no perspective; [`Lead::result`] makes it.
//!
//! # As JSON
//!
//! A view and all that it holds are `Serialize`. Fields have the names that KataGo has made common (`winrate`, `pv`),
//! so a protocol can pick what it needs and [`round`] what it wants rounded.

mod bound;
mod owners;
pub mod rules;
mod thought;

use serde::{Serialize, Serializer};

use crate::go::{Color, Move, vertex};
use crate::search::{MoveReport, Report};

pub use bound::lower_bound;
pub use owners::Owners;
pub use thought::ThoughtView;

/// A report as one side sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Whose view it is.
    #[serde(serialize_with = "as_text")]
    pub side: Color,
    /// Whose turn it is.
    #[serde(serialize_with = "as_text")]
    pub to_move: Color,
    /// Rows of the board.
    pub size: usize,
    /// The moves, best first; those that were never tried among them.
    pub moves: Vec<MoveView>,
    /// How often the side wins, 0..=1.
    #[serde(rename = "winrate")]
    pub win_rate: f32,
    /// The expected score; `None` if the search has not looked at scores.
    #[serde(flatten)]
    pub lead: Option<Lead>,
    /// Playouts below the root, those of earlier searches included.
    pub visits: u64,
    /// Playouts of this search.
    pub playouts: u64,
    /// Time that the search took.
    pub seconds: f64,
    /// Nodes in use.
    pub nodes: usize,
    /// Whose the points are; `None` if the search has not looked at owners.
    #[serde(rename = "ownership")]
    pub owners: Option<Owners>,
}

/// A move as one side sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveView {
    /// The move.
    #[serde(skip)]
    pub mv: Move,
    /// Its name.
    #[serde(rename = "move")]
    pub vertex: String,
    /// Its place, 0 for the best.
    pub order: usize,
    /// Playouts through it.
    pub visits: u64,
    /// How often the side wins after it, 0..=1.
    #[serde(rename = "winrate")]
    pub win_rate: f32,
    /// The win rate if few visits have flattered the side to move, see [`lower_bound`]. In a view of the side to move it
    /// is a lower bound, in a view of the other side an upper bound.
    #[serde(rename = "lcb")]
    pub bound: f64,
    /// Prior probability of the move.
    pub prior: f32,
    /// The expected score after it; `None` if the search has not looked at scores.
    #[serde(flatten)]
    pub lead: Option<Lead>,
    /// The names of the moves of the expected continuation, this move first.
    #[serde(rename = "pv")]
    pub variation: Vec<String>,
    /// Playouts through each of them.
    #[serde(rename = "pvVisits")]
    pub variation_visits: Vec<u64>,
    /// Whose the points are after the move; only in a view [in full](View::in_full).
    #[serde(rename = "ownership", skip_serializing_if = "Option::is_none")]
    pub owners: Option<Owners>,
}

/// An expected score after komi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Lead {
    /// Points by which the side is ahead on average.
    #[serde(rename = "scoreLead")]
    pub points: f32,
    /// Standard deviation of the scores in points.
    #[serde(rename = "scoreStdev")]
    pub spread: f32,
}

impl View {
    /// A report for the side that was to move, on a board of so many rows. Scores and owners come from the sample
    /// [`Report::details`].
    pub fn of(report: &Report, to_move: Color, size: usize) -> View {
        View::made(report, to_move, size, false)
    }

    /// The same with the owners after each move.
    pub fn in_full(report: &Report, to_move: Color, size: usize) -> View {
        View::made(report, to_move, size, true)
    }

    fn made(report: &Report, to_move: Color, size: usize, in_full: bool) -> View {
        let has_sample = report.details.all().playouts() > 0;
        let move_view = |(order, m): (usize, &MoveReport)| MoveView {
            mv: m.mv,
            vertex: vertex::of_move(m.mv, size),
            order,
            visits: m.visits,
            win_rate: m.value,
            bound: lower_bound(m.value.into(), m.visits),
            prior: m.prior,
            lead: has_sample.then(|| Lead::of(report.details.margin_of(m.mv), to_move)),
            variation: m.variation.iter().map(|&mv| vertex::of_move(mv, size)).collect(),
            variation_visits: m.variation_visits.iter().map(|&visits| visits).collect(),
            owners: (in_full && has_sample).then(|| Owners::of(report.details.of(m.mv), to_move, size)),
        };
        View {
            side: to_move,
            to_move,
            size,
            moves: report.moves.iter().enumerate().map(move_view).collect(),
            win_rate: report.value,
            lead: has_sample.then(|| Lead::of(report.details.all().margin(), to_move)),
            visits: report.visits,
            playouts: report.playouts,
            seconds: report.elapsed.as_secs_f64(),
            nodes: report.nodes,
            owners: has_sample.then(|| Owners::of(report.details.all(), to_move, size)),
        }
    }

    /// The same findings as a side sees them.
    pub fn seen_by(mut self, side: Color) -> View {
        if side != self.side {
            self.side = side;
            self.win_rate = 1.0 - self.win_rate;
            self.lead = self.lead.map(Lead::turned);
            self.owners = self.owners.map(Owners::turned);
            for m in &mut self.moves {
                m.win_rate = 1.0 - m.win_rate;
                m.bound = 1.0 - m.bound;
                m.lead = m.lead.map(Lead::turned);
                m.owners = m.owners.take().map(Owners::turned);
            }
        }
        self
    }

    /// The moves that were tried, best first.
    pub fn tried(&self) -> impl Iterator<Item = &MoveView> {
        self.moves.iter().filter(|m| m.visits > 0)
    }

    /// Who is expected to win, and how often: Black where both win as often.
    pub fn favourite(&self) -> (Color, f32) {
        let black = if self.side == Color::Black { self.win_rate } else { 1.0 - self.win_rate };
        if black < 0.5 { (Color::White, 1.0 - black) } else { (Color::Black, black) }
    }
}

impl Lead {
    /// Of Black's mean margin and its standard deviation.
    fn of((mean, deviation): (f32, f32), side: Color) -> Lead {
        // Adding zero turns −0, which would be printed as "-0", into 0.
        Lead { points: mean * side.sign() as f32 + 0.0, spread: deviation }
    }

    fn turned(self) -> Lead {
        Lead { points: 0.0 - self.points, ..self }
    }

    /// The score as results are written, `B+3.5`, if the lead is this side's.
    pub fn result(self, side: Color) -> String {
        let black = self.points * side.sign() as f32;
        let ahead = if black < 0.0 { Color::White } else { Color::Black };
        format!("{}+{:.1}", ahead.letter(), black.abs())
    }
}

/// A number with so many decimals, as some protocols want it.
pub fn round(value: f32, decimals: u32) -> f64 {
    let unit = (0..decimals).fold(1.0f32, |unit, _| unit * 10.0);
    f64::from((value * unit).round()) / f64::from(unit)
}

/// Serializes a value as its text.
fn as_text<S: Serializer>(value: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
