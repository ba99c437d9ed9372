//! A record: it is read or refused. A record that is read is written and read again as it was, and so is its game.

#![no_main]

use kosumi::game::Game;
use kosumi::go::Ruleset;
use kosumi::sgf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = sgf::read(bytes) else { return };
    let text = sgf::write(&record);
    let again = sgf::read(text.as_bytes()).expect("what was written can be read");
    assert_eq!(again, record, "{text:?}");
    let Ok(game) = Game::load(record, None, Ruleset::default(), None) else { return };
    let text = sgf::write(&game.to_record(None));
    let saved = sgf::read(text.as_bytes()).expect("what was written can be read");
    let reloaded = Game::load(saved, None, Ruleset::default(), None).expect("what was loaded can be loaded");
    assert_eq!(game.moves(), reloaded.moves(), "{text:?}");
    assert_eq!(game.position().board().hash(), reloaded.position().board().hash(), "{text:?}");
    assert_eq!(game.komi(), reloaded.komi(), "{text:?}");
    assert_eq!(game.rules(), reloaded.rules(), "{text:?}");
    game.position().board().check();
});
