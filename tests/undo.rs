//! Proves that undo forgets nothing and invents nothing: whatever was played, refused and taken back, the game is
//! the one that plays the remaining moves from the start.

use kosumi::game::Game;
use kosumi::go::rules::{CHINESE, PRESETS};
use kosumi::go::{Board, Color, IllegalMove, Move, Point, Ruleset};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Action {
    /// For the side whose turn it is, or out of turn; the place is taken modulo the points of the board.
    Play {
        out_of_turn: bool,
        place: usize,
    },
    Pass {
        out_of_turn: bool,
    },
    /// What GTP's `undo` and `gg-undo` do.
    Undo(usize),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        16 => (any::<bool>(), 0..1000_usize).prop_map(|(out_of_turn, place)| Action::Play { out_of_turn, place }),
        8 => (0..1000_usize).prop_map(|place| Action::Play { out_of_turn: false, place }),
        2 => any::<bool>().prop_map(|out_of_turn| Action::Pass { out_of_turn }),
        3 => (1..6_usize).prop_map(Action::Undo),
    ]
}

fn rules() -> impl Strategy<Value = Ruleset> {
    let presets: Vec<Ruleset> = PRESETS.iter().map(|&(_, rules)| rules).collect();
    prop_oneof![
        3 => prop::sample::select(presets),
        1 => Just(Ruleset { supply: Some(5), suicide: true, button: true, ..CHINESE }),
    ]
}

/// All that can be seen of a game: the board, what happened to it, and what every move would be answered.
#[derive(Debug, PartialEq)]
struct View {
    stones: Vec<Option<Color>>,
    hash: u64,
    ko: Option<Point>,
    captured: [u32; 2],
    played: [u32; 2],
    turn: Color,
    passes: u8,
    button: Option<Color>,
    over: (bool, bool, Option<Color>),
    handicap: usize,
    moves: Vec<(Color, Move)>,
    /// By side, then by point.
    answers: Vec<Result<(), IllegalMove>>,
}

fn view(game: &Game) -> View {
    let mut position = game.position().clone();
    let board = position.board().clone();
    let mut answers = Vec::new();
    for color in Color::BOTH {
        position.set_to_move(color);
        answers.extend(board.points().map(|point| position.check(Move::Play(point))));
    }
    let position = game.position();
    View {
        stones: board.points().map(|point| board.cell(point).color()).collect(),
        hash: board.hash(),
        ko: board.ko(),
        captured: Color::BOTH.map(|color| board.captured(color)),
        played: Color::BOTH.map(|color| position.played(color)),
        turn: position.to_move(),
        passes: position.consecutive_passes(),
        button: position.button(),
        over: (position.is_over(), position.is_cycle(), position.first_to_capture()),
        handicap: game.handicap(),
        moves: game.moves().to_vec(),
        answers,
    }
}

fn any_point(board: &Board, place: usize) -> Point {
    let points: Vec<Point> = board.points().collect();
    points[place % points.len()]
}

fn play(game: &mut Game, out_of_turn: bool, mv: Move) {
    let turn = game.position().to_move();
    let color = if out_of_turn { turn.other() } else { turn };
    let before = view(game);
    match game.play(color, mv) {
        Ok(()) => {
            assert_eq!(game.moves().last(), Some(&(color, mv)));
            assert_eq!(game.moves().len(), before.moves.len() + 1);
        }
        Err(_) => assert_eq!(view(game), before, "a refused move changes the game"),
    }
}

fn replayed(fresh: &Game, moves: &[(Color, Move)]) -> Game {
    let mut game = fresh.clone();
    for &(color, mv) in moves {
        assert_eq!(game.play(color, mv), Ok(()), "a legal game is illegal when it is played again");
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn undo_leaves_the_game_that_was(
        size in 2..=6_usize,
        rules in rules(),
        handicap in prop::collection::vec(0..1000_usize, 0..3),
        actions in prop::collection::vec(action(), 1..120),
    ) {
        let mut fresh = Game::new(size, rules, None);
        let stones: Vec<Point> = handicap.iter().map(|&place| any_point(fresh.position().board(), place)).collect();
        // Stones that cannot stand together leave the board empty.
        if stones.is_empty() || fresh.place_handicap(&stones).is_err() {
            prop_assert_eq!(fresh.position().board().empties().len(), size * size);
        }
        let mut game = fresh.clone();
        for action in actions {
            match action {
                Action::Play { out_of_turn, place } => {
                    let point = any_point(game.position().board(), place);
                    play(&mut game, out_of_turn, Move::Play(point));
                }
                Action::Pass { out_of_turn } => play(&mut game, out_of_turn, Move::Pass),
                Action::Undo(count) => {
                    let mut left = game.moves().to_vec();
                    let before = view(&game);
                    if count > left.len() {
                        prop_assert!(game.undo(count).is_err());
                        prop_assert_eq!(view(&game), before, "an undo that fails changes the game");
                    } else {
                        prop_assert!(game.undo(count).is_ok());
                        left.truncate(left.len() - count);
                        game.position().board().check();
                        prop_assert_eq!(view(&game), view(&replayed(&fresh, &left)));
                    }
                }
            }
        }
        prop_assert_eq!(view(&game), view(&replayed(&fresh, game.moves())));
        let moves = game.moves().len();
        prop_assert!(game.undo(moves).is_ok());
        prop_assert_eq!(view(&game), view(&fresh), "all taken back");
    }
}
