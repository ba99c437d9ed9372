//! The files of the page. They lie in the program; nothing comes from elsewhere.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    /// Its path.
    pub(super) path: &'static str,
    /// Its kind.
    pub(super) kind: &'static str,
    /// What is in it.
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! file {
    ($path:literal, $name:literal, $kind:expr) => {
        File { path: $path, kind: $kind, text: include_str!(concat!("page/", $name)) }
    };
}

/// The empty board of the pages of reviews, as a module.
const GRID: &str = concat!(include_str!("../review/grid.js"), "\nexport { LETTERS, STEP, drawGrid, shape, sizeOf };\n");

/// All files.
pub(super) const FILES: &[File] = &[
    file!("/", "index.html", HTML),
    file!("/style.css", "style.css", CSS),
    file!("/icon.svg", "icon.svg", PICTURE),
    file!("/main.js", "main.js", SCRIPT),
    file!("/server.js", "server.js", SCRIPT),
    file!("/board.js", "board.js", SCRIPT),
    file!("/stones.js", "stones.js", SCRIPT),
    File { path: "/grid.js", kind: SCRIPT, text: GRID },
    file!("/curve.js", "curve.js", SCRIPT),
    file!("/words.js", "words.js", SCRIPT),
    file!("/clock.js", "clock.js", SCRIPT),
    file!("/panel.js", "panel.js", SCRIPT),
    file!("/dialog.js", "dialog.js", SCRIPT),
    file!("/keys.js", "keys.js", SCRIPT),
];

/// The file at a path.
pub(super) fn at(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's whole size, which docs/web.md promises.
    const MOST: usize = 150_000;

    #[test]
    fn the_page_is_small_and_names_nothing_from_elsewhere() {
        let bytes: usize = FILES.iter().map(|file| file.text.len()).sum();
        assert!(bytes < MOST, "{bytes} bytes");
        for file in FILES {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("//cdn"), "{}", file.path);
        }
    }

    #[test]
    fn every_module_that_a_script_imports_is_there() {
        for file in FILES.iter().filter(|file| file.kind == SCRIPT) {
            for line in file.text.lines().filter(|line| line.starts_with("import ")) {
                let name = line.rsplit('"').nth(1).expect("a name in quotes");
                assert!(at(name.trim_start_matches('.')).is_some(), "{}: {name}", file.path);
            }
        }
    }
}
