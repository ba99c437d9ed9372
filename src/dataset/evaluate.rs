//! The net's output for rows: a check of the trainer's integer form, and a view of what a net has learned.

use serde::Serialize;

use super::row::{Rows, RowsError};
use crate::net::{Net, Workspace};

/// The net's output for one row. The first three fields are equal bit by bit in every implementation.
#[derive(Serialize)]
struct OutputLine<'a> {
    logits: &'a [f32],
    results: &'a [f32],
    owner: &'a [f32],
    policy: &'a [f32],
    win: f32,
    draw: f32,
    loss: f32,
    lead: f32,
    spread: f32,
    ownership: &'a [f32],
}

/// Evaluates the rows of a file, and passes a line of JSON for each to `write`, until `write` fails.
///
/// # Errors
/// Why the bytes are no rows, or the error of `write`.
pub fn rows<E>(
    net: &Net,
    bytes: &[u8],
    write: &mut impl FnMut(String) -> Result<(), E>,
) -> Result<Result<(), E>, RowsError> {
    let mut workspace = Workspace::new(net);
    for planes in Rows::open(bytes)?.planes() {
        let out = net.evaluate(&mut workspace, &planes, 0);
        let points = planes.size().points();
        let line = OutputLine {
            logits: &out.raw.logits[..=points],
            results: &out.raw.results,
            owner: &out.raw.owner[..points],
            policy: out.policy(),
            win: out.win,
            draw: out.draw,
            loss: out.loss,
            lead: out.lead,
            spread: out.spread,
            ownership: out.ownership(),
        };
        let text = serde_json::to_string(&line).unwrap_or_default() + "\n";
        if let Err(error) = write(text) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}
