//! One search on several machines. Each machine, a *rank*, searches the same position in a tree of its own. Rank 0
//! leads: it speaks with the user, tells the others what to search, and chooses the move. The others follow.
//!
//! During a search each follower and the leader tell each other what is new near their roots, several times a second,
//! see [`NodeNews`](crate::search::NodeNews). Nobody ever waits for another rank: a rank that is slow, stopped or dead
//! is left out, and the search goes on.
//!
//! From the bottom up: [`message`] (what is sent, as bytes), [`job`] (a search as data), [`post`] (the mail boxes of a
//! rank), [`exchange`] (when what is told), [`lead`] and [`follow`] (the two roles), [`office`] (ranks in one process,
//! for tests) and [`simulation`] (ranks that take turns, for experiments). `mpi` carries the post between machines;
//! only the feature `mpi` has it. `docs/cluster.md` says how to start all this.

pub mod exchange;
pub mod follow;
pub mod job;
pub mod lead;
pub mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod office;
pub mod post;
pub mod simulation;

use std::time::Duration;

use crate::search::Reach;

/// How ranks work together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The nodes that are told.
    pub reach: Reach,
    /// Time between two exchanges of a search.
    pub interval: Duration,
    /// A rank that has been silent so long is left out.
    pub patience: Duration,
}

impl Default for Settings {
    /// An exchange every 50 ms (Pachi: 40 ms or less), and patience for a second: twenty exchanges. (The second is a
    /// guess.)
    fn default() -> Settings {
        Settings { reach: Reach::default(), interval: Duration::from_millis(50), patience: Duration::from_secs(1) }
    }
}
