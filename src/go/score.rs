//! Counting a finished game: area, territory, prisoners, points still to be filled, taxes, button.
//!
//! Scores are half points in an integer, Black's minus White's. This file does not judge life and death: the caller
//! says which stones are dead.

use std::fmt;

use super::board::Board;
use super::color::{Cell, Color};
use super::komi::Komi;
use super::point::{Point, PointMap, PointSet};
use super::position::Position;
use super::region::flood;
use super::rules::{DeadStones, LongCycle, Ruleset, Scoring, Tax};
use super::teire::must_be_filled;

/// Half points, Black's minus White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(pub i32);

impl Score {
    /// A score of whole points.
    pub const fn points(points: i32) -> Score {
        Score(points * 2)
    }

    /// The side with more points; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

/// Life and death at the end of a game: the dead stones, and those in seki. All other stones live. An [`Outcome`] says
/// how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statuses {
    /// Stones that are taken off before counting.
    pub dead: PointSet,
    /// Stones of living chains whose surroundings belong to no side.
    pub seki: PointSet,
}

impl Statuses {
    /// All stones on the board live.
    pub const ALL_ALIVE: Statuses = Statuses { dead: PointSet::EMPTY, seki: PointSet::EMPTY };
}

/// How a game ended, or would end if it were counted now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The game was counted.
    Counted {
        /// Black's points minus White's, without komi.
        board: Score,
        /// Komi, including the compensation for handicap.
        komi: Komi,
    },
    /// A side has won without counting, by the first capture.
    Won(Color),
    /// A long cycle makes the game a draw.
    Draw,
    /// A long cycle makes the game void.
    NoResult,
}

impl Outcome {
    /// The side that wins; `None` if no side does.
    pub fn winner(self) -> Option<Color> {
        match self {
            // Komi's half points are not used: with a button, boards score in half points too.
            Outcome::Counted { board, komi } => match f64::from(board.0) / 2.0 - komi.points() {
                0.0 => None,
                margin if margin > 0.0 => Some(Color::Black),
                _ => Some(Color::White),
            },
            Outcome::Won(color) => Some(color),
            Outcome::Draw | Outcome::NoResult => None,
        }
    }
}

/// `B+12.5`, `W+3`, `0` for a draw, `Void` for no result, as in GTP's `final_score` and SGF's `RE`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Outcome::Counted { board, komi } => {
                let margin = f64::from(board.0) / 2.0 - komi.points();
                if margin == 0.0 {
                    return f.write_str("0");
                }
                let side = if margin > 0.0 { 'B' } else { 'W' };
                // Komi has thousandths. The same precision here hides the rounding of binary fractions.
                let text = format!("{:.3}", margin.abs());
                write!(f, "{side}+{}", text.trim_end_matches('0').trim_end_matches('.'))
            }
            Outcome::Won(color) => write!(f, "{}+", color.letter()),
            Outcome::Draw => f.write_str("0"),
            Outcome::NoResult => f.write_str("Void"),
        }
    }
}

/// The side that each point belongs to when the dead stones are off. A stone's point belongs to its side, an empty area
/// to the only side with stones around it.
pub fn area(board: &Board, dead: &PointSet) -> PointMap<Option<Color>> {
    let stone = |p: Point| if dead.contains(p) { None } else { board.cell(p).color() };
    let mut owner = PointMap::filled(None);
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        if let Some(color) = stone(p) {
            owner[p] = Some(color);
        } else if !seen.contains(p) {
            let region = flood(board, p, |q| stone(q).is_none());
            let color = region.owner(stone);
            for q in region.inside.iter() {
                seen.insert(q);
                owner[q] = color;
            }
        }
    }
    owner
}

/// The margin before komi of a finished position, by its rule set.
pub fn count(position: &Position, statuses: &Statuses) -> Score {
    let Ruleset {
        scoring,
        tax,
        dead_stones,
        // The position knows who has taken the button, and who has captured first.
        button: _,
        first_capture: _,
        // These parts restrict plays and do not matter here. `outcome` adds komi.
        ko: _,
        suicide: _,
        supply: _,
        long_cycle: _,
        handicap_bonus: _,
        komi: _,
    } = *position.rules();
    let board = position.board();
    let dead = taken_off(dead_stones, statuses);
    let owner = area(board, dead);
    let mut points = 0;
    for p in board.points() {
        let is_dead = dead.contains(p);
        let color = board.cell(p).color();
        match scoring {
            Scoring::Area => points += owner[p].map_or(0, Color::sign),
            Scoring::Territory => {
                // A dead stone is a prisoner, whoever owns its point.
                if is_dead {
                    points -= color.map_or(0, Color::sign);
                }
                if is_dead || color.is_none() {
                    points += owner[p].map_or(0, Color::sign);
                }
            }
        }
    }
    let mut filled = PointSet::EMPTY;
    if scoring == Scoring::Territory {
        points += board.captured(Color::White) as i32 - board.captured(Color::Black) as i32;
        for color in Color::BOTH {
            let own = must_be_filled(board, dead, &statuses.seki, &owner, color);
            points -= color.sign() * own.len() as i32;
            own.iter().for_each(|p| _ = filled.insert(p));
        }
    }
    points -= taxed(board, dead, &statuses.seki, &owner, tax, &filled);
    let mut score = Score::points(points);
    if let Some(color) = position.button() {
        score.0 += color.sign();
    }
    score
}

/// The stones that are taken off before counting.
fn taken_off(dead_stones: DeadStones, statuses: &Statuses) -> &PointSet {
    match dead_stones {
        DeadStones::Removed => &statuses.dead,
        DeadStones::Stand => const { &PointSet::EMPTY },
    }
}

/// Surrounded points that do not count, Black's minus White's. Those that are `filled` do not count anyway.
fn taxed(
    board: &Board,
    dead: &PointSet,
    seki: &PointSet,
    owner: &PointMap<Option<Color>>,
    tax: Tax,
    filled: &PointSet,
) -> i32 {
    if tax == Tax::None {
        return 0;
    }
    let lost = |group: &Group| {
        let left = group.territory.iter().filter(|&p| !filled.contains(p)).count() as i32;
        match (tax, group.in_seki) {
            (Tax::Seki | Tax::All, true) => left,
            (Tax::All, false) => left.min(2),
            (Tax::Seki, false) | (Tax::None, _) => 0,
        }
    };
    groups(board, dead, seki, owner).iter().map(|group| group.color.sign() * lost(group)).sum()
}

/// A side's stones and the territory that connects them.
struct Group {
    color: Color,
    territory: PointSet,
    in_seki: bool,
}

fn groups(board: &Board, dead: &PointSet, seki: &PointSet, owner: &PointMap<Option<Color>>) -> Vec<Group> {
    let is_empty = |&p: &Point| dead.contains(p) || board.cell(p).color().is_none();
    let is_dame = |p: Point| board.cell(p) != Cell::Border && owner[p].is_none();
    let mut groups = Vec::new();
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        let Some(color) = owner[p].filter(|_| !seen.contains(p)) else { continue };
        let points = flood(board, p, |q| owner[q] == Some(color)).inside;
        points.iter().for_each(|q| _ = seen.insert(q));
        // Stones are in seki only while they have neutral points (Japanese rules 1989, article 8): not any more when
        // the partner of the seki has been found dead.
        let has_dame = || points.iter().any(|q| board.adjacent(q).into_iter().any(is_dame));
        let in_seki = points.iter().any(|q| seki.contains(q)) && has_dame();
        groups.push(Group { color, territory: points.iter().filter(is_empty).collect(), in_seki });
    }
    groups
}

/// The owner of each point of a finished position, by its rule set; `None` for neutral points. Surrounded points in a
/// seki are neutral where they do not count.
pub fn owners(position: &Position, statuses: &Statuses) -> PointMap<Option<Color>> {
    let board = position.board();
    let rules = position.rules();
    let dead = taken_off(rules.dead_stones, statuses);
    let mut owner = area(board, dead);
    if rules.tax != Tax::None {
        let groups = groups(board, dead, &statuses.seki, &owner);
        let in_seki = groups.iter().filter(|group| group.in_seki);
        in_seki.flat_map(|group| group.territory.iter()).for_each(|p| owner[p] = None);
    }
    owner
}

/// The outcome of the game if it ended in this position, with these stones judged dead or in seki.
pub fn outcome(position: &Position, statuses: &Statuses, komi: Komi) -> Outcome {
    if let Some(color) = position.first_to_capture() {
        return Outcome::Won(color);
    }
    if position.is_cycle() {
        return match position.rules().long_cycle {
            LongCycle::NoResult => Outcome::NoResult,
            LongCycle::Draw => Outcome::Draw,
        };
    }
    Outcome::Counted { board: count(position, statuses), komi }
}

/// The margin at the end of a playout, before komi, by area. No dead stones are left and every empty point is an eye,
/// so the neighbours of each point suffice.
#[inline]
pub fn playout_area(board: &Board) -> i32 {
    let mut points = board.stone_balance();
    for &p in board.empties() {
        let around = board.around(p);
        points += i32::from(around.is_surrounded_by(Color::Black)) - i32::from(around.is_surrounded_by(Color::White));
    }
    points
}

/// The owner of a point at the end of a playout.
#[inline]
pub fn playout_owner(board: &Board, point: Point) -> Option<Color> {
    match board.cell(point) {
        Cell::Empty | Cell::Border => {
            Color::BOTH.into_iter().find(|&color| board.around(point).is_surrounded_by(color))
        }
        cell => cell.color(),
    }
}
