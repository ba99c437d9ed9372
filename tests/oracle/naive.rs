//! Go as slowly and as plainly as it can be written: rows of optional stones, flood fill for everything, every
//! past board kept and compared as a whole. It shares nothing with the rules core but the names of colours and
//! rules, so what both agree on is not a mistake made twice.

use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use kosumi::go::rules::{DeadStones, KoRule, Scoring};
use kosumi::go::{Color, IllegalMove, Ruleset};

/// Column and row, both from 0, the lower left corner first.
pub type Place = (usize, usize);

/// The stones, row by row from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones(Vec<Vec<Option<Color>>>);

impl Hash for Stones {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let letters: Vec<u8> = self.0.iter().flatten().map(|stone| stone.map_or(b'.', |c| c.letter() as u8)).collect();
        state.write(&letters);
    }
}

impl Stones {
    pub fn none((columns, rows): (usize, usize)) -> Stones {
        Stones(vec![vec![None; columns]; rows])
    }

    /// Columns and rows.
    fn size(&self) -> (usize, usize) {
        (self.0[0].len(), self.0.len())
    }

    pub fn at(&self, (column, row): Place) -> Option<Color> {
        self.0[row][column]
    }

    fn put(&mut self, (column, row): Place, stone: Option<Color>) {
        self.0[row][column] = stone;
    }

    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (columns, rows) = self.size();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    pub fn number(&self, color: Color) -> u32 {
        self.places().filter(|&place| self.at(place) == Some(color)).count() as u32
    }

    fn adjacent(&self, (column, row): Place) -> impl Iterator<Item = Place> + use<> {
        let (columns, rows) = self.size();
        [(column.wrapping_sub(1), row), (column + 1, row), (column, row.wrapping_sub(1)), (column, row + 1)]
            .into_iter()
            .filter(move |&(column, row)| column < columns && row < rows)
    }

    /// All that is connected to a place and holds the same (a colour, or nothing).
    pub fn connected(&self, start: Place) -> Vec<Place> {
        let mut found = vec![start];
        let mut seen = vec![vec![false; self.size().0]; self.size().1];
        seen[start.1][start.0] = true;
        let mut next = 0;
        while next < found.len() {
            for near in self.adjacent(found[next]) {
                if self.at(near) == self.at(start) && !seen[near.1][near.0] {
                    seen[near.1][near.0] = true;
                    found.push(near);
                }
            }
            next += 1;
        }
        found
    }

    /// The empty places next to any of these.
    pub fn liberties(&self, chain: &[Place]) -> BTreeSet<Place> {
        chain.iter().flat_map(|&stone| self.adjacent(stone)).filter(|&near| self.at(near).is_none()).collect()
    }

    /// What a play makes of the board, and how many stones of the enemy and of the player's own it takes off.
    fn after(&self, color: Color, place: Place) -> (Stones, u32, u32) {
        let mut stones = self.clone();
        stones.put(place, Some(color));
        let mut taken = 0;
        for near in self.adjacent(place) {
            if stones.at(near) == Some(color.other()) {
                taken += stones.take_if_captured(near);
            }
        }
        let own = stones.take_if_captured(place);
        (stones, taken, own)
    }

    fn take_if_captured(&mut self, stone: Place) -> u32 {
        let chain = self.connected(stone);
        if !self.liberties(&chain).is_empty() {
            return 0;
        }
        for &place in &chain {
            self.put(place, None);
        }
        chain.len() as u32
    }

    /// The colours that touch the empty area of which this place is a part.
    fn around_area(&self, place: Place) -> BTreeSet<char> {
        let area = self.connected(place);
        area.iter().flat_map(|&p| self.adjacent(p)).filter_map(|near| self.at(near)).map(Color::letter).collect()
    }

    /// Points of a side's territory that it has to fill when the enemy has played on all neutral points (but those
    /// where his stones could be taken at once), so that no chain of it stays in atari. The dead stand until they
    /// are taken. Where two neutral points or more would help a chain, its side takes one instead.
    fn to_be_filled(&self, dead: &[Place], color: Color) -> i32 {
        let enemy = color.other();
        let mut left = self.clone();
        for &place in dead {
            left.put(place, None);
        }
        let is_own = |p: Place| left.at(p).is_none() && left.around_area(p) == BTreeSet::from([color.letter()]);
        let mut neutral: Vec<Place> =
            self.places().filter(|&p| left.at(p).is_none() && left.around_area(p).len() != 1).collect();
        let mut filled = self.clone();
        for &place in &neutral {
            filled.put(place, Some(enemy));
        }
        let full = filled.clone();
        let is_rash = |p: Place| full.liberties(&full.connected(p)).len() < 2;
        for &place in neutral.iter().filter(|&&p| is_rash(p)) {
            filled.put(place, self.at(place));
        }
        neutral.retain(|&p| !is_rash(p));
        let mut settled: Vec<Place> = Vec::new();
        let mut points = 0;
        loop {
            let mut chains = filled
                .places()
                .filter(|p| filled.at(*p) == Some(color) && !dead.contains(p) && !settled.contains(p))
                .map(|p| filled.connected(p));
            let in_atari = chains.find(|chain| {
                let lives = |p: &Place| filled.at(*p) == Some(enemy) && !dead.contains(p);
                filled.liberties(chain).len() < 2
                    && filled.edge(chain).iter().any(lives)
                    && !filled.can_be_put_back(chain)
            });
            let Some(chain) = in_atari else { return points };
            let near: Vec<Place> = filled.edge(&chain).into_iter().filter(|p| neutral.contains(p)).collect();
            let helping: Vec<Place> = near
                .iter()
                .copied()
                .filter(|&p| {
                    let mut taken = filled.clone();
                    taken.put(p, Some(color));
                    taken.liberties(&taken.connected(p)).len() >= 2
                })
                .collect();
            if helping.len() >= 2 {
                filled.put(helping[0], Some(color));
                neutral.retain(|&p| p != helping[0]);
                continue;
            }
            // At its last liberty, or wherever dead stones next to it are taken.
            let mut ways = vec![filled.liberties(&chain)];
            for p in filled.edge(&chain) {
                if filled.at(p) == Some(enemy) && dead.contains(&p) {
                    ways.push(filled.liberties(&filled.connected(p)));
                }
            }
            let mut best: Option<(usize, usize, Stones)> = None;
            for way in ways {
                if way.is_empty() || way.len() > 1 + near.len() || !way.iter().all(|&p| is_own(p)) {
                    continue;
                }
                let mut after = filled.clone();
                for stone in way.iter().flat_map(|&p| filled.adjacent(p)).filter(|&p| filled.at(p) == Some(enemy)) {
                    let prey = filled.connected(stone);
                    if filled.liberties(&prey).is_subset(&way) {
                        prey.iter().filter(|p| !neutral.contains(p)).for_each(|&p| after.put(p, None));
                    }
                }
                way.iter().for_each(|&p| after.put(p, Some(color)));
                let free = after.liberties(&after.connected(chain[0])).len();
                let is_better = best
                    .as_ref()
                    .is_none_or(|(plays, liberties, _)| way.len() < *plays || way.len() == *plays && free > *liberties);
                if free > 0 && is_better {
                    best = Some((way.len(), free, after));
                }
            }
            match best {
                Some((plays, _, after)) => {
                    points += plays as i32;
                    filled = after;
                }
                None => settled.extend(chain),
            }
        }
    }

    /// What lies next to these places, row by row.
    fn edge(&self, places: &[Place]) -> Vec<Place> {
        self.places().filter(|p| !places.contains(p) && self.adjacent(*p).any(|near| places.contains(&near))).collect()
    }

    /// Is this a single stone whose captors, more than one, would be in atari on the point that it leaves?
    fn can_be_put_back(&self, chain: &[Place]) -> bool {
        chain.len() == 1
            && self.liberties(chain).iter().any(|&last| {
                let mut after = self.clone();
                after.put(last, chain.first().and_then(|&p| self.at(p)).map(Color::other));
                let captors = after.connected(last);
                let free = |p: &Place| after.at(*p).is_none() || chain.contains(p);
                captors.len() > 1 && after.edge(&captors).iter().filter(|p| free(p)).count() == 1
            })
    }

    /// Empty points that only one colour touches, Black's minus White's.
    fn territory(&self) -> i32 {
        let mut points = 0;
        for place in self.places().filter(|&place| self.at(place).is_none()) {
            let region = self.connected(place);
            let touches =
                |color| region.iter().flat_map(|&p| self.adjacent(p)).any(|near| self.at(near) == Some(color));
            points += i32::from(touches(Color::Black) && !touches(Color::White));
            points -= i32::from(touches(Color::White) && !touches(Color::Black));
        }
        points
    }
}

/// Keeps a game and knows what is allowed in it.
#[derive(Clone)]
pub struct Referee {
    rules: Ruleset,
    pub stones: Stones,
    pub to_move: Color,
    pub captured: [u32; 2],
    pub passes: u32,
    /// Did the last play bring back an earlier board with the same side to move, nobody having passed between?
    pub repeated: bool,
    /// The boards since the last pass, and who was to move.
    since_pass: Vec<(Stones, Color)>,
    /// Each board that has been there, and with which sides to move.
    past: HashMap<Stones, BTreeSet<char>>,
    /// Who made the last move, if it was a play, and the board before it.
    last_play: Option<(Color, Stones)>,
}

impl Referee {
    pub fn new(size: (usize, usize), rules: Ruleset) -> Referee {
        let mut referee = Referee {
            rules,
            stones: Stones::none(size),
            to_move: Color::Black,
            captured: [0; 2],
            passes: 0,
            repeated: false,
            since_pass: Vec::new(),
            past: HashMap::new(),
            last_play: None,
        };
        referee.remember();
        referee
    }

    fn remember(&mut self) {
        self.past.entry(self.stones.clone()).or_default().insert(self.to_move.letter());
        self.since_pass.push((self.stones.clone(), self.to_move));
    }

    fn has_been(&self, stones: &Stones, to_move: Color) -> bool {
        self.past.get(stones).is_some_and(|sides| sides.contains(&to_move.letter()))
    }

    /// Does the side to move retake a ko at once: does the board return to what it was before the enemy's play?
    fn retakes_ko(&self, after: &Stones) -> bool {
        self.last_play.as_ref().is_some_and(|(player, before)| {
            // A single stone's suicide changes nothing, and there is nothing to retake after it.
            *player != self.to_move && before == after && *before != self.stones
        })
    }

    /// May the side to move play here?
    pub fn check(&self, place: Place) -> Result<(), IllegalMove> {
        if self.stones.at(place).is_some() {
            return Err(IllegalMove::Occupied);
        }
        let (after, _, own) = self.stones.after(self.to_move, place);
        if self.retakes_ko(&after) {
            return Err(IllegalMove::Ko);
        }
        if own > 0 && !self.rules.suicide {
            return Err(IllegalMove::Suicide);
        }
        let repeats = match self.rules.ko {
            KoRule::Simple => false,
            KoRule::Positional => self.past.contains_key(&after),
            KoRule::Situational => self.has_been(&after, self.to_move.other()),
        };
        if repeats { Err(IllegalMove::Superko) } else { Ok(()) }
    }

    /// Plays here; gives the number of enemy stones taken.
    pub fn play(&mut self, place: Place) -> u32 {
        let color = self.to_move;
        let (after, taken, own) = self.stones.after(color, place);
        let before = std::mem::replace(&mut self.stones, after);
        self.captured[color.other().index()] += taken;
        self.captured[color.index()] += own;
        self.last_play = Some((color, before));
        self.to_move = color.other();
        self.passes = 0;
        self.repeated =
            self.rules.ko == KoRule::Simple && self.since_pass.contains(&(self.stones.clone(), self.to_move));
        self.remember();
        taken
    }

    pub fn pass(&mut self) {
        self.to_move = self.to_move.other();
        self.last_play = None;
        self.passes += 1;
        self.repeated = false;
        self.since_pass.clear();
        self.remember();
    }

    /// Black's margin in points, with these stones judged dead.
    pub fn count(&self, dead: &[Place]) -> i32 {
        let mut left = self.stones.clone();
        let mut prisoners = self.captured;
        let taken_off = if self.rules.dead_stones == DeadStones::Removed { dead } else { &[] };
        for &place in taken_off {
            prisoners[self.stones.at(place).expect("a dead stone is a stone").index()] += 1;
            left.put(place, None);
        }
        left.territory()
            + match self.rules.scoring {
                Scoring::Area => left.number(Color::Black) as i32 - left.number(Color::White) as i32,
                Scoring::Territory => {
                    prisoners[Color::White.index()] as i32
                        - prisoners[Color::Black.index()] as i32
                        - self.stones.to_be_filled(taken_off, Color::Black)
                        + self.stones.to_be_filled(taken_off, Color::White)
                }
            }
    }
}
