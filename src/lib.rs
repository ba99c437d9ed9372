//! Kosumi, a Go (weiqi, baduk) engine for plain processors that speaks the Go Text Protocol (GTP).
//!
//! The program is a thin shell over this library: a GTP line becomes a typed request, the request acts on one
//! [`Engine`](engine::Engine) (a game, a search, two clocks), the search asks a net or playouts about positions of one
//! rules core, and one value comes back up and becomes one reply.
//!
//! ```text
//! main ── cli ─┬─→ bench ─────────────────────────┐
//!              ├─→ play, review, analysis         │
//!              │             ↓                    ↓
//!              └─→ gtp ──→ view ──→ engine ──→ search ──→ playout ──→ go   (the rules core)
//!                   │                  │                              ↑
//!                   │                  ├──→ game ──→ record ──────────┤
//!                   │                  └──→ clock      ↑              │
//!                   ├──→ sgf ──────────────────────────┘──────────────┘
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
//! 4. [`engine`]: what follows from a report: play, pass, resign, judge life and death.
//! 5. [`view`]: a report as one side sees it. Every protocol shows views.
//! 6. [`gtp`] and the table [`gtp::commands::COMMANDS`].
//!
//! `ARCHITECTURE.md` in the repository follows one command from the input to the reply and says where to add what.
//!
//! # Words
//!
//! One word for each thing, in code, documents and messages. The rules core first:
//!
//! | word | means |
//! |---|---|
//! | [`Size`](go::Size) | columns and rows of a board; a number of rows stands for a square |
//! | [`Point`](go::Point) | a place on the board: an index into a padded array, never a pass |
//! | [`Move`](go::Move) | a play on a point, or a pass |
//! | [vertex](go::vertex) | the text form of a move (`D4`, `pass`) and nothing else |
//! | [`Color`](go::Color), [`Cell`](go::Cell) | Black or White; what lies on a point of the padded array |
//! | chain | solidly connected stones of one side (elsewhere: block, string, group) |
//! | liberties | the empty points next to a chain; [`Liberties`](go::Liberties) counts one for each stone |
//! | [`Board`](go::Board) | stones, chains, simple-ko point, hash; no turn, no history, no rule set |
//! | [`Position`](go::Position) | a board, the side to move, the rule set, and what the rules need of the past |
//! | [`Ruleset`](go::Ruleset) | ko, suicide, scoring, compensation, end of the game: plain data, presets by name |
//! | [`Score`](go::Score) | a margin in half points, Black's minus White's |
//! | [`Outcome`](go::Outcome) | how a game ended: who won, and by what |
//! | [`Statuses`](go::Statuses) | which stones are dead and which are in seki |
//!
//! Games and their records:
//!
//! | word | means |
//! |---|---|
//! | [`Record`](record::Record) | a game as a tree of nodes, with all its variations |
//! | [node](record::NodeId), [property](record::Property) | a place in a record; a name and its values at a node |
//! | [`Game`](game::Game) | a cursor on a record, with its position: the moves so far, undo, handicap, komi, outcome |
//!
//! The search:
//!
//! | word | means |
//! |---|---|
//! | [`Playout`](playout::Playout) | one game that a fast policy plays from a position to its end |
//! | [`PlayoutPolicy`](playout::PlayoutPolicy) | the chooser of a playout's moves |
//! | [`Search`](search::Search) | the trees and the threads that run one request after another |
//! | [`Request`](search::Request) | one search: its position, its limits, and all its options |
//! | [`Limits`](search::Limits) | when a search ends: counts and durations |
//! | [`Tree`](search::tree::Tree), [`Node`](search::node::Node) | the statistics of a search; those of one move |
//! | [`Descent`](search::descent::Descent) | one way down the tree, from the root to a leaf |
//! | [`Leaf`](search::evaluate::Leaf) | the end of a descent: a position that waits for its evaluation |
//! | [`Evaluation`](search::evaluate::Evaluation) | the value of a leaf; where known, margin, owners, policy |
//! | [`Evaluator`](search::Evaluator) | gives a leaf its evaluation; each thread has its own |
//! | [`Evaluators`](search::Evaluators) | makes the evaluators of a search: playouts, or what a caller brings |
//! | [prior](search::prior) | the probability of a move before the move is tried |
//! | stage | one step from strengths to priors, or from an evaluation to a result: see [`search::stages`] |
//! | [`Report`](search::Report) | the findings of a search so far: moves, visits, values |
//! | [`Details`](search::Details) | the part of a report with scores and owners from a sample of the leaves |
//! | [`Margin`](search::Margin) | an expected score of a report, Black's, after komi |
//! | [`Ownership`](search::Ownership) | who owned each point at the end of the playouts, as means |
//! | [`Control`](search::Control) | the stop flag of one search |
//! | [`Running`](search::Running) | a search in progress, as its watcher sees it |
//! | [`NodeNews`](search::NodeNews), [`Known`](search::Known) | statistics near the root that are told to other machines; what a machine knows of them |
//! | [`Partner`](search::Partner) | who takes part in a search, such as other machines |
//! | [`Searcher`](search::Searcher), [`Handle`](search::Handle) | runs searches in the background; the hold on one |
//!
//! The net and its training:
//!
//! | word | means |
//! |---|---|
//! | [`Net`](net::Net) | the weights of a small net, ready for use |
//! | [`Planes`](net::planes::Planes) | what the net sees of a position |
//! | [`Kernel`](net::Kernel) | the net's arithmetic for one instruction set; all kernels give the same bits |
//! | [`Lesson`](dataset::Lesson) | a game to make training rows from |
//! | [self-play](selfplay) | games of the engine's own searches, which become rows |
//! | [`Row`](dataset::row::Row) | a training row: the planes of a position, and what came of the position |
//!
//! The engine and its protocols:
//!
//! | word | means |
//! |---|---|
//! | [`Engine`](engine::Engine) | game, searcher, clocks and options: what commands act on |
//! | [`Clock`](clock::Clock), [`Budget`](clock::Budget) | one side's time; how long the next move may take |
//! | [`Interest`](engine::Interest) | what a watcher wants of a search besides a move |
//! | [`Decision`](engine::Decision) | the answer to "your move": a move, or to resign |
//! | [`Thought`](engine::thought::Thought) | a decision and the report behind it |
//! | [`Judgement`](engine::status::Judgement) | life and death of all chains, and the settled points |
//! | [`Level`](engine::Level), [rung](engine::level::rungs) | how strong the engine plays; a measured step of it |
//! | [`View`](view::View) | a report as one side sees it: vertices, rates, leads |
//! | [`Lead`](view::Lead), [`Owners`](view::Owners) | the expected score of a view; whose the points are |
//!
//! For people:
//!
//! | word | means |
//! |---|---|
//! | [`Settings`](play::Settings) of [`play`] | a game with a person: side, handicap, how the board is drawn |
//! | [`Finding`](review::Finding) | what a search found about one position of a reviewed game |
//! | [`MoveLoss`](review::MoveLoss) | what a move lost, compared with the best one |
//! | [`Course`](review::Course) | a review whose positions are searched elsewhere |
//! | [`Settings`](web::Settings) of [`web`] | a page in the browser: address, port, engine |
//! | [`Reader`](gtp::Reader) | who reads what a session writes beside its answers |
//!
//! A few of these words are near to each other. A *report* holds what a search found, and *details* are a part of it. A
//! *thought* is what the engine made of a report for one move. A *judgement* is about life and death. An *outcome* is
//! the end of a game.
//!
//! # Conventions
//!
//! - Win rates are `0..=1` for the side to move. Those of a tree node are for the side that has moved into the node.
//!   Names and comments say where a value is Black's.
//! - What is shown of a search holds for one side, by the rule in [`view`].
//! - Scores and komi inside the engine are half points in an integer, Black's minus White's.
//! - Ownership is `−1..=1`, 1 for Black.
//! - Times are [`Duration`](std::time::Duration).
//! - Rows and columns count from 0 at the lower left.
//! - Errors are small types next to the code that fails. GTP's fixed texts stand in [`gtp::error`] alone.
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

pub mod analysis;
pub mod bench;
mod chance;
mod child;
pub mod clock;
pub mod cluster;
pub mod dataset;
pub mod engine;
pub mod file;
pub mod game;
pub mod go;
pub mod gtp;
mod identity;
pub mod matches;
pub mod net;
pub mod play;
pub mod playout;
pub mod progress;
pub mod record;
pub mod review;
pub mod search;
pub mod selfplay;
pub mod sgf;
pub mod teach;
pub mod time;
pub mod view;
pub mod web;
mod wide_hash;
