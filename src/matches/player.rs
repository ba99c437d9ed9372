//! An engine as it takes part in games: what it is told before, during and after one. What it does not list it is
//! not sent.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::clock::TimeControl;
use crate::game::Game;
use crate::go::vertex;
use crate::go::{Color, Move};

use super::client::{Client, Fault};
use super::rule_words::rules_command;
use super::settings::{EngineCommand, time_words};
use super::timekeeper::Timekeeper;

/// An engine that has been started.
pub struct Player {
    client: Client,
    commands: HashSet<String>,
    name: String,
    /// Longest wait for an answer.
    patience: Duration,
    /// What it did not accept though the game can go on.
    notices: Vec<String>,
}

/// The commands that tell how much CPU time has been used.
const CPU_TIME: [&str; 2] = ["cputime", "gomill-cpu_time"];

impl Player {
    /// Starts an engine for a game and asks what it is.
    ///
    /// # Errors
    /// A message if it cannot be started or does not answer.
    pub fn start(command: &EngineCommand, game: usize, patience: Duration) -> Result<Player, String> {
        let text = command.text();
        let mut client =
            Client::start(&command.words(game)).map_err(|error| format!("cannot start \"{text}\": {error}"))?;
        let commands = match client.ask("list_commands", patience) {
            Ok(list) => list.split_whitespace().map(String::from).collect(),
            Err(Fault::Refused { .. }) => HashSet::new(),
            Err(fault) => return Err(format!("\"{text}\" speaks no GTP: {fault}")),
        };
        let mut player = Player { client, commands, name: String::new(), patience, notices: Vec::new() };
        let mut words = |command: &str| match player.ask(command) {
            Ok(text) => Ok(text.lines().next().unwrap_or_default().chars().take(60).collect::<String>()),
            Err(Fault::Refused { .. }) => Ok(String::new()),
            Err(fault) => Err(format!("\"{text}\": {fault}")),
        };
        let name = format!("{} {}", words("name")?, words("version")?);
        player.name = name.trim().into();
        Ok(player)
    }

    /// Its name and version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does it list this command?
    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// What it did not accept since this was asked last.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Leaves.
    pub fn quit(self) {
        self.client.quit();
    }

    /// Sends a command.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn ask(&mut self, command: &str) -> Result<String, Fault> {
        self.client.ask(command, self.patience)
    }

    /// Sends a command that may be refused.
    fn offer(&mut self, command: &str) -> Result<(), Fault> {
        match self.ask(command) {
            Err(Fault::Refused { command, text }) => {
                self.notices.push(format!("{} refuses \"{command}\": {text}", self.name));
                Ok(())
            }
            other => other.map(|_| ()),
        }
    }

    /// Brings it to the position of a game: board, rules, komi, clock, stones, moves.
    ///
    /// # Errors
    /// See [`Fault`]; a refusal means that it cannot play this game.
    pub fn prepare(&mut self, game: &Game, clock: TimeControl) -> Result<(), Fault> {
        let size = game.size();
        self.ask(&format!("boardsize {size}"))?;
        self.ask("clear_board")?;
        if let Some((command, unsaid)) = rules_command(game.rules(), |command| self.knows(command)) {
            self.offer(&command)?;
            self.notices.extend(unsaid.map(|part| format!("{} cannot be told {part}", self.name)));
        }
        self.ask(&format!("komi {}", game.komi()))?;
        if let Some(words) = time_words(clock).filter(|_| self.knows("time_settings")) {
            self.offer(&format!("time_settings {words}"))?;
        }
        let board = game.start().board();
        let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
        let black_only = stones.iter().all(|(color, _)| *color == Color::Black);
        if game.handicap() >= 2 && !stones.is_empty() && black_only && self.knows("set_free_handicap") {
            let points = vertex::list(stones.iter().map(|&(_, p)| p), size);
            self.ask(&format!("set_free_handicap {points}"))?;
        } else {
            for (color, point) in stones {
                self.play(color, Move::Play(point), size)?;
            }
        }
        for &(color, mv) in game.moves() {
            self.play(color, mv, size)?;
        }
        Ok(())
    }

    /// Tells it a move.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn play(&mut self, color: Color, mv: Move, size: usize) -> Result<(), Fault> {
        self.ask(&format!("play {color} {}", vertex::of_move(mv, size))).map(|_| ())
    }

    /// Tells it how much time it has, if it wants to know: to the millisecond if it knows KataGo's time settings, whose
    /// times have fractions. Others are told whole seconds, as GTP has it.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn tell_time(&mut self, color: Color, time: &Timekeeper) -> Result<(), Fault> {
        match time.words(self.knows("kata-time_settings")) {
            Some(words) if self.knows("time_left") => self.offer(&format!("time_left {color} {words}")),
            _ => Ok(()),
        }
    }

    /// Asks for a move: the first word of its answer, and how long it took. It is not waited longer for than
    /// `within`.
    pub fn genmove(&mut self, color: Color, within: Duration) -> (Result<String, Fault>, Duration) {
        let start = Instant::now();
        let answer = self.client.ask(&format!("genmove {color}"), within.min(self.patience));
        let used = start.elapsed();
        (answer.map(|text| text.split_whitespace().next().unwrap_or_default().into()), used)
    }

    /// CPU seconds that it has used since its start, if it tells.
    pub fn cpu_time(&mut self) -> Option<f64> {
        let command = CPU_TIME.into_iter().find(|command| self.knows(command))?;
        self.ask(command).ok()?.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())
    }
}
