//! A sitting: one tab's game, the person's wishes, and what the engine has found. It carries orders out at once. `walk`
//! goes through the record, and `wishes` says what is wanted of the engine.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use crate::clock::{Clock, TimeControl};
use crate::engine::level::standing::Standing;
use crate::engine::{EngineOptions, Level, LostMoves};
use crate::game::Game;
use crate::go::vertex::{self, Vertex};
use crate::go::{Color, IllegalMove, Komi, MAX_SIZE, MIN_SIZE, Move, Ruleset, Size, handicap};
use crate::play::order::{Order as Typed, WORDS};
use crate::play::{names, say};
use crate::record::{NodeId, Record};
use crate::review::{Course, Finding};
use crate::sgf;
use crate::time::TimeSource;
use crate::view::refusal;

use super::count::Count;
use super::order::{NewGame, Order, seconds};
use super::reviewing::{Reviewing, SECONDS};

/// The last sentences that a page can still read.
const LOG: usize = 40;

/// Why a side has lost before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    Resigned,
    Time,
}

/// A tab's game.
#[derive(Debug)]
pub(super) struct Sitting {
    defaults: EngineOptions,
    pub(super) time: TimeSource,
    pub(super) game: Game,
    /// The end of the line that is shown. The cursor is on the way to it.
    pub(super) tip: NodeId,
    /// The engine's side; `None` if the person plays both.
    pub(super) kosumi: Option<Color>,
    /// The engine's side in the games that the person begins.
    kosumi_begins_as: Option<Color>,
    /// The level that the person has chosen, and not a record.
    level_begins_as: Level,
    /// The size of the last *New game*, and not of a record.
    size_begins_as: Size,
    /// Handicap stones of the games that the person begins.
    handicap: usize,
    pub(super) level: Level,
    pub(super) pace: Duration,
    pub(super) clocks: [Clock; 2],
    /// The time control of the games that the person begins.
    control: TimeControl,
    /// Since when the clock of the side to move runs; `None` while it stands.
    pub(super) since: Option<Instant>,
    /// The sides that have lost before the end, and why, at the nodes where they have.
    losses: HashMap<NodeId, (Color, Loss)>,
    pub(super) counts: HashMap<NodeId, Count>,
    pub(super) finding: Option<(NodeId, Finding)>,
    /// Black's win rate and lead at the nodes that the engine has looked at.
    pub(super) known: HashMap<NodeId, (f64, f64)>,
    /// Games so far: each is played with a seed of its own.
    pub(super) games: u64,
    /// How often the game has looked lost to Kosumi. Several engines play it in turn.
    pub(super) lost: LostMoves,
    /// The side that the engine is to move for.
    pub(super) due: Option<Color>,
    /// Where the person went away from while the engine was thinking of a move, and for which side.
    pub(super) put_off: Option<(NodeId, Color)>,
    /// Where a person's clock was stopped by looking at another position. It goes on there.
    pub(super) stopped_at: Option<NodeId>,
    pub(super) wants_hint: bool,
    pub(super) wants_count: bool,
    pub(super) is_analyzing: bool,
    pub(super) review: Option<Reviewing>,
    reviews: u64,
    /// Was the last piece of work for the review? Then the analysis comes first.
    pub(super) reviewed_last: bool,
    log: VecDeque<(u64, String)>,
    logged: u64,
    pub(super) epoch: u64,
    pub(super) revision: u64,
}

impl Sitting {
    /// A new game with the engine's options.
    pub(super) fn new(options: &EngineOptions, time: TimeSource) -> Sitting {
        let game = Game::new(options.size, options.rules, options.komi);
        Sitting {
            time,
            tip: game.cursor(),
            game,
            kosumi: Some(Color::White),
            kosumi_begins_as: Some(Color::White),
            handicap: 0,
            level: options.level,
            level_begins_as: options.level,
            size_begins_as: options.size,
            pace: options.time_per_move,
            defaults: options.clone(),
            clocks: [Clock::new(TimeControl::Unlimited); 2],
            control: TimeControl::Unlimited,
            since: None,
            losses: HashMap::new(),
            counts: HashMap::new(),
            finding: None,
            known: HashMap::new(),
            lost: LostMoves::default(),
            due: None,
            put_off: None,
            stopped_at: None,
            games: 0,
            wants_hint: false,
            wants_count: false,
            is_analyzing: false,
            review: None,
            reviews: 0,
            reviewed_last: false,
            log: VecDeque::new(),
            logged: 0,
            epoch: 0,
            revision: 1,
        }
    }

    /// Counts the changes that make the engine's work useless.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Counts all changes.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Carries an order out.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub(super) fn obey(&mut self, order: Order) -> Result<(), String> {
        self.look_at_clock();
        match order {
            Order::New(wanted) => self.begin(&wanted),
            Order::Move { to } => self.play_at(&to),
            Order::Type { line } => self.obey_line(&line),
            Order::Undo {} => self.undo(1),
            Order::Resign {} => self.resign(),
            Order::Hint {} => {
                self.must_go_on()?;
                self.wants_hint = true;
                self.want_more()
            }
            Order::Answer {} => {
                self.must_go_on()?;
                self.charge();
                self.due = Some(self.to_move());
                self.move_on()
            }
            Order::Analyze { on } => {
                self.is_analyzing = on;
                self.want_more()
            }
            Order::Level { level } => self.set_level(level.parse().map_err(|error| format!("The level {error}."))?),
            Order::Count {} => {
                self.ask_for_count();
                self.want_more()
            }
            Order::HideCount {} => {
                if !self.game.position().is_over() {
                    self.counts.remove(&self.game.cursor());
                }
                self.change()
            }
            Order::Toggle { at } => self.toggle(&at),
            Order::Step { by } => self.step(by),
            Order::Go { to } => self.go_to(to),
            Order::Variation { number } => self.choose_variation(number),
            Order::Sibling { by } => self.go_beside(by),
            Order::Review { seconds } => self.begin_review(seconds),
            Order::StopReview {} => {
                self.review = None;
                self.want_more()
            }
        }
    }

    /// Carries out what a person has typed.
    fn obey_line(&mut self, line: &str) -> Result<(), String> {
        match Typed::read(line, self.game.size()) {
            Typed::Move(mv) => self.play(mv),
            Typed::Undo(count) => self.undo(count),
            Typed::Hint => self.obey(Order::Hint {}),
            Typed::Score => self.obey(Order::Count {}),
            Typed::Level(None) => {
                self.say(format!("I play at level {}.", self.level_in_words()));
                self.change()
            }
            Typed::Level(Some(level)) => self.set_level(level),
            Typed::Resign => self.resign(),
            Typed::New(size) => self.begin_again(size.unwrap_or(self.size_begins_as)),
            Typed::Help => {
                let left_out = ["board", "save", "load", "quit"];
                let words = WORDS.iter().filter(|(word, ..)| !left_out.contains(word));
                let told: Vec<String> = words
                    .map(|(word, rest, what)| format!("{}: {what}", [*word, *rest].join(" ").trim_end()))
                    .collect();
                self.say(format!("Type a point, such as D4, or one of these words. {}.", told.join("; ")));
                self.change()
            }
            Typed::Save(_) | Typed::Load(_) => Err("There is a button for that on the page.".into()),
            Typed::GoOn | Typed::Board => Err("The page shows the board at all times.".into()),
            Typed::Quit => {
                Err("To leave, save the game and close the tab. Ctrl-C in the terminal ends the program.".into())
            }
            Typed::Unknown(text) => {
                let end = if text.ends_with('?') { "" } else { "." };
                Err(format!("{}{end}", say::capital(text)))
            }
        }
    }

    /// Begins a new game.
    fn begin(&mut self, wanted: &NewGame) -> Result<(), String> {
        let NewGame { size, komi, rules, handicap: stones, level, color, seconds: pace, clock } = wanted;
        let size = size.size().ok_or_else(|| format!("A board has {MIN_SIZE} to {MAX_SIZE} rows and columns."))?;
        let rules = Ruleset::by_name(rules).ok_or("There are no rules of that name.")?;
        let komi = komi.map(Komi::new).transpose().map_err(|error| format!("The {error}."))?;
        let level: Level = level.parse().map_err(|error| format!("The level {error}."))?;
        let kosumi = match color.as_str() {
            "both" => None,
            color => Some(Color::by_name(color).ok_or("A side is black or white.")?.other()),
        };
        let pace = pace.map_or(Some(self.defaults.time_per_move), |pace| seconds(pace, 0.01));
        let pace = pace.ok_or("That is no time for a move.")?;
        let control = clock.control().ok_or("That is no time control.")?;
        let game = new_game(size, rules, komi, *stones)?;
        (self.level, self.pace, self.kosumi, self.handicap) = (level, pace, kosumi, *stones);
        (self.kosumi_begins_as, self.level_begins_as, self.size_begins_as) = (kosumi, level, size);
        (self.clocks, self.control) = ([Clock::new(control); 2], control);
        self.replace(game);
        self.say_what_begins();
        self.ask_for_move();
        self.start_clock();
        Ok(())
    }

    /// Begins a new game as the person's last game began, on a board of another size.
    fn begin_again(&mut self, size: Size) -> Result<(), String> {
        let (rules, komi) = (*self.game.chosen_rules(), self.game.chosen_komi());
        let game = new_game(size, rules, komi, self.handicap);
        let no_handicap = game.as_ref().err().cloned();
        self.replace(game.unwrap_or_else(|_| Game::new(size, rules, komi)));
        (self.kosumi, self.level, self.size_begins_as) = (self.kosumi_begins_as, self.level_begins_as, size);
        self.clocks = [Clock::new(self.control); 2];
        self.say_what_begins();
        if let Some(reason) = no_handicap {
            self.say(format!("{reason} So the game is even."));
        }
        self.ask_for_move();
        self.start_clock();
        Ok(())
    }

    fn say_what_begins(&mut self) {
        self.say(format!("A new game on {:#}. {}", self.game.size(), self.sides_in_words()));
    }

    fn sides_in_words(&self) -> String {
        match self.kosumi {
            Some(kosumi) => {
                format!("You play {}, Kosumi plays {kosumi} at level {}.", kosumi.other(), self.level_in_words())
            }
            None => "You play both sides.".into(),
        }
    }

    /// Goes on with the game of an SGF text.
    ///
    /// # Errors
    /// Why the text is no game.
    pub(super) fn load(&mut self, text: &[u8]) -> Result<(), String> {
        let cannot = |error: &dyn std::fmt::Display| format!("The file cannot be loaded: {error}.");
        let (record, has_others) = sgf::read_first(text).map_err(|error| cannot(&error))?;
        let (rules, komi) = (*self.game.chosen_rules(), self.game.chosen_komi());
        let game = Game::load(record, None, rules, komi).map_err(|error| cannot(&error))?;
        self.clocks = [Clock::new(TimeControl::Unlimited); 2];
        let moves = game.move_count();
        self.replace(game);
        let s = if moves == 1 { "" } else { "s" };
        self.kosumi = names::side(self.game.record());
        if let Some(level) = self.kosumi.and_then(|kosumi| names::level(self.game.record(), kosumi)) {
            self.level = level;
        }
        self.say(format!("The game is loaded: {moves} move{s}. {}", self.sides_in_words()));
        if has_others {
            self.say(say::FIRST_OF_SEVERAL.into());
        }
        // The game may have been saved while Kosumi was thinking.
        if self.result().is_none() {
            self.ask_for_move();
        }
        Ok(())
    }

    /// Another game takes the place of this one.
    fn replace(&mut self, game: Game) {
        (self.game, self.tip) = (game, NodeId::ROOT);
        (self.finding, self.review, self.put_off, self.stopped_at) = (None, None, None, None);
        self.games += 1;
        self.losses.clear();
        self.counts.clear();
        self.known.clear();
        self.follow_main_line();
        self.leave();
    }

    fn play_at(&mut self, to: &str) -> Result<(), String> {
        match vertex::parse(to, self.game.size()) {
            Some(Vertex::On(mv)) => self.play(mv),
            _ => Err("That is no point of this board.".into()),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over. Take moves back, or begin another game.".into());
        }
        if self.due.is_some() {
            return Err("It is Kosumi's turn.".into());
        }
        let color = self.to_move();
        if let Err(reason) = self.game.play(color, mv) {
            let text = say::capital(refusal(self.game.position(), color, mv, reason));
            let what = if reason == IllegalMove::GameOver { "" } else { "That move is illegal. " };
            return Err(format!("{what}{text}."));
        }
        if let Some(since) = self.since {
            let used = self.time.since(since);
            self.clocks[color.index()].spend(used);
        }
        self.put_off = None;
        self.say(format!("{}: {}.", say::capital(color), vertex::of_move(mv, self.game.size())));
        self.follow_main_line();
        self.leave();
        self.ask_for_move();
        self.start_clock();
        Ok(())
    }

    /// Asks the engine for a move if it is its turn, or for a count at the end.
    pub(super) fn ask_for_move(&mut self) {
        if self.game.position().is_over() {
            self.wants_count = true;
        } else if self.kosumi == Some(self.to_move()) {
            self.due = self.kosumi;
        }
    }

    fn undo(&mut self, wanted: usize) -> Result<(), String> {
        if self.loss_here().is_some_and(|(color, loss)| loss == Loss::Resigned && Some(color) != self.kosumi)
            && wanted == 1
        {
            self.losses.remove(&self.game.cursor());
            self.say("You go on with the game.".into());
            self.leave();
            self.ask_for_move();
            self.start_clock();
            return Ok(());
        }
        let (mut count, mut own) = (0, 0);
        for (color, _) in self.game.moves().iter().rev() {
            if own == wanted {
                break;
            }
            count += 1;
            own += usize::from(Some(*color) != self.kosumi);
        }
        if own < wanted {
            return Err("There is no move of yours that could be taken back.".into());
        }
        self.charge();
        let lost_at = self.game.cursor();
        let no_time = matches!(self.loss_here(), Some((_, Loss::Time)));
        self.game.undo(count).map_err(|error| format!("{}.", say::capital(error)))?;
        self.losses.remove(&lost_at);
        self.put_off = None;
        self.tip = self.game.cursor();
        self.say(if count == 1 { "One move is taken back.".into() } else { format!("{count} moves are taken back.") });
        if no_time && self.clocks.iter().any(|clock| clock.left().is_some_and(|(left, _)| left.is_zero())) {
            self.clocks = [Clock::new(TimeControl::Unlimited); 2];
            self.say("The time is over, so the game goes on without a clock.".into());
        }
        self.leave();
        self.start_clock();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        self.must_go_on()?;
        let loser = self.kosumi.map_or(self.to_move(), Color::other);
        self.lose(loser, Loss::Resigned);
        self.move_on()
    }

    pub(super) fn lose(&mut self, loser: Color, loss: Loss) {
        self.losses.insert(self.game.cursor(), (loser, loss));
        // Whoever wants an analysis of the end says so again: nobody may look at the page any more.
        self.is_analyzing &= loss != Loss::Time;
        self.say(result_of_loss(loser, loss).1);
        self.leave();
    }

    fn set_level(&mut self, level: Level) -> Result<(), String> {
        (self.level, self.level_begins_as) = (level, level);
        self.say(format!("From now on Kosumi plays at level {}.", self.level_in_words()));
        self.change()
    }

    /// The level, with what it plays like on this board where this is not what the level says.
    fn level_in_words(&self) -> String {
        Standing::in_words(self.level, self.game.size(), &self.defaults.nets)
    }

    fn toggle(&mut self, at: &str) -> Result<(), String> {
        let size = self.game.size();
        let Some(Vertex::On(Move::Play(point))) = vertex::parse(at, size) else {
            return Err("That is no point of this board.".into());
        };
        let cursor = self.game.cursor();
        let Some(count) = self.counts.get_mut(&cursor) else {
            return Err("Let the game be counted first.".into());
        };
        count.toggle(&self.game, point)?;
        let now = if count.statuses().dead.contains(point) { "dead" } else { "alive" };
        let outcome = count.outcome(&self.game);
        self.say(format!("{} is {now} now. {}", vertex::of(point, size), say::outcome(outcome)));
        self.change()
    }

    fn begin_review(&mut self, time: f64) -> Result<(), String> {
        if !SECONDS.contains(&time) {
            return Err(format!("A position takes {} to {} seconds.", SECONDS.start(), SECONDS.end()));
        }
        let (rules, komi) = (*self.game.rules(), Some(self.game.komi()));
        let course = Course::new(self.record(false), rules, komi, "game", Duration::from_secs_f64(time));
        let course = course.map_err(|error| format!("There is nothing to review: {error}."))?;
        self.reviews += 1;
        self.review = Some(Reviewing::new(course, Duration::from_secs_f64(time), self.reviews));
        self.say("The review has begun.".into());
        self.want_more()
    }

    /// The game along the line that is shown, with the line's result, whatever position of the line is on view. `whole`
    /// adds the moves behind the line, which were taken back. A line that has a result ends with it.
    pub(super) fn record(&self, whole: bool) -> Record {
        let mut game = self.game.clone();
        // The line has been followed before.
        let _ = game.go_to(self.tip);
        // A side may have given up where the record has further moves.
        let losses = || self.game.record().ancestors(self.tip).find_map(|node| self.losses.get(&node));
        let lost = || losses().map(|&(loser, loss)| result_of_loss(loser, loss));
        let result = self.result_in(&game).or_else(lost).map(|(short, _)| short);
        let mut record = match &result {
            None if whole => game.to_whole_record(None),
            _ => game.to_record(result.as_deref()),
        };
        if result.is_some() || !whole {
            record.retain_children(self.tip, |_| false);
        }
        if let Some(kosumi) = self.kosumi {
            names::write(&mut record, kosumi, self.level);
        }
        record
    }

    /// The side to move.
    pub(super) fn to_move(&self) -> Color {
        self.game.position().to_move()
    }

    /// Is the game over at the present position?
    pub(super) fn is_over(&self) -> bool {
        self.loss_here().is_some() || self.game.position().is_over()
    }

    pub(super) fn loss_here(&self) -> Option<(Color, Loss)> {
        self.losses.get(&self.game.cursor()).copied()
    }

    fn must_go_on(&self) -> Result<(), String> {
        if self.is_over() { Err("The game is over.".into()) } else { Ok(()) }
    }

    /// The result at the present position: as SGF has it, and as a sentence.
    pub(super) fn result(&self) -> Option<(String, String)> {
        self.result_in(&self.game)
    }

    /// The result at the position of this game, or of a copy that has gone to another node.
    fn result_in(&self, game: &Game) -> Option<(String, String)> {
        if let Some(&(loser, loss)) = self.losses.get(&game.cursor()) {
            return Some(result_of_loss(loser, loss));
        }
        if game.position().is_over()
            && let Some(count) = self.counts.get(&game.cursor())
        {
            let outcome = count.outcome(game);
            return Some((outcome.to_string(), say::outcome(outcome)));
        }
        let recorded = game.recorded_result()?;
        Some((recorded.into(), format!("The record says {recorded}.")))
    }

    /// The count of the present position.
    pub(super) fn count(&self) -> Option<&Count> {
        self.counts.get(&self.game.cursor())
    }

    /// The findings about the present position.
    pub(super) fn finding(&self) -> Option<&Finding> {
        self.finding.as_ref().filter(|(node, _)| *node == self.game.cursor()).map(|(_, finding)| finding)
    }

    /// Black's win rate and lead at a node.
    pub(super) fn known(&self, node: NodeId) -> Option<(f64, f64)> {
        self.known.get(&node).copied()
    }

    /// The review.
    pub(super) fn review(&self) -> Option<&Reviewing> {
        self.review.as_ref()
    }

    /// The last sentences, each with its number.
    pub(super) fn log(&self) -> impl Iterator<Item = &(u64, String)> {
        self.log.iter()
    }

    /// Is the engine to move?
    pub(super) fn is_due(&self) -> bool {
        self.due.is_some()
    }

    pub(super) fn say(&mut self, text: String) {
        self.logged += 1;
        self.log.push_back((self.logged, text));
        if self.log.len() > LOG {
            self.log.pop_front();
        }
    }

    /// Something is different, but the engine's work goes on.
    fn change(&mut self) -> Result<(), String> {
        self.revision += 1;
        Ok(())
    }

    /// Something else is wanted of the engine. An analysis ends for it; a move that the engine is thinking of goes on.
    fn want_more(&mut self) -> Result<(), String> {
        if self.is_due() { self.change() } else { self.move_on() }
    }

    /// Something is different, and the engine's work begins anew.
    fn move_on(&mut self) -> Result<(), String> {
        self.epoch += 1;
        self.change()
    }

    /// The present position is another one. What was wanted for the position before is wanted no more.
    pub(super) fn leave(&mut self) {
        self.epoch += 1;
        self.revision += 1;
        (self.due, self.wants_hint, self.wants_count, self.since) = (None, false, false, None);
    }
}

/// A new game with so many handicap stones.
///
/// # Errors
/// Why the board cannot have them.
fn new_game(size: Size, rules: Ruleset, komi: Option<Komi>, stones: usize) -> Result<Game, String> {
    let mut game = Game::new(size, rules, komi);
    if stones > 0 {
        let points = handicap::free(size, stones)
            .ok_or_else(|| format!("No handicap: {}.", handicap::no_free_handicap(size, stones)))?;
        game.place_handicap(&points).map_err(|error| format!("No handicap: {error}."))?;
    }
    Ok(game)
}

/// The result when a side has lost before the end: as SGF has it, and as a sentence.
fn result_of_loss(loser: Color, loss: Loss) -> (String, String) {
    let winner = loser.other();
    let (letter, how) = if loss == Loss::Time { ('T', "on time") } else { ('R', "by resignation") };
    (format!("{}+{letter}", winner.letter()), format!("{} wins {how}.", say::capital(winner)))
}
