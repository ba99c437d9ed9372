//! Findings of a search as GoGui draws them: boards of numbers, labels, variations, and graphics while a search runs.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{explain, vertex};
use crate::go::{Color, Point};
use crate::search::{MoveReport, Ownership, Report};

/// What is drawn while a search runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveGraphics {
    /// Nothing.
    #[default]
    Off,
    /// The most visited moves with their win rates.
    Moves,
    /// The expected continuation.
    Variation,
    /// Who owns what.
    Ownership,
}

impl LiveGraphics {
    /// All of them with their names.
    pub const ALL: [(&str, LiveGraphics); 4] = [
        ("off", LiveGraphics::Off),
        ("moves", LiveGraphics::Moves),
        ("variation", LiveGraphics::Variation),
        ("ownership", LiveGraphics::Ownership),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<LiveGraphics> {
        Self::ALL.iter().find(|(other, _)| *other == name).map(|&(_, kind)| kind)
    }
}

/// Moves that are drawn: more would hide the board.
const MOST_MOVES: usize = 10;

/// A move is drawn only if it got one in so many of the best move's visits.
const LEAST_SHARE: u64 = 50;

/// Time between two drawings of a running search.
const INTERVAL: Duration = Duration::from_millis(500);

/// Draws a running search: what it gives from time to time is for standard error.
pub struct Painter {
    kind: LiveGraphics,
    color: Color,
    size: usize,
    last: Instant,
}

impl Painter {
    /// Draws a search for a move of this side.
    pub fn new(kind: LiveGraphics, color: Color, size: usize) -> Painter {
        Painter { kind, color, size, last: Instant::now() }
    }

    /// A drawing, if it is time for one.
    pub fn draw(&mut self, report: &dyn Fn() -> Option<Arc<Report>>) -> Option<String> {
        if self.last.elapsed() < INTERVAL {
            return None;
        }
        self.last = Instant::now();
        let report = report()?;
        let commands = match self.kind {
            LiveGraphics::Off => return None,
            LiveGraphics::Moves => best_moves(&report, self.color, self.size),
            LiveGraphics::Variation => {
                format!("{}\n{}", variation_graphics(&report, self.color, self.size), summary(&report, self.color))
            }
            LiveGraphics::Ownership => {
                format!("{}\n{}", influence(report.details.all(), self.size), summary(&report, self.color))
            }
        };
        // An empty line ends the drawing.
        Some(format!("gogui-gfx:\n{commands}\n\n"))
    }

    /// What ends the drawing: GoGui keeps the last one otherwise.
    pub fn end(&self) -> &'static str {
        "gogui-gfx: CLEAR\n"
    }
}

/// Type `dboard`: a number for each point, 1 is Black's, the top row first.
pub fn ownership_board(ownership: &Ownership, size: usize) -> String {
    let row = |row| {
        let owner = |column| format!("{:.2}", ownership.of(Point::new(column, row, size)) + 0.0);
        (0..size).map(owner).collect::<Vec<_>>().join(" ")
    };
    (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// Type `gfx`: the best moves in the order of their visits, greener the more they have, and a line for the status bar.
pub fn best_moves(report: &Report, color: Color, size: usize) -> String {
    let mut lines = Vec::new();
    let most = report.moves.first().map_or(0, |m| m.visits);
    let mut labels = String::from("LABEL");
    for m in drawn(report) {
        let Some(point) = m.mv.point() else { continue };
        let name = vertex::of(point, size);
        // From yellow, hardly visited, to green, the best.
        let red = 255 - (m.visits * 255 / most.max(1)) as u8;
        lines.push(format!("COLOR #{red:02x}e000 {name}"));
        // Writing to a string cannot fail.
        let _ = write!(labels, " {name} {}", percent(m.value));
    }
    if !lines.is_empty() {
        lines.push(labels);
    }
    lines.push(summary(report, color));
    lines.join("\n")
}

/// Type `pspairs`: the visits of moves, such as `D4 234` or `D4 12k`: longer words do not fit on a point.
pub fn visits(report: &Report, size: usize) -> String {
    pairs(report, size, |m| match m.visits {
        visits @ ..1000 => visits.to_string(),
        visits @ ..1_000_000 => format!("{}k", visits / 1000),
        visits => format!("{}M", visits / 1_000_000),
    })
}

/// Type `pspairs`: the win rates of moves in percent.
pub fn win_rates(report: &Report, size: usize) -> String {
    pairs(report, size, |m| percent(m.value))
}

fn pairs(report: &Report, size: usize, text: impl Fn(&MoveReport) -> String) -> String {
    let tried = report.moves.iter().filter(|m| m.visits > 0);
    let pair = |m: &MoveReport| Some(format!("{} {}", vertex::of(m.mv.point()?, size), text(m)));
    tried.filter_map(pair).collect::<Vec<_>>().join("\n")
}

/// Type `var`: the expected continuation.
pub fn variation(report: &Report, size: usize) -> String {
    report.moves.first().map_or_else(String::new, |best| explain::variation(&best.variation, size))
}

/// Type `hstring`: all that there is to say, for people.
pub fn statistics(report: &Report, color: Color, size: usize) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let (_, deviation) = report.details.all().margin();
    let mut lines = vec![
        format!("To move: {color}"),
        format!("Win rate: {:.1} % for {color}", report.value * 100.0),
        format!(
            "Score: {} on average, standard deviation {deviation:.1}",
            explain::score(report.details.all().margin().0)
        ),
        format!(
            "Playouts: {} in {seconds:.2} s, {:.0} a second",
            report.playouts,
            report.playouts as f64 / seconds.max(1e-6)
        ),
        format!("Visits: {} with those of earlier searches", report.visits),
        format!("Nodes: {}", report.nodes),
    ];
    for (i, m) in drawn(report).enumerate() {
        lines.push(format!(
            "{}: {} visits, win rate {:.1} %, prior {:.1} %, score {}, {}",
            i + 1,
            m.visits,
            m.value * 100.0,
            m.prior * 100.0,
            explain::score(report.details.margin_of(m.mv).0),
            explain::variation(&m.variation, size)
        ));
    }
    lines.join("\n")
}

/// The moves worth drawing, best first.
fn drawn(report: &Report) -> impl Iterator<Item = &MoveReport> {
    let most = report.moves.first().map_or(0, |m| m.visits);
    report.moves.iter().take(MOST_MOVES).filter(move |m| m.visits > 0 && m.visits >= most / LEAST_SHARE)
}

fn variation_graphics(report: &Report, color: Color, size: usize) -> String {
    let mut line = String::from("VAR");
    let mut color = color;
    for &mv in report.moves.first().map_or(&[][..], |m| &m.variation) {
        let _ = write!(line, " {} {}", color.letter().to_ascii_lowercase(), vertex::of_move(mv, size));
        color = color.other();
    }
    line
}

fn influence(ownership: &Ownership, size: usize) -> String {
    let mut line = String::from("INFLUENCE");
    for row in (0..size).rev() {
        for column in 0..size {
            let point = Point::new(column, row, size);
            let _ = write!(line, " {} {:.2}", vertex::of(point, size), ownership.of(point) + 0.0);
        }
    }
    line
}

/// A line for the status bar.
fn summary(report: &Report, color: Color) -> String {
    let mut text = format!("TEXT {color} {:.1} %, {} playouts", report.value * 100.0, report.playouts);
    if report.details.all().playouts() > 0 {
        let _ = write!(text, ", score {}", explain::score(report.details.all().margin().0));
    }
    text
}

fn percent(rate: f32) -> String {
    format!("{:.0}%", rate * 100.0)
}
