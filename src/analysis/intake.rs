//! What a line of input asks for: a query joins the queue, an action is carried out. Errors are told in KataGo's words,
//! with the id where there is one, and the intake goes on.

use std::collections::HashSet;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answer::without_results;
use super::fields::{Fault, Fields, start as shown};
use super::lines::{self, LONGEST_LINE, Line};
use super::options::AnalysisOptions;
use super::outbox::Outbox;
use super::query;
use super::queue::Queue;
use super::weight::Scales;

/// The release of KataGo whose protocol this is. Clients compare the number to know which fields they may send.
const VERSION: &str = "1.15.3";

const ACTIONS: &str = "'action' field must be 'query_version' or 'query_models' or 'clear_cache' or 'terminate' or \
                       'terminate_all'";

/// Takes the input in.
#[derive(Debug)]
pub(super) struct Intake<'a> {
    options: &'a AnalysisOptions,
    queue: &'a Queue,
    outbox: &'a Outbox,
    scales: Scales,
}

type Object = Map<String, Value>;

impl<'a> Intake<'a> {
    /// An intake before the first line.
    pub(super) fn new(options: &'a AnalysisOptions, queue: &'a Queue, outbox: &'a Outbox) -> Intake<'a> {
        Intake { options, queue, outbox, scales: Scales::default() }
    }

    /// Takes lines until the input ends, or until nobody reads the answers.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn read(&self, mut source: impl BufRead) -> std::io::Result<()> {
        while let Some(line) = lines::next(&mut source)? {
            match line {
                Line::TooLong => {
                    self.error(None, &format!("Request line is longer than {LONGEST_LINE} bytes, ignoring it"))
                }
                Line::Text(text) => {
                    if catch_unwind(AssertUnwindSafe(|| self.take(text.trim_ascii()))).is_err() {
                        self.error(None, "internal error");
                    }
                }
            }
            if self.outbox.is_broken() {
                self.queue.abandon();
                break;
            }
        }
        Ok(())
    }

    fn take(&self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        let text = || shown(&String::from_utf8_lossy(&line[..line.len().min(1000)]));
        let object = match serde_json::from_slice(line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => {
                return self
                    .error(None, &format!("Request line was valid json but was not an object, ignoring: {}", text()));
            }
            Err(error) => {
                return self.error(None, &format!("{error} - could not parse input line as json request: {}", text()));
            }
        };
        let Some(id) = object.get("id").and_then(Value::as_str).map(str::to_owned) else {
            return self.error(None, "Request must have a string \"id\" field");
        };
        let result = match object.get("action").and_then(Value::as_str).map(str::to_owned) {
            Some(action) => self.act(&id, &action, object),
            None => self.add(&id, &object, line.len()),
        };
        if let Err(fault) = result {
            self.outbox.post(&json!({ "id": id, "field": fault.field, "error": fault.message }));
        }
    }

    /// Puts a query into the queue.
    fn add(&self, id: &str, object: &Object, bytes: usize) -> Result<(), Fault> {
        let Some(weight) = self.scales.take(bytes) else {
            self.error(Some(id), "Too many queries are waiting, ignoring this one");
            return Ok(());
        };
        let engine = &self.options.engine;
        let mut asked = query::read(id, Fields(object), &self.options.settings, &engine.rules)?;
        for warning in &asked.warnings {
            self.outbox.post(&json!({ "id": id, "field": warning.field, "warning": warning.message }));
        }
        asked.query.weight = Some(weight);
        self.queue.add(&Arc::new(asked.query), asked.turns);
        Ok(())
    }

    /// Carries out an action. Its answer is the object itself, with what was asked for.
    fn act(&self, id: &str, action: &str, mut object: Object) -> Result<(), Fault> {
        match action {
            "query_version" => {
                object.insert("version".into(), json!(VERSION));
                object.insert("git_hash".into(), json!("<omitted>"));
                object.insert("kosumi".into(), json!(env!("CARGO_PKG_VERSION")));
            }
            "query_models" => {
                object.insert("models".into(), self.models());
            }
            "clear_cache" => self.options.engine.nets.all().iter().for_each(|net| net.forget()),
            "terminate" => {
                let message = "Requests for a terminate action must have a string \"terminateId\" field";
                let meant = object.get("terminateId").and_then(Value::as_str);
                let meant = meant.ok_or_else(|| Fault::new("terminateId", message))?.to_owned();
                self.terminate(&object, |id| id == meant)?;
            }
            "terminate_all" => self.terminate(&object, |_| true)?,
            _ => {
                self.error(Some(id), ACTIONS);
                return Ok(());
            }
        }
        self.outbox.post(&Value::Object(object));
        Ok(())
    }

    fn terminate(&self, object: &Object, is_meant: impl Fn(&str) -> bool) -> Result<(), Fault> {
        let message = "If provided, must be an array of integers indicating turns to terminate";
        let turns = Fields(object).wholes("turnNumbers", message)?;
        // Many orders may wait, and each is looked for.
        let turns = turns.map(|turns| turns.into_iter().collect::<HashSet<i64>>());
        let has_turn = |turn: usize| turns.as_ref().is_none_or(|turns| turns.contains(&(turn as i64)));
        for order in self.queue.terminate(|id, turn| is_meant(id) && has_turn(turn)) {
            self.outbox.post(&without_results(&order.query, order.turn));
        }
        Ok(())
    }

    fn models(&self) -> Value {
        let model = |name: &str, version: u32| {
            json!({
                "name": name,
                "internalName": name,
                "maxBatchSize": 1,
                "usesHumanSLProfile": false,
                "usingFP16": "false",
                "version": version,
            })
        };
        let nets = self.options.engine.nets.all().iter().map(|net| net.net().description());
        nets.map(|net| model(&net.name, net.planes)).collect()
    }

    fn error(&self, id: Option<&str>, message: &str) {
        let mut error = json!({ "error": message });
        if let Some(id) = id {
            error["id"] = json!(id);
        }
        log::info!("{error}");
        self.outbox.post(&error);
    }
}
