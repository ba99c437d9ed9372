//! The leader, rank 0: each search of the kept tree becomes a job of all ranks. The leader never waits for a rank.

use std::sync::Arc;
use std::time::Duration;

use super::Settings;
use super::exchange::Exchange;
use super::job::Job;
use super::message::{Message, Order};
use super::post::Post;
use crate::search::partner::Beginning;
use crate::search::{Partner, Running};

/// At the end of the program the leader waits so long for its last orders to go out. (A guess.)
const FAREWELL: Duration = Duration::from_secs(1);

/// The partner of rank 0's searches.
#[derive(Debug)]
pub struct Leader {
    exchange: Exchange,
    /// Jobs so far.
    jobs: u64,
    /// The tree of the last search, by the number that the search gives it.
    search_tree: u64,
    /// Trees so far. A rank that has an older one begins anew.
    trees: u64,
    /// Do the others search, too?
    is_shared: bool,
    /// Playouts at the last look: here, and of all ranks.
    playouts: [u64; 2],
}

impl Leader {
    /// Leads all other ranks.
    pub fn new(post: Arc<Post>, settings: Settings) -> Leader {
        let others = post.others();
        let exchange = Exchange::new(post, settings, &others);
        Leader { exchange, jobs: 0, search_tree: 0, trees: 0, is_shared: false, playouts: [0; 2] }
    }

    fn order(&self, order: &Order) {
        order_all(self.exchange.post(), order);
    }

    /// Leaves out the ranks that have been silent for too long.
    fn call_the_roll(&mut self) {
        let patience = self.exchange.settings().patience;
        self.exchange.wait_on();
        for peer in &mut self.exchange.peers {
            let is_absent = peer.silence > patience;
            if is_absent && !peer.is_absent {
                log::warn!("rank {} has been silent for {patience:?}: the search goes on without it", peer.rank);
            }
            if !is_absent && peer.is_absent {
                log::info!("rank {} is back", peer.rank);
            }
            peer.is_absent = is_absent;
        }
    }
}

fn order_all(post: &Post, order: &Order) {
    match order.to_bytes() {
        Ok(bytes) => post.others().into_iter().for_each(|rank| post.order(rank, bytes.clone())),
        Err(error) => log::error!("an order cannot be sent: {error}"),
    }
}

/// Sends the other ranks home, and waits a moment until the orders are on their way.
pub fn dismiss(post: &Post) {
    order_all(post, &Order::Leave);
    if !post.wait_until_free(FAREWELL) {
        log::warn!("not every rank has taken its leave");
    }
}

impl Partner for Leader {
    fn begin(&mut self, beginning: &Beginning<'_>) {
        let moves = beginning.moves.filter(|_| beginning.tree == self.search_tree);
        self.search_tree = beginning.tree;
        self.trees += u64::from(moves.is_none());
        self.jobs += 1;
        self.exchange.begin(self.jobs, moves, true);
        let job = Job::of(beginning.request, self.jobs, self.trees);
        self.is_shared = job.is_some();
        if let Some(job) = job {
            self.order(&Order::Search(Box::new(job)));
        }
    }

    fn look(&mut self, running: &Running<'_>) -> bool {
        while let Some((from, bytes)) = self.exchange.post().read() {
            match Message::from_bytes(&bytes) {
                Ok(Message::News(news)) => self.exchange.hear(running, from, &news),
                Ok(Message::Order(_)) => log::warn!("rank {from} gives orders, which only rank 0 may"),
                Err(error) => log::warn!("rank {from}: {error}"),
            }
        }
        if self.is_shared {
            self.call_the_roll();
            self.exchange.tell(running);
            self.playouts = [running.playouts_here(), running.playouts()];
        }
        true
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.is_shared) {
            self.order(&Order::Rest);
            let present = self.exchange.peers.iter().filter(|peer| peer.has_begun && !peer.is_absent).count();
            let [here, all] = self.playouts;
            log::debug!(
                "job {}: {all} playouts, {here} of them here; {present} of {} other ranks; {:?}",
                self.jobs,
                self.exchange.peers.len(),
                self.exchange.figures()
            );
        }
    }
}
