//! Training rows: positions of games, as the net sees them, with what came of them.
//!
//! `row` knows the form of the file, `source` where games come from, `record` compact game records; `owners` plays finished
//! games out; `evaluate` asks a net about rows. What is taught with the rows is the trainer's matter (`training/`);
//! `docs/net.md` describes the file.

pub mod evaluate;
pub mod owners;
pub mod record;
pub mod row;
pub mod source;

use std::io::{self, Write};

use rayon::prelude::*;

use crate::game::Game;
use crate::go::{Color, Komi, Move, Position};
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use owners::{OwnerFinder, Owners};
use row::{Form, Row};

/// A game to be taught from.
pub struct Lesson {
    /// Where it began.
    pub start: Position,
    /// White's points from outside the board.
    pub komi: Komi,
    /// Its moves.
    pub moves: Vec<Step>,
    /// How it ended.
    pub end: Ending,
}

/// One move of a game.
pub struct Step {
    /// Who moved.
    pub color: Color,
    /// What was played.
    pub mv: Move,
    /// What a search thought of the moves; empty if there was none, and the move played is the target.
    pub shares: Vec<(Move, u32)>,
    /// May the position before it become a row? (Self-play may think longer of some moves, and teach those alone.)
    pub is_taught: bool,
}

impl Step {
    /// A move of a game record.
    pub fn played(color: Color, mv: Move) -> Step {
        Step { color, mv, shares: Vec::new(), is_taught: true }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// Nobody knows.
    Unknown,
    /// Won by a side, or drawn, without counting.
    Decided(Option<Color>),
    /// Counted: Black's points minus White's, komi included.
    Counted(f32),
}

impl Ending {
    /// Reads a result as game records write it: `B+3.5`, `W+R`, `0`, `Draw`.
    pub fn of_record(text: &str) -> Ending {
        if matches!(text, "0" | "Draw" | "Jigo") {
            return Ending::Counted(0.0);
        }
        let (color, how) = match (text.strip_prefix("B+"), text.strip_prefix("W+")) {
            (Some(how), _) => (Color::Black, how),
            (_, Some(how)) => (Color::White, how),
            _ => return Ending::Unknown,
        };
        match how.parse::<f32>() {
            Ok(margin) if (0.0..10_000.0).contains(&margin) => Ending::Counted(color.sign() as f32 * margin),
            _ => Ending::Decided(Some(color)),
        }
    }

    /// Half the difference of chances, Black's minus White's, plus one half: 1 for Black's win, 0.5 for a draw.
    fn black_share(self) -> Option<f32> {
        match self {
            Ending::Unknown => None,
            Ending::Decided(winner) => Some(winner.map_or(0.5, |color| (color.sign() as f32 + 1.0) / 2.0)),
            Ending::Counted(0.0) => Some(0.5),
            Ending::Counted(margin) => Some((margin.signum() + 1.0) / 2.0),
        }
    }
}

impl Lesson {
    /// What a game record teaches.
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

/// What is made of games.
#[derive(Clone, Debug)]
pub struct RowOptions {
    /// The form of the rows.
    pub form: Form,
    /// One position in so many becomes a row, drawn by a hash of game and move: games are long and their positions alike.
    pub one_in: u64,
    /// Playouts from the end of a counted game that tell the owners; 0 for no owners.
    pub owner_playouts: u32,
    /// What the draw begins with.
    pub seed: u64,
}

/// What has been made of games so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games that became rows.
    pub games: u64,
    /// Games left out: of another size, with an illegal move or none.
    pub refused: u64,
    /// Rows written.
    pub rows: u64,
    /// Games whose owners are in the rows.
    pub with_owners: u64,
}

/// Turns lessons into rows, several at a time.
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
    /// A teacher that has seen no game; `first` is the number of the game that comes.
    pub fn new(options: RowOptions, first: u64) -> Teacher {
        Teacher { options, games: first, counts: Counts::default() }
    }

    /// What has been made so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Writes the rows of these games, in their order; `None` is a game that could not be read. All cores work on them,
    /// and what is written does not depend on how many there are.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn teach(&mut self, lessons: Vec<Option<Lesson>>, out: &mut impl Write) -> io::Result<()> {
        let (options, first) = (&self.options, self.games);
        self.games += lessons.len() as u64;
        let made: Vec<Option<(Vec<u8>, Counts)>> = lessons
            .into_par_iter()
            .enumerate()
            .map_init(Tools::default, |tools, (i, lesson)| tools.rows(options, first + i as u64, &lesson?))
            .collect();
        for game in made {
            match game {
                None => self.counts.refused += 1,
                Some((bytes, counts)) => {
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
    /// The rows of a game; `None` if it does not fit.
    fn rows(&mut self, options: &RowOptions, number: u64, lesson: &Lesson) -> Option<(Vec<u8>, Counts)> {
        if lesson.start.size() != options.form.size() || lesson.moves.is_empty() {
            return None;
        }
        let mut end = lesson.start.clone();
        for step in &lesson.moves {
            end.set_to_move(step.color);
            end.play(step.mv).ok()?;
        }
        let owners = match lesson.end {
            Ending::Counted(margin) if options.owner_playouts > 0 => {
                self.owners.find(&end, margin + lesson.komi.points() as f32, options.owner_playouts, number)
            }
            _ => None,
        };
        let mut bytes = Vec::new();
        let mut counts = Counts { with_owners: u64::from(owners.is_some()), ..Counts::default() };
        let mut position = lesson.start.clone();
        for (i, step) in lesson.moves.iter().enumerate() {
            position.set_to_move(step.color);
            if step.is_taught && draw(options.seed, number, i as u64).is_multiple_of(options.one_in.max(1)) {
                let past = lesson.moves[..i].iter().map(|step| step.mv);
                let situation = Situation { position: &position, last: last_of(past), komi: lesson.komi };
                self.maker.make(&situation, &mut self.planes);
                self.row(options, number, lesson, i, owners.as_ref(), &mut bytes);
                counts.rows += 1;
            }
            position.play(step.mv).ok()?;
        }
        Some((bytes, counts))
    }

    /// Appends the row of the position before a move, whose planes are made.
    fn row(
        &self,
        options: &RowOptions,
        number: u64,
        lesson: &Lesson,
        move_number: usize,
        owners: Option<&Owners>,
        bytes: &mut Vec<u8>,
    ) {
        let step = &lesson.moves[move_number];
        let reply = lesson.moves.get(move_number + 1).filter(|next| next.color != step.color);
        let played = |step: &Step| match step.shares.is_empty() {
            true => vec![(step.mv, 1)],
            false => step.shares.clone(),
        };
        let sign = step.color.sign() as f32;
        Row {
            planes: &self.planes,
            policy: &played(step),
            reply: &reply.map(played).unwrap_or_default(),
            result: lesson.end.black_share().map(|share| 0.5 + sign * (share - 0.5)),
            score: match lesson.end {
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

/// A number that looks random, the same for the same position on every machine (SplitMix64, Steele, Lea, Flood 2014).
fn draw(seed: u64, game: u64, move_number: u64) -> u64 {
    let mut z = seed ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ move_number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    // The low bits of a hash decide what is a multiple.
    (z ^ (z >> 31)) >> 8
}
