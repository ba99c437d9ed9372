//! The search: the same result for the same seed, limits, superko, tactics, and the legality of every playout policy.
//! The tree that it grows is tested in `search_tree.rs`.

use std::time::Duration;

use proptest::prelude::*;
use rand::SeedableRng;

use kosumi::go::rules::{CHINESE, JAPANESE, TROMP_TAYLOR};
use kosumi::go::{Board, Cell, Color, Move, Point, Position, Ruleset, diagram};
use kosumi::playout::Rng;
use kosumi::playout::policy::POLICIES;
use kosumi::search::evaluate::{Leaf, playouts};
use kosumi::search::{Control, EarlyStop, Evaluators, MoveReport, Params, Report, Request, Running, SearchOptions};
use kosumi::time::TimeSource;

use crate::support::positions::TRIPLE_KO;
use crate::support::searched::{Line, check_report, name, options, point, run, search, searcher};

/// FNV-1a (Fowler, Noll & Vo 1991) over what a report says of each move.
fn signature(reports: &[Report]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |number: u64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for report in reports {
        add(report.playouts);
        add(report.visits);
        add(u64::from(report.value.to_bits()));
        for MoveReport { mv, visits, value, prior, variation, .. } in &report.moves {
            add(mv.point().map_or(0, Point::index) as u64);
            add(*visits);
            add(u64::from(value.to_bits()));
            add(u64::from(prior.to_bits()));
            add(variation.len() as u64);
        }
    }
    hash
}

/// A few searches that touch most of the code: two sizes, a game in progress, every policy, the tree kept and full.
fn fixed_searches() -> Vec<Report> {
    let mut reports = Vec::new();
    let mut kept = searcher(options());
    let mut game = Line::empty(9);
    for _ in 0..3 {
        let report = search(&mut kept, &game, 1000);
        game.play(report.best());
        reports.push(report);
    }
    for &(_, policy) in POLICIES {
        let request = Request { evaluators: Evaluators::Playouts(policy), ..Line::empty(13).request(500, None) };
        reports.push(run(&mut searcher(options()), &request));
    }
    let mut small = searcher(SearchOptions { memory: 1, ..options() });
    reports.push(search(&mut small, &Line::empty(13), 2000));
    reports
}

/// The hash of all that [`fixed_searches`] finds. It is the same on every machine. A change that is not meant to change
/// the play leaves it as it is; one that is puts the new value here.
const GOLDEN: u64 = 0x93b6_554d_dcd8_645f;

/// White has no good move here, so that all plays look bad in all-moves-as-first.
const UNDER_ATTACK: &str = "
    . . . . X X O . .
    . . . . X O O . .
    . . . X . X O . .
    . . . . . X O . .
    . . . . X . O . .
    . . . X O O . . .
    . . . X . . . . .
    . . . . X O . . .
    . . . . . . . . .";

#[test]
fn in_an_open_position_a_pass_is_hardly_looked_at() {
    for seed in 0..4 {
        let request = Request { seed, ..Line::picture(UNDER_ATTACK, Color::White).request(1000, None) };
        let report = run(&mut searcher(options()), &request);
        let visits = report.moves.iter().find(|m| m.mv == Move::Pass).map_or(0, |m| m.visits);
        assert!(visits < 10, "seed {seed}: {visits} of 1000");
    }
}

#[test]
fn one_thread_finds_the_same_everywhere_and_every_time() {
    let first = signature(&fixed_searches());
    assert_eq!(signature(&fixed_searches()), first, "the same searches twice");
    assert_eq!(first, GOLDEN, "the search has changed: if that was the aim, GOLDEN becomes {first:#018x}");
}

#[test]
fn other_seeds_search_otherwise() {
    let visits = |seed| {
        let request = Request { seed, ..Line::empty(9).request(300, None) };
        let report = run(&mut searcher(options()), &request);
        report.moves.iter().map(|m| (m.visits, m.value.to_bits())).collect::<Vec<_>>()
    };
    assert_ne!(visits(1), visits(2));
    assert_eq!(visits(3), visits(3));
}

#[test]
fn limits_end_a_search() {
    let line = Line::empty(9);
    let mut search = searcher(options());
    let control = Control::new();
    control.stop();
    let report = search.run(&line.request(1_000_000, None), &control, &mut |_| {}).expect("a search");
    assert_eq!(report.playouts, 0, "stopped before it began");
    assert!(report.moves.len() > 50, "and yet it knows its moves");
    // But what it has to do at the least, it does.
    let mut request = line.request(1_000_000, None);
    request.limits.least = 8;
    let report = search.run(&request, &control, &mut |_| {}).expect("a search");
    assert_eq!(report.playouts, 8);
    // From within, as live analysis does.
    let control = Control::new();
    let report = search.run(&line.request(1_000_000, None), &control, &mut |_| control.stop()).expect("a search");
    assert!(report.playouts < 1_000_000);
    // The hard limit, however much is allowed otherwise.
    let mut request = line.request(u64::MAX, None);
    request.limits.hard = Some(Duration::from_secs(30));
    let time = TimeSource::stopped();
    let mut timed = searcher(SearchOptions { time: time.clone(), ..options() });
    let mut looks = 0;
    let watch = &mut |_: &Running<'_>| {
        looks += 1;
        time.advance(if looks <= 3 { Duration::from_secs(10) } else { Duration::ZERO });
    };
    let report = timed.run(&request, &Control::new(), watch).expect("a search");
    assert_eq!(report.elapsed, Duration::from_secs(30));
    // A move that cannot be overtaken ends it early: three stones that only it takes.
    let line = capture_line(Color::White);
    let mut request = line.request(20_000, None);
    request.limits.early_stop = EarlyStop::Decided;
    let report = run(&mut searcher(options()), &request);
    assert!(report.playouts < 20_000, "{} playouts", report.playouts);
    assert_eq!(name(report.best(), 9), "E5");
    // Where that is no reason to end, it ends when next to all playouts go to one move, but not before it has looked.
    request.limits.early_stop = EarlyStop::Obvious;
    let report = run(&mut searcher(options()), &request);
    assert!((20_000 / 16..20_000).contains(&report.playouts), "{} playouts", report.playouts);
    assert!(report.moves[0].visits as f32 > 0.96 * report.visits as f32);
    let empty = Line::empty(9);
    let mut open = empty.request(3000, None);
    open.limits.early_stop = EarlyStop::Obvious;
    assert_eq!(run(&mut searcher(options()), &open).playouts, 3000);
    request.limits.early_stop = EarlyStop::Never;
    assert_eq!(run(&mut searcher(options()), &request).playouts, 20_000);
}

/// E5 takes Black's three stones, or saves them.
fn capture_line(to_move: Color) -> Line {
    Line::picture(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . O O O . . . .
        . O X X X O . . .
        . . O O . X . . .
        . . X X . . . . .
        . . X . . . X . .
        . . . . . . . . .
        . . . . . . . . .",
        to_move,
    )
}

#[test]
fn it_takes_and_saves_what_is_in_atari() {
    for to_move in Color::BOTH {
        let line = capture_line(to_move);
        let report = search(&mut searcher(options()), &line, 1000);
        assert_eq!(name(report.best(), 9), "E5", "{to_move}");
        assert!(report.moves[0].visits > 500, "{to_move}: {} visits", report.moves[0].visits);
    }
}

#[test]
fn it_reads_ladders() {
    // Black catches the five stones by D5, in a ladder; with a white stone on its way White would get out by E6.
    let works = "
        . . X O X . . . .
        . . X O X . . . .
        . . X O X . . . .
        . . X O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . . . . . . . . .
        . . . . . . O . .";
    let report = search(&mut searcher(options()), &Line::picture(works, Color::Black), 1000);
    assert_eq!(name(report.best(), 9), "D5");
    let runs = "
        . . X O X . . . .
        . . X O X . . . .
        . . X O X . . . .
        . . X O . . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . O . . . O . .
        . . . . . . . . .
        . . . . . . . . .";
    let report = search(&mut searcher(options()), &Line::picture(runs, Color::White), 1000);
    assert_eq!(name(report.best(), 9), "E6");
}

#[test]
fn in_a_ladder_that_works_the_chase_comes_first_and_running_last() {
    let before = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X O . . . . .
        . . X O X . . . .
        . . . X . . . . .
        . . . . . . . . .";
    let prior = |line: &Line, mv: &str| {
        let report = search(&mut searcher(options()), line, 100);
        report.moves.iter().find(|m| m.mv == Move::Play(point(mv, 9))).map_or(0.0, |m| m.prior)
    };
    let mut line = Line::picture(before, Color::Black);
    line.play(Move::Play(point("D5", 9)));
    let running = prior(&line, "E4");
    line.play(Move::Play(point("E4", 9)));
    let chase = prior(&line, "F4");
    assert!(running < 0.05 && chase > 0.5, "running {running}, chase {chase}");

    // With a stone on the way it is the other way round.
    let mut line = Line::picture(&before.replacen(". . . . . . . . .", ". . . . . . O . .", 4), Color::Black);
    line.play(Move::Play(point("D5", 9)));
    let running = prior(&line, "E4");
    line.play(Move::Play(point("E4", 9)));
    let chase = prior(&line, "F4");
    assert!(running > 0.2 && chase < 0.5, "running {running}, chase {chase}");
}

#[test]
fn only_the_moves_asked_for_are_looked_at() {
    let line = Line::empty(9);
    let only = [Move::Play(point("A1", 9)), Move::Play(point("J9", 9)), Move::Pass];
    for threads in [1, 4] {
        let mut searcher = searcher(SearchOptions { threads, ..options() });
        // Whatever was searched before, and after.
        assert!(search(&mut searcher, &line, 200).moves.len() > 80);
        let report = run(&mut searcher, &line.request(300, Some(&only)));
        assert_eq!(report.moves.len(), 3);
        assert!(report.moves.iter().all(|m| only.contains(&m.mv)));
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 300);
        assert!(search(&mut searcher, &line, 200).moves.len() > 80);
    }
    // None of them legal: there is nothing to report, and a pass is all that is left.
    let occupied = capture_line(Color::Black);
    let only = [Move::Play(point("C6", 9))];
    let report = run(&mut searcher(options()), &occupied.request(10, Some(&only)));
    assert!(report.moves.is_empty() && report.best() == Move::Pass);
}

/// The 2×2 game in which Black's A1 comes back: A1 B2 A2 B1 (two captured) A1 A2 (one captured), and now A1 again.
fn superko_line(moves: usize) -> Line {
    let mut line = Line::empty(2);
    for name in &["A1", "B2", "A2", "B1", "A1", "A2"][..moves] {
        line.play(Move::Play(point(name, 2)));
    }
    line
}

#[test]
fn superko_holds_at_the_root_and_below() {
    let banned = Move::Play(point("A1", 2));
    let mut line = superko_line(6);
    assert!(line.position.check(banned).is_err());
    assert!(line.position.is_legal_but_superko(point("A1", 2)));
    let report = search(&mut searcher(options()), &line, 200);
    assert!(report.moves.iter().all(|m| m.mv != banned), "barred at the root");
    check_report(&report, &line.position);
    // Without its past the same board allows it.
    let fresh = Line::from(Position::from_board(line.position.board().clone(), Color::Black, CHINESE));
    let report = search(&mut searcher(options()), &fresh, 200);
    assert!(report.moves.iter().any(|m| m.mv == banned));
    // In the tree: no variation of any search on the way there repeats a position.
    for moves in 0..=6 {
        for threads in [1, 8] {
            let line = superko_line(moves);
            let report = search(&mut searcher(SearchOptions { threads, ..options() }), &line, 3000);
            check_report(&report, &line.position);
            let below: u64 = report.moves.iter().map(|m| m.visits).sum();
            assert_eq!(below, report.visits);
        }
    }
}

/// A position after random legal moves that fill no eyes.
fn random_position(size: usize, moves: usize, rules: Ruleset, rng: &mut Rng) -> Position {
    let mut position = Position::new(size, rules);
    for _ in 0..moves {
        let color = position.to_move();
        let plays: Vec<Point> = position
            .board()
            .points()
            .filter(|&p| position.is_legal_but_superko(p) && !position.board().around(p).is_eye_shape(color))
            .collect();
        if plays.is_empty() {
            break;
        }
        let p = plays[kosumi::playout::policy::below(rng, plays.len())];
        if position.play(Move::Play(p)).is_err() {
            break;
        }
    }
    position
}

/// An own eye that nobody threatens to take away: no chain around it is in atari.
fn is_safe_eye(board: &Board, color: Color, point: Point) -> bool {
    board.around(point).is_eye_shape(color)
        && board.adjacent(point).into_iter().all(|p| board.cell(p) == Cell::Border || !board.liberties(p).is_atari())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every row of the table of policies: legal moves only, no eyes filled, an end that fits the moves.
    #[test]
    fn playouts_are_legal_and_fill_no_eyes(size in 2usize..=19, share in 0usize..150, seed in any::<u64>()) {
        let mut rng = Rng::seed_from_u64(seed);
        let position = random_position(size, size * size * share / 100, CHINESE, &mut rng);
        for &(name, policy) in POLICIES {
            let mut evaluator = playouts::evaluator(policy, &Params::default());
            let mut leaf = Leaf::new(position.clone(), 15);
            for to_the_end in [true, false, true] {
                leaf.owners_wanted = to_the_end;
                evaluator.evaluate(&mut leaf, &mut rng);
                let evaluation = &leaf.evaluation;
                let mut board = position.board().clone();
                let mut turn = position.to_move();
                for &(color, p) in &evaluation.moves {
                    if color != turn {
                        // Who is left out has passed.
                        board.clear_ko();
                    }
                    prop_assert!(board.is_legal(color, p), "{name}: {p:?} is illegal\n{}", diagram::draw(&board));
                    prop_assert!(!is_safe_eye(&board, color, p), "{name}: {color} fills {p:?}\n{}", diagram::draw(&board));
                    board.place(color, p);
                    turn = color.other();
                }
                prop_assert!((0.0..=1.0).contains(&evaluation.value));
                prop_assert!(evaluation.knows_owners || !to_the_end);
                for p in board.points().filter(|_| evaluation.knows_owners) {
                    if let Some(color) = board.cell(p).color() {
                        prop_assert_eq!(evaluation.ownership[p].signum(), color.sign() as i8, "{}: the end is another board", name);
                    }
                }
            }
        }
    }

    /// Searches of positions of all kinds hold together, and their moves are legal under all rules in force.
    #[test]
    fn any_position_can_be_searched(size in 2usize..=9, share in 0usize..150, seed in any::<u64>(), suicide: bool) {
        let mut rng = Rng::seed_from_u64(seed);
        let rules = if suicide { TROMP_TAYLOR } else { CHINESE };
        let line = Line::from(random_position(size, size * size * share / 100, rules, &mut rng));
        let request = Request { seed, ..line.request(200, None) };
        let report = run(&mut searcher(SearchOptions { memory: 1, ..options() }), &request);
        check_report(&report, &line.position);
    }
}

/// Clients show the largest lead of all moves, and how much less others have.
#[test]
fn no_move_is_expected_to_score_much_more_than_the_best() {
    for (size, color) in [(9, Color::Black), (13, Color::White), (19, Color::Black)] {
        let mut line = Line::empty(size);
        if color == Color::White {
            line.play(Move::Play(point("C3", size)));
        }
        let mut request = line.request(1000, None);
        request.knowledge.details = true;
        let report = run(&mut searcher(options()), &request);
        let sign = color.sign() as f32;
        let lead = |m: &MoveReport| sign * m.margin.expect("details were asked for").points;
        let best = lead(&report.moves[0]);
        let most = report.moves.iter().map(lead).fold(f32::NEG_INFINITY, f32::max);
        assert!(most - best < 5.0, "{size}: {most} beside {best}");
        let root = sign * report.margin.expect("details were asked for").points;
        assert!((root - best).abs() < 5.0, "{size}: {best} of {root}");
    }
}

/// Under rules without superko a game of three kos has no result.
#[test]
fn the_sample_counts_games_that_a_long_cycle_made_void() {
    let board = diagram::parse(TRIPLE_KO).expect("a board");
    let mut line = Line::from(Position::from_board(board, Color::Black, JAPANESE));
    ["C8", "B5", "C2", "B8", "C5"].iter().for_each(|name| line.play(Move::Play(point(name, 9))));
    let [closes, other] = ["B2", "A9"].map(|name| Move::Play(point(name, 9)));
    let mut request = line.request(200, Some(&[closes, other]));
    request.knowledge.details = true;
    let details = run(&mut searcher(options()), &request).details;
    let void = |mv| details.below(mv).expect("samples").void_share();
    assert_eq!(void(closes), 1.0);
    assert!(void(other) < 0.5 && details.whole().void_share() > 0.0);
}
