//! What each move of a game lost, the moves that lost most, and sums for both players.

use serde::Serialize;

use crate::go::{Color, Size, vertex};

use super::finding::{Candidate, Finding};
use super::turns::Turns;

/// A point of lead counts as much as this loss of win rate, where moves are put in the order of their losses. A loss of
/// points alone is noisy, and a loss of win rate alone is blind in a game that is decided. (A guess: half of a game's
/// 50 % for ten points. With it, blunders put into twenty games were all among the three worst, see `docs/review.md`.)
const RATE_OF_A_POINT: f64 = 0.05;

/// The moves that are shown as those that lost most.
const WORST: usize = 10;

/// A move that lost less is no mistake; see [`MoveLoss::weight`]. (A guess; KaTrain colours losses from 0.5 points on.)
const LEAST: f64 = 0.5;

/// Where the phases of a game begin, as shares of the points of the board. KaTrain's game report has the same.
const PHASES: [(&str, f64); 3] = [("opening", 0.0), ("middle game", 0.14), ("endgame", 0.4)];

/// A move and what it lost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveLoss {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that made it: `B` or `W`.
    pub color: char,
    /// The move.
    #[serde(rename = "move")]
    pub vertex: String,
    /// Points that the move lost, compared with the best move; 0 or more.
    pub points: f64,
    /// Points by which the lead moved against the player, from the search before the move to the search after it. Below
    /// 0 if it moved in the player's favour. Unlike `points`, these numbers of all moves add up to the lead at the end.
    pub moved: f64,
    /// Win rate that the move lost, 0 to 1.
    pub winrate: f64,
    /// The best move instead; `None` if the move was the best.
    pub better: Option<Candidate>,
}

/// What a player lost in one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseLoss {
    /// The side: `B` or `W`.
    pub color: char,
    /// The phase, or `game` for all of them.
    pub phase: &'static str,
    /// Moves of the player.
    pub moves: usize,
    /// Points lost for each move.
    pub points: f64,
    /// Points by which the lead moved against the player in these moves together. The first lead, less Black's total,
    /// plus White's total for the whole game, is the last lead.
    pub total: f64,
    /// Share of the moves that were the engine's own choice.
    pub best: f64,
}

impl MoveLoss {
    /// The size of a loss, in points.
    pub fn weight(&self) -> f64 {
        self.points + self.winrate / RATE_OF_A_POINT
    }
}

/// What the moves of a game lost. A position that was not searched leaves the moves beside it out.
pub(super) fn losses(turns: &Turns, findings: &[Finding]) -> Vec<MoveLoss> {
    let size = turns.start.size();
    let find = |turn: usize| findings.iter().find(|finding| finding.turn == turn);
    let mut losses = Vec::new();
    for (index, turn) in turns.moves.iter().enumerate() {
        let (Some(before), Some(after)) = (find(index), find(index + 1)) else { continue };
        // Stones that were set up behind the move change the next position.
        if turns.moves.get(index + 1).is_some_and(|next| next.is_set_up) {
            continue;
        }
        let name = vertex::of_move(turn.mv, size);
        let sign = f64::from(turn.color.sign());
        let best = before.best().filter(|best| best.vertex != name);
        // Differences of rounded numbers are rounded again, because binary fractions are not exact.
        let lost = |best: f64, now: f64, parts: f64| ((best - now) * sign * parts).round().max(0.0) / parts;
        losses.push(MoveLoss {
            number: index + 1,
            color: turn.color.letter(),
            vertex: name,
            points: best.map_or(0.0, |best| lost(best.lead, after.lead, 100.0)),
            moved: hundredths((before.lead - after.lead) * sign),
            winrate: best.map_or(0.0, |best| lost(best.winrate, after.winrate, 10_000.0)),
            better: best.cloned(),
        });
    }
    losses
}

/// Rounds sums and differences of rounded points, because binary fractions are not exact.
fn hundredths(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

/// The moves that lost most, the worst first.
pub(super) fn worst(losses: &[MoveLoss]) -> Vec<&MoveLoss> {
    let mut worst: Vec<&MoveLoss> = losses.iter().filter(|loss| loss.weight() >= LEAST).collect();
    worst.sort_by(|a, b| b.weight().total_cmp(&a.weight()).then(a.number.cmp(&b.number)));
    worst.truncate(WORST);
    worst
}

/// What both players lost in each phase, and in the whole game. Phases without a move are left out.
pub(super) fn summary(losses: &[MoveLoss], size: Size) -> Vec<PhaseLoss> {
    let area = size.points() as f64;
    let phase_of = |number: usize| PHASES.iter().rposition(|(_, from)| number as f64 > from * area).unwrap_or(0);
    let mut found = Vec::new();
    for color in Color::BOTH {
        let color = color.letter();
        let parts = (0..PHASES.len()).map(Some).chain([None]);
        for part in parts {
            let of_part =
                |loss: &&MoveLoss| loss.color == color && part.is_none_or(|part| phase_of(loss.number) == part);
            let moves: Vec<&MoveLoss> = losses.iter().filter(of_part).collect();
            if moves.is_empty() {
                continue;
            }
            let count = moves.len() as f64;
            found.push(PhaseLoss {
                color,
                phase: part.map_or("game", |part| PHASES[part].0),
                moves: moves.len(),
                points: moves.iter().map(|loss| loss.points).sum::<f64>() / count,
                total: hundredths(moves.iter().map(|loss| loss.moved).sum()),
                best: moves.iter().filter(|loss| loss.better.is_none()).count() as f64 / count,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(number: usize, points: f64) -> MoveLoss {
        let color = if number % 2 == 1 { 'B' } else { 'W' };
        MoveLoss { number, color, vertex: "D4".into(), points, moved: points, winrate: 0.0, better: None }
    }

    #[test]
    fn the_worst_come_first_and_small_losses_not_at_all() {
        let losses: Vec<MoveLoss> = (1..=30).map(|number| loss(number, (number % 12) as f64 / 2.0)).collect();
        let worst = worst(&losses);
        assert_eq!(worst.len(), WORST);
        assert_eq!(worst[0].number, 11);
        assert!(worst.windows(2).all(|pair| pair[0].weight() >= pair[1].weight()));
        assert!(super::worst(&[loss(1, 0.4)]).is_empty());
    }

    #[test]
    fn phases_are_shares_of_the_board() {
        // 81 points: the middle game begins after 11.3 moves, the endgame after 32.4.
        let losses: Vec<MoveLoss> = (1..=40).map(|number| loss(number, 1.0)).collect();
        let summary = summary(&losses, 9.into());
        let told: Vec<(char, &str, usize)> = summary.iter().map(|part| (part.color, part.phase, part.moves)).collect();
        assert_eq!(
            told,
            [
                ('B', "opening", 6),
                ('B', "middle game", 10),
                ('B', "endgame", 4),
                ('B', "game", 20),
                ('W', "opening", 5),
                ('W', "middle game", 11),
                ('W', "endgame", 4),
                ('W', "game", 20),
            ]
        );
        assert!(summary.iter().all(|part| part.points == 1.0 && part.total == part.moves as f64));
    }
}
