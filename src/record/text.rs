//! Text as a value of a property: escapes and line breaks.

/// Text in the form between the brackets.
pub fn escape(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | ']') {
            value.push('\\');
        }
        value.push(c);
    }
    value
}

/// The text of a value. A backslash is removed, together with a line break behind it. Every line break becomes a line
/// feed, and other white space a blank.
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    // The two characters of CR LF and LF CR are one line break.
    let is_pair = |a: char, b: char| matches!((a, b), ('\r', '\n') | ('\n', '\r'));
    while let Some(c) = chars.next() {
        let (c, escaped) = match c {
            '\\' => match chars.next() {
                Some(next) => (next, true),
                None => break,
            },
            c => (c, false),
        };
        match c {
            '\n' | '\r' => {
                chars.next_if(|&next| is_pair(c, next));
                if !escaped {
                    text.push('\n');
                }
            }
            c if c.is_ascii_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_line_breaks_are_resolved() {
        for (value, text) in [
            ("plain", "plain"),
            (r"a \] b \\ c \: d", r"a ] b \ c : d"),
            ("one\ntwo\r\nthree\n\rfour\rfive\n\nseven", "one\ntwo\nthree\nfour\nfive\n\nseven"),
            ("one\\\ntwo\\\r\nthree", "onetwothree"),
            ("a\tb\u{b}c", "a b\u{b}c"),
            ("at the end\\", "at the end"),
        ] {
            assert_eq!(unescape(value), text, "{value:?}");
        }
        for text in ["", "]", r"\", r"a\]b", "\n\n", "äöü 囲碁"] {
            assert_eq!(unescape(&escape(text)), text);
        }
    }
}
