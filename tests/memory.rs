//! `--memory` as resident size: the trees keep to it together, and all the rest is small, also what the judge of life
//! and death remembers.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Client, forget_settings};

/// What the program takes besides its trees in MiB: its code, the nets, the position of each thread, the record.
/// (Measured with one thread, as the tests build the program: 15 MiB before the first move, 24 after a judgement of life
/// and death.)
const REST: usize = 24;

/// What each further thread takes: its stack, its workspace for the net, its arena of the allocator. (Measured: 1.3
/// MiB.)
const REST_OF_A_THREAD: usize = 2;

fn peak(client: &Client) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).expect("Linux has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("there is a peak");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number of KiB") / 1024
}

fn start(memory: usize, threads: usize) -> Client {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.args(["--no-config", "--seed", "1", "--playouts", "4000"]);
    command.args(["--memory", &memory.to_string(), "--threads", &threads.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    Client::spawn(command)
}

fn assert_small(client: &Client, memory: usize, threads: usize) {
    let peak = peak(client);
    println!("--memory {memory} --threads {threads}: {peak} MiB");
    assert!(peak <= memory + REST + threads * REST_OF_A_THREAD, "{memory}, {threads} threads: {peak} MiB");
}

#[test]
fn all_trees_together_keep_to_the_memory() {
    for (memory, threads) in [(4, 1), (16, 4)] {
        let mut client = start(memory, threads);
        // Four thousand playouts fill these trees on 19×19.
        for line in ["genmove b", "genmove w", "final_score", "final_status_list dead", "reg_genmove b"] {
            client.ok(line);
        }
        client.send("kata-analyze b 1 ownership true\n");
        for _ in 0..5 {
            client.line();
        }
        client.send("name\n");
        client.lines();
        client.answer();
        assert_small(&client, memory, threads);
        client.quit();
    }
}

/// The whole board is one local game here, which nobody solves with the effort allowed. What the solver remembered of
/// the game took 70 MiB once.
#[test]
fn a_local_game_without_solution_takes_little() {
    let mut client = start(4, 1);
    client.ok("boardsize 6");
    for (color, points) in [("b", "A4 E2 F4 A5 E6"), ("w", "A3 B4 E4 C4 E5")] {
        points.split(' ').for_each(|point| _ = client.ok(&format!("play {color} {point}")));
    }
    client.ok("final_score");
    assert_small(&client, 4, 1);
    client.quit();
}
