//! Life and death for scoring: what is proven, what local games show, and the playouts' owners for the rest.
//!
//! 1. Benson's algorithm (1976) finds stones that live and stones that die for certain.
//! 2. Groups with enough room count as alive ([`frame`]). Between them lie the parts of the board that may be in doubt.
//! 3. Each small part, or its surroundings of the stones in doubt, is solved as a game of its own ([`local`],
//!    [`solve`]). Each side moves first once.
//! 4. Where a part is too large, or the first move decides, the owners of the points in playouts decide ([`sample`]).
//! 5. What looks dead or has the shape of a seki there is solved with nothing but the stones of its fight (`races.rs`,
//!    `seki.rs`). Where a large region would be nobody's, the side that holds less of its stones loses them
//!    (`contested.rs`).

mod contested;
mod dame;
pub mod frame;
mod known;
pub mod local;
mod outskirts;
mod races;
pub mod sample;
mod seki;
mod share;
pub mod solve;

use crate::go::life::unconditional;
use crate::go::region::{connected, flood};
use crate::go::{Board, Cell, Color, Point, PointSet, Statuses};
use crate::search::Ownership;
use frame::Frame;
use local::{LocalBoard, LocalState, bits};

/// A chain is dead when its side's ownership of its points is below this, on the scale of [`Ownership::of`]: two fifths
/// of the playouts. A guess that the library of positions supports.
const DEAD_BELOW: f32 = -0.2;

/// The largest number of empty points of a part that the solver tries.
const MOST_EMPTY: usize = 24;

/// Rounds in which large neutral regions are decided. Two were enough in every game looked at.
const MOST_ROUNDS: usize = 4;

/// A judgement of life and death: the [`Statuses`], and which points local games settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The dead stones and those in seki. All other stones live.
    pub statuses: Statuses,
    /// Points of solved parts that belong to the same side at the end, whoever moves first.
    pub settled: PointSet,
    /// Points of solved parts whose owner depends on who moves first.
    pub unsettled: PointSet,
}

/// Judges every chain of the board. `work` is the effort for local games: one look at a state costs the
/// number of its points.
pub fn judge(board: &Board, ownership: &Ownership, work: u64) -> Judgement {
    if Color::BOTH.into_iter().any(|color| board.points().all(|p| board.cell(p) != color.cell())) {
        // Nobody is there who could claim the other side's stones, even if they could be captured.
        return Judgement { statuses: Statuses::ALL_ALIVE, settled: PointSet::EMPTY, unsettled: PointSet::EMPTY };
    }
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    let proven: PointSet = safe.iter().flat_map(|safe| safe.stones.iter()).collect();
    let proven_dead = stones_where(board, |p, color| safe[color.other().index()].territory.contains(p));
    let looks_dead = |p: Point, color: Color| held(board, p, color, ownership) < DEAD_BELOW;
    let dead = stones_where(board, |p, color| {
        proven_dead.contains(p) || !proven.contains(p) && looks_dead(board.head(p), color)
    });
    let frame = Frame::new(board, &dead, &proven_dead, &proven, ownership);
    let sure = proven.iter().chain(proven_dead.iter()).collect();
    let mut found = Found { dead, sure, ..Found::default() };
    let parts = small_parts(board, &frame, ownership);
    let local_boards: Vec<LocalBoard> =
        parts.iter().filter_map(|(part, given)| LocalBoard::new(board, part, given)).collect();
    for (local, ends) in local_boards.iter().zip(share::solve_all(board, &local_boards, work)) {
        if let Some(ends) = ends {
            found.note(board, local, &ends);
        }
    }
    found.judge_races(board, &frame.solid, work);
    revive(board, &mut found.dead, &found.sure);
    found.judge_sekis(board, &frame.solid, work);
    // Where a group is dead, what was a seki beside it may be none, and the region is larger.
    for _ in 0..MOST_ROUNDS {
        if !found.decide_contested(board, &frame.solid, ownership) {
            break;
        }
        found.seki = found.seki.iter().filter(|&p| found.sure.contains(p)).collect();
        found.judge_sekis(board, &frame.solid, work);
    }
    untangle(board, &mut found.dead, &found.sure, ownership);
    Judgement {
        statuses: Statuses { dead: found.dead, seki: found.seki },
        settled: found.settled,
        unsettled: found.unsettled,
    }
}

/// How much of a chain its side owns in the playouts, on the scale of [`Ownership::of`].
fn held(board: &Board, chain: Point, color: Color, ownership: &Ownership) -> f32 {
    let sum: f32 = board.chain(chain).map(|stone| ownership.of(stone) * color.sign() as f32).sum();
    sum / (board.chain_len(chain) as f32)
}

/// What is known so far in a judgement.
#[derive(Default)]
struct Found {
    dead: PointSet,
    seki: PointSet,
    settled: PointSet,
    unsettled: PointSet,
    /// Stones whose life depends on who moves first.
    undecided: PointSet,
    /// Stones whose fate is certain.
    sure: PointSet,
}

impl Found {
    /// Takes the fates of a solved local game.
    fn note(&mut self, board: &Board, local: &LocalBoard, ends: &[LocalState; 2]) {
        let mut open = false;
        for (chain, fate) in fates(board, local, ends) {
            open |= fate == Fate::Open;
            for stone in board.chain(chain) {
                if fate == Fate::Open {
                    self.undecided.insert(stone);
                    continue;
                }
                self.sure.insert(stone);
                self.dead.remove(stone);
                match fate {
                    Fate::Dead => _ = self.dead.insert(stone),
                    Fate::Seki => _ = self.seki.insert(stone),
                    Fate::Alive | Fate::Open => {}
                }
            }
        }
        let areas = ends.map(|end| local.owned(&end));
        for i in bits(areas[0][0] & areas[1][0] | areas[0][1] & areas[1][1]) {
            self.settled.insert(local.points()[i]);
        }
        if open {
            for &p in local.points().iter().filter(|&&p| !self.settled.contains(p)) {
                self.unsettled.insert(p);
            }
        }
    }

    /// Sekis in parts that were too large to solve. Each one that has the shape of a seki is a smaller game: its stones
    /// and the points next to them. Where even this game cannot be solved, the shape decides.
    fn judge_sekis(&mut self, board: &Board, solid: &PointSet, work: u64) {
        let shaped = seki::by_shape(board, &self.dead, solid);
        let shaped: PointSet = shaped.iter().filter(|&p| !self.is_known(p)).collect();
        for part in seki::parts(board, &shaped) {
            if !self.solve_part(board, &part, work) {
                part.iter().filter(|&p| shaped.contains(p)).for_each(|p| _ = self.seki.insert(p));
            }
        }
    }

    /// Groups that look dead, and the fights around them that can be solved. Playouts see neither who wins a race by
    /// one liberty nor a seki.
    fn judge_races(&mut self, board: &Board, solid: &PointSet, work: u64) {
        let mut seen = PointSet::EMPTY;
        let mut boards: Vec<LocalBoard> = Vec::new();
        let living = |q: Point| !self.dead.contains(q) && board.cell(q) != Cell::Empty;
        for p in self.dead.iter() {
            let Some(color) = board.cell(p).color().filter(|_| !seen.contains(p) && !self.is_known(p)) else {
                continue;
            };
            // All stones of the side in the same area live or die together.
            let area = flood(board, p, |q| !living(q)).inside;
            let own = |&q: &Point| board.cell(q) == color.cell() && self.dead.contains(q) && !self.is_known(q);
            let stones: PointSet = area.iter().filter(own).collect();
            stones.iter().for_each(|q| _ = seen.insert(q));
            let part = races::fight(board, &stones, color, &self.dead, solid);
            let part = part.filter(|part| empties(board, part) <= MOST_EMPTY);
            boards.extend(part.and_then(|part| LocalBoard::new(board, &part, &[PointSet::EMPTY; 2])));
        }
        for (local, ends) in boards.iter().zip(share::solve_all(board, &boards, work)) {
            if let Some(ends) = ends {
                self.note(board, local, &ends);
            }
        }
    }

    /// Takes the weaker side's stones around large neutral regions. Gives whether there were any.
    fn decide_contested(&mut self, board: &Board, solid: &PointSet, ownership: &Ownership) -> bool {
        let lives = |p: Point| solid.contains(p) || self.sure.contains(p) || self.seki.contains(p);
        let lost = contested::lost(board, &self.dead, lives, ownership);
        lost.iter().for_each(|p| _ = self.dead.insert(p));
        !lost.is_empty()
    }

    /// Has the stone's fate been found in a local game?
    fn is_known(&self, p: Point) -> bool {
        self.sure.contains(p) || self.undecided.contains(p)
    }

    /// Solves a part of the board with all around it as it stands. Gives whether the effort was enough.
    fn solve_part(&mut self, board: &Board, part: &PointSet, work: u64) -> bool {
        let Some(local) = LocalBoard::new(board, part, &[PointSet::EMPTY; 2]) else { return false };
        let ends = share::solve_all(board, std::slice::from_ref(&local), work).pop().flatten();
        ends.inspect(|ends| self.note(board, &local, ends)).is_some()
    }
}

fn stones_where(board: &Board, condition: impl Fn(Point, Color) -> bool) -> PointSet {
    board.points().filter(|&p| board.cell(p).color().is_some_and(|color| condition(p, color))).collect()
}

/// The open parts with stones that the solver tries, those with the fewest empty points first. Each comes with the
/// points around it that are given to each side.
fn small_parts(board: &Board, frame: &Frame, ownership: &Ownership) -> Vec<(PointSet, [PointSet; 2])> {
    let mut parts = Vec::new();
    for part in &frame.open {
        let surplus = dame::surplus(board, part, &frame.solid);
        let left: PointSet = part.iter().filter(|&p| surplus.iter().all(|given| !given.contains(p))).collect();
        if empties(board, &left) <= MOST_EMPTY {
            parts.push((left, surplus));
        } else {
            let far = outskirts::far(board, part, ownership);
            let near: PointSet = part.iter().filter(|&p| far.iter().all(|far| !far.contains(p))).collect();
            parts.extend(connected(board, &near).into_iter().map(|near| (near, far)));
        }
    }
    let mut parts: Vec<_> = parts.into_iter().map(|(part, given)| (empties(board, &part), part, given)).collect();
    parts.retain(|(empty, part, _)| *empty <= MOST_EMPTY && *empty < part.len());
    parts.sort_by_key(|&(empty, ..)| empty);
    parts.into_iter().map(|(_, part, given)| (part, given)).collect()
}

fn empties(board: &Board, part: &PointSet) -> usize {
    part.iter().filter(|&p| board.cell(p) == Cell::Empty).count()
}

/// The fate of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alive,
    Dead,
    Seki,
    /// The first move decides whether the chain lives.
    Open,
}

/// The fates of the chains of a local game, each chain named by one of its stones.
fn fates(board: &Board, local: &LocalBoard, ends: &[LocalState; 2]) -> Vec<(Point, Fate)> {
    let mut fates = Vec::new();
    let mut seen = PointSet::EMPTY;
    for &p in local.points() {
        let Some(color) = board.cell(p).color().filter(|_| seen.insert(board.head(p))) else { continue };
        let chain = board.chain(p).filter_map(|stone| local.bit(stone)).fold(0, |chain, bit| chain | bit);
        let [first, second] = [0, 1].map(|i: usize| fate(local, &ends[i], color, chain));
        fates.push((
            p,
            match (first, second) {
                (first, second) if first == second => first,
                (Fate::Dead, _) | (_, Fate::Dead) => Fate::Open,
                // The chain lives, and whoever moves first can end the seki.
                _ => Fate::Alive,
            },
        ));
    }
    // Of two enemy chains that touch, not both can be dead. An endless exchange of captures leads here (2×2).
    let dead: PointSet =
        fates.iter().filter(|(_, fate)| *fate == Fate::Dead).flat_map(|&(p, _)| board.chain(p)).collect();
    for (p, fate) in &mut fates {
        if *fate == Fate::Dead && touches_enemy(board, &dead, *p) {
            *fate = Fate::Open;
        }
    }
    fates
}

/// Does one of the `stones` of the other side touch this chain?
fn touches_enemy(board: &Board, stones: &PointSet, chain: Point) -> bool {
    let enemy = board.cell(chain).color().map(|color| color.other().cell());
    let mut near = board.chain(chain).flat_map(|stone| board.adjacent(stone));
    near.any(|q| stones.contains(q) && Some(board.cell(q)) == enemy)
}

fn fate(local: &LocalBoard, end: &LocalState, color: Color, chain: u128) -> Fate {
    let areas = local.owned(end);
    let own = areas[color.index()];
    let theirs = areas[color.other().index()];
    if (chain & theirs).count_ones() > (chain & own).count_ones() {
        return Fate::Dead;
    }
    // The group: chains connected by stones and territory. A group is in seki if it touches a neutral point that nobody
    // could fill (Japanese rules of 1989, article 8: living stones with dame are in seki).
    let group = local.flood(chain & own, own);
    let stones = group & end.board()[color.index()];
    let dame = bits(stones).any(|i| local.near(i) & !own & !theirs != 0);
    if dame && !local.touches_wall(group, color) { Fate::Seki } else { Fate::Alive }
}

/// Revives stones that look dead but have only their own side around them when all dead-looking stones are taken off.
/// The chains of one group share one fate. `sure` are the stones whose fate is certain.
fn revive(board: &Board, dead: &mut PointSet, sure: &PointSet) {
    let mut seen = PointSet::EMPTY;
    let before = *dead;
    let stone = |p: Point| if before.contains(p) { None } else { board.cell(p).color() };
    for p in before.iter() {
        if seen.contains(p) {
            continue;
        }
        let area = flood(board, p, |q| stone(q).is_none());
        let owner = area.owner(stone);
        for q in area.inside.iter() {
            seen.insert(q);
            if owner.is_some() && board.cell(q).color() == owner && !sure.contains(q) {
                dead.remove(q);
            }
        }
    }
}

/// Of two enemy chains that touch, not both can be dead: who captures one of them saves the other. In an open fight
/// playouts may give neither side its own stones. Then the chain lives that its side holds more of.
fn untangle(board: &Board, dead: &mut PointSet, sure: &PointSet, ownership: &Ownership) {
    loop {
        let tangled = dead.iter().filter(|&p| !sure.contains(p) && touches_enemy(board, dead, p)).filter_map(|p| {
            let color = board.cell(p).color()?;
            Some((p, held(board, p, color, ownership)))
        });
        let Some((chain, _)) = tangled.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        for stone in board.chain(chain) {
            dead.remove(stone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::diagram;
    use crate::search::evaluate::{CERTAIN, Evaluation};

    /// Owners as playouts would find them: a stone's point is its side's, but for the stones of `weak`, which their
    /// side keeps to this degree. Empty points are nobody's.
    fn owners(board: &Board, weak: &[(Point, f32)]) -> Ownership {
        let mut evaluation = Evaluation::default();
        for p in board.points() {
            let color = board.cell(p).color();
            let weak = weak.iter().find(|(stone, _)| color.is_some() && board.head(*stone) == board.head(p));
            let held = weak.map_or(1.0, |&(_, held)| held);
            evaluation.ownership[p] = (f32::from(CERTAIN) * held) as i8 * color.map_or(0, Color::sign) as i8;
        }
        let mut ownership = Ownership::default();
        ownership.add(&evaluation, crate::go::CAPACITY);
        ownership
    }

    /// Black lives at the top and at the bottom. White's stones in the wide region between have no eyes.
    const WIDE: &str = "\
        . X . X . X . X . X . X .
        X X X X X X X X X X X X X
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . O O O O O . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        X X X X X X X X X X X X X
        . X . X . X . X . X . X .";

    #[test]
    fn a_group_without_eyes_in_a_wide_region_of_the_other_side_is_dead() {
        let board = diagram::parse(WIDE).expect("a board");
        let stone = Point::new(6, 8, 13);
        let weak = owners(&board, &[(stone, 0.1)]);
        assert!(judge(&board, &weak, 1000).statuses.dead.contains(stone), "held in 55 % of the playouts");
        let strong = owners(&board, &[(stone, 0.8)]);
        assert!(!judge(&board, &strong, 1000).statuses.dead.contains(stone), "held in 90 % of the playouts");
    }

    /// A white stone in an area where it may live if White moves first, and a wall of each side.
    const LONE: &str = "\
        . . . . X O .
        . . . . X O .
        . . . . X O .
        . O . . X O .
        . . . . X O .
        . . . . X O .
        . . . . X O .";

    #[test]
    fn a_lone_stone_in_the_other_sides_area_is_dead_where_the_first_move_would_decide() {
        let board = diagram::parse(LONE).expect("a board");
        let [lone, black] = [Point::new(1, 3, 7), Point::new(4, 0, 7)];
        for held in [-0.1, 0.1] {
            let dead = judge(&board, &owners(&board, &[(lone, held), (black, -held)]), 1000).statuses.dead;
            assert_eq!(dead.iter().collect::<Vec<_>>(), [lone], "{held}");
        }
    }

    #[test]
    fn stones_are_not_dead_on_a_board_without_stones_of_the_other_side() {
        let board = diagram::parse(". X X\nX X X\nX X X").expect("a board");
        let dead = judge(&board, &owners(&board, &[(Point::new(0, 0, 3), -1.0)]), 1000).statuses.dead;
        assert!(dead.is_empty(), "{dead:?}");
    }

    /// Whoever moves first wins all, and turned by half with colours exchanged the board is the same.
    const MIRRORED: &str = "\
        O . . . .
        X . . . .
        . . . . .
        . . . . O
        . . . . X";

    #[test]
    fn a_mirrored_fight_takes_stones_of_neither_side_by_a_chance_difference() {
        let board = diagram::parse(MIRRORED).expect("a board");
        let [left, right] = [Point::new(0, 3, 5), Point::new(4, 0, 5)];
        let [upper, lower] = [Point::new(0, 4, 5), Point::new(4, 1, 5)];
        let held = |more: f32| {
            let weak = [(left, more - 0.15), (right, more + 0.15), (upper, 0.15 - more), (lower, -0.15 - more)];
            judge(&board, &owners(&board, &weak), 1000).statuses.dead
        };
        for more in [-0.04, 0.0, 0.04] {
            assert!(held(more).is_empty(), "{more}: {:?}", held(more));
        }
        assert!(!held(0.3).is_empty(), "Black has clearly more");
    }

    #[test]
    fn of_two_chains_on_two_lines_that_capture_each_other_without_end_neither_is_dead() {
        let board = diagram::parse(". O\nX X").expect("a board");
        let (black, white) = (Point::new(0, 0, 2), Point::new(1, 1, 2));
        let dead = judge(&board, &owners(&board, &[(black, 0.0), (white, 0.0)]), 1_000_000).statuses.dead;
        assert!(dead.is_empty(), "{dead:?}");
    }

    /// Each side has stones in the upper left that the other one may capture first.
    const FIGHT: &str = "\
        . O . X O . . . .
        O X X X O . . . .
        . X O O O . . . .
        X X O . . . . . .
        O O O . . . . . .
        . . . . . . . . .
        X X X X X X X X X
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn of_two_chains_that_touch_at_most_one_is_dead() {
        let board = diagram::parse(FIGHT).expect("a board");
        let (white, black) = (Point::new(1, 4, 9), Point::new(1, 7, 9));
        for (held, dead, alive) in [(-0.3, white, black), (-0.6, black, white)] {
            let owners = owners(&board, &[(white, -0.5), (black, held)]);
            let statuses = judge(&board, &owners, 0).statuses;
            assert!(statuses.dead.contains(dead) && !statuses.dead.contains(alive), "{held}: {statuses:?}");
        }
    }

    /// In the upper left corner five white stones and a black chain share two liberties, and neither has an eye. Around
    /// them is more open space than the solver tries.
    const SHARED: &str = "\
        X X X X O O . . . . . . .
        X . . X O . . . . . . . .
        X O O X O . . . . . . . .
        X X O O X X X X X X X X X
        O O X O X . . . . . . . .
        . O X X X . . . . . . . .
        O O O O X . . . . . . . .
        . . . O X . . . . . . . .
        . . . O X . . . . . . . .
        . . . O X . . . . . . . .
        . . . O X . . . . . . . .
        . . . O X . . . . . . . .
        . . . O X . . . . . . . .";

    #[test]
    fn a_seki_with_stones_that_look_dead_is_found() {
        let board = diagram::parse(SHARED).expect("a board");
        let (white, black) = (Point::new(1, 10, 13), Point::new(0, 10, 13));
        let judgement = judge(&board, &owners(&board, &[(white, -0.5)]), 8_000_000);
        assert!(judgement.statuses.seki.contains(white), "{:?}", judgement.statuses);
        assert!(judgement.statuses.seki.contains(black), "{:?}", judgement.statuses);
    }
}
