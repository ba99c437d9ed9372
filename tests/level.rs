//! A strength to order: weak levels play like weak people, not like fools, and the same everywhere.

use std::time::Duration;

use kosumi::engine::{Decision, Engine, EngineOptions, Interest, Level};
use kosumi::game::Game;
use kosumi::go::rules::CHINESE;
use kosumi::go::{Color, Komi, Move, Outcome, Point, diagram};
use kosumi::net::Nets;
use kosumi::search::{self, Restriction};

use crate::support::engine as fixed;
use crate::support::{Client, program, run};

fn engine(level: &str, size: usize, seed: u64, threads: usize) -> Engine {
    let usual = fixed::options();
    fixed::engine(EngineOptions {
        search: search::SearchOptions { threads, ..usual.search },
        seed,
        size: size.into(),
        komi: Some(Komi::from_half_points(14)),
        // A level does not take it.
        time_per_move: Duration::from_secs(3600),
        level: level.parse::<Level>().expect("a level"),
        ..usual
    })
}

/// Plays an engine against itself until both pass.
#[track_caller]
fn play_out(engine: &mut Engine) {
    let size = engine.game().size();
    let mut color = Color::Black;
    while !engine.game().position().is_over() {
        assert!(engine.game().moves().len() < 4 * size.points(), "the game does not end");
        assert_ne!(engine.genmove(color).expect("a search"), Decision::Resign, "it was told not to resign");
        color = color.other();
    }
}

#[test]
fn a_level_plays_the_same_with_a_seed_whatever_the_machine() {
    for level in ["28k", "17k", "9k"] {
        let moves = |threads, seed| {
            let mut engine = engine(level, 9, seed, threads);
            let colors = [Color::Black, Color::White].into_iter().cycle().take(12);
            colors.map(|color| engine.genmove(color).expect("a search")).collect::<Vec<_>>()
        };
        // Neither the number of threads matters nor the hour that a move might take without a level.
        assert_eq!(moves(1, 5), moves(3, 5), "{level}");
        assert_ne!(moves(1, 5), moves(1, 6), "{level}: another seed plays another game");
    }
}

#[test]
fn the_same_position_gets_the_same_move_however_it_was_reached() {
    let mut one = engine("20k", 9, 3, 1);
    let first = one.reg_genmove(Color::Black).expect("a search");
    assert_eq!(one.reg_genmove(Color::Black).expect("a search"), first);
    assert_eq!(one.genmove(Color::Black).expect("a search"), first);
    one.game_mut().undo(1).expect("a move");
    assert_eq!(one.genmove(Color::Black).expect("a search"), first);
}

#[test]
fn games_at_every_level_end_and_are_counted() {
    for (size, level) in [(5, "30k"), (7, "24k"), (9, "18k")] {
        let mut engine = engine(level, size, 2, 1);
        play_out(&mut engine);
        assert!(matches!(engine.outcome(), Outcome::Counted { .. }), "{size} {level}: {:?}", engine.outcome());
        let empties = engine.game().position().board().empties().len();
        assert!(empties >= 4, "{size} {level}: it filled its own eyes, {empties} points are left");
    }
}

#[test]
fn at_the_end_the_weakest_level_passes_too() {
    let board = diagram::parse(
        ". X . X O . . O .
         X X X X O O O . O
         . X . X O . O O O
         X X X X O O . O .
         . X X O O O O O O
         X . X X O . O . O
         X X X O O O . O O
         X . X O . O O . O
         . X X O O . O O .",
    )
    .expect("a picture");
    let mut game = Game::new(9, CHINESE, None);
    let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
    game.set_up(stones, Color::White).expect("a position");
    let mut engine = engine("30k", 9, 1, 1);
    engine.load(game);
    engine.game_mut().play(Color::Black, Move::Pass).expect("a pass");
    assert_eq!(engine.genmove(Color::White).expect("a search"), Decision::Move(Move::Pass));
}

#[test]
fn every_level_takes_a_large_group_in_atari() {
    // Black's six stones are in atari; they live by taking White's one at D3, or extending at E2.
    let board = diagram::parse(
        ". . . . . . . . .
         . . . . . . . . .
         . . O O O O . . .
         . O X X X X O . .
         . O X X X X O . .
         . . O O O . O . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    )
    .expect("a picture");
    let mut game = Game::new(9, CHINESE, None);
    let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
    game.set_up(stones, Color::White).expect("a position");
    for level in ["22k", "15k", "rung-9"] {
        let mut engine = engine(level, 9, 4, 1);
        engine.load(game.clone());
        // The one liberty: White takes eight stones.
        assert_eq!(
            engine.genmove(Color::White).expect("a search"),
            Decision::Move(Move::Play(Point::new(5, 3, 9))),
            "{level}"
        );
    }
}

/// Live graphics and the lines of `kata-genmove_analyze` are made of this, at a level as at full strength.
#[test]
fn a_level_can_be_watched_and_does_as_it_is_told() {
    // Weak ones that see a few moves, and a strong one that sees all.
    for level in ["25k", "12k", "rung-10"] {
        let plain = engine(level, 9, 3, 1).genmove(Color::Black).expect("a search");
        let mut engine = engine(level, 9, 3, 1);
        let mut seen = 0;
        let interest = Interest { details: true, ..Interest::default() };
        let (decision, report) = engine
            .reg_genmove_watched(Color::Black, &interest, &mut |report| {
                seen += usize::from(report().is_some_and(|report| report.details.all().playouts() > 0));
            })
            .expect("a search");
        assert!(seen > 0, "{level}: nothing to be seen");
        let report = report.expect("a search");
        assert!(report.details.all().playouts() > 0, "{level}: no scores and owners");
        if level != "rung-10" {
            // Its playouts are played to their end anyway, so scores change nothing.
            assert_eq!(decision, plain, "{level}: it plays another game when it is watched");
        }
        let Decision::Move(Move::Play(best)) = decision else { panic!("{level}: {decision:?} on an empty board") };
        let color = Color::Black;
        let restriction = Restriction { color, points: [best].into_iter().collect(), pass: false, plies: 1 };
        let interest = Interest { restrictions: vec![restriction], details: true };
        let (decision, report) = engine.reg_genmove_watched(color, &interest, &mut |_| {}).expect("a search");
        let forbidden = Decision::Move(Move::Play(best));
        assert_ne!(decision, forbidden, "{level}");
        assert!(report.is_some_and(|report| report.moves.iter().all(|m| m.mv != Move::Play(best))), "{level}");
    }
}

/// What is asked for besides moves comes soon, too: without a clock a level has no time limit that would end it.
#[test]
fn what_is_asked_for_at_a_level_besides_moves_ends() {
    let mut client = Client::start(&["--size", "9", "--level", "15k", "--time-per-move", "3600"]);
    for command in ["kosumi-statistics", "kosumi-ownership b", "reg_genmove w", "kata-search b"] {
        client.ok(command);
    }
    client.ok("genmove b");
    client.ok("kosumi-best_moves");
    client.ok("kgs-genmove_cleanup w");
    client.ok("cgos-genmove_analyze b");
    client.ok("final_status_list dead");
    client.quit();
}

#[test]
fn the_level_is_an_option_and_a_command() {
    let answers = run(program(&["--level", "2D", "--size", "9"]), "kosumi-level\nkosumi-level max\nkosumi-level\n");
    let texts: Vec<String> = answers.answers.into_iter().map(|answer| answer.success()).collect();
    assert_eq!(texts, ["2d", "", "max"]);
    let wrong = run(program(&["--level", "easy"]), "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(wrong.errors.contains("from 30k to 1k or 1d to 9d"), "{}", wrong.errors);
}

/// A rank that was not measured on this board is answered with what the engine plays like. This changes with the board.
#[test]
fn a_rank_says_what_it_plays_like() {
    let mut client = Client::start(&["--size", "9", "--level", "9d"]);
    assert_eq!(client.ok("kosumi-level"), "9d (plays like 4d, the strongest rank on 9x9)");
    assert_eq!(client.ok("kosumi-level 15k"), "");
    assert_eq!(client.ok("kosumi-level"), "15k");
    client.ok("boardsize 13");
    assert_eq!(client.ok("kosumi-level"), "15k");
    client.ok("boardsize 15");
    let estimate = "plays like 15k by an estimate: ranks are measured on 9x9, 13x13 and 19x19";
    assert_eq!(client.ok("kosumi-level"), format!("15k ({estimate})"));
    assert_eq!(client.ok("kosumi-level 15k"), estimate);
    client.ok("boardsize 19");
    let answer = client.ok("kosumi-level 9d");
    assert!(answer.starts_with("plays like 3d by an estimate: nothing above "), "{answer}");
    client.ok("kosumi-net none");
    assert_eq!(client.ok("kosumi-level 9d"), "plays like 2k by an estimate: nothing above 8k is measured on 19x19");
    assert_eq!(client.ok("kosumi-level max"), "");
    client.quit();
}

#[test]
fn the_log_names_once_what_a_rank_plays_like() {
    let told = run(program(&["--level", "9d", "--size", "5", "--net", "none"]), "genmove b\ngenmove w\n");
    let lines: Vec<&str> = told.errors.lines().filter(|line| line.contains("plays like")).collect();
    assert!(lines.len() == 1 && lines[0].contains("level 9d plays like 2d by an estimate"), "{}", told.errors);
    let told = run(program(&["--level", "20k", "--size", "9"]), "genmove b\n");
    assert!(!told.errors.contains("plays like"), "{}", told.errors);
}

/// An engine with the nets that come with the program.
fn with_nets(level: &str, seed: u64, threads: usize) -> Engine {
    let mut engine = engine(level, 19, seed, threads);
    engine.set_nets(Nets::shipped().expect("the nets of the program"));
    engine
}

#[test]
fn with_the_net_a_level_plays_the_same_whatever_the_number_of_threads() {
    for level in ["25k", "12k", "5k"] {
        let moves = |threads| {
            let mut engine = with_nets(level, 5, threads);
            let colors = [Color::Black, Color::White].into_iter().cycle().take(6);
            colors.map(|color| engine.genmove(color).expect("a search")).collect::<Vec<_>>()
        };
        assert_eq!(moves(1), moves(3), "{level}");
    }
}

/// What no player of a middle rank does: begin in the middle of the board or on its edge.
#[test]
fn a_game_on_19x19_begins_in_the_corners() {
    for level in ["10k", "5k", "9d"] {
        for seed in 0..2 {
            let mut engine = with_nets(level, seed, 1);
            for color in [Color::Black, Color::White, Color::Black, Color::White] {
                let decision = engine.genmove(color).expect("a search");
                let Decision::Move(Move::Play(point)) = decision else { panic!("{level}: {decision:?}") };
                let lines = [point.column(19), point.row(19)].map(|at| at.min(18 - at) + 1);
                assert!(lines.iter().all(|line| (3..=6).contains(line)), "{level}, seed {seed}: lines {lines:?}");
            }
        }
    }
}
