//! One game between two engines. The contest asks for moves, keeps the board, measures the time, and ends the game by
//! rule when a side cannot go on.

use std::time::Duration;

use crate::game::Game;
use crate::go::vertex::{self, Vertex};
use crate::go::{Color, Move};

use super::client::Fault;
use super::player::Player;
use super::record::{Ending, Share, Side};
use super::settings::Settings;
use super::timekeeper::Timekeeper;

/// A game that is over.
#[derive(Debug)]
pub struct Played {
    /// The board and the moves.
    pub game: Game,
    /// How the game ended.
    pub finish: Finish,
    /// What A and B did.
    pub shares: [Share; 2],
    /// Can the engines be used for another game?
    pub usable: [bool; 2],
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Finish {
    /// A side has lost the game by a fault or a resignation.
    Lost {
        /// The side that has lost.
        side: Side,
        /// The reason.
        ending: Ending,
        /// More about the reason.
        detail: Option<String>,
    },
    /// The game has to be counted, or a rule decides it.
    Over(Ending),
}

/// The time for which the referee waits beyond the limit, so that it can tell a slow answer from a hang.
const GRACE: Duration = Duration::from_secs(3);

/// A game in progress.
struct Contest<'a> {
    settings: &'a Settings,
    game: Game,
    players: [&'a mut Player; 2],
    black: Side,
    times: [Timekeeper; 2],
    shares: [Share; 2],
    usable: [bool; 2],
}

/// Plays a game from its opening to its end. Both engines have been brought to the opening already.
pub fn play(settings: &Settings, opening: Game, players: [&mut Player; 2], black: Side) -> Played {
    let times = [Timekeeper::new(settings.clock, settings.move_time, settings.margin); 2];
    let mut contest =
        Contest { settings, game: opening, players, black, times, shares: [Share::default(); 2], usable: [true; 2] };
    let before = contest.cpu_times();
    let finish = contest.run();
    let after = contest.cpu_times();
    for ((share, before), after) in contest.shares.iter_mut().zip(before).zip(after) {
        share.cpu_seconds = after.zip(before).map(|(after, before)| (after - before).max(0.0));
    }
    Played { game: contest.game, finish, shares: contest.shares, usable: contest.usable }
}

impl Contest<'_> {
    fn run(&mut self) -> Finish {
        loop {
            let position = self.game.position();
            if position.is_cycle() || position.first_to_capture().is_some() {
                return Finish::Over(Ending::Rule);
            }
            if position.is_over() {
                return Finish::Over(Ending::Count);
            }
            if self.game.moves().len() >= self.settings.max_moves {
                return Finish::Over(Ending::MoveLimit);
            }
            let color = position.to_move();
            if let Err(finish) = self.turn(color) {
                return finish;
            }
        }
    }

    /// One move: asked for, checked, told to the other side.
    fn turn(&mut self, color: Color) -> Result<(), Finish> {
        let side = if color == Color::Black { self.black } else { self.black.other() };
        let time = self.times[side.index()];
        self.players[side.index()].tell_time(color, &time).map_err(|fault| self.failed(side, &fault))?;
        let word = self.ask(side, color)?;
        let size = self.game.size();
        let illegal = |detail: String| Finish::Lost { side, ending: Ending::Illegal, detail: Some(detail) };
        let mv = match vertex::parse(&word, size) {
            _ if word.eq_ignore_ascii_case("resign") => {
                return Err(Finish::Lost { side, ending: Ending::Resignation, detail: None });
            }
            Some(Vertex::On(mv)) => mv,
            Some(Vertex::OffBoard) => return Err(illegal(format!("{word} is not on the board"))),
            None => return Err(illegal(format!("\"{word}\" is no move"))),
        };
        self.game.play(color, mv).map_err(|reason| illegal(format!("{word}: {reason}")))?;
        // No side can lose by the last move of a game, because this move changes nothing any more.
        if self.game.position().is_over() { Ok(()) } else { self.tell(side.other(), color, mv) }
    }

    /// Asks a side for its move and takes the time off its clock.
    fn ask(&mut self, side: Side, color: Color) -> Result<String, Finish> {
        let time = &mut self.times[side.index()];
        let hang = self.settings.hang;
        let patience = time.limit().map_or(hang, |limit| (limit + GRACE).min(hang));
        let (answer, used) = self.players[side.index()].genmove(color, patience);
        let share = &mut self.shares[side.index()];
        share.moves += 1;
        share.seconds += used.as_secs_f64();
        share.longest = share.longest.max(used.as_secs_f64());
        let in_time = time.spend(used);
        match (answer, in_time) {
            (Ok(word), Ok(())) => Ok(word),
            (Ok(_), Err(late)) => Err(Finish::Lost { side, ending: Ending::Time, detail: Some(late.to_string()) }),
            (Err(Fault::Silent { .. }), Err(late)) => {
                self.usable[side.index()] = false;
                Err(Finish::Lost { side, ending: Ending::Time, detail: Some(late.to_string()) })
            }
            (Err(fault), _) => Err(self.failed(side, &fault)),
        }
    }

    fn tell(&mut self, side: Side, color: Color, mv: Move) -> Result<(), Finish> {
        let size = self.game.size();
        self.players[side.index()].play(color, mv, size).map_err(|fault| self.failed(side, &fault))
    }

    fn failed(&mut self, side: Side, fault: &Fault) -> Finish {
        let ending = match fault {
            Fault::Refused { .. } => Ending::Refusal,
            Fault::Died(_) => Ending::Crash,
            // The runner drops the games of a match that was stopped.
            Fault::Silent { .. } | Fault::Stopped => Ending::Hang,
        };
        // An engine that refuses can be told to start over.
        self.usable[side.index()] = ending == Ending::Refusal;
        Finish::Lost { side, ending, detail: Some(fault.to_string()) }
    }

    fn cpu_times(&mut self) -> [Option<f64>; 2] {
        Side::BOTH.map(|side| {
            let side = side.index();
            if !self.usable[side] {
                return None;
            }
            // A late answer would be taken for that to the next command.
            self.players[side].cpu_time().inspect_err(|_| self.usable[side] = false).ok().flatten()
        })
    }
}
