//! A clock that engines move: scripts of a shell say how long they take, and no time passes. So a match on this clock
//! gives the same on every machine.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kosumi::time::TimeSource;

/// Two pipes with names, on which scripts ask for time to pass and are told that it has passed. One engine at a time
/// may ask.
pub struct Stopwatch {
    /// The clock.
    pub time: TimeSource,
    wishes: PathBuf,
    answers: PathBuf,
    thread: Option<JoinHandle<()>>,
}

impl Stopwatch {
    /// A clock whose pipes lie in this folder.
    pub fn start(folder: &Path) -> Stopwatch {
        let [wishes, answers] = ["wishes", "answers"].map(|name| folder.join(name));
        let made = Command::new("mkfifo").args([&wishes, &answers]).status().expect("mkfifo can be started");
        assert!(made.success(), "mkfifo: {made}");
        let time = TimeSource::stopped();
        let (clock, paths) = (time.clone(), (wishes.clone(), answers.clone()));
        let thread = thread::spawn(move || while grant(&clock, &paths.0, &paths.1).is_some() {});
        Stopwatch { time, wishes, answers, thread: Some(thread) }
    }

    /// Two functions for a script. `take 3500` returns when 3500 ms have passed. `hang 4000` never returns, and 4000 ms
    /// pass meanwhile.
    pub fn functions(&self) -> String {
        let (wishes, answers) = (self.wishes.display(), self.answers.display());
        format!(
            "take() {{ echo take $1 >'{wishes}'; read -r granted <'{answers}'; }}\n\
             hang() {{ echo hang $1 >'{wishes}'; exec sleep 600; }}\n"
        )
    }
}

/// Waits for a wish and lets the time pass. `None` at the end.
fn grant(time: &TimeSource, wishes: &Path, answers: &Path) -> Option<()> {
    let mut line = String::new();
    BufReader::new(File::open(wishes).ok()?).read_line(&mut line).ok()?;
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        // The writer of the last wish has closed the pipe only now.
        [] => {}
        ["take", millis] => {
            time.advance(Duration::from_millis(millis.parse().ok()?));
            // Fails if the engine has gone.
            let _ = OpenOptions::new().write(true).open(answers).and_then(|mut pipe| pipe.write_all(b"granted\n"));
        }
        ["hang", millis] => time.advance(Duration::from_millis(millis.parse().ok()?)),
        _ => return None,
    }
    Some(())
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        // Who opens a pipe for both directions waits for nobody, and nobody waits for another end then.
        let both = |path: &Path| OpenOptions::new().read(true).write(true).open(path);
        let (answers, wishes) = (both(&self.answers), both(&self.wishes));
        if let (Ok(_answers), Ok(mut wishes), Some(thread)) = (answers, wishes, self.thread.take())
            && wishes.write_all(b"end\n").is_ok()
        {
            let _ = thread.join();
        }
    }
}
