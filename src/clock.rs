//! One side's time: what the controller set, what has been used, and how long the next move may take.
//!
//! A clock measures nothing itself: the caller says how long a move took. This module uses no other module of the
//! crate.

use std::time::Duration;

/// A time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// No limit.
    #[default]
    Unlimited,
    /// One time for the whole game.
    Absolute {
        /// Time for all moves together.
        main: Duration,
    },
    /// After the main time, periods in each of which a number of stones has to be played.
    Canadian {
        /// Time before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Stones to be played in a period, at least 1.
        stones: u32,
    },
    /// After the main time, a number of periods. A move that ends within a period leaves the period whole.
    ByoYomi {
        /// Time before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods, at least 1.
        periods: u32,
    },
    /// Each move adds to the time that is left.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
        /// The clock never shows more than this.
        cap: Option<Duration>,
        /// No single move may take longer than this.
        per_move: Option<Duration>,
    },
}

impl TimeControl {
    /// GTP's `time_settings`: no limit for byo-yomi time without stones, absolute time without byo-yomi time, else
    /// Canadian byo-yomi (GTP version 2 draft 2, §4.2). By these words `0 0 0` would be a game lost on time before its
    /// first move. A controller that sends `0 0 0` has no time limit to announce, so it means no limit.
    pub fn from_gtp(main: Duration, period: Duration, stones: u32) -> TimeControl {
        match (period, stones) {
            (Duration::ZERO, _) if main.is_zero() => TimeControl::Unlimited,
            (Duration::ZERO, _) => TimeControl::Absolute { main },
            (_, 0) => TimeControl::Unlimited,
            _ => TimeControl::Canadian { main, period, stones },
        }
    }
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// A fair share. The search exceeds it only with a reason.
    pub soft: Duration,
    /// The longest time that the move may take.
    pub hard: Duration,
}

/// A side's clock. A default clock was never set; [`Clock::new`] makes one that was set.
///
/// ```
/// use std::time::Duration;
///
/// use kosumi::clock::{Clock, TimeControl};
///
/// let main = Duration::from_secs(60);
/// let mut clock = Clock::new(TimeControl::Absolute { main });
/// clock.spend(Duration::from_secs(10));
/// assert_eq!(clock.left(), Some((Duration::from_secs(50), 0)));
/// // The time for the next move, before the tenth move of a game on 81 points.
/// let lag = Duration::from_millis(100);
/// let budget = clock.budget(lag, 81, 9).unwrap();
/// assert!(budget.soft <= budget.hard && budget.hard < Duration::from_secs(50));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time control that was set for every game, if any was set.
    set: Option<TimeControl>,
    /// The time control of this game: the one that was set, or the one that the announced time implies.
    control: TimeControl,
    run: Run,
    /// How the clock ran when the controller set the same time control again. Some bridges (gtp2ogs) do so before each
    /// move, and then tell the time left. `None` after a move or a new game: then the clock was reset.
    before: Option<(TimeControl, Run)>,
}

/// How far a clock has run, and what the controller told of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    /// Time left: of the main time, or of the present period.
    left: Duration,
    /// Stones still to be played in the present period (Canadian), or periods left (Japanese); 0 in main time.
    stones: u32,
    /// Does the controller tell the time left? If not, unseen delays add up, and the change from main time to periods
    /// is a guess.
    told: bool,
    /// Was less than half of the main time left when the controller told it first? A client may come back to a game whose
    /// clock has run meanwhile.
    is_late: bool,
    /// Moves after which the controller has told the time left, since it does so.
    told_moves: u32,
    /// Moves since the controller last told the time left.
    untold_moves: u32,
    /// By how much the announced times were less than the clock's own, in all, in microseconds.
    seen_delays: i64,
}

/// The number of moves that a side still expects in an opening position, for each point of the board. With
/// [`LEAST_MOVES`] this is the schedule of Huang, Coulom & Lin 2010 ("Time management for Monte-Carlo tree search
/// applied to the game of Go"). The engine Ray sets its constant C to 20, 30 and 60 on 9×9, 13×13 and 19×19.
const MOVES_PER_POINT: f64 = 0.14;
const LEAST_MOVES: f64 = 10.0;

/// The end of the opening, for each point of the board: the middle game gets more time. Ray's "maximal ply" is 0, 30
/// and 80.
const OPENING_PER_POINT: f64 = 0.22;

/// The factor by which shares exceed the shares of that schedule on boards up to 13×13. A search that ends when its move
/// is decided leaves a third of its share or more, and most games are shorter. With ten seconds a side on 9×9, 1.5 (and
/// less time kept for delays) scored 65 % of 78 games against 1. There 3 scored 53 % of 74 against 1.5. With 20 seconds
/// on 13×13, 3 scored 61 % of 23.
const SAVED: f64 = 3.0;

/// The same on larger boards, where fights come late. With 15 seconds a side on 19×19, 1.5 scored 68 % of 44 games
/// against 3, and 65 % of 23 against 1.
const SAVED_LARGE: f64 = 1.5;
const LARGE: usize = 13 * 13 + 1;

/// The factor by which a move may exceed its fair share of main time while its search is undecided (Pachi: 2 to 3).
const STRETCH: f64 = 2.5;

/// Moves of a long game, both sides together, whatever the board is. The clock keeps a reserve for the delays of so many
/// moves where each delay comes off the whole game's time. Longer games keep it for a few moves more.
const LONG_GAME: usize = 300;
const FEW_MOVES: usize = 20;

/// The same for a game that is entered late: one move for each point of the board, and so many more. (A guess.)
const MORE_THAN_POINTS: usize = 60;

/// A move's typical delay is the lag divided by this value: the lag is for the worst delay. A guess.
const DELAY: u32 = 6;

/// The moves for which the guess above counts beside the delays that the controller's clock has shown. (A guess.)
const GUESSED_MOVES: u32 = 4;

/// The most that one announced time tells of delays: controllers round to seconds, and games are set back or adjourned.
/// (A guess.)
const MOST_SEEN: Duration = Duration::from_secs(2);

/// The shortest time that a move gets: enough to look at something.
const LEAST: Duration = Duration::from_millis(1);

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let mut clock = Clock { set: Some(control), control, ..Clock::default() };
        clock.restart();
        clock
    }

    /// Resets the clock to the start of a game with this time control. If the controller set the same one before and
    /// tells the time next, the game goes on.
    pub fn set(&mut self, control: TimeControl) {
        let before = (self.set == Some(control)).then_some(self.before.unwrap_or((self.control, self.run)));
        *self = Clock { before, ..Clock::new(control) };
    }

    /// Resets the clock to the start of a game.
    pub fn restart(&mut self) {
        self.control = self.set.unwrap_or_default();
        self.before = None;
        self.run = Run { left: self.main(), ..Run::default() };
        if self.run.left.is_zero() {
            self.enter_overtime(Duration::ZERO);
        }
    }

    /// The main time at the start of the game.
    fn main(&self) -> Duration {
        match self.control {
            TimeControl::Unlimited => Duration::ZERO,
            TimeControl::Absolute { main }
            | TimeControl::Canadian { main, .. }
            | TimeControl::ByoYomi { main, .. }
            | TimeControl::Fischer { main, .. } => main,
        }
    }

    /// The time control of this game.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Time left, and stones or periods left (0 in main time). `None` where there is no limit.
    pub fn left(&self) -> Option<(Duration, u32)> {
        (self.control != TimeControl::Unlimited).then_some((self.run.left, self.run.stones))
    }

    /// Sets the clock to what the controller says: time left, and stones (or periods) left in overtime, 0 in main time.
    /// If the controller set no time control, the announced time means absolute time, or Canadian byo-yomi of one such
    /// period, for this game. If the controller set no limit, no time left means no limit.
    pub fn set_left(&mut self, left: Duration, stones: u32) {
        if let Some(before) = self.before.take() {
            (self.control, self.run) = before;
        }
        if self.control == TimeControl::Unlimited {
            if self.set.is_some() && left.is_zero() {
                return;
            }
            self.control = match stones {
                0 => TimeControl::Absolute { main: left },
                _ => TimeControl::Canadian { main: Duration::ZERO, period: left, stones },
            };
        }
        if !self.run.told && self.run.untold_moves == 0 {
            self.run.is_late = left < self.main() / 2;
        }
        // Without a move of ours in between, the clock has not run for us: kgsGtp tells an adjourned game move by move.
        if self.run.told && self.run.untold_moves > 0 && self.run.stones == 0 && stones == 0 {
            self.see_delay(left);
            self.run.told_moves = self.run.told_moves.saturating_add(self.run.untold_moves);
        }
        self.run.untold_moves = 0;
        self.run.left = left;
        self.run.stones = stones;
        self.run.told = true;
    }

    /// Takes off a move's delays between engine and controller, unless the controller tells the time left before each
    /// move. The caller calls this after [`Clock::spend`].
    pub fn spend_unseen(&mut self, lag: Duration) {
        if !self.is_told() {
            self.delay(lag / DELAY);
        }
    }

    /// Takes off time that belongs to no single move, from the main time or from the present period.
    pub fn delay(&mut self, used: Duration) {
        if self.control != TimeControl::Unlimited {
            self.run.left = self.run.left.saturating_sub(used);
        }
    }

    /// Takes off the time that the side to move has used so far. Its move is still to come.
    pub fn charge(&mut self, used: Duration) {
        let TimeControl::ByoYomi { period, periods, .. } = self.control else { return self.delay(used) };
        let mut used = used;
        if used >= self.run.left && self.run.stones != 1 {
            used -= self.run.left;
            self.run.stones = if self.run.stones == 0 { periods } else { self.run.stones - 1 };
            let lost = used.as_nanos() / period.as_nanos().max(1);
            let lost = u32::try_from(lost).unwrap_or(u32::MAX).min(self.run.stones.saturating_sub(1));
            self.run.stones -= lost;
            used -= period * lost;
            self.run.left = period;
        }
        self.run.left = self.run.left.saturating_sub(used);
    }

    /// Takes off the time that a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.before = None;
        self.run.untold_moves = self.run.untold_moves.saturating_add(1);
        match self.control {
            TimeControl::Unlimited => {}
            TimeControl::Absolute { .. } => self.run.left = self.run.left.saturating_sub(used),
            TimeControl::Fischer { increment, cap, .. } => {
                self.run.left = self.run.left.saturating_sub(used) + increment;
                if let Some(cap) = cap {
                    self.run.left = self.run.left.min(cap);
                }
            }
            TimeControl::Canadian { period, stones, .. } => {
                if self.run.stones == 0 {
                    match self.run.left.checked_sub(used).filter(|left| !left.is_zero()) {
                        Some(left) => self.run.left = left,
                        None => self.enter_overtime(used - self.run.left),
                    }
                    if self.run.stones == 0 {
                        return;
                    }
                } else {
                    self.run.left = self.run.left.saturating_sub(used);
                }
                self.run.stones -= 1;
                if self.run.stones == 0 {
                    self.run.left = period;
                    self.run.stones = stones;
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                if self.run.stones == 0 {
                    match self.run.left.checked_sub(used).filter(|left| !left.is_zero()) {
                        Some(left) => self.run.left = left,
                        None => self.enter_overtime(used - self.run.left),
                    }
                    return;
                }
                // A part of the present period may be gone already.
                self.lose_periods(used.saturating_add(period.saturating_sub(self.run.left)), period);
            }
        }
    }

    /// Takes off the periods that a move has used up, all but the last one. The next move has a whole period.
    fn lose_periods(&mut self, used: Duration, period: Duration) {
        // A move that takes exactly a period leaves it whole. The number is computed by a division, not in a loop: there
        // may be 4294967295 periods.
        let lost = used.as_nanos().saturating_sub(1) / period.as_nanos().max(1);
        self.run.stones -= u32::try_from(lost).unwrap_or(u32::MAX).min(self.run.stones.saturating_sub(1));
        self.run.left = period;
    }

    /// Goes from main time to the first period, of which `used` is gone already.
    fn enter_overtime(&mut self, used: Duration) {
        match self.control {
            TimeControl::Canadian { period, stones, .. } => {
                self.run.left = period.saturating_sub(used);
                self.run.stones = stones;
            }
            TimeControl::ByoYomi { period, periods, .. } => {
                self.run.stones = periods;
                self.lose_periods(used, period);
            }
            // These time controls have no overtime.
            TimeControl::Unlimited | TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => {
                self.run.left = Duration::ZERO;
            }
        }
    }

    /// Does the controller tell the time before each move? A clock that was told once may know nothing of later delays.
    fn is_told(&self) -> bool {
        self.run.told && self.run.untold_moves <= 1
    }

    /// Can a later move use the time that the next move leaves?
    pub fn saves(&self) -> bool {
        match self.control {
            TimeControl::Unlimited => false,
            TimeControl::Absolute { .. } => true,
            // Time beyond the cap is lost.
            TimeControl::Fischer { increment, cap, .. } => cap.is_none_or(|cap| self.run.left + increment <= cap),
            TimeControl::Canadian { .. } => self.run.stones != 1 && self.is_told() || self.run.stones == 0,
            TimeControl::ByoYomi { .. } => self.run.stones == 0,
        }
    }

    /// How long the next move may take; `None` without a limit.
    ///
    /// `lag` is kept in reserve for delays between the engine's answer and the controller's clock. `points` is the
    /// number of points of the board and `moves` the number of moves played.
    pub fn budget(&self, lag: Duration, points: usize, moves: usize) -> Option<Budget> {
        let rest = self.run.left.saturating_sub(lag + self.delays(lag, points, moves));
        let saved = if points < LARGE { SAVED } else { SAVED_LARGE };
        let share = rest.mul_f64(saved).div_f64(expected_moves(points, moves));
        let (soft, hard) = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::Absolute { .. } => (share, share.mul_f64(STRETCH)),
            TimeControl::Fischer { increment, .. } => {
                // The increment comes after the move. A part of it is kept for the lag.
                let soft = share + increment.saturating_sub(lag);
                (soft, soft.mul_f64(STRETCH))
            }
            TimeControl::Canadian { period, stones, .. } => {
                if self.run.stones == 0 {
                    let overtime = period.saturating_sub(lag) / stones;
                    let soft = share.max(overtime);
                    (soft, soft.mul_f64(STRETCH))
                } else {
                    // The whole period can be used, because the next one starts afresh. Each stone has its own lag.
                    let mut fair = self.run.left / self.run.stones;
                    if !self.is_told() {
                        // The controller's periods may begin at another stone than ours. So any `stones` moves in a row
                        // must fit into a period.
                        fair = fair.min(period / stones.max(1));
                    }
                    let fair = without(fair, lag);
                    let all = self.run.stones == 1 || !self.is_told();
                    let hard = if all { fair } else { fair.mul_f64(STRETCH).min(self.run.left / 2) };
                    (fair, hard)
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                if self.run.stones == 0 {
                    let soft = share.max(period.saturating_sub(lag).div_f64(STRETCH));
                    return Some(self.limit(soft, soft.mul_f64(STRETCH), self.longest()?, lag));
                }
                let fair = without(self.run.left, lag);
                (fair, fair)
            }
        };
        Some(self.limit(soft, hard, self.longest()?, lag))
    }

    /// The longest time that the next move can take; `None` without a limit. In byo-yomi it costs no period. Main time may
    /// run out into the first period. With Canadian time the rest of this period must suffice for its stones. Where the
    /// controller does not tell the time, its overtime may begin with the next move.
    pub fn longest(&self) -> Option<Duration> {
        Some(match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::ByoYomi { period, .. } if self.run.stones == 0 && self.is_told() => self.run.left + period,
            TimeControl::ByoYomi { period, .. } if self.run.stones == 0 => self.run.left.max(period),
            TimeControl::Canadian { period, stones, .. } if self.run.stones == 0 && self.is_told() => {
                self.run.left + period / stones.saturating_add(1)
            }
            TimeControl::Canadian { period, stones, .. } if self.run.stones == 0 => {
                self.run.left.max(period / stones.max(1))
            }
            TimeControl::Fischer { per_move: Some(per_move), .. } => self.run.left.min(per_move),
            TimeControl::Absolute { .. }
            | TimeControl::Canadian { .. }
            | TimeControl::ByoYomi { .. }
            | TimeControl::Fischer { per_move: None, .. } => self.run.left,
        })
    }

    /// The time that later delays may take off the whole game's time: at most a quarter of it. In a game that is entered
    /// late, it is at most half of what is left.
    fn delays(&self, lag: Duration, points: usize, moves: usize) -> Duration {
        let (main, increment) = match self.control {
            TimeControl::Absolute { main } => (main, Duration::ZERO),
            TimeControl::Fischer { main, increment, .. } => (main, increment),
            // Delays come off the overtime.
            TimeControl::Canadian { .. } | TimeControl::ByoYomi { .. } | TimeControl::Unlimited => {
                return Duration::ZERO;
            }
        };
        let delay = self.typical_delay(lag).min(main / (2 * LONG_GAME as u32)).saturating_sub(increment);
        let reserve = |long: usize| delay * (long.saturating_sub(moves).max(FEW_MOVES) as u32) / 2;
        match self.run.is_late {
            true => reserve(LONG_GAME.min(points + MORE_THAN_POINTS)).min(self.run.left / 2),
            false => reserve(LONG_GAME),
        }
    }

    /// The delay of a move: a guess until the controller's clock has shown the delays.
    fn typical_delay(&self, lag: Duration) -> Duration {
        let guess = lag / DELAY;
        if !self.run.told {
            return guess;
        }
        let seen = Duration::from_micros(self.run.seen_delays.max(0).unsigned_abs());
        (guess.saturating_mul(GUESSED_MOVES).saturating_add(seen)) / self.run.told_moves.saturating_add(GUESSED_MOVES)
    }

    /// Notes by how much the announced time is less than the clock's own, the delays since the last announcement. The
    /// sum of many such differences is off by no more than a second where times are rounded to seconds.
    fn see_delay(&mut self, announced: Duration) {
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        let most = micros(MOST_SEEN);
        let delay = micros(self.run.left).saturating_sub(micros(announced)).clamp(-most, most);
        self.run.seen_delays = self.run.seen_delays.saturating_add(delay);
    }

    /// A budget that ends before the time does, by the lag where the time is longer than that, see [`without`].
    fn limit(&self, soft: Duration, hard: Duration, most: Duration, lag: Duration) -> Budget {
        let most = without(most, lag);
        let hard = hard.min(most).max(LEAST);
        Budget { soft: soft.clamp(LEAST, hard), hard }
    }
}

/// A time without the lag. Where the lag would leave next to nothing, a quarter of the lag or of the time stays.
pub(crate) fn without(time: Duration, lag: Duration) -> Duration {
    time.saturating_sub(lag).max(time.min(lag) / 4)
}

/// The number of moves for which a side still needs time.
fn expected_moves(points: usize, moves: usize) -> f64 {
    let points = points as f64;
    let constant = (points * MOVES_PER_POINT + LEAST_MOVES).max(LEAST_MOVES);
    let opening = if points > 81.0 { points * OPENING_PER_POINT } else { 0.0 };
    constant + (opening - moves as f64).max(0.0) / 2.0
}
