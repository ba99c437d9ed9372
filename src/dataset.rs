//! Training rows: positions of games as the net sees them, with the results of the games.
//!
//! `row` knows the form of the file, `source` where games come from, `record` compact game records. `owners` plays
//! finished games out. `evaluate` runs a net on rows. The trainer (`training/`) decides what it teaches with the rows.
//! `docs/net.md` describes the file.

pub mod evaluate;
pub mod owners;
pub mod record;
pub mod row;
pub mod source;

use std::io::{self, Write};

use rayon::prelude::*;

use crate::chance;
use crate::game::Game;
use crate::go::{Color, Komi, Move, Position};
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::playout::stream;
use owners::{OwnerFinder, Owners};
use row::{Form, Row};

/// A game that becomes rows.
#[derive(Debug)]
pub struct Lesson {
    /// The start of the game.
    pub start: Position,
    /// White's points from outside the board: komi and compensation for handicap.
    pub komi: Komi,
    /// The moves of the game.
    pub moves: Vec<Step>,
    /// The end of the game.
    pub end: Ending,
}

/// One move of a game.
#[derive(Debug)]
pub struct Step {
    /// The side that moved.
    pub color: Color,
    /// The move that was played.
    pub mv: Move,
    /// A search's weights of the moves. If empty, there was no search, and the move played is the target.
    pub shares: Vec<(Move, u32)>,
    /// The win rate that a search gave the side to move, 0 to 1.
    pub value: Option<f32>,
    /// May the position before the move become a row? (Self-play may search some moves longer, and teach only those.)
    pub is_taught: bool,
    /// Positions that the search has visited after other moves; they are taught, too.
    pub asides: Vec<Aside>,
}

/// A position that did not come up in the game, and what a search found there. Its result and owners are not known.
#[derive(Clone, Debug)]
pub struct Aside {
    /// The moves that lead there from the position of the game.
    pub moves: Vec<Move>,
    /// The search's weights of the moves.
    pub shares: Vec<(Move, u32)>,
    /// The win rate of the side to move, 0 to 1.
    pub value: f32,
}

impl Step {
    /// A move of a game record.
    pub fn played(color: Color, mv: Move) -> Step {
        Step { color, mv, shares: Vec::new(), value: None, is_taught: true, asides: Vec::new() }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The result is not known.
    Unknown,
    /// Won by a side, or drawn, without counting.
    Decided(Option<Color>),
    /// Counted: Black's points minus White's, komi included.
    Counted(f32),
}

impl Ending {
    /// Reads a result in the form of game records: `B+3.5`, `W+R`, `0`, `Draw`. A loss on time (`W+T`) or by forfeit
    /// (`W+F`, as of a program that crashed) says nothing of the positions, so such a result is unknown.
    pub fn of_record(text: &str) -> Ending {
        if matches!(text, "0" | "Draw" | "Jigo") {
            return Ending::Counted(0.0);
        }
        let (color, how) = match (text.strip_prefix("B+"), text.strip_prefix("W+")) {
            (Some(how), _) => (Color::Black, how),
            (_, Some(how)) => (Color::White, how),
            _ => return Ending::Unknown,
        };
        if how.starts_with(['T', 'F']) {
            return Ending::Unknown;
        }
        match how.parse::<f32>() {
            Ok(margin) if (0.0..10_000.0).contains(&margin) => Ending::Counted(color.sign() as f32 * margin),
            _ => Ending::Decided(Some(color)),
        }
    }

    /// Black's share of the result: 1 for Black's win, 0.5 for a draw, 0 for White's win.
    fn black_share(self) -> Option<f32> {
        match self {
            Ending::Unknown => None,
            Ending::Decided(winner) => Some(winner.map_or(0.5, |color| (color.sign() as f32 + 1.0) / 2.0)),
            Ending::Counted(0.0) => Some(0.5),
            Ending::Counted(margin) => Some((margin.signum() + 1.0) / 2.0),
        }
    }
}

/// The outlook of a position is the mean of what searches said of it and of the positions after it, up to the result.
/// The weight of a position falls with each move; the mean distance in moves is this times the points of the board, and
/// one more. (KataGo: the second of its short-term values, 0.056.)
const OUTLOOK_SHARE: f32 = 0.056;

impl Lesson {
    /// The outlook for Black before each move, 0 to 1. `None` where no search follows, or where the result is not
    /// known.
    fn outlooks(&self) -> Vec<Option<f32>> {
        let now = 1.0 / (1.0 + OUTLOOK_SHARE * self.start.size().points() as f32);
        let Some(mut outlook) = self.end.black_share() else { return vec![None; self.moves.len()] };
        let mut is_searched = false;
        let mut outlooks: Vec<_> = (self.moves.iter().rev())
            .map(|step| {
                if let Some(value) = step.value {
                    is_searched = true;
                    outlook += now * (0.5 + step.color.sign() as f32 * (value - 0.5) - outlook);
                }
                is_searched.then_some(outlook)
            })
            .collect();
        outlooks.reverse();
        outlooks
    }

    /// The lesson of a game record.
    pub fn of_game(game: &Game) -> Lesson {
        let steps = game.moves().iter().map(|&(color, mv)| Step::played(color, mv));
        Lesson {
            start: game.start().clone(),
            komi: game.total_komi(),
            moves: steps.collect(),
            end: game.recorded_result().map_or(Ending::Unknown, Ending::of_record),
        }
    }
}

/// How games become rows.
#[derive(Clone, Debug)]
pub struct RowOptions {
    /// The form of the rows.
    pub form: Form,
    /// One of this many positions becomes a row, drawn by a hash of game and move. Games are long and their positions
    /// alike.
    pub one_in: u64,
    /// Number of playouts from the end of a counted game that find the owners; 0 for no owners.
    pub owner_playouts: u32,
    /// Half of the rows of counted games get another komi, and the score and the result that follow from it. The
    /// difference is a whole number of points from a distribution next to the normal one; this is its deviation in
    /// points. With 0 all rows keep the komi of their games.
    ///
    /// Games of equal players end close, so a net that sees nothing else does not learn what a lead is worth. A game
    /// that ended by resignation keeps its komi, since its score is not known.
    pub komi_spread: f64,
    /// The seed of the draws.
    pub seed: u64,
}

/// Why a game becomes no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The board has another size than the rows.
    OtherSize,
    /// There is no record of a game.
    Unreadable,
    /// The rules forbid a move of the game.
    Illegal,
    /// There is no move.
    Empty,
}

impl LeftOut {
    /// Every reason, in the order in which reports name them.
    pub const ALL: [LeftOut; 4] = [LeftOut::OtherSize, LeftOut::Unreadable, LeftOut::Illegal, LeftOut::Empty];

    /// The reason in words.
    const fn name(self) -> &'static str {
        match self {
            LeftOut::OtherSize => "on a board of another size (--size)",
            LeftOut::Unreadable => "without a record that can be read",
            LeftOut::Illegal => "with an illegal move",
            LeftOut::Empty => "without a move",
        }
    }
}

/// The numbers of games and rows so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games that became rows.
    pub games: u64,
    /// Games left out, for whatever reason.
    pub refused: u64,
    /// Games left out for each reason of [`LeftOut::ALL`].
    pub reasons: [u64; LeftOut::ALL.len()],
    /// Rows written.
    pub rows: u64,
    /// Games with owners in their rows.
    pub with_owners: u64,
}

impl Counts {
    fn refuse(&mut self, reason: LeftOut) {
        self.refused += 1;
        self.reasons[reason as usize] += 1;
    }

    /// The games left out by reason: `2 without a move`. Without one, the text is empty.
    pub fn left_out(&self) -> String {
        let reasons = LeftOut::ALL.into_iter().zip(self.reasons).filter(|&(_, games)| games > 0);
        reasons.map(|(reason, games)| format!("{games} {}", reason.name())).collect::<Vec<_>>().join(", ")
    }
}

/// Turns lessons into rows, several lessons at a time.
#[derive(Debug)]
pub struct Teacher {
    options: RowOptions,
    games: u64,
    counts: Counts,
}

/// The tools of one thread.
#[derive(Default)]
struct Tools {
    maker: PlaneMaker,
    planes: Planes,
    owners: OwnerFinder,
}

impl Teacher {
    /// A teacher without a game so far. `first` is the number of the next game.
    pub fn new(options: RowOptions, first: u64) -> Teacher {
        Teacher { options, games: first, counts: Counts::default() }
    }

    /// The numbers of games and rows so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Writes the rows of these games, in their order; `None` is a game that could not be read. All cores work on them.
    /// The output does not depend on the number of cores.
    ///
    /// # Errors
    /// The error of the write.
    pub fn teach(&mut self, lessons: Vec<Option<Lesson>>, out: &mut impl Write) -> io::Result<()> {
        self.teach_all(lessons.into_iter().map(|lesson| lesson.ok_or(LeftOut::Unreadable)).collect(), out)
    }

    /// As [`Teacher::teach`], with the reason why a game is left out.
    fn teach_all(&mut self, lessons: Vec<Result<Lesson, LeftOut>>, out: &mut impl Write) -> io::Result<()> {
        let (options, first) = (&self.options, self.games);
        self.games += lessons.len() as u64;
        let made: Vec<Result<(Vec<u8>, Counts), LeftOut>> = lessons
            .into_par_iter()
            .enumerate()
            .map_init(Tools::default, |tools, (i, lesson)| tools.rows(options, first + i as u64, &lesson?))
            .collect();
        for game in made {
            match game {
                Err(reason) => self.counts.refuse(reason),
                Ok((bytes, counts)) => {
                    out.write_all(&bytes)?;
                    self.counts.games += 1;
                    self.counts.rows += counts.rows;
                    self.counts.with_owners += counts.with_owners;
                }
            }
        }
        Ok(())
    }
}

impl Tools {
    /// The rows of a game, or why there are none.
    fn rows(&mut self, options: &RowOptions, number: u64, lesson: &Lesson) -> Result<(Vec<u8>, Counts), LeftOut> {
        if lesson.start.size() != options.form.size() {
            return Err(LeftOut::OtherSize);
        }
        if lesson.moves.is_empty() {
            return Err(LeftOut::Empty);
        }
        let mut end = lesson.start.clone();
        for step in &lesson.moves {
            end.set_to_move(step.color);
            end.play(step.mv).map_err(|_| LeftOut::Illegal)?;
        }
        let owners = match lesson.end {
            Ending::Counted(margin) if options.owner_playouts > 0 => {
                self.owners.find(&end, margin + lesson.komi.points() as f32, options.owner_playouts, number)
            }
            _ => None,
        };
        let outlooks = lesson.outlooks();
        let mut bytes = Vec::new();
        let mut counts = Counts { with_owners: u64::from(owners.is_some()), ..Counts::default() };
        let mut position = lesson.start.clone();
        for (i, step) in lesson.moves.iter().enumerate() {
            position.set_to_move(step.color);
            if step.is_taught && draw(options.seed, number, i as u64).is_multiple_of(options.one_in.max(1)) {
                let past = lesson.moves[..i].iter().map(|step| step.mv);
                let (shift, end) = shifted(options, number, i, lesson.end);
                let situation = Situation { position: &position, last: last_of(past), komi: lesson.komi.plus(shift) };
                self.maker.make(&situation, &mut self.planes);
                // Searches judged the game with its own komi.
                let outlook = outlooks[i].filter(|_| shift == 0);
                self.row(options, number, lesson, i, (end, outlook, owners.as_ref()), &mut bytes);
                counts.rows += 1;
            }
            for aside in &step.asides {
                counts.rows += u64::from(self.aside(options, number, lesson, i, &position, aside, &mut bytes));
            }
            position.play(step.mv).map_err(|_| LeftOut::Illegal)?;
        }
        Ok((bytes, counts))
    }

    /// Appends the row of a position beside the game, which comes after the position before a move. `false`, and there is
    /// no row, if its moves are against the rules.
    #[expect(clippy::too_many_arguments, reason = "a row is made of all of them")]
    fn aside(
        &mut self,
        options: &RowOptions,
        number: u64,
        lesson: &Lesson,
        move_number: usize,
        before: &Position,
        aside: &Aside,
        bytes: &mut Vec<u8>,
    ) -> bool {
        let mut position = before.clone();
        if aside.moves.iter().any(|&mv| position.play(mv).is_err()) {
            return false;
        }
        let past: Vec<Move> =
            lesson.moves[..move_number].iter().map(|step| step.mv).chain(aside.moves.iter().copied()).collect();
        let situation = Situation { position: &position, last: last_of(past.into_iter()), komi: lesson.komi };
        self.maker.make(&situation, &mut self.planes);
        Row {
            planes: &self.planes,
            policy: &aside.shares,
            reply: &[],
            result: None,
            outlook: Some(aside.value),
            score: None,
            owners: None,
            game: number as u32,
            move_number: (move_number + aside.moves.len()) as u16,
        }
        .write(&options.form, bytes);
        true
    }

    /// Appends the row of the position before a move. The planes are made already.
    fn row(
        &self,
        options: &RowOptions,
        number: u64,
        lesson: &Lesson,
        move_number: usize,
        (end, outlook, owners): (Ending, Option<f32>, Option<&Owners>),
        bytes: &mut Vec<u8>,
    ) {
        let step = &lesson.moves[move_number];
        let reply = lesson.moves.get(move_number + 1).filter(|next| next.color != step.color);
        let played = |step: &Step| match step.shares.is_empty() {
            true => vec![(step.mv, 1)],
            false => step.shares.clone(),
        };
        let sign = step.color.sign() as f32;
        let own = |share: f32| 0.5 + sign * (share - 0.5);
        Row {
            planes: &self.planes,
            policy: &played(step),
            reply: &reply.map(played).unwrap_or_default(),
            result: end.black_share().map(own),
            outlook: outlook.map(own),
            score: match end {
                Ending::Counted(margin) => Some(sign * margin),
                _ => None,
            },
            owners: owners.map(|owners| (step.color, owners)),
            game: number as u32,
            move_number: move_number as u16,
        }
        .write(&options.form, bytes);
    }
}

/// The points that a row's komi differs from its game's, and the end of the game with the row's komi.
fn shifted(options: &RowOptions, number: u64, move_number: usize, end: Ending) -> (i32, Ending) {
    let Ending::Counted(margin) = end else { return (0, end) };
    if options.komi_spread == 0.0 {
        return (0, end);
    }
    let mut rng = stream(!options.seed, draw(options.seed, number, move_number as u64));
    if chance::happens(&mut rng, 0.5) {
        return (0, end);
    }
    let shift = (options.komi_spread * chance::normal(&mut rng)).round() as i32;
    (shift, Ending::Counted(margin - shift as f32))
}

/// A number that looks random, equal for equal positions on every machine (SplitMix64, Steele, Lea, Flood 2014).
fn draw(seed: u64, game: u64, move_number: u64) -> u64 {
    let mut z = seed ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ move_number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    // The low bits of a hash decide whether it is a multiple.
    (z ^ (z >> 31)) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Point, Ruleset};

    /// A game on 5×5 of one move for each value, which Black wins.
    fn lesson(values: &[Option<f32>]) -> Lesson {
        let step = |(i, &value): (usize, &Option<f32>)| Step {
            value,
            ..Step::played([Color::Black, Color::White][i % 2], Move::Play(Point::new(i, 0, 5)))
        };
        Lesson {
            start: Position::new(5, Ruleset::default()),
            komi: Komi::from_half_points(14),
            moves: values.iter().enumerate().map(step).collect(),
            end: Ending::Counted(3.0),
        }
    }

    #[test]
    fn an_outlook_lies_between_the_search_and_what_comes() {
        // White's value of 0.9 is 0.1 for Black.
        let outlooks = lesson(&[Some(0.6), Some(0.9), Some(0.5), None]).outlooks();
        let now = 1.0 / (1.0 + 0.056 * 25.0);
        let third = now * 0.5 + (1.0 - now);
        let second = now * 0.1 + (1.0 - now) * third;
        let first = now * 0.6 + (1.0 - now) * second;
        for (outlook, wanted) in outlooks.iter().zip([Some(first), Some(second), Some(third), None]) {
            assert_eq!(outlook.is_some(), wanted.is_some());
            assert!((outlook.unwrap_or(0.0) - wanted.unwrap_or(0.0)).abs() < 1e-6, "{outlooks:?}");
        }
    }

    #[test]
    fn a_shifted_komi_changes_the_result_by_as_much() {
        let options = RowOptions { form: Form::new(5, 1, 1), one_in: 1, owner_playouts: 0, komi_spread: 12.0, seed: 3 };
        const ROWS: usize = 40_000;
        let mut shifts = Vec::new();
        for i in 0..ROWS {
            let (shift, end) = shifted(&options, 7, i, Ending::Counted(3.5));
            assert_eq!(end, Ending::Counted(3.5 - shift as f32), "White gets {shift} points more");
            if shift != 0 {
                shifts.push(f64::from(shift));
            }
        }
        // Half of the rows, less those that drew a difference below half a point: 48.3 %, give or take four deviations.
        assert!((18_940..19_740).contains(&shifts.len()), "{}", shifts.len());
        let mean = shifts.iter().sum::<f64>() / shifts.len() as f64;
        let deviation = (shifts.iter().map(|shift| shift * shift).sum::<f64>() / shifts.len() as f64).sqrt();
        assert!(mean.abs() < 0.4 && (11.7..12.3).contains(&deviation), "{mean}, {deviation}");
        let resigned = Ending::Decided(Some(Color::White));
        assert!((0..100).all(|i| shifted(&options, 7, i, resigned) == (0, resigned)), "no score, no other komi");
        let none = RowOptions { komi_spread: 0.0, ..options };
        assert!((0..100).all(|i| shifted(&none, 7, i, Ending::Counted(3.5)) == (0, Ending::Counted(3.5))));
    }

    #[test]
    fn a_game_without_searches_has_no_outlook() {
        assert_eq!(lesson(&[None, None]).outlooks(), [None, None]);
    }
}
