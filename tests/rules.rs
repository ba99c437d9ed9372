//! Proves the rules case by case on diagrams: captures, ko and superko, suicide, supply, first capture, button,
//! undo, handicap, komi. (That random games keep to them everywhere is the oracle's part.)

mod capture;
mod diagrams;
mod endings;
mod games;
mod ko;

use kosumi::go::Ruleset;
use kosumi::go::rules::{CHINESE, KoRule};

const SIMPLE: Ruleset = Ruleset { ko: KoRule::Simple, ..CHINESE };
const SITUATIONAL: Ruleset = Ruleset { ko: KoRule::Situational, ..CHINESE };
const POSITIONAL: Ruleset = CHINESE;
const KO_RULES: [Ruleset; 3] = [SIMPLE, SITUATIONAL, POSITIONAL];
