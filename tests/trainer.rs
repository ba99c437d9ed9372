//! The engine against the trainer: a small net, rows, and what the trainer's own integers said of them, bit by bit.
//!
//! `python -m kosumi_training fixture training/fixture` has written the files; `training/tests/test_fixture.py` holds
//! the trainer to them.

use std::fs;
use std::path::Path;

use kosumi::dataset::evaluate;
use kosumi::net::{Kernel, Net};
use serde::Deserialize;

/// What both sides say of a row. JSON has decimals that read back to the same f32.
#[derive(Debug, Deserialize, PartialEq)]
struct Answer {
    logits: Vec<f32>,
    results: Vec<f32>,
    owner: Vec<f32>,
}

fn answers(text: &str) -> Vec<Answer> {
    text.lines().map(|line| serde_json::from_str(line).expect("an answer in each line")).collect()
}

/// A sum of `0` may have either sign, which `==` on floats ignores, as the document does.
#[test]
fn every_kernel_says_what_the_trainer_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/fixture");
    let read = |name: String| fs::read(folder.join(name)).expect("a file of the fixture");
    let weights = read("net.kosunet".into());
    for kernel in Kernel::ALL {
        if !kernel.is_available() {
            println!("skipped: this machine has no {kernel}");
            continue;
        }
        let net = Net::from_bytes(&weights).expect("the net of the fixture").with_kernel(kernel);
        for size in [2, 5, 9, 15] {
            let expected = answers(&String::from_utf8(read(format!("{size}.jsonl"))).expect("UTF-8"));
            let mut said = String::new();
            let mut write = |line: String| -> Result<(), std::convert::Infallible> {
                said += &line;
                Ok(())
            };
            let Ok(()) = evaluate::rows(&net, &read(format!("{size}.rows")), &mut write).expect("rows");
            let said = answers(&said);
            assert_eq!(said.len(), expected.len(), "{size}×{size}");
            assert!(!expected.is_empty() && expected.iter().all(|row| row.owner.len() == size * size));
            for (row, (ours, theirs)) in said.iter().zip(&expected).enumerate() {
                assert_eq!(ours, theirs, "{kernel}, {size}×{size}, row {row}");
            }
        }
    }
}
