//! The game of a query: stones, rules and moves, and the position after some of the moves.

use crate::game::{CannotFollow, Game, LoadError};
use crate::go::{Color, IllegalMove, Komi, Move, Point, Ruleset, Size, vertex};
use crate::record::meaning::point_value;
use crate::record::{NodeId, Record};

/// The game of a query. Positions are made when they are searched: a position takes 40 KB, and many wait.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Columns and rows of the board.
    pub size: Size,
    /// The rule set.
    pub rules: Ruleset,
    /// Komi.
    pub komi: Komi,
    /// The stones before the first move. Of two stones on a point, the later one counts.
    pub stones: Vec<(Color, Point)>,
    /// The side that moves first, if the query says it.
    pub first: Option<Color>,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoGame {
    /// A chain of the initial stones has no liberty.
    #[error("Illegal stones: a chain has no liberty")]
    Stones,
    /// A move cannot be made. KataGo counts the moves from 0.
    #[error("Illegal move {0}: {1}")]
    Move(usize, String),
    /// There are too many moves, or a size or a komi that no game has.
    #[error("{0}")]
    Other(String),
}

impl Start {
    /// The game after so many of its moves. As in KataGo, moves are made that superko or the ko rule forbids, because
    /// records have them.
    ///
    /// # Errors
    /// Why there is no such game.
    pub(super) fn game(&self, moves: usize) -> Result<Game, NoGame> {
        let record = self.record();
        let game = Game::load(record, Some(moves + 1), self.rules, Some(self.komi)).map_err(|error| match error {
            LoadError::Follow(CannotFollow::Illegal { number, .. }) => self.illegal(number.saturating_sub(1)),
            LoadError::Follow(CannotFollow::Setup) => NoGame::Stones,
            other => NoGame::Other(other.to_string()),
        })?;
        match self.first_illegal(&game, moves) {
            Some(index) => Err(self.illegal(index)),
            None => Ok(game),
        }
    }

    /// The first move that the game has made although no record should have it. A record may be of a game under other
    /// rules, so KataGo tolerates what ko, superko and suicide of several stones forbid.
    fn first_illegal(&self, game: &Game, moves: usize) -> Option<usize> {
        let record = game.record();
        let forbidden: Vec<_> = record.main_line().skip(1).take(moves).map(|node| record.forbidden(node)).collect();
        // The board is needed for suicides alone.
        let has_suicide = forbidden.contains(&Some(IllegalMove::Suicide));
        let mut board = has_suicide.then(|| game.start().board().clone());
        let is_illegal = |(index, &reason): (usize, &Option<IllegalMove>)| {
            let mut takes_several_off = false;
            if let (Some(board), Some(&(color, Move::Play(point)))) = (&mut board, self.moves.get(index)) {
                takes_several_off = board.adjacent(point).iter().any(|&beside| board.cell(beside) == color.cell());
                board.place(color, point);
            }
            match reason {
                None | Some(IllegalMove::Ko | IllegalMove::Superko | IllegalMove::GameOver) => false,
                Some(IllegalMove::Suicide) => !takes_several_off,
                Some(_) => true,
            }
        };
        forbidden.iter().enumerate().position(is_illegal)
    }

    fn illegal(&self, index: usize) -> NoGame {
        let place = self.moves.get(index).map_or_else(String::new, |&(_, mv)| vertex::of_move(mv, self.size));
        NoGame::Move(index, place)
    }

    fn record(&self) -> Record {
        let mut record = Record::new(self.size);
        let mut values = [const { Vec::new() }; 2];
        for (i, &(color, point)) in self.stones.iter().enumerate() {
            if !self.stones[i + 1..].iter().any(|&(_, later)| later == point) {
                values[color.index()].push(point_value(point, self.size));
            }
        }
        for (name, values) in ["AB", "AW"].iter().zip(&values) {
            if !values.is_empty() {
                record.set(NodeId::ROOT, name, &values.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        let [black, white] = values;
        let handicap = if white.is_empty() && black.len() >= 2 { black.len() } else { 0 };
        if handicap > 0 {
            record.set(NodeId::ROOT, "HA", &[&handicap.to_string()]);
        }
        let usual = if handicap > 0 { Color::White } else { Color::Black };
        let first = self.first.or(self.moves.first().map(|&(color, _)| color)).unwrap_or(usual);
        record.set(NodeId::ROOT, "PL", &[&first.letter().to_string()]);
        let mut node = NodeId::ROOT;
        for &(color, mv) in &self.moves {
            node = record.add_move(node, color, mv, self.size);
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{CHINESE, NEW_ZEALAND};

    fn start(stones: &str, moves: &str) -> Start {
        let read = |text: &str| {
            let words = text.split_whitespace();
            let pair = |word: &str| {
                let color = Color::by_name(&word[..1]).expect("a side");
                let Some(vertex::Vertex::On(mv)) = vertex::parse(&word[1..], 9) else { panic!("{word}") };
                (color, mv)
            };
            words.map(pair).collect::<Vec<_>>()
        };
        let stones = read(stones).into_iter().filter_map(|(color, mv)| mv.point().map(|point| (color, point)));
        Start {
            size: 9.into(),
            rules: CHINESE,
            komi: Komi::from_half_points(15),
            stones: stones.collect(),
            first: None,
            moves: read(moves),
        }
    }

    #[test]
    fn suicide_of_several_stones_is_tolerated_and_of_one_is_not() {
        let several = start("", "wA2 bA1 wB2 bE5 wC1 bB1 wE4");
        let board = several.game(7).expect("a game").position().board().clone();
        assert_eq!(board.stones(Color::Black), 1, "A1 and B1 are off");
        let after_several = start("", "wA2 bA1 wB2 bE5 wC1 bB1 wE4 bE3 wJ8 bE6 wH9 bJ9");
        assert_eq!(after_several.game(12).map(|game| game.moves().len()), Err(NoGame::Move(11, "J9".into())));
        let one = start("", "wA2 bE5 wB1 bA1");
        assert_eq!(one.game(3).map(|game| game.moves().len()), Ok(3));
        assert_eq!(one.game(4).map(|game| game.moves().len()), Err(NoGame::Move(3, "A1".into())));
    }

    #[test]
    fn the_side_to_move_follows_from_stones_and_moves() {
        let to_move = |start: &Start, moves| start.game(moves).expect("a game").position().to_move();
        assert_eq!(to_move(&start("", ""), 0), Color::Black);
        assert_eq!(to_move(&start("bC3 bG7", ""), 0), Color::White);
        assert_eq!(to_move(&start("bC3 wG7", ""), 0), Color::Black);
        assert_eq!(to_move(&start("", "wC3"), 0), Color::White);
        assert_eq!(to_move(&start("", "bC3 bD4"), 2), Color::White, "out of turn");
        let named = Start { first: Some(Color::Black), ..start("bC3 bG7", "") };
        assert_eq!(to_move(&named, 0), Color::Black);
    }

    #[test]
    fn handicap_stones_count_for_white() {
        let handicap = |stones, moves: &str| start(stones, moves).game(9).expect("a game").handicap();
        assert_eq!(handicap("bC3 bG7 bC7", ""), 3);
        assert_eq!(handicap("bC3", ""), 0);
        assert_eq!(handicap("bC3 bG7 wE5", ""), 0);
        assert_eq!(handicap("", "bC3 bG7 wE5 bE4"), 2);
        let game = start("bC3 bG7 bC7", "").game(0).expect("a game");
        assert_eq!(game.total_komi(), game.komi().plus(3));
    }

    #[test]
    fn moves_that_cannot_be_made_are_named_from_0() {
        let illegal = |index, place: &str| Some(NoGame::Move(index, place.into()));
        assert_eq!(start("", "bC3 wC3").game(2).err(), illegal(1, "C3"));
        assert_eq!(start("", "bC3 wC3").game(1).err(), None, "the move is not made");
        let suicide = start("wA2 wB1", "wpass bA1");
        assert_eq!(suicide.game(2).err(), illegal(1, "A1"));
        assert_eq!(Start { rules: NEW_ZEALAND, ..suicide }.game(2).err(), None);
        assert_eq!(start("bA1 wA2 wB1", "").game(0).err(), Some(NoGame::Stones));
        // Records have moves that the ko rule forbids.
        assert_eq!(start("bA2 bB1 wC1 wB2", "wA1 bB1").game(2).err(), None);
        // The later of two stones counts.
        let board = start("bA1 wA1", "").game(0).expect("a game");
        assert_eq!(board.position().board().cell(Point::new(0, 0, 9)).color(), Some(Color::White));
    }
}
