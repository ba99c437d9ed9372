//! What is said of a search, in every form, of fixed findings: byte by byte what clients have read so far. The texts
//! stand in `golden/`.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use kosumi::engine::Decision;
use kosumi::engine::thought::Thought;
use kosumi::go::{CAPACITY, Color, Move, Point, PointMap};
use kosumi::gtp::analysis::{Dialect, Form, play_line};
use kosumi::gtp::{cgos, explain, gogui};
use kosumi::search::evaluate::{CERTAIN, Evaluation};
use kosumi::search::{Details, MoveReport, Ownership, Report};

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

/// A report with these moves: columns and rows of a continuation (none for a pass), visits, value and prior.
fn findings(
    name: &'static str,
    (to_move, size): (Color, usize),
    moves: &[(&[Option<(usize, usize)>], u32, f32, f32)],
    (ended, sampled): (usize, usize),
    (value, playouts, millis): (f32, u64, u64),
) -> Findings {
    let mut numbers = Numbers(size as u64);
    let to_move_of =
        |at: &Option<(usize, usize)>| at.map_or(Move::Pass, |(column, row)| Move::Play(Point::new(column, row, size)));
    let moves: Vec<MoveReport> = moves
        .iter()
        .map(|&(line, visits, value, prior)| {
            let variation: Vec<Move> = line.iter().map(to_move_of).collect();
            let variation_visits = (0..variation.len() as u32).map(|ply| (visits >> ply).into()).collect();
            MoveReport { mv: variation[0], visits: visits.into(), value, prior, variation, variation_visits }
        })
        .collect();
    let mut ownership = Ownership::default();
    for _ in 0..ended {
        ownership.add(&numbers.evaluation(size), CAPACITY);
    }
    let mut details = if sampled > 0 { Details::collecting() } else { Details::default() };
    for i in 0..sampled {
        let mv = moves[i % moves.len()].mv;
        details.add(Some(mv.point().unwrap_or(Point::NONE)), &numbers.evaluation(size), CAPACITY);
    }
    let visits = moves.iter().map(|m| m.visits).sum();
    let elapsed = Duration::from_millis(millis);
    let report = Report { moves, playouts, elapsed, value, visits, nodes: 1234, ownership, details };
    Findings { name, report, to_move, size }
}

/// Searches of all kinds: either side to move, with and without scores, small and large, and one of nothing.
fn all() -> Vec<Findings> {
    let nine: &[(&[_], u32, f32, f32)] = &[
        (&[Some((4, 4)), Some((2, 2)), Some((6, 2))], 1_234_567, 0.523_45, 0.4),
        (&[Some((2, 2)), None, Some((8, 8))], 12_345, 0.498_76, 0.312_5),
        (&[Some((8, 0))], 999, 0.45, 0.2),
        (&[None, Some((3, 3))], 10, 0.05, 0.001_5),
        (&[Some((0, 8))], 0, 0.52, 0.000_04),
        (&[Some((0, 0))], 0, 0.52, 0.0),
    ];
    let nineteen: &[(&[_], u32, f32, f32)] = &[
        (&[Some((15, 3)), Some((3, 15)), Some((15, 15)), Some((3, 3))], 812, 0.61, 0.25),
        (&[Some((3, 15)), Some((8, 9))], 311, 0.599_9, 0.2),
        (&[Some((18, 18))], 16, 1.0, 0.01),
        (&[Some((7, 0))], 1, 0.0, 0.02),
    ];
    let five: &[(&[_], u32, f32, f32)] = &[
        (&[Some((2, 2)), Some((1, 2)), None, None], 90, 0.031_25, 0.9),
        (&[Some((1, 1))], 89, 0.031_2, 0.05),
        (&[Some((3, 1))], 1, 0.0, 0.05),
        (&[None], 0, 0.031_25, 0.0),
    ];
    let pass: &[(&[_], u32, f32, f32)] = &[(&[None], 64, 0.999_96, 1.0)];
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
        size: *size,
        min_moves: 0,
        max_moves: usize::MAX,
        ownership: false,
        moves_ownership: false,
        variation_visits: Vec::new(),
        root_info: false,
    };
    let all = Form {
        min_moves: 5,
        ownership: true,
        moves_ownership: true,
        variation_visits: vec!["pvVisits", "pvEdgeVisits"],
        root_info: true,
        ..plain.clone()
    };
    let few = Form { max_moves: 2, root_info: true, ownership: *size < 9, ..plain.clone() };
    for dialect in [Dialect::LeelaZero, Dialect::KataGo] {
        for form in [&plain, &all, &few] {
            // Owners of each move on large boards are much text that says nothing new.
            let moves_ownership = form.moves_ownership && *size < 9;
            let form = Form { dialect, moves_ownership, ..form.clone() };
            writeln!(text, "{}", form.line(report).unwrap_or_else(|| "(no line)".into())).unwrap();
        }
    }
}

/// What GoGui draws.
fn drawings(text: &mut String, Findings { report, to_move, size, .. }: &Findings) {
    for drawing in [
        gogui::best_moves(report, *to_move, *size),
        gogui::visits(report, *size),
        gogui::win_rates(report, *size),
        gogui::variation(report, *size),
        gogui::statistics(report, *to_move, *size),
        gogui::ownership_board(report.details.all(), *size),
    ] {
        writeln!(text, "{drawing}\n").unwrap();
    }
    for (name, kind) in gogui::LiveGraphics::ALL {
        writeln!(text, "{name}: {:?}", gogui::live(kind, report, *to_move, *size)).unwrap();
    }
}

/// What is said of a move, to people, to gtp2ogs and to CGOS.
fn explanations(text: &mut String, Findings { report, to_move, size, .. }: &Findings) {
    let second = report.moves.get(1).map_or(Move::Pass, |m| m.mv);
    for decision in [Decision::Move(report.best()), Decision::Move(second), Decision::Resign] {
        let thought = Thought { color: *to_move, decision, moves_before: 41, report: report.clone() };
        writeln!(text, "{}", explain::in_full(&thought, *size)).unwrap();
        writeln!(text, "{}", explain::assessment(&thought)).unwrap();
        writeln!(text, "{}", explain::effort(&thought)).unwrap();
        writeln!(text, "{}", explain::for_gtp2ogs(&thought, *size).join("\n")).unwrap();
        writeln!(text, "{}", play_line(decision, *size)).unwrap();
        writeln!(text, "{}\n", cgos::analysis(&thought, *size)).unwrap();
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
