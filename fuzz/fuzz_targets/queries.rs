//! The JSON engine: any lines get lines of JSON, and the engine ends with its input.

#![no_main]

use kosumi::analysis::{self, AnalysisOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut options = AnalysisOptions::default();
    options.engine.search.memory = 1;
    // Searches end with the input, however many visits they ask for.
    options.quit_without_waiting = true;
    let mut output = Vec::new();
    analysis::run(&options, bytes, &mut output, || {}).expect("it starts and reads");
    let text = String::from_utf8(output).expect("answers are UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'));
    for line in text.lines() {
        assert!(line.starts_with('{') && line.ends_with('}') && !line.contains(|c: char| c < ' '), "{line:?}");
    }
});
