//! Proves that the search plays with a net, and that a user can choose the net.

use std::sync::Arc;

use kosumi::net::{CachedNet, Kernel, Net, random};
use kosumi::playout::PolicyKind;
use kosumi::search::params::Tunables;
use kosumi::search::{Evaluators, Params, Report, Request, SearchOptions};

use crate::support::searched::{Line, check_report, options, run, searcher};
use crate::support::{Client, program, run as run_program};

/// The bytes of a small net with random weights.
fn weights(seed: u64) -> Vec<u8> {
    random::file(&random::description(2, 32), seed)
}

fn evaluators(kernel: Kernel) -> Evaluators {
    let net = Net::from_bytes(&weights(1)).expect("a net").with_kernel(kernel);
    Evaluators::of(Some(&Arc::new(CachedNet::new(net))), PolicyKind::Tactical)
}

fn search(kernel: Kernel, size: usize, threads: usize, second_share: f32) -> (Report, Line) {
    let line = Line::empty(size);
    let params = Params { second_share, ..Params::with_net(size) };
    let request = Request { evaluators: evaluators(kernel), params, ..line.request(400, None) };
    (run(&mut searcher(SearchOptions { threads, ..options() }), &request), line)
}

#[test]
fn every_kernel_leads_to_the_same_search() {
    let visits = |kernel| {
        let (report, _) = search(kernel, 9, 1, 0.5);
        report.moves.iter().map(|m| (m.mv, m.visits, m.value.to_bits(), m.prior.to_bits())).collect::<Vec<_>>()
    };
    let plain = visits(Kernel::Plain);
    for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
        assert_eq!(visits(kernel), plain, "{kernel}");
    }
}

#[test]
fn a_search_with_a_net_counts_what_it_does_with_any_share_and_number_of_threads() {
    for (size, threads, share) in [(9, 1, 0.5), (9, 3, 0.5), (13, 2, 1.0), (2, 1, 1.0), (9, 1, 0.0)] {
        let (report, line) = search(Kernel::best(), size, threads, share);
        assert_eq!((report.playouts, report.visits), (400, 400), "{size} {threads} {share}");
        check_report(&report, &line.position);
    }
    // A random net's values count too.
    let values = |share| {
        let (report, _) = search(Kernel::best(), 9, 1, share);
        report.moves.iter().map(|m| (m.mv, m.value.to_bits())).collect::<Vec<_>>()
    };
    assert_ne!(values(0.5), values(0.0));
}

#[test]
fn a_net_evaluates_alone_unless_the_user_sets_a_share() {
    let evaluators = evaluators(Kernel::best());
    let mut tunables = Tunables::default();
    tunables.set("second_share", "0.35").expect("a tunable");
    for size in [9, 13, 19] {
        let usual = evaluators.defaults(size);
        assert!(evaluators.is_net_alone(&usual), "{size}");
        let beside = evaluators.params(size, &tunables);
        assert_eq!(beside, Params { second_share: 0.35, ..Params::with_net(size) });
        assert_ne!(beside.exploration, usual.exploration, "{size}");
    }
}

#[test]
fn the_value_of_a_net_reaches_the_report() {
    let value = |share: f32| search(Kernel::best(), 9, 1, share).0.value;
    let (playouts, both, net) = (value(0.0), value(0.5), value(1.0));
    assert!((playouts - net).abs() > 0.05, "the random net must differ from playouts: {playouts} and {net}");
    assert!(both > playouts.min(net) && both < playouts.max(net), "{playouts}, {both}, {net}");
}

#[test]
fn a_wrong_weight_file_ends_the_program_with_a_reason() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let cases = [
        (file("cut-off.kosunet", &weights(2)[..1000]), "cut off"),
        (file("foreign.kosunet", b"(;GM[1])"), "no weight file"),
        (folder.path().join("missing.kosunet"), "missing.kosunet"),
        (folder.path().into(), "no regular file"),
    ];
    for (path, reason) in cases {
        let mut command = program(&[]);
        command.arg("--net").arg(path);
        let run = run_program(command, "name\n");
        assert_eq!(run.status.code(), Some(2), "{reason}: {}", run.errors);
        assert!(run.errors.contains(reason), "{reason}: {}", run.errors);
        assert_eq!(run.answers, [], "no command is answered");
    }
}

#[test]
fn the_net_is_shown_and_changed_over_gtp_and_an_error_leaves_the_old_one() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("a net.kosunet");
    std::fs::write(&file, weights(3)).expect("a file");
    let mut client = Client::start(&["--playouts", "50", "--net", "none"]);
    assert_eq!(client.ok("kosumi-net"), "none");
    assert_eq!(client.refused("kata-raw-nn 0"), "there is no net");
    // The board is too small for every net, but its moves have probabilities, which add up to 1.
    let mut small = Client::start(&["--playouts", "50", "--size", "5"]);
    small.ok("play b C3");
    assert_eq!(small.ok("kosumi-net"), "none");
    let raw = small.ok("kata-raw-nn 0");
    let of = |from: &str, to: &str| -> Vec<f64> {
        let text = raw.split(from).nth(1).and_then(|rest| rest.split(to).next()).expect("a part of the answer");
        text.split_whitespace().filter_map(|word| word.parse().ok()).filter(|share: &f64| !share.is_nan()).collect()
    };
    let (plays, pass) = (of("policy\n", "policyPass"), of("policyPass", "whiteOwnership"));
    assert!((plays.iter().chain(&pass).sum::<f64>() - 1.0).abs() < 1e-3, "{raw}");
    // Black has the middle.
    let owners = of("whiteOwnership", "the end");
    assert!(owners.len() == 25 && owners[12] < -0.3, "{raw}");
    assert!(of("whiteWin", "whiteLoss")[0] < 0.5, "{raw}");
    assert_eq!(small.ok("kata-raw-nn 0"), raw);
    small.quit();
    client.ok(&format!("kosumi-net {}", file.display()));
    let shown = client.ok("kosumi-net");
    assert!(shown.starts_with(&random::description(2, 32).name), "{shown}");
    assert!(client.refused("kosumi-net /nowhere/at all").starts_with("the net /nowhere/at all cannot be read: "));
    assert_eq!(client.ok("kosumi-net"), shown);
    client.ok("boardsize 9");
    let raw = client.ok("kata-raw-nn all");
    for word in ["symmetry ", "whiteWin ", "policyPass ", "whiteOwnership"] {
        assert_eq!(raw.matches(word).count(), 8, "{word} in {raw}");
    }
    // For each symmetry: ten lines of numbers, two headings, the pass, and twice nine rows.
    assert_eq!(raw.lines().count(), 8 * (10 + 2 + 1 + 2 * 9), "{raw}");
    assert!(client.refused("kata-raw-nn 8").starts_with("the symmetry"));
    // As in KataGo, a side may stand before the symmetry, and an optimism behind it.
    let first = client.ok("kata-raw-nn 0");
    assert_eq!(client.ok("kata-raw-nn b 0"), first);
    assert_eq!(client.ok("kata-raw-nn black 0 0.5"), first);
    assert_ne!(client.ok("kata-raw-nn w 0"), first);
    assert!(client.refused("kata-raw-nn 0 2").starts_with("the optimism"));
    assert_eq!(client.refused("kata-raw-nn 0 0.5 1"), "syntax error");
    // The side that is not to move sees the stones and no moves: as if the position had been set up.
    client.ok("play b C3");
    let blacks = client.ok("kata-raw-nn b 0");
    client.ok("set_position b C3");
    assert_eq!(client.ok("kata-raw-nn 0"), blacks);
    client.ok("clear_board");
    client.ok("genmove b");
    client.quit();
}
