//! The section *Files* of ARCHITECTURE.md is complete and right: each file of `src/` is named there, and each file
//! that the page names is there.
//!
//! A file is named by its path, such as `src/game.rs`, or in the entry of a folder above it. Such an entry names the
//! folder, such as `src/go/`, and the file by the rest of its path: `board` or `board.rs`, `board/invariants.rs`. An
//! entry is a row of the table, a point of the list, or a paragraph.

use std::fs;
use std::path::Path;

use regex::Regex;

use super::{report, sources};

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).expect("ARCHITECTURE.md")
}

/// The entries of the section, each as its words in code type.
fn entries(page: &str) -> Vec<Vec<String>> {
    let section = page.split("\n## ").find(|section| section.starts_with("Files\n")).expect("the section Files");
    let words = Regex::new("`([^`]+)`").expect("a pattern");
    let split = Regex::new(r"\n\n|\n\||\n- ").expect("a pattern");
    let entries = split.split(section);
    entries.map(|entry| words.captures_iter(entry).map(|word| word[1].to_owned()).collect()).collect()
}

/// Does one of the entries name this file, `go/board.rs`?
fn is_named(entries: &[Vec<String>], path: &str) -> bool {
    entries.iter().any(|words| {
        words.iter().filter_map(|word| word.strip_prefix("src/")).any(|start| {
            let rest = path.strip_prefix(start).filter(|_| start.is_empty() || start.ends_with('/'));
            let by_folder =
                |rest: &str| words.iter().any(|word| *word == rest || Some(word.as_str()) == rest.strip_suffix(".rs"));
            path == start || rest.is_some_and(by_folder)
        })
    })
}

#[test]
fn every_file_has_its_place_in_the_picture() {
    let entries = entries(&page());
    let sources = sources();
    let missing =
        sources.iter().map(|source| source.path.display().to_string()).filter(|path| !is_named(&entries, path));
    report(missing.map(|path| format!("ARCHITECTURE.md, Files: src/{path} is missing")).collect());
}

#[test]
fn files_that_the_architecture_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = page();
    let sources = sources();
    // `decide.rs` stands for any file of that name, `engine/decide.rs` for one in a folder `engine`.
    let exists = |name: &str| root.join(name).is_file() || sources.iter().any(|source| source.path.ends_with(name));
    let named: Vec<&str> = Regex::new(r"`(?:src/)?([a-z0-9_/]+\.rs)`")
        .expect("a pattern")
        .captures_iter(&page)
        .map(|names| names.extract::<1>().1[0])
        .collect();
    assert!(named.contains(&"engine/decide.rs"), "no files were found on the page");
    report(named.iter().filter(|name| !exists(name)).map(|name| format!("there is no {name}")).collect());
}

#[test]
fn names_are_found_as_the_section_gives_them() {
    let page = "# A\n\n## Files\n\n| where | what |\n|---|---|\n| `src/game.rs` | the game |\n| `src/gtp/` | `args.rs` |\n\n\
                - `src/go/`: `point`, `board`\n  (hot), `level/rungs.rs`.\n- `src/sgf/`: `tree`.\n\n## More\n\n`src/sgf.rs`";
    let entries = entries(page);
    for named in ["game.rs", "gtp/args.rs", "go/point.rs", "go/board.rs", "go/level/rungs.rs", "sgf/tree.rs"] {
        assert!(is_named(&entries, named), "{named}");
    }
    for other in ["args.rs", "go/args.rs", "go.rs", "gtp/board.rs", "sgf.rs", "rungs.rs", "go/tree.rs"] {
        assert!(!is_named(&entries, other), "{other}");
    }
}
