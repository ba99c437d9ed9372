//! Why there is no page.

use std::io;
use std::net::SocketAddr;

use crate::search::searcher::StartError;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system refuses the memory or a thread of a search.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The system gives no thread, or no random numbers for a token.
    #[error("the system refuses what a server needs: {0}")]
    System(String),
    /// The address cannot be written.
    #[error("cannot write: {0}")]
    Write(io::Error),
}
