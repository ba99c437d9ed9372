//! Proves the architecture: who may use whom. [`LAYERS`] is its shortest statement. A module fails here that uses one
//! that its row does not name, or has no row. So does a row without a module, and a row that allows what nobody uses.
//!
//! A file fails that prints, that does not say what it holds, that has grown too long, that is part of a circle
//! (`circles.rs`), or that has no place in ARCHITECTURE.md (`picture.rs`).

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

mod circles;
mod picture;

/// Each top-level module of `src/`, highest first, and the modules that it may use.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "main",
        &[
            "cli", "web", "analysis", "play", "review", "gtp", "bench", "matches", "teach", "selfplay", "dataset",
            "net", "engine", "file",
        ],
    ),
    (
        "cli",
        &[
            "cluster", "web", "analysis", "review", "gtp", "teach", "matches", "selfplay", "dataset", "net", "engine",
            "search", "playout", "file", "clock", "go", "time",
        ],
    ),
    (
        "teach",
        &[
            "matches", "review", "selfplay", "dataset", "search", "playout", "net", "file", "sgf", "game", "clock",
            "go", "time",
        ],
    ),
    ("web", &["child", "play", "review", "view", "engine", "search", "sgf", "game", "record", "clock", "go", "time"]),
    (
        "matches",
        &["child", "engine", "search", "playout", "file", "identity", "sgf", "game", "record", "clock", "go", "time"],
    ),
    ("analysis", &["view", "engine", "search", "net", "game", "record", "go"]),
    ("play", &["view", "engine", "file", "sgf", "game", "record", "go"]),
    ("review", &["progress", "view", "engine", "search", "file", "sgf", "game", "record", "go"]),
    ("gtp", &["view", "engine", "search", "net", "file", "sgf", "game", "record", "clock", "go", "time"]),
    (
        "selfplay",
        &["progress", "dataset", "identity", "chance", "engine", "search", "playout", "net", "sgf", "game", "go"],
    ),
    ("bench", &["search", "playout", "net", "go"]),
    ("cluster", &["search", "playout", "net", "go"]),
    ("dataset", &["chance", "playout", "net", "file", "sgf", "game", "record", "go"]),
    ("chance", &["playout"]),
    ("progress", &[]),
    ("view", &["engine", "search", "go"]),
    ("engine", &["search", "playout", "net", "game", "clock", "go", "time", "wide_hash"]),
    ("search", &["playout", "net", "go", "time"]),
    ("playout", &["go"]),
    ("net", &["go", "wide_hash"]),
    ("sgf", &["record"]),
    ("child", &[]),
    ("file", &[]),
    ("identity", &[]),
    ("game", &["record", "go"]),
    ("record", &["go"]),
    ("clock", &[]),
    ("go", &[]),
    ("time", &[]),
    ("wide_hash", &[]),
];

/// Modules that may print: they are what stands between the program and its user.
const MAY_PRINT: &[&str] = &["main", "cli", "gtp", "bench", "matches"];

const LONGEST_FILE: usize = 600;

struct Source {
    path: PathBuf,
    /// `gtp` for `src/gtp.rs` and for all below `src/gtp/`.
    module: String,
    text: String,
}

impl Source {
    /// The text without comments, and with `crate::` for as many `super::` as lead out of the module.
    fn code(&self) -> String {
        let lines = self.text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
        let depth = self.path.iter().filter(|&part| part != "mod.rs").count();
        let to_root = Regex::new(&format!(r"\b(?:super\s*::\s*){{{depth}}}")).expect("a pattern");
        to_root.replace_all(&lines.collect::<Vec<_>>().join("\n"), "crate::").into_owned()
    }

    /// The top-level modules that it uses. `main.rs` has one of its own, whose names it uses as they are.
    fn uses(&self) -> Vec<String> {
        let mut found = uses(&self.code());
        if self.module == "main" && self.text.contains("\nmod cli;") {
            found.push("cli".to_owned());
        }
        found
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("src/ can be read") {
            let path = entry.expect("src/ can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let path_in_src = path.strip_prefix(&root).expect("a file below src/").to_path_buf();
                let first = path_in_src.iter().next().expect("a path has a part").to_string_lossy();
                let module = first.trim_end_matches(".rs").to_owned();
                found.push(Source {
                    text: fs::read_to_string(&path).expect("a source file"),
                    path: path_in_src,
                    module,
                });
            }
        }
    }
    assert!(found.iter().any(|source| source.module == "go"), "no sources were found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The top-level modules that code names: `crate::go::…`, `crate::{go, game::Game}`, and the same by the crate's
/// own name, as `main.rs` says it.
fn uses(code: &str) -> Vec<String> {
    let path = Regex::new(r"\b(?:crate|kosumi)\s*::\s*(?:r#)?([a-z_]\w*)").expect("a pattern");
    let group = Regex::new(r"\b(?:crate|kosumi)\s*::\s*\{").expect("a pattern");
    let mut found: Vec<String> = path.captures_iter(code).map(|names| names[1].to_owned()).collect();
    for start in group.find_iter(code) {
        let mut depth = 0;
        let mut name = String::new();
        for c in code[start.end()..].chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => found.push(std::mem::take(&mut name)),
                _ if depth == 0 => name.push(c),
                _ => {}
            }
        }
        found.push(name);
    }
    let first = |name: &String| name.trim().trim_start_matches("r#").split([':', ' ']).next().map(str::to_owned);
    found.iter().filter_map(first).filter(|name| !name.is_empty()).collect()
}

fn allowed(module: &str) -> Option<&'static [&'static str]> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|&(_, below)| below)
}

fn report(failures: Vec<String>) {
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_module_has_its_row_in_the_table() {
    let unknown = sources()
        .iter()
        .filter(|source| source.module != "lib" && allowed(&source.module).is_none())
        .map(|s| format!("src/{}: `{}` is no module of LAYERS: add it to the table", s.path.display(), s.module))
        .collect();
    report(unknown);
}

#[test]
fn every_row_of_the_table_has_its_module() {
    let sources = sources();
    let without = LAYERS
        .iter()
        .filter(|(name, _)| !sources.iter().any(|source| source.module == *name))
        .map(|(name, _)| format!("`{name}` of LAYERS is no module of src/: take its row out"))
        .collect();
    report(without);
}

#[test]
fn every_module_uses_only_those_below_it() {
    let mut failures = Vec::new();
    for source in sources() {
        // lib.rs declares the modules.
        let Some(below) = allowed(&source.module) else { continue };
        for name in source.uses() {
            // Items of the crate's root, if there are any, belong to no layer.
            if allowed(&name).is_some() && name != source.module && !below.contains(&name.as_str()) {
                failures.push(format!(
                    "src/{} uses `{name}`, which is not below `{}`",
                    source.path.display(),
                    source.module
                ));
            }
        }
    }
    report(failures);
}

#[test]
fn the_table_allows_nothing_that_nobody_uses() {
    let sources = sources();
    let mut failures = Vec::new();
    for (module, below) in LAYERS {
        let of_module = sources.iter().filter(|source| source.module == *module);
        let used: Vec<String> = of_module.flat_map(Source::uses).collect();
        let unused = below.iter().filter(|&name| !used.iter().any(|used| used == name));
        failures.extend(unused.map(|name| format!("`{module}` does not use `{name}`: take it out of LAYERS")));
    }
    report(failures);
}

#[test]
fn the_table_has_no_cycle() {
    for (i, (module, below)) in LAYERS.iter().enumerate() {
        for name in *below {
            assert!(LAYERS[i + 1..].iter().any(|(lower, _)| lower == name), "`{name}` does not stand below `{module}`");
        }
    }
}

#[test]
fn the_board_does_not_know_what_is_made_of_it() {
    let above = Regex::new(
        r"\b(?:super|go)::(?:\{[^}]*\b)?(?:score|position|rules|life)\b|\b(?:Position|Ruleset|Score|Komi)\b",
    )
    .expect("a pattern");
    let board = sources().into_iter().filter(|s| s.path.starts_with("go/board.rs") || s.path.starts_with("go/board"));
    let mut files = 0;
    for source in board {
        files += 1;
        if let Some(found) = above.find(&source.code()) {
            panic!("src/{} knows of `{}`", source.path.display(), found.as_str());
        }
    }
    assert!(files > 0, "there is no src/go/board.rs");
}

#[test]
fn only_the_outermost_modules_print() {
    let print = Regex::new(r"\bprint(ln)?!").expect("a pattern");
    let failures = sources()
        .iter()
        .filter(|source| !MAY_PRINT.contains(&source.module.as_str()) && print.is_match(&source.code()))
        .map(|source| format!("src/{} prints to standard output", source.path.display()))
        .collect();
    report(failures);
}

#[test]
fn every_file_says_first_what_it_holds() {
    let failures = sources()
        .iter()
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| format!("src/{} does not begin with `//!`", source.path.display()))
        .collect();
    report(failures);
}

#[test]
fn no_file_is_too_long() {
    let failures = sources()
        .iter()
        .map(|source| (source, source.text.lines().count()))
        .filter(|&(_, lines)| lines > LONGEST_FILE)
        .map(|(source, lines)| format!("src/{} has {lines} lines, more than {LONGEST_FILE}", source.path.display()))
        .collect();
    report(failures);
}

#[test]
fn paths_are_recognized_in_all_their_forms() {
    let names = |code: &str| uses(code).join(" ");
    assert_eq!(names("use crate::go::{Board, Color};"), "go");
    assert_eq!(names("use crate::{go, game::Game, search::{node, tree}};"), "go game search");
    assert_eq!(names("let game = crate::game::Game::new();\nuse kosumi::cli::Flags;"), "game cli");
    assert_eq!(names("pub(crate) fn f() {} use super::board::Board;"), "");
    let source = |path: &str, text: &str| Source { path: path.into(), module: String::new(), text: text.to_owned() };
    assert_eq!(names(&source("go.rs", "//! See [crate::gtp].\nlet a = 1; // crate::cli").code()), "");
    assert_eq!(names(&source("game.rs", "use super::gtp::Reply;").code()), "gtp");
    assert_eq!(names(&source("go/board.rs", "use super::color::Color; use super::super::game::Game;").code()), "game");
}
