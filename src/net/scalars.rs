//! The net's input for the whole board: numbers for komi, rules, passes and size.

use super::situation::Situation;
use crate::go::rules::{DeadStones, KoRule, Scoring, Tax};
use crate::go::{Color, Position};

/// Number of scalars.
pub const SCALARS: usize = 16;

/// The meaning of each scalar.
pub const NAMES: [&str; SCALARS] = [
    "own lead beside the board, in points, divided by 20",
    "how komi falls between the results that are possible",
    "territory scoring",
    "points in a seki do not count",
    "each group is taxed for its eyes",
    "positional superko",
    "situational superko",
    "suicide is allowed",
    "a button that nobody has taken yet",
    "dead stones count as living",
    "a pass now ends the game",
    "(size − 14)/10",
    "the first capture wins",
    "the supply of stones is limited",
    "own stones that are left, divided by 40, at most 1",
    "the same of the enemy",
];

/// The lead in points for which the first scalar is 1.
const LEAD_UNIT: f64 = 20.0;
/// The number of stones left for which a scalar is 1: a whole supply of FridgeGo.
const SUPPLY_UNIT: f32 = 40.0;

/// The scalars of a situation.
pub fn scalars(situation: &Situation<'_>) -> [f32; SCALARS] {
    let position = situation.position;
    let rules = position.rules();
    let own = position.to_move();
    let points = position.size().points() as f64;
    let lead = lead(situation);
    let open_button = rules.button && position.button().is_none();
    let area = rules.scoring == Scoring::Area;
    let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
    let left = |color: Color| {
        rules.supply.map_or(0.0, |supply| {
            let left = u32::from(supply).saturating_sub(position.board().stones(color));
            (left as f32 / SUPPLY_UNIT).min(1.0)
        })
    };
    let largest = (points + LEAD_UNIT) / LEAD_UNIT;
    [
        (lead / LEAD_UNIT).clamp(-largest, largest) as f32,
        if area && !rules.button { wave(lead - points) } else { 0.0 },
        flag(!area),
        flag(rules.tax == Tax::Seki),
        flag(rules.tax == Tax::All),
        flag(rules.ko == KoRule::Positional),
        flag(rules.ko == KoRule::Situational),
        flag(rules.suicide),
        flag(open_button),
        flag(rules.dead_stones == DeadStones::Stand),
        flag(ends_by_pass(position)),
        (position.size().mean_side() - 14.0) / 10.0,
        flag(rules.first_capture),
        flag(rules.supply.is_some()),
        left(own),
        left(own.other()),
    ]
}

/// The part of the side to move's lead that does not lie on the board, in points: komi, button, prisoners.
fn lead(situation: &Situation<'_>) -> f64 {
    let position = situation.position;
    let board = position.board();
    let mut black = -situation.komi.points();
    if let Some(color) = position.button() {
        black += 0.5 * f64::from(color.sign());
    }
    if position.rules().scoring == Scoring::Territory {
        black += f64::from(board.captured(Color::White)) - f64::from(board.captured(Color::Black));
    }
    black * f64::from(position.to_move().sign())
}

fn ends_by_pass(position: &Position) -> bool {
    let takes_button = position.rules().button && position.button().is_none();
    position.consecutive_passes() >= 1 && !takes_button
}

/// A triangle wave of period 2: 0 at 0, 0.5 at 0.5, 0 at 1, and −0.5 at 1.5. (The idea is KataGo's: the margins of full
/// boards are all odd or all even. So komi decides games in steps of two points.)
fn wave(distance: f64) -> f32 {
    let phase = distance.rem_euclid(2.0);
    (if phase <= 0.5 {
        phase
    } else if phase < 1.5 {
        1.0 - phase
    } else {
        phase - 2.0
    }) as f32
}
