//! A case for each line of the four documents whose rules Kosumi was made to play, named after document and line as
//! `docs/rules.md` lists them (that page names the lines that are a matter for the players alone), and for the points
//! on which engines go wrong.

mod fridge_go;
mod gaming_zone;
mod new_zealand;
mod nine_by_nine;
mod pitfalls;

use std::io::Write as _;
use std::process::{Command, Stdio};

use kosumi::game::Game;
use kosumi::go::rules::{CHINESE, KoRule};
use kosumi::go::{Color, Position, Ruleset};

use crate::support::positions::{self, board};

const SIMPLE: Ruleset = Ruleset { ko: KoRule::Simple, ..CHINESE };

/// The position of a picture, Black to move.
fn position(picture: &str, rules: Ruleset) -> Position {
    positions::position(picture, Color::Black, rules)
}

fn game_from(picture: &str, rules: Ruleset) -> Game {
    let board = board(picture);
    let mut game = Game::new(board.size(), rules, None);
    let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
    game.set_up(stones, Color::Black).expect("the picture is a position");
    game
}

/// The program's replies to these lines, one a command: `= …` or `? …`.
fn gtp(options: &[&str], lines: &str) -> Vec<String> {
    let mut process = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["--no-config", "--threads", "1", "--playouts", "500", "--memory", "32"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = process.stdin.take().expect("its input is a pipe");
    for line in lines.lines() {
        writeln!(input, "{}", line.trim()).expect("the program reads");
    }
    drop(input);
    let output = process.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("replies are UTF-8");
    let replies: Vec<String> = text.split("\n\n").filter(|r| !r.is_empty()).map(|r| r.trim().to_owned()).collect();
    assert_eq!(replies.len(), lines.lines().filter(|line| !line.trim().is_empty()).count(), "{text}");
    replies
}

/// The last of the replies.
fn last_reply(options: &[&str], lines: &str) -> String {
    gtp(options, lines).pop().expect("there is a reply")
}
