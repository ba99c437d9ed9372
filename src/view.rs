//! The report of a search, as one side sees it: the layer between the engine and the protocols. Lines of live analysis,
//! drawings, JSON and explanations take their moves and numbers from here, and only choose a form.
//!
//! A [`Report`] is what a search found. A [`View`] is a report for one side. A [`ThoughtView`] is what the engine
//! thought of one move: the report and the decision.
//!
//! ```
//! use std::time::Duration;
//! use kosumi::go::{Color, Move};
//! use kosumi::search::{Means, MoveReport, Report};
//! use kosumi::view::View;
//!
//! let pass = MoveReport {
//!     mv: Move::Pass,
//!     visits: 10,
//!     value: 0.6,
//!     win_rate: 0.75,
//!     bound: 0.5,
//!     margin: None,
//!     prior: 1.0,
//!     variation: vec![Move::Pass],
//!     variation_visits: vec![10],
//! };
//! let report = Report {
//!     moves: vec![pass],
//!     playouts: 10,
//!     elapsed: Duration::from_millis(5),
//!     value: 0.6,
//!     win_rate: 0.75,
//!     means: Means { visits: 10, playouts: 0.6, net: None },
//!     margin: None,
//!     spread_of_net: 0.0,
//!     visits: 10,
//!     nodes: 2,
//!     ownership: Default::default(),
//!     details: Default::default(),
//! };
//! let view = View::of(&report, Color::Black, 9);
//! assert_eq!((view.win_rate, view.moves[0].vertex.as_str()), (0.75, "pass"));
//! // White sees the same report from the other side.
//! let white = view.seen_by(Color::White);
//! assert_eq!((white.win_rate, white.favourite()), (0.25, (Color::Black, 0.75)));
//! ```
//!
//! # Perspective
//!
//! A search gives win rates for the side to move, and scores and owners for Black. A view gives all of them for one
//! side, [`View::side`], by this rule alone:
//!
//! - a win rate is the rate at which that side wins,
//! - a lead is positive where that side is ahead,
//! - an owner is 1 where a point is that side's, and −1 where the point is the other side's.
//!
//! A view is made for the side to move. [`View::seen_by`] gives the same findings for the other side. A text that names
//! a side itself, such as `B+3.5`, needs no perspective; [`Lead::result`] makes it.
//!
//! # As JSON
//!
//! A view and all that it holds are `Serialize`. Fields have the names that KataGo has made common (`winrate`, `pv`),
//! so a protocol can pick what it needs and [`round`] what it wants rounded.

mod owners;
mod refusal;
mod thought;

use serde::{Serialize, Serializer};

use crate::go::{Color, Move, Size, vertex};
use crate::search::details::Sample;
use crate::search::{Margin, MoveReport, Report};

pub use owners::Owners;
pub use refusal::refusal;
pub use thought::ThoughtView;

/// A report as one side sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The side that sees the report.
    #[serde(serialize_with = "as_text")]
    pub side: Color,
    /// The side to move.
    #[serde(serialize_with = "as_text")]
    pub to_move: Color,
    /// Columns and rows of the board.
    pub size: Size,
    /// The moves, best first. Moves that were never tried are among them.
    pub moves: Vec<MoveView>,
    /// How often the side wins, 0..=1.
    #[serde(rename = "winrate")]
    pub win_rate: f32,
    /// The expected score; `None` if the search has not looked at scores.
    #[serde(flatten)]
    pub lead: Option<Lead>,
    /// Playouts below the root. Those of earlier searches are included.
    pub visits: u64,
    /// Playouts of this search.
    pub playouts: u64,
    /// Time that the search took.
    pub seconds: f64,
    /// Nodes in use.
    pub nodes: usize,
    /// The owners of the points; `None` if the search has not looked at owners.
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
    /// The name of the move.
    #[serde(rename = "move")]
    pub vertex: String,
    /// The place of the move among all, 0 for the best.
    pub order: usize,
    /// Playouts through the move.
    pub visits: u64,
    /// How often the side wins after the move, 0..=1.
    #[serde(rename = "winrate")]
    pub win_rate: f32,
    /// A bound of the win rate that allows for few visits. In a view of the side to move it is a lower bound. In a view
    /// of the other side it is an upper bound.
    #[serde(rename = "lcb")]
    pub bound: f64,
    /// Prior probability of the move.
    pub prior: f32,
    /// The expected score after the move; `None` if the search has not looked at scores.
    #[serde(flatten)]
    pub lead: Option<Lead>,
    /// The share of the sampled playouts after the move that a long cycle made void, 0..=1.
    #[serde(rename = "noResultValue")]
    pub no_result: f32,
    /// The names of the moves of the expected continuation, this move first.
    #[serde(rename = "pv")]
    pub variation: Vec<String>,
    /// Playouts through each move of the continuation.
    #[serde(rename = "pvVisits")]
    pub variation_visits: Vec<u64>,
    /// The owners of the points after the move; only in a view [in full](View::in_full).
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
    /// A report for the side that was to move, on a board of this size. Owners come from the sample
    /// [`Report::details`].
    pub fn of(report: &Report, to_move: Color, size: impl Into<Size>) -> View {
        View::made(report, to_move, size.into(), false)
    }

    /// As [`View::of`], with the owners after each move.
    pub fn in_full(report: &Report, to_move: Color, size: impl Into<Size>) -> View {
        View::made(report, to_move, size.into(), true)
    }

    fn made(report: &Report, to_move: Color, size: Size, in_full: bool) -> View {
        let has_sample = report.details.all().playouts() > 0;
        let move_view = |(order, m): (usize, &MoveReport)| MoveView {
            mv: m.mv,
            vertex: vertex::of_move(m.mv, size),
            order,
            visits: m.visits,
            win_rate: m.win_rate,
            bound: m.bound,
            prior: m.prior,
            lead: m.margin.map(|margin| Lead::of(margin, to_move)),
            no_result: report.details.below(m.mv).map_or(0.0, Sample::void_share),
            variation: m.variation.iter().map(|&mv| vertex::of_move(mv, size)).collect(),
            variation_visits: m.variation_visits.clone(),
            owners: (in_full && has_sample).then(|| Owners::of(report.details.of(m.mv), to_move, size)),
        };
        View {
            side: to_move,
            to_move,
            size,
            moves: report.moves.iter().enumerate().map(move_view).collect(),
            win_rate: report.win_rate,
            lead: report.margin.map(|margin| Lead::of(margin, to_move)),
            visits: report.visits,
            playouts: report.playouts,
            seconds: report.elapsed.as_secs_f64(),
            nodes: report.nodes,
            owners: has_sample.then(|| Owners::of(report.details.all(), to_move, size)),
        }
    }

    /// The same report, as the given side sees it.
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

    /// The side that is expected to win, and how often; Black if both win as often.
    pub fn favourite(&self) -> (Color, f32) {
        let black = if self.side == Color::Black { self.win_rate } else { 1.0 - self.win_rate };
        if black < 0.5 { (Color::White, 1.0 - black) } else { (Color::Black, black) }
    }
}

impl Lead {
    /// A lead from Black's margin.
    fn of(margin: Margin, side: Color) -> Lead {
        // Adding zero turns −0, which would be printed as "-0", into 0.
        Lead { points: margin.points * side.sign() as f32 + 0.0, spread: margin.deviation }
    }

    fn turned(self) -> Lead {
        Lead { points: 0.0 - self.points, ..self }
    }

    /// The lead in the form of a result, `B+3.5`. The lead is that of the given side.
    pub fn result(self, side: Color) -> String {
        let black = self.points * side.sign() as f32;
        let ahead = if black < 0.0 { Color::White } else { Color::Black };
        format!("{}+{:.1}", ahead.letter(), black.abs())
    }
}

/// A number rounded to so many decimals, as some protocols want it.
pub fn round(value: f32, decimals: u32) -> f64 {
    let unit = (0..decimals).fold(1.0f32, |unit, _| unit * 10.0);
    f64::from((value * unit).round()) / f64::from(unit)
}

/// Serializes a value as its text.
fn as_text<S: Serializer>(value: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
