//! The table at which the person and the engine sit: it carries out orders and says what happens.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::engine::{Decision, Engine, EngineError, Interest, Level};
use crate::game::Game;
use crate::go::{Color, IllegalMove, Move, Point, Size, handicap, score};
use crate::view::{View, refusal};
use crate::{file, sgf};

use super::board::{Marks, last_point, legend, picture};
use super::names;
use super::order::{Order, WORDS};
use super::say;
use super::settings::Settings;

/// The game with all that belongs to it.
pub(super) struct Table<W> {
    engine: Engine,
    settings: Settings,
    /// The person's side and the level of games that the person begins. A loaded game may have others.
    usual: (Color, Level),
    out: W,
    /// The side that has given up.
    resigned: Option<Color>,
    /// The files that this session has written, or has warned of.
    known_files: Vec<PathBuf>,
}

/// What stays on the line of a terminal while the engine thinks.
const THINKING: &str = "Kosumi thinks ...";
/// Goes back to the start of the line and writes blanks over [`THINKING`].
/// It needs no escape sequence, because a terminal without colours may know none.
const CLEAR_LINE: &str = "\r                 \r";

impl<W: Write> Table<W> {
    pub(super) fn new(engine: Engine, settings: Settings, out: W) -> Table<W> {
        let usual = (settings.person, engine.options().level);
        Table { engine, settings, usual, out, resigned: None, known_files: Vec::new() }
    }

    /// Welcomes the person and begins the game with these handicap stones.
    pub(super) fn begin(&mut self, stones: &[Point]) -> io::Result<()> {
        let person = self.settings.person;
        let level = self.engine.options().level;
        let strength =
            if level == Level::Max { "at full strength".into() } else { format!("at level {}", self.level_in_words()) };
        self.say(&format!("Kosumi {} plays {strength}. You play {person}.", env!("CARGO_PKG_VERSION")))?;
        self.say("Type a point such as D4 to play there. \"help\" lists what else you can type.")?;
        self.place(stones)?;
        self.go_on()
    }

    /// The level, and in brackets what it plays like where this is not what the level says.
    fn level_in_words(&mut self) -> String {
        let _ = self.engine.news_of_level();
        self.engine.level_in_words()
    }

    /// Says what the level plays like after another board has come on the table.
    fn say_news_of_level(&mut self) -> io::Result<()> {
        let Some(standing) = self.engine.news_of_level() else { return Ok(()) };
        self.say(&format!("On this board level {} {standing}.", standing.asked))
    }

    /// Puts the handicap stones on the empty board.
    fn place(&mut self, stones: &[Point]) -> io::Result<()> {
        if !stones.is_empty()
            && let Err(error) = self.engine.game_mut().place_handicap(stones)
        {
            return self.say(&format!("No handicap: {error}."));
        }
        Ok(())
    }

    /// Carries out an order. Returns whether the session goes on.
    pub(super) fn obey(&mut self, order: Order) -> io::Result<bool> {
        match order {
            Order::GoOn if !self.is_over() => self.go_on()?,
            Order::GoOn | Order::Board => self.show_board()?,
            Order::Move(mv) => self.play(mv)?,
            Order::Undo(count) => self.undo(count)?,
            Order::Hint => self.hint()?,
            Order::Score => self.score()?,
            Order::Level(None) => {
                let level = self.level_in_words();
                self.say(&format!("I play at level {level}."))?;
            }
            Order::Level(Some(level)) => {
                self.engine.set_level(level);
                self.usual.1 = level;
                let level = self.level_in_words();
                self.say(&format!("From now on I play at level {level}."))?;
            }
            Order::Save(name) => self.save(&name)?,
            Order::Load(name) => self.load(&name)?,
            Order::New(size) => self.new_game(size)?,
            Order::Resign => self.resign()?,
            Order::Help => self.help()?,
            Order::Quit => return Ok(false),
            Order::Unknown(text) => {
                let end = if text.ends_with('?') { "" } else { "." };
                self.say(&format!("{}{end}", say::capital(text)))?;
            }
        }
        Ok(true)
    }

    /// Asks for the next line. In a terminal the line stays open for the answer.
    pub(super) fn prompt(&mut self) -> io::Result<()> {
        let text = match self.is_over() {
            true => "The game is over (undo, save, new, quit): ".into(),
            false => {
                let game = self.engine.game();
                let (number, to_move) = (game.move_count() + 1, game.position().to_move());
                // It is not the person's turn after a search that failed, and in a loaded game that has a result.
                let who = if to_move == self.settings.person { "you" } else { "Return lets Kosumi move" };
                format!("Move {number}, {to_move} ({who}): ")
            }
        };
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { writeln!(self.out, "{text}") }
    }

    pub(super) fn size(&self) -> Size {
        self.engine.game().size()
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.engine.game().position().is_over()
    }

    /// The engine moves if it is its turn. Then the board is shown, or the end of the game.
    fn go_on(&mut self) -> io::Result<()> {
        while !self.is_over() && self.engine.game().position().to_move() != self.settings.person {
            if let Err(error) = self.engine_moves()? {
                self.say(&format!("I cannot think: {error}. You can save the game, or take your move back."))?;
                break;
            }
        }
        if self.is_over() { self.end() } else { self.show_board() }
    }

    fn engine_moves(&mut self) -> io::Result<Result<(), EngineError>> {
        let color = self.settings.person.other();
        if self.settings.at_terminal {
            write!(self.out, "{THINKING}")?;
            self.out.flush()?;
        }
        let interest = Interest { details: true, ..Interest::default() };
        let decision = self.engine.genmove_watched(color, &interest, &mut |_| {});
        if self.settings.at_terminal {
            write!(self.out, "{CLEAR_LINE}")?;
        }
        let decision = match decision {
            Ok((decision, _)) => decision,
            Err(error) => return Ok(Err(error)),
        };
        let text = match decision {
            Decision::Move(Move::Pass) => "Kosumi passes.".into(),
            Decision::Move(_) => format!("Kosumi ({color}) plays {}.", decision.text(self.size())),
            Decision::Resign => {
                self.resigned = Some(color);
                "Kosumi resigns.".into()
            }
        };
        // A game that is over is counted; a forecast beside the count would only confuse.
        let is_over = self.is_over();
        let thought = self.engine.last_thought().filter(|thought| thought.knows_score && !is_over);
        let ahead = thought.map(|thought| say::ahead(&View::of(&thought.report, color, self.size())));
        let ahead = ahead.unwrap_or_default();
        self.say(format!("{text} {ahead}").trim_end())?;
        Ok(Ok(()))
    }

    fn play(&mut self, mv: Move) -> io::Result<()> {
        if self.is_over() {
            return self.say("The game is over. \"undo\" takes moves back, \"new\" begins another game.");
        }
        let person = self.settings.person;
        if self.engine.game().position().to_move() != person {
            return self.say(&format!("It is {}'s turn. Press Return, and Kosumi moves.", person.other()));
        }
        match self.engine.game_mut().play(person, mv) {
            Ok(()) => self.go_on(),
            Err(reason) => {
                let text = refusal(self.engine.game().position(), person, mv, reason);
                let what = if reason == IllegalMove::GameOver { "" } else { "That move is illegal. " };
                self.say(&format!("{what}{}.", say::capital(text)))
            }
        }
    }

    fn undo(&mut self, wanted: usize) -> io::Result<()> {
        if self.resigned == Some(self.settings.person) && wanted == 1 {
            self.resigned = None;
            return self.go_on();
        }
        let (mut count, mut own) = (0, 0);
        for (color, _) in self.engine.game().moves().iter().rev() {
            if own == wanted {
                break;
            }
            count += 1;
            own += usize::from(*color == self.settings.person);
        }
        if own < wanted {
            return self.say(&match own {
                0 => "You have made no move that could be taken back.".into(),
                own => format!("You have made only {own} {}.", if own == 1 { "move" } else { "moves" }),
            });
        }
        // The moves are there: they were just counted.
        if let Err(error) = self.engine.game_mut().undo(count) {
            return self.say(&format!("{}.", say::capital(error)));
        }
        self.resigned = None;
        self.go_on()
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.is_over() {
            return self.say("The game is over.");
        }
        // After a record is loaded it may be Kosumi's turn.
        let to_move = self.engine.game().position().to_move();
        let text = match self.engine.findings(to_move) {
            Ok(report) => say::hint(&View::of(&report, to_move, self.size())),
            Err(error) => format!("I cannot think: {error}."),
        };
        self.say(&text)
    }

    fn score(&mut self) -> io::Result<()> {
        if self.is_over() {
            return self.end();
        }
        let to_move = self.engine.game().position().to_move();
        let text = match self.engine.findings(to_move) {
            Ok(report) => say::ahead(&View::of(&report, to_move, self.size())),
            Err(error) => format!("I cannot think: {error}."),
        };
        self.say(&text)?;
        if self.engine.is_open() {
            return Ok(());
        }
        let statuses = self.engine.statuses();
        let game = self.engine.game();
        let (dead, outcome) = (say::dead(game.position().board(), &statuses.dead), game.outcome(&statuses));
        self.say(&dead)?;
        self.say(&format!("If both sides passed now: {}", say::outcome(outcome)))
    }

    fn resign(&mut self) -> io::Result<()> {
        if !self.is_over() {
            self.resigned = Some(self.settings.person);
        }
        self.end()
    }

    /// Says how the game has ended.
    fn end(&mut self) -> io::Result<()> {
        if let Some(loser) = self.resigned {
            self.show_board()?;
            let winner = loser.other();
            return self.say(&format!("{} wins by resignation ({}+R).", say::capital(winner), winner.letter()));
        }
        let statuses = self.engine.statuses();
        let game = self.engine.game();
        let board = game.position().board();
        let owners = score::owners(game.position(), &statuses);
        let drawn = picture(board, &Marks { last: None, owners: Some(owners) }, self.settings.style);
        let dead = say::dead(board, &statuses.dead);
        let outcome = game.outcome(&statuses);
        let recorded = game.recorded_result().filter(|result| *result != outcome.to_string()).map(str::to_owned);
        self.say(drawn.trim_end_matches('\n'))?;
        self.say(legend(self.settings.style))?;
        self.say(&dead)?;
        self.say(&say::outcome(outcome))?;
        if let Some(result) = recorded {
            self.say(&format!("The record says {result}, and keeps it."))?;
        }
        self.say("If you see it otherwise: \"undo\" goes back, and you play on.")
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let position = game.position();
        let about = format!("{}, {} rules", say::komi(game), game.rules().name());
        let marks = Marks { last: last_point(game.moves()), owners: None };
        let drawn = picture(position.board(), &marks, self.settings.style);
        self.say(&format!("{}{about}", drawn))
    }

    /// Writes the game. A file that is there already is replaced when the person says so again.
    fn save(&mut self, name: &str) -> io::Result<()> {
        let path = Path::new(name);
        if path.is_dir() {
            return self.say(&format!("{name} is a folder. Name a file, such as {name}/game.sgf."));
        }
        if path.exists() && !self.known_files.iter().any(|known| known == path) {
            self.known_files.push(path.into());
            return self.say(&format!("{name} is there already. Type the same again to replace it."));
        }
        let resigned = self.resigned.map(|loser| format!("{}+R", loser.other().letter()));
        let result = resigned.or_else(|| self.engine.result());
        let game = self.engine.game();
        let mut record = game.to_record(result.as_deref());
        if self.resigned.is_some() {
            // Moves that were taken back before did not happen in the game that ended.
            record.retain_children(game.cursor(), |_| false);
        }
        names::write(&mut record, self.settings.person.other(), self.engine.options().level);
        match file::write(path, sgf::write(&record).as_bytes()) {
            Ok(()) => {
                self.known_files.push(path.into());
                self.say(&format!("The game is in {name}."))
            }
            Err(error) => self.say(&format!("I cannot write {name}: {error}.")),
        }
    }

    fn load(&mut self, name: &str) -> io::Result<()> {
        if Path::new(name).is_dir() {
            return self.say(&format!("{name} is a folder. Name a file, such as {name}/game.sgf."));
        }
        let loaded = file::read(Path::new(name), sgf::LONGEST).map_err(|error| error.to_string()).and_then(|bytes| {
            let (record, has_others) = sgf::read_first(&bytes).map_err(|error| error.to_string())?;
            let (rules, komi) = (*self.engine.game().chosen_rules(), self.engine.game().chosen_komi());
            let game = Game::load(record, None, rules, komi).map_err(|error| error.to_string())?;
            Ok((game, has_others))
        });
        match loaded {
            Ok((game, has_others)) => {
                self.engine.load(game);
                self.resigned = None;
                if has_others {
                    self.say(say::FIRST_OF_SEVERAL)?;
                }
                self.take_sides_of_record();
                let (person, moves) = (self.settings.person, self.engine.game().move_count());
                let (s, level) = (if moves == 1 { "" } else { "s" }, self.level_in_words());
                let kosumi = person.other();
                self.say(&format!(
                    "The game has {moves} move{s}. You play {person}, Kosumi plays {kosumi} at level {level}."
                ))?;
                // A game that has a result does not go on by itself.
                match self.engine.game().recorded_result().map(str::to_owned) {
                    Some(result) if !self.is_over() => {
                        self.show_board()?;
                        self.say(&format!("The record says {result}. If you play on, so does Kosumi."))
                    }
                    _ => self.go_on(),
                }
            }
            Err(error) => self.say(&format!("I cannot load {name}: {error}.")),
        }
    }

    /// The sides and the level are those of the record, if it names Kosumi.
    fn take_sides_of_record(&mut self) {
        let record = self.engine.game().record();
        let Some(kosumi) = names::side(record) else { return };
        let level = names::level(record, kosumi);
        self.settings.person = kosumi.other();
        if let Some(level) = level {
            self.engine.set_level(level);
        }
    }

    fn new_game(&mut self, size: Option<Size>) -> io::Result<()> {
        let size = size.unwrap_or(self.size());
        let level;
        (self.settings.person, level) = self.usual;
        self.engine.set_level(level);
        self.engine.new_game(size);
        // Another game than the last one, even if the person makes the same moves.
        self.engine.change(|options| options.seed = options.seed.wrapping_add(1));
        self.resigned = None;
        let wanted = self.settings.handicap;
        let stones = if wanted == 0 { Some(Vec::new()) } else { handicap::free(size, wanted) };
        match stones {
            Some(stones) => self.place(&stones)?,
            None => self.say(&format!("This board has no room for {wanted} handicap stones, so the game is even."))?,
        }
        self.say_news_of_level()?;
        self.go_on()
    }

    fn help(&mut self) -> io::Result<()> {
        let mut text = format!("{:<14} {}\n", "D4", "play on this point");
        for (word, arguments, meaning) in WORDS {
            text.push_str(&format!("{:<14} {meaning}\n", format!("{word} {arguments}")));
        }
        self.say(text.trim_end())
    }
}
