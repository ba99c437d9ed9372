//! Kosumi, a Go (weiqi, baduk) engine for plain processors that speaks the Go Text Protocol (GTP).
//!
//! The program is a thin shell over this library: a GTP line becomes a typed request, the request acts on one
//! [`Engine`](engine::Engine) (a game, a search, two clocks), the search runs playouts over one rules core, and one
//! value comes back up and becomes one reply.
//!
//! ```text
//! main ── cli ─┬─→ bench ─────────────────────────┐
//!              │                                  ↓
//!              └─→ gtp ──→ view ──→ engine ──→ search ──→ playout ──→ go   (the rules core)
//!                   │                  │                              ↑
//!                   │                  ├──→ game ─────────────────────┤
//!                   │                  └──→ clock                     │
//!                   ├──→ sgf ───→ game ───────────────────────────────┘
//!                   └──→ gtp::protocol (knows no Go)
//! ```
//!
//! Arrows go downward only. [`go`] and [`clock`] use nothing else of the crate. [`search`] is given a
//! [`Position`](go::Position) and [`Limits`](search::Limits); it never sees a game, a clock or a word of GTP.
//!
//! # Start reading here
//!
//! 1. [`go::position`]: what a move is, and why it may be illegal. Under it [`go::board`], the hot file; beside it
//!    [`go::rules`] (rule sets as data) and [`go::score`] (counting).
//! 2. [`playout`]: one random game to its end.
//! 3. [`search::worker`]: select, expand, evaluate, back up. Then [`search::select`] for the formula.
//! 4. [`engine`]: what is done with a search's findings: play, pass, resign, judge life and death.
//! 5. [`view`]: a search's findings as one side sees them, which every protocol shows.
//! 6. [`gtp`] and the table [`gtp::commands::COMMANDS`].
//!
//! `ARCHITECTURE.md` in the repository follows one command from the input to the reply and says where to add what.
//!
//! # Words
//!
//! One word for each thing, in code, documents and messages.
//!
//! | word | means |
//! |---|---|
//! | [`Point`](go::Point) | a place on the board: an index into a padded array, never a pass |
//! | [`Move`](go::Move) | a play on a point, or a pass |
//! | [vertex](go::vertex) | the text form of a move (`D4`, `pass`) and nothing else |
//! | [`Color`](go::Color), [`Cell`](go::Cell) | Black or White; what lies on a point of the padded array |
//! | chain | solidly connected stones of one side (elsewhere: block, string, group) |
//! | liberties | the empty points next to a chain; [`Liberties`](go::Liberties) counts them once for each stone |
//! | [`Board`](go::Board) | stones, chains, simple-ko point, hash; no turn, no history, no rule set |
//! | [`Position`](go::Position) | a board, the side to move, the rule set, and what ko and the game's end need of the past |
//! | [`Game`](game::Game) | the moves so far: undo, handicap, komi, outcome |
//! | [`Ruleset`](go::Ruleset) | ko, suicide, scoring, compensation, end of the game: plain data, presets by name |
//! | [`Score`](go::Score), [`Outcome`](go::Outcome) | a margin; how a game ended |
//! | [`Statuses`](go::Statuses) | which stones are dead or in seki |
//! | [`Playout`](playout::Playout), [`PlayoutPolicy`](playout::PlayoutPolicy) | one simulated game; what chooses its moves |
//! | [`Tree`](search::tree::Tree), [`Node`](search::node::Node) | the statistics of the search |
//! | [prior](search::prior) | what is known of a move before it is tried |
//! | [`Evaluator`](search::Evaluator) | a leaf of the tree to its value and owners: playouts today |
//! | [`Ownership`](search::Ownership) | who held each point at the end of the playouts |
//! | [`Search`](search::Search), [`Limits`](search::Limits), [`Report`](search::Report) | run it; when to stop; what came of it |
//! | [`View`](view::View), [`Lead`](view::Lead), [`Owners`](view::Owners) | a report as one side sees it; its expected score; whose the points are |
//! | [`Clock`](clock::Clock), [`Budget`](clock::Budget) | one side's time; how long the next move may take |
//! | [`Level`](engine::Level), [rung](engine::level::rungs) | how strong the engine plays; a measured step of it |
//! | [`Engine`](engine::Engine) | game, search, clocks and options: what commands act on |
//!
//! # Conventions
//!
//! - Win rates are `0..=1` for the side to move; a tree node's are for the side that has moved into it. Values that
//!   are Black's say so.
//! - What is shown of a search holds for one side, by the rule in [`view`].
//! - Scores and komi inside the engine are half points in an integer, Black's minus White's. Ownership is `−1..=1`,
//!   1 for Black.
//! - Times are [`Duration`](std::time::Duration).
//! - Rows and columns count from 0 at the lower left.
//! - Errors are small types next to what fails. GTP's fixed texts stand in [`gtp::error`] alone.
//! - One thread, a seed and a number of playouts give the same moves on every machine.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use kosumi::go::{Color, IllegalMove, Move, Point, Position, Ruleset, diagram};
//!
//! // A ko: Black takes the stone in the middle, and White may not take back at once.
//! let board = diagram::parse(
//!     ". X O .
//!      X O . O
//!      . X O .
//!      . . . .",
//! )?;
//! let mut position = Position::from_board(board, Color::Black, Ruleset::default());
//! position.play(Move::Play(Point::new(2, 2, 4)))?; // Third column, third row, of a 4×4 board.
//! let retake = Move::Play(Point::new(1, 2, 4));
//! assert_eq!(position.check(retake), Err(IllegalMove::Ko));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod bench;
pub mod clock;
pub mod dataset;
pub mod engine;
pub mod game;
pub mod go;
pub mod gtp;
pub mod matches;
pub mod net;
pub mod playout;
pub mod search;
pub mod sgf;
pub mod time;
pub mod view;
