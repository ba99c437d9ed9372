//! Why a search finds nothing.

/// Why a search found nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// A thread panicked: a bug. The trees are empty now.
    #[error("the search broke off: a bug, which the log describes")]
    Broken,
}
