//! The engine: a game, a search and two clocks, and the decisions that are made with them. Every protocol command
//! acts on it; it knows no protocol.

pub mod analyze;
mod cleanup;
mod decide;
mod last_points;
pub mod level;
mod outcome;
pub mod ponder;
pub mod status;
pub mod thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::clock::{Clock, TimeControl};
use crate::game::{Game, RulesConflict};
use crate::go::{Color, Komi, Move, PointSet, Position, Ruleset, Statuses};
use crate::search::{EarlyStop, Limits, Options as SearchOptions, Report, Request, Search, Study};

pub use analyze::Watch;
pub use decide::Decision;
pub use level::Level;
use outcome::STATUS_PLAYOUTS;
use ponder::Ponder;
use status::sample::Sampler;
use thought::Thought;

/// How the engine behaves, chosen by the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The search.
    pub search: SearchOptions,
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

/// A game, a search, two clocks.
pub struct Engine {
    options: Options,
    game: Game,
    clocks: [Clock; 2],
    searcher: Ponder,
    /// Ends a running search when set.
    stop: Arc<AtomicBool>,
    /// The last search's findings and the game that they are about.
    last: Option<Judged>,
    /// What judges life and death, from its first use on.
    sampler: Option<Sampler>,
    /// The last judgement of life and death, and the board that it is about.
    judged: Option<((u64, usize, Ruleset), Statuses)>,
    /// Whose clock the present move is on, and since when; `None` if on none.
    move_start: Option<(Color, Instant)>,
    /// Since when the clock of the next move's side has been running, if that was before the move was asked for.
    turn_start: Option<Instant>,
    /// What was thought of the last move that was asked for.
    thought: Option<Thought>,
    /// Stones of the other side that a clean-up is to take, and the moves of the game when it was last at it.
    condemned: Option<(Vec<(Color, Move)>, PointSet)>,
    /// Moves of ours in a row at which the game looked lost.
    lost_moves: usize,
    /// Who resigned, as long as nothing else happens.
    resigned: Option<Color>,
}

/// What was found out about a position of the game.
struct Judged {
    key: Key,
    /// Whose move was looked for.
    to_move: Color,
    report: Report,
}

/// Tells positions of games apart, as far as judgements go.
#[derive(Clone, PartialEq)]
struct Key {
    start: u64,
    size: usize,
    rules: Ruleset,
    komi: i32,
    moves: Vec<(Color, Move)>,
}

impl Engine {
    /// An engine with an empty board. `stop` ends a running search when it is set.
    pub fn new(options: Options, stop: Arc<AtomicBool>) -> Engine {
        Engine {
            game: Game::new(options.size, options.rules, options.komi),
            clocks: [Clock::default(); 2],
            searcher: Ponder::new(Search::new(options.search.clone())),
            stop,
            last: None,
            sampler: None,
            judged: None,
            lost_moves: 0,
            move_start: None,
            turn_start: None,
            thought: None,
            condemned: None,
            resigned: None,
            options,
        }
    }

    /// How it behaves.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Plays from now on at this level.
    pub fn set_level(&mut self, level: Level) {
        self.searcher.end();
        self.options.level = level;
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
        self.searcher.end();
        self.resigned = None;
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
        self.searcher.end();
        let (rules, komi) = (*self.game.chosen_rules(), self.game.chosen_komi());
        self.load(Game::new(size, rules, komi));
        for clock in &mut self.clocks {
            clock.restart();
        }
    }

    /// Goes on with another game.
    pub fn load(&mut self, game: Game) {
        self.searcher.end();
        self.game = game;
        self.last = None;
        self.lost_moves = 0;
        self.resigned = None;
        self.thought = None;
        self.condemned = None;
        self.searcher.search().forget();
    }

    /// Puts another rule set in force.
    ///
    /// # Errors
    /// If a move of the game so far is illegal under it; nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), RulesConflict> {
        self.searcher.end();
        self.game.set_rules(rules)
    }

    /// The search, to look at or change its options. Pondering ends.
    pub fn search_mut(&mut self) -> &mut Search {
        self.searcher.end();
        // What is changed may matter to judgements, too.
        self.sampler = None;
        self.judged = None;
        self.searcher.search()
    }

    /// Ends pondering, if the engine ponders.
    pub fn stop_pondering(&mut self) {
        self.searcher.end();
    }

    /// The last search's findings, if they are about the position of the game now.
    pub fn last_report(&self) -> Option<&Report> {
        self.last.as_ref().filter(|judged| judged.key == self.key()).map(|judged| &judged.report)
    }

    /// What was thought of the last move that was asked for in this game.
    pub fn last_thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// Says since when the clock of the side that is to move next has been running: the next move is charged from then
    /// on, not from when it is asked for.
    pub fn turn_started(&mut self, at: Instant) {
        self.turn_start = Some(at);
    }

    /// Chooses a move for a side, plays it unless it resigns, and takes the time off that side's clock.
    pub fn genmove(&mut self, color: Color) -> Decision {
        self.genmove_watched(color, &Study::default(), &mut |_| {}).0
    }

    /// The same for the clean-up that follows when the players do not agree on what is dead: no pass while dead stones
    /// of the other side stand on the board.
    pub fn genmove_cleanup(&mut self, color: Color) -> Decision {
        self.make_move(color, |engine| (engine.choose_cleanup(color, true), None)).0
    }

    /// Makes a move that `choose` finds, unless it resigns, and takes the time off the side's clock.
    fn make_move(
        &mut self,
        color: Color,
        choose: impl FnOnce(&mut Engine) -> (Decision, Option<Report>),
    ) -> (Decision, Option<Report>) {
        let start = Instant::now();
        if let Some(turn_start) = self.turn_start.take() {
            self.clocks[color.index()].delay(start.saturating_duration_since(turn_start));
        }
        self.thought = None;
        let before = self.game.moves().len();
        let (decision, report) = choose(self);
        if let Some(thought) = &mut self.thought {
            (thought.decision, thought.moves_before) = (decision, before);
        }
        self.resigned = (decision == Decision::Resign).then_some(color);
        if let Decision::Move(mv) = decision {
            // What was chosen is legal, see `choose`.
            if self.game.play(color, mv).is_err() {
                log::error!("the move chosen is illegal: {mv:?}");
            }
        }
        let clock = &mut self.clocks[color.index()];
        clock.spend(start.elapsed());
        clock.spend_unseen(self.options.lag);
        if self.options.ponder
            && self.options.level == Level::Max
            && decision != Decision::Resign
            && !self.game.position().is_over()
        {
            self.start_pondering(color.other());
        }
        (decision, report)
    }

    /// Chooses a move for a side, leaving game and clock as they are.
    pub fn reg_genmove(&mut self, color: Color) -> Decision {
        self.reg_genmove_watched(color, &Study::default(), &mut |_| {}).0
    }

    /// Begins the choice of a move: the position to search and when that has to end. From now on the side's time is
    /// running, if the move is on the clock.
    fn begin_choice(&mut self, color: Color, on_the_clock: bool) -> (Position, Limits) {
        self.move_start = on_the_clock.then(|| (color, Instant::now()));
        (self.position_to_search(color), self.limits(color, on_the_clock))
    }

    /// The position of the game with this side to move; where the game has ended, it goes on.
    fn position_to_search(&self, color: Color) -> Position {
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        if position.is_over() {
            position.reopen();
        }
        position
    }

    fn choose(
        &mut self,
        color: Color,
        on_the_clock: bool,
        study: &Study,
        watch: &mut Watch<'_>,
    ) -> (Decision, Option<Report>) {
        let (mut position, limits) = self.begin_choice(color, on_the_clock);
        if position.first_to_capture().is_some() {
            return (Decision::Move(Move::Pass), None);
        }
        let (report, mut decision) = if self.options.level == Level::Max {
            // Who looks on expects to see all moves.
            let scope = Scope { merge_twins: !study.details, ..Scope::default() };
            let report = self.search_watched(&position, limits, scope, study, watch);
            let decision = self.decide(&mut position, &report);
            (report, decision)
        } else {
            self.choose_at_level(&mut position, limits, study, watch)
        };
        if let Decision::Move(mv) = decision
            && study.restrictions.iter().any(|restriction| restriction.forbids(color, mv, 0))
        {
            decision = Decision::Move(self.legal_best(&mut position, &report));
        }
        self.thought = Some(Thought::new(color, decision, &report));
        log::info!(
            "{color}: {} after {} playouts in {:.2} s, {:.0}/s, win rate {:.1} %, {} nodes",
            crate::engine::decide::describe(&decision, position.size()),
            report.playouts,
            report.elapsed.as_secs_f64(),
            report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-6),
            report.value * 100.0,
            report.nodes,
        );
        (decision, Some(report))
    }

    /// Searches a position of the game and remembers what it found. `only` are the moves to look at.
    fn search(&mut self, position: &Position, limits: Limits, only: Option<&[Move]>) -> Report {
        self.search_for(position, limits, only, false)
    }

    /// The same, with all playouts played to their end if that is wanted.
    fn search_for(&mut self, position: &Position, limits: Limits, only: Option<&[Move]>, to_the_end: bool) -> Report {
        let scope = Scope { only, to_the_end, ..Scope::default() };
        self.search_watched(position, limits, scope, &Study::default(), &mut |_| {})
    }

    /// The same with somebody watching.
    fn search_watched(
        &mut self,
        position: &Position,
        limits: Limits,
        Scope { only, to_the_end, merge_twins }: Scope<'_>,
        study: &Study,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.searcher.end();
        let request = Request { only, to_the_end, merge_twins, ..request(&self.game, position, limits) };
        let report = self.searcher.search().study(&request, study, &self.stop, watch);
        self.last = Some(Judged { key: self.key(), to_move: position.to_move(), report: report.clone() });
        report
    }

    /// When the search for a side's next move has to end.
    fn limits(&self, color: Color, on_the_clock: bool) -> Limits {
        let points = self.game.size() * self.game.size();
        let budget = if on_the_clock {
            self.clocks[color.index()].budget(self.options.lag, points, self.game.moves().len())
        } else {
            None
        };
        // A level has playouts of its own for its moves; whatever else is searched meanwhile has to end, too.
        let playouts = if self.options.level == Level::Max { self.options.playouts } else { Some(ASIDE_PLAYOUTS) };
        // What a move leaves over is lost where nothing is saved, so it goes into the tree for the next move. (Levels were
        // measured without that.)
        let saves = budget.is_some() && self.clocks[color.index()].saves();
        let early_stop =
            if saves || self.options.level != Level::Max { EarlyStop::Decided } else { EarlyStop::Obvious };
        let mut limits = Limits { playouts, early_stop, ..Limits::default() };
        let longest = self.options.longest_move;
        match budget {
            Some(budget) => {
                // What follows the search, the judgement of whether the game is over, takes its time, too.
                let hard = budget.hard.min(longest);
                let hard = hard - (hard / 8).min(DECIDE_TIME);
                limits.soft = (!self.has_fixed_playouts()).then_some(budget.soft.min(hard));
                limits.hard = Some(hard);
            }
            None if !self.has_fixed_playouts() => {
                limits.soft = Some(self.options.time_per_move);
                limits.hard = Some(self.options.time_per_move);
            }
            None => {}
        }
        limits
    }

    fn start_pondering(&mut self, color: Color) {
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        self.searcher.start(
            position,
            self.game.start().board().hash(),
            self.game.moves().to_vec(),
            self.game.total_komi().half_points(),
            self.options.playouts,
        );
    }

    fn key(&self) -> Key {
        Key {
            start: self.game.start().board().hash(),
            size: self.game.size(),
            rules: *self.game.rules(),
            komi: self.game.total_komi().half_points(),
            moves: self.game.moves().to_vec(),
        }
    }
}

/// What a search looks at: by default all moves, in playouts that may end early.
#[derive(Clone, Copy, Default)]
struct Scope<'a> {
    /// The moves to look at, if not all.
    only: Option<&'a [Move]>,
    /// Play every playout to its end?
    to_the_end: bool,
    /// See [`Request::merge_twins`].
    merge_twins: bool,
}

/// A request for a search of a position of this game.
fn request<'a>(game: &'a Game, position: &'a Position, limits: Limits) -> Request<'a> {
    let start_hash = game.start().board().hash();
    let whole = Request::new(position, game.total_komi().half_points());
    Request { start_hash, moves: game.moves(), limits, ..whole }
}

/// Kept back from the time of a move for what is decided after its search.
const DECIDE_TIME: Duration = Duration::from_millis(150);

/// Playouts of a search that is no move of a level's: what GoGui shows, a move of a clean-up. As many as for a judgement.
const ASIDE_PLAYOUTS: u64 = STATUS_PLAYOUTS;
