//! SGF (FF4, www.red-bean.com/sgf): records from and to text. What the properties mean is `record`'s to know.
//!
//! [`read`] goes once through the text and keeps the open branches on a list, so that time and memory are proportional to
//! the text and neither its length nor its nesting can exhaust the stack. Of several games in a text the first is read.
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

pub use read::read;
pub use write::write;

/// Longest text that is read, in bytes. A load takes up to 30 bytes of memory for each byte, since a node, which takes 20,
/// can be a single character (`tests/sgf_limits.rs`).
pub const LONGEST: usize = 8 << 20;

/// Why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// There is no `(;` in it.
    #[error("there is no game in the text")]
    NoGame,
    /// It is not as the format wants it.
    #[error("line {line}: {what}")]
    Format {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// It is longer than [`LONGEST`].
    #[error("the text is longer than {} MiB", LONGEST >> 20)]
    TooLong,
}
