//! Lines to requests, answers to text (GTP draft 2, §2). It knows no Go.

/// A line that asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The number before the command, as it was written; empty if there was none.
    pub id: String,
    /// The command; empty if the line was a number alone.
    pub name: String,
    /// The words after it.
    pub arguments: Vec<String>,
}

/// The line that GoGui sends to end a running command. As a comment it gets no answer.
pub const INTERRUPT: &[u8] = b"# interrupt";

/// Reads a line. `None` if nothing is asked: blank lines and comments get no answer.
///
/// Carriage returns and other control characters are dropped, tabs become blanks, `#` begins a comment (§2.2).
pub fn parse(line: &[u8]) -> Option<Call> {
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
    Some(Call { id: id.into(), name: name.into(), arguments: words.map(String::from).collect() })
}

/// An answer in the protocol's form: status, number, one blank, text, one empty line (§2.6). Lines of the text that
/// are empty would end the answer early, so they are left out.
pub fn reply(request: &Call, result: &Result<String, String>) -> String {
    let (status, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let mut reply = format!("{status}{}", request.id);
    let mut separator = " ";
    for line in lines(text) {
        reply.push_str(separator);
        reply.push_str(line);
        separator = "\n";
    }
    reply.push_str("\n\n");
    reply
}

/// The end of an answer whose status has been written on a line of its own: lines, and the empty one. A failure that
/// comes so late cannot be told any more.
pub fn rest(result: &Result<String, String>) -> String {
    let mut rest = String::new();
    for line in result.iter().flat_map(|text| lines(text)) {
        rest.push_str(line);
        rest.push('\n');
    }
    rest.push('\n');
    rest
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty())
}
