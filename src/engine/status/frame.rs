//! The frame of a finished game: the groups that surely live, and the parts of the board between them that need a
//! closer look.

use crate::go::region::{Flood, connected, flood};
use crate::go::{Board, Cell, Color, Point, PointMap, PointSet};
use crate::search::Ownership;

/// An empty area of this many points gives its owner two eyes, whatever the enemy plays. The largest areas that can be
/// reduced to one eye have six.
const TWO_EYES: usize = 7;

/// Room around dead-looking enemy stones that is enough for two eyes, even if the stones have to be captured. A guess:
/// the nine points of the carpenter's square are too few in the corner.
const TWO_EYES_AROUND_DEAD: usize = 10;

/// An area of this many points between several chains of one side is at least one eye. Smaller areas may be false eyes.
const ONE_EYE: usize = 4;

/// Steps from living enemy stones to a territory with an open border: one enemy move and its answer.
const OUT_OF_REACH: usize = 2;

/// The owner's ownership of such a territory in the playouts (scale −1 to 1). A guess.
const CORE_OWNED: f32 = 0.7;

/// An area without living stones.
struct Area {
    flood: Flood,
    owner: Option<Color>,
    /// Enemy stones inside that look dead without a proof.
    doubtful: usize,
    /// Is the area a part of a wider area, see [`cores`]?
    is_core: bool,
}

impl Area {
    /// Points without doubtful stones.
    fn room(&self) -> usize {
        self.flood.inside.len() - self.doubtful
    }
}

/// What is sure, and what is not.
#[derive(Debug)]
pub struct Frame {
    /// Stones that surely live.
    pub solid: PointSet,
    /// The connected parts of the board outside the sure stones and their undisputed territory.
    pub open: Vec<PointSet>,
}

impl Frame {
    /// Finds the frame. `dead` are the stones that look dead, `proven_dead` the certainly dead ones, `proven` those
    /// that cannot be captured. `ownership` tells the owners of points where a border is open.
    pub fn new(
        board: &Board,
        dead: &PointSet,
        proven_dead: &PointSet,
        proven: &PointSet,
        ownership: &Ownership,
    ) -> Frame {
        let areas = areas(board, dead, proven_dead, ownership);
        let (group, eyes) = groups(board, dead, &areas);
        let is_solid = |p: Point| proven.contains(p) || !dead.contains(p) && eyes[group[board.head(p)]] >= 2;
        let solid: PointSet = board.points().filter(|&p| board.cell(p) != Cell::Empty && is_solid(p)).collect();
        let mut closed = solid;
        for area in &areas {
            let sure = area.owner.is_some() && area.flood.edge.iter().all(|p| solid.contains(p));
            if sure && !area.is_core && area.doubtful == 0 {
                for p in area.flood.inside.iter() {
                    closed.insert(p);
                }
            }
        }
        let open = connected(board, &board.points().filter(|&p| !closed.contains(p)).collect());
        Frame { solid, open }
    }
}

fn areas(board: &Board, dead: &PointSet, proven_dead: &PointSet, ownership: &Ownership) -> Vec<Area> {
    let mut areas = Vec::new();
    let mut seen = PointSet::EMPTY;
    let stone = |p: Point| if dead.contains(p) { None } else { board.cell(p).color() };
    for p in board.points() {
        if stone(p).is_some() || seen.contains(p) {
            continue;
        }
        let flood = flood(board, p, |q| stone(q).is_none());
        for q in flood.inside.iter() {
            seen.insert(q);
        }
        let is_doubtful = |q: &Point| dead.contains(*q) && !proven_dead.contains(*q);
        let doubtful = |inside: &PointSet| inside.iter().filter(is_doubtful).count();
        let owner = flood.owner(stone);
        if owner.is_none() {
            for (color, core) in cores(board, &flood, stone, ownership) {
                let doubtful = doubtful(&core.inside);
                areas.push(Area { owner: Some(color), flood: core, doubtful, is_core: true });
            }
        }
        areas.push(Area { owner, doubtful: doubtful(&flood.inside), flood, is_core: false });
    }
    areas
}

/// The large territories in an area whose border is still open: points that are more than a move away from living enemy
/// stones and that one side owns in nearly all playouts. `stone` tells which stones live.
fn cores(
    board: &Board,
    area: &Flood,
    stone: impl Fn(Point) -> Option<Color>,
    ownership: &Ownership,
) -> Vec<(Color, Flood)> {
    let mut cores = Vec::new();
    for color in Color::BOTH {
        let is_enemy = |p: &Point| stone(*p) == Some(color.other());
        let mut near: PointSet = area.edge.iter().filter(is_enemy).collect();
        for _ in 0..OUT_OF_REACH {
            let wide: Vec<Point> = near.iter().flat_map(|p| board.adjacent(p)).collect();
            near = wide.into_iter().filter(|&q| area.inside.contains(q)).chain(near.iter()).collect();
        }
        let owned = |p: Point| ownership.of(p) * color.sign() as f32 >= CORE_OWNED;
        let core: PointSet = area.inside.iter().filter(|&p| !near.contains(p) && owned(p)).collect();
        for inside in connected(board, &core).into_iter().filter(|core| core.len() >= TWO_EYES_AROUND_DEAD) {
            let around = inside.iter().flat_map(|p| board.adjacent(p));
            let edge: PointSet = around.filter(|&q| stone(q) == Some(color)).collect();
            if !edge.is_empty() {
                cores.push((color, Flood { inside, edge }));
            }
        }
    }
    cores
}

/// The number of the group of each chain's head, and the eyes that each group surely has, two at the most.
fn groups(board: &Board, dead: &PointSet, areas: &[Area]) -> (PointMap<usize>, Vec<usize>) {
    let mut group = PointMap::filled(0);
    let mut count = 0;
    let heads: Vec<Point> =
        board.points().filter(|&p| board.cell(p) != Cell::Empty && !dead.contains(p) && board.head(p) == p).collect();
    for &head in &heads {
        group[head] = count;
        count += 1;
    }
    let around = |area: &Area| -> Vec<Point> {
        let heads: PointSet = area.flood.edge.iter().map(|p| board.head(p)).collect();
        heads.iter().collect()
    };
    // Stones that look dead without proof may still separate the chains around them.
    let joins = |area: &&Area| area.owner.is_some() && (area.doubtful == 0 || area.room() >= TWO_EYES_AROUND_DEAD);
    for area in areas.iter().filter(joins) {
        let chains = around(area);
        for &other in chains.iter().skip(1) {
            let (from, to) = (group[other], group[chains[0]]);
            for &head in &heads {
                if group[head] == from {
                    group[head] = to;
                }
            }
        }
    }
    let mut eyes = vec![0; count];
    for area in areas.iter().filter(|area| area.owner.is_some()) {
        let chains = around(area);
        let joined = chains.iter().all(|&head| group[head] == group[chains[0]]);
        if !joined {
            continue;
        }
        let points = area.flood.inside.len();
        eyes[group[chains[0]]] += match area.doubtful {
            0 if points >= TWO_EYES => 2,
            0 if points >= ONE_EYE || chains.len() == 1 => 1,
            0 => 0,
            _ if area.room() >= TWO_EYES_AROUND_DEAD => 2,
            _ if area.room() >= TWO_EYES => 1,
            _ => 0,
        };
    }
    (group, eyes)
}
