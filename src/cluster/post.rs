//! The mail boxes of a rank, between the threads that search and the carrier that moves messages.
//!
//! The boxes hold little, whatever happens. For each other rank there is room for one order and one piece of news. A
//! newer order replaces one that waits; news is made only when there is room for it. So a rank that takes nothing costs
//! nothing, and no sender ever waits.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Messages that have come and that nobody has read, at the most. (A guess. Between two looks of a search, each rank
/// sends two at the most.)
const MOST_UNREAD: usize = 8192;

/// The mail boxes of a rank.
#[derive(Debug)]
pub struct Post {
    rank: usize,
    boxes: Mutex<Boxes>,
    changed: Condvar,
}

#[derive(Debug)]
struct Boxes {
    out: Vec<Out>,
    unread: VecDeque<(usize, Vec<u8>)>,
    is_closed: bool,
}

/// What is to be sent to one rank.
#[derive(Debug, Default)]
struct Out {
    order: Option<Vec<u8>>,
    news: Option<Vec<u8>>,
    /// The carrier has taken a message that has not been delivered yet.
    is_on_its_way: bool,
}

impl Post {
    /// Empty boxes of this rank, of so many.
    pub fn new(rank: usize, ranks: usize) -> Post {
        let out = (0..ranks).map(|_| Out::default()).collect();
        let boxes = Mutex::new(Boxes { out, unread: VecDeque::new(), is_closed: false });
        Post { rank, boxes, changed: Condvar::new() }
    }

    fn boxes(&self) -> MutexGuard<'_, Boxes> {
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are, this one included.
    pub fn ranks(&self) -> usize {
        self.boxes().out.len()
    }

    /// All other ranks.
    pub fn others(&self) -> Vec<usize> {
        (0..self.boxes().out.len()).filter(|&rank| rank != self.rank).collect()
    }

    /// Puts an order into the box of a rank. An order that still lies there is replaced.
    pub fn order(&self, to: usize, bytes: Vec<u8>) {
        if let Some(out) = self.boxes().out.get_mut(to) {
            out.order = Some(bytes);
        }
        self.changed.notify_all();
    }

    /// Is the box of a rank empty, and everything delivered that was in the box?
    pub fn is_free(&self, to: usize) -> bool {
        self.boxes().out.get(to).is_some_and(|out| out.order.is_none() && out.news.is_none() && !out.is_on_its_way)
    }

    /// Puts news into the box of a rank. The caller has found the box free.
    pub fn tell(&self, to: usize, bytes: Vec<u8>) {
        if let Some(out) = self.boxes().out.get_mut(to) {
            out.news = Some(bytes);
        }
        self.changed.notify_all();
    }

    /// The oldest message that nobody has read, and its sender.
    pub fn read(&self) -> Option<(usize, Vec<u8>)> {
        self.boxes().unread.pop_front()
    }

    /// Waits for a message, `longest` at most.
    pub fn wait_for_mail(&self, longest: Duration) {
        let boxes = self.boxes();
        let _ = self
            .changed
            .wait_timeout_while(boxes, longest, |boxes| boxes.unread.is_empty() && !boxes.is_closed)
            .unwrap_or_else(PoisonError::into_inner);
    }

    /// Waits until all boxes are free, `longest` at most. Gives whether they are.
    pub fn wait_until_free(&self, longest: Duration) -> bool {
        let is_full = |boxes: &mut Boxes| {
            boxes.out.iter().any(|out| out.order.is_some() || out.news.is_some() || out.is_on_its_way)
        };
        let (mut boxes, _) =
            self.changed.wait_timeout_while(self.boxes(), longest, is_full).unwrap_or_else(PoisonError::into_inner);
        !is_full(&mut boxes)
    }

    /// For the carrier: takes what is to be sent to a rank, orders first. `None` while the last message is on its way.
    pub fn take(&self, to: usize) -> Option<Vec<u8>> {
        let mut boxes = self.boxes();
        let out = boxes.out.get_mut(to).filter(|out| !out.is_on_its_way)?;
        let bytes = out.order.take().or_else(|| out.news.take())?;
        out.is_on_its_way = true;
        Some(bytes)
    }

    /// For the carrier: the message to this rank has been delivered.
    pub fn delivered(&self, to: usize) {
        if let Some(out) = self.boxes().out.get_mut(to) {
            out.is_on_its_way = false;
        }
        self.changed.notify_all();
    }

    /// For the carrier: a message has come.
    pub fn receive(&self, from: usize, bytes: Vec<u8>) {
        let mut boxes = self.boxes();
        if boxes.unread.len() < MOST_UNREAD {
            boxes.unread.push_back((from, bytes));
        }
        drop(boxes);
        self.changed.notify_all();
    }

    /// No message will come or be sent any more.
    pub fn close(&self) {
        self.boxes().is_closed = true;
        self.changed.notify_all();
    }

    /// Has the post been closed?
    pub fn is_closed(&self) -> bool {
        self.boxes().is_closed
    }

    /// For the carrier: waits until something is to be sent, `longest` at most.
    pub fn wait_for_work(&self, longest: Duration) {
        let idle = |boxes: &mut Boxes| {
            !boxes.is_closed
                && boxes.out.iter().all(|out| out.is_on_its_way || out.order.is_none() && out.news.is_none())
        };
        let _ = self.changed.wait_timeout_while(self.boxes(), longest, idle).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_that_takes_nothing_costs_nothing() {
        let post = Post::new(0, 3);
        assert_eq!(post.others(), [1, 2]);
        assert!(post.is_free(1) && post.take(1).is_none());
        post.tell(1, vec![1]);
        assert!(!post.is_free(1) && post.is_free(2));
        // Orders overtake news, and newer orders replace older ones.
        post.order(1, vec![2]);
        post.order(1, vec![3]);
        assert_eq!(post.take(1), Some(vec![3]));
        assert_eq!(post.take(1), None, "one message is on its way");
        assert!(!post.wait_until_free(Duration::ZERO));
        post.delivered(1);
        assert_eq!(post.take(1), Some(vec![1]));
        post.delivered(1);
        assert!(post.is_free(1) && post.wait_until_free(Duration::ZERO));
    }

    #[test]
    fn what_nobody_reads_does_not_grow_without_end() {
        let post = Post::new(1, 2);
        (0..MOST_UNREAD + 10).for_each(|_| post.receive(0, vec![0]));
        let mut read = 0;
        while let Some((from, _)) = post.read() {
            assert_eq!(from, 0);
            read += 1;
        }
        assert_eq!(read, MOST_UNREAD);
    }
}
