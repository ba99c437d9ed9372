//! Settings from the command line, the environment, a file and a preset: which wins, and what is said of wrong ones.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{self, forget_settings, run};

/// What a run has come to.
#[derive(Debug)]
struct Outcome {
    code: Option<i32>,
    out: String,
    errors: String,
}

/// Runs the program with nothing to read, no settings but these variables, and a home of its own.
fn kosumi(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.env("HOME", home).env("XDG_CONFIG_HOME", home.join("configurations")).current_dir(home);
    let output = command.envs(variables.iter().copied()).args(args).stdin(Stdio::null()).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    Outcome { code: output.status.code(), out: text(output.stdout), errors: text(output.stderr) }
}

/// The lines of `kosumi config` that set something, without their comments.
fn in_force(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> Vec<String> {
    let outcome = kosumi(home, variables, &[&["config"], args].concat());
    assert_eq!((outcome.code, &*outcome.errors), (Some(0), ""));
    let lines = outcome.out.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
    lines.map(str::to_owned).collect()
}

/// A home folder with this text in the file that is read unless another is named.
fn home(config: &str) -> TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("configurations/kosumi");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), config).expect("a file");
    home
}

#[test]
fn flags_win_over_variables_over_the_file_over_the_preset_over_defaults() {
    let home = home("preset = 'laptop'\nthreads = 3\nmemory = 33\nlag = 0.5\n");
    let (path, all) = (home.path(), [("KOSUMI_MEMORY", "44"), ("KOSUMI_LAG", "0.75")]);
    let lines = in_force(path, &all, &["--lag", "1.5"]);
    assert_eq!(lines, ["threads = 3", "time-per-move = 3", "memory = 44", "lag = 1.5", "preset = \"laptop\""]);
    assert_eq!(in_force(path, &all, &["--no-config"]), ["memory = 44", "lag = 0.75"]);
    // Whatever names a file or none first decides.
    assert_eq!(in_force(path, &[("KOSUMI_CONFIG", "no-such-file")], &["--no-config"]), [""; 0]);
    let named = home.path().join("another.toml");
    std::fs::write(&named, "memory = 77\n").expect("a file");
    let named = named.to_str().expect("a name");
    assert_eq!(in_force(path, &[("KOSUMI_NO_CONFIG", "true")], &["--config", named]), ["memory = 77"]);
    // Each says where it comes from.
    let text = kosumi(path, &all, &["config", "--lag", "1.5"]).out;
    let file = path.join("configurations/kosumi/config.toml");
    for place in [&format!("{}:2", file.display()), "KOSUMI_MEMORY", "command line", "preset laptop:4"] {
        assert!(text.contains(&format!("\n# from: {place}\n")), "{place} in {text}");
    }
}

#[test]
fn what_is_printed_gives_the_same_settings_again() {
    let home = home("");
    let args = [
        "--preset=cgos",
        "--ponder=false",
        "--komi=-3.5",
        "--log-file",
        "a \"b\" \\",
        "--seed",
        "18446744073709551615",
        "--set",
        "prior-even=3.5",
        "--set",
        "virtual_loss=2",
        "--set",
        "prior_even=4",
    ];
    let first = kosumi(home.path(), &[], &[&["config"], &args[..]].concat());
    fs::write(home.path().join("again.toml"), &first.out).expect("a file");
    let lines = in_force(home.path(), &[], &["--config", "again.toml"]);
    assert_eq!(lines, in_force(home.path(), &[], &args));
    assert!(lines.contains(&"prior_even = 4".into()) && lines.contains(&"komi = -3.5".into()), "{lines:?}");
    assert!(lines.contains(&"rules = \"cgos\"".into()), "{lines:?}");
}

#[test]
fn every_default_that_is_printed_can_be_set() {
    let home = home("");
    let printed = kosumi(home.path(), &[], &["config", "--no-config"]).out;
    // A line of a setting is a comment with an equals sign after the first word.
    let is_setting = |line: &&str| line.split_whitespace().nth(2) == Some("=");
    let set = printed.lines().filter(is_setting).count();
    let line = |line| if is_setting(&line) { line.trim_start_matches("# ") } else { line };
    let text: String = printed.lines().flat_map(|printed| [line(printed), "\n"]).collect();
    fs::write(home.path().join("all.toml"), &text).expect("a file");
    let lines = in_force(home.path(), &[], &["--config", "all.toml"]);
    let empty = printed.lines().filter(|line| line.ends_with("= \"\"")).count();
    assert!(set > 40 && empty > 4, "{printed}");
    assert_eq!(lines.len(), set - empty, "{lines:?}");
    assert_eq!(kosumi(home.path(), &[], &["gtp", "--config", "all.toml"]).errors, "");
}

#[test]
fn a_wrong_file_ends_the_program_before_it_answers() {
    let home = home("");
    let file = home.path().join("wrong.toml");
    let check = |text: &str, expected: &[&str]| {
        fs::write(&file, text).expect("a file");
        for args in
            [&["--config", "wrong.toml"][..], &["gtp", "--config=wrong.toml"], &["config", "--config=wrong.toml"]]
        {
            let outcome = kosumi(home.path(), &[], args);
            assert_eq!((outcome.code, &*outcome.out), (Some(2), ""), "{text}: {outcome:?}");
            let lines: Vec<&str> = outcome.errors.lines().collect();
            let expected: Vec<String> = expected.iter().map(|line| format!("kosumi: wrong.toml:{line}")).collect();
            assert_eq!(lines, expected, "{text}");
        }
    };
    check(
        "threads = 0\nsize = '26'\n\nthread = 1\n[search]\nprior_even = -1\n",
        &[
            "1: threads = 0: must be a whole number from 1 to 1024",
            "2: size = 26: must be a whole number from 2 to 25, or two such as 9x13",
            "4: thread = 1: no setting is called thread; did you mean threads?",
            "6: search.prior_even = -1: prior_even takes a number from 0 to 1000",
        ],
    );
    check("time-per-move = [1, 2]\n", &["1: time-per-move: must be a number, a text in quotes, true or false"]);
    check("config = 'other.toml'\n", &["1: config has no meaning in a file"]);
    check("[search]\nponder = true\n", &["2: search.ponder = true: settings stand above the table [search]"]);
    check("ponder = 'maybe'\n", &["1: ponder = maybe: must be true or false"]);
    fs::write(&file, "size = 9\nrules = aga\n").expect("a file");
    let outcome = kosumi(home.path(), &[], &["--config", "wrong.toml"]);
    assert_eq!((outcome.code, &*outcome.out), (Some(2), ""));
    assert!(outcome.errors.starts_with("kosumi: wrong.toml:2: "), "{}", outcome.errors);
    // No UTF-8, and without the mark of UTF-16.
    fs::write(&file, [0xc3, 0x28]).expect("a file");
    assert!(kosumi(home.path(), &[], &["--config", "wrong.toml"]).errors.contains("UTF-8"));
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let home = home("");
    let outcome = kosumi(home.path(), &[], &["--config", "nowhere.toml"]);
    assert_eq!((outcome.code, &*outcome.out), (Some(2), ""));
    assert!(outcome.errors.contains("--config nowhere.toml: "), "{}", outcome.errors);
    let outcome = kosumi(home.path(), &[("KOSUMI_CONFIG", ".")], &[]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.errors.contains("KOSUMI_CONFIG=.: is a folder"), "{}", outcome.errors);
}

#[test]
fn a_wrong_variable_is_named_with_its_value_and_the_range() {
    let home = home("");
    let wrong = [("KOSUMI_THREADS", "many"), ("KOSUMI_SET", "prior_even=3, klingon=4")];
    let outcome = kosumi(home.path(), &wrong, &[]);
    assert_eq!((outcome.code, &*outcome.out), (Some(2), ""));
    let lines: Vec<&str> = outcome.errors.lines().collect();
    assert_eq!(
        lines,
        [
            "kosumi: KOSUMI_THREADS=many: must be a whole number from 1 to 1024",
            "kosumi: KOSUMI_SET=klingon=4: no parameter is called klingon",
        ]
    );
    // A flag does not hide a wrong variable, and an empty one is none.
    assert_eq!(kosumi(home.path(), &wrong, &["--threads", "1"]).code, Some(2));
    assert_eq!(kosumi(home.path(), &[("KOSUMI_THREADS", "")], &[]).code, Some(0));
    // What looks like a setting and is none is pointed out, also where the settings are shown.
    let odd = [("KOSUMI_THREAD", "1"), ("KOSUMI_GNUGO", "gnugo"), ("KOSUMI_QQ", "")];
    for args in [&[][..], &["config"]] {
        let outcome = kosumi(home.path(), &odd, args);
        assert_eq!(outcome.code, Some(0));
        assert!(outcome.errors.contains("KOSUMI_THREAD is no setting; did you mean KOSUMI_THREADS?"), "{outcome:?}");
        assert!(outcome.errors.contains("KOSUMI_QQ is no setting\n"), "{outcome:?}");
        assert!(!outcome.errors.contains("GNUGO"), "{outcome:?}");
    }
}

#[test]
fn the_variables_of_tests_are_no_misspelt_settings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = regex::Regex::new(r#"var(?:_os)?\("(KOSUMI_[A-Z_]+)"\)"#).expect("a pattern");
    let mut open = vec![root.join("tests"), root.join("src"), root.join("examples")];
    let mut found = std::collections::BTreeSet::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).expect("text");
                found.extend(name.captures_iter(&text).map(|names| names[1].to_owned()));
            }
        }
    }
    assert!(found.len() > 4, "{found:?}");
    let variables: Vec<(&str, &str)> = found.iter().map(|name| (name.as_str(), "1")).collect();
    assert_eq!(kosumi(home("").path(), &variables, &["config"]).errors, "");
}

#[test]
fn a_wrong_flag_is_named_with_its_value_and_the_range() {
    let home = home("");
    for (args, words) in [
        (&["--threads", "0"][..], &["'0'", "--threads", "from 1 to 1024"][..]),
        (&["--set", "prior_even=x"], &["'prior_even=x'", "--set", "from 0 to 1000"]),
        (&["--preset", "toaster"], &["'toaster'", "--preset", "laptop, server, cgos, kgs, ogs"]),
        (&["--time-per-move", "-1"], &["'-1'", "--time-per-move", "from 0 to 86400"]),
        (&["gtp", "--seed", "-1"], &["'-1'", "--seed", "from 0 to "]),
        (&["play", "--handicap", "1"], &["'1'", "--handicap", "0 for none, or a whole number from 2 to 625"]),
        (&["--net-kernel", "none"], &["'none'", "--net-kernel", "plain, neon, neon-dot, sse41"]),
        (&["bench", "--threads", "-2"], &["'-2'", "--threads", "from 1 to 1024"]),
        (&["-5"], &["'-5'"]),
        (&["games/one.SGF"], &["'games/one.SGF'", "loadsgf games/one.SGF"]),
        (&["--log-file", "/no/such/folder/log"], &["log-file /no/such/folder/log: No such file"]),
        (&["--log-level", "loud"], &["'loud'", "--log-level", "off, error, warn, info, debug, trace"]),
    ] {
        let outcome = kosumi(home.path(), &[], args);
        assert_eq!((outcome.code, &*outcome.out), (Some(2), ""), "{args:?}");
        assert!(words.iter().all(|word| outcome.errors.contains(word)), "{args:?}: {}", outcome.errors);
    }
}

#[test]
fn a_flag_that_means_nothing_here_is_named_and_the_program_starts() {
    let home = home("level = '5k'\nsize = 9\n");
    fs::write(home.path().join("a.sgf"), "(;SZ[5];B[cc])").expect("a file");
    for (args, ignored, counts) in [
        (
            &["analysis", "--level", "9k", "--komi", "5", "--rules", "aga"][..],
            &["level", "komi"][..],
            &["rules", "size"],
        ),
        (
            &["review", "a.sgf", "--visits", "1", "--size", "9", "--ponder", "--komi", "3"],
            &["size", "ponder"],
            &["komi", "level"],
        ),
        (&["play", "--gtp-ready", "--level", "20k"], &["gtp-ready"], &["level", "size"]),
    ] {
        let outcome = kosumi(home.path(), &[], args);
        let said = |name: &&str| outcome.errors.contains(&format!("--{name} means nothing in kosumi {}", args[0]));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(ignored.iter().all(said) && !counts.iter().any(said), "{outcome:?}");
    }
}

#[test]
fn every_preset_is_good_and_sets_something() {
    let home = home("");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let mut names = Vec::new();
    for file in fs::read_dir(folder).expect("presets/ can be read") {
        let path = file.expect("presets/ can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        // Those of `kosumi teach` have a form of their own; a test in `src/teach/settings.rs` reads them.
        if name.starts_with("teach-") {
            continue;
        }
        // As a file of its own, where faults are told, and by its name.
        let as_file = in_force(home.path(), &[], &["--config", path.to_str().expect("a name")]);
        let mut as_preset = in_force(home.path(), &[], &["--preset", &name]);
        as_preset.retain(|line| !line.starts_with("preset = "));
        assert_eq!(as_file, as_preset);
        assert!(as_file.len() >= 3, "{name}: {as_file:?}");
        names.push(name);
    }
    let has = |preset, line: &str| {
        let all = in_force(home.path(), &[], &["--preset", preset]);
        assert!(all.iter().any(|other| other == line), "{preset}: {line} is not in {all:?}");
    };
    // What loses games or leaves people without a word if it is missing.
    has("cgos", "rules = \"cgos\"");
    has("ogs", "gtp2ogs = true");
    names.sort();
    assert_eq!(names, ["cgos", "kgs", "laptop", "ogs", "server"]);
}

#[test]
fn settings_reach_the_engine() {
    let home = home("size = 7\nrules = 'aga'\n[search]\nprior_even = 12.5\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.env("XDG_CONFIG_HOME", home.path().join("configurations")).env("KOSUMI_KOMI", "3");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = support::run(command, "get_komi\nkosumi-rules\nkosumi-param prior_even\nplay b h8\nplay b g7\n");
    let answers: Vec<&str> = run.answers.iter().map(|answer| answer.text.as_str()).collect();
    assert_eq!(answers, ["3", "aga", "12.5", "illegal move", ""]);
    assert!(run.status.success());
}

#[test]
fn a_rule_set_is_given_by_name_or_by_parts_that_go_together() {
    let home = home("");
    let refusal = |rules: &str| {
        let outcome = kosumi(home.path(), &[], &["--no-config", "--rules", rules]);
        assert_eq!((outcome.code, &*outcome.out), (Some(2), ""), "{rules}");
        outcome.errors
    };
    assert!(refusal("koSIMPLEscoreTERRITORYsupply40").contains("a limited supply of stones needs area scoring"));
    assert!(refusal("nonsense").contains("must be one of chinese, new-zealand"));
    for (rules, name) in [("korean", "japanese"), ("koSIMPLEscoreAREAtaxALL", "stone-scoring")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        forget_settings(&mut command);
        command.args(["--no-config", "--rules", rules]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        assert_eq!(support::run(command, "kosumi-rules\n").answers[0].text, name);
    }
}

#[test]
fn a_man_page_and_completions_are_made_of_the_options() {
    let home = home("threads = 'wrong, but nobody asks'");
    let page = kosumi(home.path(), &[], &["man"]);
    assert_eq!((page.code, &*page.errors), (Some(0), ""));
    assert!(page.out.contains("\\-\\-time\\-per\\-move") && page.out.contains(".SH \"KOSUMI MATCH\""), "{}", page.out);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = kosumi(home.path(), &[], &["completions", shell]);
        assert!(script.code == Some(0) && script.out.contains("time-per-move"), "{shell}");
    }
    assert_eq!(kosumi(home.path(), &[], &["completions", "dos"]).code, Some(2));
}

/// More memory than the system gives is no failure: the program says what it takes instead.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_named_and_the_rest_is_taken() {
    let home = home("");
    let shell = |limit: &str, args: &str| {
        let mut command = Command::new("sh");
        forget_settings(&mut command);
        let kosumi = env!("CARGO_BIN_EXE_kosumi");
        let line = format!("{limit}; exec {kosumi} --no-config --size 9 --seed 1 --playouts 300 {args}");
        command.args(["-c", &line]).current_dir(home.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        run(command, "genmove b\nfinal_score\nname\n")
    };
    // Address space for a part of the memory, and for fewer threads than are asked for.
    let refused = shell("ulimit -v 450000", "--memory 2048 --threads 1");
    assert!(refused.status.success() && refused.answers.iter().all(|answer| answer.ok), "{}", refused.errors);
    assert!(refused.errors.contains(" MiB for the search; it would give about "));
    assert!(refused.errors.contains("; the search takes "), "{}", refused.errors);
    let refused = shell("ulimit -v 450000", "--memory 16 --threads 64");
    assert!(refused.status.success() && refused.answers.iter().all(|answer| answer.ok), "{}", refused.errors);
    assert!(refused.errors.contains("cannot start 64 search threads: "), "{}", refused.errors);
    assert!(!refused.errors.contains("MiB"), "{}", refused.errors);
}

#[test]
fn a_thousand_threads_are_as_many_as_make_sense() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.args(["--no-config", "--size", "5", "--playouts", "300", "--threads", "1024"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let asked = run(command, "genmove b\n");
    assert!(asked.status.success() && asked.answers[0].ok);
    let most = kosumi::search::most_threads();
    if most < 1024 {
        let words = format!("1024 search threads make no sense on this machine: {most} search\n");
        assert!(asked.errors.contains(&words), "{}", asked.errors);
    }
}
