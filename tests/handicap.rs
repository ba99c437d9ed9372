//! Games with handicap stones: the search makes up for part of them, and nobody else notices.

#[path = "support/engine.rs"]
mod support;

use kosumi::engine::{Decision, Engine};
use kosumi::go::{Color, Komi, handicap};
use kosumi::search::Study;
use support::{engine, options};

/// An engine on 13×13 with so many stones for Black and White to move.
fn with_stones(stones: usize, resign_below: f32) -> Engine {
    let mut options = options();
    options.size = 13;
    options.komi = Komi::new(0.5).ok();
    options.playouts = Some(1500);
    options.resign_below = resign_below;
    let mut engine = engine(options);
    let points = handicap::fixed(13, stones).expect("a handicap");
    engine.game_mut().place_handicap(&points).expect("an empty board");
    engine
}

#[test]
fn what_is_reported_counts_the_stones_in_full() {
    let mut engine = with_stones(9, 0.0);
    let (_, report) = engine.reg_genmove_watched(Color::White, &Study::default(), &mut |_| {});
    let (margin, _) = report.as_ref().expect("a search").ownership.margin();
    let value = report.expect("a search").value;
    assert!(value < 0.1, "White has nothing to hope for: {value}");
    assert!(margin > 40.0, "Black is far ahead: {margin}");
    // Who looks at the position by himself finds the same.
    let findings = engine.findings(Color::White);
    assert!(findings.value < 0.1, "{}", findings.value);
    assert!((findings.ownership.margin().0 - margin).abs() < 25.0, "{} and {margin}", findings.ownership.margin().0);
}

#[test]
fn a_win_rate_moves_with_the_margin() {
    let mut engine = with_stones(2, 0.0);
    let findings = engine.findings(Color::White);
    let mut given = findings.clone();
    given.give_black(2 * 10, Color::White);
    assert!(given.value < findings.value, "{} and {}", given.value, findings.value);
    assert!((given.ownership.margin().0 - findings.ownership.margin().0 - 10.0).abs() < 0.01);
    assert!((given.ownership.margin().1 - findings.ownership.margin().1).abs() < 0.01);
    given.give_black(-2 * 10, Color::White);
    assert!((given.value - findings.value).abs() < 0.001, "and back");
    assert!(given.moves.iter().zip(&findings.moves).all(|(a, b)| (a.value - b.value).abs() < 0.001));
}

#[test]
fn nobody_resigns_while_stones_are_made_up_for() {
    let mut engine = with_stones(9, 0.3);
    for _ in 0..3 {
        assert_ne!(engine.genmove(Color::White), Decision::Resign);
        assert_ne!(engine.genmove(Color::Black), Decision::Resign);
    }
}
