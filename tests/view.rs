//! What is said of a search, in every form, of fixed findings: byte by byte what clients have read so far. The texts
//! stand in `golden/`. And the one rule of perspective behind them all.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use kosumi::engine::Decision;
use kosumi::engine::thought::Thought;
use kosumi::go::{CAPACITY, Color, Move, Point, PointMap};
use kosumi::gtp::analysis::{Dialect, Form, play_line};
use kosumi::gtp::{cgos, explain, gogui};
use kosumi::search::details::Sampled;
use kosumi::search::evaluate::{CERTAIN, Evaluation};
use kosumi::search::win_rate::lower_bound;
use kosumi::search::{Details, Margin, Means, MoveReport, Ownership, Report};
use kosumi::view::{Lead, MoveView, ThoughtView, View};

/// Findings of a search, the side to move and the size of the board.
struct Findings {
    name: &'static str,
    report: Report,
    to_move: Color,
    size: usize,
}

/// Numbers that look random and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn evaluation(&mut self, size: usize) -> Evaluation {
        let mut ownership = PointMap::filled(0);
        for row in 0..size {
            for column in 0..size {
                // The lower left is Black's, the upper right White's, more or less.
                let lean = 2 * CERTAIN as i64 * (size as i64 - 1 - row as i64 - column as i64) / size as i64;
                let owner = lean + self.below(101) as i64 - 50;
                ownership[Point::new(column, row, size)] = owner.clamp(-i64::from(CERTAIN), CERTAIN.into()) as i8;
            }
        }
        let margin = self.below(41) as f32 - 22.5;
        Evaluation { margin, ownership, knows_owners: true, ..Evaluation::default() }
    }
}

/// A continuation by columns and rows (none for a pass), visits, value and prior.
type Line<'a> = (&'a [Option<(usize, usize)>], u64, f32, f32);

/// A report with these moves; playouts that were played to their end and samples; value, playouts and milliseconds.
fn findings(
    name: &'static str,
    (to_move, size): (Color, usize),
    moves: &[Line<'_>],
    (ended, sampled): (usize, usize),
    (value, playouts, millis): (f32, u64, u64),
) -> Findings {
    let [mut numbers, mut margins] = [size as u64, 7].map(Numbers);
    let to_move_of =
        |at: &Option<(usize, usize)>| at.map_or(Move::Pass, |(column, row)| Move::Play(Point::new(column, row, size)));
    let moves: Vec<MoveReport> = moves
        .iter()
        .map(|&(line, visits, value, prior)| {
            let variation: Vec<Move> = line.iter().map(to_move_of).collect();
            let variation_visits = (0..variation.len() as u64).map(|ply| visits >> ply).collect();
            let points = margins.below(200) as f32 / 10.0 - 10.0;
            let margin = (sampled > 0).then_some(Margin { points, deviation: 12.0 + points / 10.0 });
            let bound = lower_bound(value.into(), visits);
            MoveReport {
                mv: variation[0],
                visits,
                value,
                win_rate: value,
                bound,
                margin,
                prior,
                variation,
                variation_visits,
            }
        })
        .collect();
    let mut ownership = Ownership::default();
    for _ in 0..ended {
        ownership.add(&numbers.evaluation(size), CAPACITY);
    }
    let mut details = if sampled > 0 { Details::collecting() } else { Details::default() };
    for i in 0..sampled {
        let mv = moves[i % moves.len()].mv;
        let evaluation = numbers.evaluation(size);
        let result = if evaluation.margin > 0.0 { 1.0 } else { 0.0 };
        let sampled = Sampled { evaluation: &evaluation, result, is_void: i % 16 == 5 };
        details.add(Some(mv.point().unwrap_or(Point::NONE)), &sampled, CAPACITY);
    }
    let visits = moves.iter().map(|m| m.visits).sum();
    let elapsed = Duration::from_millis(millis);
    let margin = (sampled > 0).then_some(Margin { points: -2.5, deviation: 11.9 });
    let means = Means { visits, playouts: value, net: None };
    let report = Report {
        moves,
        playouts,
        elapsed,
        value,
        win_rate: value,
        means,
        margin,
        spread_of_net: 0.0,
        visits,
        nodes: 1234,
        ownership,
        details,
    };
    Findings { name, report, to_move, size }
}

/// Searches of all kinds: either side to move, with and without scores, small and large, and one of nothing.
fn all() -> Vec<Findings> {
    let nine: &[Line<'_>] = &[
        (&[Some((4, 4)), Some((2, 2)), Some((6, 2))], 1_234_567, 0.523_45, 0.4),
        (&[Some((2, 2)), None, Some((8, 8))], 12_345, 0.498_76, 0.312_5),
        (&[Some((8, 0))], 999, 0.45, 0.2),
        (&[None, Some((3, 3))], 10, 0.05, 0.001_5),
        (&[Some((0, 8))], 0, 0.52, 0.000_04),
        (&[Some((0, 0))], 0, 0.52, 0.0),
    ];
    let nineteen: &[Line<'_>] = &[
        (&[Some((15, 3)), Some((3, 15)), Some((15, 15)), Some((3, 3))], 812, 0.61, 0.25),
        (&[Some((3, 15)), Some((8, 9))], 311, 0.599_9, 0.2),
        (&[Some((18, 18))], 16, 1.0, 0.01),
        (&[Some((7, 0))], 1, 0.0, 0.02),
    ];
    let five: &[Line<'_>] = &[
        (&[Some((2, 2)), Some((1, 2)), None, None], 90, 0.031_25, 0.9),
        (&[Some((1, 1))], 89, 0.031_2, 0.05),
        (&[Some((3, 1))], 1, 0.0, 0.05),
        (&[None], 0, 0.031_25, 0.0),
    ];
    let pass: &[Line<'_>] = &[(&[None], 64, 0.999_96, 1.0)];
    let (black, white) = (Color::Black, Color::White);
    vec![
        findings("9x9, black", (black, 9), nine, (200, 333), (0.521_9, 1_250_000, 61_234)),
        findings("9x9, white", (white, 9), nine, (51, 20), (0.48, 1_000_000, 999)),
        findings("19x19, white, no sample", (white, 19), nineteen, (60, 0), (0.606, 1140, 120)),
        findings("19x19, black, nothing known of the score", (black, 19), nineteen, (49, 0), (0.5, 1140, 0)),
        findings("5x5, white, lost", (white, 5), five, (77, 150), (0.031_25, 180, 5)),
        findings("7x7, black, a pass alone", (black, 7), pass, (50, 64), (0.999_96, 64, 1)),
        findings("2x2, white, nothing", (white, 2), &[], (0, 0), (0.5, 0, 0)),
    ]
}

/// Lines of live analysis in several forms.
fn analysis(text: &mut String, Findings { report, to_move, size, .. }: &Findings) {
    let plain = Form {
        dialect: Dialect::LeelaZero,
        color: *to_move,
        size: (*size).into(),
        min_moves: 0,
        max_moves: usize::MAX,
        ownership: false,
        ownership_deviation: false,
        moves_ownership: false,
        moves_ownership_deviation: false,
        no_result: false,
        variation_visits: Vec::new(),
        root_info: false,
    };
    let all = Form {
        min_moves: 5,
        ownership: true,
        ownership_deviation: true,
        moves_ownership: true,
        moves_ownership_deviation: true,
        no_result: true,
        variation_visits: vec!["pvVisits", "pvEdgeVisits"],
        root_info: true,
        ..plain.clone()
    };
    let few = Form { max_moves: 2, root_info: true, ownership: *size < 9, ..plain.clone() };
    for dialect in [Dialect::LeelaZero, Dialect::KataGo] {
        for form in [&plain, &all, &few] {
            // Owners of each move on large boards are much text that says nothing new.
            let moves_ownership = form.moves_ownership && *size < 9;
            let moves_ownership_deviation = moves_ownership && *size < 7;
            let form = Form { dialect, moves_ownership, moves_ownership_deviation, ..form.clone() };
            writeln!(text, "{}", form.line(report).unwrap_or_else(|| "(no line)".into())).unwrap();
        }
    }
}

/// What GoGui draws.
fn drawings(text: &mut String, Findings { report, to_move, size, .. }: &Findings) {
    let view = View::of(report, *to_move, *size);
    for drawing in [
        gogui::best_moves(&view),
        gogui::visits(&view),
        gogui::win_rates(&view),
        gogui::variation(&view),
        gogui::statistics(&view),
        gogui::ownership_board(&view),
    ] {
        writeln!(text, "{drawing}\n").unwrap();
    }
    for (name, kind) in gogui::LiveGraphics::ALL {
        writeln!(text, "{name}: {:?}", gogui::live(kind, &view)).unwrap();
    }
}

/// What is said of a move, to people, to gtp2ogs and to CGOS.
fn explanations(text: &mut String, Findings { report, to_move, size, .. }: &Findings) {
    let second = report.moves.get(1).map_or(Move::Pass, |m| m.mv);
    for decision in [Decision::Move(report.best()), Decision::Move(second), Decision::Resign] {
        let thought = Thought {
            color: *to_move,
            decision,
            moves_before: 41,
            knows_score: true,
            report: std::sync::Arc::new(report.clone()),
        };
        let thought = ThoughtView::of(&thought, *size);
        writeln!(text, "{}", explain::in_full(&thought)).unwrap();
        writeln!(text, "{}", explain::assessment(&thought.search)).unwrap();
        writeln!(text, "{}", explain::effort(&thought.search)).unwrap();
        writeln!(text, "{}", explain::for_gtp2ogs(&thought).join("\n")).unwrap();
        writeln!(text, "{}", play_line(decision, *size)).unwrap();
        writeln!(text, "{}\n", cgos::analysis(&thought)).unwrap();
    }
}

/// The text is that of the file; what differs is shown. With `KOSUMI_WRITE_GOLDEN` set, the file is written anew.
#[track_caller]
fn assert_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("KOSUMI_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, text).expect("the file can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for (number, (ours, theirs)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of {name}", number + 1);
    }
    assert_eq!(text, golden, "the end of {name}");
}

fn render(part: impl Fn(&mut String, &Findings)) -> String {
    let mut text = String::new();
    for findings in all() {
        writeln!(text, "# {}", findings.name).unwrap();
        part(&mut text, &findings);
        text.push('\n');
    }
    text
}

#[test]
fn live_analysis_says_what_it_said() {
    assert_golden("analysis.txt", &render(analysis));
}

#[test]
fn gogui_draws_what_it_drew() {
    assert_golden("gogui.txt", &render(drawings));
}

#[test]
fn moves_are_explained_as_they_were() {
    assert_golden("explain.txt", &render(explanations));
}

#[test]
fn a_view_as_json_has_the_names_that_clients_know() {
    let five = all().into_iter().find(|findings| findings.size == 5).expect("there is one");
    let view = View::in_full(&five.report, five.to_move, five.size);
    assert_golden("view.json", &format!("{}\n", serde_json::to_string_pretty(&view).expect("plain data")));
    let thought = Thought {
        color: five.to_move,
        decision: Decision::Resign,
        moves_before: 0,
        knows_score: true,
        report: std::sync::Arc::new(five.report.clone()),
    };
    let json = serde_json::to_value(ThoughtView::of(&thought, five.size)).expect("plain data");
    assert_eq!(json["decision"], "resign");
    assert_eq!((&json["resigns"], &json["moveNumber"], &json["made"]), (&true.into(), &1.into(), &().into()));
    assert_eq!(json["search"]["moves"][0]["move"], "C3");
}

#[test]
fn everything_in_a_view_is_for_its_side() {
    for Findings { name, report, to_move, size } in all() {
        let own = View::in_full(&report, to_move, size);
        assert_eq!((own.side, own.to_move), (to_move, to_move), "{name}");
        // Reports have win rates for the side to move, scores and owners for Black.
        assert_eq!(own.win_rate, report.value, "{name}");
        let black = own.clone().seen_by(Color::Black);
        let lead = |margin: Margin| Lead { points: margin.points, spread: margin.deviation };
        assert_eq!(black.lead, report.margin.map(lead), "{name}");
        for (m, found) in black.moves.iter().zip(&report.moves) {
            assert_eq!(m.lead, found.margin.map(lead), "{name}, {}", m.vertex);
        }
        for (row, owners) in black.owners.iter().flat_map(|owners| owners.rows().iter().enumerate()) {
            for (column, &owner) in owners.iter().enumerate() {
                assert_eq!(owner, report.details.all().of(Point::new(column, size - 1 - row, size)), "{name}");
            }
        }
        let white = own.clone().seen_by(Color::White);
        assert_eq!(own.clone().seen_by(to_move), own, "{name}");
        assert_eq!((white.side, white.to_move), (Color::White, to_move), "{name}");
        assert_eq!(black.win_rate + white.win_rate, 1.0, "{name}");
        assert_eq!(black.favourite(), white.favourite(), "{name}");
        assert_eq!(black.moves.len(), report.moves.len(), "{name}");
        for (b, w) in black.moves.iter().zip(&white.moves) {
            assert_eq!((b.win_rate + w.win_rate, b.bound + w.bound), (1.0, 1.0), "{name}, {}", b.vertex);
            assert_eq!((b.prior, b.visits, &b.variation), (w.prior, w.visits, &w.variation), "{name}, {}", b.vertex);
            let lead = |m: &MoveView| m.lead.map(|lead| lead.points);
            assert_eq!(lead(b), lead(w).map(|points| -points), "{name}, {}", b.vertex);
            let result = |m: &MoveView, side| m.lead.map(|lead| lead.result(side));
            assert_eq!(result(b, Color::Black), result(w, Color::White), "{name}, {}", b.vertex);
            let owners = |m: &MoveView, sign: f32| -> Option<Vec<f32>> {
                m.owners.as_ref().map(|owners| owners.iter().map(|owner| owner * sign).collect())
            };
            assert_eq!(owners(b, 1.0), owners(w, -1.0), "{name}, {}", b.vertex);
        }
    }
}

#[test]
fn owners_stand_as_boards_are_shown() {
    let nine = all().into_iter().next().expect("there is one");
    let view = View::of(&nine.report, nine.to_move, nine.size);
    let owners = view.owners.expect("the search has looked at them");
    assert!(owners.rows()[0][8] < -0.9 && owners.rows()[8][0] > 0.9, "White's is the upper right");
    let named: Vec<(String, f32)> = owners.by_vertex().collect();
    assert_eq!((named.len(), named[0].0.as_str(), named[8].0.as_str()), (81, "A9", "J9"));
    assert_eq!((named[80].0.as_str(), named[72].1), ("J1", owners.rows()[8][0]));
}

#[test]
fn scores_name_the_side_that_is_ahead() {
    let lead = |points| Lead { points, spread: 1.0 };
    assert_eq!(lead(3.46).result(Color::Black), "B+3.5");
    assert_eq!(lead(3.5).result(Color::White), "W+3.5");
    assert_eq!(lead(-12.0).result(Color::White), "B+12.0");
    assert_eq!((lead(0.0).result(Color::Black), lead(0.0).result(Color::White)), ("B+0.0".into(), "B+0.0".into()));
}
