//! When ranks tell each other what during a search: the part that leader and followers have in common.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Settings;
use super::message::News;
use super::post::Post;
use crate::go::Move;
use crate::search::{Known, Running};

/// Another rank, as this one sees it.
#[derive(Debug)]
pub struct Peer {
    /// The rank.
    pub rank: usize,
    /// What it knows of the tree.
    known: Known,
    /// The playouts of this search that it knows.
    playouts: u64,
    /// When a message of it last came.
    pub heard: Instant,
    /// Has it told something of this search? Before that nobody knows with which tree it has begun.
    has_begun: bool,
    /// Is it left out, because it has been silent for too long?
    pub is_absent: bool,
}

impl Peer {
    /// A rank of which nothing has been heard.
    pub fn new(rank: usize) -> Peer {
        let heard = Instant::now();
        Peer { rank, known: Known::default(), playouts: 0, heard, has_begun: false, is_absent: false }
    }
}

/// What a search has told and heard, for the log.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Pieces of news sent, and their bytes.
    pub told: u64,
    /// See `told`.
    pub told_bytes: u64,
    /// Pieces of news that came, and the nodes in them.
    pub heard: u64,
    /// See `heard`.
    pub heard_nodes: u64,
    /// Pieces of news that were not made, because the one before was still on its way.
    pub skipped: u64,
    /// Time that the search's monitor has spent on all this.
    pub time: Duration,
    /// The longest time without news of a rank that takes part.
    pub longest_silence: Duration,
}

/// The exchange of one rank with others.
#[derive(Debug)]
pub struct Exchange {
    post: Arc<Post>,
    settings: Settings,
    /// The other ranks.
    pub peers: Vec<Peer>,
    job: u64,
    keeps: bool,
    last: Option<Instant>,
    figures: Figures,
}

impl Exchange {
    /// With these ranks.
    pub fn new(post: Arc<Post>, settings: Settings, with: &[usize]) -> Exchange {
        let peers = with.iter().map(|&rank| Peer::new(rank)).collect();
        Exchange { post, settings, peers, job: 0, keeps: false, last: None, figures: Figures::default() }
    }

    /// The mail boxes.
    pub fn post(&self) -> &Post {
        &self.post
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the present search has told and heard.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The search of a job begins. `moves` lead from the tree's earlier root to the present one; `None` if the tree is
    /// empty. The leader waits for the first news of a rank (`waits`), because only the rank knows whether it still has
    /// its tree.
    pub fn begin(&mut self, job: u64, moves: Option<&[Move]>, waits: bool) {
        (self.job, self.keeps, self.last, self.figures) = (job, moves.is_some(), None, Figures::default());
        let now = Instant::now();
        for peer in &mut self.peers {
            match moves {
                Some(moves) => moves.iter().for_each(|&mv| peer.known.advance(mv)),
                None => peer.known.clear(),
            }
            (peer.playouts, peer.has_begun) = (0, !waits);
            if !peer.is_absent {
                peer.heard = now;
            }
        }
    }

    /// Takes news of another rank. News of other searches is left out, for it is about another root.
    pub fn hear(&mut self, running: &Running<'_>, from: usize, news: &News) {
        let start = Instant::now();
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.rank == from) else { return };
        if news.job == self.job {
            if !peer.has_begun && !news.keeps {
                peer.known.clear();
            }
            peer.has_begun = true;
            self.figures.longest_silence =
                self.figures.longest_silence.max(start.saturating_duration_since(peer.heard));
            running.learn(&mut peer.known, &news.nodes, news.playouts);
            peer.playouts += news.playouts;
            self.figures.heard += 1;
            self.figures.heard_nodes += news.nodes.len() as u64;
        }
        peer.heard = start;
        self.figures.time += start.elapsed();
    }

    /// Tells the others what is new, if it is time.
    pub fn tell(&mut self, running: &Running<'_>) {
        let start = Instant::now();
        if self.last.is_some_and(|last| start.saturating_duration_since(last) < self.settings.interval) {
            return;
        }
        self.last = Some(start);
        let nodes = running.near(&self.settings.reach);
        let playouts = running.playouts();
        for peer in self.peers.iter_mut().filter(|peer| peer.has_begun && !peer.is_absent) {
            if !self.post.is_free(peer.rank) {
                self.figures.skipped += 1;
                continue;
            }
            let news = News {
                job: self.job,
                // What other ranks have told since may still be on its way.
                playouts: playouts.saturating_sub(peer.playouts),
                keeps: self.keeps,
                nodes: peer.known.news(&nodes, self.settings.reach.most),
            };
            peer.playouts += news.playouts;
            let bytes = news.to_bytes();
            self.figures.told += 1;
            self.figures.told_bytes += bytes.len() as u64;
            self.post.tell(peer.rank, bytes);
        }
        self.figures.time += start.elapsed();
    }
}
