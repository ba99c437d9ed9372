//! Self-play: the same games with any number of threads, folders that are gone on with, results under every rule set.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use kosumi::dataset::Ending;
use kosumi::dataset::row::{HEAD, Rows};
use kosumi::game::Game;
use kosumi::go::{Komi, Ruleset, rules};
use kosumi::net::Nets;
use kosumi::search::params::Tunables;
use kosumi::selfplay::{self, Settings, Variety};
use kosumi::sgf;

/// Quick games on a small board.
fn settings(folder: &Path) -> Settings {
    Settings {
        folder: folder.into(),
        games: 6,
        file_games: 2,
        sizes: vec![5],
        threads: 1,
        memory: 8,
        seed: 7,
        rules: vec![rules::CHINESE, rules::JAPANESE],
        komi: Komi::from_half_points(14),
        variety: Variety::default(),
        nets: Nets::none(),
        tunables: Tunables::default(),
        playouts: 60,
        quick_playouts: 20,
        full_share: 0.5,
        gumbel_moves: 0,
        aside_visits: 0,
        entries: None,
        owner_playouts: 16,
        quiet: true,
    }
}

/// The files of rows and games, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let named = entries.map(|entry| entry.expect("an entry").path());
    let wanted = named.filter(|path| path.extension().is_some_and(|end| end == "rows" || end == "sgf"));
    wanted
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).expect("a file")))
        .collect()
}

/// The games of all files, in their order.
fn games(folder: &Path) -> Vec<Game> {
    let files = files(folder);
    let texts = files.iter().filter(|(name, _)| name.ends_with(".sgf")).map(|(_, bytes)| bytes);
    let mut games = Vec::new();
    for text in texts {
        for game in String::from_utf8_lossy(text).split_inclusive("\n)\n") {
            let record = sgf::read(game.as_bytes()).expect("a record");
            games.push(Game::load(record, None, Ruleset::default(), None).expect("a game"));
        }
    }
    games
}

fn rows(folder: &Path) -> usize {
    let files = files(folder);
    let rows = files.iter().filter(|(name, _)| name.ends_with(".rows"));
    rows.map(|(_, bytes)| Rows::open(bytes).expect("rows").planes().count()).sum()
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let [one, two] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    selfplay::run(&settings(one.path())).expect("games");
    selfplay::run(&Settings { threads: 2, ..settings(two.path()) }).expect("games");
    let files = files(one.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let numbers = ["00000000-00000001", "00000002-00000003", "00000004-00000005"];
    let wanted: Vec<String> =
        numbers.iter().flat_map(|n| [".rows", ".sgf"].map(|end| format!("{n}-5x5{end}"))).collect();
    assert_eq!(names, wanted);
    assert!(files == self::files(two.path()), "the files differ");
    // Another seed gives other games.
    let other = tempfile::tempdir().unwrap();
    selfplay::run(&Settings { seed: 8, ..settings(other.path()) }).expect("games");
    assert!(files != self::files(other.path()), "the seed changes nothing");
}

#[test]
fn a_folder_is_gone_on_with_after_its_last_whole_file() {
    let [whole, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    selfplay::run(&settings(whole.path())).expect("games");
    selfplay::run(&Settings { games: 4, ..settings(stopped.path()) }).expect("games");
    // A process that is killed leaves these.
    fs::write(stopped.path().join("00000004-5x5.part"), "cut off").unwrap();
    fs::write(stopped.path().join("00000004-5x5.sgf.part"), "(;GM[1").unwrap();
    let tally = selfplay::run(&settings(stopped.path())).expect("games");
    assert_eq!(tally.all(), 2);
    assert!(files(whole.path()) == files(stopped.path()), "the files differ");
    assert!(!stopped.path().join("00000004-5x5.part").exists());
    // All games are there, so nothing is played.
    assert_eq!(selfplay::run(&settings(stopped.path())).expect("nothing to do").all(), 0);
    // A file that was cut short by the number of games stays, and the next one begins after it.
    let short = tempfile::tempdir().unwrap();
    for games in [3, 6] {
        selfplay::run(&Settings { games, ..settings(short.path()) }).expect("games");
    }
    let firsts: Vec<String> = files(short.path()).keys().step_by(2).map(|name| name[..17].to_owned()).collect();
    assert_eq!(firsts, ["00000000-00000001", "00000002-00000002", "00000003-00000003", "00000004-00000005"]);
    assert_eq!(rows(short.path()), rows(whole.path()));
}

#[test]
fn a_folder_holds_games_of_one_kind_from_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { games: 2, playouts: 4, quick_playouts: 4, ..settings(folder.path()) };
    selfplay::run(&settings).expect("games");
    let error = selfplay::run(&Settings { playouts: 5, ..settings.clone() }).expect_err("other settings");
    assert!(error.contains("playouts was 4, now it is 5"), "{error}");
    let error = selfplay::run(&Settings { gumbel_moves: 3, ..settings.clone() }).expect_err("other settings");
    assert!(error.contains("gumbel_moves was the default, now it is 3"), "{error}");
    let gumbel = Settings { folder: tempfile::tempdir().unwrap().keep(), gumbel_moves: 3, ..settings.clone() };
    selfplay::run(&gumbel).expect("games");
    let error = selfplay::run(&Settings { gumbel_moves: 0, ..gumbel.clone() }).expect_err("other settings");
    assert!(error.contains("gumbel_moves was 3, now it is the default"), "{error}");
    std::fs::remove_dir_all(&gumbel.folder).unwrap();
    let held = File::open(folder.path().join("selfplay.json")).unwrap();
    held.lock().unwrap();
    let error = selfplay::run(&settings).expect_err("a second process");
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn games_end_with_a_result_under_every_rule_set() {
    for name in Ruleset::names() {
        let rules = Ruleset::by_name(name).expect("a rule set");
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { games: 4, file_games: 4, rules: vec![rules], ..settings(folder.path()) };
        let tally = selfplay::run(&settings).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((tally.games, tally.dropped), (4, 0), "{name}");
        assert!(tally.rows > 0, "{name}");
        for game in games(folder.path()) {
            let result = game.recorded_result().map(Ending::of_record);
            let is_counted = matches!(result, Some(Ending::Counted(_)));
            let is_decided = matches!(result, Some(Ending::Decided(Some(_))));
            assert!(if rules.first_capture { is_decided || is_counted } else { is_counted }, "{name}: {result:?}");
            assert!(game.position().is_over(), "{name}: the game was not played to its end");
        }
    }
}

#[test]
fn only_full_searches_are_taught_as_long_as_a_game_is_open() {
    let run = |full_share| {
        let folder = tempfile::tempdir().unwrap();
        let tally = selfplay::run(&Settings { full_share, ..settings(folder.path()) }).expect("games");
        assert_eq!(tally.rows as usize, rows(folder.path()));
        tally
    };
    let all = run(1.0);
    let none = run(0.0);
    // The moves of openings are not taught. Of a decided game, one move in ten is.
    assert!(all.rows > all.moves / 2, "{all:?}");
    assert!(none.rows < none.moves / 5, "{none:?}");
}

#[test]
fn positions_beside_the_game_are_taught_without_a_result() {
    let run = |aside_visits| {
        let folder = tempfile::tempdir().unwrap();
        let tally = selfplay::run(&Settings { aside_visits, ..settings(folder.path()) }).expect("games");
        (files(folder.path()), tally)
    };
    let ((usual, few), (with_asides, many)) = (run(0), run(10));
    assert_eq!((few.games, few.moves, few.playouts), (many.games, many.moves, many.playouts), "the games differ");
    assert!(many.rows > few.rows);
    let (mut known, mut unknown) = (0, 0);
    for (name, bytes) in with_asides {
        if name.ends_with(".sgf") {
            assert!(usual[&name] == bytes, "{name}: the games differ");
            continue;
        }
        let row_bytes = Rows::open(&bytes).expect("rows").form().row_bytes();
        for row in bytes[HEAD..].chunks_exact(row_bytes) {
            // The last two bytes: 3 for a result that is not known, and 0 for an outlook that is not known.
            match row[row_bytes - 2..] {
                [3, outlook] => {
                    assert!(outlook > 0, "{name}: nothing is known of a position");
                    unknown += 1;
                }
                _ => known += 1,
            }
        }
    }
    assert!(known >= few.rows && unknown > 0, "{known} {unknown}");
    assert_eq!(known + unknown, many.rows);
}

#[test]
fn quick_searches_that_know_much_teach_as_well() {
    let rows = |aside_visits| {
        let folder = tempfile::tempdir().unwrap();
        let settings =
            Settings { aside_visits, playouts: 400, quick_playouts: 400, full_share: 0.0, ..settings(folder.path()) };
        let tally = selfplay::run(&settings).expect("games");
        (tally.rows, tally.moves)
    };
    // Hardly a position beside the game has so many visits, and each position of a game has them.
    let ((few, _), (none, _), (many, moves)) = (rows(0), rows(100_000), rows(390));
    assert_eq!(few, none, "no quick search knows so much");
    assert!(many > few + moves / 4, "{few} {many} of {moves}");
}

#[test]
fn gumbels_method_keeps_to_its_playouts_and_gives_the_same_games_in_two_threads() {
    let playouts_a_move = |gumbel_moves| {
        let folder = tempfile::tempdir().unwrap();
        let settings =
            Settings { gumbel_moves, full_share: 1.0, playouts: 8, quick_playouts: 8, ..settings(folder.path()) };
        let tally = selfplay::run(&settings).expect("games");
        assert_eq!((tally.games, tally.dropped), (6, 0));
        let again = tempfile::tempdir().unwrap();
        selfplay::run(&Settings { folder: again.path().into(), threads: 2, ..settings }).expect("games");
        assert_eq!(files(folder.path()), files(again.path()));
        tally.playouts as f64 / tally.moves as f64
    };
    let [usual, gumbel] = [0, 4].map(playouts_a_move);
    // Eight playouts a move and those that judge the end: the rounds of the method take no more than their share.
    assert!(gumbel < 1.5 * usual, "{gumbel} {usual}");
}

#[test]
fn komi_and_rules_vary() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { games: 40, file_games: 40, playouts: 2, quick_playouts: 2, ..settings(folder.path()) };
    selfplay::run(&settings).expect("games");
    let games = games(folder.path());
    assert_eq!(games.len(), 40);
    let komis: Vec<f64> = games.iter().map(|game| game.komi().points()).collect();
    let mean = komis.iter().sum::<f64>() / komis.len() as f64;
    // Some are set to make an opening even, where 7 points are a lot on so small a board.
    assert!((4.0..9.0).contains(&mean), "{mean}");
    assert!(komis.iter().any(|komi| komi.fract() == 0.0) && komis.iter().any(|komi| komi.fract() != 0.0), "{komis:?}");
    let japanese = games.iter().filter(|game| *game.rules() == rules::JAPANESE).count();
    assert!((10..=30).contains(&japanese), "{japanese}");
}

#[test]
fn the_command_plays_sizes_in_turn_and_says_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let folder = folder.path().display().to_string();
        let common = ["selfplay", "--output", &folder, "--playouts", "4", "--quick-playouts", "2"];
        Command::new(env!("CARGO_BIN_EXE_kosumi")).args(common).args(arguments).output().expect("the program runs")
    };
    let played = run(&["--games", "4", "--file-games", "2", "--sizes", "3,4", "--threads", "2"]);
    let said = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success() && played.stdout.is_empty(), "{said}");
    assert!(said.contains("4/4") && said.contains("moves a game"), "{said}");
    let names: Vec<String> = files(folder.path()).into_keys().filter(|name| name.ends_with(".rows")).collect();
    assert_eq!(names, ["00000000-00000001-3x3.rows", "00000002-00000003-4x4.rows"]);
    let log = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 2);
    let refused = run(&["--games", "6", "--file-games", "2", "--sizes", "3"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sizes was [3,4], now it is [3]"));
    assert_eq!(run(&["--full-share", "2"]).status.code(), Some(2));
}
