//! What a page asks for, as JSON: `{"do":"move","to":"D4"}`.

use std::time::Duration;

use serde::Deserialize;

use crate::clock::TimeControl;
use crate::go::Size;

/// An order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Order {
    /// Begin a new game.
    New(NewGame),
    /// Make this move: a point or `pass`.
    Move { to: String },
    /// Do what a person has typed: a point, or a word that `kosumi play` knows.
    Type { line: String },
    /// Take the last move back, and Kosumi's answer to it.
    Undo {},
    /// Give the game up.
    Resign {},
    /// Say what Kosumi would play.
    Hint {},
    /// Let Kosumi play the next move, whoever's turn it is.
    Answer {},
    /// Begin or end the analysis.
    Analyze { on: bool },
    /// Play at this level from now on.
    Level { level: String },
    /// Judge which stones are dead, and count.
    Count {},
    /// Show the count no more, unless the game is over.
    HideCount {},
    /// The chain on this point is dead, or alive after all.
    Toggle { at: String },
    /// Go on by so many nodes of the line, or back.
    Step { by: i32 },
    /// Go to this node of the line; 0 is the beginning.
    Go { to: usize },
    /// Go on with this variation at the present position; 0 is the first.
    Variation { number: usize },
    /// Go to the next variation beside the last move, or back.
    Sibling { by: i32 },
    /// Review the game, so many seconds for each position.
    Review { seconds: f64 },
    /// End the review.
    StopReview {},
}

/// A board size: its rows, or a text such as `9x13`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum WantedSize {
    Rows(usize),
    Text(String),
}

impl WantedSize {
    /// The size; `None` if no board has it.
    pub(super) fn size(&self) -> Option<Size> {
        match self {
            WantedSize::Rows(rows) => Size::new(*rows, *rows),
            WantedSize::Text(text) => text.parse().ok(),
        }
    }
}

/// A new game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    pub(super) size: WantedSize,
    /// Points; without them those of the rule set.
    #[serde(default)]
    pub(super) komi: Option<f64>,
    pub(super) rules: String,
    #[serde(default)]
    pub(super) handicap: usize,
    pub(super) level: String,
    /// The person's side: `black`, `white` or `both`.
    pub(super) color: String,
    /// Seconds for a move of Kosumi where no clock runs.
    #[serde(default)]
    pub(super) seconds: Option<f64>,
    #[serde(default)]
    pub(super) clock: ClockKind,
}

/// A time control. Times are seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ClockKind {
    #[default]
    None,
    Absolute {
        main: f64,
    },
    Fischer {
        main: f64,
        increment: f64,
    },
    ByoYomi {
        main: f64,
        period: f64,
        periods: u32,
    },
}

/// Times are not longer than a day, and periods not more than these.
const LONGEST: f64 = 86_400.0;
const MOST_PERIODS: u32 = 100;

/// A time from a page; `None` unless it lies between these bounds and a day.
pub(super) fn seconds(value: f64, least: f64) -> Option<Duration> {
    (least..=LONGEST).contains(&value).then(|| Duration::from_secs_f64(value))
}

impl ClockKind {
    /// The time control; `None` if a time makes no sense.
    pub(super) fn control(self) -> Option<TimeControl> {
        match self {
            ClockKind::None => Some(TimeControl::Unlimited),
            ClockKind::Absolute { main } => Some(TimeControl::Absolute { main: seconds(main, 1.0)? }),
            ClockKind::Fischer { main, increment } => Some(TimeControl::Fischer {
                main: seconds(main, 1.0)?,
                increment: seconds(increment, 0.0)?,
                cap: None,
                per_move: None,
            }),
            ClockKind::ByoYomi { main, period, periods } => {
                let periods = (1..=MOST_PERIODS).contains(&periods).then_some(periods)?;
                Some(TimeControl::ByoYomi { main: seconds(main, 0.0)?, period: seconds(period, 1.0)?, periods })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_and_nonsense_is_not() {
        let read = |text: &str| serde_json::from_str::<Order>(text);
        assert_eq!(read(r#"{"do":"move","to":"D4"}"#).expect("an order"), Order::Move { to: "D4".into() });
        assert_eq!(read(r#"{"do":"undo"}"#).expect("an order"), Order::Undo {});
        assert_eq!(read(r#"{"do":"stop-review"}"#).expect("an order"), Order::StopReview {});
        let new = r#"{"do":"new","size":9,"rules":"chinese","level":"max","color":"black","clock":{"kind":"absolute","main":60}}"#;
        assert!(matches!(
            read(new),
            Ok(Order::New(NewGame { size: WantedSize::Rows(9), clock: ClockKind::Absolute { .. }, .. }))
        ));
        for wrong in
            ["", "{}", "[]", r#"{"do":"fly"}"#, r#"{"do":"move"}"#, r#"{"do":"undo","x":1}"#, r#"{"do":"go","to":-1}"#]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_bounds() {
        assert_eq!(seconds(2.5, 0.0), Some(Duration::from_millis(2500)));
        for wrong in [-1.0, 1e9, f64::NAN, f64::INFINITY] {
            assert_eq!(seconds(wrong, 0.0), None);
        }
        let clock = |period, periods| ClockKind::ByoYomi { main: 0.0, period, periods }.control();
        assert!(clock(10.0, 3).is_some());
        assert_eq!([clock(0.0, 3), clock(10.0, 0), clock(10.0, u32::MAX)], [None; 3]);
    }
}
