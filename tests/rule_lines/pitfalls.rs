//! Points on which engines go wrong.

use kosumi::game::Game;
use kosumi::go::rules::{AGA, CHINESE, FRIDGE_GO, GAMING_ZONE, JAPANESE, KoRule, NEW_ZEALAND, PRESETS, TROMP_TAYLOR};
use kosumi::go::{IllegalMove, Outcome, Ruleset, Score, Statuses, handicap, score};

use super::new_zealand::DISPUTED;
use super::nine_by_nine::setup_commands;
use super::{SIMPLE, gtp, position};
use crate::support::positions::{SENDING_TWO, TRIPLE_KO, board, play, play_all};

#[test]
fn pitfall_sending_two_returning_one_is_legal_but_under_positional_superko() {
    for (rules, allowed) in [
        (JAPANESE, true),
        (GAMING_ZONE, true),
        (SIMPLE, true),
        (AGA, true),
        (NEW_ZEALAND, true),
        (CHINESE, false),
        (TROMP_TAYLOR, false),
        (FRIDGE_GO, false),
    ] {
        let mut position = position(SENDING_TWO, rules);
        play_all(&mut position, "C1 A1");
        assert_eq!(play(&mut position, "B1").is_ok(), allowed, "{}", rules.name());
        assert!(!position.is_over());
    }
}

#[test]
fn pitfall_a_triple_ko_ends_or_is_forbidden() {
    for &(names, rules) in PRESETS {
        let mut position = position(TRIPLE_KO, Ruleset { first_capture: false, ..rules });
        play_all(&mut position, "C8 B5 C2 B8 C5");
        let answer = play(&mut position, "B2");
        match rules.ko {
            KoRule::Simple => assert!(answer.is_ok() && position.is_over(), "{names:?}"),
            _ => assert_eq!(answer, Err(IllegalMove::Superko), "{names:?}"),
        }
    }
}

#[test]
fn pitfall_values_follow_komi_at_once_and_a_whole_komi_can_draw() {
    let lines = "boardsize 5\nplay b C1\nplay w D1\nplay b C2\nplay w D2\nplay b C3\nplay w D3\nplay b C4\nplay w D4\n\
                 play b C5\nplay w D5\nkomi 5\nfinal_score\nkomi 4.5\nfinal_score\nkomi 5.5\nfinal_score";
    let replies = gtp(&[], lines);
    assert_eq!([&replies[12], &replies[14], &replies[16]], ["= 0", "= B+0.5", "= W+0.5"]);
}

/// C1 is neutral; once White has played there, C2 is in atari and Black has to connect at B2.
const TEIRE: &str = "
    . X O . .
    X X O . .
    . X O . .
    X . X O .
    . X . O .";

#[test]
fn pitfall_false_eyes_and_points_between_both_sides_do_not_count() {
    let counted = |picture, rules| score::count(&position(picture, rules), &Statuses::ALL_ALIVE);
    // Black surrounds A5, A3, A1 and B2, White eight points.
    assert_eq!(counted(TEIRE, JAPANESE), Score::points(3 - 8));
    assert_eq!(counted(TEIRE, CHINESE), Score::points((7 + 4) - (5 + 8)));
    // With C2 connected above, B2 is an eye like the others.
    let connected = TEIRE.replace(". X O . .\n    X . X O", ". X X O .\n    X . X O");
    assert_eq!(counted(&connected, JAPANESE), Score::points(4 - 7));
}

#[test]
fn pitfall_tromp_taylor_takes_no_stone_off() {
    let lines = setup_commands(&board(DISPUTED))
        + "play b pass\nplay w pass\nfinal_status_list dead\nfinal_score\nkosumi-rules chinese\n\
                 final_status_list dead\nfinal_score";
    let replies = gtp(&["--rules", "tromp-taylor", "--size", "5", "--komi", "0"], &lines);
    let from_the_end = |i: usize| replies[replies.len() - i].as_str();
    // Everything below but its stones is nobody's as long as White's two stand.
    assert_eq!((from_the_end(5), from_the_end(4)), ("=", "= W+5"));
    assert_eq!((from_the_end(2), from_the_end(1)), ("= C1\nB2", "= B+5"));
}

#[test]
fn pitfall_handicap_stones_are_compensated_as_each_rule_set_says() {
    for (name, expected) in [
        ("chinese", "W+10.5"),
        ("aga", "W+2.5"),
        ("new-zealand", "0"),
        ("tromp-taylor", "W+7.5"),
        ("japanese", "W+0.5"),
    ] {
        let rules = Ruleset::by_name(name).expect("a preset");
        let mut game = Game::new(19, rules, None);
        game.place_handicap(&handicap::fixed(19, 3).expect("fixed points")).expect("an empty board");
        let board = Score(0);
        let outcome = Outcome::Counted { board, komi: game.total_komi() };
        assert_eq!(outcome.to_string(), expected, "{name}");
    }
}

#[test]
fn pitfall_play_goes_on_after_two_passes() {
    let lines = "play b pass\nplay w pass\nplay b C3\nplay w pass\nplay b pass\ngenmove w\nplay b A1";
    let replies = gtp(&["--size", "5"], lines);
    assert!(replies.iter().all(|reply| reply.starts_with('=')), "{replies:?}");
}

#[test]
fn pitfall_rules_are_set_in_every_form_that_katago_takes() {
    let lines = "kata-set-rules new-zealand\nkosumi-rules\nkata-get-rules\n\
                 kata-set-rules {\"ko\":\"SIMPLE\",\"scoring\":\"TERRITORY\",\"tax\":\"SEKI\",\"suicide\":false}\nkata-get-rules\n\
                 kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1whbN-1\nkata-get-rules\n\
                 kata-set-rule suicide false\nkata-get-rules\nkgs-rules japanese\nkosumi-rules\n\
                 kata-set-rule hasButton true\nkata-set-rules go\nkosumi-rules\nkgs-rules new_zealand\nkosumi-rules";
    let replies = gtp(&[], lines);
    assert_eq!(replies[1], "= new-zealand");
    assert!(replies[2].contains("\"ko\":\"SITUATIONAL\"") && replies[2].contains("\"suicide\":true"));
    assert!(replies[4].contains("\"scoring\":\"TERRITORY\"") && replies[4].contains("\"tax\":\"SEKI\""));
    assert!(replies[6].contains("\"whiteHandicapBonus\":\"N-1\"") && replies[6].contains("\"suicide\":true"));
    assert!(replies[8].contains("\"suicide\":false"));
    assert_eq!(replies[10], "= japanese");
    assert_eq!(replies[11], "? a button needs area scoring");
    assert_eq!((replies[12].as_str(), replies[13].as_str()), ("? unknown rules", "= japanese"));
    assert_eq!(replies[15], "= new-zealand");
}
