//! The atomic integers that nodes and trees are made of.
//!
//! `tests/loom` puts those of the crate loom in this place, and then runs the nodes and the tree through every order of
//! the threads' steps.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};
