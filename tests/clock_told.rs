//! Clocks whose controller tells the time left: the delays that it shows, games that are entered late, and settings that
//! are repeated.

use std::time::Duration;

use kosumi::clock::{Clock, TimeControl};

use crate::clock::{LAG, budget, gtp, millis, seconds};

#[test]
fn a_reserve_for_delays_that_do_not_come_is_given_up() {
    // Each move takes a second off the controller's clock. A part of it is the delay.
    let share = |delay: Duration| {
        let mut clock = Clock::new(TimeControl::Absolute { main: seconds(60.0) });
        for n in 0..20 {
            clock.set_left(seconds(60.0 - f64::from(n)), 0);
            clock.spend(seconds(1.0) - delay);
            clock.spend_unseen(LAG);
        }
        clock.set_left(seconds(40.0), 0);
        budget(&clock, 9, 40).soft
    };
    let [none, usual, long] = [0, 50, 90].map(|delay| share(millis(delay)));
    assert!(none > usual && usual > long, "{none:?}, {usual:?}, {long:?}");
}

#[test]
fn a_game_with_little_time_left_is_gone_on_with_at_a_sensible_pace() {
    // A client that was away for minutes comes back. The reserve for delays once took all that was left.
    for (main, left) in [(300.0, 23.0), (300.0, 12.0), (600.0, 30.0)] {
        let mut clock = gtp(main, 0.0, 0);
        clock.set_left(seconds(left), 0);
        let budget = clock.budget(seconds(1.0), 81, 20).expect("a clock runs");
        assert!(budget.soft >= seconds(left / 50.0), "{left} s of {main} s: {budget:?}");
    }
}

#[test]
fn settings_that_are_repeated_before_each_time_left_begin_no_new_game() {
    // gtp2ogs sends the settings before each move. Half a second of each move is delay.
    let controls = [
        TimeControl::Absolute { main: seconds(60.0) },
        TimeControl::Fischer { main: seconds(60.0), increment: millis(500), cap: None, per_move: None },
        TimeControl::Unlimited,
    ];
    for control in controls {
        let [mut once, mut repeated] = [Clock::new(control); 2];
        for n in 0..40 {
            for clock in [&mut once, &mut repeated] {
                clock.set_left(seconds(60.0 - f64::from(n)), 0);
                clock.spend(millis(500));
                clock.spend_unseen(LAG);
            }
            // Twice, as for a move and a hint.
            repeated.set(control);
            repeated.set(control);
        }
        [&mut once, &mut repeated].into_iter().for_each(|clock| clock.set_left(seconds(20.0), 0));
        assert_eq!(once, repeated);
    }
}

#[test]
fn settings_without_a_time_left_reset_the_clock() {
    let control = TimeControl::Canadian { main: seconds(60.0), period: seconds(10.0), stones: 5 };
    let mut clock = Clock::new(control);
    clock.set_left(seconds(8.0), 3);
    clock.spend(seconds(1.0));
    clock.set(control);
    assert_eq!(clock.left(), Some((seconds(60.0), 0)));
    clock.spend(seconds(1.0));
    assert_eq!(clock.left(), Some((seconds(59.0), 0)));
    // Another control begins anew in any case.
    clock.set(TimeControl::Absolute { main: seconds(30.0) });
    assert_eq!(clock, Clock::new(TimeControl::Absolute { main: seconds(30.0) }));
}

#[test]
fn what_is_told_without_a_move_in_between_shows_no_delay() {
    // kgsGtp tells an adjourned game: thirty of our moves, each with the time that was left after it.
    let mut resumed = Clock::new(TimeControl::Absolute { main: seconds(1800.0) });
    for n in 0..=30 {
        resumed.set_left(seconds(1800.0 - 50.0 * f64::from(n)), 0);
    }
    let mut fresh = Clock::new(TimeControl::Absolute { main: seconds(1800.0) });
    fresh.set_left(seconds(300.0), 0);
    assert_eq!(budget(&resumed, 19, 60), budget(&fresh, 19, 60));
}
