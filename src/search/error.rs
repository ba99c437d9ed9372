//! Why a search finds nothing.

/// Why a search found nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// A thread panicked: a bug. What was searched before is forgotten.
    #[error("the search broke off: a bug, which the log describes")]
    Broken,
    /// The system gives the process no other thread.
    #[error("the system gives the process no thread to search with: {0}")]
    NoThread(String),
}
