//! Thinking on the opponent's time: the search runs in a thread of its own until it is wanted back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;

use crate::go::{Color, Move, Position};
use crate::search::{Limits, Request, Search};

/// A search that is at hand, or away pondering.
pub struct Ponder {
    search: Option<Search>,
    away: Option<(JoinHandle<Search>, Arc<AtomicBool>)>,
    options: crate::search::Options,
}

impl Ponder {
    /// A search at hand.
    pub fn new(search: Search) -> Ponder {
        Ponder { options: search.options().clone(), search: Some(search), away: None }
    }

    /// Sends the search to ponder. Without the memory for another thread it stays.
    pub fn start(
        &mut self,
        position: Position,
        start_hash: u64,
        moves: Vec<(Color, Move)>,
        komi: i32,
        playouts: Option<u64>,
    ) {
        self.end();
        let Some(mut search) = self.search.take() else { return };
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let limits = Limits { playouts, ..Limits::default() };
        let work = move || {
            let whole = Request::new(&position, komi);
            let request = Request { start_hash, moves: &moves, limits, merge_twins: true, ..whole };
            search.run(&request, &flag, &mut |_| {});
            search
        };
        match std::thread::Builder::new().name("ponder".into()).spawn(work) {
            Ok(handle) => self.away = Some((handle, stop)),
            Err(error) => log::warn!("no thread to ponder in: {error}"),
        }
    }

    /// Ends pondering; the search is at hand again.
    pub fn end(&mut self) {
        if let Some((handle, stop)) = self.away.take() {
            stop.store(true, Relaxed);
            match handle.join() {
                Ok(search) => self.search = Some(search),
                Err(_) => log::error!("pondering broke off; the tree is lost"),
            }
        }
    }

    /// The search. Call [`Ponder::end`] first: while it is away, a new one is made.
    pub fn search(&mut self) -> &mut Search {
        let options = &self.options;
        let search = self.search.get_or_insert_with(|| Search::new(options.clone()));
        self.options = search.options().clone();
        search
    }
}

impl Drop for Ponder {
    fn drop(&mut self) {
        self.end();
    }
}
