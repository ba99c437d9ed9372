//! `kosumi web`: a page to play on, for people who have no Go program.
//!
//! ```text
//!            threads of the server                                  threads of the engine
//! server ──→ guard ──→ routes ──→ tabs ──→ tab (a Sitting each) ←── worker ←── queue
//! (bytes)   (who may?)  (paths)             order, state, count      (an Engine each)
//! ```
//!
//! - `server` speaks HTTP, `guard` says who may ask, `routes` knows the paths, `files` holds the page.
//! - A `tab` of the browser has a game of its own: a `sitting`. An `order` changes the sitting, `state` shows the
//!   sitting as JSON. No request waits for the engine.
//! - A sitting says what it wants of the engine. The tabs that want something stand in a `queue`, and each `worker`
//!   takes the first one, does one piece of work for it, and puts it back at the end.
//!
//! The page asks for news in short steps while something goes on. A browser opens at most six connections to one
//! address, for all its tabs together. So a stream of events for each tab would leave the seventh tab without an
//! answer.

mod browser;
mod count;
mod error;
mod files;
mod guard;
mod order;
mod queue;
mod rate;
mod reviewing;
mod routes;
mod server;
mod settings;
mod sitting;
mod state;
mod tab;
mod tabs;
mod timing;
mod walk;
mod wishes;
mod worker;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use error::WebError;
use guard::Guard;
use queue::Queue;
use routes::House;
pub use settings::Settings;
use tabs::Tabs;

/// Serves the page until `stop` is set. The address of the page goes to `output`, as one line.
///
/// # Errors
/// See [`WebError`].
pub fn run(settings: &Settings, stop: &AtomicBool, mut output: impl Write) -> Result<(), WebError> {
    let wanted = SocketAddr::new(settings.listen, settings.port);
    let listener = server::listen(wanted).map_err(|error| WebError::Listen(wanted, error))?;
    let address = listener.local_addr().map_err(|error| WebError::Listen(wanted, error))?;
    let guard = Guard::new(address).map_err(WebError::System)?;
    let shown = SocketAddr::new(reachable(address.ip()), address.port());
    let page = guard.address(shown);
    // The line comes before the engine is made: a browser can be on its way meanwhile.
    writeln!(output, "{page}").and_then(|()| output.flush()).map_err(WebError::Write)?;
    if settings.opens_browser
        && let Err(error) = browser::open(&page)
    {
        log::warn!("no browser could be opened ({error}); open the address yourself");
    }
    let queue = Arc::new(Queue::default());
    let tabs = Tabs::new(settings.engine.clone(), Arc::clone(&queue));
    let house = Arc::new(House { guard, tabs });
    std::thread::scope(|scope| {
        let workers = worker::start(scope, &settings.engine, &queue);
        let result = workers.and_then(|()| server::serve(listener, &house, stop).map_err(WebError::System));
        // The workers have to end, whatever has failed here.
        queue.close();
        result
    })
}

/// An address at which the page can be reached, if it listens on all addresses of the machine.
fn reachable(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    // The system chooses the address towards a far machine (one of those for documentation). Nothing is sent.
    let local = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .and_then(|socket| socket.connect(("192.0.2.1", 9)).and_then(|()| socket.local_addr()));
    local.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}
