//! Playouts: one game from a position to its end by a fast policy, and its score.
//!
//! A [`PlayoutPolicy`] chooses the moves. A new policy is a file here and a row in `policy.rs`.

mod first_capture;
pub mod policy;
pub mod shapes;
pub mod strength;
pub mod tactical;
pub mod uniform;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::go::{Board, Color, Point, Position, Ruleset, score};
use first_capture::Forced;
pub use policy::{PlayoutPolicy, PolicyKind, Turn};

/// The random generator of playouts and search: xoshiro256++ (Blackman & Vigna 2019), one stream for each thread.
pub type Rng = Xoshiro256PlusPlus;

/// The random numbers of a thread. The seed is hashed, so the streams of two threads have nothing in common.
pub fn stream(seed: u64, thread: u64) -> Rng {
    Rng::seed_from_u64(seed.wrapping_add(thread.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Plays playouts, and holds the board and the moves of the last one. Made once, used for many playouts.
///
/// ```
/// use kosumi::go::{Point, Position, Ruleset};
/// use kosumi::playout::uniform::Uniform;
/// use kosumi::playout::{Playout, stream};
///
/// let position = Position::new(9, Ruleset::default());
/// let mut rng = stream(1, 0); // Seed 1, thread 0.
/// let mut playout = Playout::new(Uniform);
/// let end = playout.run(&position, [Point::NONE; 2], None, &mut rng);
/// assert!(end.margin.abs() <= 81); // Black's area minus White's.
/// assert!(!playout.moves().is_empty());
/// ```
#[derive(Debug)]
pub struct Playout<P> {
    policy: P,
    board: Board,
    moves: Vec<(Color, Point)>,
}

impl<P: PlayoutPolicy> Playout<P> {
    /// Playouts with this policy.
    pub fn new(policy: P) -> Playout<P> {
        Playout { policy, board: Board::new(crate::go::MIN_SIZE), moves: Vec::with_capacity(1024) }
    }

    /// Plays from `position` to the end. The end is the first of these:
    /// - two passes in a row;
    /// - a capture, where the first capture decides the game;
    /// - a lead in stones larger than [`PlayoutPolicy::mercy`], if there is a `bonus`;
    /// - a number of moves that only endless kos reach.
    ///
    /// `bonus` is what Black gets besides the points on the board, in points (minus komi, above all). A lead in stones
    /// ends the playout only if the lead plus the bonus is as large. Without a bonus no lead ends the playout.
    ///
    /// `last` holds the last move and the one before; [`Point::NONE`] stands for a pass.
    pub fn run(&mut self, position: &Position, last: [Point; 2], bonus: Option<i32>, rng: &mut Rng) -> PlayoutEnd {
        self.board.copy_from(position.board());
        self.moves.clear();
        let points = self.board.size().points();
        let longest = MAX_LENGTH_PER_POINT * points;
        let mercy = self.policy.mercy(points);
        // Both the lead and the lead with the bonus have to be beyond the policy's bound.
        let (least, most) = match bonus {
            Some(bonus) => ((-mercy).min(-mercy - bonus), mercy.max(mercy - bonus)),
            None => (i32::MIN, i32::MAX),
        };
        let Ruleset {
            first_capture,
            supply,
            // No policy plays suicide, and a playout does not look back for repetitions.
            ko: _,
            suicide: _,
            long_cycle: _,
            // The end is counted by area under every rule set. The evaluator corrects for the others.
            scoring: _,
            tax: _,
            dead_stones: _,
            button: _,
            handicap_bonus: _,
            komi: _,
        } = *position.rules();
        let supply = supply.map(u32::from);
        let mut color = position.to_move();
        let mut last = last;
        let mut passes = 0;
        while passes < 2 && self.moves.len() < longest {
            let forced = match first_capture {
                true if self.moves.is_empty() && passes == 0 => Forced::at_first(&self.board, color),
                true => Forced::after(&self.board, color, last),
                false => Forced::Nothing,
            };
            let choice = match forced {
                Forced::Won => return PlayoutEnd { margin: color.sign() * points as i32, decided: true },
                Forced::Lost => return PlayoutEnd { margin: -color.sign() * points as i32, decided: true },
                Forced::Play(point) => Some(point),
                Forced::Nothing if supply.is_some_and(|most| self.board.stones(color) >= most) => None,
                Forced::Nothing => self.policy.choose(Turn { board: &mut self.board, color, last, rng }),
            };
            match choice {
                Some(point) => {
                    let captured = self.board.place(color, point);
                    self.moves.push((color, point));
                    last = [point, last[0]];
                    passes = 0;
                    if captured > 0 {
                        if first_capture {
                            return PlayoutEnd { margin: color.sign() * points as i32, decided: true };
                        }
                        let lead = self.board.stone_balance();
                        if lead > most || lead < least {
                            return PlayoutEnd { margin: lead, decided: true };
                        }
                    }
                }
                None => {
                    self.board.clear_ko();
                    last = [Point::NONE, last[0]];
                    passes += 1;
                }
            }
            color = color.other();
        }
        PlayoutEnd { margin: score::playout_area(&self.board), decided: false }
    }

    /// The stones played, in order; passes are left out.
    pub fn moves(&self) -> &[(Color, Point)] {
        &self.moves
    }

    /// The board at the end.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

/// The most moves of a playout for each point of the board, as in the first programs (Brügmann 1993 and after).
const MAX_LENGTH_PER_POINT: usize = 3;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutEnd {
    /// Black's area minus White's, in points, before komi.
    pub margin: i32,
    /// Was the playout stopped early? Then the margin tells the winner only.
    pub decided: bool,
}
