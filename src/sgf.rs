//! SGF (FF4, www.red-bean.com/sgf): records from and to text. `record` knows what the properties mean.
//!
//! [`read`] goes once through the text and keeps the open branches on a list. So time and memory are proportional to
//! the text, and no length or nesting can exhaust the stack. If a text holds several games, [`read`] takes the first one,
//! and [`read_all`] takes all.
//!
//! ```
//! use kosumi::sgf;
//!
//! let record = sgf::read(b"(;GM[1]SZ[9];B[ee](;W[ce])(;W[ec]C[or this]))").unwrap();
//! let text = sgf::write(&record);
//! assert_eq!(text, "(;GM[1]SZ[9]\n;B[ee]\n(\n;W[ce]\n)\n(;W[ec]C[or this])\n)");
//! assert_eq!(sgf::read(text.as_bytes()).unwrap(), record);
//! ```

mod encoding;
mod read;
mod write;

pub use read::{read, read_all, read_first};
pub use write::write;

/// Longest text that is read, in bytes. Reading takes up to 30 bytes of memory for each byte of text, because a single
/// character can be a node of 20 bytes (`tests/sgf_limits.rs`).
pub const LONGEST: usize = 8 << 20;

/// Why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The text has no `(;`.
    #[error("there is no game in the text")]
    NoGame,
    /// The text breaks the format.
    #[error("line {line}: {what}")]
    Format {
        /// The line, counted from 1.
        line: usize,
        /// The error in that line.
        what: &'static str,
    },
    /// The text is longer than [`LONGEST`].
    #[error("the text is longer than {} MiB", LONGEST >> 20)]
    TooLong,
}
