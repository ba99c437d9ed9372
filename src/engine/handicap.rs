//! Dynamic komi: what the search of a handicap game adds to komi, so that it has something to play for.
//!
//! With many stones in between, nearly every playout is won or nearly every one is lost, and a search that counts wins
//! alone can hardly tell a good move from a bad one. P. Baudiš 2011 ("Balancing MCTS by dynamically adjusting the komi
//! value", ICGA Journal 34) gives the weaker side's lead a price that falls linearly to nothing ("linear handicap"). The
//! counting of games and the values that are shown know nothing of it.

use crate::game::Game;

/// What a stone more is worth in the opening, in points: twice the komi of an even game.
const STONE: f64 = 14.0;

/// Share of the lead that is compensated at the start: Baudiš's 7 points a stone are half of what it is worth.
const SHARE: f64 = 0.5;

/// Moves of the game after which nothing is left of it, as a share of the points of the board: 200 moves on 19×19, as
/// Baudiš has it.
const FADES: f64 = 200.0 / 361.0;

/// The compensation changes by so many points at a time. Each change costs the tree of the search before; a finer
/// step than the range of scores that a search has in view gains nothing. A guess.
const STEP: f64 = 4.0;

/// Points, in half points, that the search gives White besides komi at this stage of the game: 0 in an even game and late
/// in every game. `ahead` are moves that are still to come.
pub(super) fn compensation(game: &Game, ahead: usize) -> i32 {
    let stones = game.handicap();
    if stones < 2 {
        return 0;
    }
    // White moves first, which is half a stone.
    let lead = STONE * (stones as f64 - 0.5) - game.total_komi().points();
    let last = FADES * (game.size() * game.size()) as f64;
    let left = 1.0 - (game.moves().len() + ahead) as f64 / last;
    let points = lead.max(0.0) * SHARE * left.max(0.0);
    ((points / STEP).round() * STEP * 2.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Color, Komi, Move, Point, handicap, rules};

    fn game(stones: usize, komi: f64) -> Game {
        let mut game = Game::new(19, rules::JAPANESE, Some(Komi::new(komi).expect("a komi")));
        if stones > 0 {
            let points = handicap::fixed(19, stones).expect("a handicap");
            game.place_handicap(&points).expect("an empty board");
        }
        game
    }

    #[test]
    fn an_even_game_has_none() {
        assert_eq!(compensation(&game(0, 6.5), 0), 0);
    }

    #[test]
    fn it_is_half_of_the_lead_at_first_and_fades() {
        let mut game = game(9, 0.5);
        let first = compensation(&game, 0);
        assert_eq!(first, 2 * 60);
        let mut before = first;
        for number in 0..200 {
            let color = if number % 2 == 0 { Color::White } else { Color::Black };
            let points: Vec<Point> = game.position().board().points().collect();
            assert!(points.into_iter().any(|p| game.play(color, Move::Play(p)).is_ok()));
            let now = compensation(&game, 0);
            assert!(now <= before && before - now <= 2 * STEP as i32);
            before = now;
        }
        assert_eq!(before, 0);
    }

    #[test]
    fn komi_that_makes_up_for_the_stones_leaves_nothing() {
        assert_eq!(compensation(&game(4, 49.0), 0), 0);
        assert!(compensation(&game(4, 20.0), 0) < compensation(&game(4, 0.5), 0));
    }
}
