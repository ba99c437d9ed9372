//! What a session writes: answers, some of which come line by line (the status first, lines as they are found, an empty
//! line at the end), and asides for programs that read more than answers.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::input::Input;
use super::protocol::{self, Call};
use crate::engine::Watch;
use crate::search::Report;
use crate::time::TimeSource;

/// Where answers and asides go.
pub struct Stream {
    output: Box<dyn Write + Send>,
    /// Where GoGui's drawings and the thoughts for gtp2ogs go.
    asides: Box<dyn Write + Send>,
    input: Arc<Input>,
    time: TimeSource,
    /// The number of the call that is being answered.
    id: String,
    /// Has the status of its answer been written already?
    open: bool,
    /// Why nothing can be written any more.
    broken: Option<io::Error>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("id", &self.id).field("open", &self.open).finish_non_exhaustive()
    }
}

/// The first line of an analysis waits for so many visits: the results of fewer say little, and clients show them.
/// (A first line of 300 visits changed by more than ten points too often, see `docs/win-rates.md`.)
const FIRST_VISITS: u64 = 1000;

/// But it waits no longer than this, nor than the interval.
const FIRST_WAIT: Duration = Duration::from_millis(100);

impl Stream {
    /// Writes answers to `output`, and all else to `asides`. The commands come from `input`.
    pub fn new(
        output: impl Write + Send + 'static,
        asides: impl Write + Send + 'static,
        input: Arc<Input>,
        time: TimeSource,
    ) -> Stream {
        let (output, asides) = (Box::new(output), Box::new(asides));
        Stream { output, asides, input, time, id: String::new(), open: false, broken: None }
    }

    /// The next answer is to this call.
    pub(super) fn begin(&mut self, request: &Call) {
        self.id.clone_from(&request.id);
        self.open = false;
    }

    /// Ends the answer with its text, or with the part that has not been written.
    ///
    /// # Errors
    /// If the text, or a line before it, could not be written.
    pub(super) fn finish(&mut self, request: &Call, result: &Result<String, String>) -> io::Result<()> {
        let text = if self.open { protocol::rest(result) } else { protocol::reply(request, result) };
        self.write(&text);
        self.broken.take().map_or(Ok(()), Err)
    }

    /// The running command ends with any line of input from now on.
    pub fn end_with_any_line(&self) {
        self.input.end_with_any_line();
    }

    /// Has another line of input come?
    pub fn has_line(&self) -> bool {
        self.input.has_line()
    }

    /// Writes the status of the answer, a success, on a line of its own, and does some work while reports come. `line`
    /// makes a line of the first report with a thousand visits, or of the first one after a tenth of a second, and
    /// of one report in each `interval` after it. `last` is told whether there has been a line. If `last` picks a
    /// report from the result of the work, `line` makes the last line of this report. Reports of which `line` makes
    /// none are left out.
    ///
    /// The search does not wait for the reader: a slow reader gets fewer lines.
    pub fn lines<R>(
        &mut self,
        interval: Option<Duration>,
        line: impl Fn(&Report) -> Option<String>,
        work: impl FnOnce(&mut Watch<'_>) -> R,
        last: impl FnOnce(&R, bool) -> Option<&Report>,
    ) -> R {
        self.open = true;
        self.write(&format!("={}\n", self.id));
        // When the next report is due; `None` for never.
        let mut due = interval.map(|_| self.time.now());
        let patience = interval.and_then(|interval| self.time.now().checked_add(interval.min(FIRST_WAIT)));
        let mut has_line = false;
        let result = work(&mut |report| {
            let now = self.time.now();
            if due.is_none_or(|due| now < due) {
                return;
            }
            let Some(report) = report() else { return };
            if !has_line && report.visits < FIRST_VISITS && patience.is_none_or(|patience| now < patience) {
                return;
            }
            // A report that says nothing yet, as that of a search that has just begun, does not put off the next one.
            if let Some(text) = line(&report) {
                self.write(&format!("{text}\n"));
                has_line = true;
                due = interval.and_then(|interval| now.checked_add(interval));
            }
        });
        if let Some(text) = last(&result, has_line).and_then(line) {
            self.write(&format!("{text}\n"));
        }
        result
    }

    /// Writes text that is no part of an answer. It is no error if nobody reads it.
    pub(super) fn write_aside(&mut self, text: &str) {
        let _ = self.asides.write_all(text.as_bytes()).and_then(|()| self.asides.flush());
    }

    fn write(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        if let Err(error) = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush()) {
            self.broken = Some(error);
            // Nobody reads the rest, so the work can end.
            self.input.stop();
        }
    }
}
