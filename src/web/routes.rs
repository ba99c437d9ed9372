//! The paths of the server: files of the page, orders, news, records and reviews. A path is answered from a tab's
//! sitting at once, without waiting for the engine.

use serde_json::json;

use crate::sgf;

use super::files;
use super::guard::Guard;
use super::order::Order;
use super::tab::Tab;
use super::tabs::{Tabs, TooMany};

/// Bytes of an order, and of a record that is loaded. (Records of games have tens of kilobytes; a record in memory
/// takes up to thirty times its text.)
const ORDER: usize = 16 << 10;
const RECORD: usize = 1 << 20;

/// The review's own page has its style and its script in itself. It is shut off from everything else: as a page of a
/// sandbox it belongs to no site, so it cannot ask this server for anything.
const OF_REVIEW: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Bytes of a request's body for a path, at the most.
pub(super) fn most_bytes(path: &str) -> usize {
    if path == "/api/load" { RECORD } else { ORDER }
}

/// What a caller is told whose body for a path is larger.
pub(super) fn too_large(path: &str) -> String {
    match most_bytes(path) {
        RECORD => format!("that is too large: a record has {} MiB at most", RECORD >> 20),
        most => format!("that is too large: an order has {} KiB at most", most >> 10),
    }
}

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) is_post: bool,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) body: Vec<u8>,
}

impl Asked {
    /// A value of the query. Names and values are words without escapes.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|part| part.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    fn of(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: 200, kind, headers: Vec::new(), body: body.into() }
    }

    /// Why there is no better answer.
    pub(super) fn error(status: u16, message: &str) -> Answer {
        Answer { status, ..Answer::of("application/json", json!({ "error": message }).to_string()) }
    }

    /// The page is elsewhere.
    pub(super) fn moved(to: &str) -> Answer {
        Answer { status: 303, ..Answer::of("text/plain", "") }.with("location", to.into())
    }

    /// The answer with a header.
    pub(super) fn with(mut self, name: &'static str, value: String) -> Answer {
        self.headers.push((name, value));
        self
    }

    /// A file to be saved under this name, which has plain characters only.
    fn download(kind: &'static str, name: &str, body: String) -> Answer {
        Answer::of(kind, body).with("content-disposition", format!("attachment; filename=\"{name}\""))
    }
}

/// All that answers need.
#[derive(Debug)]
pub(super) struct House {
    pub(super) guard: Guard,
    pub(super) tabs: Tabs,
}

impl House {
    /// Answers a request of a caller who may ask.
    pub(super) fn answer(&self, asked: &Asked) -> Answer {
        if !asked.is_post
            && let Some(file) = files::at(&asked.path)
        {
            return Answer::of(file.kind, file.text);
        }
        if !asked.path.starts_with("/api/") {
            return Answer::error(404, "there is no such page");
        }
        if asked.is_post && asked.path == "/api/open" {
            return match self.tabs.open() {
                Ok(tab) => state(&tab),
                Err(TooMany::Tabs) => Answer::error(503, "too many games are open; close some of the other tabs"),
                Err(TooMany::Requests) => Answer::error(429, "too many games were begun at once; wait a moment"),
                Err(TooMany::System(error)) => Answer::error(500, &error),
            };
        }
        let Some(tab) = asked.value("game").and_then(|name| self.tabs.find(name)) else {
            return Answer::error(404, self.tabs.why_gone());
        };
        if !tab.may_ask() {
            return Answer::error(429, "too many requests; wait a moment");
        }
        match (asked.is_post, asked.path.as_str()) {
            (true, "/api/order") => match serde_json::from_slice::<Order>(&asked.body) {
                Ok(order) => self.carry_out(&tab, |tab| tab.obey(order)),
                Err(error) => Answer::error(400, &format!("that is no order: {error}")),
            },
            (true, "/api/load") => self.carry_out(&tab, |tab| tab.load(&asked.body)),
            (false, "/api/state") => {
                self.tabs.wake(&tab);
                match asked.value("since").and_then(|since| since.parse().ok()) {
                    Some(since) if !tab.has_news(since) => Answer { status: 204, ..Answer::of("application/json", "") },
                    _ => state(&tab),
                }
            }
            (false, "/api/record") => Answer::download("application/x-go-sgf", "game.sgf", sgf::write(&tab.record())),
            (false, "/api/review") => match tab.review_page() {
                Some(page) => {
                    Answer::of("text/html; charset=utf-8", page).with("content-security-policy", OF_REVIEW.into())
                }
                None => Answer::error(404, "there is no finished review"),
            },
            (false, "/api/review-page") => match tab.review_page() {
                Some(page) => Answer::download("text/html; charset=utf-8", "game.review.html", page),
                None => Answer::error(404, "there is no finished review"),
            },
            (false, "/api/review-record") => match tab.review_record() {
                Some(record) => Answer::download("application/x-go-sgf", "game.review.sgf", sgf::write(&record)),
                None => Answer::error(404, "there is no finished review"),
            },
            _ => Answer::error(404, "there is no such page"),
        }
    }

    /// Carries an order out, and lets the engine know that there may be work.
    fn carry_out(&self, tab: &std::sync::Arc<Tab>, obey: impl FnOnce(&Tab) -> Result<(), String>) -> Answer {
        let result = obey(tab);
        self.tabs.wake(tab);
        match result {
            Ok(()) => state(tab),
            Err(message) => Answer::error(422, &message),
        }
    }
}

fn state(tab: &Tab) -> Answer {
    Answer::of("application/json", tab.state())
}
