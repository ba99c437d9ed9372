//! How an engine is told the rules of a match: by name if the engine knows the same rules under this name, otherwise by
//! their parts.

use crate::go::Ruleset;
use crate::go::rule_keys;
use crate::go::rules::{KoRule, LongCycle};

/// Our names that stand for the same rules in KataGo (its document *GTP Extensions*; `Rules::parseRules`). `chinese` is
/// none of these names: KataGo's `chinese` has simple ko.
const SAME_IN_KATAGO: [&str; 6] = ["japanese", "new-zealand", "aga", "aga-button", "tromp-taylor", "stone-scoring"];

/// The text of `Ruleset::name` for rules without a name.
const NAMELESS: &str = "custom";

/// The command that tells an engine these rules, and in words what the command cannot say. `None` if the engine knows
/// no such command.
pub fn rules_command(rules: &Ruleset, knows: impl Fn(&str) -> bool) -> Option<(String, Option<&'static str>)> {
    let (name, ours) = (rules.name(), knows("kosumi-rules"));
    if ours && name != NAMELESS {
        Some((format!("kosumi-rules {name}"), None))
    } else if !knows("kata-set-rules") {
        None
    } else if ours {
        // Kosumi reads its own keys, too.
        Some((format!("kata-set-rules {}", rule_keys::write(rules)), None))
    } else if SAME_IN_KATAGO.contains(&name) {
        Some((format!("kata-set-rules {name}"), None))
    } else {
        Some((format!("kata-set-rules {}", rule_keys::katago(rules)), beyond_katago(rules)))
    }
}

/// The part of these rules for which KataGo has no key. A new part of a rule set does not compile before it stands
/// here.
fn beyond_katago(rules: &Ruleset) -> Option<&'static str> {
    let Ruleset {
        ko,
        long_cycle,
        supply,
        first_capture,
        // KataGo has keys for these.
        suicide: _,
        scoring: _,
        tax: _,
        handicap_bonus: _,
        button: _,
        dead_stones: _,
        // The command `komi` tells this part.
        komi: _,
    } = *rules;
    if first_capture {
        Some("that the first capture wins")
    } else if supply.is_some() {
        Some("how many stones a side has")
    } else if ko == KoRule::Simple && long_cycle == LongCycle::Draw {
        Some("that a cycle is a draw")
    } else {
        None
    }
}
