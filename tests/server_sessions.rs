//! Whole games as the bridges of servers and the tournament programs play them: each test sends what its program
//! sends, in that order, reads the answers as strictly as that program does, and plays to the end and the score.
//! The sequences are those of gtp2ogs, kgsGtp's documentation, CGOS's Python client, gogui-twogtp and Gomill.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use kosumi::game::Game;
use kosumi::go::{Color, Move, Point, Position, Ruleset};

use crate::support::{self, Client, program};

const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The other player and the server's board: it follows the rules on its own.
struct Server {
    game: Game,
    rng: u64,
}

impl Server {
    fn new(size: usize, rules: &str) -> Server {
        let rules = Ruleset::by_name(rules).expect("a rule set");
        Server { game: Game::new(size, rules, None), rng: 0x9e37_79b9_7f4a_7c15 }
    }

    fn point(&self, vertex: &str) -> Option<Point> {
        let size = self.game.size().width();
        let column = LETTERS.find(&vertex[..1].to_uppercase()).filter(|&column| column < size)?;
        let row: usize = vertex[1..].parse().ok().filter(|row| (1..=size).contains(row))?;
        Some(Point::new(column, row - 1, size))
    }

    fn vertex(&self, mv: Move) -> String {
        match mv {
            Move::Pass => "pass".into(),
            Move::Play(p) => {
                format!("{}{}", &LETTERS[p.column(self.game.size())..][..1], p.row(self.game.size()) + 1)
            }
        }
    }

    /// The engine's answer, which has to be a legal move. `false` if it resigned.
    #[track_caller]
    fn take(&mut self, color: Color, answer: &str) -> bool {
        let word = answer.to_lowercase();
        if word == "resign" {
            return false;
        }
        let mv = if word == "pass" {
            Move::Pass
        } else {
            Move::Play(self.point(&word).unwrap_or_else(|| panic!("{answer:?} is no vertex")))
        };
        self.game.play(color, mv).unwrap_or_else(|error| panic!("{color} {answer}: {error}"));
        true
    }

    /// A move of the other player, who plays at random, fills no eye, and passes when there is nothing else.
    fn play(&mut self, color: Color) -> String {
        let position: &Position = self.game.position();
        let board = position.board().clone();
        let mut moves: Vec<Point> = board.empties().to_vec();
        moves.retain(|&p| board.is_legal(color, p) && !board.around(p).is_eye_shape(color));
        moves.sort_unstable();
        while !moves.is_empty() {
            self.rng = self.rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mv = Move::Play(moves.swap_remove((self.rng >> 33) as usize % moves.len()));
            if self.game.play(color, mv).is_ok() {
                return self.vertex(mv);
            }
        }
        self.game.play(color, Move::Pass).expect("a pass is legal");
        "pass".into()
    }

    fn is_over(&self) -> bool {
        self.game.position().is_over()
    }

    fn moves(&self) -> usize {
        self.game.moves().len()
    }
}

/// Longer than any game of ours on 9×9 lasts; superko ends it sooner or later.
const MOST_MOVES: usize = 600;

/// A score as tournament programs read it.
#[track_caller]
fn is_score(text: &str) {
    let margin = text.strip_prefix("B+").or_else(|| text.strip_prefix("W+"));
    assert!(text == "0" || margin.is_some_and(|m| m.parse::<f64>().is_ok_and(|m| m > 0.0)), "{text:?} is no score");
}

/// gogui-twogtp: no `time_left`, and a clock of its own.
#[test]
fn gogui_twogtp_plays_games_with_absolute_time() {
    // The moves are quick, so a clock of ten minutes is enough for a slow machine, too.
    gogui_twogtp(&["--playouts", "200"], Duration::from_secs(600));
}

#[test]
#[ignore = "measures real time: wants a machine with a free core"]
fn gogui_twogtp_plays_games_on_a_clock_of_eight_seconds() {
    gogui_twogtp(&[], Duration::from_secs(8));
}

/// A game with each colour in which each side has this time.
fn gogui_twogtp(more: &[&str], time: Duration) {
    let mut client = Client::start(&[&["--resign-below", "0"], more].concat());
    for command in ["protocol_version", "name", "version", "list_commands"] {
        client.ok(command);
    }
    for (game, color) in [(0, Color::Black), (1, Color::White)] {
        let mut server = Server::new(9, "chinese");
        let settings = format!("time_settings {} 0 0", time.as_secs());
        for command in ["boardsize 9", "clear_board", "komi 7", &settings] {
            assert_eq!(client.ok(command), "");
        }
        let mut used = Duration::ZERO;
        let mut to_move = Color::Black;
        while !server.is_over() && server.moves() < MOST_MOVES {
            if to_move == color {
                let start = Instant::now();
                let answer = client.ok(&format!("genmove {}", to_move.letter().to_ascii_lowercase()));
                used += start.elapsed();
                assert!(server.take(to_move, &answer), "it never resigns");
            } else {
                let vertex = server.play(to_move);
                let letter = to_move.letter();
                assert_eq!(client.ok(&format!("play {letter} {vertex}")), "");
            }
            to_move = to_move.other();
        }
        assert!(server.is_over(), "game {game} has no end after {} moves", server.moves());
        assert!(used < time, "game {game}: {used:?} of {time:?} used");
        is_score(&client.ok("final_score"));
        assert!(client.ok("cputime").parse::<f64>().is_ok());
    }
    client.quit();
}

/// A client that reads as gtp2ogs does: CR LF line ends, and the words of an answer separated by blanks.
struct Ogs {
    client: Client,
    commands: Vec<String>,
}

impl Ogs {
    fn start(args: &[&str]) -> Ogs {
        let mut client = Client::start(args);
        client.send("list_commands\r\n");
        let commands: Vec<String> = client.answer().success().lines().map(String::from).collect();
        Ogs { client, commands }
    }

    /// Sends a command if the engine has it.
    #[track_caller]
    fn command(&mut self, command: &str) -> String {
        let name = command.split(' ').next().expect("a command has a name");
        if !self.commands.iter().any(|known| known == name) {
            return String::new();
        }
        self.client.send(format!("{command}\r\n"));
        self.client.answer().success()
    }

    /// Clock and request for a move are sent without waiting for answers between them.
    #[track_caller]
    fn genmove(&mut self, clock: &[String], color: Color) -> String {
        for line in clock {
            self.client.send(format!("{line}\r\n"));
        }
        self.client.send(format!("genmove {color}\r\n"));
        for _ in clock {
            assert_eq!(self.client.answer().success(), "");
        }
        self.client.answer().success()
    }
}

/// A persistent bot under each of OGS's clocks: the state is loaded once, then it gets the new moves.
#[test]
fn a_persistent_bot_of_gtp2ogs_plays_under_every_clock() {
    // The clock as gtp2ogs tells it before a move, in whole seconds, from what the bot has used; and how many moves.
    type Told = fn(u64) -> [u64; 2];
    let clocks: [(&str, Told, usize); 4] = [
        // Twelve seconds for a whole game.
        ("kata-time_settings fischer-capped 12 0 12 -1", |used| [12_u64.saturating_sub(used), 0], MOST_MOVES),
        ("kgs-time_settings byoyomi 3 1 3", |used| if used < 3 { [3 - used, 0] } else { [1, 3] }, 20),
        ("kgs-time_settings canadian 3 5 5", |used| if used < 3 { [3 - used, 0] } else { [5, 5] }, 20),
        ("time_settings 0 1 1", |_| [0, 1], 20),
    ];
    for (settings, told, moves) in clocks {
        // The count keeps the game short. On the server's clock each move takes 0.4 s, however fast this machine is.
        let mut ogs = Ogs::start(&["--resign-below", "0", "--playouts", "500"]);
        for command in ["boardsize 9", "clear_board", "komi 5.5"] {
            assert_eq!(ogs.command(command), "");
        }
        let mut server = Server::new(9, "chinese");
        let mut used = Duration::ZERO;
        while !server.is_over() && server.moves() < moves {
            let known = ogs.command("kata-list_time_settings");
            assert!(known.split(' ').any(|word| word == "fischer-capped"), "{known}");
            let mut clock = vec![settings.to_string()];
            let [left, stones] = told(used.as_secs());
            clock.extend(["black", "white"].map(|side| format!("time_left {side} {left} {stones}")));
            let answer = ogs.genmove(&clock, Color::Black);
            used += Duration::from_millis(400);
            assert_eq!(answer.split(' ').count(), 1, "{settings}: {answer:?}");
            assert!(server.take(Color::Black, &answer), "it never resigns");
            if !server.is_over() {
                let vertex = server.play(Color::White).to_lowercase();
                assert_eq!(ogs.command(&format!("play white {vertex}")), "");
            }
        }
        assert!(server.is_over() || server.moves() == moves, "{settings}: no end after {moves} moves");
        is_score(&ogs.command("final_score"));
        ogs.client.quit();
    }
}

/// A bot of a pool gets everything before each move, here in a game with free handicap that it places itself.
#[test]
fn a_pool_bot_of_gtp2ogs_gets_the_whole_game_each_time() {
    let mut ogs = Ogs::start(&["--playouts", "200", "--resign-below", "0"]);
    let mut server = Server::new(9, "chinese");
    for command in ["boardsize 9", "clear_board", "komi 0.5"] {
        assert_eq!(ogs.command(command), "");
    }
    let handicap: Vec<String> =
        ogs.command("place_free_handicap 3").to_lowercase().split(' ').map(String::from).collect();
    assert_eq!(handicap.len(), 3);
    let points: Vec<Point> = handicap.iter().map(|vertex| server.point(vertex).expect("a vertex")).collect();
    server.game.place_handicap(&points).expect("three points");
    let mut moves: Vec<(Color, String)> = Vec::new();
    while !server.is_over() && moves.len() < MOST_MOVES {
        moves.push((Color::White, server.play(Color::White).to_lowercase()));
        if server.is_over() {
            break;
        }
        for command in ["boardsize 9", "clear_board", "komi 0.5"] {
            assert_eq!(ogs.command(command), "");
        }
        assert_eq!(ogs.command(&format!("set_free_handicap {}", handicap.join(" "))), "");
        for (color, vertex) in &moves {
            assert_eq!(ogs.command(&format!("play {color} {vertex}")), "");
        }
        let clock = vec![
            "time_settings 300 0 0".to_string(),
            "time_left black 299 0".to_string(),
            "time_left white 300 0".to_string(),
        ];
        let answer = ogs.genmove(&clock, Color::Black);
        assert!(server.take(Color::Black, &answer), "it never resigns");
        moves.push((Color::Black, answer.to_lowercase()));
    }
    assert!(server.is_over(), "no end after {} moves", moves.len());
    is_score(&ogs.command("final_score"));
    // gtp2ogs keeps the bot; the next game is on another board.
    for command in ["boardsize 13", "clear_board", "komi 7.5"] {
        assert_eq!(ogs.command(command), "");
    }
    assert_eq!(ogs.genmove(&[], Color::Black).split(' ').count(), 1);
    ogs.client.quit();
}

/// OGS allows some repetitions, and gtp2ogs does not tell the rules. A refused move would lose the game.
#[test]
fn with_gtp2ogs_a_move_of_the_server_may_repeat_a_position() {
    // The last move makes the position after the first one again.
    let moves = ["b A1", "w B2", "b A2", "w B1", "b A1", "w A2"];
    let start = |args: &[&str]| {
        let mut client =
            Client::start(&[&["--size", "2", "--rules", "chinese-ogs", "--playouts", "50"], args].concat());
        moves.iter().for_each(|mv| assert_eq!(client.ok(&format!("play {mv}")), ""));
        client
    };
    let mut strict = start(&[]);
    assert_eq!(strict.refused("play b A1"), "illegal move");
    strict.quit();
    let mut client = start(&["--gtp2ogs"]);
    assert_eq!(client.ok("play b A1"), "");
    // Other rules hold: the point is taken.
    assert_eq!(client.refused("play w A1"), "illegal move");
    let board = client.ok("showboard");
    client.ok("undo");
    client.ok("play b A1");
    assert_eq!(client.ok("showboard"), board);
    // Its own moves keep to the rules, and a record has all moves.
    client.ok("genmove w");
    assert!(client.ok("printsgf").contains("B[ab]"));
    client.quit();
}

/// Some rule sets of OGS allow suicide.
#[test]
fn with_gtp2ogs_a_move_of_the_server_may_be_a_suicide() {
    let moves = ["b A1", "w A2", "b B1", "w B2", "b E5", "w D1", "b E4", "w C2"];
    let start = |args: &[&str]| {
        let mut client =
            Client::start(&[&["--size", "5", "--rules", "chinese-ogs", "--playouts", "50"], args].concat());
        moves.iter().for_each(|mv| assert_eq!(client.ok(&format!("play {mv}")), ""));
        client
    };
    let mut strict = start(&[]);
    assert_eq!(strict.refused("play b C1"), "illegal move");
    strict.quit();
    let mut client = start(&["--gtp2ogs"]);
    assert_eq!(client.ok("play b C1"), "");
    for taken_off in ["w A1", "w B1", "w C1"] {
        assert_eq!(client.ok(&format!("play {taken_off}")), "");
    }
    client.quit();
}

/// What gtp2ogs posts comes on standard error before the answer, and only if that is wanted.
#[test]
fn gtp2ogs_reads_variations_and_chat_on_standard_error() {
    let mut child = program(&["--playouts", "300", "--size", "9", "--gtp2ogs"]).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut stdin, b"genmove black\nplay white pass\ngenmove black\nquit\n").expect("it reads");
    drop(stdin);
    let lines: Vec<String> =
        BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok).collect();
    assert!(support::wait(&mut child, support::PATIENCE).success());
    // The pattern by which gtp2ogs knows a variation, and the one of a chat line.
    let variation = regex::Regex::new(concat!(
        r"(CHAT|MALKOVICH):Visits (\d*) Winrate (\d+\.\d\d)% ScoreLead (-?\d+\.\d) ",
        r"ScoreStdev (-?\d+\.\d) (\(PDA (-?\d+.\d\d)\) )?PV (([A-Z][0-9]+|pass)( ([A-Z][0-9]+|pass))*)$"
    ))
    .expect("a pattern");
    let chat = regex::Regex::new(r"^(DISCUSSION|MALKOVICH|MAIN):(.*)").expect("a pattern");
    // It takes the program for KataGo when it has read the name.
    assert!(lines[0].contains("KataGo") && !chat.is_match(&lines[0]) && !variation.is_match(&lines[0]), "{lines:?}");
    assert!(variation.is_match(&lines[1]) && !chat.is_match(&lines[1]), "{lines:?}");
    assert!(chat.is_match(&lines[2]), "{lines:?}");
    let chats = lines.iter().filter(|line| chat.is_match(line)).count();
    assert_eq!(chats, 2, "one for each move: {lines:?}");
    // After White's pass, Black's own pass ends the game in the search, whatever is dead.
    let variations = lines.iter().filter(|line| variation.is_match(line)).count();
    assert_eq!(variations, 1, "a search that knows a pass tells no score: {lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("MALKOVICH:Move 3: ")), "{lines:?}");
}

/// kgsGtp tells our time after our move, while the opponent thinks. Chat lines come then, too.
#[cfg(unix)]
#[test]
fn kgsgtp_leaves_the_engine_pondering() {
    let mut client = Client::start(&["--ponder", "--time-per-move", "0.05", "--kgs-chat", "--size", "9"]);
    client.ok("genmove b");
    client.ok("time_left b 595 0");
    client.ok("kgs-chat game guest what is the score");
    let mut used = || -> f64 { client.ok("cputime").parse().expect("seconds") };
    let (before, start) = (used(), Instant::now());
    // The answers alone take a hundredth of the time.
    while used() < before + 2.0 {
        assert!(start.elapsed() < support::PATIENCE, "the engine does not ponder any more");
        std::thread::sleep(Duration::from_millis(50));
    }
    // A move of the opponent ends it, and the next search begins in its tree.
    client.ok("play w A1");
    client.quit();
}

/// The rules of the next game may come while the last one is on the board, and may forbid one of its moves.
#[test]
fn kgs_rules_of_the_next_game_are_taken_after_the_end() {
    let mut client = Client::start(&["--size", "5"]);
    client.ok("kgs-rules new_zealand");
    for stone in ["b A2", "b B1", "w A3", "w B2", "w C1", "b A1"] {
        client.ok(&format!("play {stone}"));
    }
    assert!(client.refused("kgs-rules japanese").contains("suicide"), "the game goes on");
    client.ok("play w pass");
    client.ok("play b pass");
    client.ok("kgs-game_over");
    client.ok("kgs-rules japanese");
    client.ok("clear_board");
    assert_eq!(client.ok("kosumi-rules"), "japanese");
    client.quit();
}

/// kgsGtp: challenges, a game in byo-yomi, the clean-up after a disagreement, and the next game in the same process.
#[test]
fn kgsgtp_plays_a_game_with_a_clean_up() {
    let mut client = Client::start(&["--playouts", "150", "--resign-below", "0"]);
    for command in ["list_commands", "name", "version"] {
        client.ok(command);
    }
    for rules in ["chinese", "japanese"] {
        // A challenge: sizes and times are tried before anybody accepts.
        for command in ["boardsize 19", "kgs-time_settings canadian 1800 300 25", "boardsize 9"] {
            assert_eq!(client.ok(command), "");
        }
        for command in [
            "kgs-time_settings byoyomi 600 30 5",
            "boardsize 9",
            "clear_board",
            &format!("kgs-rules {rules}"),
            "komi 6.5",
        ] {
            assert_eq!(client.ok(command), "");
        }
        let mut server = Server::new(9, rules);
        while !server.is_over() && server.moves() < 100 {
            for side in ["b 600 0", "w 30 5"] {
                assert_eq!(client.ok(&format!("time_left {side}")), "");
            }
            let answer = client.ok("genmove b");
            assert!(server.take(Color::Black, &answer), "it never resigns");
            if !server.is_over() {
                let vertex = server.play(Color::White);
                assert_eq!(client.ok(&format!("play w {vertex}")), "");
            }
        }
        let dead = client.ok("final_status_list dead");
        for vertex in dead.split_whitespace() {
            assert!(server.point(vertex).is_some(), "{vertex:?} is no vertex");
        }
        // The players do not agree: the engine cleans up while the other side passes.
        let mut cleaned = 0;
        loop {
            let answer = client.ok("kgs-genmove_cleanup b");
            assert_ne!(answer.to_lowercase(), "resign");
            if answer == "pass" {
                break;
            }
            assert!(server.take(Color::Black, &answer));
            cleaned += 1;
            assert!(cleaned < 100, "the clean-up has no end");
            server.game.play(Color::White, Move::Pass).expect("a pass is legal");
            assert_eq!(client.ok("play w pass"), "");
        }
        let whites: Vec<String> = client.ok("final_status_list dead").split_whitespace().map(String::from).collect();
        let board = server.game.position().board();
        let left = whites.iter().filter_map(|v| server.point(v)).filter(|&p| board.cell(p) == Color::White.cell());
        assert_eq!(left.count(), 0, "dead stones of White are left: {whites:?}\n{}", client.ok("showboard"));
        is_score(&client.ok("final_score"));
        assert_eq!(client.ok("kgs-game_over"), "");
    }
    client.quit();
}

#[test]
fn kgs_chat_is_answered_only_if_that_is_wanted() {
    let mut client = Client::start(&["--playouts", "100", "--size", "9"]);
    assert!(client.ok("list_commands").lines().all(|name| name != "kgs-chat"));
    assert_eq!(client.ok("known_command kgs-chat"), "false");
    assert_eq!(client.refused("kgs-chat game somebody hello"), "unknown command");
    client.quit();
    let mut client = Client::start(&["--playouts", "100", "--size", "9", "--kgs-chat"]);
    assert!(client.ok("list_commands").lines().any(|name| name == "kgs-chat"));
    assert_eq!(client.ok("known_command kgs-chat"), "true");
    assert!(client.ok("kgs-chat game somebody What is your winrate ?").contains("not thought"));
    client.ok("genmove b");
    // Words that have others inside them ask for nothing.
    for line in ["what a lovely window", "have breakfast", "both of you play well"] {
        assert!(client.refused(&format!("kgs-chat game somebody {line}")).starts_with("ask me for"), "{line}");
    }
    let said = client.ok("kgs-chat private somebody who is winning");
    assert!(said.starts_with("At move 1: ") && said.contains("% of my playouts"), "{said}");
    // The first move says little of the end of the game.
    let spread = said.split("± ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let points: f32 = spread.and_then(|points| points.trim_end_matches(['.', ',', ')']).parse().ok()).expect("points");
    assert!(points > 5.0, "{said}");
    assert!(client.ok("kgs-chat game somebody how many playouts?").contains(" playouts in "));
    assert!(client.ok("kgs-chat game somebody What version is this").contains("a Go program, with one search thread."));
    client.ok("play w pass");
    client.ok("genmove b");
    let said = client.ok("kgs-chat game somebody what is the score");
    assert!(said.starts_with("At move 3: ") && !said.contains('%'), "{said}");
    client.ok("kosumi-level 15k");
    assert!(client.ok("kgs-chat game somebody What version is this").contains("a Go program, playing at 15k."));
    assert!(client.ok("gomill-describe_engine").contains("\nlevel 15k, lag "));
    // To an error kgsGtp says what its owner has set.
    client.refused("kgs-chat game somebody hello");
    assert_eq!(client.refused("kgs-chat game"), "syntax error");
    assert_eq!(client.refused("kgs-chat"), "syntax error");
    assert_eq!(client.refused("kgs-chat loudly somebody hello"), "syntax error");
    client.quit();
}

/// CGOS's Python client: an error to anything ends its session.
#[test]
fn the_cgos_client_plays_a_game_to_the_end() {
    let mut client = Client::start(&["--rules", "cgos", "--resign-below", "0", "--playouts", "500"]);
    let commands = client.ok("list_commands");
    for needed in ["boardsize", "clear_board", "komi", "play", "genmove", "quit", "time_left", "time_settings"] {
        assert!(commands.lines().any(|name| name == needed), "{needed}");
    }
    let set_up = [
        "boardsize 9",
        "komi 7.0",
        "time_settings 10 0 0",
        "cgos-opponent_name gnugo3.8_a1",
        "cgos-opponent_rating 1800?",
        "clear_board",
    ];
    for command in set_up {
        assert_eq!(client.ok(command), "");
    }
    let mut server = Server::new(9, "cgos");
    server.game.set_komi("7.0".parse().expect("a number"));
    // It comes back after a broken connection: the moves so far, without a pause.
    for (color, vertex) in [("b", "E5"), ("w", "E3")] {
        let side = if color == "b" { Color::Black } else { Color::White };
        assert!(server.take(side, vertex));
        assert_eq!(client.ok(&format!("play {color} {vertex}")), "");
    }
    // On the server's clock each move takes 0.1 s.
    let mut left = Duration::from_secs(10);
    while !server.is_over() && server.moves() < MOST_MOVES {
        assert_eq!(client.ok(&format!("time_left b {} 0", left.as_secs())), "");
        let answer = client.ok("cgos-genmove_analyze b");
        left = left.saturating_sub(Duration::from_millis(100));
        let mut lines = answer.lines();
        let analysis: serde_json::Value =
            serde_json::from_str(lines.next().expect("a line of analysis")).expect("the analysis is JSON");
        let mv = lines.next().and_then(|line| line.strip_prefix("play ")).expect("a line `play VERTEX`");
        assert_eq!(lines.next(), None);
        assert!(analysis["moves"].is_array());
        if let Some(ownership) = analysis["ownership"].as_str() {
            assert_eq!(ownership.len(), 81);
            assert!((-400.0..400.0).contains(&analysis["score"].as_f64().expect("points")));
        }
        assert!((0.0..=1.0).contains(&analysis["winrate"].as_f64().expect("a win rate")));
        assert!(server.take(Color::Black, mv), "it never resigns");
        if !server.is_over() {
            let vertex = server.play(Color::White);
            assert_eq!(client.ok(&format!("play w {vertex}")), "");
        }
    }
    assert!(server.is_over(), "no end after {} moves", server.moves());
    // The server counts what stands, and so does the engine.
    let outcome = server.game.outcome(&kosumi::go::Statuses::ALL_ALIVE).to_string();
    assert_eq!(client.ok("final_score"), outcome);
    assert_eq!(client.ok(&format!("cgos-gameover {outcome}")), "");
    assert!(client.ok("printsgf").contains(&format!("RE[{outcome}]")));
    client.quit();
}

/// Gomill's ringmaster: questions by `known_command`, comments for the record, and exact words where it compares them.
#[test]
fn gomills_ringmaster_plays_a_game_and_keeps_comments() {
    let mut client = Client::start(&["--playouts", "150", "--resign-below", "0"]);
    assert_eq!(client.ok("name"), "Kosumi");
    client.ok("version");
    for command in [
        "gomill-describe_engine",
        "gomill-cpu_time",
        "gomill-explain_last_move",
        "gomill-genmove_ex",
        "final_score",
        "cputime",
    ] {
        assert_eq!(client.ok(&format!("known_command {command}")), "true");
    }
    assert_eq!(client.ok("known_command gomill-passthrough"), "false");
    assert!(client.ok("gomill-describe_engine").starts_with("Kosumi "));
    let mut server = Server::new(9, "chinese");
    for command in ["boardsize 9", "clear_board", "komi 7.5"] {
        assert_eq!(client.ok(command), "");
    }
    assert_eq!(client.ok("gomill-explain_last_move"), "");
    let mut claimed = false;
    while !server.is_over() && server.moves() < MOST_MOVES && !claimed {
        let answer = client.ok("gomill-genmove_ex b claim");
        claimed = answer == "claim";
        if claimed {
            break;
        }
        assert!(server.take(Color::Black, &answer), "it never resigns");
        let comment = client.ok("gomill-explain_last_move");
        assert!(comment.to_lowercase().contains(&answer.to_lowercase()), "{answer}: {comment}");
        if !server.is_over() {
            let vertex = server.play(Color::White);
            assert_eq!(client.ok(&format!("play w {vertex}")), "");
        }
    }
    assert!(server.is_over() || claimed, "no end after {} moves", server.moves());
    if claimed {
        assert!(client.ok("final_score").starts_with("B+"), "claimed, and not won");
    }
    is_score(&client.ok("final_score"));
    // Exactly these words: Gomill takes any other for a fault of the engine.
    let taken =
        server.game.position().board().points().find(|&p| server.game.position().board().cell(p).color().is_some());
    let vertex = server.vertex(Move::Play(taken.expect("there are stones")));
    assert_eq!(client.refused(&format!("play b {vertex}")), "illegal move");
    let first = cpu_time(&mut client);
    assert!(first > 0.0 && cpu_time(&mut client) >= first);
    client.quit();
}

fn cpu_time(client: &mut Client) -> f64 {
    client.ok("gomill-cpu_time").parse().expect("seconds")
}
