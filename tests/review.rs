//! `kosumi review`: what it writes, that it can be stopped and gone on with, and that it finds blunders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kosumi::engine::EngineOptions;
use kosumi::game::Game;
use kosumi::go::Ruleset;
use kosumi::record::{NodeId, Record};
use kosumi::review::{self, Effort, PictureFormat, Settings, Tally};
use kosumi::sgf;
use serde_json::Value;

use crate::support::engine::options;
use crate::support::{PATIENCE, forget_settings, wait};

/// A short game with comments, a label and a variation of its own. The players have names that HTML has to escape.
const GAME: &str = r"(;GM[1]FF[4]SZ[5]KM[7.5]PB[</script><b>Ann & 'Bo'\]]PW[Çem]BR[5k]RE[W+2.5]DT[2026-11-22]
;B[cc]C[A good start.]LB[dc:x](;W[dc]C[two \] brackets];B[db];W[dd];B[];W[bb])(;W[bb]C[another way]))";

/// Eight stones of each side are in atari: Black can capture at D9, White at C9. Black plays elsewhere.
const BLUNDER: &str = "(;GM[1]FF[4]SZ[9]KM[0]AB[cb:ci][ea:ei]AW[ba:bi][db:di][ha:hi]PL[B];B[fe];W[ca];B[fc];W[gc])";

/// Black is two points ahead. White's two dead stones stand on the board, and make all of Black's outer area neutral if
/// they count as living.
const DEAD_STONES: &str = "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]AB[ca:ci][ea:ei][bd:bf]AW[fa:fi][ha:hi][ab][ah]PL[B]";

fn settings(inputs: &[&Path], visits: u64) -> Settings {
    Settings {
        inputs: inputs.iter().map(|&path| PathBuf::from(path)).collect(),
        output: None,
        effort: Effort::Visits(visits),
        engine: EngineOptions { size: 19.into(), ..options() },
        json: false,
        pictures: Vec::new(),
        picture_format: PictureFormat::Svg,
        quiet: true,
    }
}

/// A folder with this record as `game.sgf`.
fn folder(record: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.sgf");
    fs::write(&path, record).expect("a file");
    (folder, path)
}

#[track_caller]
fn run(settings: &Settings) -> (Tally, Vec<Value>) {
    let mut output = Vec::new();
    let tally = review::run(settings, &AtomicBool::new(false), &mut output).expect("a review");
    let lines = String::from_utf8(output).expect("text");
    (tally, lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

fn text(path: &Path, name: &str) -> String {
    fs::read_to_string(path.with_file_name(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The values of a property along the main line, from the root on.
fn along(record: &Record, name: &str) -> Vec<Option<String>> {
    record.main_line().map(|node| record.text(node, name)).collect()
}

/// The findings that lie in a page.
fn data(page: &str) -> Value {
    let (_, after) = page.split_once("<script type=\"application/json\" id=\"review\">").expect("the data");
    serde_json::from_str(after.split_once("</script>").expect("an end").0).expect("JSON")
}

#[test]
fn the_record_keeps_all_and_has_rates_comments_marks_and_variations() {
    let (folder, path) = folder(GAME);
    let (tally, _) = run(&settings(&[&path], 60));
    assert_eq!(tally, Tally { done: 1, searched: 7, ..Tally::default() });
    assert_eq!(names(folder.path()), ["game.review.html", "game.review.sgf", "game.sgf"]);
    assert_eq!(fs::read_to_string(&path).expect("the record"), GAME, "the record itself is as it was");
    let (old, new) = (sgf::read(GAME.as_bytes()).expect("a record"), text(&path, "game.review.sgf"));
    let new = sgf::read(new.as_bytes()).expect("a record");
    for name in ["B", "W"] {
        assert_eq!(along(&new, name), along(&old, name), "the main line is as it was");
    }
    for name in ["PB", "PW", "BR", "RE", "DT", "KM", "SZ"] {
        assert_eq!(new.text(NodeId::ROOT, name), old.text(NodeId::ROOT, name), "{name}");
    }
    for rate in along(&new, "SBKV") {
        let rate: f64 = rate.expect("each position has a rate").parse().expect("a number");
        assert!((0.0..=100.0).contains(&rate), "{rate}");
    }
    assert!(along(&new, "SBKS").iter().all(|lead| lead.as_ref().is_some_and(|lead| lead.parse::<f64>().is_ok())));
    let comments: Vec<String> = along(&new, "C").into_iter().map(|comment| comment.expect("a comment")).collect();
    assert!(
        comments[0].starts_with("Review by Kosumi ") && comments[0].contains("60 visits a move"),
        "{}",
        comments[0]
    );
    assert!(comments[1].starts_with("A good start.\n\nKosumi: "), "{}", comments[1]);
    assert!(comments[2].starts_with("two ] brackets\n\nKosumi: "), "{}", comments[2]);
    for comment in &comments {
        assert!(comment.contains(" wins ") && comment.contains("(60 visits)"), "{comment}");
    }
    // The best next moves are labelled, except at the end. A label that was there stays.
    let nodes: Vec<NodeId> = new.main_line().collect();
    let labels = |node| new.property(node, "LB").map(|labels| labels.values().map(str::to_owned).collect::<Vec<_>>());
    assert!(labels(nodes[0]).expect("labels").iter().any(|label| label.ends_with(":A")));
    assert!(labels(nodes[1]).expect("labels").contains(&"dc:x".into()));
    assert_eq!(labels(nodes[6]), None);
    // The variation of the record is there, and each of ours begins with another move than the game's.
    let first: Vec<NodeId> = new.children(nodes[1]).collect();
    assert_eq!(new.comment(first[1]).as_deref(), Some("another way"));
    let page = data(&text(&path, "game.review.html"));
    let mut variations = 0;
    for loss in page["losses"].as_array().expect("losses") {
        let number = loss["number"].as_u64().expect("a number") as usize;
        let ours = new.children(nodes[number - 1]).filter(|&child| {
            new.comment(child).is_some_and(|comment| comment.starts_with("Kosumi's choice instead of "))
        });
        let weight = loss["points"].as_f64().expect("points") + loss["winrate"].as_f64().expect("a rate") * 20.0;
        let wanted = usize::from(!loss["better"].is_null() && weight >= 0.5);
        assert_eq!(ours.count(), wanted, "move {number}: {loss}");
        variations += wanted;
    }
    assert!(variations > 0, "the pass in the middle of the game is no move of the engine's");
    // Every node of ours can be followed.
    let mut game = Game::load(new.clone(), None, Ruleset::default(), None).expect("a game");
    for (_, node) in new.preorder() {
        game.go_to(node).expect("a move that can be made");
    }
}

#[test]
fn a_blunder_is_the_worst_move() {
    let (_folder, path) = folder(BLUNDER);
    run(&settings(&[&path], 300));
    let page = data(&text(&path, "game.review.html"));
    assert_eq!(page["worst"][0], 1, "{}", page["losses"]);
    let blunder = &page["losses"][0];
    assert!(blunder["points"].as_f64().expect("points") > 20.0 && blunder["move"] == "F5", "{blunder}");
    assert_eq!(blunder["better"]["move"], "D9");
    let record = sgf::read(text(&path, "game.review.sgf").as_bytes()).expect("a record");
    let first = record.first_child(NodeId::ROOT).expect("a move");
    assert_eq!(record.property(first, "BM").map(|judgement| judgement.value()), Some("2"));
    assert!(record.property(first, "HO").is_some());
    let variation: Vec<NodeId> = record.children(NodeId::ROOT).collect();
    assert_eq!(record.property(variation[1], "B").expect("a move").value(), "da");
    let opening = page["summary"].as_array().expect("a summary").iter().find(|part| part["color"] == "B");
    assert_eq!(opening.expect("Black's opening")["moves"], 2);
}

#[test]
fn the_last_passes_lose_nothing_though_dead_stones_stand_on_the_board() {
    let (_folder, path) = folder(&format!("{DEAD_STONES};B[];W[])"));
    run(&settings(&[&path], 400));
    let page = data(&text(&path, "game.review.html"));
    let findings = page["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 3);
    for at in findings {
        let lead = at["lead"].as_f64().expect("a lead");
        assert!((0.0..8.0).contains(&lead), "{}", page["findings"]);
    }
}

#[test]
fn what_both_lost_in_all_is_how_the_lead_moved() {
    let (_folder, path) = folder(BLUNDER);
    run(&settings(&[&path], 100));
    let page = data(&text(&path, "game.review.html"));
    let leads: Vec<f64> = page["findings"].as_array().unwrap().iter().map(|at| at["lead"].as_f64().unwrap()).collect();
    let total = |color: &str, phase: &str| -> f64 {
        let parts = page["summary"].as_array().unwrap().iter();
        let of_phase = parts.filter(|part| part["color"] == color && (part["phase"] == "game") == (phase == "game"));
        of_phase.map(|part| part["total"].as_f64().unwrap()).sum()
    };
    let last = leads[0] - total("B", "game") + total("W", "game");
    assert!((last - leads[leads.len() - 1]).abs() < 0.05, "{last} {leads:?}");
    for color in ["B", "W"] {
        assert!((total(color, "game") - total(color, "phases")).abs() < 0.05, "{}", page["summary"]);
    }
}

#[test]
fn the_page_stands_alone_and_holds_what_was_found() {
    let (_folder, path) = folder(GAME);
    run(&settings(&[&path], 40));
    let page = text(&path, "game.review.html");
    assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;Ann &amp; &#39;Bo&#39;] 5k – Çem</title>"), "{page}");
    assert!(!page.contains("<b>Ann"), "no text of the record becomes HTML");
    assert_eq!(page.matches("</script>").count(), 2, "nor ends the data");
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http:") && !links.contains("https:") && !links.contains("src="), "nothing from elsewhere");
    assert!(
        !page.contains("{{") && page.contains("id=\"curve\"") && page.contains("class=\"rate\" d=\"M0.0 "),
        "{page}"
    );
    let data = data(&page);
    assert_eq!(
        (&data["size"], &data["black"], &data["result"]),
        (&5.into(), &"</script><b>Ann & 'Bo'] 5k".into(), &"W+2.5".into())
    );
    let findings = data["findings"].as_array().expect("findings");
    let turns: Vec<u64> = findings.iter().map(|finding| finding["turn"].as_u64().expect("a number")).collect();
    assert_eq!(turns, [0, 1, 2, 3, 4, 5, 6]);
    for finding in findings {
        assert_eq!(finding["owners"].as_str().expect("letters").len(), 25);
        assert!(finding["moves"][0]["pv"][0] == finding["moves"][0]["move"], "{finding}");
    }
    // The third row from the top, the third column: Black's first move.
    assert_eq!(data["changes"][0], serde_json::json!([]));
    assert_eq!(data["changes"][1], serde_json::json!([[12, 1]]));
    assert_eq!(data["changes"][5], serde_json::json!([]), "a pass");
}

#[test]
fn what_is_complete_is_not_done_again() {
    let (_folder, path) = folder(GAME);
    let settings = Settings { json: true, ..settings(&[&path], 30) };
    let (first, told) = run(&settings);
    assert_eq!((first.done, first.searched), (1, 7));
    let (again, same) = run(&settings);
    assert_eq!(again, Tally { known: 1, ..Tally::default() });
    assert_eq!(told, same, "the page holds the whole review");
    assert_eq!(told[0]["name"], "game");
    assert_eq!(told[0]["findings"].as_array().map(Vec::len), Some(7));
    // Other settings, another record, a missing file: the review is made anew.
    let other = Settings { effort: Effort::Visits(31), ..settings.clone() };
    assert_eq!(run(&other).0.searched, 7);
    fs::write(&path, GAME.replace(";W[bb])(", ";W[bb];B[ba])(")).expect("a file");
    assert_eq!(run(&other).0.searched, 8);
    fs::remove_file(path.with_file_name("game.review.sgf")).expect("a file");
    assert_eq!(run(&other).0.done, 1);
}

/// The program, with the settings of [`settings`].
fn program(path: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.arg("review").arg(path).args(["--no-config", "--threads", "1", "--memory", "16", "--seed", "1"]);
    command.args(["--net", "none"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until the file in progress has so many findings.
#[track_caller]
fn until_found(child: &mut Child, part: &Path, findings: usize) {
    let start = Instant::now();
    while fs::read_to_string(part).unwrap_or_default().lines().count() < findings + 1 {
        assert!(start.elapsed() < PATIENCE, "no findings");
        assert!(child.try_wait().expect("a child").is_none(), "the review is over too early");
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_review_goes_on_and_becomes_the_same() {
    let (visits, whole) = (3000, folder(GAME));
    run(&settings(&[&whole.1], visits));
    let (folder, path) = folder(GAME);
    let part = path.with_file_name("game.review.part");
    let mut child = program(&path, &["--visits", "3000", "--quiet"]).spawn().expect("it starts");
    until_found(&mut child, &part, 2);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(names(folder.path()), ["game.review.part", "game.sgf"], "nothing is half written");
    let known = fs::read_to_string(&part).expect("a file").matches('\n').count() - 1;
    let (tally, _) = run(&settings(&[&path], visits));
    assert_eq!(tally.searched, 7 - known, "no position is searched twice");
    assert_eq!(names(folder.path()), ["game.review.html", "game.review.sgf", "game.sgf"]);
    for name in ["game.review.sgf", "game.review.html"] {
        assert!(text(&path, name) == text(&whole.1, name), "{name} differs from that of a review in one piece");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_review_that_can_go_on() {
    let (folder, path) = folder(GAME);
    let mut child = program(&path, &["--time-per-move", "3600"]).spawn().expect("it starts");
    until_found(&mut child, &path.with_file_name("game.review.part"), 0);
    // The handler is there before the file is.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    assert_eq!(wait(&mut child, PATIENCE).code(), Some(130));
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("piped"), &mut said).expect("text");
    assert!(said.ends_with("kosumi: stopped; the same command goes on from here\n"), "{said}");
    assert_eq!(names(folder.path()), ["game.review.part", "game.sgf"]);
}

#[test]
fn folders_are_reviewed_and_broken_records_left_out() {
    let (folder, path) = folder(GAME);
    let output = tempfile::tempdir().expect("a folder");
    for (name, text) in
        [("another.sgf", GAME), ("broken.sgf", "(;B["), ("empty.sgf", "(;SZ[9])"), ("old.review.sgf", GAME)]
    {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let before = names(folder.path());
    let to = output.path().join("deeper/still");
    let run = program(folder.path(), &["--visits", "10", "--json", "--output", &to.display().to_string()]).output();
    let run = run.expect("it runs");
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("broken.sgf: line 1: a value has no end"), "{said}");
    assert!(said.contains("empty.sgf: there is no move in the record"), "{said}");
    assert!(said.contains("2 games could not be reviewed"), "{said}");
    let told: Vec<Value> =
        run.stdout.split(|&byte| byte == b'\n').filter_map(|l| serde_json::from_slice(l).ok()).collect();
    assert_eq!(told.iter().map(|review| review["name"].as_str()).collect::<Vec<_>>(), [Some("another"), Some("game")]);
    assert_eq!(names(folder.path()), before, "nothing is written beside the records");
    let wrong = folder.path().join("wrong.sgf");
    fs::write(&wrong, "(;SZ[9]AB[ee];W[ee])").expect("a file");
    let one = program(&wrong, &["--visits", "10"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&one.stderr);
    assert!(said.contains("the record cannot be followed to its first move: "), "{said}");
    let one = program(&folder.path().join("empty.sgf"), &["--visits", "10"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&one.stderr);
    assert!(said.ends_with("kosumi: 1 game could not be reviewed\n"), "{said}");
    let written = ["another.review.html", "another.review.sgf", "game.review.html", "game.review.sgf"];
    assert_eq!(names(&to), written);
    for wrong in
        [&["--visits", "5", "--time-per-move", "1"][..], &["--visits", "0"], &["--total-time", "1", "--visits", "1"]]
    {
        assert_eq!(program(&path, wrong).output().expect("it runs").status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_record_with_an_illegal_move_is_followed_up_to_it_and_the_review_says_so() {
    let (_folder, path) = folder("(;GM[1]FF[4]SZ[5];B[cc];W[bc];B[cc];W[dd])");
    let (tally, lines) = run(&Settings { json: true, ..settings(&[&path], 10) });
    assert_eq!((tally.done, lines[0]["moves"].as_array().map(Vec::len)), (1, Some(2)));
    let why = "The review holds the first 2 moves, because move 3 is illegal: the point is occupied.";
    assert_eq!(lines[0]["left_out"], why);
    assert!(text(&path, "game.review.html").contains(why));
    let record = sgf::read(text(&path, "game.review.sgf").as_bytes()).expect("a record");
    let comments = along(&record, "C");
    assert!(comments[2].as_ref().is_some_and(|comment| comment.ends_with(why)), "{comments:?}");
    assert_eq!(comments[3..], [None, None]);
    let output = program(&path, &["--visits", "1"]).stderr(Stdio::piped()).output().expect("it runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("game.sgf: {why}")), "{output:?}");
}

#[test]
fn games_behind_the_first_one_of_a_file_are_told_of() {
    let (_folder, path) = folder("(;GM[1]FF[4]SZ[5];B[cc];W[bc])\n( ;SZ[5];B[dd])");
    let said = |path: &Path| {
        let output = program(path, &["--visits", "1"]).stderr(Stdio::piped()).output().expect("it runs");
        String::from_utf8_lossy(&output.stderr).contains("several games, and only the first one")
    };
    assert!(said(&path));
    let (_folder, path) = folder("(;GM[1]FF[4]SZ[5];B[cc](;W[bc])(;W[cb]))\n(that is all)");
    assert!(!said(&path));
}

#[test]
fn a_picture_shows_the_board_after_a_move() {
    let (folder, path) = folder(GAME);
    let pictures = Settings { pictures: vec![3, 0], ..settings(&[&path], 30) };
    let (tally, _) = run(&pictures);
    assert_eq!((tally.done, tally.searched), (1, 2));
    assert_eq!(names(folder.path()), ["game.move-0.svg", "game.move-3.svg", "game.sgf"], "no review is made");
    let picture = text(&path, "game.move-3.svg");
    assert_eq!(picture.matches("r=\"11\"").count(), 3, "three stones: {picture}");
    assert!(picture.starts_with("<svg ") && picture.contains("<title>game after move 3: "), "{picture}");
    assert_eq!(text(&path, "game.move-0.svg").matches("r=\"11\"").count(), 0);
    // A review that is there needs no other search.
    run(&settings(&[&path], 30));
    assert_eq!(run(&pictures).0.searched, 0);
    assert_eq!(run(&Settings { pictures: vec![7], ..pictures.clone() }).0.failed, 1, "the game has six moves");
    // The same board in pixels, two for each unit.
    run(&Settings { picture_format: PictureFormat::Png, ..pictures });
    let file = fs::File::open(path.with_file_name("game.move-3.png")).expect("a file");
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a picture");
    assert_eq!((reader.info().width, reader.info().height), (288, 288));
}

#[test]
fn stones_set_up_in_mid_game_and_moves_in_a_row_are_followed() {
    let (_folder, path) = folder("(;GM[1]SZ[5]HA[2]AB[bb][dd];W[cc];B[cb];B[bc];AW[ee]PL[W];W[ed];B[tt];W[])");
    let (tally, _) = run(&settings(&[&path], 20));
    assert_eq!(tally.searched, 7);
    let page = data(&text(&path, "game.review.html"));
    let colors: Vec<&str> =
        page["moves"].as_array().expect("moves").iter().map(|m| m["color"].as_str().expect("a side")).collect();
    assert_eq!(colors, ["W", "B", "B", "W", "B", "W"]);
    // The stone of the set-up is there when White moves. What Black's move before it lost cannot be told.
    assert_eq!(page["changes"][3], serde_json::json!([[11, 1], [24, 2]]));
    let numbers: Vec<u64> =
        page["losses"].as_array().expect("losses").iter().filter_map(|l| l["number"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 4, 5, 6]);
}

#[test]
fn the_time_of_all_games_is_shared_by_their_positions() {
    let (folder, path) = folder(GAME);
    fs::write(folder.path().join("second.sgf"), GAME).expect("a file");
    let total = Duration::from_millis(280);
    let settings = Settings { effort: Effort::TotalTime(total), ..settings(&[folder.path()], 1) };
    let start = Instant::now();
    let (tally, _) = run(&settings);
    assert_eq!((tally.done, tally.searched), (2, 14));
    // Each of the fourteen searches lasts a fourteenth of the time; how much longer is the machine's affair.
    assert!(start.elapsed() >= total, "{:?}", start.elapsed());
    assert!(text(&path, "game.review.html").contains("0.28 s in all"));
}
