//! Cuts the input into lines. A line that is too long is told, and takes no memory beyond the limit.

use std::io::{BufRead, ErrorKind, Result};

/// The longest line. A game of a thousand moves takes some 20 KB; a query that forbids moves takes as much again.
pub(super) const LONGEST_LINE: usize = 8 << 20;

/// What some editors and shells write at the beginning of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its bytes, without the line feed.
    Text(Vec<u8>),
    /// More than [`LONGEST_LINE`] bytes.
    TooLong,
}

/// The next line; `None` at the end of the input. A byte order mark at its beginning is left out. The last line needs no
/// line feed.
pub(super) fn next(source: &mut impl BufRead) -> Result<Option<Line>> {
    next_within(source, LONGEST_LINE)
}

fn next_within(source: &mut impl BufRead, longest: usize) -> Result<Option<Line>> {
    let mut text = Vec::new();
    let (mut is_cut, mut is_begun) = (false, false);
    loop {
        let bytes = match source.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() && !is_begun {
            return Ok(None);
        }
        is_begun = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = end.map_or(bytes, |end| &bytes[..end]);
        if text.len() + part.len() > longest {
            is_cut = true;
            text = Vec::new();
        } else if !is_cut {
            text.extend_from_slice(part);
        }
        let is_over = end.is_some() || bytes.is_empty();
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if is_over {
            if text.starts_with(BYTE_ORDER_MARK) {
                text.drain(..BYTE_ORDER_MARK.len());
            }
            return Ok(Some(if is_cut { Line::TooLong } else { Line::Text(text) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_line() {
        let mut source = &b"\xEF\xBB\xBF{}\n\xEF\xBB\xBF\n \xEF\xBB\xBF"[..];
        let mut next = || next(&mut source).expect("bytes in memory can be read");
        assert_eq!(next(), Some(Line::Text(b"{}".into())));
        assert_eq!(next(), Some(Line::Text(Vec::new())));
        assert_eq!(next(), Some(Line::Text(b" \xEF\xBB\xBF".into())));
    }

    #[test]
    fn lines_are_cut_at_line_feeds_and_long_ones_are_left_out() {
        let text = |text: &str| Some(Line::Text(text.into()));
        for capacity in [1, 2, 3, 100] {
            let mut source = BufReader::with_capacity(capacity, &b"ab\n\nabcde\nabcdef\nabcdefghijklmno\nend"[..]);
            let mut next = || next_within(&mut source, 5).expect("bytes in memory can be read");
            assert_eq!((next(), next(), next()), (text("ab"), text(""), text("abcde")));
            assert_eq!((next(), next()), (Some(Line::TooLong), Some(Line::TooLong)));
            assert_eq!((next(), next()), (text("end"), None));
        }
    }
}
