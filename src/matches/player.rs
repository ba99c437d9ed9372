//! An engine as it takes part in games: the commands that it gets before, during and after a game. It gets no optional
//! command that its `list_commands` lacks.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::TimeControl;
use crate::game::Game;
use crate::go::vertex;
use crate::go::{Color, Move, Size};
use crate::time::TimeSource;

use super::client::{Client, Fault};
use super::rule_words::rules_command;
use super::settings::{EngineCommand, Settings, time_words};
use super::timekeeper::Timekeeper;

/// An engine that has been started.
#[derive(Debug)]
pub struct Player {
    client: Client,
    commands: HashSet<String>,
    name: String,
    /// Longest wait for an answer.
    patience: Duration,
    time: TimeSource,
    /// The commands that the engine refused though the game can go on.
    notices: Vec<String>,
}

/// The commands that tell how much CPU time has been used.
const CPU_TIME: [&str; 2] = ["cputime", "gomill-cpu_time"];

impl Player {
    /// Starts an engine for a game and asks for its name, version and commands.
    ///
    /// # Errors
    /// A message if the engine cannot be started or does not answer.
    pub fn start(command: &EngineCommand, game: usize, settings: &Settings) -> Result<Player, String> {
        let (text, patience, time) = (command.text(), settings.hang, settings.time.clone());
        let mut client = Client::start(&command.words(game), time.clone(), Arc::clone(&settings.stop))
            .map_err(|error| format!("cannot start \"{text}\": {error}"))?;
        let commands = match client.ask("list_commands", patience) {
            Ok(list) => list.split_whitespace().map(String::from).collect(),
            Err(Fault::Refused { .. }) => HashSet::new(),
            Err(fault) => return Err(format!("\"{text}\" speaks no GTP: {fault}")),
        };
        let mut player = Player { client, commands, name: String::new(), patience, time, notices: Vec::new() };
        let mut words = |command: &str| match player.ask(command) {
            Ok(text) => Ok(text.lines().next().unwrap_or_default().chars().take(60).collect::<String>()),
            Err(Fault::Refused { .. }) => Ok(String::new()),
            Err(fault) => Err(format!("\"{text}\": {fault}")),
        };
        let name = format!("{} {}", words("name")?, words("version")?);
        player.name = name.trim().into();
        Ok(player)
    }

    /// The engine's name and version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does the engine list this command?
    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The commands that the engine refused since the last call of this function.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Ends the engine's process.
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

    /// Brings the engine to the position of a game: board, rules, komi, clock, stones, moves.
    ///
    /// # Errors
    /// See [`Fault`]. A refusal means that the engine cannot play this game.
    pub fn prepare(&mut self, game: &Game, clock: TimeControl) -> Result<(), Fault> {
        let size = game.size();
        // Some engines that know no rectangles take "boardsize 9 13" for a square. They refuse the other command.
        self.ask(&if size.is_square() {
            format!("boardsize {}", size.width())
        } else {
            format!("rectangular_boardsize {} {}", size.width(), size.height())
        })?;
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

    /// Tells the engine a move.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn play(&mut self, color: Color, mv: Move, size: Size) -> Result<(), Fault> {
        self.ask(&format!("play {color} {}", vertex::of_move(mv, size))).map(|_| ())
    }

    /// Tells the engine how much time it has, if it lists `time_left`. An engine that knows KataGo's time settings gets
    /// milliseconds, because times have fractions there. Others get whole seconds, as GTP has them.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn tell_time(&mut self, color: Color, time: &Timekeeper) -> Result<(), Fault> {
        match time.words(self.knows("kata-time_settings")) {
            Some(words) if self.knows("time_left") => self.offer(&format!("time_left {color} {words}")),
            _ => Ok(()),
        }
    }

    /// Asks for a move. Gives the first word of the answer, and the time that it took. The referee waits no longer than
    /// `within`.
    pub fn genmove(&mut self, color: Color, within: Duration) -> (Result<String, Fault>, Duration) {
        let start = self.time.now();
        let answer = self.client.ask(&format!("genmove {color}"), within.min(self.patience));
        let used = self.time.since(start);
        (answer.map(|text| text.split_whitespace().next().unwrap_or_default().into()), used)
    }

    /// CPU seconds that the engine has used since its start, if it tells them.
    ///
    /// # Errors
    /// If the engine has died, or has not answered in time. It cannot be asked any more then.
    pub fn cpu_time(&mut self) -> Result<Option<f64>, Fault> {
        let Some(command) = CPU_TIME.into_iter().find(|command| self.knows(command)) else { return Ok(None) };
        match self.ask(command) {
            Ok(text) => Ok(text.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())),
            Err(Fault::Refused { .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}
