//! SGF: every game that is written is read again as it was; and what the properties mean.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use kosumi::game::{CannotFollow, Game, LoadError};
use kosumi::go::rules::{
    CHINESE, DeadStones, DefaultKomi, FRIDGE_GO, HandicapBonus, ING, JAPANESE, KoRule, LongCycle, PRESETS, Scoring,
    TROMP_TAYLOR, Tax,
};
use kosumi::go::{Board, Color, IllegalMove, Komi, MAX_SIZE, MIN_SIZE, Move, Point, Ruleset, Size, diagram};
use kosumi::record::meaning::{ValueError, move_value};
use kosumi::record::rules;
use kosumi::sgf::{self, LONGEST, SgfError};

/// Why a text is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Text(#[from] SgfError),
    #[error(transparent)]
    Game(#[from] LoadError),
}

const SIZE: Refused = Refused::Game(LoadError::Value(ValueError::Size));
const POINT: Refused = Refused::Game(LoadError::Value(ValueError::Point));
const SETUP: Refused = Refused::Game(LoadError::Follow(CannotFollow::Setup));

fn load_with(text: &str, until: Option<usize>, rules: Ruleset, komi: Option<Komi>) -> Result<Game, Refused> {
    Ok(Game::load(sgf::read(text.as_bytes())?, until, rules, komi)?)
}

fn load(text: &str) -> Result<Game, Refused> {
    load_with(text, None, CHINESE, None)
}

fn save(game: &Game, result: Option<&str>) -> String {
    sgf::write(&game.to_record(result))
}

#[track_caller]
fn loaded(text: &str) -> Game {
    load(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn komi(points: f64) -> Komi {
    Komi::new(points).expect("a finite number")
}

/// The board as text.
fn stones(board: &Board) -> String {
    diagram::draw(board)
}

/// SGF text of a game's moves since its start.
fn moves(game: &Game) -> String {
    let value = |mv| move_value(mv, game.size());
    game.moves().iter().map(|&(color, mv)| format!("{}[{}]", color.letter(), value(mv))).collect::<Vec<_>>().join(";")
}

/// How a random game begins.
#[derive(Clone, Debug)]
enum Start {
    Empty,
    Handicap(Vec<Index>),
    SetUp(Vec<(bool, Index)>, bool),
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        2 => Just(Start::Empty),
        1 => vec(any::<Index>(), 2..9).prop_map(Start::Handicap),
        1 => (vec(any::<(bool, Index)>(), 1..20), any::<bool>()).prop_map(|(stones, black)| Start::SetUp(stones, black)),
    ]
}

fn any_komi() -> impl Strategy<Value = Option<Komi>> {
    prop_oneof![
        Just(None),
        (-800i32..800).prop_map(|half_points| Some(Komi::from_half_points(half_points))),
        Just(Some(komi(3.75))),
        Just(Some(komi(-0.001))),
        Just(Some(komi(1e6))),
        any::<f64>().prop_filter_map("a finite number", |points| Komi::new(points).ok().map(Some)),
    ]
}

fn point(index: &Index, size: usize) -> Point {
    let index = index.index(size * size);
    Point::new(index % size, index / size, size)
}

/// A game of random moves from a random start; what the rules forbid is left out.
fn random_game(size: usize, rules: Ruleset, komi: Option<Komi>, start: &Start, moves: &[(bool, u8, Index)]) -> Game {
    let mut game = Game::new(size, rules, komi);
    // A start that is no position is an empty board.
    let _ = match start {
        Start::Empty => Ok(()),
        Start::Handicap(points) => game.place_handicap(&points.iter().map(|p| point(p, size)).collect::<Vec<_>>()),
        Start::SetUp(stones, black) => {
            let color = |black: bool| if black { Color::Black } else { Color::White };
            let stones: Vec<_> = stones.iter().map(|(black, p)| (color(*black), point(p, size))).collect();
            game.set_up(stones, color(*black))
        }
    };
    for (other_side, kind, index) in moves {
        let turn = game.position().to_move();
        // Now and then a side moves twice, or passes.
        let color = if *other_side && kind % 4 == 0 { turn.other() } else { turn };
        let mv = if *kind < 10 { Move::Pass } else { Move::Play(point(index, size)) };
        let _ = game.play(color, mv);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_saved_is_loaded_as_it_was(
        size in MIN_SIZE..=MAX_SIZE,
        preset in 0..PRESETS.len(),
        komi in any_komi(),
        start in start(),
        random in vec(any::<(bool, u8, Index)>(), 0..300),
        until in any::<Index>(),
    ) {
        let game = random_game(size, PRESETS[preset].1, komi, &start, &random);
        let text = save(&game, None);
        // What the file says counts, not what was in force before.
        let other = if game.rules() == &CHINESE { TROMP_TAYLOR } else { CHINESE };
        let again = load_with(&text, None, other, Some(Komi::from_half_points(99)));
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        prop_assert_eq!(again.size(), size);
        prop_assert_eq!(again.rules(), game.rules());
        prop_assert_eq!(again.komi(), game.komi());
        prop_assert_eq!(again.total_komi(), game.total_komi());
        prop_assert_eq!(again.handicap(), game.handicap());
        prop_assert_eq!(again.moves(), game.moves());
        prop_assert_eq!(stones(again.start().board()), stones(game.start().board()));
        prop_assert_eq!(again.start().to_move(), game.start().to_move());
        prop_assert!(again.position().board() == game.position().board());
        prop_assert_eq!(again.position().to_move(), game.position().to_move());
        prop_assert_eq!(save(&again, None), text.clone(), "saved again, the same text");
        // The position before a move.
        let number = until.index(game.moves().len() + 2);
        let part = load_with(&text, Some(number), other, None).expect("the whole game could be loaded");
        let mut expected = game.clone();
        let later = expected.moves().len().saturating_sub(number.saturating_sub(1));
        expected.undo(later).expect("so many moves were played");
        prop_assert_eq!(part.moves(), expected.moves());
        prop_assert!(part.position().board() == expected.position().board());
    }

    /// No text makes the reader fail in another way than by an error.
    #[test]
    fn any_text_is_read_or_refused(text in "[();A-Z\\[\\]a-t:\\\\ \n0-9.]{0,200}") {
        let _ = load(&text);
        let _ = load(&format!("(;GM[1]SZ[9]{text})"));
    }

    /// A game cut off or changed in one place is another game, or none.
    #[test]
    fn damaged_games_are_read_or_refused(
        random in vec(any::<(bool, u8, Index)>(), 0..40),
        at in any::<Index>(),
        byte in 32u8..127,
    ) {
        let game = random_game(9, CHINESE, None, &Start::Empty, &random);
        let text = save(&game, Some("B+1.5"));
        let at = at.index(text.len());
        let _ = load(&text[..at]);
        let mut damaged = text.into_bytes();
        damaged[at] = byte;
        if let Ok(game) = load(&String::from_utf8_lossy(&damaged)) {
            game.position().board().check();
        }
    }
}

#[test]
fn the_form_is_that_of_the_standard() {
    let mut game = Game::new(9, CHINESE, Some(komi(6.5)));
    game.place_handicap(&[Point::new(2, 2, 9), Point::new(6, 6, 9)]).expect("an empty board");
    game.play(Color::White, Move::Play(Point::new(4, 4, 9))).expect("an empty point");
    game.play(Color::Black, Move::Pass).expect("a pass");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        save(&game, Some("W+R")),
        format!(
            "(;GM[1]FF[4]CA[UTF-8]AP[Kosumi:{version}]SZ[9]KM[6.5]RU[chinese]RE[W+R]HA[2]AB[cg][gc]PL[W]\n\
             ;W[ee]\n;B[]\n)"
        )
    );
    // Column letters from the left, row letters from the top.
    let mut game = Game::new(19, CHINESE, None);
    game.play(Color::Black, Move::Play(Point::new(15, 15, 19))).expect("an empty point");
    assert!(save(&game, None).ends_with(";B[pd]\n)"));
}

#[test]
fn set_up_stones_are_put_and_taken_away() {
    let game = loaded("(;SZ[5]AB[aa:cb]AW[ee][ed];AE[aa:ab]AW[ba])");
    let expected = diagram::parse(
        ". O X . .
         . X X . .
         . . . . .
         . . . . O
         . . . . O",
    );
    assert_eq!(stones(game.position().board()), stones(&expected.unwrap()));
    assert!(game.moves().is_empty());
    // In the middle of a game: moves are counted from there.
    let game = loaded("(;SZ[5];B[aa];W[bb];AB[cc];W[dd])");
    assert_eq!(moves(&game), "W[dd]");
    assert_eq!(game.start().board().stones(Color::Black), 2);
    assert_eq!(game.position().to_move(), Color::Black);
    // Who is to move: White after Black's stones alone, else as it was, else as the file says.
    for (text, to_move) in [
        ("(;SZ[5]AB[cc][dd])", Color::White),
        ("(;SZ[5]AB[cc][dd]PL[B])", Color::Black),
        ("(;SZ[5]AB[cc]AW[dd])", Color::Black),
        ("(;SZ[5]AW[dd])", Color::Black),
        ("(;SZ[5]AB[cc]AW[dd]PL[W])", Color::White),
        ("(;SZ[5];B[aa];PL[B])", Color::Black),
    ] {
        assert_eq!(loaded(text).position().to_move(), to_move, "{text}");
    }
    assert_eq!(load("(;SZ[2]AB[aa][ab][ba][bb])").err(), Some(SETUP));
    assert_eq!(load("(;SZ[5]AB[ff])").err(), Some(POINT));
}

#[test]
fn handicap_is_what_the_file_says_or_what_it_looks_like() {
    for (text, handicap) in [
        ("(;SZ[9]HA[2]AB[cg][gc])", 2),
        ("(;SZ[9]AB[cg][gc])", 2),
        ("(;SZ[9]AB[cg][gc]PL[B])", 0),
        ("(;SZ[9]AB[cg])", 0),
        ("(;SZ[9]AB[cg][gc]AW[ee])", 0),
        ("(;SZ[9]HA[2]AB[cg][gc]PL[W])", 2),
        // Who says whose turn it is sets a position up.
        ("(;SZ[9]AB[cg][gc]PL[W])", 0),
        // Stones that Black plays first, as some servers write them.
        ("(;SZ[9]HA[2];B[cg];B[gc];W[ee])", 2),
        ("(;SZ[9];B[cg];W[ee])", 0),
        // More stones than points: nobody can mean that.
        ("(;SZ[9]HA[82]AB[cg][gc])", 2),
        ("(;SZ[9]HA[999999999999]AB[cg][gc])", 2),
        ("(;SZ[9]HA[99999999999999999999])", 0),
    ] {
        assert_eq!(loaded(text).handicap(), handicap, "{text}");
    }
}

#[test]
fn komi_and_rules_are_taken_from_the_file_or_kept() {
    let load = |text: &str| load_with(text, None, TROMP_TAYLOR, Some(komi(3.5))).expect(text);
    let game = load("(;SZ[9]KM[5.5]RU[Chinese])");
    assert_eq!((game.komi(), game.rules()), (komi(5.5), &CHINESE));
    let game = load("(;SZ[9])");
    assert_eq!((game.komi(), game.rules()), (komi(3.5), &TROMP_TAYLOR));
    let game = load("(;SZ[9]KM[-7]RU[Rules of the house])");
    assert_eq!((game.komi(), game.rules()), (komi(-7.0), &TROMP_TAYLOR));
    // Names of rule sets as the standard and servers have them.
    for name in ["chinese", "CHINESE", " Chinese ", "cn", "area", "GOE"] {
        let rules = rules::by_name(name).unwrap_or_else(|| panic!("{name} is not known"));
        assert_eq!(rules.scoring, CHINESE.scoring, "{name}");
    }
    assert_eq!(rules::by_name("tromp-taylor"), Some(TROMP_TAYLOR));
    assert_eq!(rules::by_name("GOE"), Some(ING));
    assert_eq!(rules::by_name("Rules of the house"), None);
}

#[test]
fn komi_and_rules_may_stand_behind_the_root() {
    let text = "(;GM[1]FF[4]SZ[9];KM[0.5]RU[Japanese]HA[2]AB[cc][gg];W[ee])";
    let game = loaded(text);
    assert_eq!((game.komi(), *game.rules()), (komi(0.5), JAPANESE));
    assert_eq!(save(&game, None).replace('\n', ""), text, "nothing is said twice");
    // What is changed is said where it stood.
    let mut game = loaded(text);
    game.set_komi(komi(6.5));
    assert_eq!(save(&game, None).replace('\n', ""), text.replace("0.5", "6.5"));
    // The first node that says it counts, and variations say nothing of the game.
    assert_eq!(loaded("(;SZ[9]KM[1.5];KM[2.5];B[aa](;W[bb])(;W[cc]KM[3.5]))").komi(), komi(1.5));
    assert_eq!(loaded("(;SZ[9];B[aa](;W[bb])(;W[cc]KM[3.5]))").komi(), loaded("(;SZ[9])").komi());
}

#[test]
fn a_record_can_name_its_rules_in_each_of_katagos_forms() {
    for rules in ["japanese", "koSIMPLEscoreTERRITORYtaxSEKIsui0", r#"{"ko":"SIMPLE","scoring":"TERRITORY"}"#] {
        let game = load_with(&format!("(;SZ[9]RU[{rules}])"), None, CHINESE, None).expect(rules);
        assert_eq!(game.rules().name(), "japanese", "{rules}");
    }
    // Parts that do not go together, and parts that nobody knows, are as an unknown name.
    for rules in [r#"{"scoring":"TERRITORY","hasButton":true}"#, r#"{"kos":1}"#, "{"] {
        let game = load_with(&format!("(;SZ[9]RU[{rules}])"), None, TROMP_TAYLOR, None).expect(rules);
        assert_eq!(game.rules(), &TROMP_TAYLOR, "{rules}");
    }
}

#[test]
fn passes_are_empty_or_tt_on_boards_up_to_19() {
    assert_eq!(moves(&loaded("(;SZ[9];B[];W[tt];B[aa])")), "B[];W[];B[aa]");
    assert_eq!(moves(&loaded("(;SZ[19];B[tt];W[ss])")), "B[];W[ss]");
    assert_eq!(moves(&loaded("(;SZ[20];B[tt];W[])")), "B[tt];W[]");
    assert_eq!(moves(&loaded("(;SZ[25];B[yy])")), "B[yy]");
    assert_eq!(load("(;SZ[9];B[jj])").err(), Some(POINT));
}

#[test]
fn the_game_is_the_first_line_of_the_first_tree() {
    let text = "(;SZ[9];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff]))(;SZ[13];B[mm])";
    assert_eq!(moves(&loaded(text)), "B[aa];W[bb];B[cc];W[dd]");
    let game = load_with(text, Some(3), CHINESE, None).expect("a game");
    assert_eq!(moves(&game), "B[aa];W[bb]");
    // What lies behind the position asked for is not looked at.
    assert!(load("(;SZ[9];B[aa];W[aa])").is_err());
    assert!(load_with("(;SZ[9];B[aa];W[aa])", Some(2), CHINESE, None).is_ok());
    assert!(load_with("(;SZ[9];B[aa];W[aa])", Some(3), CHINESE, None).is_err());
}

#[test]
fn records_with_repeated_positions_are_read_on() {
    // The 2×2 game in which the seventh move repeats the position after the first. Somewhere that was legal.
    let text = "(;SZ[2];B[ab];W[ba];B[aa];W[bb];B[ab];W[aa];B[ab];W[ba])";
    let game = loaded(text);
    assert_eq!(stones(game.position().board()), ". O\nX .\n");
    // An illegal move is an error all the same, with its number.
    let error = load("(;SZ[2];B[ab];W[ba];B[ab])").expect_err("an occupied point");
    let reason = IllegalMove::Occupied;
    assert_eq!(error, Refused::Game(LoadError::Follow(CannotFollow::Illegal { number: 3, reason })));
}

#[test]
fn sizes_and_lengths_have_limits() {
    for size in MIN_SIZE..=MAX_SIZE {
        assert_eq!(loaded(&format!("(;SZ[{size}])")).size(), size);
        assert_eq!(loaded(&format!("(;SZ[{size}:{size}])")).size(), size);
    }
    assert_eq!(loaded("(;GM[1])").size(), 19);
    assert_eq!(loaded("(;SZ[9:13])").size(), Size::new(9, 13).expect("a size"));
    for size in ["1", "26", "52", "9:", ":9", "9:1", "26:9", "9:13:9", "9x13"] {
        assert_eq!(load(&format!("(;SZ[{size}])")).err(), Some(SIZE), "{size}");
    }
    assert_eq!(load(&" ".repeat(LONGEST + 1)).err(), Some(Refused::Text(SgfError::TooLong)));
    // A long game and a deep nesting need no deep stack.
    let long = format!("(;SZ[9]{})", ";B[];W[]".repeat(100_000));
    assert_eq!(loaded(&long).moves().len(), 200_000);
    let nested = format!("{}{}", "(;B[]".repeat(100_000), ")".repeat(100_000));
    assert_eq!(loaded(&nested).moves().len(), 100_000);
}

/// Rule sets with these parts in every combination that goes together.
fn rule_sets() -> Vec<Ruleset> {
    let mut all = vec![CHINESE];
    let mut vary =
        |change: &dyn Fn(Ruleset) -> Vec<Ruleset>| all = all.iter().flat_map(|&rules| change(rules)).collect();
    vary(&|r| [KoRule::Simple, KoRule::Positional, KoRule::Situational].map(|ko| Ruleset { ko, ..r }).into());
    vary(&|r| [Scoring::Area, Scoring::Territory].map(|scoring| Ruleset { scoring, ..r }).into());
    vary(&|r| [Tax::None, Tax::Seki, Tax::All].map(|tax| Ruleset { tax, ..r }).into());
    vary(&|r| {
        let bonuses = [HandicapBonus::None, HandicapBonus::AllButOne, HandicapBonus::All];
        bonuses.map(|handicap_bonus| Ruleset { handicap_bonus, ..r }).into()
    });
    vary(&|r| [false, true].map(|suicide| Ruleset { suicide, ..r }).into());
    vary(&|r| [false, true].map(|button| Ruleset { button, ..r }).into());
    vary(&|r| [false, true].map(|first_capture| Ruleset { first_capture, ..r }).into());
    vary(&|r| [None, Some(40)].map(|supply| Ruleset { supply, ..r }).into());
    vary(&|r| [LongCycle::NoResult, LongCycle::Draw].map(|long_cycle| Ruleset { long_cycle, ..r }).into());
    vary(&|r| [DeadStones::Removed, DeadStones::Stand].map(|dead_stones| Ruleset { dead_stones, ..r }).into());
    vary(&|r| {
        let other = DefaultKomi { nine: -3, other: 0, handicap: Some(1) };
        [CHINESE.komi, JAPANESE.komi, other].map(|komi| Ruleset { komi, ..r }).into()
    });
    all.retain(|rules| rules.validate().is_ok());
    all
}

#[test]
fn every_rule_set_is_restored_exactly() {
    let all = rule_sets();
    assert!(all.len() > 1000);
    for rules in all {
        let text = save(&Game::new(5, rules, None), None);
        // Whatever is in force when the record is read.
        for fallback in [CHINESE, FRIDGE_GO] {
            let game = load_with(&text, None, fallback, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(*game.rules(), rules, "{text}");
        }
    }
}

#[test]
fn rule_sets_with_a_name_are_named() {
    for (names, rules) in PRESETS {
        assert!(save(&Game::new(5, *rules, None), None).contains(&format!("RU[{}]", names[0])));
    }
}

#[test]
fn what_is_no_rule_set_changes_none() {
    for text in [
        "koNONE",
        "ko",
        "komi",
        "komi1/2",
        "komi99999999999/0/0",
        "supply70000",
        "supply",
        "scoreTERRITORYbutton1",
        "é",
    ] {
        assert_eq!(*loaded(&format!("(;GM[1]FF[4]SZ[9]RU[{text}])")).rules(), CHINESE, "{text}");
    }
}

#[test]
fn all_games_of_a_text_are_read() {
    let text = "chatter\n(;SZ[9]C[a \\] ) (;];B[ee](;W[cc])(;W[dd]))\n(;SZ[9];B[ee]\n;W)\n(;SZ[7];B[aa])\n(;SZ[5]";
    let games = sgf::read_all(text.as_bytes()).expect("games");
    let sizes: Vec<Result<String, String>> = games
        .into_iter()
        .map(|game| game.map(|record| sgf::write(&record)).map_err(|error| error.to_string()))
        .collect();
    assert!(sizes[0].as_ref().is_ok_and(|text| text.contains("SZ[9]") && text.contains("W[dd]")), "{sizes:?}");
    assert_eq!(sizes[1], Err("line 4: a property has no value".into()));
    assert!(sizes[2].as_ref().is_ok_and(|text| text.contains("SZ[7]")), "{sizes:?}");
    assert_eq!(sizes[3], Err("line 6: the text ends before the game does".into()));
    assert_eq!(sizes.len(), 4);
    // The first of them is the one that is read alone.
    assert_eq!(sizes[0], Ok(sgf::write(&sgf::read(text.as_bytes()).expect("a record"))));
    assert_eq!(sgf::read_all(b"no game"), Err(sgf::SgfError::NoGame));
}
