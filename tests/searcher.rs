//! The background searcher: jobs are started, looked at, stopped, joined; and what machines can tell each other of a
//! root.

use std::sync::Arc;
use std::time::Duration;

use kosumi::go::{Color, Move};
use kosumi::playout::Rng;
use kosumi::search::evaluate::{Evaluator, Leaf};
use kosumi::search::{
    Control, EarlyStop, Evaluators, Handle, Known, Params, Reach, Report, Request, Search, SearchError, SearchOptions,
    Searcher, WhichTree,
};
use kosumi::time::TimeSource;

use crate::support::searched::{Line, check_report, options, run, search, searcher};

/// A report of a running search. On a busy machine there may be none at first.
fn look(handle: &Handle) -> Arc<Report> {
    loop {
        if let Some(report) = handle.report() {
            return report;
        }
    }
}

#[test]
fn a_job_is_started_looked_at_stopped_and_joined() {
    let searcher = Searcher::new(SearchOptions { threads: 2, ..options() }).expect("a searcher");
    let line = Line::empty(9);
    let handle = searcher.start(line.request(u64::MAX, None));
    let first = look(&handle);
    let second = look(&handle);
    assert!(second.playouts >= first.playouts);
    assert!(!handle.is_over());
    assert!(!handle.wait(Duration::from_millis(1)));
    handle.stop();
    let last = handle.join().expect("a search");
    assert!(last.playouts >= second.playouts);
    check_report(&last, &line.position);
}

#[test]
fn jobs_run_one_after_another_and_keep_the_tree() {
    let searcher = Searcher::new(options()).expect("a searcher");
    let line = Line::empty(9);
    let handles: Vec<_> = (0..3).map(|_| searcher.start(line.request(200, None))).collect();
    let visits: Vec<u64> = handles.into_iter().map(|handle| handle.join().expect("a search").visits).collect();
    assert_eq!(visits, [200, 400, 600]);
    searcher.forget();
    assert_eq!(searcher.start(line.request(200, None)).join().expect("a search").visits, 200);
    // A question aside leaves it as it is.
    let aside = Request { tree: WhichTree::Aside, ..line.request(50, None) };
    assert_eq!(searcher.start(aside).join().expect("a search").visits, 50);
    assert_eq!(searcher.start(line.request(10, None)).join().expect("a search").visits, 210);
}

#[test]
fn a_job_that_nobody_holds_is_stopped() {
    let searcher = Searcher::new(options()).expect("a searcher");
    drop(searcher.start(Line::empty(9).request(u64::MAX, None)));
    // The next one has its turn.
    let next = searcher.start(Line::empty(7).request(10, None));
    assert_eq!(next.join().expect("a search").playouts, 10);
    // So does the end of the program, with a job that still runs.
    let running = searcher.start(Line::empty(9).request(u64::MAX, None));
    running.stop();
    drop(searcher);
    assert!(running.is_over());
}

struct Bomb;

impl Evaluator for Bomb {
    fn evaluate(&mut self, _: &mut Leaf, _: &mut Rng) {
        panic!("this panic is meant");
    }
}

#[test]
fn a_job_that_breaks_off_says_so_and_the_next_one_works() {
    let searcher = Searcher::new(SearchOptions { threads: 2, ..options() }).expect("a searcher");
    let line = Line::empty(9);
    let evaluators = Evaluators::made(|_| Box::new(Bomb));
    let broken = searcher.start(Request { evaluators, ..line.request(100, None) });
    assert!(matches!(broken.join(), Err(SearchError::Broken)));
    // A watcher's panic is no better.
    let watched = searcher.start_watched(line.request(u64::MAX, None), |_| panic!("this panic is meant"));
    assert!(matches!(watched.join(), Err(SearchError::Broken)));
    assert_eq!(searcher.start(line.request(100, None)).join().expect("a search").visits, 100);
}

/// Time limits are those of the time source, so a test can let an hour pass at once.
#[test]
fn limits_by_time_heed_the_time_source() {
    let time = TimeSource::stopped();
    let searcher = Searcher::new(SearchOptions { time: time.clone(), ..options() }).expect("a searcher");
    let mut request = Line::empty(9).request(u64::MAX, None);
    request.limits.playouts = None;
    request.limits.hard = Some(Duration::from_secs(3600));
    let handle = searcher.start(request.clone());
    // However long this takes, by its clock no time passes.
    while look(&handle).playouts < 300 {}
    assert!(!handle.is_over());
    time.advance(Duration::from_secs(3599));
    look(&handle);
    assert!(!handle.is_over());
    time.advance(Duration::from_secs(1));
    let report = handle.join().expect("a search");
    assert_eq!(report.elapsed, Duration::from_secs(3600));
    // The soft limit waits for a move that is in doubt; early stops do not depend on the machine, either.
    request.limits.soft = Some(Duration::from_secs(10));
    request.limits.early_stop = EarlyStop::Never;
    request.limits.hard = None;
    let handle = searcher.start(request);
    look(&handle);
    time.advance(Duration::from_secs(11));
    assert_eq!(handle.join().expect("a search").elapsed, Duration::from_secs(11));
}

#[test]
fn settings_of_a_request_are_its_own_and_leave_no_trace() {
    let line = Line::empty(9);
    let mut searcher = searcher(SearchOptions { threads: 2, ..options() });
    assert_eq!(search(&mut searcher, &line, 300).visits, 300);
    let params = Params { score_share: 0.5, ..Params::default() };
    let special = Request {
        params,
        seed: 99,
        threads: Some(1),
        tree: WhichTree::Aside,
        ..line.request(100, Some(&[Move::Pass, line.position.board().points().next().map_or(Move::Pass, Move::Play)]))
    };
    let once = run(&mut searcher, &special);
    assert_eq!(once.visits, 100);
    assert_eq!(once.moves.len(), 2);
    // One thread and a seed: the same again, whatever lies between.
    let values = |report: &kosumi::search::Report| report.moves.iter().map(|m| m.value.to_bits()).collect::<Vec<_>>();
    assert_eq!(search(&mut searcher, &line, 100).visits, 400, "the kept tree is there");
    assert_eq!(values(&run(&mut searcher, &special)), values(&once));
    // In the kept tree other tunables begin anew: its statistics would not be theirs.
    let others = Request { params: Params { score_share: 0.5, ..Params::default() }, ..line.request(10, None) };
    assert_eq!(run(&mut searcher, &others).visits, 10);
}

#[test]
fn what_another_machine_tells_counts_once_and_is_not_told_back() {
    let line = Line::empty(7);
    let reach = Reach { share: 0.0, ..Reach::default() };
    // What another machine has found, told in two messages.
    let mut told = Known::default();
    let mut messages = Vec::new();
    let mut other = Search::new(options()).expect("memory");
    for playouts in [300, 500] {
        let request = Request { seed: 5, ..line.request(playouts, None) };
        let mut nodes = Vec::new();
        other.run(&request, &Control::new(), &mut |running| nodes = running.near(&reach)).expect("a search");
        messages.push(told.news(&nodes, usize::MAX));
    }
    let others: u64 =
        messages.iter().flatten().filter(|node| node.path.is_empty()).map(|node| node.amount.visits).sum();
    assert!(others > 0, "the other machine has told something");
    assert!(messages.iter().flatten().any(|node| node.path.len() == 2), "and not of the root alone");
    let mut first = Search::new(options()).expect("memory");
    let mut known = Known::default();
    let mut merged = false;
    let mut news = Vec::new();
    let report = first
        .run(&line.request(20_000, None), &Control::new(), &mut |running| {
            if !merged && running.playouts() > 100 {
                for message in &messages {
                    running.learn(&mut known, message, 0);
                }
                merged = true;
            }
            if merged {
                news.extend(known.news(&running.near(&reach), usize::MAX));
            }
        })
        .expect("a search");
    assert!(merged);
    assert_eq!(report.visits, report.playouts + others, "reports use the sums");
    let back: u64 = news.iter().filter(|node| node.path.is_empty()).map(|node| node.amount.visits).sum();
    assert!((1..=report.playouts).contains(&back), "what came from outside is not told again");
    let best = &report.moves[0];
    assert!(best.visits > 1000 && (0.0..=1.0).contains(&best.value) && line.position.to_move() == Color::Black);
}

#[test]
fn playouts_of_other_machines_count_for_the_limit() {
    let line = Line::empty(7);
    let mut search = Search::new(SearchOptions { threads: 0, ..options() }).expect("memory");
    let mut told = false;
    let mut own = 0;
    let report = search
        .run(&line.request(2000, None), &Control::new(), &mut |running| {
            if !told {
                running.learn(&mut Known::default(), &[], 1500);
                told = true;
            }
            own = running.playouts() - 1500;
        })
        .expect("a search");
    assert_eq!(report.playouts, 2000);
    assert_eq!((own, report.visits), (500, 500));
}
