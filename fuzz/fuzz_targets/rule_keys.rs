//! Rule sets as one word, and by name: what is read is written so that it is read as the same rule set.

#![no_main]

use kosumi::go::{Ruleset, rule_keys};
use kosumi::record::rules::{by_name, value_of};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = [rule_keys::read(text), Ruleset::by_name(text), by_name(text)];
    for rules in found.into_iter().flatten().filter(|rules| rules.validate().is_ok()) {
        assert_eq!(
            rule_keys::read(&rule_keys::write(&rules)).map(|read| rule_keys::write(&read)),
            Some(rule_keys::write(&rules))
        );
        let value = value_of(&rules);
        assert!(by_name(&value).or_else(|| rule_keys::read(&value)).is_some(), "{value}");
        let _ = rule_keys::katago(&rules);
    }
});
