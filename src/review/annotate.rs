//! The reviewed record: what was read, with comments, marks and variations.
//!
//! Each position has its win rate and its lead as a comment, and in the properties of Sabaki's graphs (`SBKV`, `SBKS`:
//! Black's percentage and Black's points, as Sabaki's source has them). The best next moves are labelled. A move that
//! lost something is marked as doubtful or bad (FF4: `DO`, `BM`), and the better line stands beside it as a variation.
//! The moves that lost most are hotspots (`HO`).

use crate::go::vertex::{self, Vertex};
use crate::go::{Color, Move, Size};
use crate::record::meaning::point_value;
use crate::record::{NodeId, Record};

use super::finding::{Candidate, Finding};
use super::losses::{MoveLoss, worst};
use super::turns::Turns;

/// Losses from which a move is doubtful, bad, very bad, see [`MoveLoss::weight`]. (Guesses; KaTrain's classes begin at
/// 1.5, 3, 6 and 12 points.)
const DOUBTFUL: f64 = 3.0;
const BAD: f64 = 6.0;
const VERY_BAD: f64 = 12.0;

/// A loss from which the better line is worth a variation.
const WORTH_A_VARIATION: f64 = 0.5;

/// Next moves that are labelled.
const LABELS: usize = 3;

/// The judgements of a move that a record can have (FF4). One that is there stays.
const JUDGEMENTS: &[&str] = &["BM", "DO", "IT", "TE"];

/// `54.3 %, B+1.2`: the win rate of the side that is ahead by it, and the lead.
pub(super) fn rating(winrate: f64, lead: f64) -> String {
    let (side, rate) = if winrate < 0.5 { (Color::White, 1.0 - winrate) } else { (Color::Black, winrate) };
    format!("{side} wins {:.1} %, {}", rate * 100.0, points(lead))
}

/// Black's lead in the form of a result.
pub(super) fn points(lead: f64) -> String {
    let side = if lead < 0.0 { Color::White } else { Color::Black };
    format!("{}+{:.1}", side.letter(), lead.abs())
}

/// What a move lost, in a sentence; `None` if it was the best move. A move that lost nothing has no better one.
pub(super) fn lost(loss: &MoveLoss) -> Option<String> {
    let better = loss.better.as_ref()?;
    let cost = match (loss.points >= 0.05, loss.winrate >= 0.0005) {
        (false, false) => return Some(format!("{} lost nothing", loss.vertex)),
        (true, false) => format!("lost {:.1} points", loss.points),
        (false, true) => format!("lost {:.1} % of the wins", loss.winrate * 100.0),
        (true, true) => format!("lost {:.1} points and {:.1} % of the wins", loss.points, loss.winrate * 100.0),
    };
    Some(format!("{} {cost}; {} was better: {}", loss.vertex, better.vertex, better.pv.join(" ")))
}

/// The record of a game with all that was found.
pub(super) fn annotated(turns: &Turns, findings: &[Finding], losses: &[MoveLoss], effort: &str) -> Record {
    let size = turns.start.size();
    let mut record = turns.start.record().clone();
    let program = concat!("Kosumi:", env!("CARGO_PKG_VERSION"));
    record.set_behind(NodeId::ROOT, "AP", &[program], &["GM", "FF", "CA"]);
    let hotspots: Vec<usize> = worst(losses).iter().map(|loss| loss.number).collect();
    for finding in findings {
        let Some(node) = node_of(turns, finding.turn) else { continue };
        let loss = losses.iter().find(|loss| loss.number == finding.turn);
        let text = comment(turns, finding, loss, effort);
        let old = record.comment(node).filter(|old| !old.trim().is_empty());
        record.set_text(node, "C", &old.map_or(text.clone(), |old| format!("{}\n\n{text}", old.trim_end())));
        record.set(node, "SBKV", &[&format!("{:.2}", finding.winrate * 100.0)]);
        record.set(node, "SBKS", &[&format!("{:.2}", finding.lead)]);
        if finding.turn < turns.moves.len() {
            label(&mut record, node, &finding.moves, size);
        }
        let Some(loss) = loss else { continue };
        judge(&mut record, node, loss);
        if hotspots.contains(&loss.number) {
            record.set(node, "HO", &["1"]);
        }
        if loss.weight() >= WORTH_A_VARIATION {
            add_variation(&mut record, node, loss, size);
        }
    }
    record
}

/// The node of the position after so many moves.
fn node_of(turns: &Turns, turn: usize) -> Option<NodeId> {
    // Stones that are set up before the next move belong to the position.
    if let Some(next) = turns.moves.get(turn).filter(|next| next.is_set_up) {
        return turns.start.record().parent(next.node);
    }
    match turn.checked_sub(1) {
        None => Some(turns.start.cursor()),
        Some(index) => turns.moves.get(index).map(|turn| turn.node),
    }
}

fn comment(turns: &Turns, finding: &Finding, loss: Option<&MoveLoss>, effort: &str) -> String {
    let mut lines = vec![format!("Kosumi: {} ({} visits).", rating(finding.winrate, finding.lead), finding.visits)];
    if finding.turn == 0 {
        lines[0] = format!("Review by Kosumi {}, {effort}. {}", env!("CARGO_PKG_VERSION"), lines[0]);
    }
    match loss.map(|loss| (loss, lost(loss))) {
        Some((_, Some(text))) => lines.push(format!("{text}.")),
        Some((loss, None)) => lines.push(format!("{} is Kosumi's choice, too.", loss.vertex)),
        None => {}
    }
    if finding.turn == turns.moves.len() {
        lines.extend(turns.left_out());
    }
    if finding.turn < turns.moves.len() {
        for (candidate, letter) in finding.moves.iter().take(LABELS).zip('A'..) {
            let rating = rating(candidate.winrate, candidate.lead);
            lines.push(format!("{letter} {} ({rating}): {}", candidate.vertex, candidate.pv.join(" ")));
        }
    }
    lines.join("\n")
}

/// Labels the best next moves. Points that have a label keep theirs.
fn label(record: &mut Record, node: NodeId, moves: &[Candidate], size: Size) {
    let old: Vec<String> = record
        .properties(node)
        .filter(|property| property.name() == "LB")
        .flat_map(|property| property.values().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let mut labels = old.clone();
    for (candidate, letter) in moves.iter().take(LABELS).zip('A'..) {
        let Some(Vertex::On(Move::Play(point))) = vertex::parse(&candidate.vertex, size) else { continue };
        let place = point_value(point, size);
        if !old.iter().any(|label| label.starts_with(&place)) {
            labels.push(format!("{place}:{letter}"));
        }
    }
    if labels.len() > old.len() {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        record.set(node, "LB", &labels);
    }
}

fn judge(record: &mut Record, node: NodeId, loss: &MoveLoss) {
    if JUDGEMENTS.iter().any(|name| record.property(node, name).is_some()) {
        return;
    }
    match loss.weight() {
        weight if weight >= VERY_BAD => record.set(node, "BM", &["2"]),
        weight if weight >= BAD => record.set(node, "BM", &["1"]),
        weight if weight >= DOUBTFUL => record.set(node, "DO", &[""]),
        _ => {}
    }
}

/// The better line, beside the move.
fn add_variation(record: &mut Record, node: NodeId, loss: &MoveLoss, size: Size) {
    let (Some(better), Some(mut parent)) = (&loss.better, record.parent(node)) else { return };
    let mut color = if loss.color == Color::Black.letter() { Color::Black } else { Color::White };
    for (number, name) in better.pv.iter().enumerate() {
        let Some(Vertex::On(mv)) = vertex::parse(name, size) else { return };
        parent = record.add_move(parent, color, mv, size);
        if number == 0 {
            let rating = rating(better.winrate, better.lead);
            record.set_text(parent, "C", &format!("Kosumi's choice instead of {}: {rating}.", loss.vertex));
        }
        color = color.other();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_move_that_lost_something_had_a_better_one() {
        let said = |points, winrate| {
            let pv = ["C5", "E6"].map(str::to_owned).to_vec();
            let better = Some(Candidate { vertex: "C5".into(), winrate: 0.6, lead: 1.0, visits: 9, pv });
            lost(&MoveLoss { number: 1, color: 'B', vertex: "E5".into(), points, moved: points, winrate, better })
                .unwrap_or_default()
        };
        assert_eq!(said(0.04, 0.0004), "E5 lost nothing");
        assert_eq!(said(0.05, 0.0), "E5 lost 0.1 points; C5 was better: C5 E6");
        assert_eq!(said(0.0, 0.02), "E5 lost 2.0 % of the wins; C5 was better: C5 E6");
    }
}
