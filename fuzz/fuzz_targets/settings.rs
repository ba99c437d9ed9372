//! Settings: lines of a configuration, KataGo's configuration, tunables and values.

#![no_main]

use kosumi::analysis::settings;
use kosumi::search::params::Tunables;
use libfuzzer_sys::fuzz_target;

#[path = "../../src/cli/file.rs"]
#[allow(dead_code)]
mod file;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(lines) = file::parse(text) {
        for line in lines {
            assert!(line.number >= 1 && line.number <= 1 + text.matches('\n').count());
            // A value that is written as the program writes it is read as the same value.
            if let Some(value) = line.value.as_ref().and_then(|value| value.to_str()) {
                let written = format!("x = {}", file::write_value(value));
                let again = file::parse(&written).unwrap_or_else(|_| panic!("{written:?}"));
                assert_eq!(again[0].value.as_deref(), Some(value.as_ref()), "{written:?}");
            }
        }
    }
    let mut settings = settings::Settings::default();
    for (name, value) in settings::lines(text).chain(settings::list(text)) {
        let _ = settings.set(name, value);
        let _ = Tunables::default().set(name, value);
    }
    let _ = text.parse::<kosumi::engine::Level>();
    if let Ok(komi) = text.parse::<kosumi::go::Komi>() {
        assert_eq!(komi.to_string().parse(), Ok(komi));
    }
});
