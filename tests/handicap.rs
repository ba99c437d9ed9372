//! Games with handicap stones: values are honest about them, and White is in no hurry to resign.

use kosumi::engine::{Decision, Engine, Interest};
use kosumi::go::{Color, Komi, Move, Point, handicap};

use crate::support::engine::{engine, options};

/// An engine on 13×13 with so many stones for Black.
fn with_stones(stones: usize, resign_below: f32) -> Engine {
    let mut options = options();
    options.size = 13.into();
    options.komi = Komi::new(0.5).ok();
    options.playouts = Some(1500);
    options.resign_below = resign_below;
    let mut engine = engine(options);
    if stones > 0 {
        let points = handicap::fixed(13, stones).expect("a handicap");
        engine.game_mut().place_handicap(&points).expect("an empty board");
    }
    engine
}

#[test]
fn what_is_reported_counts_the_stones_in_full() {
    let mut engine = with_stones(9, 0.0);
    let (_, report) = engine.reg_genmove_watched(Color::White, &Interest::default(), &mut |_| {}).expect("a search");
    let (margin, _) = report.as_ref().expect("a search").ownership.margin();
    let value = report.expect("a search").value;
    assert!(value < 0.1, "White has nothing to hope for: {value}");
    assert!(margin > 40.0, "Black is far ahead: {margin}");
    // Who looks at the position by himself finds the same.
    let findings = engine.findings(Color::White).expect("a search");
    assert!(findings.value < 0.1, "{}", findings.value);
    assert!((findings.ownership.margin().0 - margin).abs() < 25.0, "{} and {margin}", findings.ownership.margin().0);
}

#[test]
fn who_gave_stones_is_slow_to_resign() {
    for (stones, resigns) in [(9, false), (0, true)] {
        let mut engine = with_stones(stones, 0.3);
        engine.game_mut().set_komi(Komi::new(-90.5).expect("a komi"));
        // Forty moves on the edges that change nothing.
        for (column, row) in (0..10).flat_map(|column| [(column, 0), (column, 1)]) {
            for (color, row) in [(Color::White, row), (Color::Black, 12 - row)] {
                let mv = Move::Play(Point::new(column, row, 13));
                engine.game_mut().play(color, mv).expect("a legal move");
            }
        }
        let gave_up = (0..3).any(|_| {
            let answer = engine.genmove(Color::White).expect("a search");
            engine.game_mut().play(Color::Black, Move::Pass).expect("a pass is legal");
            answer == Decision::Resign
        });
        assert_eq!(gave_up, resigns, "{stones} stones");
    }
}
