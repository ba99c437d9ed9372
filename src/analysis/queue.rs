//! The positions that wait for a search, and those that are searched: the highest priority first, then the oldest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::Control;

use super::query::Query;

/// A position to search: one turn of a query.
#[derive(Debug)]
pub(super) struct Order {
    /// The query.
    pub query: Arc<Query>,
    /// The turn.
    pub turn: usize,
    priority: i64,
    /// Counts all orders.
    number: u64,
}

impl Order {
    fn rank(&self) -> (i64, Reverse<u64>) {
        (self.priority, Reverse(self.number))
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Order) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Order {}

impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Order) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The greatest order is the next one.
impl Ord for Order {
    fn cmp(&self, other: &Order) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// An order that a worker has taken.
#[derive(Debug)]
pub(super) struct Task {
    /// The order.
    pub order: Order,
    /// Stops the search.
    pub control: Arc<Control>,
    /// How many threads the search may use.
    pub threads: usize,
}

/// Orders, shared by the intake and the workers.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// Threads of all searches together.
    threads: usize,
}

#[derive(Debug)]
struct State {
    waiting: BinaryHeap<Order>,
    /// What each worker searches.
    running: Vec<Option<Running>>,
    /// Orders so far.
    count: u64,
    closed: bool,
}

#[derive(Debug)]
struct Running {
    query: Arc<Query>,
    turn: usize,
    control: Arc<Control>,
}

impl State {
    /// Workers before this one that are free, or will be at once.
    fn free_before(&self, worker: usize) -> usize {
        self.running[..worker].iter().filter(|running| !running.as_ref().is_some_and(Running::goes_on)).count()
    }

    /// Searches that go on.
    fn searching(&self) -> usize {
        self.running.iter().flatten().filter(|running| running.goes_on()).count()
    }
}

impl Running {
    /// Has nobody stopped the search?
    fn goes_on(&self) -> bool {
        !self.control.is_stopped()
    }
}

/// The threads of each of so many searches.
pub(super) fn share(threads: usize, searches: usize) -> usize {
    (threads / searches.max(1)).max(1)
}

impl Queue {
    /// An empty queue for so many workers, whose searches share so many threads.
    pub(super) fn new(workers: usize, threads: usize) -> Queue {
        let running = (0..workers).map(|_| None).collect();
        let state = State { waiting: BinaryHeap::new(), running, count: 0, closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), threads }
    }

    /// Adds turns of a query, each with its priority.
    pub(super) fn add(&self, query: &Arc<Query>, turns: impl IntoIterator<Item = (usize, i64)>) {
        let mut state = self.lock();
        for (turn, priority) in turns {
            let number = state.count;
            state.count += 1;
            state.waiting.push(Order { query: Arc::clone(query), turn, priority, number });
        }
        self.changed.notify_all();
    }

    /// The next order; waits for it. `None` when the queue is closed and empty.
    ///
    /// A worker takes an order only if those before it, which can use more threads, leave one for it. A worker whose
    /// search has been stopped is about to be free.
    pub(super) fn take(&self, worker: usize) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.waiting.len() > state.free_before(worker)
                && let Some(order) = state.waiting.pop()
            {
                let sharing = state.searching() + 1 + state.waiting.len();
                let control = Arc::new(Control::new());
                state.running[worker] =
                    Some(Running { query: Arc::clone(&order.query), turn: order.turn, control: Arc::clone(&control) });
                self.changed.notify_all();
                let threads = share(self.threads, sharing.min(state.running.len()));
                return Some(Task { order, control, threads });
            }
            if state.closed && state.waiting.is_empty() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The worker has answered its order.
    pub(super) fn finish(&self, worker: usize) {
        self.lock().running[worker] = None;
        self.changed.notify_all();
    }

    /// Ends the orders that `is_meant` says of their id and turn: stops their searches, and gives back those that had
    /// no search yet, in the order in which they came.
    pub(super) fn terminate(&self, is_meant: impl Fn(&str, usize) -> bool) -> Vec<Order> {
        let mut state = self.lock();
        for running in state.running.iter().flatten().filter(|running| is_meant(&running.query.id, running.turn)) {
            running.control.stop();
        }
        let orders = std::mem::take(&mut state.waiting).into_vec();
        let (mut ended, waiting): (Vec<_>, Vec<_>) =
            orders.into_iter().partition(|order| is_meant(&order.query.id, order.turn));
        state.waiting = waiting.into();
        drop(state);
        self.changed.notify_all();
        ended.sort_by_key(|order| order.number);
        ended
    }

    /// Forgets what waits, and stops what is searched.
    pub(super) fn abandon(&self) {
        self.terminate(|_, _| true);
    }

    /// No more orders will come.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(id: &str) -> Arc<Query> {
        Arc::new(Query::example(id))
    }

    fn next(queue: &Queue, worker: usize) -> (String, usize, usize) {
        let task = queue.take(worker).expect("an order waits");
        (task.order.query.id.clone(), task.order.turn, task.threads)
    }

    #[test]
    fn orders_come_by_priority_and_then_by_age() {
        let queue = Queue::new(2, 7);
        queue.add(&query("a"), [(0, 0), (1, 5), (2, -1)]);
        queue.add(&query("b"), [(7, 5), (8, 0)]);
        queue.close();
        let wanted = [("a", 1), ("b", 7), ("a", 0), ("b", 8), ("a", 2)];
        for (id, turn) in wanted {
            // The last one has all threads, the others share them between two workers.
            assert_eq!(next(&queue, 0), (id.into(), turn, if turn == 2 { 7 } else { 3 }));
            queue.finish(0);
        }
        assert!(queue.take(0).is_none() && queue.take(1).is_none());
    }

    #[test]
    fn terminated_orders_come_back_or_are_stopped() {
        let queue = Queue::new(2, 2);
        queue.add(&query("a"), [(0, 0), (1, 0), (2, 0)]);
        queue.add(&query("b"), [(0, 0)]);
        let task = queue.take(0).expect("an order");
        assert_eq!(task.threads, 1);
        let ended = queue.terminate(|id, turn| id == "a" && turn != 1);
        assert_eq!(ended.iter().map(|order| order.turn).collect::<Vec<_>>(), [2]);
        assert!(task.control.is_stopped());
        assert_eq!((next(&queue, 1), queue.lock().waiting.len()), (("a".into(), 1, 1), 1));
        queue.abandon();
        assert_eq!(queue.lock().waiting.len(), 0);
    }

    #[test]
    fn an_order_shares_the_threads_with_what_goes_on() {
        let queue = Queue::new(4, 8);
        queue.add(&query("ponder"), [(0, 0)]);
        assert_eq!(next(&queue, 0), ("ponder".into(), 0, 8));
        // The next one comes before the first is stopped, as from KaTrain.
        queue.add(&query("b"), [(0, 0)]);
        assert_eq!(next(&queue, 1), ("b".into(), 0, 4));
        queue.terminate(|id, _| id == "ponder");
        // Worker 0 is about to be free, and can use more threads than worker 2.
        queue.add(&query("c"), [(0, 0)]);
        let free = [1, 2].map(|worker| queue.lock().free_before(worker));
        assert_eq!(free, [1, 1]);
        queue.finish(0);
        assert_eq!(next(&queue, 0), ("c".into(), 0, 4));
        // Two that come together, beside two that go on.
        queue.add(&query("d"), [(0, 0), (1, 0)]);
        assert_eq!((next(&queue, 2), next(&queue, 3)), (("d".into(), 0, 2), ("d".into(), 1, 2)));
    }
}
