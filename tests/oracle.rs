//! Proves the rules core against a naive board: random games from fixed seeds on every square and on rectangles,
//! compared move by move. Legality and its reasons, stones, captures, chains, liberties, hash, cycles and the count
//! must agree.
//!
//! `KOSUMI_ORACLE_MOVES` sets how many moves are played in all (290 000 unless set).

mod naive;

use std::collections::{HashMap, HashSet};

use kosumi::go::rules::{self, KoRule, Scoring};
use kosumi::go::{
    Board, Color, IllegalMove, MAX_SIZE, MIN_SIZE, Move, Point, PointSet, Position, Ruleset, Size, Statuses, score,
};
use naive::{Place, Referee, Stones};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many tests below share the moves.
const RULE_SETS: usize = 6;
/// On boards of up to so many points everything is compared after every move, on larger ones after every twentieth.
const SMALL: usize = 81;

/// Columns and rows of the boards that are no squares.
const RECTANGLES: [(usize, usize); 11] =
    [(2, 3), (3, 2), (2, 25), (25, 2), (5, 9), (9, 5), (9, 13), (13, 7), (19, 13), (13, 19), (24, 25)];

fn sizes() -> impl Iterator<Item = Size> {
    let rectangles = RECTANGLES.into_iter().map(|(width, height)| Size::new(width, height).expect("a size"));
    (MIN_SIZE..=MAX_SIZE).map(Size::square).chain(rectangles)
}

fn moves_for_a_size() -> usize {
    let all = match std::env::var("KOSUMI_ORACLE_MOVES") {
        Ok(text) => text.parse().expect("KOSUMI_ORACLE_MOVES is a number of moves"),
        Err(_) => 290_000,
    };
    all / RULE_SETS / sizes().count()
}

fn point((column, row): Place, size: Size) -> Point {
    Point::new(column, row, size)
}

/// Equal stones must have equal hashes, different stones different ones.
#[derive(Default)]
struct Hashes {
    of_stones: HashMap<Stones, u64>,
    of_hash: HashMap<u64, Stones>,
}

impl Hashes {
    fn note(&mut self, stones: &Stones, hash: u64) {
        let known = *self.of_stones.entry(stones.clone()).or_insert(hash);
        assert_eq!(known, hash, "the same stones have two hashes");
        let owner = self.of_hash.entry(hash).or_insert_with(|| stones.clone());
        assert_eq!(owner, stones, "two boards have the same hash");
    }
}

/// What happened in the games, to show that they reached the rules that they are to prove.
#[derive(Default, Debug)]
struct Tally {
    moves: usize,
    captures: usize,
    suicides: usize,
    cycles: usize,
    refused_ko: usize,
    refused_suicide: usize,
    refused_superko: usize,
}

struct Comparison {
    position: Position,
    referee: Referee,
    rng: Xoshiro256PlusPlus,
    size: Size,
    /// Where the last stones were taken from: the places where kos are retaken.
    emptied: Vec<Place>,
    tally: Tally,
}

impl Comparison {
    fn new(size: Size, rules: Ruleset, seed: u64) -> Comparison {
        Comparison {
            position: Position::new(size, rules),
            referee: Referee::new((size.width(), size.height()), rules),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            size,
            emptied: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn check(&mut self, place: Place) -> Result<(), IllegalMove> {
        let expected = self.referee.check(place);
        let mv = Move::Play(point(place, self.size));
        assert_eq!(self.position.check(mv), expected, "{} at {place:?}", self.referee.to_move);
        if let Err(reason) = expected {
            let before = self.position.board().clone();
            assert_eq!(self.position.play(mv), Err(reason));
            assert!(*self.position.board() == before, "a refused play changes the board");
            assert_eq!(self.position.to_move(), self.referee.to_move, "a refused play changes the turn");
            match reason {
                IllegalMove::Ko => self.tally.refused_ko += 1,
                IllegalMove::Suicide => self.tally.refused_suicide += 1,
                IllegalMove::Superko => self.tally.refused_superko += 1,
                _ => {}
            }
        }
        expected
    }

    /// One random move: mostly a play, where stones have just been taken if possible.
    fn step(&mut self) {
        self.tally.moves += 1;
        if self.rng.random_ratio(1, 20) {
            let color = self.referee.to_move.other();
            self.referee.to_move = color;
            self.position.set_to_move(color);
        }
        if self.rng.random_ratio(1, 40) {
            return self.pass();
        }
        for attempt in 0..20 {
            let place = match self.emptied.choose(&mut self.rng) {
                Some(&place) if attempt == 0 => place,
                _ => (self.rng.random_range(0..self.size.width()), self.rng.random_range(0..self.size.height())),
            };
            if self.check(place).is_ok() {
                return self.play(place);
            }
        }
        self.pass();
    }

    fn pass(&mut self) {
        self.referee.pass();
        assert_eq!(self.position.play(Move::Pass), Ok(()));
    }

    fn play(&mut self, place: Place) {
        let before = self.referee.stones.clone();
        let suicides = self.referee.captured[self.referee.to_move.index()];
        let color = self.referee.to_move;
        let taken = self.referee.play(place);
        assert_eq!(self.position.play(Move::Play(point(place, self.size))), Ok(()));
        let stones = &self.referee.stones;
        let emptied: Vec<Place> =
            stones.places().filter(|&p| before.at(p).is_some() && stones.at(p).is_none()).collect();
        if !emptied.is_empty() {
            self.emptied = emptied;
        }
        self.tally.captures += usize::from(taken > 0);
        self.tally.suicides += usize::from(self.referee.captured[color.index()] > suicides);
        self.tally.cycles += usize::from(self.referee.repeated);
    }

    fn compare_state(&self, hashes: &mut Hashes) {
        let (board, stones) = (self.position.board(), &self.referee.stones);
        for place in stones.places() {
            assert_eq!(board.cell(point(place, self.size)).color(), stones.at(place), "the stone at {place:?}");
        }
        for color in Color::BOTH {
            assert_eq!(board.captured(color), self.referee.captured[color.index()], "captured {color} stones");
        }
        assert_eq!(self.position.to_move(), self.referee.to_move);
        let passes = u32::from(self.position.consecutive_passes());
        assert_eq!(passes, self.referee.passes.min(u32::from(u8::MAX)), "passes in a row");
        assert_eq!(self.position.is_cycle(), self.referee.repeated, "whole-board cycle");
        hashes.note(stones, board.hash());
    }

    fn compare_everything(&mut self) {
        let stones = self.referee.stones.clone();
        self.position.board().check();
        for color in Color::BOTH {
            assert_eq!(self.position.board().stones(color), stones.number(color));
        }
        assert_eq!(
            self.position.board().stone_balance(),
            stones.number(Color::Black) as i32 - stones.number(Color::White) as i32
        );
        let mut seen = HashSet::new();
        for place in stones.places() {
            if stones.at(place).is_some() && !seen.contains(&place) {
                let chain = stones.connected(place);
                compare_chain(self.position.board(), &stones, &chain);
                seen.extend(chain);
            }
            let expected = self.check(place);
            let p = point(place, self.size);
            let only_superko = matches!(expected, Ok(()) | Err(IllegalMove::Superko));
            assert_eq!(self.position.is_legal_but_superko(p), only_superko, "{place:?} but for superko");
            if !self.position.rules().suicide {
                let by_board = self.position.board().is_legal(self.referee.to_move, p);
                assert_eq!(by_board, only_superko, "{place:?} as far as the board knows");
            }
        }
    }

    /// Plays on from here by the door that playouts use, goes back, and must find everything as it was.
    fn try_and_rewind(&mut self) {
        let mut scout = self.position.clone();
        let mut referee = self.referee.clone();
        for _ in 0..self.size.longer_side() {
            let places: Vec<Place> = referee.stones.places().collect();
            let place = *places.choose(&mut self.rng).expect("a board has points");
            let p = point(place, self.size);
            if !scout.is_legal_but_superko(p) {
                continue;
            }
            let legal = scout.play_checking_superko(Move::Play(p));
            assert_eq!(legal, referee.check(place).is_ok(), "{} at {place:?}, unchecked", referee.to_move);
            if !legal {
                break;
            }
            referee.play(place);
        }
        scout.rewind_to(&self.position);
        scout.board().check();
        assert!(scout.board() == self.position.board());
        assert_eq!(scout.board().hash(), self.position.board().hash());
        assert_eq!(scout.to_move(), self.position.to_move());
        assert_eq!(scout.is_cycle(), self.position.is_cycle());
        std::mem::swap(&mut scout, &mut self.position);
    }

    /// The count as it stands and with chains judged dead by lot, by area and by territory.
    fn compare_count(&mut self) {
        let stones = &self.referee.stones;
        let mut dead = Vec::new();
        for place in stones.places().filter(|&place| stones.at(place).is_some()) {
            let chain = stones.connected(place);
            if chain.iter().min() == Some(&place) && self.rng.random_ratio(1, 3) {
                dead.extend(chain);
            }
        }
        for dead in [&[][..], &dead] {
            let statuses =
                Statuses { dead: dead.iter().map(|&place| point(place, self.size)).collect(), seki: PointSet::EMPTY };
            let margin = score::count(&self.position, &statuses);
            assert_eq!(margin, score::Score::points(self.referee.count(dead)), "the count, dead: {dead:?}");
        }
    }
}

fn compare_chain(board: &Board, stones: &Stones, chain: &[Place]) {
    let size = board.size();
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let stone = point(last, size);
    let liberties = stones.liberties(chain);
    let expected: PointSet = liberties.iter().map(|&liberty| point(liberty, size)).collect();
    assert_eq!(board.head(point(first, size)), board.head(stone), "one chain has one head");
    assert_eq!(board.chain(stone).collect::<PointSet>(), chain.iter().map(|&p| point(p, size)).collect());
    assert_eq!(board.chain_len(stone), chain.len());
    assert_eq!(board.liberty_set(stone), expected, "liberties of the chain at {last:?}");
    assert_eq!(board.liberties(stone).is_atari(), liberties.len() == 1);
    for room in [1, 2, 3, 2 * size.points()] {
        let mut found = vec![Point::NONE; room];
        let count = board.first_liberties(stone, &mut found);
        assert_eq!(count, liberties.len().min(room));
        let distinct: PointSet = found[..count].iter().copied().collect();
        assert_eq!(distinct.len(), count, "a liberty is named twice");
        assert!(distinct.iter().all(|liberty| expected.contains(liberty)));
    }
}

fn random_games(rules: Ruleset) {
    let mut total = Tally::default();
    for size in sizes() {
        let mut hashes = Hashes::default();
        let mut moves_left = moves_for_a_size();
        for game in 0.. {
            // Long enough for the board to fill and empty again, many times on tiny boards.
            let length = (4 * size.points() + 60).min(moves_left);
            if length == 0 {
                break;
            }
            moves_left -= length;
            let mut comparison = Comparison::new(
                size,
                rules,
                (size.width() * 1_000_000 + size.height().abs_diff(size.width()) * 10_000 + game) as u64,
            );
            for number in 0..length {
                comparison.step();
                comparison.compare_state(&mut hashes);
                if size.points() <= SMALL || number % 20 == 0 {
                    comparison.compare_everything();
                    comparison.try_and_rewind();
                }
            }
            comparison.compare_count();
            let tally = comparison.tally;
            total.moves += tally.moves;
            total.captures += tally.captures;
            total.suicides += tally.suicides;
            total.cycles += tally.cycles;
            total.refused_ko += tally.refused_ko;
            total.refused_suicide += tally.refused_suicide;
            total.refused_superko += tally.refused_superko;
        }
    }
    assert!(total.captures > 0 && total.refused_ko > 0, "{total:?}");
    assert_eq!(total.suicides > 0, rules.suicide, "{total:?}");
    assert_eq!(total.refused_suicide > 0, !rules.suicide, "{total:?}");
    assert_eq!(total.refused_superko > 0, rules.ko != KoRule::Simple, "{total:?}");
    assert_eq!(total.cycles > 0, rules.ko == KoRule::Simple, "{total:?}");
}

#[test]
fn chinese() {
    random_games(rules::CHINESE);
}

#[test]
fn tromp_taylor() {
    random_games(rules::TROMP_TAYLOR);
}

#[test]
fn simple_ko_without_suicide() {
    random_games(Ruleset { ko: KoRule::Simple, scoring: Scoring::Territory, ..rules::CHINESE });
}

#[test]
fn simple_ko_with_suicide() {
    random_games(Ruleset { ko: KoRule::Simple, suicide: true, ..rules::CHINESE });
}

#[test]
fn situational_superko_without_suicide() {
    random_games(Ruleset { ko: KoRule::Situational, ..rules::CHINESE });
}

#[test]
fn situational_superko_with_suicide() {
    random_games(Ruleset { ko: KoRule::Situational, suicide: true, scoring: Scoring::Territory, ..rules::CHINESE });
}
