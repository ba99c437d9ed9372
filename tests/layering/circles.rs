//! No circles between files. A file uses another when a path in its code leads to an item of that file.
//!
//! - `mod child;` and `pub use child::Item;` are no uses: a parent declares its children and passes their names on.
//! - A path through a name that was passed on leads to the file where the item stands. So a child that says
//!   `super::Item` uses the parent only if `Item` stands in the parent's own file; then the parent must not use that
//!   child, nor anything that uses it.
//! - Tests at the end of a file do not count.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::{Source, report, sources};

/// Circles that are tolerated: `(file, file that it uses)`, without which there would be none. The list is empty and
/// never grows. A line that is not needed fails, too.
const KNOWN: &[(&str, &str)] = &[];

/// A path of the crate, from its root.
type Path = Vec<String>;

/// A name in a file and what it stands for.
struct Import {
    name: String,
    path: Path,
    /// Is it passed on to others?
    passed_on: bool,
}

/// All files of `src/` as modules.
struct Crate {
    /// The file of each module.
    files: BTreeMap<Path, String>,
    imports: BTreeMap<Path, Vec<Import>>,
}

fn module_of(source: &Source) -> Path {
    let path = source.path.with_extension("");
    let mut module: Path = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

/// The code without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

fn words(path: &str) -> Path {
    path.split("::")
        .map(|part| part.trim().trim_start_matches("r#").to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// The paths of what stands after `use`, each with the name that it gets.
fn branches(tree: &str) -> Vec<(Path, String)> {
    let tree = tree.trim();
    let Some((stem, rest)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim())));
        let mut path = words(path);
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let name = name.map(str::to_owned).or_else(|| path.last().cloned()).unwrap_or_default();
        return vec![(path, name)];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    let ends = inner.char_indices().chain([(inner.len(), ',')]);
    for (i, c) in ends {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(
                    branches(&format!("{stem}{}", &inner[start..i])).into_iter().filter(|(path, _)| !path.is_empty()),
                );
                start = i + 1;
            }
            _ => {}
        }
    }
    // `{a, b,}` ends with an empty branch, which would be the stem alone.
    let stem = words(stem);
    found.retain(|(path, _)| *path != stem || inner.contains("self"));
    found
}

impl Crate {
    fn read(sources: &[Source]) -> Crate {
        let files = sources.iter().map(|s| (module_of(s), s.path.display().to_string())).collect();
        let mut found = Crate { files, imports: BTreeMap::new() };
        let uses = Regex::new(r"(?s)\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);").expect("a pattern");
        for source in sources {
            let module = module_of(source);
            let imports = uses
                .captures_iter(&code(&source.text))
                .flat_map(|parts| branches(&parts[2]).into_iter().map(move |branch| (branch, parts.get(1).is_some())))
                .filter_map(|((path, name), passed_on)| {
                    found.rooted(&module, &path).map(|path| Import { name, path, passed_on })
                })
                .collect();
            found.imports.insert(module, imports);
        }
        found
    }

    /// A path as it stands in a module, from the root; `None` if it leads out of the crate or nowhere known.
    fn rooted(&self, module: &Path, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let mut start = match first.as_str() {
            "crate" | "kosumi" => Path::new(),
            "self" => module.clone(),
            "super" => {
                let mut parent = module.clone();
                parent.pop()?;
                return if rest.is_empty() { Some(parent) } else { self.rooted_in(parent, rest) };
            }
            name => {
                let mut child = module.clone();
                child.push(name.to_owned());
                if self.files.contains_key(&child) {
                    child
                } else {
                    self.imports.get(module)?.iter().find(|import| import.name == name)?.path.clone()
                }
            }
        };
        start.extend(rest.iter().cloned());
        Some(start)
    }

    fn rooted_in(&self, mut module: Path, rest: &[String]) -> Option<Path> {
        if rest.first().is_some_and(|first| first == "super") {
            return self.rooted(&module, rest);
        }
        module.extend(rest.iter().cloned());
        Some(module)
    }

    /// The file in which the item of a path stands; `None` for a path that names a module and no item.
    fn file(&self, path: &[String]) -> Option<&str> {
        let depth = (0..path.len()).rev().find(|&depth| self.files.contains_key(&path[..depth]))?;
        if self.files.contains_key(path) {
            return None;
        }
        let (module, item) = (&path[..depth], &path[depth]);
        match self.imports.get(module)?.iter().find(|import| import.passed_on && import.name == *item) {
            Some(import) => {
                let mut passed_on = import.path.clone();
                passed_on.extend(path[depth + 1..].iter().cloned());
                self.file(&passed_on)
            }
            None => self.files.get(module).map(String::as_str),
        }
    }

    /// Which file uses which.
    fn uses(&self, sources: &[Source]) -> BTreeSet<(String, String)> {
        let statement = Regex::new(r"(?s)\b(?:pub(?:\([^)]*\))?\s+)?use\s+[^;]+;").expect("a pattern");
        let path = Regex::new(r"\b[a-z_]\w*(?:\s*::\s*\w+)+").expect("a pattern");
        let mut found = BTreeSet::new();
        for source in sources {
            let (module, code) = (module_of(source), code(&source.text));
            let imported =
                self.imports[&module].iter().filter(|import| !import.passed_on).map(|import| import.path.clone());
            let code = statement.replace_all(&code, "");
            let in_code = path.find_iter(&code).filter_map(|path| self.rooted(&module, &words(path.as_str())));
            let here = source.path.display().to_string();
            for path in imported.chain(in_code) {
                if let Some(there) = self.file(&path).filter(|there| *there != here) {
                    found.insert((here.clone(), there.to_owned()));
                }
            }
        }
        found
    }
}

/// The files that can be reached from each other, with the uses among them.
fn circles(uses: &BTreeSet<(String, String)>) -> Vec<Vec<(String, String)>> {
    let reached = |from: &String| {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(file) = open.pop() {
            for (_, next) in uses.iter().filter(|(user, _)| user == file) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let files: BTreeSet<&String> = uses.iter().map(|(user, _)| user).collect();
    let reached: BTreeMap<&String, BTreeSet<&String>> = files.into_iter().map(|file| (file, reached(file))).collect();
    let both = |a: &String, b: &String| {
        reached.get(a).is_some_and(|seen| seen.contains(b)) && reached.get(b).is_some_and(|seen| seen.contains(a))
    };
    let mut found: Vec<Vec<(String, String)>> = Vec::new();
    for (user, used) in uses.iter().filter(|(user, used)| both(user, used)) {
        match found.iter_mut().find(|circle| both(&circle[0].0, user)) {
            Some(circle) => circle.push((user.clone(), used.clone())),
            None => found.push(vec![(user.clone(), used.clone())]),
        }
    }
    found
}

fn all_uses() -> BTreeSet<(String, String)> {
    let sources = sources();
    Crate::read(&sources).uses(&sources)
}

/// All uses without those of `KNOWN`, one of which may be left in.
fn unknown_uses(left_in: Option<&(&str, &str)>) -> BTreeSet<(String, String)> {
    let without: Vec<_> = KNOWN.iter().filter(|&known| Some(known) != left_in).collect();
    let known = |user: &str, used: &str| without.iter().any(|&&(a, b)| (a, b) == (user, used));
    all_uses().into_iter().filter(|(user, used)| !known(user, used)).collect()
}

#[test]
fn no_circle_of_files() {
    let line = |circle: Vec<(String, String)>| {
        let lines: Vec<String> = circle.iter().map(|(user, used)| format!("  {user} uses {used}")).collect();
        format!("a circle:\n{}", lines.join("\n"))
    };
    report(circles(&unknown_uses(None)).into_iter().map(line).collect());
}

#[test]
fn every_known_circle_is_still_one() {
    let gone = KNOWN.iter().filter(|known| circles(&unknown_uses(Some(known))).is_empty());
    report(gone.map(|(user, used)| format!("{user} -> {used} closes no circle: take it out of KNOWN")).collect());
}

#[test]
fn uses_are_found_in_all_their_forms() {
    let source = |path: &str, text: &str| Source { path: path.into(), module: String::new(), text: text.to_owned() };
    let uses = |files: &[(&str, &str)]| {
        let sources: Vec<Source> = files.iter().map(|(path, text)| source(path, text)).collect();
        let found = Crate::read(&sources).uses(&sources);
        found.into_iter().map(|(user, used)| format!("{user}>{used}")).collect::<Vec<_>>().join(" ")
    };
    // To declare a child and to pass its names on is no use; a name that was passed on leads to where it stands.
    let parent = ("go.rs", "mod board;\nmod point;\npub use board::Board;\npub use point::{Point, NONE as NOWHERE};");
    assert_eq!(uses(&[parent, ("go/board.rs", "use super::Point;"), ("go/point.rs", "")]), "go/board.rs>go/point.rs");
    assert_eq!(
        uses(&[parent, ("go/board.rs", "fn f() -> bool { super::NOWHERE.is() }"), ("go/point.rs", "")]),
        "go/board.rs>go/point.rs"
    );
    // An item of the parent's own file is the parent's.
    assert_eq!(uses(&[parent, ("go/board.rs", "use super::Size;"), ("go/point.rs", "")]), "go/board.rs>go.rs");
    // Groups, names of one's own for a module, modules in paths, the root under both its names.
    let lib = ("lib.rs", "pub mod go;\npub mod game;");
    let rest = [parent, ("go/board.rs", ""), ("go/point.rs", ""), lib];
    let game = |text: &'static str| uses(&[&[("game.rs", text)], &rest[..]].concat());
    assert_eq!(game("use crate::go::{self, board::{Board, Chain}};"), "game.rs>go/board.rs");
    assert_eq!(game("use crate::go::point as p;\nfn f(a: p::Set) {}"), "game.rs>go/point.rs");
    assert_eq!(game("fn f() { kosumi::go::point::set(); }"), "game.rs>go/point.rs");
    assert_eq!(game("use crate::go::{Board, Other,};"), "game.rs>go.rs game.rs>go/board.rs");
    // Neither comments, nor tests at the end, nor the names of modules alone.
    assert_eq!(
        game("//! See [crate::go::Board].\nuse crate::go;\n#[cfg(test)]\nmod tests { use crate::go::Board; }"),
        ""
    );
    // A parent that uses its child, whose child uses it.
    let child = ("go/board.rs", "use super::Size;");
    let files = [("go.rs", "mod board;\nstruct Size;\nfn f() { board::g(); }"), child];
    let sources: Vec<Source> = files.iter().map(|(path, text)| source(path, text)).collect();
    assert_eq!(circles(&Crate::read(&sources).uses(&sources)).len(), 1);
}
