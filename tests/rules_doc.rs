//! Holds `docs/rules.md` to what the program does: its table of parts, the results of its example under every rule set,
//! and the tests that it names for each line of the source documents.

use kosumi::game::Game;
use kosumi::go::rules::{DeadStones, DefaultKomi, HandicapBonus, KoRule, LongCycle, PRESETS, Scoring, Tax};
use kosumi::go::{Color, Komi, Move, Ruleset, Statuses, diagram};

use crate::vertex::{point, points};

const DOC: &str = include_str!("../docs/rules.md");
/// The tests of the documents' lines, by file.
const LINES: [(&str, &str); 5] = [
    ("nine_by_nine", include_str!("rule_lines/nine_by_nine.rs")),
    ("new_zealand", include_str!("rule_lines/new_zealand.rs")),
    ("fridge_go", include_str!("rule_lines/fridge_go.rs")),
    ("gaming_zone", include_str!("rule_lines/gaming_zone.rs")),
    ("pitfall", include_str!("rule_lines/pitfalls.rs")),
];

/// The row of a rule set in the table of parts.
fn parts(names: &[&str], rules: &Ruleset) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let ko = match rules.ko {
        KoRule::Simple => "simple",
        KoRule::Positional => "positional",
        KoRule::Situational => "situational",
    };
    let counting = match rules.scoring {
        Scoring::Area => "area",
        Scoring::Territory => "territory",
    };
    let tax = match rules.tax {
        Tax::None => "none",
        Tax::Seki => "seki",
        Tax::All => "all",
    };
    let dead = match rules.dead_stones {
        DeadStones::Removed => "taken off",
        DeadStones::Stand => "stand",
    };
    let bonus = match rules.handicap_bonus {
        HandicapBonus::None => "0",
        HandicapBonus::AllButOne => "N−1",
        HandicapBonus::All => "N",
    };
    let DefaultKomi { nine, other, handicap } = rules.komi;
    let handicap = handicap.map_or("the same".to_owned(), |half| Komi::from_half_points(half).to_string());
    let mut more = Vec::new();
    if rules.ko == KoRule::Simple {
        more.push(match rules.long_cycle {
            LongCycle::NoResult => "a cycle has no result",
            LongCycle::Draw => "a cycle is a draw",
        });
    }
    if rules.button {
        more.push("button");
    }
    if rules.supply == Some(40) {
        more.push("40 stones a side");
    }
    if rules.first_capture {
        more.push("the first capture wins");
    }
    format!(
        "| {} | {ko} | {} | {counting} | {tax} | {dead} | {bonus} | {} / {} / {handicap} | {} |",
        names.join(", "),
        if rules.suicide { "yes" } else { "no" },
        Komi::from_half_points(nine),
        Komi::from_half_points(other),
        more.join("; ")
    )
    .replace("|  |", "| |")
}

fn assert_rows(rows: Vec<String>) {
    let missing: Vec<String> = rows.into_iter().filter(|row| !DOC.contains(row)).collect();
    assert!(missing.is_empty(), "docs/rules.md lacks these rows:\n{}", missing.join("\n"));
}

#[test]
fn the_table_of_parts_is_what_the_rule_sets_are() {
    assert_rows(PRESETS.iter().map(|(names, rules)| parts(names, rules)).collect());
}

/// The first picture of the document.
fn picture() -> &'static str {
    let from = DOC.find("```text\n").expect("there is a picture") + "```text\n".len();
    let end = DOC[from..].find("```").expect("the picture ends");
    &DOC[from..from + end]
}

#[test]
fn the_example_scores_as_the_document_says() {
    let board = diagram::parse(picture()).expect("the picture is a board");
    let mut rows = Vec::new();
    for (names, rules) in PRESETS {
        let mut game = Game::new(9, *rules, None);
        let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
        game.set_up(stones, Color::Black).expect("the picture is a position");
        for (color, mv) in [
            (Color::Black, Move::Play(point("H9", 9))),
            (Color::White, Move::Pass),
            (Color::Black, Move::Pass),
            (Color::White, Move::Pass),
        ] {
            game.play(color, mv).expect("a legal move");
        }
        let board = game.position().board();
        let statuses =
            Statuses { dead: points("B5", board), seki: points("A2 B2 C2 D2 E2 B1 C1 D1 F2 G2 H2 J2 F1 G1 H1", board) };
        rows.push(format!("| `{}` | {} | {} |", names[0], game.total_komi(), game.outcome(&statuses)));
    }
    assert_rows(rows);
}

#[test]
fn each_test_of_a_line_is_named_and_each_named_test_exists() {
    let mut tests = Vec::new();
    for (file, text) in LINES {
        for text in text.split("#[test]\nfn ").skip(1) {
            let name = text.split('(').next().expect("a function has a name");
            assert!(name.starts_with(file), "{name} stands in the file of {file}");
            tests.push(name);
        }
    }
    assert!(tests.len() > 40);
    for test in &tests {
        assert!(DOC.contains(&format!("`{test}`")), "docs/rules.md does not name {test}");
    }
    for prefix in ["nine_by_nine_", "new_zealand_", "fridge_go_", "gaming_zone_", "pitfall_"] {
        for (start, _) in DOC.match_indices(&format!("`{prefix}")) {
            let named = DOC[start + 1..].split('`').next().expect("the name ends");
            assert!(tests.contains(&named), "docs/rules.md names {named}, which is no test");
        }
    }
}
