//! Clocks: what a move may take is never more than there is, and no game is lost on time.

use std::time::Duration;

use kosumi::clock::{Budget, Clock, TimeControl};
use proptest::prelude::*;

pub const LAG: Duration = Duration::from_millis(300);

pub fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

pub fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub fn gtp(main: f64, period: f64, stones: u32) -> Clock {
    Clock::new(TimeControl::from_gtp(seconds(main), seconds(period), stones))
}

fn byo_yomi(main: u64, period: u64, periods: u32) -> Clock {
    Clock::new(TimeControl::ByoYomi { main: millis(main), period: millis(period), periods })
}

fn fischer(main: u64, increment: u64, cap: Option<u64>) -> Clock {
    Clock::new(TimeControl::Fischer {
        main: millis(main),
        increment: millis(increment),
        cap: cap.map(millis),
        per_move: None,
    })
}

#[track_caller]
pub fn budget(clock: &Clock, size: usize, moves: usize) -> Budget {
    clock.budget(LAG, size * size, moves).expect("a clock runs")
}

#[test]
fn time_is_saved_where_a_later_move_can_have_it() {
    assert!(gtp(60.0, 0.0, 0).saves() && fischer(1000, 100, None).saves());
    // The clock keeps no time beyond the cap.
    assert!(fischer(800, 100, Some(1000)).saves() && !fischer(1000, 100, Some(1000)).saves());
    assert!(!Clock::default().saves());
    let mut canadian = gtp(0.0, 10.0, 5);
    canadian.set_left(seconds(10.0), 5);
    assert!(canadian.saves());
    canadian.set_left(seconds(3.0), 1);
    assert!(!canadian.saves(), "the next period is as long whatever is left of this one");
    assert!(!gtp(0.0, 1.0, 1).saves());
    assert!(byo_yomi(1000, 1000, 3).saves() && !byo_yomi(0, 1000, 3).saves());
}

#[test]
fn the_time_that_a_move_has_taken_so_far_may_be_several_periods() {
    let after = |mut clock: Clock, used: &[f64]| {
        used.iter().for_each(|&used| clock.charge(seconds(used)));
        clock.left().map(|(left, periods)| (left.as_secs_f64(), periods))
    };
    assert_eq!(after(byo_yomi(60_000, 30_000, 3), &[50.0]), Some((10.0, 0)));
    assert_eq!(after(byo_yomi(60_000, 30_000, 3), &[85.0]), Some((5.0, 3)));
    assert_eq!(after(byo_yomi(0, 30_000, 3), &[35.0]), Some((25.0, 2)));
    assert_eq!(after(byo_yomi(0, 30_000, 3), &[20.0, 15.0, 20.0, 20.0]), Some((15.0, 1)));
    assert_eq!(after(byo_yomi(0, 30_000, 3), &[1000.0]), Some((0.0, 1)));
    assert_eq!(after(gtp(60.0, 0.0, 0), &[50.0]), Some((10.0, 0)));
    // The move counts with what was charged before.
    let mut clock = byo_yomi(0, 10_000, 3);
    clock.charge(seconds(9.0));
    spend(&mut clock, 9.0, (10.0, 2));
}

/// The clock shows so many seconds, and so many stones or periods.
#[track_caller]
fn shows(clock: &Clock, (left, stones): (f64, u32)) {
    assert_eq!(clock.left(), Some((seconds(left), stones)), "{clock:?}");
}

/// A move takes so many seconds; then the clock shows this.
#[track_caller]
fn spend(clock: &mut Clock, used: f64, left: (f64, u32)) {
    clock.spend(seconds(used));
    shows(clock, left);
}

#[track_caller]
fn is_unlimited(clock: &Clock) {
    assert_eq!((clock.left(), clock.budget(LAG, 361, 0)), (None, None));
}

#[test]
fn gtp_settings_mean_what_the_specification_says() {
    let control = |main, period, stones| TimeControl::from_gtp(seconds(main), seconds(period), stones);
    // No limit: byo-yomi time without stones. GoGui says 0 1 0, q5Go 1 1 0.
    for (main, period) in [(0.0, 1.0), (1.0, 1.0), (300.0, 30.0), (0.0, 0.5)] {
        assert_eq!(control(main, period, 0), TimeControl::Unlimited);
        let clock = gtp(main, period, 0);
        is_unlimited(&clock);
    }
    // No time at all would be a game lost before its first move: nothing is announced.
    for stones in [0, 1, 25] {
        assert_eq!(control(0.0, 0.0, stones), TimeControl::Unlimited);
    }
    assert_eq!(control(300.0, 0.0, 0), TimeControl::Absolute { main: seconds(300.0) });
    assert_eq!(control(300.0, 0.0, 5), TimeControl::Absolute { main: seconds(300.0) });
    let canadian = TimeControl::Canadian { main: seconds(300.0), period: seconds(30.0), stones: 5 };
    assert_eq!(control(300.0, 30.0, 5), canadian);
    assert_eq!(gtp(300.0, 30.0, 5).left(), Some((seconds(300.0), 0)));
    // Byo-yomi from the start.
    assert_eq!(gtp(0.0, 30.0, 5).left(), Some((seconds(30.0), 5)));
}

#[test]
fn a_clock_without_limit_stays_so() {
    let mut clock = Clock::default();
    clock.spend(seconds(1e6));
    is_unlimited(&clock);
    clock.restart();
    assert_eq!(clock.left(), None);
}

#[test]
fn a_game_set_without_limit_stays_so_whatever_zero_is_announced() {
    for mut clock in [gtp(0.0, 1.0, 0), gtp(0.0, 0.0, 0), Clock::new(TimeControl::Unlimited)] {
        clock.set_left(Duration::ZERO, 0);
        is_unlimited(&clock);
        clock.set_left(Duration::ZERO, 1);
        is_unlimited(&clock);
        // Time that is left is another matter: somebody's clock runs.
        clock.set_left(seconds(20.0), 0);
        shows(&clock, (20.0, 0));
        clock.restart();
        assert_eq!(clock.left(), None, "what was announced counts for one game");
    }
}

#[test]
fn time_announced_without_settings_counts_for_one_game() {
    let mut clock = Clock::default();
    clock.set_left(Duration::ZERO, 0);
    shows(&clock, (0.0, 0));
    clock.set_left(seconds(20.0), 0);
    shows(&clock, (20.0, 0));
    clock.restart();
    is_unlimited(&clock);
}

#[test]
fn a_capped_move_stays_below_its_cap() {
    let control = TimeControl::Fischer {
        main: seconds(600.0),
        increment: seconds(30.0),
        cap: Some(seconds(600.0)),
        per_move: Some(seconds(10.0)),
    };
    let Budget { soft, hard } = budget(&Clock::new(control), 19, 0);
    assert!(soft <= hard && hard <= seconds(10.0) - LAG, "{hard:?}");
    assert!(soft > seconds(5.0), "the cap is no reason to hurry: {soft:?}");
}

#[test]
fn delays_come_off_the_clock_without_a_move() {
    let mut clock = gtp(10.0, 30.0, 3);
    clock.delay(seconds(1.0));
    shows(&clock, (9.0, 0));
    clock.spend(seconds(9.0));
    clock.delay(seconds(5.0));
    shows(&clock, (25.0, 2));
    let mut clock = Clock::default();
    clock.delay(seconds(5.0));
    assert_eq!(clock.left(), None);
}

#[test]
fn canadian_periods_start_over_when_their_stones_are_played() {
    let mut clock = gtp(10.0, 30.0, 3);
    spend(&mut clock, 4.0, (6.0, 0));
    // This move ends in the first period and counts there.
    spend(&mut clock, 8.0, (28.0, 2));
    spend(&mut clock, 20.0, (8.0, 1));
    // A new period, whole.
    spend(&mut clock, 7.0, (30.0, 3));
    clock.restart();
    shows(&clock, (10.0, 0));
    // One stone a period: whole again after each move.
    let mut clock = gtp(0.0, 5.0, 1);
    for _ in 0..3 {
        spend(&mut clock, 4.9, (5.0, 1));
    }
    // Exactly all of the main time: the period has begun, untouched, and the move was its first.
    let mut clock = gtp(10.0, 30.0, 3);
    spend(&mut clock, 10.0, (30.0, 2));
}

#[test]
fn japanese_periods_are_lost_only_when_they_are_exceeded() {
    let mut clock = byo_yomi(10_000, 30_000, 3);
    spend(&mut clock, 4.0, (6.0, 0));
    // Over the main time by less than a period.
    spend(&mut clock, 8.0, (30.0, 3));
    spend(&mut clock, 30.0, (30.0, 3));
    spend(&mut clock, 45.0, (30.0, 2));
    // One period is the least.
    spend(&mut clock, 61.0, (30.0, 1));
    // The move that ends the main time uses up periods, too.
    for (used, periods) in [(40.0, 3), (40.1, 2), (75.0, 1), (1000.0, 1)] {
        spend(&mut byo_yomi(10_000, 30_000, 3), used, (30.0, periods));
    }
}

#[test]
fn fischer_adds_after_each_move_up_to_the_cap() {
    let mut clock = fischer(10_000, 5_000, Some(12_000));
    spend(&mut clock, 1.0, (12.0, 0));
    spend(&mut clock, 6.0, (11.0, 0));
    let mut clock = fischer(10_000, 5_000, None);
    spend(&mut clock, 1.0, (14.0, 0));
}

#[test]
fn absolute_time_goes_down_to_nothing() {
    let mut clock = gtp(10.0, 0.0, 0);
    spend(&mut clock, 4.0, (6.0, 0));
    spend(&mut clock, 60.0, (0.0, 0));
}

#[test]
fn no_time_left_is_a_move_at_once() {
    for mut clock in [gtp(60.0, 0.0, 0), gtp(60.0, 10.0, 5), byo_yomi(60_000, 10_000, 3), fischer(60_000, 0, None)] {
        for stones in [0, 1, 3] {
            clock.set_left(Duration::ZERO, stones);
            let Budget { soft, hard } = budget(&clock, 19, 50);
            assert!(soft <= hard && soft > Duration::ZERO, "{clock:?}");
            // Main time of zero with periods behind it has still those.
            let more =
                stones == 0 && !matches!(clock.control(), TimeControl::Absolute { .. } | TimeControl::Fischer { .. });
            assert!(hard <= if more { seconds(10.0) } else { millis(1) }, "{clock:?}: {hard:?}");
        }
    }
    // Time announced without settings: absolute, or a Canadian period.
    let mut clock = Clock::default();
    clock.set_left(Duration::ZERO, 0);
    assert!(budget(&clock, 9, 0).hard <= millis(1));
    let mut clock = Clock::default();
    clock.set_left(seconds(10.0), 5);
    assert!(budget(&clock, 9, 0).hard <= seconds(5.0));
}

#[test]
fn what_the_controller_says_counts() {
    let mut clock = gtp(60.0, 10.0, 5);
    clock.spend(seconds(30.0));
    clock.set_left(seconds(50.0), 0);
    // Time can go up.
    shows(&clock, (50.0, 0));
    clock.set_left(seconds(7.0), 2);
    shows(&clock, (7.0, 2));
    spend(&mut clock, 3.0, (4.0, 1));
    // The next period is as it was set.
    spend(&mut clock, 3.0, (10.0, 5));
}

/// A controller's clock: flag down or not after a move that took so long, by the rules of the control.
struct Referee {
    control: TimeControl,
    left: Duration,
    /// Stones to play or periods left, 0 in main time.
    stones: u32,
}

impl Referee {
    fn new(control: TimeControl) -> Referee {
        let (left, stones) = match control {
            TimeControl::Unlimited => (Duration::MAX, 0),
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => (main, 0),
            TimeControl::Canadian { main, period, stones } if main.is_zero() => (period, stones),
            TimeControl::ByoYomi { main, period, periods } if main.is_zero() => (period, periods),
            TimeControl::Canadian { main, .. } | TimeControl::ByoYomi { main, .. } => (main, 0),
        };
        Referee { control, left, stones }
    }

    /// Takes off a move's time; `false` if it was too much.
    fn spend(&mut self, used: Duration) -> bool {
        match self.control {
            TimeControl::Unlimited => {}
            TimeControl::Absolute { .. } => {
                let Some(left) = self.left.checked_sub(used) else { return false };
                self.left = left;
            }
            TimeControl::Fischer { increment, cap, .. } => {
                let Some(left) = self.left.checked_sub(used) else { return false };
                self.left = (left + increment).min(cap.unwrap_or(Duration::MAX));
            }
            TimeControl::Canadian { period, stones, .. } => {
                let Some(used) = self.spend_main(used, period, stones) else { return true };
                let Some(left) = self.left.checked_sub(used) else { return false };
                (self.left, self.stones) = (left, self.stones - 1);
                if self.stones == 0 {
                    (self.left, self.stones) = (period, stones);
                }
            }
            TimeControl::ByoYomi { period, periods, .. } => {
                let Some(mut used) = self.spend_main(used, period, periods) else { return true };
                while used > period {
                    used -= period;
                    self.stones -= 1;
                    if self.stones == 0 {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Takes a move's time off the main time, if that is still running; what is beyond it belongs to the overtime that
    /// begins then. `None` if there is no more.
    fn spend_main(&mut self, used: Duration, period: Duration, stones: u32) -> Option<Duration> {
        if self.stones > 0 {
            return Some(used);
        }
        if used < self.left {
            self.left -= used;
            return None;
        }
        let beyond = used - self.left;
        (self.left, self.stones) = (period, stones);
        Some(beyond)
    }
}

/// Delay between the engine's answer and the controller's clock.
const DELAY: Duration = Duration::from_millis(50);

/// Plays a game in which every move takes all that it may and the delay. The number of own moves until the flag falls.
fn moves_until_flag(control: TimeControl, size: usize, own_moves: usize, told: bool) -> usize {
    // All moves as long as they may be, and some much shorter ones in between, which leave more to others.
    [1, 2, 3, 7].into_iter().map(|short| moves_until_flag_with(control, size, own_moves, told, short)).min().unwrap()
}

fn moves_until_flag_with(control: TimeControl, size: usize, own_moves: usize, told: bool, long_every: usize) -> usize {
    let mut clock = Clock::new(control);
    let mut referee = Referee::new(control);
    for n in 0..own_moves {
        if told {
            clock.set_left(referee.left, referee.stones);
        }
        let hard = budget(&clock, size, 2 * n).hard;
        let used = if n % long_every == 0 { hard } else { hard / 100 };
        clock.spend(used);
        clock.spend_unseen(LAG);
        if !referee.spend(used + DELAY) {
            return n;
        }
    }
    own_moves
}

/// Games are played to 300 moves: 150 of each side.
const OWN_MOVES: usize = 150;

#[test]
fn absolute_games_are_not_lost_on_time() {
    for size in [9, 13, 19] {
        for main in [30, 60, 300, 1800] {
            let main = Duration::from_secs(main);
            let mut controls = vec![TimeControl::Absolute { main }];
            // With so small increments it is the same.
            controls.extend([0, 5, 20].map(|n| TimeControl::Fischer {
                main,
                increment: millis(n),
                cap: None,
                per_move: None,
            }));
            for control in controls {
                for told in [true, false] {
                    let moves = moves_until_flag(control, size, OWN_MOVES, told);
                    assert_eq!(moves, OWN_MOVES, "{control:?} on {size}, told: {told}: the flag fell");
                }
            }
        }
    }
}

#[test]
fn overtime_games_are_not_lost_on_time() {
    let second = Duration::from_secs(1);
    for size in [9, 19] {
        for main in [0, 1, 10, 60, 600] {
            let main = main * second;
            for period in [1, 5, 30] {
                let period = period * second;
                let mut controls = vec![
                    TimeControl::Canadian { main, period, stones: 1 },
                    TimeControl::ByoYomi { main, period, periods: 1 },
                    TimeControl::ByoYomi { main, period, periods: 5 },
                ];
                // With 25 stones in a second not even the delay fits.
                if period > 4 * second {
                    controls.push(TimeControl::Canadian { main, period, stones: 5 });
                }
                if period > 20 * second {
                    controls.push(TimeControl::Canadian { main, period, stones: 25 });
                }
                if !main.is_zero() {
                    controls.push(TimeControl::Fischer { main, increment: period, cap: None, per_move: None });
                    controls.push(TimeControl::Fischer { main, increment: period, cap: Some(main), per_move: None });
                }
                for control in controls {
                    for told in [true, false] {
                        let moves = moves_until_flag(control, size, 300, told);
                        assert_eq!(moves, 300, "{control:?} on {size}, told: {told}: the flag fell");
                    }
                }
            }
        }
    }
}

#[test]
fn a_controller_that_told_the_time_once_need_not_tell_it_again() {
    // The delays come off the controller's clock all the same.
    let mut clock = Clock::new(TimeControl::Absolute { main: seconds(60.0) });
    let mut referee = Referee::new(clock.control());
    clock.set_left(seconds(60.0), 0);
    for n in 0..OWN_MOVES {
        let hard = budget(&clock, 9, 2 * n).hard;
        clock.spend(hard);
        clock.spend_unseen(LAG);
        assert!(referee.spend(hard + DELAY), "the flag fell at move {n}");
    }
}

#[test]
fn time_is_used() {
    // Sound, but of no use: a clock that gives each move a millisecond.
    let all = |control: TimeControl, size: usize, own_moves: usize| -> Duration {
        let mut clock = Clock::new(control);
        (0..own_moves)
            .map(|n| {
                let soft = budget(&clock, size, 2 * n).soft;
                clock.spend(soft);
                soft
            })
            .sum()
    };
    let minutes = |n: u64| Duration::from_secs(60 * n);
    for (size, own_moves, main) in [(9, 30, minutes(5)), (13, 60, minutes(10)), (19, 120, minutes(20))] {
        let used = all(TimeControl::Absolute { main }, size, own_moves);
        assert!(used > main / 2 && used < main, "{used:?} of {main:?} on {size}");
    }
    let canadian = TimeControl::Canadian { main: Duration::ZERO, period: seconds(30.0), stones: 5 };
    assert!(all(canadian, 19, 50) > seconds(30.0) * 10 / 2);
    let byo_yomi = TimeControl::ByoYomi { main: Duration::ZERO, period: seconds(10.0), periods: 3 };
    assert!(all(byo_yomi, 19, 50) > seconds(10.0) * 50 / 2);
    let fischer = TimeControl::Fischer { main: seconds(60.0), increment: seconds(5.0), cap: None, per_move: None };
    assert!(all(fischer, 19, 100) > seconds(5.0) * 100 / 2);
}

#[test]
fn on_a_large_board_the_second_half_of_a_game_has_its_time() {
    // Searches that use their share leave a twelfth and more after a hundred own moves: fights come late there.
    let main = Duration::from_secs(1200);
    let mut clock = Clock::new(TimeControl::Absolute { main });
    for n in 0..100 {
        let soft = budget(&clock, 19, 2 * n).soft;
        clock.spend(soft);
    }
    let (left, _) = clock.left().expect("a clock runs");
    assert!(left > main / 12, "{left:?} of {main:?}");
}

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![Just(0), 0..1000u64, 0..100_000u64, 0..40_000_000_000u64].prop_map(Duration::from_millis)
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![1..30u32, Just(u32::MAX), Just(1 << 31)]
}

fn control() -> impl Strategy<Value = TimeControl> {
    prop_oneof![
        duration().prop_map(|main| TimeControl::Absolute { main }),
        (duration(), duration(), count()).prop_map(|(main, period, stones)| TimeControl::Canadian {
            main,
            period,
            stones
        }),
        (duration(), duration(), count()).prop_map(|(main, period, periods)| TimeControl::ByoYomi {
            main,
            period,
            periods
        }),
        (duration(), duration(), proptest::option::of(duration()))
            .prop_map(|(main, increment, cap)| TimeControl::Fischer { main, increment, cap, per_move: None }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the clock and its state: a move's share is at most its limit, and that at most what is left but the
    /// lag (or a part of what is left, where that is no more than the lag).
    #[test]
    fn no_budget_exceeds_what_is_left(
        control in control(),
        told in proptest::option::of((duration(), prop_oneof![Just(0), count()])),
        spent in proptest::collection::vec(duration(), 0..5),
        lag in duration(),
        size in 2usize..=25,
        moves in 0usize..2000,
    ) {
        let mut clock = Clock::new(control);
        if let Some((left, stones)) = told {
            clock.set_left(left, stones);
        }
        for used in spent {
            clock.spend(used);
        }
        let (left, stones) = clock.left().expect("a clock runs");
        let Budget { soft, hard } = clock.budget(lag, size * size, moves).expect("a clock runs");
        prop_assert!(soft <= hard);
        prop_assert!(soft >= millis(1));
        // Main time may run out into a period that follows.
        let most = match control {
            TimeControl::Canadian { period, .. } | TimeControl::ByoYomi { period, .. } if stones == 0 => left + period,
            _ => left,
        };
        let least = millis(1);
        prop_assert!(hard <= most.saturating_sub(lag).max(most / 4).max(least), "{hard:?} of {most:?}");
    }

    /// Clocks never show more than they can.
    #[test]
    fn spending_never_gains(control in control(), spent in proptest::collection::vec(duration(), 1..20)) {
        let mut clock = Clock::new(control);
        for used in spent {
            let (before, stones_before) = clock.left().expect("a clock runs");
            clock.spend(used);
            let (after, stones_after) = clock.left().expect("a clock runs");
            match control {
                TimeControl::Unlimited => prop_assert!(false),
                TimeControl::Absolute { .. } => prop_assert_eq!(after, before.saturating_sub(used)),
                TimeControl::Fischer { increment, cap, .. } => {
                    prop_assert!(after <= before.saturating_sub(used) + increment);
                    prop_assert!(cap.is_none_or(|cap| after <= cap));
                }
                TimeControl::Canadian { period, stones, .. } => {
                    prop_assert!(stones_after <= stones && (stones_after == 0 || after <= period));
                    prop_assert!(stones_before == 0 || stones_after > 0, "back in main time");
                }
                TimeControl::ByoYomi { period, periods, .. } => {
                    prop_assert!(stones_after <= periods && (stones_after == 0 || after <= period));
                    prop_assert!(stones_before == 0 || (1..=stones_before).contains(&stones_after));
                }
            }
        }
    }
}
