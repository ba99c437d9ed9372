//! Who has won a game that was played to its end: our count, and the score of a second referee.

use crate::clock::TimeControl;
use crate::engine::{Engine, EngineOptions, Interrupt};
use crate::game::Game;
use crate::go::rules::DeadStones;
use crate::go::{Outcome, Statuses};
use crate::search::{self, searcher::StartError};

use super::player::Player;
use super::record::Opinion;
use super::settings::{Counting, EngineCommand, Settings};

/// Memory of the referee's search in MiB. The referee counts, and seldom searches.
const MEMORY: usize = 32;

/// The referee of a thread.
#[derive(Debug)]
pub struct Judge {
    engine: Engine,
    settings: Settings,
    second_player: Option<Player>,
    /// Has the second referee been started once?
    is_ready: bool,
}

impl Judge {
    /// A referee for this match.
    ///
    /// # Errors
    /// If the system refuses the referee's memory, or a thread.
    pub fn new(settings: &Settings) -> Result<Judge, StartError> {
        let search =
            search::SearchOptions { memory: MEMORY, time: settings.time.clone(), ..search::SearchOptions::default() };
        let (size, komi, rules) = (settings.size, settings.komi, settings.rules);
        let options = EngineOptions { search, size, komi, rules, ..EngineOptions::default() };
        Ok(Judge {
            engine: Engine::new(options, Interrupt::default())?,
            settings: settings.clone(),
            second_player: None,
            is_ready: false,
        })
    }

    /// Counts a game as its rule set wants it.
    pub fn count(&mut self, game: &Game) -> Outcome {
        let as_it_stands = self.settings.counting == Counting::AsItStands
            || game.rules().dead_stones == DeadStones::Stand
            || game.position().is_cycle()
            || game.position().first_to_capture().is_some();
        if as_it_stands {
            return game.outcome(&Statuses::ALL_ALIVE);
        }
        self.engine.load(game.clone());
        self.engine.outcome()
    }

    /// Starts the second referee before the first game of this thread, if there is one, and shows it the opening. A
    /// match whose second referee cannot take part would be played for nothing.
    ///
    /// # Errors
    /// A message if the second referee cannot be started, or cannot have the game.
    pub fn make_ready(&mut self, opening: &Game, number: usize) -> Result<(), String> {
        let Some(command) = self.settings.referee.clone().filter(|_| !self.is_ready) else { return Ok(()) };
        let mut player = Player::start(&command, number, &self.settings)?;
        player
            .prepare(opening, TimeControl::Unlimited)
            .map_err(|fault| format!("the second referee cannot count game {number}: {fault}"))?;
        self.second_player = Some(player);
        self.is_ready = true;
        Ok(())
    }

    /// The score of the second referee; `None` if there is no second referee.
    pub fn second_opinion(&mut self, game: &Game, number: usize, ours: &str) -> Option<Opinion> {
        let command = self.settings.referee.clone()?;
        match self.ask_second(&command, game, number) {
            Ok(result) => {
                Some(Opinion { agrees: margin(&result).is_some_and(|theirs| Some(theirs) == margin(ours)), result })
            }
            Err(error) => {
                // A new process starts at the next game.
                self.second_player = None;
                Some(Opinion::failed(&error))
            }
        }
    }

    fn ask_second(&mut self, command: &EngineCommand, game: &Game, number: usize) -> Result<String, String> {
        let player = match &mut self.second_player {
            Some(player) => player,
            vacant => vacant.insert(Player::start(command, number, &self.settings)?),
        };
        player.prepare(game, TimeControl::Unlimited).map_err(|fault| fault.to_string())?;
        player.ask("final_score").map_err(|fault| fault.to_string())
    }

    /// Ends the second referee's process.
    pub fn quit(self) {
        if let Some(player) = self.second_player {
            player.quit();
        }
    }
}

/// The margin of a result in thousandths of a point, positive for Black; `None` if the result states none.
fn margin(result: &str) -> Option<i64> {
    let word = result.split_whitespace().next()?.to_ascii_uppercase();
    if matches!(word.as_str(), "0" | "DRAW" | "JIGO") {
        return Some(0);
    }
    let (sign, points) = match word.split_once('+')? {
        ("B" | "BLACK", points) => (1.0, points),
        ("W" | "WHITE", points) => (-1.0, points),
        _ => return None,
    };
    let points: f64 = points.parse().ok()?;
    Some((sign * points * 1000.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::margin;

    #[test]
    fn results_of_referees() {
        assert_eq!(margin("B+12.5"), Some(12500));
        assert_eq!(margin("w+3.0 (upper bound: 3, lower: 3)"), Some(-3000));
        assert_eq!(margin("0"), margin("B+0"));
        assert_eq!(margin("B+R"), None);
        assert_eq!(margin(""), None);
    }
}
