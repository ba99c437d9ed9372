//! The settings to which the files of a folder belong, as JSON. Work that goes on there needs the same settings.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What differs between the settings of a folder, `old`, and those of now: a clause for each setting. `missing` is said
/// of a setting that one side lacks, or has as null.
pub(crate) fn differences(old: &Map<String, Value>, new: &Map<String, Value>, missing: &str) -> Vec<String> {
    let value = |map: &Map<String, Value>, key: &str| map.get(key).filter(|value| !value.is_null()).cloned();
    let text = |value: Option<Value>| value.map_or(missing.into(), |value| value.to_string());
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let both = keys.into_iter().map(|key| (key, value(old, key), value(new, key)));
    let different = both.filter(|(_, old, new)| old != new);
    different.map(|(key, old, new)| format!("{key} was {}, now it is {}", text(old), text(new))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_on_either_side_are_compared() {
        let map = |value: Value| value.as_object().cloned().expect("an object");
        let old = map(json!({ "size": 9, "komi": 7.5, "seed": 1 }));
        let new = map(json!({ "size": 9, "komi": 6.5, "rules": "aga" }));
        assert_eq!(
            differences(&old, &new, "none"),
            ["komi was 7.5, now it is 6.5", "rules was none, now it is \"aga\"", "seed was 1, now it is none"]
        );
        assert!(differences(&old, &old, "none").is_empty());
        assert!(differences(&map(json!({ "referee": null })), &Map::new(), "none").is_empty());
    }
}
