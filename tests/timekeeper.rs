//! The referee's time in `kosumi match`: what a move may take, when it is late, and what an engine is told. No time
//! passes here: the tests say how long a move took.

use std::time::Duration;

use kosumi::clock::TimeControl;
use kosumi::matches::timekeeper::Timekeeper;

const MARGIN: Duration = Duration::from_millis(500);

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn absolute(main: u64) -> Timekeeper {
    Timekeeper::new(TimeControl::Absolute { main: millis(main) }, None, MARGIN)
}

fn canadian(main: u64, period: u64, stones: u32) -> Timekeeper {
    let control = TimeControl::Canadian { main: millis(main), period: millis(period), stones };
    Timekeeper::new(control, None, MARGIN)
}

#[test]
fn sudden_death_is_the_time_and_one_margin_however_many_the_moves() {
    let mut time = absolute(10_000);
    for _ in 0..20 {
        time.spend(millis(500)).unwrap();
    }
    // The clock is empty; a half of the margin is used now, and the other half later.
    assert_eq!(time.limit(), Some(MARGIN));
    time.spend(millis(250)).unwrap();
    assert_eq!(time.limit(), Some(millis(250)));
    let mut late = time;
    let error = late.spend(millis(251)).unwrap_err();
    assert_eq!((error.used, error.left), (millis(251), Duration::ZERO));
    assert_eq!(error.to_string(), "0.25 s for a move, 0.00 s left");
    time.spend(millis(250)).unwrap();
    assert_eq!(time.limit(), Some(Duration::ZERO));
    assert!(time.spend(millis(1)).is_err());
}

#[test]
fn periods_share_one_margin() {
    let mut time = canadian(0, 2000, 2);
    for _ in 0..10 {
        time.spend(millis(1000)).unwrap();
        time.spend(millis(1000)).unwrap();
    }
    // Each of these periods takes 200 ms too long: the third time the margin is not enough.
    for _ in 0..2 {
        time.spend(millis(1000)).unwrap();
        time.spend(millis(1200)).unwrap();
    }
    time.spend(millis(1000)).unwrap();
    assert_eq!(time.limit(), Some(millis(1100)));
    assert!(time.spend(millis(1200)).is_err());
}

#[test]
fn main_time_and_the_first_period_are_there_for_one_move() {
    let mut time = canadian(1000, 5000, 3);
    assert_eq!(time.limit(), Some(millis(6500)));
    time.spend(millis(6400)).unwrap();
    assert_eq!(time.words(true).as_deref(), Some("0 2"));
    assert_eq!(time.limit(), Some(millis(100)));
}

/// The longest time for a move is no clock: nothing of it is saved, so each move has the margin for itself.
#[test]
fn the_time_of_a_move_has_its_margin_each_time() {
    let mut time = Timekeeper::new(TimeControl::Unlimited, Some(millis(1000)), MARGIN);
    for _ in 0..50 {
        assert_eq!(time.limit(), Some(millis(1500)));
        time.spend(millis(1500)).unwrap();
    }
    assert_eq!(time.spend(millis(1501)).unwrap_err().left, millis(1000));
    assert_eq!(time.words(false), None);
    // The smaller of two limits counts.
    let control = TimeControl::Absolute { main: millis(1200) };
    let mut time = Timekeeper::new(control, Some(millis(1000)), MARGIN);
    assert_eq!(time.limit(), Some(millis(1500)));
    time.spend(millis(1000)).unwrap();
    assert_eq!(time.limit(), Some(millis(700)));
    assert_eq!(time.spend(millis(701)).unwrap_err().left, millis(200));
    let unlimited = Timekeeper::new(TimeControl::Unlimited, None, MARGIN);
    assert_eq!(unlimited.limit(), None);
}

#[test]
fn the_words_of_time_left_are_rounded_down_and_the_clock_is_not() {
    let mut time = absolute(10_000);
    assert_eq!(time.words(true).as_deref(), Some("10 0"));
    time.spend(Duration::from_micros(2_000_400)).unwrap();
    // 7.9996 s: never more than there is.
    assert_eq!((time.words(true).as_deref(), time.words(false).as_deref()), (Some("7.999 0"), Some("7 0")));
    // Ten moves of 0.7999 s fit to the last microsecond: what was rounded in words is not lost.
    for _ in 0..10 {
        time.spend(Duration::from_micros(799_960)).unwrap();
    }
    assert_eq!(time.limit(), Some(MARGIN));
    assert_eq!((time.words(true).as_deref(), time.words(false).as_deref()), (Some("0 0"), Some("0 0")));
}

/// `0 0` would say that the flag has fallen, where there is a period still.
#[test]
fn whole_seconds_of_main_time_end_with_the_period() {
    let mut time = canadian(2000, 30_000, 5);
    assert_eq!(time.words(false).as_deref(), Some("2 0"));
    time.spend(millis(1100)).unwrap();
    assert_eq!((time.words(true).as_deref(), time.words(false).as_deref()), (Some("0.900 0"), Some("30 5")));
    time.spend(millis(1000)).unwrap();
    assert_eq!((time.words(true).as_deref(), time.words(false).as_deref()), (Some("29.900 4"), Some("29 4")));
    // In overtime less than a second is just that.
    time.spend(millis(29_500)).unwrap();
    assert_eq!((time.words(true).as_deref(), time.words(false).as_deref()), (Some("0.400 3"), Some("0 3")));
}
