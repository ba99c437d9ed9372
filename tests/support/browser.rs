//! A browser for tests: requests to `kosumi web`, and its answers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kosumi::engine::EngineOptions;
use kosumi::web::{self, Settings};
use serde_json::{Value, json};

use super::PATIENCE;

/// A server in this process.
pub struct Server {
    pub address: SocketAddr,
    /// The line that it has printed.
    pub line: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Gives on what the server prints.
pub struct Printed(Sender<Vec<u8>>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Server {
    pub fn start(engine: EngineOptions) -> Server {
        Server::listening(engine, IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    pub fn listening(engine: EngineOptions, listen: IpAddr) -> Server {
        let settings = Settings { engine, listen, ..Settings::default() };
        let (sender, printed) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || web::run(&settings, &flag, Printed(sender)).expect("a server"));
        let mut line = String::new();
        while !line.ends_with('\n') {
            line.push_str(std::str::from_utf8(&printed.recv_timeout(PATIENCE).expect("a line")).expect("text"));
        }
        let port: u16 = line.split(['/', ':']).find_map(|part| part.parse().ok()).expect("a port");
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Server { address, line, stop, thread: Some(thread) }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &[u8]) -> Answer {
        self.ask("POST", path, &[], body)
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        ask(self.address, method, path, headers, body)
    }

    /// A new tab.
    pub fn tab(&self) -> Tab<'_> {
        let state = self.post("/api/open", b"").json();
        Tab { server: self, name: state["game"].as_str().expect("a name").into() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let result = thread.join();
            assert!(result.is_ok() || thread::panicking(), "the server panicked");
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        serde_json::from_slice(&self.body).expect("JSON")
    }

    #[track_caller]
    pub fn error(&self) -> String {
        assert!(self.status >= 400, "{self:?}");
        let body: Value = serde_json::from_slice(&self.body).expect("JSON");
        body["error"].as_str().expect("a message").into()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// One request on a connection of its own. A host is added unless the headers have one.
pub fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "host") {
        head.push_str(&format!("host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).expect("sent");
    // The server may refuse a large body before it has read it.
    let _ = stream.write_all(body);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an end of the head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

/// A tab of a browser.
pub struct Tab<'a> {
    pub server: &'a Server,
    pub name: String,
}

impl Tab<'_> {
    pub fn path(&self, what: &str) -> String {
        format!("/api/{what}?game={}", self.name)
    }

    pub fn send(&self, order: &Value) -> Answer {
        self.server.post(&self.path("order"), order.to_string().as_bytes())
    }

    #[track_caller]
    pub fn order(&self, order: Value) -> Value {
        self.send(&order).json()
    }

    /// Makes these moves in turn.
    #[track_caller]
    pub fn moves(&self, vertices: &[&str]) {
        for to in vertices {
            self.order(json!({ "do": "move", "to": to }));
        }
    }

    pub fn state(&self) -> Value {
        self.server.get(&self.path("state")).json()
    }

    /// Waits for a state, as the page does.
    #[track_caller]
    pub fn wait(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if holds(&state) {
                return state;
            }
            assert!(start.elapsed() < PATIENCE, "{what}: {state}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// A new game in which the engine plays quickly.
    pub fn begin(&self, size: usize, color: &str) -> Value {
        self.order(json!({ "do": "new", "size": size, "rules": "chinese", "level": "20k", "color": color }))
    }
}

/// Does the engine do nothing for this game?
pub fn is_quiet(state: &Value) -> bool {
    state["busy"] == false
}

/// Has the log of a state a sentence with this text?
pub fn says(state: &Value, text: &str) -> bool {
    let log = state["log"].as_array().expect("a list");
    log.iter().any(|line| line["text"].as_str().expect("a text").contains(text))
}
