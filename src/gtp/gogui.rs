//! Findings of a search as GoGui draws them: boards of numbers, labels, variations, and graphics while a search runs.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::go::{Color, Move, Size};
use crate::search::Report;
use crate::time::TimeSource;
use crate::view::{MoveView, Owners, View};

/// What is drawn while a search runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveGraphics {
    /// Nothing.
    #[default]
    Off,
    /// The best moves with their win rates.
    Moves,
    /// The expected continuation.
    Variation,
    /// The owner of each point.
    Ownership,
}

impl LiveGraphics {
    /// All kinds with their names.
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

    /// The kind of this name.
    pub fn by_name(name: &str) -> Option<LiveGraphics> {
        Self::ALL.iter().find(|(other, _)| *other == name).map(|&(_, kind)| kind)
    }
}

/// The most moves that are drawn: more would hide the board.
const MOST_MOVES: usize = 10;

/// A move is drawn only if it has at least the best move's visits divided by this.
const LEAST_SHARE: u64 = 50;

/// Time between two drawings of a running search.
const INTERVAL: Duration = Duration::from_millis(500);

/// Draws a running search. GoGui reads the drawings from standard error.
#[derive(Debug)]
pub struct Painter {
    kind: LiveGraphics,
    color: Color,
    size: Size,
    time: TimeSource,
    last: Instant,
}

impl Painter {
    /// Draws a search for a move of this side.
    pub fn new(kind: LiveGraphics, color: Color, size: Size, time: TimeSource) -> Painter {
        Painter { kind, color, size, last: time.now(), time }
    }

    /// A drawing, if one is due. A search that has visited no move yet does not put off the next drawing.
    pub fn draw(&mut self, report: &dyn Fn() -> Option<Arc<Report>>) -> Option<String> {
        let now = self.time.now();
        if now.saturating_duration_since(self.last) < INTERVAL {
            return None;
        }
        let view = View::of(&*report()?, self.color, self.size);
        view.tried().next()?;
        self.last = now;
        live(self.kind, &view)
    }

    /// The text that ends drawing. Without it, GoGui keeps the last drawing.
    pub fn end(&self) -> &'static str {
        "gogui-gfx: CLEAR\n"
    }
}

/// A drawing, if one is wanted.
pub fn live(kind: LiveGraphics, view: &View) -> Option<String> {
    let commands = match kind {
        LiveGraphics::Off => return None,
        LiveGraphics::Moves => best_moves(view),
        LiveGraphics::Variation => format!("{}\n{}", variation_graphics(view), summary(view)),
        LiveGraphics::Ownership => format!("{}\n{}", influence(view), summary(view)),
    };
    // An empty line ends the drawing.
    Some(format!("gogui-gfx:\n{commands}\n\n"))
}

/// Type `dboard`: a number for each point, 1 is Black's, the top row first.
pub fn ownership_board(view: &View) -> String {
    let row = |row: &Vec<f32>| row.iter().map(|owner| format!("{owner:.2}")).collect::<Vec<_>>().join(" ");
    black_owners(view).rows().iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Type `gfx`: the best moves, greener the more visits they have, and a line for the status bar.
pub fn best_moves(view: &View) -> String {
    let mut lines = Vec::new();
    let most = most_visits(view);
    let mut labels = String::from("LABEL");
    for m in drawn(view).filter(|m| m.mv != Move::Pass) {
        let name = &m.vertex;
        // From yellow, hardly visited, to green, the best.
        let red = 255 - (m.visits * 255 / most.max(1)) as u8;
        lines.push(format!("COLOR #{red:02x}e000 {name}"));
        // Writing to a string cannot fail.
        let _ = write!(labels, " {name} {}", percent(m.win_rate));
    }
    if !lines.is_empty() {
        lines.push(labels);
    }
    lines.push(summary(view));
    lines.join("\n")
}

/// Type `pspairs`: the visits of moves, such as `D4 234` or `D4 12k`: longer words do not fit on a point.
pub fn visits(view: &View) -> String {
    pairs(view, |m| match m.visits {
        visits @ ..1000 => visits.to_string(),
        visits @ ..1_000_000 => format!("{}k", visits / 1000),
        visits => format!("{}M", visits / 1_000_000),
    })
}

/// Type `pspairs`: the win rates of moves in percent.
pub fn win_rates(view: &View) -> String {
    pairs(view, |m| percent(m.win_rate))
}

fn pairs(view: &View, text: impl Fn(&MoveView) -> String) -> String {
    let plays = view.tried().filter(|m| m.mv != Move::Pass);
    plays.map(|m| format!("{} {}", m.vertex, text(m))).collect::<Vec<_>>().join("\n")
}

/// Type `var`: the expected continuation.
pub fn variation(view: &View) -> String {
    view.moves.first().map_or_else(String::new, |best| best.variation.join(" "))
}

/// Type `hstring`: everything that is known, for people.
pub fn statistics(view: &View) -> String {
    let (color, seconds) = (view.side, view.seconds);
    let lead = view.lead.unwrap_or_default();
    let mut lines = vec![
        format!("To move: {color}"),
        format!("Win rate: {:.1} % for {color}", view.win_rate * 100.0),
        format!("Score: {} on average, standard deviation {:.1}", lead.result(color), lead.spread),
        format!(
            "Playouts: {} in {seconds:.2} s, {:.0} a second",
            view.playouts,
            view.playouts as f64 / seconds.max(1e-6)
        ),
        format!("Visits: {} with those of earlier searches", view.visits),
        format!("Nodes: {}", view.nodes),
    ];
    for (i, m) in drawn(view).enumerate() {
        lines.push(format!(
            "{}: {} visits, win rate {:.1} %, prior {:.1} %, score {}, {}",
            i + 1,
            m.visits,
            m.win_rate * 100.0,
            m.prior * 100.0,
            m.lead.unwrap_or_default().result(color),
            m.variation.join(" ")
        ));
    }
    lines.join("\n")
}

/// The moves worth drawing, best first.
fn drawn(view: &View) -> impl Iterator<Item = &MoveView> {
    let most = most_visits(view);
    view.moves.iter().take(MOST_MOVES).filter(move |m| m.visits > 0 && m.visits >= most / LEAST_SHARE)
}

fn most_visits(view: &View) -> u64 {
    view.moves.iter().map(|m| m.visits).max().unwrap_or(0)
}

fn variation_graphics(view: &View) -> String {
    let mut line = String::from("VAR");
    let mut color = view.to_move;
    for vertex in view.moves.first().map_or(&[][..], |m| &m.variation) {
        let _ = write!(line, " {} {vertex}", color.letter().to_ascii_lowercase());
        color = color.other();
    }
    line
}

fn influence(view: &View) -> String {
    let mut line = String::from("INFLUENCE");
    for (vertex, owner) in black_owners(view).by_vertex() {
        let _ = write!(line, " {vertex} {owner:.2}");
    }
    line
}

/// GoGui colours points by their owners, so 1 is always Black's.
fn black_owners(view: &View) -> Owners {
    view.clone().seen_by(Color::Black).owners.unwrap_or_else(|| Owners::nobody(view.size))
}

/// A line for the status bar.
fn summary(view: &View) -> String {
    let mut text = format!("TEXT {} {:.1} %, {} playouts", view.side, view.win_rate * 100.0, view.playouts);
    if let Some(lead) = view.lead {
        let _ = write!(text, ", score {}", lead.result(view.side));
    }
    text
}

fn percent(rate: f32) -> String {
    format!("{:.0}%", rate * 100.0)
}
