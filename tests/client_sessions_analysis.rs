//! Sessions of the programs that show live analysis: Sabaki, Lizzie, q5Go and Ogatak, line by line as they send them,
//! through a whole game each.

use crate::support::lines::{InfoLine, is_vertex, parse_info};
use crate::support::{self, Answer, Client};

/// Few playouts: games end soon.
const QUICK: &[&str] = &["--playouts", "60"];

/// Two passes in a row, or a resignation.
fn is_over(moves: &[String]) -> bool {
    let passes = moves.iter().rev().take_while(|mv| mv.eq_ignore_ascii_case("pass")).count();
    passes >= 2 || moves.last().is_some_and(|mv| mv == "resign")
}

/// Lines of an answer with analysis, the status first: the number, the analysis, and the rest.
#[track_caller]
fn split(lines: Vec<String>, size: usize, is_katago: bool) -> (String, Vec<InfoLine>, Vec<String>) {
    let mut lines = lines.into_iter();
    let id = lines.next().expect("a status").strip_prefix('=').expect("a success").to_owned();
    let (info, rest): (Vec<String>, Vec<String>) = lines.partition(|line| line.starts_with("info "));
    (id, info.iter().map(|line| parse_info(line, size, is_katago).unwrap()).collect(), rest)
}

/// The move of a `…-genmove_analyze`.
#[track_caller]
fn played(lines: Vec<String>, size: usize, is_katago: bool) -> String {
    let (_, info, rest) = split(lines, size, is_katago);
    let [play] = &rest[..] else { panic!("{rest:?}") };
    let vertex = play.strip_prefix("play ").expect("a move");
    assert!(vertex == "resign" || is_vertex(vertex, size), "{vertex}");
    // A game that is over by the rules is not searched; here it never is.
    assert!(!info.is_empty(), "no line of analysis before the move");
    vertex.to_owned()
}

#[track_caller]
fn assert_is_score(text: &str) {
    let points = text.strip_prefix("B+").or(text.strip_prefix("W+"));
    assert!(text == "0" || points.is_some_and(|points| points.parse::<f64>().is_ok_and(|p| p > 0.0)), "{text}");
}

/// Sends a burst as Sabaki does, answers matched by their order; all have to succeed.
#[track_caller]
fn burst(client: &mut Client, commands: &[&str]) -> Vec<String> {
    client.send(commands.join("\n") + "\n");
    commands
        .iter()
        .map(|command| {
            let answer = client.answer();
            assert!(answer.ok && answer.id.is_empty(), "{command}: {answer:?}");
            answer.text
        })
        .collect()
}

#[test]
fn sabaki_plays_a_game_with_analysis_and_goes_back() {
    let size = 7;
    let mut client = Client::start(QUICK);
    let start = burst(&mut client, &["name", "version", "protocol_version", "list_commands", "time_settings 0 5 1"]);
    // It does not trim the names.
    let commands: Vec<&str> = start[3].split('\n').collect();
    assert!(commands.iter().all(|name| name.trim() == *name && !name.is_empty()));
    // Its first choices, of which it reads the win rate wrong, or whose form it does not know.
    assert!(!commands.contains(&"analyze") && !commands.contains(&"genmove_analyze"));
    for name in ["kata-analyze", "kata-genmove_analyze", "lz-analyze", "set_free_handicap", "undo"] {
        assert!(commands.contains(&name), "{name}");
    }
    // Synchronised: komi before the size, and the stones of the first node as a handicap.
    burst(&mut client, &["komi 0.5", "boardsize 7", "clear_board", "set_free_handicap C3 E5", "play W D4"]);
    let mut moves: Vec<String> = vec!["D4".into()];
    let mut gone_back = false;
    while !is_over(&moves) {
        assert!(moves.len() < 300, "{moves:?}");
        let color = ["W", "B"][moves.len() % 2];
        // Now and then the user looks at an analysis, and then wants the move: `protocol_version` ends what is running.
        if moves.len() % 5 == 1 {
            client.send(format!("kata-analyze {color} 10\n"));
            assert_eq!(client.line(), "=");
            parse_info(&client.line(), size, true).unwrap();
            client.send("protocol_version\n");
            while !client.line().is_empty() {}
            assert_eq!(client.answer().text, "2");
        }
        client.send(format!("kata-genmove_analyze {color} 10\n"));
        moves.push(played(client.lines(), size, true));
        // Two moves back, and one of them again, in a burst.
        if moves.len() == 8 && !gone_back {
            gone_back = true;
            let back = [format!("play B {}", moves[5])];
            burst(&mut client, &["undo", "undo", "undo", &back[0]]);
            moves.truncate(6);
        }
    }
    let end = burst(&mut client, &["final_status_list dead", "final_score"]);
    assert!(end[0].split_whitespace().all(|word| is_vertex(word, size)));
    assert_is_score(&end[1]);
    // Another position: all anew, stones that are set up by plays in the order of the board.
    burst(&mut client, &["clear_board", "play B A1", "play B B2", "play W C3", "play W A7"]);
    client.quit();
}

/// A client that numbers its commands, as Lizzie, q5Go and Ogatak do, and insists on the numbers of the answers.
struct Numbered {
    client: Client,
    last: u32,
}

impl Numbered {
    fn new(args: &[&str]) -> Numbered {
        Numbered { client: Client::start(args), last: 0 }
    }

    /// Sends a command without waiting.
    #[track_caller]
    fn send(&mut self, command: &str) -> u32 {
        self.last += 1;
        self.client.send(format!("{} {command}\n", self.last));
        self.last
    }

    /// Sends a command and reads its answer, which has to be a success: q5Go ends the program otherwise.
    #[track_caller]
    fn ok(&mut self, command: &str) -> String {
        let id = self.send(command);
        self.answer(id, command)
    }

    #[track_caller]
    fn answer(&mut self, id: u32, command: &str) -> String {
        let answer: Answer = self.client.answer();
        assert!(answer.ok && answer.id == id.to_string(), "{id} {command}: {answer:?}");
        answer.text
    }

    /// Starts an analysis, reads its first line, ends it by a command, and reads the answer to that.
    #[track_caller]
    fn analyze(&mut self, command: &str, size: usize, end: &str) -> (InfoLine, String) {
        let id = self.send(command);
        assert_eq!(self.client.line(), format!("={id}"), "{command}");
        let is_katago = command.starts_with("kata");
        let line = parse_info(&self.client.line(), size, is_katago).unwrap();
        let next = self.send(end);
        loop {
            let more = self.client.line();
            if more.is_empty() {
                break;
            }
            parse_info(&more, size, is_katago).unwrap();
        }
        (line, self.answer(next, end))
    }
}

#[test]
fn lizzie_analyzes_every_move_and_plays_a_game() {
    let size = 9;
    let mut lizzie = Numbered::new(QUICK);
    // Two of the version's numbers are read, the second has to be 15 or more.
    assert_eq!(lizzie.ok("name"), "Kosumi");
    let version = lizzie.ok("version");
    let minor: u32 = version.split('.').nth(1).expect("a point").parse().expect("a number");
    assert!(minor >= 15, "{version}");
    lizzie.ok("boardsize 9");
    lizzie.ok("komi 7.5");
    // Pondering over a record: analysis after every move and every undo, a move away from it, and `name` to stop.
    for (i, vertex) in ["E5", "C3", "G7", "pass", "C7"].iter().enumerate() {
        let color = ["b", "w"][i % 2];
        let (line, _) = lizzie.analyze("lz-analyze 10", size, &format!("play {color} {vertex}"));
        assert!(!line.moves.is_empty());
    }
    lizzie.analyze("lz-analyze 10", size, "undo");
    lizzie.analyze("lz-analyze 10", size, "undo");
    let (line, _) = lizzie.analyze("lz-analyze 10 avoid b D4,E6 50 avoid w D4 50", size, "name");
    assert!(line.moves.iter().all(|m| !m.pv.contains(&"D4".to_owned())));
    // A game against it with a handicap.
    let size = 7;
    lizzie.ok("boardsize 7");
    assert_eq!(lizzie.ok("fixed_handicap 2"), "C3 E5");
    lizzie.ok("komi 0");
    lizzie.ok("time_settings 0 5 1");
    let mut moves: Vec<String> = Vec::new();
    while !is_over(&moves) {
        assert!(moves.len() < 300, "{moves:?}");
        let color = ["w", "b"][moves.len() % 2];
        if color == "w" {
            // The answer to a plain genmove is read as the second word of the line.
            let vertex = lizzie.ok("genmove w");
            assert!(vertex == "resign" || is_vertex(&vertex, size), "{vertex}");
            moves.push(vertex);
        } else {
            lizzie.send("lz-genmove_analyze b 10");
            moves.push(played(lizzie.client.lines(), size, false));
        }
    }
    lizzie.ok("quit");
    assert!(lizzie.client.exit_within(support::PATIENCE).success());
}

/// Lizzie's words for what it names off the board would end the analysis before it began: they are refused.
#[test]
fn vertices_off_the_board_are_refused_before_anything_is_written() {
    let mut client = Client::start(QUICK);
    client.ok("boardsize 9");
    client.send("7 lz-analyze 10 avoid b Q16 50\n");
    assert_eq!(client.lines(), ["?7 syntax error"]);
    client.quit();
}

#[test]
fn q5go_gets_no_error_in_a_game() {
    let size = 7;
    let mut q5go = Numbered::new(QUICK);
    assert_eq!(q5go.ok("protocol_version"), "2");
    for command in ["boardsize 7", "clear_board", "komi 6.5"] {
        assert_eq!(q5go.ok(command), "");
    }
    for name in ["lz-analyze", "kata-analyze", "kata-set-rules", "final_score"] {
        assert_eq!(q5go.ok(&format!("known_command {name}")), "true", "{name}");
    }
    q5go.ok("kata-set-rules japanese");
    // No time limit, in its words; then a game on the clock.
    q5go.ok("time_settings 1 1 0");
    q5go.ok("time_settings 60 10 5");
    let mut moves: Vec<String> = Vec::new();
    let mut undone = false;
    while !is_over(&moves) {
        assert!(moves.len() < 300, "{moves:?}");
        let color = ["black", "white"][moves.len() % 2];
        if moves.len().is_multiple_of(5) {
            let command = format!("kata-analyze {color} 100 ownership true");
            let (line, answer) = q5go.analyze(&command, size, "known_command known_command");
            assert_eq!((line.ownership.len(), answer.as_str()), (49, "true"));
        }
        q5go.ok(&format!("time_left {color} 50 0"));
        q5go.send(&format!("kata-genmove_analyze {color} 100 ownership true"));
        moves.push(played(q5go.client.lines(), size, true));
        if moves.len() == 10 && !undone {
            undone = true;
            q5go.ok("undo");
            moves.pop();
        }
    }
    if moves.last().is_some_and(|mv| mv != "resign") {
        assert_is_score(&q5go.ok("final_score"));
    }
    q5go.ok("quit");
    assert!(q5go.client.exit_within(support::PATIENCE).success());
}

#[test]
fn ogatak_reviews_a_game() {
    let size = 13;
    let mut ogatak = Numbered::new(QUICK);
    ogatak.ok("name");
    let commands = ogatak.ok("list_commands");
    assert!(commands.lines().any(|name| name == "kata-analyze"));
    ogatak.ok("kata-set-rules chinese");
    ogatak.ok("kata-set-rules {\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\"}");
    // Each position is built up anew; the analysis of one ends with `name`, or with what builds the next.
    let mut moves: Vec<String> = Vec::new();
    for turn in 0..12 {
        for command in ["boardsize 13", "clear_board", "komi 7.5"] {
            ogatak.send(command);
        }
        let first = ogatak.last - 2;
        for (i, mv) in moves.iter().enumerate() {
            ogatak.send(&format!("play {} {mv}", ["b", "w"][i % 2]));
        }
        for id in first..=ogatak.last {
            ogatak.answer(id, "a position");
        }
        let color = ["b", "w"][turn % 2];
        let command = if turn % 3 == 0 { format!("lz-analyze {color} 50") } else { format!("kata-analyze {color} 50") };
        // What ends it has changed with its versions.
        let end = ["name", "protocol_version"][turn % 2];
        let (line, _) = ogatak.analyze(&command, size, end);
        moves.push(line.moves[0].vertex.clone());
    }
    // To the end, and the score of it.
    for _ in 0..2 {
        moves.push("pass".into());
    }
    ogatak.ok("play b pass");
    ogatak.ok("play w pass");
    assert_is_score(&ogatak.ok("final_score"));
    ogatak.ok("quit");
    assert!(ogatak.client.exit_within(support::PATIENCE).success());
}
