//! Proves how the engine ends games under each kind of counting: it passes when nothing is left to gain, takes off
//! what is dead where that must be captured, and fills nobody's territory where each stone costs a point.

use kosumi::engine::{Decision, Engine, EngineOptions};
use kosumi::go::life::unconditional;
use kosumi::go::rules::{CGOS, CHINESE, FIRST_CAPTURE, JAPANESE, PRESETS, TROMP_TAYLOR};
use kosumi::go::{Color, Komi, Move, Ruleset, diagram};
use kosumi::net::Nets;
use kosumi::search;

use crate::support::engine as fixed;
use crate::vertex::point;

use Color::{Black, White};

fn engine(rules: Ruleset, size: usize, playouts: u64, seed: u64) -> Engine {
    let usual = fixed::options();
    let search = search::SearchOptions { memory: 32, ..usual.search };
    fixed::engine(EngineOptions { search, seed, size: size.into(), rules, playouts: Some(playouts), ..usual })
}

/// The engine's move for a side on this board, with this komi.
fn answer(rules: Ruleset, picture: &str, color: Color, komi: f64) -> Move {
    answer_with(Nets::none(), rules, picture, color, komi)
}

fn shipped() -> Nets {
    Nets::shipped().expect("the nets of the program are whole")
}

fn answer_with(nets: Nets, rules: Ruleset, picture: &str, color: Color, komi: f64) -> Move {
    let board = diagram::parse(picture).expect("the picture is a board");
    let mut engine = engine(rules, board.size().width(), 2000, 1);
    engine.set_nets(nets);
    let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
    engine.game_mut().set_up(stones, color).expect("the picture is a position");
    engine.game_mut().set_komi(Komi::new(komi).expect("a finite komi"));
    match engine.genmove(color).expect("a search") {
        Decision::Move(mv) => mv,
        Decision::Resign => panic!("it never resigns"),
    }
}

/// Black lives below with 21 points, White above with 17 and a dead stone at B2 inside Black's.
const SETTLED: &str = "
    . . O . O . .
    O O . O . O .
    O O O O O O O
    X X X X X X X
    . . X . . . X
    . O . X . X .
    . . . X . . .";

#[test]
fn under_territory_scoring_both_sides_pass_when_nothing_is_left() {
    for komi in [-50.5, 0.5, 50.5] {
        for color in Color::BOTH {
            assert_eq!(answer(JAPANESE, SETTLED, color, komi), Move::Pass, "{color}, komi {komi}");
        }
    }
}

/// The answer to a pass of the other side.
fn answer_to_a_pass(rules: Ruleset, picture: &str, color: Color, komi: f64, nets: Nets) -> Move {
    let board = diagram::parse(picture).expect("the picture is a board");
    let usual = fixed::options();
    let options = EngineOptions { size: board.size(), rules, playouts: Some(1000), nets, ..usual };
    let mut engine = fixed::engine(options);
    let stones: Vec<_> = board.points().filter_map(|p| Some((board.cell(p).color()?, p))).collect();
    engine.game_mut().set_up(stones, color.other()).expect("the picture is a position");
    engine.game_mut().set_komi(Komi::new(komi).expect("a finite komi"));
    engine.game_mut().play(color.other(), Move::Pass).expect("a pass is legal");
    match engine.genmove(color).expect("a search") {
        Decision::Move(mv) => mv,
        Decision::Resign => panic!("it never resigns"),
    }
}

#[test]
fn under_area_scoring_a_lost_game_ends_when_the_other_side_has_passed() {
    for rules in [CHINESE, TROMP_TAYLOR] {
        assert_eq!(answer_to_a_pass(rules, SETTLED, White, -10.5, Nets::none()), Move::Pass, "{rules:?}");
    }
    assert_eq!(answer_to_a_pass(CHINESE, SETTLED, Black, 20.5, Nets::none()), Move::Pass);
    // The dead stone counts as long as it stands.
    assert_ne!(answer_to_a_pass(TROMP_TAYLOR, SETTLED, Black, 20.5, Nets::none()), Move::Pass);
}

#[test]
fn a_drawn_game_ends_when_the_other_side_has_passed() {
    for color in Color::BOTH {
        for nets in [Nets::none(), shipped()] {
            assert_eq!(answer_to_a_pass(CHINESE, SETTLED, color, 7.0, nets), Move::Pass, "{color}");
        }
    }
}

#[test]
fn few_playouts_suffice_for_the_end() {
    let board = diagram::parse(SETTLED).expect("the picture is a board");
    let stones: Vec<_> = board.points().filter_map(|p| Some((board.cell(p).color()?, p))).collect();
    let mut engine = engine(CHINESE, 7, 10, 1);
    engine.set_nets(shipped());
    engine.game_mut().set_up(stones, White).expect("the picture is a position");
    engine.game_mut().play(White, Move::Pass).expect("a pass is legal");
    assert_eq!(engine.genmove(Black).expect("a search"), Decision::Move(Move::Pass));
}

/// Black has a stone more than White, and no empty point has an owner.
const BARELY_BEGUN: &str = "
    . . . . .
    . . . . .
    . . X . .
    . O . X .
    . . . . .";

#[test]
fn a_pass_that_wins_by_the_rules_alone_is_played() {
    for nets in [Nets::none(), shipped()] {
        assert_eq!(answer_to_a_pass(TROMP_TAYLOR, BARELY_BEGUN, Black, 0.5, nets.clone()), Move::Pass);
        // With more komi the pass loses. Under Chinese rules, two passes only lead to the removal of dead stones.
        assert_ne!(answer_to_a_pass(TROMP_TAYLOR, BARELY_BEGUN, Black, 1.5, nets.clone()), Move::Pass);
        assert_ne!(answer_to_a_pass(CHINESE, BARELY_BEGUN, Black, 0.5, nets), Move::Pass);
    }
}

/// From a game of the engine against itself. White wins by 18.5 points, but the net gives Black three quarters of the
/// wins. White had passed 340 times, and Black had gone on.
const COUNTED_OUT: &str = "
    X . X X X O X X X O X X O . O O O X X
    . X . X O O X O . O O X O O . O X X .
    X . X O O O O . O . O X X O O O X . X
    . X X O X O . O O O O X X X X X X X X
    X X X O X O O X X X X X . X . X X X X
    X O X X X X X . X X . X X X X X X . X
    O O O X X X X X X X X X X X X X X X X
    . O O X X O X . X X X X . X X X X X X
    . O O X X O O X X O X X X X . X X X X
    O O O O X X O O O O O O O X X X X . X
    O . X O X O O O X X O . O O O O X X X
    O O O X X X X X X O O . O X X X O X .
    X X O X . X X X X X O . O . X O O X X
    X . X X X X X X X X X O O . X X O O O
    X X X O O O O X O O O O O . X X O . O
    X X O O X . O O . O . X O . X O O O O
    . X X X O O O O O O O O O X X O . . .
    X X X O . O . O X X O O X . X O O . .
    X . X O O O X X X X X O X X X O . X O";

#[test]
fn a_net_that_hopes_does_not_keep_a_counted_game_going() {
    assert_eq!(answer_to_a_pass(CHINESE, COUNTED_OUT, Black, 7.5, shipped()), Move::Pass);
}

#[test]
fn a_net_that_hopes_keeps_the_winner_from_passing_once_at_the_most() {
    let board = diagram::parse(COUNTED_OUT).expect("the picture is a board");
    let options = EngineOptions { size: board.size(), playouts: Some(1000), nets: shipped(), ..fixed::options() };
    let mut engine = fixed::engine(EngineOptions { rules: CHINESE, ..options });
    let stones: Vec<_> = board.points().filter_map(|p| Some((board.cell(p).color()?, p))).collect();
    engine.game_mut().set_up(stones, Black).expect("the picture is a position");
    engine.game_mut().set_komi(Komi::new(7.5).expect("a finite komi"));
    let mut answer = || {
        engine.game_mut().play(Black, Move::Pass).expect("a pass is legal");
        engine.genmove(White).expect("a search")
    };
    let passes = Decision::Move(Move::Pass);
    assert!(answer() == passes || answer() == passes);
}

/// White's stone at D3 is dead; as long as it stands, nothing below is Black's by Tromp and Taylor's count.
const ONE_DEAD_STONE: &str = "
    . O O . O
    O O O O O
    X X X X X
    X . O . X
    . X . X .";

#[test]
fn what_is_dead_is_captured_where_it_counts_as_alive() {
    // With the stone off, Black has 15 points and White 10.
    let takes = |mv: Move| ["B2", "D2", "C1"].iter().any(|name| mv == Move::Play(point(name, 5)));
    let mv = answer(TROMP_TAYLOR, ONE_DEAD_STONE, Black, 3.5);
    assert!(takes(mv), "{mv:?} does not take C2's liberties");
    assert_eq!(answer(CHINESE, ONE_DEAD_STONE, Black, 3.5), Move::Pass, "by agreement it is off already");
    assert_eq!(answer(JAPANESE, ONE_DEAD_STONE, Black, -7.5), Move::Pass, "capturing it would cost a point");
    assert_eq!(answer(TROMP_TAYLOR, ONE_DEAD_STONE, Black, -7.5), Move::Pass, "Black wins as it is");
}

#[test]
fn a_search_whose_pass_would_need_an_agreement_does_not_know_the_score() {
    let board = diagram::parse(ONE_DEAD_STONE).expect("the picture is a board");
    let is_told = |rules: Ruleset, passes: bool| {
        let mut engine = engine(rules, 5, 200, 1);
        let stones: Vec<_> = board.points().filter_map(|p| Some((board.cell(p).color()?, p))).collect();
        engine.game_mut().set_up(stones, if passes { White } else { Black }).expect("the picture is a position");
        if passes {
            engine.game_mut().play(White, Move::Pass).expect("a legal move");
        }
        engine.genmove(Black).expect("a search");
        engine.last_thought().expect("there was a search").knows_score
    };
    assert!(is_told(CHINESE, false) && is_told(TROMP_TAYLOR, false));
    // After White's pass, Black's own pass ends the game in the search with the dead stone on the board.
    assert!(!is_told(CHINESE, true));
    assert!(is_told(TROMP_TAYLOR, true), "the dead stone counts there");
}

/// Only the point at C3 is left, worth one point by area and nothing by territory.
const LAST_DAME: &str = "
    . X X O .
    X X X O O
    X X . O O
    X X X O O
    . X X O .";

/// Black captures at once only by a self-atari at A5, after which White lives. B5 keeps A5 for later.
const BESIDE: &str = "
    . . X X .
    O X X . X
    O O X X X
    O . O X X
    O O O O X";

/// After White D1, Black takes two stones from F1 and lives. White has to connect there first.
const CONNECTION: &str = "
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . X . . . . X X X
    X X X X X X X O O
    O O O O O O O O O
    X O O O O O O . .
    X X X X X O O O O
    . X X . O . O . .";

/// White B3 would put four stones into atari; B1 comes first.
const ATARI: &str = "
    . X O O .
    X X X O O
    X . X X O
    O O X O O
    O . O O .";

#[test]
fn dead_stones_are_not_captured_by_a_move_that_lets_them_live() {
    for rules in [CGOS, TROMP_TAYLOR] {
        for (picture, color, komi, wanted) in
            [(BESIDE, Black, 7.0, "B5"), (CONNECTION, White, 7.0, "F1"), (ATARI, White, -15.0, "B1")]
        {
            let size = diagram::parse(picture).expect("a board").size();
            let mv = answer_with(shipped(), rules, picture, color, komi);
            assert_eq!(mv, Move::Play(point(wanted, size)), "{wanted}");
        }
    }
}

#[test]
fn a_clean_up_connects_before_it_captures() {
    let board = diagram::parse(CONNECTION).expect("a board");
    let mut engine = engine(CHINESE, 9, 500, 1);
    engine.set_nets(shipped());
    let stones: Vec<_> = board.points().filter_map(|p| Some((board.cell(p).color()?, p))).collect();
    engine.game_mut().set_up(stones, Black).expect("a position");
    for color in [Black, White] {
        engine.game_mut().play(color, Move::Pass).expect("a pass is legal");
    }
    assert_eq!(engine.genmove_cleanup(White).expect("a search"), Decision::Move(Move::Play(point("F1", 9))));
}

#[test]
fn the_last_neutral_point_is_played_under_area_scoring_when_it_decides() {
    // With C3 Black has 15 points and White 10.
    assert_eq!(answer(CHINESE, LAST_DAME, Black, 4.5), Move::Play(point("C3", 5)));
    assert_eq!(answer(JAPANESE, LAST_DAME, White, 0.5), Move::Pass);
}

#[test]
fn the_first_move_of_a_game_is_no_pass() {
    for &(names, rules) in PRESETS {
        for size in [7, 9] {
            for color in Color::BOTH {
                let mut engine = engine(rules, size, 200, 1);
                let decision = engine.genmove(color).expect("a search");
                assert!(matches!(decision, Decision::Move(Move::Play(_))), "{names:?} on {size}: {decision:?}");
            }
        }
    }
}

#[test]
fn under_territory_scoring_nobody_fills_what_is_proven() {
    for seed in 0..3 {
        let size = [5, 7, 9][seed as usize % 3];
        let mut engine = engine(JAPANESE, size, 200, seed);
        let mut color = Black;
        let mut length = 0;
        while !engine.game().position().is_over() {
            let before = engine.game().position().board().clone();
            let Decision::Move(mv) = engine.genmove(color).expect("a search") else { panic!("it never resigns") };
            let territory = Color::BOTH.map(|side| unconditional(&before, side).territory);
            if let Move::Play(p) = mv {
                assert!(
                    territory.iter().all(|area| !area.contains(p)),
                    "seed {seed}: {color} plays column {} row {} of\\n{}",
                    p.column(size) + 1,
                    p.row(size) + 1,
                    diagram::draw(&before)
                );
            }
            color = color.other();
            length += 1;
            assert!(length < 4 * size * size, "seed {seed}: the game does not end");
        }
    }
}

/// White leads by two points as it stands, but D6 takes two stones and cuts: Black would win by four.
const LOOKS_OVER: &str = "
    . . . X X O . . .
    . . X X O O . . .
    . . X O O . O . .
    . X O . O . . . .
    . X X O X O O . .
    . . X X X O . . .
    . . O O X O O . O
    . . . . X O O O X
    . . . . X X X X X";

#[test]
fn no_pass_leaves_the_other_side_a_move_that_wins() {
    assert_eq!(answer(CHINESE, LOOKS_OVER, White, 7.0), Move::Play(point("D6", 9)));
}

#[test]
fn after_the_first_capture_there_is_nothing_to_play_for() {
    let mut engine = engine(FIRST_CAPTURE, 5, 200, 1);
    for (color, name) in [(Black, "A1"), (White, "A2"), (Black, "E5"), (White, "B1")] {
        engine.game_mut().play(color, Move::Play(point(name, 5))).expect("a legal move");
    }
    assert_eq!(engine.result().as_deref(), Some("W+"));
    assert_eq!(engine.genmove(Black).expect("a search"), Decision::Move(Move::Pass));
    assert_eq!(engine.genmove(White).expect("a search"), Decision::Move(Move::Pass));
    assert_eq!(engine.result().as_deref(), Some("W+"));
    // A record may go on behind the end, but never onto a stone.
    let record = "(;SZ[5]RU[first-capture];B[ae];W[ad];B[ea];W[be];B[be])";
    let record = kosumi::sgf::read(record.as_bytes()).expect("a record");
    assert!(kosumi::game::Game::load(record, None, FIRST_CAPTURE, None).is_err());
}

/// Black's stone at E7 is in atari once F7 is White's; then D7 has to be filled. Nothing else is left.
const A_POINT_TO_FILL: &str = "
    . X . . X . O
    X X X X O O O
    X . X X O . O
    X X X X O O O
    . X X X O . O
    X X . X O O O
    . X X X O . O";

#[test]
fn stones_in_atari_are_connected_or_taken_at_the_end() {
    let after = A_POINT_TO_FILL.replacen("X . O", "X O O", 1);
    for color in Color::BOTH {
        for komi in [0.5, 6.5] {
            assert_eq!(answer(JAPANESE, &after, color, komi), Move::Play(point("D7", 7)), "{color}, komi {komi}");
        }
    }
}

#[test]
fn who_is_about_to_be_captured_resigns_under_first_capture() {
    let mut engine = engine(FIRST_CAPTURE, 5, 400, 1);
    let mut options = engine.options().clone();
    options.resign_below = 0.1;
    engine = fixed::engine(options);
    // A1 can be taken, and B1 would not save it.
    for (color, name) in [(Black, "A2"), (White, "A1"), (Black, "B2"), (White, "E5"), (Black, "E1")] {
        engine.game_mut().play(color, Move::Play(point(name, 5))).expect("a legal move");
    }
    assert_eq!(engine.reg_genmove(Black).expect("a search"), Decision::Move(Move::Play(point("B1", 5))));
    assert!(matches!(engine.genmove(White).expect("a search"), Decision::Move(_)), "not at the first look");
    // The same question again is no second look; the next move is.
    engine.game_mut().undo(1).expect("a move");
    assert!(matches!(engine.genmove(White).expect("a search"), Decision::Move(_)), "moves taken back do not count");
    engine.game_mut().play(Black, Move::Play(point("E2", 5))).expect("Black takes its time");
    assert_eq!(engine.genmove(White).expect("a search"), Decision::Resign);
}
