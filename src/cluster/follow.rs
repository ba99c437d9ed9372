//! A follower: it searches what rank 0 orders, until another order comes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Settings;
use super::exchange::Exchange;
use super::job::Job;
use super::message::{Message, Order};
use super::post::Post;
use crate::net::Nets;
use crate::search::partner::Beginning;
use crate::search::{Control, MemoryError, Partner, Partnership, Running, Search, SearchOptions};

/// A follower that searches while rank 0 is silent goes on for so long: as many times as the leader's patience. Rank 0
/// may only be slow. (A guess.)
const PATIENCE: u32 = 10;

/// The longest sleep of a follower that rests. (It bounds how late the end of the post is seen.)
const NAP: Duration = Duration::from_millis(200);

/// What the loop and the partner of the search tell each other.
#[derive(Debug, Default)]
pub(super) struct Desk {
    /// The number of the job in progress.
    pub(super) job: u64,
    /// An order that came during the search.
    next: Option<Order>,
}

/// The partner of a follower's search.
#[derive(Debug)]
pub(super) struct Follower {
    exchange: Exchange,
    desk: Arc<Mutex<Desk>>,
}

impl Follower {
    pub(super) fn new(post: &Arc<Post>, settings: Settings, desk: &Arc<Mutex<Desk>>) -> Follower {
        Follower { exchange: Exchange::new(Arc::clone(post), settings, &[0]), desk: Arc::clone(desk) }
    }
}

impl Partner for Follower {
    fn begin(&mut self, beginning: &Beginning<'_>) {
        let job = self.desk.lock().unwrap_or_else(PoisonError::into_inner).job;
        self.exchange.begin(job, beginning.moves, false);
        self.exchange.peers.iter_mut().for_each(|leader| leader.silence = Duration::ZERO);
    }

    fn look(&mut self, running: &Running<'_>) -> bool {
        while let Some((from, bytes)) = self.exchange.post().read() {
            match Message::from_bytes(&bytes) {
                Ok(Message::News(news)) => self.exchange.hear(running, from, &news),
                // Messages behind the order belong to the next job.
                Ok(Message::Order(order)) => {
                    self.desk.lock().unwrap_or_else(PoisonError::into_inner).next = Some(order);
                    return false;
                }
                Err(error) => log::warn!("rank {from}: {error}"),
            }
        }
        let patience = self.exchange.settings().patience.saturating_mul(PATIENCE);
        self.exchange.wait_on();
        if self.exchange.peers.iter().any(|leader| leader.silence > patience) {
            log::warn!("rank 0 has been silent for {patience:?}: the search ends");
            return false;
        }
        self.exchange.tell(running);
        !self.exchange.post().is_closed()
    }

    fn end(&mut self) {}
}

/// Follows rank 0 until it orders to leave, or the post is closed. `search` says what the searches are made of; its
/// partners are not used.
///
/// # Errors
/// If the system refuses the memory.
pub fn follow(post: &Arc<Post>, settings: Settings, search: SearchOptions, nets: &Nets) -> Result<(), MemoryError> {
    let desk = Arc::new(Mutex::new(Desk::default()));
    let follower = Follower::new(post, settings, &desk);
    let mut search = Search::new(SearchOptions { partners: Some(Partnership::new(follower)), ..search })?;
    let mut tree = 0;
    let mut complaint = String::new();
    while let Some(order) = next_order(post, &desk) {
        match order {
            Order::Rest => {}
            Order::Leave => break,
            Order::Search(job) => {
                if job.tree != tree {
                    search.forget();
                    tree = job.tree;
                }
                desk.lock().unwrap_or_else(PoisonError::into_inner).job = job.number;
                if let Err(error) = do_job(&mut search, &job, post, nets)
                    && complaint != error
                {
                    log::error!("cannot follow: {error}");
                    complaint = error;
                }
            }
        }
    }
    Ok(())
}

fn do_job(search: &mut Search, job: &Job, post: &Post, nets: &Nets) -> Result<(), String> {
    let request = job.request(post.rank(), post.ranks(), nets).map_err(|error| error.to_string())?;
    let report = search.run(&request, &Control::new(), &mut |_| {}).map_err(|error| error.to_string())?;
    log::debug!("job {}: {} playouts on all ranks, {} nodes here", job.number, report.playouts, report.nodes);
    Ok(())
}

/// The last order that has come, or the next one. `None` when the post is closed.
fn next_order(post: &Post, desk: &Mutex<Desk>) -> Option<Order> {
    loop {
        let order = latest_order(post, desk);
        if order.is_some() || post.is_closed() {
            return order;
        }
        post.wait_for_mail(NAP);
    }
}

/// The last order that has come. Those before it count no more.
pub(super) fn latest_order(post: &Post, desk: &Mutex<Desk>) -> Option<Order> {
    let mut last = desk.lock().unwrap_or_else(PoisonError::into_inner).next.take();
    while let Some((from, bytes)) = post.read() {
        match Message::from_bytes(&bytes) {
            Ok(Message::Order(order)) => last = Some(order),
            // News of a search that has ended here.
            Ok(Message::News(_)) => {}
            Err(error) => log::warn!("rank {from}: {error}"),
        }
    }
    last
}
