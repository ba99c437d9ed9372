//! How the page is served.

use std::net::{IpAddr, Ipv4Addr};

use crate::engine::EngineOptions;

/// How the page is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on. Only this machine reaches a loopback address. For any other one, the page needs a
    /// token.
    pub listen: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Is the page opened in the browser?
    pub opens_browser: bool,
    /// The engine. Size, komi, rules, level and time for a move are those of the first game in a tab.
    pub engine: EngineOptions,
}

impl Default for Settings {
    /// Any free port of this machine, and no browser.
    fn default() -> Settings {
        Settings {
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            opens_browser: false,
            engine: EngineOptions::default(),
        }
    }
}
