//! The engine: a game, a search and two clocks, and the decisions that are made with them. Every protocol command acts
//! on the engine. The engine knows no protocol.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! use kosumi::engine::{Decision, Engine, EngineOptions};
//! use kosumi::go::Color;
//!
//! let options = EngineOptions { size: 5.into(), playouts: Some(50), ..EngineOptions::default() };
//! let mut engine = Engine::new(options, Arc::new(AtomicBool::new(false)))?;
//! let decision = engine.genmove(Color::Black)?;
//! let Decision::Move(played) = decision else { panic!("the engine resigns only where it may") };
//! assert_eq!(engine.game().moves(), [(Color::Black, played)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analyze;
mod aside;
mod asking;
mod choose;
mod cleanup;
mod decide;
pub mod decision;
pub mod inquiry;
mod last_points;
pub mod level;
mod memory;
mod move_start;
mod outcome;
mod resign;
mod settled;
pub mod status;
pub mod thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::clock::{Clock, TimeControl};
use crate::game::{Game, RulesConflict};
use crate::go::{Color, Komi, Ruleset, Size};
use crate::net::Nets;
use crate::playout::PolicyKind;
use crate::search::params::{ParamError, Tunables};
use crate::search::searcher::StartError;
use crate::search::{Handle, Params, Report, SearchError, SearchOptions, Searcher};
use crate::time::TimeSource;

pub use analyze::Interest;
pub use asking::Watch;
pub use decision::Decision;
pub use level::Level;
use level::standing::Standing;
pub use memory::LostMoves;
use memory::{Key, Memory};
use move_start::MoveStart;
use status::sample::{Sampler, share};
use thought::Thought;

/// How the engine behaves, chosen by the user.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// What the search is made of.
    pub search: SearchOptions,
    /// The tunables of the search that the user has set.
    pub tunables: Tunables,
    /// The nets of the search.
    pub nets: Nets,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What plays the playouts.
    pub policy: PolicyKind,
    /// Board size at the start.
    pub size: Size,
    /// Komi, if the user has chosen a value.
    pub komi: Option<Komi>,
    /// The rule set.
    pub rules: Ruleset,
    /// Time for a move when no clock runs.
    pub time_per_move: Duration,
    /// The longest time for a move on a clock, however much time the clock shows.
    pub longest_move: Duration,
    /// Playouts for a move. With `None`, time alone ends the search.
    pub playouts: Option<u64>,
    /// Visits of a position, those of earlier searches included, at which the search for a move ends.
    pub visits: Option<u64>,
    /// The longest time for a move, beside all other limits. Where no clock runs, it takes the place of
    /// `time_per_move`. With [`NO_LIMIT`] only `longest_move` ends such a move, unless the number of playouts does.
    pub most_time: Option<Duration>,
    /// Time kept back from every clock for delays between the engine's answer and the controller's clock.
    pub lag: Duration,
    /// The engine resigns after win rates below this value. With 0 the engine never resigns.
    pub resign_below: f32,
    /// May the engine resign at all?
    pub may_resign: bool,
    /// The engine does not resign before this many moves of the game.
    pub resign_after: usize,
    /// Does the engine search on the opponent's time?
    pub ponder: bool,
    /// Noise at the root of live analysis, in place of the tunable `wide_root_noise`; 0 leaves the tunable in force.
    pub analysis_noise: f32,
    /// How strong the engine plays.
    pub level: Level,
}

impl Default for EngineOptions {
    /// 19×19, one thread, two seconds a move, full strength, no resignation.
    fn default() -> EngineOptions {
        EngineOptions {
            search: SearchOptions::default(),
            tunables: Tunables::default(),
            nets: Nets::none(),
            seed: 0,
            policy: PolicyKind::Tactical,
            size: Size::square(19),
            komi: None,
            rules: Ruleset::default(),
            time_per_move: Duration::from_secs(2),
            longest_move: Duration::from_secs(600),
            playouts: None,
            visits: None,
            most_time: None,
            lag: Duration::ZERO,
            resign_below: 0.0,
            may_resign: true,
            resign_after: 0,
            ponder: false,
            analysis_noise: 0.0,
            level: Level::Max,
        }
    }
}

/// [`EngineOptions::most_time`] where a user wants no limit.
pub const NO_LIMIT: Duration = Duration::MAX;

/// The options that a user can change while the engine runs, beside level, tunables and net. Their meaning stands with
/// [`EngineOptions`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the options")]
pub struct Changeable {
    pub playouts: Option<u64>,
    pub visits: Option<u64>,
    pub most_time: Option<Duration>,
    pub lag: Duration,
    pub resign_below: f32,
    pub may_resign: bool,
    pub ponder: bool,
    pub threads: usize,
    pub analysis_noise: f32,
    pub seed: u64,
}

/// Why the engine has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The search found nothing.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// A flag that ends the engine's search when another thread sets it, such as the thread that reads the input.
pub type Interrupt = Arc<AtomicBool>;

/// A game, a search, two clocks.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    game: Game,
    clocks: [Clock; 2],
    time: TimeSource,
    /// The search on the opponent's time, if there is one. It stands before the searcher: fields are dropped in this
    /// order, and the searcher waits for the end of its search.
    pondering: Option<Handle>,
    searcher: Searcher,
    interrupt: Interrupt,
    /// What the engine remembers of the game.
    memory: Memory,
    /// The playouts that judge life and death; `None` before the first judgement.
    sampler: Option<Sampler>,
    /// What the user has been told of ranks.
    told: Vec<Standing>,
    /// Since when the present move runs on a clock; `None` if the move is on no clock.
    move_start: Option<MoveStart>,
    /// Since when the clock of the next move's side has been running, if the clock started before the request for the
    /// move.
    turn_start: Option<Instant>,
}

impl Engine {
    /// An engine with an empty board. `interrupt` ends a running search while it is set.
    ///
    /// # Errors
    /// If the system refuses the memory or a thread.
    pub fn new(options: EngineOptions, interrupt: Interrupt) -> Result<Engine, StartError> {
        // The searches that judge life and death take their part of the memory.
        let memory = options.search.memory.saturating_sub(2 * share(options.search.memory)).max(1);
        let searcher = Searcher::new(SearchOptions { memory, ..options.search.clone() })?;
        Ok(Engine {
            game: Game::new(options.size, options.rules, options.komi),
            clocks: [Clock::default(); 2],
            time: options.search.time.clone(),
            searcher,
            pondering: None,
            interrupt,
            memory: Memory::default(),
            sampler: None,
            told: Vec::new(),
            move_start: None,
            turn_start: None,
            options,
        })
    }

    /// The engine's options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Sets the level for all later moves.
    pub fn set_level(&mut self, level: Level) {
        self.stop_pondering();
        self.options.level = level;
    }

    /// What is known of the strength of the level in this game; `None` for a level that is no rank.
    pub fn standing(&self) -> Option<Standing> {
        Standing::of(self.options.level, self.game.size(), &self.options.nets)
    }

    /// The level, and in brackets what it plays like in this game where this is not what the level says.
    pub fn level_in_words(&self) -> String {
        Standing::in_words(self.options.level, self.game.size(), &self.options.nets)
    }

    /// What the level plays like in this game, once for each case in which this is not what the level says. Who asks
    /// tells the user: the log does not tell it again.
    pub fn news_of_level(&mut self) -> Option<Standing> {
        let standing = self.standing().filter(|standing| !standing.is_as_asked())?;
        if self.told.contains(&standing) {
            return None;
        }
        self.told.push(standing);
        Some(standing)
    }

    /// Tells the log, once for each case, that a rank is not what it says on this board.
    fn note_standing(&mut self) {
        if let Some(standing) = self.news_of_level() {
            log::warn!("level {} {standing}", standing.asked);
        }
    }

    /// Sets a tunable for all later searches.
    ///
    /// # Errors
    /// If there is none of that name, or the text is no number in its range.
    pub fn set_tunable(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.options.tunables.set(name, value)?;
        self.stop_pondering();
        // Judgements of life and death may depend on the tunables.
        self.sampler = None;
        self.memory.forget_judgements();
        Ok(())
    }

    /// Changes options of a running engine. Of all options, only [`Changeable`] ones can change.
    pub fn change(&mut self, change: impl FnOnce(&mut Changeable)) {
        self.stop_pondering();
        let options = &mut self.options;
        let mut values = Changeable {
            playouts: options.playouts,
            visits: options.visits,
            most_time: options.most_time,
            lag: options.lag,
            resign_below: options.resign_below,
            may_resign: options.may_resign,
            ponder: options.ponder,
            threads: options.search.threads,
            analysis_noise: options.analysis_noise,
            seed: options.seed,
        };
        change(&mut values);
        let Changeable { playouts, visits, most_time, lag, resign_below, may_resign, ponder, threads, .. } = values;
        if threads != options.search.threads {
            options.search.threads = threads;
            self.searcher.set_threads(threads);
        }
        (options.playouts, options.visits, options.most_time, options.lag) = (playouts, visits, most_time, lag);
        (options.resign_below, options.may_resign, options.ponder) = (resign_below, may_resign, ponder);
        (options.analysis_noise, options.seed) = (values.analysis_noise, values.seed);
    }

    /// How often in a row the game has looked lost to each side.
    pub fn lost_moves(&self) -> LostMoves {
        self.memory.lost.clone()
    }

    /// Takes over what another engine has thought of the same game, see [`Engine::lost_moves`].
    pub fn set_lost_moves(&mut self, lost: LostMoves) {
        self.memory.lost = lost;
    }

    /// Forgets all that was found and judged about the game. The game stays as it is.
    pub fn forget_findings(&mut self) {
        self.stop_pondering();
        self.searcher.forget();
        self.memory.forget_judgements();
        self.options.nets.all().iter().for_each(|net| net.forget());
    }

    /// The tunables of a search at full strength in this game.
    pub fn params(&self) -> Params {
        self.usual_manner().params
    }

    /// Changes the nets for all later searches.
    pub fn set_nets(&mut self, nets: Nets) {
        self.stop_pondering();
        self.memory.forget_judgements();
        self.options.nets = nets;
    }

    /// Does the number of playouts alone end a search?
    fn has_fixed_playouts(&self) -> bool {
        self.options.playouts.is_some() || self.options.visits.is_some() || self.options.level != Level::Max
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game, for changes. Pondering ends.
    pub fn game_mut(&mut self) -> &mut Game {
        self.stop_pondering();
        &mut self.game
    }

    /// A side's clock.
    pub fn clock(&self, color: Color) -> &Clock {
        &self.clocks[color.index()]
    }

    /// A side's clock, for changes.
    pub fn clock_mut(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks[color.index()]
    }

    /// Sets both clocks to the start of a game with this time control, see [`Clock::set`].
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks.iter_mut().for_each(|clock| clock.set(control));
    }

    /// Starts a new game on an empty board. Rules, time control and the komi that the user has chosen stay.
    pub fn new_game(&mut self, size: impl Into<Size>) {
        let (rules, komi) = (*self.game.chosen_rules(), self.game.chosen_komi());
        self.load(Game::new(size, rules, komi));
        self.restart_clocks();
    }

    /// Sets both clocks to the start of a game.
    pub fn restart_clocks(&mut self) {
        self.clocks.iter_mut().for_each(Clock::restart);
    }

    /// Continues with another game.
    pub fn load(&mut self, game: Game) {
        self.stop_pondering();
        self.game = game;
        self.memory.forget();
        self.searcher.forget();
    }

    /// Puts another rule set in force.
    ///
    /// # Errors
    /// If a move of the game so far is illegal under `rules`; nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), RulesConflict> {
        self.stop_pondering();
        self.game.set_rules(rules)
    }

    /// Chooses the rule set of the next game. The present game keeps its own.
    pub fn set_rules_of_next_game(&mut self, rules: Ruleset) {
        self.game.set_rules_of_next_game(rules);
    }

    /// The report of the last search, if the report is about the present position of the game.
    pub fn last_report(&self) -> Option<&Report> {
        self.memory.report(&Key::of(&self.game))
    }

    /// What the engine thought of the last move that it was asked for in this game.
    pub fn last_thought(&self) -> Option<&Thought> {
        self.memory.thought()
    }

    /// Says since when the clock of the next side to move has been running. The next move is charged from that time,
    /// not from the request for the move.
    pub fn turn_started(&mut self, at: Instant) {
        self.turn_start = Some(at);
    }
}
