//! Plays the missing games of a match, some at a time, until all are played or the sequential test is decided.

use std::collections::{HashSet, VecDeque};
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::game::Game;
use crate::go::vertex;
use crate::go::{Color, Outcome};

use super::contest::{self, Finish, Played};
use super::count::Judge;
use super::openings::Openings;
use super::player::Player;
use super::progress::Progress;
use super::record::{Ending, Row, Side};
use super::report;
use super::settings::Settings;
use super::storage::{self, Storage};
use super::tally::{self, Standing, Summary};

/// The time between two writings of the summary of a running match.
const SUMMARIZE_EVERY: Duration = Duration::from_secs(10);

/// The data that the threads of a match share.
struct MatchState {
    waiting: VecDeque<usize>,
    rows: Vec<Row>,
    standing: Standing,
    storage: Option<Storage>,
    /// When the summary was written last.
    summarized: Instant,
    progress: Progress,
    /// The refusals of every engine, so that each is reported once.
    said: HashSet<String>,
    error: Option<String>,
}

struct Match<'a> {
    settings: &'a Settings,
    openings: Openings,
    state: Mutex<MatchState>,
}

/// Plays a match and prints its summary on standard output. A match that is stopped prints the summary of the games
/// that have ended.
///
/// # Errors
/// A message if an engine cannot take part, or a file cannot be read or written. The games finished by then are kept.
pub fn run(settings: &Settings) -> Result<Summary, String> {
    let (summary, error) = play(settings)?;
    let text = if settings.json { storage::pretty(&summary)? } else { report::text(&summary) };
    // The files hold the games already, so an output that takes no text loses nothing but the table.
    let written = std::io::stdout().lock().write_all(format!("{}\n", text.trim_end()).as_bytes());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(format!("cannot write: {error}")),
        _ => {}
    }
    error.map_or(Ok(summary), Err)
}

/// Plays a match and prints nothing on standard output. The message says why games are missing, if there is a reason.
///
/// # Errors
/// As for [`run`], if not even one game was played.
pub fn play(settings: &Settings) -> Result<(Summary, Option<String>), String> {
    let openings = Openings::load(settings)?;
    let (storage, rows) = match &settings.output {
        Some(folder) => {
            let (storage, rows) = Storage::open(folder, &settings.identity())?;
            (Some(storage), rows)
        }
        None => (None, Vec::new()),
    };
    let known: HashSet<usize> = rows.iter().map(|row| row.game).collect();
    let mut standing = Standing::default();
    rows.iter().for_each(|row| standing.add(row.winner, settings.sprt.as_ref()));
    let progress = Progress::start(settings, rows.len());
    if !rows.is_empty() {
        progress.say(&match rows.len() {
            1 => "1 game is known from before".to_owned(),
            known => format!("{known} games are known from before"),
        });
    }
    if let Some(count) = openings.count().filter(|&count| count > 1 && settings.games > 2 * count) {
        progress.say(&format!("the {count} openings are used more than once: engines without chance repeat games"));
    }
    let waiting = (1..=settings.games).filter(|game| !known.contains(game)).collect();
    let summarized = settings.time.now();
    let state =
        MatchState { waiting, rows, standing, storage, summarized, progress, said: HashSet::new(), error: None };
    let game = Match { settings, openings, state: Mutex::new(state) };
    std::thread::scope(|scope| {
        for _ in 0..settings.concurrency.clamp(1, settings.games.max(1)) {
            scope.spawn(|| game.work());
        }
    });
    let state = game.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.progress.finish();
    let summary = tally::summarize(settings, &state.rows);
    if let Some(error) = state.error.as_ref().filter(|_| state.rows.is_empty()) {
        return Err(error.clone());
    }
    if let Some(storage) = &state.storage {
        storage.summarize(&summary)?;
    }
    Ok((summary, state.error))
}

impl Match<'_> {
    fn lock(&self) -> MutexGuard<'_, MatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread: plays games as long as games are missing.
    fn work(&self) {
        let mut seats = [None, None];
        let mut judge = match Judge::new(self.settings) {
            Ok(judge) => judge,
            Err(error) => {
                self.lock().error.get_or_insert(error.to_string());
                return;
            }
        };
        while let Some(number) = self.next() {
            let result = self.play(number, &mut seats, &mut judge);
            if self.settings.is_stopped() {
                // The engines end when they are dropped.
                return;
            }
            if let Err(error) = result.and_then(|(row, game)| self.keep(row, &game)) {
                self.lock().error.get_or_insert(error);
            }
        }
        seats.into_iter().flatten().for_each(Player::quit);
        judge.quit();
    }

    /// The next game, if another one is wanted.
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        let ended = state.error.is_some() || state.standing.verdict.is_some() || self.settings.is_stopped();
        if ended { None } else { state.waiting.pop_front() }
    }

    fn keep(&self, row: Row, game: &Game) -> Result<(), String> {
        let mut state = self.lock();
        let state = &mut *state;
        if let Some(storage) = &mut state.storage {
            storage.add(&row, &row.sgf(game))?;
        }
        state.standing.add(row.winner, self.settings.sprt.as_ref());
        if let Some(side) = row.at_fault() {
            let detail = row.detail.as_deref().unwrap_or_default();
            state.progress.say(&format!("game {}: {side:?} loses by {}: {detail}", row.game, row.ending.name()));
        }
        match &row.referee {
            Some(opinion) if opinion.differs() => {
                state.progress.say(&format!("game {}: {}, second referee: {}", row.game, row.result, opinion.result));
            }
            Some(opinion) => {
                let failed =
                    opinion.error().map(|error| format!("game {}: no score of the second referee: {error}", row.game));
                failed.into_iter().for_each(|failed| state.progress.say(&failed));
            }
            None => {}
        }
        state.rows.push(row);
        state.progress.show(self.settings, &state.standing);
        let now = self.settings.time.now();
        if let Some(storage) =
            state.storage.as_ref().filter(|_| now.saturating_duration_since(state.summarized) >= SUMMARIZE_EVERY)
        {
            storage.summarize(&tally::summarize(self.settings, &state.rows))?;
            state.summarized = now;
        }
        Ok(())
    }

    fn play(&self, number: usize, seats: &mut [Option<Player>; 2], judge: &mut Judge) -> Result<(Row, Game), String> {
        let start = self.settings.time.now();
        let black = if number % 2 == 1 || self.settings.a_is_black { Side::A } else { Side::B };
        let (opening, game) = self.openings.of_game(number)?;
        let opening_moves = game.moves().len();
        judge.make_ready(&game, number)?;
        for side in Side::BOTH {
            self.seat(side, number, &game, &mut seats[side.index()])?;
        }
        let [Some(a), Some(b)] = seats else { return Err("an engine has left".into()) };
        let names = [a.name().to_string(), b.name().to_string()];
        let played = contest::play(self.settings, game, [a, b], black);
        for (seat, usable) in seats.iter_mut().zip(played.usable) {
            if !usable {
                *seat = None;
            }
        }
        self.report_notices(seats);
        let Played { game, finish, shares: [a, b], .. } = played;
        let moves: Vec<String> = game.moves().iter().map(|&(_, mv)| vertex::of_move(mv, game.size())).collect();
        let (winner, result, ending, detail) = match finish {
            Finish::Lost { side, ending, detail } => {
                let winner = side.other();
                let color = if winner == black { Color::Black } else { Color::White };
                (Some(winner), format!("{}+{}", color.letter(), ending.mark()), ending, detail)
            }
            Finish::Over(ending) => {
                let outcome: Outcome = judge.count(&game);
                let winner = outcome.winner().map(|color| if color == Color::Black { black } else { black.other() });
                (winner, outcome.to_string(), ending, None)
            }
        };
        let counted = matches!(ending, Ending::Count | Ending::MoveLimit);
        let referee = if counted { judge.second_opinion(&game, number, &result) } else { None };
        let row = Row {
            game: number,
            names,
            opening,
            black,
            winner,
            result,
            ending,
            detail,
            opening_moves,
            moves: moves.join(" "),
            a,
            b,
            referee,
            seconds: self.settings.time.since(start).as_secs_f64(),
        };
        Ok((row, game))
    }

    /// Makes sure that an engine runs and has the position in which the game begins. The process of an engine that was
    /// started for an earlier game may have ended since. Such an engine is started once more.
    fn seat(&self, side: Side, number: usize, game: &Game, seat: &mut Option<Player>) -> Result<(), String> {
        let command = &self.settings.engines[side.index()];
        if command.changes() {
            seat.take().into_iter().for_each(Player::quit);
        }
        loop {
            let fresh = seat.is_none();
            let player = match seat {
                Some(player) => player,
                None => seat.insert(Player::start(command, number, self.settings)?),
            };
            match player.prepare(game, self.settings.clock) {
                Ok(()) => return Ok(()),
                Err(fault) if fresh => return Err(format!("{side:?} cannot play game {number}: {fault}")),
                Err(_) => *seat = None,
            }
        }
    }

    fn report_notices(&self, seats: &mut [Option<Player>; 2]) {
        for notice in seats.iter_mut().flatten().flat_map(Player::take_notices) {
            let mut state = self.lock();
            if state.said.insert(notice.clone()) {
                state.progress.say(&notice);
            }
        }
    }
}
