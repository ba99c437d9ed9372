//! When ranks tell each other what during a search: the part that leader and followers have in common.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Settings;
use super::message::News;
use super::post::Post;
use crate::go::Move;
use crate::search::{Known, Running};

/// The longest time between two looks that counts as silence of others. (A guess: the search looks every 5 ms.)
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// Another rank, as this one sees it.
#[derive(Debug)]
pub struct Peer {
    /// The rank.
    pub rank: usize,
    /// What it knows of the tree.
    known: Known,
    /// The playouts of this search that it knows.
    playouts: u64,
    /// Time of searches since a message of it last came.
    pub silence: Duration,
    /// Has it told something of this search? Before that nobody knows with which tree it has begun.
    pub has_begun: bool,
    /// Is it left out, because it has been silent for too long?
    pub is_absent: bool,
}

impl Peer {
    /// A rank of which nothing has been heard.
    pub fn new(rank: usize) -> Peer {
        Peer { rank, known: Known::default(), playouts: 0, silence: Duration::ZERO, has_begun: false, is_absent: false }
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
    last_look: Option<Instant>,
    figures: Figures,
}

impl Exchange {
    /// With these ranks.
    pub fn new(post: Arc<Post>, settings: Settings, with: &[usize]) -> Exchange {
        let peers = with.iter().map(|&rank| Peer::new(rank)).collect();
        Exchange {
            post,
            settings,
            peers,
            job: 0,
            keeps: false,
            last: None,
            last_look: None,
            figures: Figures::default(),
        }
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
        (self.job, self.keeps, self.figures) = (job, moves.is_some(), Figures::default());
        (self.last, self.last_look) = (None, None);
        for peer in &mut self.peers {
            match moves {
                Some(moves) => moves.iter().for_each(|&mv| peer.known.advance(mv)),
                None => peer.known.clear(),
            }
            (peer.playouts, peer.has_begun) = (0, !waits);
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
            self.figures.longest_silence = self.figures.longest_silence.max(peer.silence);
            running.learn(&mut peer.known, &news.nodes, news.playouts);
            peer.playouts += news.playouts;
            self.figures.heard += 1;
            self.figures.heard_nodes += news.nodes.len() as u64;
        }
        peer.silence = Duration::ZERO;
        self.figures.time += start.elapsed();
    }

    /// Counts the time since the last look as silence of all others. A long pause between two looks says nothing about
    /// them: it is this process that has slept.
    pub fn wait_on(&mut self) {
        let now = Instant::now();
        let longest = self.settings.interval.max(LONGEST_STEP);
        let step = self.last_look.map_or(Duration::ZERO, |last| now.saturating_duration_since(last).min(longest));
        self.last_look = Some(now);
        self.peers.iter_mut().for_each(|peer| peer.silence += step);
    }

    /// Tells the others what is new, if it is time.
    pub fn tell(&mut self, running: &Running<'_>) {
        let start = Instant::now();
        if self.last.is_some_and(|last| start.saturating_duration_since(last) < self.settings.interval) {
            return;
        }
        self.last = Some(start);
        // Playouts first: the visits of each playout that counts are then in the nodes.
        let playouts = running.playouts_done();
        let nodes = running.near(&self.settings.reach);
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
