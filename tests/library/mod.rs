//! The library of life and death in `tests/positions/`: positions whose fate is known from theory.
//!
//! A position is a line `= name | side to move | rule set` and a picture: `X` and `O` live, `x` and `o` are dead,
//! `B` and `W` are black and white stones in seki. Lines with `#` are remarks.

use std::path::{Path, PathBuf};

use kosumi::game::Game;
use kosumi::go::{Board, Color, Move, PointSet, Ruleset, Statuses, diagram};

/// A position of the library.
pub struct Case {
    /// Theme, name, size and rules.
    pub name: String,
    /// The side to move.
    pub to_move: Color,
    /// The rule set.
    pub rules: Ruleset,
    /// The stones.
    pub board: Board,
    /// What is dead and in seki.
    pub expected: Statuses,
}

/// All positions; those of the folder `STATUS_POSITIONS` instead, if that is set.
pub fn library() -> Vec<Case> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/positions");
    let folder = std::env::var_os("STATUS_POSITIONS").map_or_else(usual, PathBuf::from);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|f| f.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    files.iter().flat_map(|file| cases(file)).collect()
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with('=')).collect();
    let theme = file.file_stem().expect("a file has a name").to_string_lossy();
    starts
        .iter()
        .enumerate()
        .map(|(i, &start)| {
            let end = starts.get(i + 1).copied().unwrap_or(lines.len());
            case(&theme, &lines[start][1..], &lines[start + 1..end])
        })
        .collect()
}

fn case(theme: &str, title: &str, picture: &[&str]) -> Case {
    let parts: Vec<&str> = title.split('|').map(str::trim).collect();
    let &[name, to_move, rules] = &parts[..] else { panic!("{theme}: {title:?} is not `name | side | rules`") };
    let name = format!("{theme}: {name} {0}×{0}, {rules}", picture.len());
    let plain: String = picture.iter().map(|row| row.replace('B', "X").replace('W', "O") + "\n").collect();
    let board = diagram::parse(&plain).unwrap_or_else(|error| panic!("{name}: {error}"));
    let marks: Vec<char> = picture.iter().rev().flat_map(|row| row.chars().filter(|c| !c.is_whitespace())).collect();
    let of = |wanted: [char; 2]| -> PointSet {
        board.points().zip(&marks).filter(|&(_, c)| wanted.contains(c)).map(|(p, _)| p).collect()
    };
    Case {
        to_move: match to_move {
            "black" => Color::Black,
            "white" => Color::White,
            _ => panic!("{name}: {to_move:?} is no side"),
        },
        rules: Ruleset::by_name(rules).unwrap_or_else(|| panic!("{name}: no such rules")),
        expected: Statuses { dead: of(['x', 'o']), seki: of(['B', 'W']) },
        name,
        board,
    }
}

impl Case {
    /// The position as a game in which both sides have just passed.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.board.size(), self.rules, None);
        let stones = self.board.points().filter_map(|p| Some((self.board.cell(p).color()?, p)));
        game.set_up(stones, self.to_move).expect("the picture is a position");
        for color in [self.to_move, self.to_move.other()] {
            game.play(color, Move::Pass).expect("a pass is legal");
        }
        game
    }
}
