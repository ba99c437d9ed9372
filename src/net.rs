//! A small net of whole numbers: its input ([`planes`]), its weights ([`description`], [`mod@file`]), and the code that
//! evaluates a position ([`kernel`]). The net knows no search and no playout. `docs/net.md` describes its arithmetic.
//!
//! Activations have seven bits, weights have eight, and sums have 32. The rest is floating point in a fixed order. So
//! every instruction set gives the same bits, and one thread and a seed give the same moves on every machine.
//!
//! ```
//! use kosumi::go::{Komi, Move, Position, Ruleset};
//! use kosumi::net::planes::{PlaneMaker, Planes, Situation};
//! use kosumi::net::{Net, Workspace, random};
//!
//! let net = Net::from_bytes(&random::file(&random::description(2, 32), 1))?;
//! let position = Position::new(9, Ruleset::default());
//! let situation = Situation { position: &position, last: [None; 5], komi: Komi::from_half_points(14) };
//! let mut planes = Planes::default();
//! PlaneMaker::default().make(&situation, &mut planes);
//! let mut workspace = Workspace::new(&net);
//! let output = net.evaluate(&mut workspace, &planes, 0);
//! assert!(output.probability(Move::Pass) < 1.0);
//! # Ok::<(), kosumi::net::NetError>(())
//! ```

mod aligned;
pub mod cache;
pub mod conv;
pub mod description;
mod evaluate;
mod exp;
pub mod file;
mod grid;
mod heads;
pub mod kernel;
mod matrix;
#[cfg(test)]
mod naive;
pub mod nets;
pub mod planes;
pub mod random;
pub mod scalars;
pub mod situation;
#[cfg(test)]
mod tests;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
mod winograd;

pub use cache::CachedNet;
pub use description::Description;
pub use evaluate::{Net, Workspace};
pub use file::NetError;
pub use heads::{Output, Raw};
pub use kernel::Kernel;
pub use nets::Nets;
