//! One search of several ranks in one process: what is counted, who is left out, and that nobody waits.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use kosumi::cluster::office::Office;
use kosumi::cluster::simulation::Simulation;
use kosumi::cluster::{Settings, follow, lead};
use kosumi::go::Move;
use kosumi::net::Nets;
use kosumi::search::{Control, Params, Partnership, Reach, Report, Request, Search, SearchOptions};

use crate::support::PATIENCE;
use crate::support::searched::{Line, options, run, search};

fn simulated(ranks: usize, round: u64) -> Search {
    simulated_within(ranks, round, Reach::default())
}

fn simulated_within(ranks: usize, round: u64, reach: Reach) -> Search {
    let simulation = Simulation::new(ranks, round, reach, 16, Nets::none()).expect("memory");
    let partners = Some(Partnership::new(simulation));
    Search::new(SearchOptions { threads: 0, partners, ..options() }).expect("memory")
}

fn visits(report: &Report) -> Vec<(Move, u64)> {
    report.moves.iter().map(|row| (row.mv, row.visits)).collect()
}

#[test]
fn every_playout_of_every_rank_counts_once() {
    let mut line = Line::empty(7);
    let mut four = simulated(4, 10);
    let report = search(&mut four, &line, 2000);
    assert!((2000..2040).contains(&report.playouts), "{}", report.playouts);
    assert_eq!(report.visits, report.playouts);
    // Nothing depends on a clock.
    assert_eq!(visits(&search(&mut simulated(4, 10), &line, 2000)), visits(&report));
    // The ranks keep their trees from move to move, and still nothing counts twice.
    for _ in 0..3 {
        let best = search(&mut four, &line, 400);
        let row = best.moves[0].clone();
        line.play(row.mv);
        let next = search(&mut four, &line, 400);
        assert!((400..440).contains(&next.playouts), "{}", next.playouts);
        // What no rank had told, because it lay too far from the root, is told now.
        let all = row.visits + next.playouts;
        assert!((row.visits..=all).contains(&next.visits), "{} of {all}", next.visits);
        assert!(next.visits * 10 > all * 8, "{} of {all}", next.visits);
        line.position.reopen();
    }
    // A position that is none of the tree's begins anew on all ranks.
    let other = search(&mut four, &Line::empty(7), 800);
    assert_eq!(other.visits, other.playouts);
}

#[test]
fn what_makes_ranks_differ_is_in_no_report() {
    type Set = fn(&mut Params);
    let line = Line::empty(7);
    let with = |rave: bool, set: Set| {
        let mut request = line.request(2000, None);
        set(&mut request.params);
        run(&mut simulated_within(4, 10, Reach { rave, ..Reach::default() }), &request)
    };
    let plain = with(false, |_| {});
    let variants: [(&str, bool, Set); 5] = [
        ("virtual wins for all", false, |params| (params.rank_wins, params.rank_wins_share) = (1000.0, 0.0)),
        ("virtual wins", false, |params| params.rank_wins = 30.0),
        ("noise", false, |params| params.rank_noise = 1.0),
        ("spread priors", false, |params| params.rank_spread = 0.5),
        ("all-moves-as-first", true, |_| {}),
    ];
    for (name, rave, set) in variants {
        let report = with(rave, set);
        // Each playout counts once, as ever, and nothing else does.
        assert!((2000..2040).contains(&report.playouts), "{name}: {}", report.playouts);
        assert_eq!(report.visits, report.playouts, "{name}");
        assert!((report.value - plain.value).abs() < 0.1, "{name}: {} and {}", report.value, plain.value);
        assert_ne!(visits(&report), visits(&plain), "{name} changes nothing");
        assert_eq!(visits(&with(rave, set)), visits(&report), "{name} depends on a clock");
    }
    // Three followers that prefer a third of the moves each visit all of them, which rank 0 alone would not.
    let visited = |report: &Report| report.moves.iter().filter(|row| row.visits > 0).count();
    assert!(visited(&with(false, variants[0].2)) > visited(&plain), "{} moves", visited(&plain));
}

#[test]
fn ranks_share_the_work_and_find_what_one_finds() {
    // Black captures four stones at G4, or White saves them there.
    let picture =
        ". . . . . . .\n. . O O O . .\n. . X X X X .\n. X O O O O .\n. X X X X X .\n. . . . . . .\n. . . . . . .";
    let line = Line::picture(picture, kosumi::go::Color::Black);
    let alone = search(&mut Search::new(options()).expect("memory"), &line, 3000);
    let together = search(&mut simulated(8, 8), &line, 3000);
    assert_eq!(alone.best(), together.best());
    let second = together.moves.get(1).map_or(0, |row| row.visits);
    assert!(together.moves[0].visits > 2 * second, "{:?}", visits(&together));
    assert!((alone.value - together.value).abs() < 0.1, "{} and {}", alone.value, together.value);
}

/// Three ranks in threads of this process.
struct Three {
    office: Arc<Office>,
    search: Search,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Three {
    fn start() -> Three {
        let office = Arc::new(Office::new(3));
        let settings = Settings {
            interval: Duration::from_millis(2),
            patience: Duration::from_millis(200),
            ..Settings::default()
        };
        let mut threads: Vec<_> = (1..3)
            .map(|rank| {
                let post = Arc::clone(office.post(rank));
                thread::spawn(move || {
                    follow::follow(&post, settings, options(), &Nets::none()).expect("memory");
                    post.close();
                })
            })
            .collect();
        let carrier = Arc::clone(&office);
        threads.push(thread::spawn(move || carrier.carry_on()));
        let leader = lead::Leader::new(Arc::clone(office.post(0)), settings);
        let partners = Some(Partnership::new(leader));
        let search = Search::new(SearchOptions { partners, ..options() }).expect("memory");
        Three { office, search, threads }
    }

    /// Searches until this holds of the messages that the ranks have sent.
    #[track_caller]
    fn search_until(&mut self, line: &Line, is_enough: impl Fn(&Office) -> bool) -> Report {
        let control = Control::new();
        let start = Instant::now();
        let office = Arc::clone(&self.office);
        let watch = &mut |_: &kosumi::search::Running<'_>| {
            if is_enough(&office) || start.elapsed() > PATIENCE {
                control.stop();
            }
        };
        let report = self.search.run(&line.request(u64::MAX, None), &control, watch).expect("a search");
        assert!(start.elapsed() <= PATIENCE, "nobody answers");
        report
    }

    fn end(self) {
        lead::dismiss(self.office.post(0));
        self.office.post(0).close();
        for thread in self.threads {
            thread.join().expect("no panic");
        }
    }
}

#[test]
fn a_rank_that_is_cut_off_is_left_out_and_follows_again_later() {
    let mut three = Three::start();
    let mut line = Line::empty(9);
    three.office.cut_off(2, true);
    let report = three.search_until(&line, |office| office.carried(1) >= 20);
    assert_eq!(three.office.carried(2), 0, "nothing came from rank 2");
    // Jobs that it misses do no harm.
    line.play(report.best());
    three.search_until(&line, |office| office.carried(1) >= 40);
    three.office.cut_off(2, false);
    three.search_until(&line, |office| office.carried(2) >= 5);
    line.play(Move::Pass);
    let before = three.office.carried(2);
    three.search_until(&line, |office| office.carried(2) >= before + 5);
    // A rank may fall silent in the middle of a search, which ends by its own limit.
    three.office.cut_off(1, true);
    three.office.cut_off(2, true);
    let report = three.search.run_alone(&line.request(500, None)).expect("a search");
    assert!(report.playouts >= 500);
    three.office.cut_off(1, false);
    three.office.cut_off(2, false);
    three.end();
}

#[test]
fn questions_aside_and_searches_at_the_same_time_are_made_alone() {
    let simulation = Simulation::new(3, 5, Reach::default(), 16, Nets::none()).expect("memory");
    let partners = Some(Partnership::new(simulation));
    let searcher =
        || Search::new(SearchOptions { threads: 0, partners: partners.clone(), ..options() }).expect("memory");
    let (mut first, mut second) = (searcher(), searcher());
    let line = Line::empty(7);
    let alone = search(&mut Search::new(options()).expect("memory"), &line, 300);
    let aside = Request { tree: kosumi::search::WhichTree::Aside, ..line.request(300, None) };
    assert_eq!(visits(&first.run_alone(&aside).expect("a search")), visits(&alone));
    let mut inner = None;
    first
        .run(&line.request(100, None), &Control::new(), &mut |_| {
            inner.get_or_insert_with(|| search(&mut second, &line, 300));
        })
        .expect("a search");
    assert_eq!(visits(&inner.expect("a report")), visits(&alone));
    // Later the second search has partners, whose trees belong to the first one's positions no more.
    let together = search(&mut second, &Line::empty(7), 300);
    assert_eq!(together.visits, together.playouts + 300, "its own tree is kept, the others begin anew");
}
