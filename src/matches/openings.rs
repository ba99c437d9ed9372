//! Where games begin: the empty board, games from files, or random moves that leave the game about even.
//!
//! Games 1 and 2 have the same opening with colours exchanged, so have games 3 and 4, and so on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::Rng as _;

use crate::file;
use crate::game::Game;
use crate::go::shape::is_self_atari;
use crate::go::vertex::{self, Vertex};
use crate::go::{Color, Komi, Move, Point, Ruleset, Size};
use crate::playout::{Rng, stream};
use crate::record::Record;
use crate::search::{self, Request, Search, SearchError};
use crate::sgf::{self, SgfError};

use super::settings::{OpeningSource, Settings};

/// The openings of a match.
#[derive(Debug)]
pub struct Openings {
    size: Size,
    rules: Ruleset,
    komi: Option<Komi>,
    seed: u64,
    loaded: Loaded,
    /// Set when somebody stops the match.
    stop: Arc<AtomicBool>,
}

/// What the settings name, read and checked.
#[derive(Debug)]
enum Loaded {
    /// Openings with their names.
    Known(Vec<(String, Game)>),
    /// Random moves, of both sides together.
    Random { plies: usize },
}

/// The number of random openings that are drawn. The most even one is taken. This number and those below are guesses.
const TRIES: u64 = 16;

/// An opening is even enough if its win rate is this near to one half.
const EVEN: f32 = 0.08;

/// Memory of the search that judges random openings, in MiB.
const MEMORY: usize = 16;

/// Playouts that judge a random opening.
const JUDGE_PLAYOUTS: u64 = 400;

impl Openings {
    /// Reads what the settings name.
    ///
    /// # Errors
    /// A message if a file cannot be read or is no opening for this match.
    pub fn load(settings: &Settings) -> Result<Openings, String> {
        let mut openings = Openings {
            size: settings.size,
            rules: settings.rules,
            komi: settings.komi,
            seed: settings.seed,
            loaded: Loaded::Known(Vec::new()),
            stop: Arc::clone(&settings.stop),
        };
        openings.loaded = match &settings.openings {
            OpeningSource::Empty => Loaded::Known(vec![("empty".into(), openings.empty())]),
            OpeningSource::Path { path, moves } => Loaded::Known(openings.read(path, *moves)?),
            OpeningSource::Random { plies } => Loaded::Random { plies: *plies },
        };
        Ok(openings)
    }

    /// How many different openings there are; `None` if there is no limit.
    pub fn count(&self) -> Option<usize> {
        match &self.loaded {
            Loaded::Known(list) => Some(list.len()),
            Loaded::Random { .. } => None,
        }
    }

    /// The opening of a game (counted from 1): its name, and the game so far.
    ///
    /// # Errors
    /// If a random opening cannot be judged, because the system refuses memory or threads.
    pub fn of_game(&self, game: usize) -> Result<(String, Game), String> {
        let pair = game.saturating_sub(1) / 2;
        Ok(match &self.loaded {
            // `read` gives no empty list.
            Loaded::Known(list) => {
                list.get(pair % list.len().max(1)).cloned().unwrap_or_else(|| ("empty".into(), self.empty()))
            }
            Loaded::Random { plies } => (format!("random {}", pair + 1), self.random(*plies, pair as u64)?),
        })
    }

    fn empty(&self) -> Game {
        Game::new(self.size, self.rules, self.komi)
    }

    fn read(&self, path: &Path, moves: Option<usize>) -> Result<Vec<(String, Game)>, String> {
        let at = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let is_sgf = |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("sgf"));
        let mut list = Vec::new();
        if path.is_dir() || is_sgf(path) {
            let mut files = vec![path.to_path_buf()];
            if path.is_dir() {
                let entries = std::fs::read_dir(path).map_err(|error| at(path, &error))?;
                let all: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
                files = all.map_err(|error| at(path, &error))?.into_iter().filter(|file| is_sgf(file)).collect();
                files.sort();
            }
            for file in files {
                let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                let bytes = bytes_of(&file).map_err(|error| at(&file, &error))?;
                let games = self.read_sgf(&bytes, moves).map_err(|error| at(&file, &error))?;
                let is_alone = games.len() == 1;
                let numbered = |number: usize| if is_alone { name.clone() } else { format!("{name} {number}") };
                list.extend(games.into_iter().enumerate().map(|(i, game)| (numbered(i + 1), game)));
            }
        } else {
            let bytes = bytes_of(path).map_err(|error| at(path, &error))?;
            for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
                let line = line.split('#').next().unwrap_or_default().trim();
                if !line.is_empty() {
                    let name = format!("line {}", index + 1);
                    let game =
                        self.read_line(line, moves).map_err(|error| format!("{}, {name}: {error}", path.display()))?;
                    list.push((name, game));
                }
            }
        }
        match list.iter().find(|(_, game)| game.position().is_over()) {
            Some((name, _)) => Err(at(path, &format!("the game {name} is over at its end; --opening-moves cuts it"))),
            None if list.is_empty() => Err(at(path, &"no openings are there")),
            None => Ok(list),
        }
    }

    /// The openings of all games in an SGF text.
    fn read_sgf(&self, bytes: &[u8], moves: Option<usize>) -> Result<Vec<Game>, String> {
        let records = sgf::read_all(bytes).map_err(|error| error.to_string())?;
        let is_alone = records.len() == 1;
        let one = |(i, record): (usize, Result<Record, SgfError>)| {
            let game = record.map_err(|error| error.to_string()).and_then(|record| self.opening(record, moves));
            game.map_err(|why| if is_alone { why } else { format!("game {}: {why}", i + 1) })
        };
        records.into_iter().enumerate().map(one).collect()
    }

    fn opening(&self, record: Record, moves: Option<usize>) -> Result<Game, String> {
        let until = moves.map(|n| n.saturating_add(1));
        let mut game = Game::load(record, until, self.rules, None).map_err(|error| error.to_string())?;
        if game.size() != self.size {
            return Err(format!("its board is {0:#}, that of the match {1:#}", game.size(), self.size));
        }
        game.set_rules(self.rules).map_err(|error| error.to_string())?;
        game.set_komi(self.komi.unwrap_or_else(|| self.rules.default_komi(self.size, game.handicap())));
        Ok(game)
    }

    /// Moves in turn, Black first: `D4 Q16`, or with colours, commas, or the word `play`: `play B D4, W Q16`.
    fn read_line(&self, line: &str, moves: Option<usize>) -> Result<Game, String> {
        let mut game = self.empty();
        let mut color = None;
        for word in line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty()) {
            if moves.is_some_and(|most| game.moves().len() >= most) {
                break;
            }
            if word.eq_ignore_ascii_case("play") {
                continue;
            }
            if let Some(named) = Color::by_name(word) {
                color = Some(named);
                continue;
            }
            let Some(Vertex::On(mv)) = vertex::parse(word, self.size) else {
                return Err(format!("\"{word}\" is no point of the board"));
            };
            let turn = color.take().unwrap_or_else(|| game.position().to_move());
            game.play(turn, mv).map_err(|reason| format!("{word} is illegal: {reason}"))?;
        }
        Ok(game)
    }

    /// The most even of some random openings. A pair of games gets the same opening each time.
    ///
    /// # Errors
    /// If the system refuses the memory or the thread for the search that judges them.
    fn random(&self, plies: usize, pair: u64) -> Result<Game, String> {
        let options = search::SearchOptions { memory: MEMORY, ..search::SearchOptions::default() };
        let mut search = Search::new(options).map_err(|error| error.to_string())?;
        let mut rng = stream(self.seed, pair);
        let mut best: Option<(f32, Game)> = None;
        for _ in 0..TRIES {
            let game = self.draw(plies, &mut rng);
            let unevenness = unevenness(&mut search, &game, self.seed).map_err(|error| error.to_string())?;
            if best.as_ref().is_none_or(|(least, _)| unevenness < *least) {
                best = Some((unevenness, game));
            }
            if unevenness < EVEN || self.stop.load(Relaxed) {
                break;
            }
        }
        Ok(best.map_or_else(|| self.empty(), |(_, game)| game))
    }

    fn draw(&self, plies: usize, rng: &mut Rng) -> Game {
        let mut game = self.empty();
        for _ in 0..plies {
            let color = game.position().to_move();
            let mut left = self.candidates(&game, color);
            // If superko forbids the move, another one is drawn.
            let played = std::iter::from_fn(|| {
                (!left.is_empty()).then(|| left.swap_remove((rng.next_u64() % left.len() as u64) as usize))
            })
            .any(|point| game.play(color, Move::Play(point)).is_ok());
            if !played || game.position().is_over() {
                break;
            }
        }
        if game.position().is_over() { self.empty() } else { game }
    }

    /// Legal plays that are no self-atari and not on the lines next to the edge where there is room.
    fn candidates(&self, game: &Game, color: Color) -> Vec<Point> {
        let size = self.size;
        let inner = |at: usize, side: usize| {
            let low = match side {
                0..=4 => 0,
                5..=8 => 1,
                _ => 2,
            };
            (low..side - low).contains(&at)
        };
        let position = game.position();
        position
            .board()
            .points()
            .filter(|p| inner(p.column(size), size.width()) && inner(p.row(size), size.height()))
            .filter(|&p| position.is_legal_but_superko(p) && !is_self_atari(position.board(), color, p))
            .collect()
    }
}

/// The bytes of a file. A file that is longer than a record may be is refused, also as a list of moves.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = file::read(path, sgf::LONGEST)?;
    if bytes.len() > sgf::LONGEST {
        let message = format!("the file is longer than {} MiB", sgf::LONGEST >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// How far from one half a short search sees the win rate.
fn unevenness(search: &mut Search, game: &Game, seed: u64) -> Result<f32, SearchError> {
    search.forget();
    let mut request = Request::new(game.position().clone(), game.total_komi().half_points());
    request.limits.playouts = Some(JUDGE_PLAYOUTS);
    request.history.moves = game.moves().to_vec();
    request.seed = seed;
    Ok((search.run_alone(&request)?.value - 0.5).abs())
}
