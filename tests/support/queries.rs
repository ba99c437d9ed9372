//! A client of `kosumi analysis`: it starts the engine, sends lines of JSON and reads the answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::{PATIENCE, forget_settings};

/// A client with the engine that it has started.
pub struct Client {
    /// The engine.
    pub engine: Child,
    /// Its input; `None` once it is closed.
    pub input: Option<ChildStdin>,
    /// What it writes.
    pub lines: Receiver<String>,
}

impl Client {
    /// Starts an engine with these arguments; by default with one thread and without a net.
    pub fn start(args: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        forget_settings(&mut command);
        command.args(["analysis", "--no-config"]).args(args);
        if !args.contains(&"--memory") {
            command.args(["--memory", "64"]);
        }
        if !args.contains(&"--net") {
            command.args(["--net", "none"]);
        }
        if !args.contains(&"--threads") {
            command.args(["--threads", "1"]);
        }
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut engine = command.spawn().expect("it starts");
        let (sender, lines) = channel();
        let output = BufReader::new(engine.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        Client { input: engine.stdin.take(), engine, lines }
    }

    /// Sends a line.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.write_all(b"\n")).expect("the engine reads");
    }

    /// Sends a query.
    pub fn send(&mut self, query: &Value) {
        self.send_bytes(query.to_string().as_bytes());
    }

    /// The next answer.
    #[track_caller]
    pub fn next(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer comes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a query and waits for an answer.
    #[track_caller]
    pub fn ask(&mut self, query: &Value) -> Value {
        self.send(query);
        self.next()
    }

    /// Ends the input. Gives what came then, and the exit code.
    pub fn end(mut self) -> (Vec<Value>, Option<i32>) {
        self.input = None;
        let mut rest = Vec::new();
        // The sender goes away when the output ends.
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")));
        }
        (rest, self.engine.wait().expect("it ends").code())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails leaves no engine behind. One that has ended cannot be killed.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// A query on 9×9 with these fields besides.
pub fn query(id: &str, fields: Value) -> Value {
    let mut query =
        json!({ "id": id, "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9, "maxVisits": 20 });
    let Value::Object(fields) = fields else { panic!("no object") };
    query.as_object_mut().expect("an object").extend(fields);
    query
}
