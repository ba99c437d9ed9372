//! The ranks of one process: an office that carries the post between them, for tests and experiments.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::post::Post;

/// Carries the post between ranks of one process.
#[derive(Debug)]
pub struct Office {
    posts: Vec<Arc<Post>>,
    /// Ranks that get and send nothing, like processes that are stopped.
    cut_off: Vec<AtomicBool>,
    /// Messages that each rank has sent.
    carried: Vec<AtomicU64>,
}

/// The longest time that a message waits in a box. (A guess: that of a network.)
const NAP: Duration = Duration::from_millis(1);

impl Office {
    /// An office for so many ranks.
    pub fn new(ranks: usize) -> Office {
        let posts = (0..ranks).map(|rank| Arc::new(Post::new(rank, ranks))).collect();
        Office {
            posts,
            cut_off: (0..ranks).map(|_| AtomicBool::new(false)).collect(),
            carried: (0..ranks).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The mail boxes of a rank.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn post(&self, rank: usize) -> &Arc<Post> {
        &self.posts[rank]
    }

    /// Cuts a rank off, or connects it again.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn cut_off(&self, rank: usize, is_cut_off: bool) {
        self.cut_off[rank].store(is_cut_off, Relaxed);
    }

    /// The number of messages that a rank has sent.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn carried(&self, from: usize) -> u64 {
        self.carried[from].load(Relaxed)
    }

    /// Carries all that lies in the boxes.
    pub fn carry(&self) {
        for from in 0..self.posts.len() {
            for to in 0..self.posts.len() {
                if self.cut_off[from].load(Relaxed) || self.cut_off[to].load(Relaxed) {
                    continue;
                }
                while let Some(bytes) = self.posts[from].take(to) {
                    self.posts[to].receive(from, bytes);
                    self.posts[from].delivered(to);
                    self.carried[from].fetch_add(1, Relaxed);
                }
            }
        }
    }

    /// Carries until all boxes are closed: the work of a thread.
    pub fn carry_on(&self) {
        while !self.posts.iter().all(|post| post.is_closed()) {
            self.carry();
            std::thread::sleep(NAP);
        }
    }
}
