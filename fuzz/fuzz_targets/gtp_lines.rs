//! A line of GTP: it becomes a call or nothing, and any answer to it is well formed.

#![no_main]

use kosumi::gtp::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let line: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != b'\n').collect();
    let Some(call) = protocol::parse(&line) else { return };
    assert!(!call.name.is_empty() || !call.id.is_empty());
    assert!(call.id.bytes().all(|byte| byte.is_ascii_digit()));
    for word in call.arguments.iter().chain([&call.name]) {
        assert!(!word.contains(|c: char| c.is_ascii_control() || c == ' '), "{word:?}");
    }
    // What an answer says may be anything, too: a comment of a record, or the name of a file.
    let text = String::from_utf8_lossy(bytes).into_owned();
    for result in [Ok(text.clone()), Err(text)] {
        let reply = protocol::reply(&call, &result);
        let status = if result.is_ok() { '=' } else { '?' };
        assert!(reply.starts_with(&format!("{status}{}", call.id)));
        let body = reply.strip_suffix("\n\n").expect("an empty line ends an answer");
        assert!(!body.contains("\n\n") && !body.ends_with('\n'), "{reply:?}");
        assert!(!reply.contains(|c: char| c.is_ascii_control() && c != '\n'), "{reply:?}");
    }
});
