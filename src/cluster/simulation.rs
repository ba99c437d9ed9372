//! Ranks that take turns in one thread, for experiments with equal numbers of playouts: how much is a playout of eight
//! trees with an exchange worth against one of a single tree? Results depend on no clock, so they are the same on every
//! machine.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Settings;
use super::follow::{Desk, Follower, latest_order};
use super::lead::Leader;
use super::message::Order;
use super::office::Office;
use crate::net::Nets;
use crate::search::partner::Beginning;
use crate::search::{Control, MemoryError, Partner, Partnership, Reach, Request, Running, Search, SearchOptions};

/// No rank is ever late here.
const PATIENCE: Duration = Duration::from_secs(1 << 30);

/// A partner that plays all other ranks. The search that it is the partner of has to run without threads of its own
/// ([`SearchOptions::threads`] is 0). It is rank 0.
#[derive(Debug)]
pub struct Simulation {
    office: Office,
    leader: Leader,
    members: Vec<Member>,
    round: u64,
    nets: Nets,
}

/// A rank other than 0.
#[derive(Debug)]
struct Member {
    rank: usize,
    search: Search,
    desk: Arc<Mutex<Desk>>,
    request: Option<Request>,
    tree: u64,
}

impl Simulation {
    /// So many ranks, rank 0 included, each of which makes `round` playouts between two exchanges. The trees of the
    /// other ranks take `memory` MiB each.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(ranks: usize, round: u64, reach: Reach, memory: usize, nets: Nets) -> Result<Simulation, MemoryError> {
        let settings = Settings { reach, interval: Duration::ZERO, patience: PATIENCE };
        let office = Office::new(ranks);
        let leader = Leader::new(Arc::clone(office.post(0)), settings);
        let member = |rank| {
            let desk = Arc::new(Mutex::new(Desk::default()));
            let follower = Follower::new(office.post(rank), settings, &desk);
            let partners = Some(Partnership::new(follower));
            let search = Search::new(SearchOptions { threads: 0, memory, partners, ..SearchOptions::default() })?;
            Ok(Member { rank, search, desk, request: None, tree: 0 })
        };
        let members = (1..ranks).map(member).collect::<Result<Vec<_>, MemoryError>>()?;
        Ok(Simulation { office, leader, members, round: round.max(1), nets })
    }
}

impl Member {
    fn read_orders(&mut self, office: &Office, nets: &Nets) {
        match latest_order(office.post(self.rank), &self.desk) {
            Some(Order::Search(job)) => {
                if job.tree != self.tree {
                    self.search.forget();
                    self.tree = job.tree;
                }
                self.desk.lock().unwrap_or_else(PoisonError::into_inner).job = job.number;
                self.request = job
                    .request(self.rank, office.post(self.rank).ranks(), nets)
                    .inspect_err(|error| log::error!("rank {} cannot follow: {error}", self.rank))
                    .ok();
            }
            Some(Order::Rest | Order::Leave) => self.request = None,
            None => {}
        }
    }

    /// Makes some playouts of the job.
    fn take_turn(&mut self, playouts: u64) {
        let Some(request) = &mut self.request else { return };
        request.limits.playouts = Some(playouts);
        // Each turn is a search of its own, with its own random numbers.
        request.seed = request.seed.wrapping_add(2);
        if let Err(error) = self.search.run(request, &Control::new(), &mut |_| {}) {
            log::error!("rank {}: {error}", self.rank);
        }
    }
}

impl Partner for Simulation {
    fn begin(&mut self, beginning: &Beginning<'_>) {
        self.leader.begin(beginning);
        self.office.carry();
        for member in &mut self.members {
            member.read_orders(&self.office, &self.nets);
        }
    }

    fn look(&mut self, running: &Running<'_>) -> bool {
        for member in &mut self.members {
            member.take_turn(self.round);
        }
        self.office.carry();
        let goes_on = self.leader.look(running);
        self.office.carry();
        goes_on
    }

    fn end(&mut self) {
        self.leader.end();
    }

    fn round(&self) -> u64 {
        self.round
    }
}
