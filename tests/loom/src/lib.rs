//! The search's nodes and tree, compiled from the engine's own files with the atomic integers of the crate loom.
//! `tests/tree.rs` runs them through every order of the threads' steps:
//!
//! ```sh
//! cargo test --package kosumi-loom
//! ```
//!
//! Loom knows what a processor may do: a value that is read without an order may be an old one. Miri and
//! ThreadSanitizer try some orders of the whole search; loom tries all orders of a few steps.

pub use kosumi::go;

/// The files of `src/search/`, and what they need from beside them.
pub mod search {
    /// In the place of `src/search/atomic.rs`.
    mod atomic {
        pub(super) use loom::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};
    }

    #[path = "../../../../src/search/corrected.rs"]
    pub mod corrected;
    #[path = "../../../../src/search/folded.rs"]
    pub mod folded;
    #[path = "../../../../src/search/node.rs"]
    #[expect(dead_code, reason = "selection is not here")]
    pub mod node;
    pub mod store;
    #[path = "../../../../src/search/tree.rs"]
    pub mod tree;
}
