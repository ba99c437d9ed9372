//! The openings of `kosumi match`: lists of moves, records and random moves, each played with both colours.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use kosumi::matches::record::Side;
use kosumi::matches::{OpeningSource, Settings};
use kosumi::sgf;

use crate::support::match_bench::{Bench, run};

#[test]
fn openings_are_played_with_both_colours() {
    let bench = Bench::new();
    let path = bench.path("openings.txt");
    fs::write(&path, "# two openings\nC3 B2 D4\n\nplay B B2, play W D4 # with words\n").unwrap();
    let openings = OpeningSource::Path { path: path.clone(), moves: None };
    let settings = Settings { openings, ..bench.settings(bench.passer(), bench.passer(), 6) };
    run(&settings).unwrap();
    let moves: Vec<String> = bench.rows().into_iter().map(|row| row.moves).collect();
    let (first, second) = ("C3 B2 D4 pass pass", "B2 D4 pass pass");
    assert_eq!(moves, [first, first, second, second, first, first]);
    assert_eq!(bench.rows()[2].opening, "line 4");
    let black: Vec<Side> = bench.rows().into_iter().map(|row| row.black).collect();
    assert_eq!(black, [Side::A, Side::B, Side::A, Side::B, Side::A, Side::B]);

    // Or with the same, for handicaps. The match above cannot go on like that.
    let handicap = Settings { a_is_black: true, ..settings.clone() };
    assert!(run(&handicap).unwrap_err().contains("a_is_black"));
    fs::remove_dir_all(bench.path("match")).unwrap();
    run(&handicap).unwrap();
    assert!(bench.rows().iter().all(|row| row.black == Side::A));

    // The same as SGF, cut after two moves.
    let folder = bench.path("sgf");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("b.sgf"), "(;GM[1]SZ[5]KM[3];B[cc];W[bd];B[db])").unwrap();
    fs::write(folder.join("a.sgf"), "(;GM[1]SZ[5]AB[bb][dd]HA[2];W[cc])").unwrap();
    fs::remove_dir_all(bench.path("match")).unwrap();
    let openings = OpeningSource::Path { path: folder.clone(), moves: Some(2) };
    run(&Settings { openings: openings.clone(), games: 3, ..settings.clone() }).unwrap();
    let rows = bench.rows();
    assert_eq!(rows[0].moves, "C3 pass pass");
    assert_eq!(rows[2].moves, "C3 B2 pass pass");
    assert_eq!((rows[0].opening.as_str(), rows[2].opening.as_str()), ("a", "b"));
    let sgf = fs::read_to_string(bench.path("match/games/0003.sgf")).unwrap();
    assert!(sgf.contains("KM[0.5]"), "{sgf}");

    // All games of a collection, each by its number.
    let (collection, broken) = (bench.path("many.sgf"), bench.path("broken.sgf"));
    fs::write(&collection, "(;GM[1]SZ[5];B[cc])\n(;GM[1]SZ[5];B[bb](;W[dd])(;W[db]))").unwrap();
    fs::write(&broken, "(;GM[1]SZ[5];B[cc])\n(;GM[1]SZ[5];B[cc];W[cc])").unwrap();
    fs::remove_dir_all(bench.path("match")).unwrap();
    let of_file = |path: &PathBuf| OpeningSource::Path { path: path.clone(), moves: None };
    run(&Settings { openings: of_file(&collection), games: 4, ..settings.clone() }).unwrap();
    let rows: Vec<_> = bench.rows().into_iter().map(|row| (row.opening, row.moves)).collect();
    let (one, two) = (("many 1", "C3 pass pass"), ("many 2", "B4 D2 pass pass"));
    assert_eq!(rows, [one, one, two, two].map(|(name, moves)| (name.to_owned(), moves.to_owned())));
    let error = run(&Settings { openings: of_file(&broken), output: None, ..settings.clone() }).unwrap_err();
    assert!(error.contains("broken.sgf: game 2: ") && error.contains("illegal"), "{error}");

    // What is no opening is said.
    let wrong = |text: &str| {
        fs::write(&path, text).unwrap();
        let openings = OpeningSource::Path { path: path.clone(), moves: None };
        run(&Settings { openings, output: None, ..settings.clone() }).unwrap_err()
    };
    assert!(wrong("C3 C3").contains("line 1: C3 is illegal"));
    assert!(wrong("C3 Q16").contains("\"Q16\" is no point"));
    assert!(wrong("\n").contains("no openings"));
    assert!(wrong("pass pass").contains("over"));
    let error = run(&Settings { openings, size: 9.into(), output: None, ..settings }).unwrap_err();
    assert!(error.contains("5×5"), "{error}");
}

#[test]
fn openings_are_read_up_to_a_limit_and_in_any_encoding() {
    let bench = Bench::new();
    let read = |path: PathBuf| {
        let openings = OpeningSource::Path { path, moves: None };
        let settings = bench.settings(bench.passer(), bench.passer(), 1);
        run(&Settings { openings, size: 9.into(), output: None, ..settings })
    };
    // A comment at the end of a list, and of a record, of which only its length is wrong.
    for (name, start) in [("long.txt", "C3 D4\n#"), ("long.sgf", "(;GM[1]SZ[9];B[cc])")] {
        let path = bench.path(name);
        let longest = start.to_owned() + &"x".repeat(sgf::LONGEST - start.len());
        fs::write(&path, &longest).unwrap();
        assert_eq!(read(path.clone()).unwrap().games, 1);
        fs::write(&path, longest + "x").unwrap();
        let error = read(path.clone()).unwrap_err();
        assert_eq!(error, format!("{}: the file is longer than 8 MiB", path.display()));
    }
    // A device without an end, and a pipe into which nobody writes.
    assert_eq!(read("/dev/zero".into()).unwrap_err(), "/dev/zero: it is no regular file");
    let pipe = bench.path("pipe.sgf");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(read(pipe.clone()).unwrap_err(), format!("{}: it is no regular file", pipe.display()));
    let utf_16 = concat!(env!("CARGO_MANIFEST_DIR"), "/gtp-scripts/sgf/utf-16.sgf");
    assert_eq!(read(utf_16.into()).unwrap().games, 1);
}

#[test]
fn random_openings_are_the_same_for_both_games_of_a_pair() {
    let bench = Bench::new();
    let openings = OpeningSource::Random { plies: 3 };
    let settings = Settings { openings, size: 9.into(), ..bench.settings(bench.passer(), bench.passer(), 4) };
    run(&settings).unwrap();
    let rows = bench.rows();
    assert!(rows.iter().all(|row| row.opening_moves == 3));
    assert_eq!(rows[0].moves, rows[1].moves);
    assert_eq!(rows[2].moves, rows[3].moves);
    assert_ne!(rows[0].moves, rows[2].moves);
    fs::remove_dir_all(bench.path("match")).unwrap();
    run(&settings).unwrap();
    assert_eq!(
        bench.rows().iter().map(|row| &row.moves).collect::<Vec<_>>(),
        rows.iter().map(|row| &row.moves).collect::<Vec<_>>()
    );
}
