//! The engine: a game, a search and two clocks, and the decisions that are made with them. Every protocol command
//! acts on it; it knows no protocol.

pub mod analyze;
mod asking;
mod choose;
mod cleanup;
mod decide;
pub mod decision;
mod last_points;
pub mod level;
mod memory;
mod outcome;
pub mod status;
pub mod thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::clock::{Clock, TimeControl};
use crate::game::{Game, RulesConflict};
use crate::go::{Color, Komi, Ruleset};
use crate::playout::PolicyKind;
use crate::search::searcher::StartError;
use crate::search::{Handle, Options as SearchOptions, Params, Report, SearchError, Searcher};
use crate::time::TimeSource;

pub use analyze::Interest;
pub use asking::Watch;
pub use decision::Decision;
pub use level::Level;
use memory::{Key, Memory};
use status::sample::Sampler;
use thought::Thought;

/// How the engine behaves, chosen by the user.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the search is made of.
    pub search: SearchOptions,
    /// The tunables of the search.
    pub params: Params,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What plays the playouts.
    pub policy: PolicyKind,
    /// Board size at the start.
    pub size: usize,
    /// Komi, if the user has chosen one.
    pub komi: Option<Komi>,
    /// The rule set.
    pub rules: Ruleset,
    /// Time for a move when no clock runs.
    pub time_per_move: Duration,
    /// The longest that a move may take on a clock, however much time that shows.
    pub longest_move: Duration,
    /// Playouts for a move; without them time alone decides.
    pub playouts: Option<u64>,
    /// Time kept back from every clock for what happens between an answer and the controller's clock.
    pub lag: Duration,
    /// Resign when the win rate has been below this; 0 never resigns.
    pub resign_below: f32,
    /// Moves of the game before which it does not resign.
    pub resign_after: usize,
    /// Think on the opponent's time?
    pub ponder: bool,
    /// How strong it plays.
    pub level: Level,
}

impl Default for Options {
    /// 19×19, one thread, two seconds a move, all strength; it never resigns.
    fn default() -> Options {
        Options {
            search: SearchOptions::default(),
            params: Params::default(),
            seed: 0,
            policy: PolicyKind::Tactical,
            size: 19,
            komi: None,
            rules: Ruleset::default(),
            time_per_move: Duration::from_secs(2),
            longest_move: Duration::from_secs(600),
            playouts: None,
            lag: Duration::ZERO,
            resign_below: 0.0,
            resign_after: 0,
            ponder: false,
            level: Level::Max,
        }
    }
}

/// Why the engine has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The search found nothing.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Ends what the engine is at when it is set: from another thread, such as the one that reads the input.
pub type Interrupt = Arc<AtomicBool>;

/// A game, a search, two clocks.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    game: Game,
    clocks: [Clock; 2],
    time: TimeSource,
    searcher: Searcher,
    /// The search on the opponent's time, if there is one.
    pondering: Option<Handle>,
    interrupt: Interrupt,
    /// What is remembered of the game.
    memory: Memory,
    /// What judges life and death, from its first use on.
    sampler: Option<Sampler>,
    /// Whose clock the present move is on, and since when; `None` if on none.
    move_start: Option<(Color, Instant)>,
    /// Since when the clock of the next move's side has been running, if that was before the move was asked for.
    turn_start: Option<Instant>,
}

impl Engine {
    /// An engine with an empty board. `interrupt` ends a running search while it is set.
    ///
    /// # Errors
    /// If the system refuses the memory, or a thread.
    pub fn new(options: Options, interrupt: Interrupt) -> Result<Engine, StartError> {
        Ok(Engine {
            game: Game::new(options.size, options.rules, options.komi),
            clocks: [Clock::default(); 2],
            time: options.search.time.clone(),
            searcher: Searcher::new(options.search.clone())?,
            pondering: None,
            interrupt,
            memory: Memory::default(),
            sampler: None,
            move_start: None,
            turn_start: None,
            options,
        })
    }

    /// How it behaves.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Plays from now on at this level.
    pub fn set_level(&mut self, level: Level) {
        self.stop_pondering();
        self.options.level = level;
    }

    /// Searches from now on with these tunables.
    pub fn set_params(&mut self, params: Params) {
        self.stop_pondering();
        self.options.params = params;
        // What is changed may matter to judgements, too.
        self.sampler = None;
        self.memory.forget_judgements();
    }

    /// Does the number of playouts end a search, whatever the time?
    fn has_fixed_playouts(&self) -> bool {
        self.options.playouts.is_some() || self.options.level != Level::Max
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game, to be changed. Pondering ends.
    pub fn game_mut(&mut self) -> &mut Game {
        self.stop_pondering();
        &mut self.game
    }

    /// A side's clock.
    pub fn clock(&self, color: Color) -> &Clock {
        &self.clocks[color.index()]
    }

    /// A side's clock, to be set.
    pub fn clock_mut(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks[color.index()]
    }

    /// Sets both clocks to the start of a game with this time control.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks = [Clock::new(control); 2];
    }

    /// A new game on an empty board. Rules, the komi that the user has chosen and the time control stay.
    pub fn new_game(&mut self, size: usize) {
        let (rules, komi) = (*self.game.rules(), self.game.chosen_komi());
        self.load(Game::new(size, rules, komi));
        for clock in &mut self.clocks {
            clock.restart();
        }
    }

    /// Goes on with another game.
    pub fn load(&mut self, game: Game) {
        self.stop_pondering();
        self.game = game;
        self.memory.forget();
        self.searcher.forget();
    }

    /// Puts another rule set in force.
    ///
    /// # Errors
    /// If a move of the game so far is illegal under it; nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), RulesConflict> {
        self.stop_pondering();
        self.game.set_rules(rules)
    }

    /// The last search's findings, if they are about the position of the game now.
    pub fn last_report(&self) -> Option<&Report> {
        self.memory.report(&Key::of(&self.game))
    }

    /// What was thought of the last move that was asked for in this game.
    pub fn last_thought(&self) -> Option<&Thought> {
        self.memory.thought()
    }

    /// Says since when the clock of the side that is to move next has been running: the next move is charged from then
    /// on, not from when it is asked for.
    pub fn turn_started(&mut self, at: Instant) {
        self.turn_start = Some(at);
    }
}
