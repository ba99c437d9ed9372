//! Runs every script in `gtp-scripts/` and checks its expectations; see the README there for their form.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use kosumi::gtp::commands::COMMANDS;
use kosumi::gtp::protocol;
use regex::RegexBuilder;

use crate::support::{Answer, run, seeded};

/// Playouts a move in every script.
const PLAYOUTS: &str = "1000";

/// Seeds with which problems are tried: what one of them finds with so few playouts is luck, so the answer has to be
/// right with most of them. All other scripts run with the first.
const SEEDS: [&str; 5] = ["1", "2", "3", "4", "5"];

/// The error texts that the specification fixes: an answer with such a text is an error, and no success.
const FIXED_ERRORS: &[&str] = &[
    "unknown command",
    "syntax error",
    "unacceptable size",
    "illegal move",
    "cannot undo",
    "cannot load file",
    "invalid number of stones",
    "board not empty",
    "bad vertex list",
];

/// A command of a script that gets an answer.
struct Step {
    /// Its line, counted from 1.
    line: usize,
    /// Its number in the script; empty if there is none.
    id: String,
    command: String,
    expectation: Option<Expectation>,
}

/// A line `#? [pattern]`.
struct Expectation {
    pattern: String,
    /// `[!pattern]`: the answer must not match.
    negated: bool,
    /// `[pattern]*`: the test is known to fail.
    fails: bool,
}

impl Expectation {
    fn parse(text: &str) -> Result<Expectation, String> {
        let text = text.trim();
        let (text, fails) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.ok_or_else(|| format!("no pattern in brackets: {text}"))?.trim();
        let (pattern, negated) = inner.strip_prefix('!').map_or((inner, false), |inner| (inner, true));
        Ok(Expectation { pattern: pattern.into(), negated, fails })
    }

    /// Is the answer what is expected? (That a test is known to fail is the caller's to know.)
    fn is_met(&self, answer: &Answer) -> Result<bool, String> {
        let whole = format!("\\A(?:{})\\z", self.pattern);
        let regex = RegexBuilder::new(&whole).dot_matches_new_line(true).multi_line(true).build();
        let regex = regex.map_err(|error| error.to_string())?;
        let matches = regex.is_match(&answer.text);
        if answer.ok {
            let text = answer.text.as_str();
            // The reason may follow the fixed text.
            let is_error =
                FIXED_ERRORS.iter().any(|error| *error == text.split_once(": ").map_or(text, |(start, _)| start));
            return Ok(matches != self.negated && !is_error);
        }
        // An error is expected where its text is: not by a pattern that takes anything, or anything but something.
        Ok(matches && !self.negated && !regex.is_match(""))
    }
}

/// The commands of a script with what is expected of them.
fn steps(script: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    // A test line belongs to the command right before it.
    let mut open = false;
    for (i, line) in script.lines().enumerate() {
        let line_number = i + 1;
        if let Some(text) = line.trim().strip_prefix("#?") {
            let step = steps.last_mut().filter(|step| open && !step.id.is_empty());
            let step = step.ok_or(format!("line {line_number}: no numbered command right before"))?;
            step.expectation = Some(Expectation::parse(text).map_err(|error| format!("line {line_number}: {error}"))?);
            open = false;
        } else if let Some(request) = protocol::parse(line.as_bytes()) {
            let command = [&[request.name], &request.arguments[..]].concat().join(" ");
            steps.push(Step { line: line_number, id: request.id, command, expectation: None });
            open = true;
        } else {
            open = false;
        }
    }
    Ok(steps)
}

/// Runs a script in its own folder; says all that is wrong.
fn check(path: &Path) -> Vec<String> {
    let script = fs::read_to_string(path).expect("a script can be read");
    let steps = match steps(&script) {
        Ok(steps) => steps,
        Err(error) => return vec![error],
    };
    let folder = path.parent().expect("a file lies in a folder");
    let seeds = if folder.ends_with("tactics") { &SEEDS[..] } else { &SEEDS[..1] };
    let mut faults = Vec::new();
    let mut misses: Vec<Vec<String>> = steps.iter().map(|_| Vec::new()).collect();
    for seed in seeds {
        let mut command = seeded(seed, &["--playouts", PLAYOUTS]);
        command.current_dir(folder);
        let run = run(command, script.clone());
        if !run.status.success() {
            faults.push(format!("ended with {}", run.status));
        }
        // A record that a script has refused on purpose is told there, too.
        let errors: Vec<&str> = run.errors.lines().filter(|line| !line.contains(" WARN ] loadsgf ")).collect();
        if !errors.is_empty() {
            faults.push(format!("standard error: {}", errors.join("\n")));
        }
        if run.answers.len() != steps.len() {
            faults.push(format!("{} answers to {} commands", run.answers.len(), steps.len()));
        }
        for ((step, answer), misses) in steps.iter().zip(&run.answers).zip(&mut misses) {
            if answer.id != step.id {
                faults.push(format!("line {}: the answer has the number {:?}", step.line, answer.id));
            }
            let is_met = match &step.expectation {
                None => Ok(answer.ok),
                Some(expectation) => expectation.is_met(answer),
            };
            match is_met {
                Err(error) => faults.push(format!("line {}: {error}", step.line)),
                Ok(true) => {}
                Ok(false) => misses.push(format!("{} {}", if answer.ok { '=' } else { '?' }, answer.text)),
            }
        }
    }
    for (step, misses) in steps.iter().zip(&misses) {
        let expectation = step.expectation.as_ref();
        // A command that is no test has to succeed every time.
        let fails = misses.len() * 2 > if expectation.is_some() { seeds.len() } else { 0 };
        if fails != expectation.is_some_and(|expectation| expectation.fails) {
            let expected = match expectation {
                None => "success".into(),
                Some(Expectation { fails: true, .. }) => "a failure, as it is marked".into(),
                Some(Expectation { pattern, negated: true, .. }) => format!("not {pattern}"),
                Some(Expectation { pattern, .. }) => pattern.clone(),
            };
            let found = misses.join(", ");
            faults.push(format!("line {}: {} {}: expected {expected}, not: {found}", step.line, step.id, step.command));
        }
    }
    faults
}

/// The scripts, in the order of their names.
fn scripts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("gtp-scripts")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "gtp") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_script_gets_the_answers_it_expects() {
    let scripts = scripts();
    assert!(scripts.len() >= 20, "only {} scripts were found", scripts.len());
    let next = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = scripts.get(next.fetch_add(1, Relaxed)) {
                    let found = check(path);
                    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path);
                    faults
                        .lock()
                        .unwrap()
                        .extend(found.into_iter().map(|fault| format!("{}: {fault}", name.display())));
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_command_is_tested_in_a_script() {
    let mut tested: Vec<String> = Vec::new();
    for path in scripts() {
        let script = fs::read_to_string(path).expect("a script can be read");
        let steps = steps(&script).unwrap_or_default();
        let with_test = steps.into_iter().filter(|step| step.expectation.is_some());
        tested.extend(with_test.filter_map(|step| step.command.split(' ').next().map(String::from)));
    }
    let missing: Vec<_> =
        COMMANDS.iter().map(|command| command.name).filter(|name| !tested.iter().any(|t| t == name)).collect();
    assert!(missing.is_empty(), "no script in gtp-scripts/ has a numbered line with an expectation for {missing:?}");
}

#[test]
fn numbers_in_a_script_are_used_once() {
    for path in scripts() {
        let script = fs::read_to_string(&path).expect("a script can be read");
        let mut ids: Vec<String> = Vec::new();
        for step in steps(&script).expect("a script can be read") {
            let used = !step.id.is_empty() && ids.contains(&step.id);
            assert!(!used, "{}: line {}: the number {} is used twice", path.display(), step.line, step.id);
            ids.push(step.id);
        }
    }
}

/// The checks of this file can fail: what they say of answers that are right and wrong.
#[test]
fn expectations_tell_right_from_wrong() {
    let answer = |ok, text: &str| Answer { ok, id: "1".into(), text: text.into() };
    let met = |pattern: &str, ok, text: &str| Expectation::parse(pattern).unwrap().is_met(&answer(ok, text)).unwrap();
    assert!(met("[D4|E5]", true, "E5"));
    assert!(!met("[D4|E5]", true, "E55"), "the whole answer has to match");
    assert!(!met("[D4|E5]", true, "xD4"));
    assert!(met("[!D4]", true, "E5") && !met("[!D4]", true, "D4"));
    assert!(met("[]", true, "") && !met("[]", true, "A1"));
    assert!(met("[a.*c]", true, "a\nb\nc"), "a dot matches line ends");
    assert!(met("[illegal move]", false, "illegal move"));
    assert!(!met("[illegal move]", true, "illegal move"), "a success does not have an error's text");
    assert!(!met("[.*]", false, "internal error"), "no error passes unexpected");
    assert!(!met("[]", false, "") && !met("[!D4]", false, "illegal move"));
    assert!(Expectation::parse("[x]*").unwrap().fails);
    assert!(Expectation::parse("x]").is_err() && Expectation::parse("[x").is_err());
    assert!(steps("play b A1\n#? []\n").is_err(), "a test needs a number");
    assert!(steps("1 name\n\n#? [Kosumi]\n").is_err(), "a test stands right below its command");
}
