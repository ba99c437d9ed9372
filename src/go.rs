//! The rules core: board, chains, ko, rule sets, positions and scoring. The rules core uses no other module of the
//! crate.

pub mod board;
pub mod color;
pub mod diagram;
pub mod handicap;
pub mod komi;
pub mod ladder;
pub mod liberties;
pub mod life;
pub mod neighborhood;
pub mod point;
pub mod position;
pub mod region;
pub mod rule_keys;
pub mod rules;
pub mod score;
pub mod shape;
pub mod size;
pub mod symmetry;
pub mod teire;
pub mod vertex;
pub mod zobrist;

pub use board::Board;
pub use color::{Cell, Color};
pub use komi::Komi;
pub use liberties::Liberties;
pub use neighborhood::Neighborhood;
pub use point::{CAPACITY, MAX_POINTS, Move, Point, PointMap, PointSet};
pub use position::{IllegalMove, Position};
pub use rules::Ruleset;
pub use score::{Outcome, Score, Statuses};
pub use size::{MAX_SIZE, MIN_SIZE, Size};
