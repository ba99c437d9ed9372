//! Lines to calls, answers to text (GTP draft 2, §2). This file knows no Go.
//!
//! ```
//! use kosumi::gtp::protocol::{parse, reply};
//!
//! let call = parse(b"7 play black D4 # a comment").expect("the line calls a command");
//! assert_eq!((call.id.as_str(), call.name.as_str()), ("7", "play"));
//! assert_eq!(call.arguments, ["black", "D4"]);
//!
//! assert_eq!(reply(&call, &Ok(String::new())), "=7\n\n");
//! assert_eq!(reply(&call, &Err("illegal move".into())), "?7 illegal move\n\n");
//! assert!(parse(b"# only a comment").is_none());
//! ```

use std::borrow::Cow;

/// A line that calls a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The number before the command, as it was written; empty if the line has none.
    pub id: String,
    /// The command; empty if the line was a number alone.
    pub name: String,
    /// The words after the command.
    pub arguments: Vec<String>,
    /// Are these all words? A line of more than 110 000 is answered with an error.
    pub is_whole: bool,
}

/// The line that GoGui sends to end a running command. It is a comment, so it gets no answer.
pub const INTERRUPT: &[u8] = b"# interrupt";

/// The most words after a command. The longest sequence of moves that is played has 100 000 (two for each of
/// [`MOST_PLAYS`](crate::game::error::MOST_PLAYS)), and a tenth is to spare. Each word takes some fifty bytes.
const MOST_WORDS: usize = 110_000;

/// Reads a line. `None` if the line calls no command: blank lines and comments get no answer.
///
/// Carriage returns and other control characters are dropped, tabs become blanks, `#` begins a comment (§2.2).
pub fn parse(line: &[u8]) -> Option<Call> {
    with_words(line, |id, name, words| {
        let arguments: Vec<String> = (&mut *words).take(MOST_WORDS).map(String::from).collect();
        Call { id: id.into(), name: name.into(), arguments, is_whole: words.next().is_none() }
    })
}

/// Does the line call the command of this name?
pub fn calls(line: &[u8], command: &str) -> bool {
    with_words(line, |_, name, _| name == command) == Some(true)
}

/// What is made of number, command and further words of a line.
fn with_words<T>(line: &[u8], make: impl FnOnce(&str, &str, &mut dyn Iterator<Item = &str>) -> T) -> Option<T> {
    let clean: Vec<u8> = line
        .iter()
        .copied()
        .take_while(|&byte| byte != b'#')
        .map(|byte| if byte == b'\t' { b' ' } else { byte })
        .filter(|&byte| byte >= b' ' && byte != 0x7f)
        .collect();
    let text = String::from_utf8_lossy(&clean);
    let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
    let first = *words.peek()?;
    let id = if first.bytes().all(|byte| byte.is_ascii_digit()) { words.next().unwrap_or_default() } else { "" };
    let name = words.next().unwrap_or_default();
    Some(make(id, name, &mut words))
}

/// An answer in the protocol's form: status, number, one blank, text, one empty line (§2.6). Empty lines of the text
/// are left out, because they would end the answer early, and blanks before the text, because there is only one.
pub fn reply(request: &Call, result: &Result<String, String>) -> String {
    let (status, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let mut reply = format!("{status}{}", request.id);
    for (number, line) in lines(text).enumerate() {
        match number {
            0 => reply.extend([" ", line.trim_start()]),
            _ => reply.extend(["\n", &line]),
        }
    }
    reply.push_str("\n\n");
    reply
}

/// The end of an answer whose status has been written on a line of its own: the lines and the empty line. A failure
/// after the status cannot be told any more.
pub fn rest(result: &Result<String, String>) -> String {
    let mut rest = String::new();
    for line in result.iter().flat_map(|text| lines(text)) {
        rest.push_str(&line);
        rest.push('\n');
    }
    rest.push('\n');
    rest
}

/// The lines of a text that are not empty, as an answer may hold them. A record or the name of a file may have control
/// characters, which would change the terminal of a reader: they are left out, and a tab becomes a blank (§2.3).
fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let clean = |line: &str| match line.contains(char::is_control) {
        false => None,
        true => Some(line.replace('\t', " ").replace(char::is_control, "").trim_end().to_owned()),
    };
    let lines = text.lines().map(str::trim_end).map(move |line| clean(line).map_or(Cow::Borrowed(line), Cow::Owned));
    lines.filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_too_many_words_is_not_whole() {
        let line = |words: usize| format!("5 play{}", " b".repeat(words));
        let call = parse(line(MOST_WORDS).as_bytes()).expect("a command");
        assert!(call.is_whole && call.arguments.len() == MOST_WORDS);
        let call = parse(line(MOST_WORDS + 1).as_bytes()).expect("a command");
        assert!(!call.is_whole && call.arguments.len() == MOST_WORDS);
        assert!(calls(b" 7\tquit now", "quit") && !calls(b"# quit", "quit") && !calls(b"quitter", "quit"));
    }

    #[test]
    fn no_text_can_break_the_form_of_an_answer() {
        let call = parse(b"7 printsgf").expect("a command");
        let text = "a\tb\u{1b}[2J\u{7}\r\n\r\n\u{b}\n\u{85} \nend\u{7f}\n".to_owned();
        assert_eq!(reply(&call, &Ok(text.clone())), "=7 a b[2J\nend\n\n");
        assert_eq!(reply(&call, &Err(text.clone())), "?7 a b[2J\nend\n\n");
        assert_eq!(rest(&Ok(text)), "a b[2J\nend\n\n");
        assert_eq!(reply(&call, &Ok("\u{1}".into())), "=7\n\n");
        // The name of a file that is not there may begin with a blank behind a control character.
        assert_eq!(reply(&call, &Err("\u{85} 2: no such file\n  more".into())), "?7 2: no such file\n  more\n\n");
    }
}
