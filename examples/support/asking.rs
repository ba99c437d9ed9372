//! Requests for searches of positions of recorded games, with the program's own settings.

use kosumi::go::Position;
use kosumi::net::Nets;
use kosumi::playout::PolicyKind;
use kosumi::search::{Evaluators, History, Request};

/// A request for a search of this position, with komi in half points, as a game of this size asks for it.
///
/// A position whose game has ended is opened again.
pub fn request(mut position: Position, history: History, komi: i32, nets: &Nets) -> Request {
    position.reopen();
    let size = position.size();
    let evaluators = Evaluators::of(nets.for_size(size), PolicyKind::Tactical);
    let mut request = Request::new(position, komi);
    request.history = history;
    request.params = evaluators.defaults(size);
    request.evaluators = evaluators;
    request
}
