//! Searches of a game in progress, and what every report of them holds.

use kosumi::go::rules::CHINESE;
use kosumi::go::{Color, Komi, Move, Point, Position, Size, diagram};
use kosumi::search::{History, Limits, Params, Report, Request, Search, SearchOptions};

/// One thread, little memory.
pub fn options() -> SearchOptions {
    SearchOptions { threads: 1, memory: 32, ..SearchOptions::default() }
}

/// A search with these options.
pub fn searcher(options: SearchOptions) -> Search {
    Search::new(options).expect("memory")
}

/// A game in progress, as the search needs it.
#[derive(Clone)]
pub struct Line {
    /// Hash of the board at its start.
    pub start_hash: u64,
    /// The moves since.
    pub moves: Vec<(Color, Move)>,
    /// Where they lead.
    pub position: Position,
}

impl Line {
    pub fn from(position: Position) -> Line {
        Line { start_hash: position.board().hash(), moves: Vec::new(), position }
    }

    pub fn empty(size: usize) -> Line {
        Line::from(Position::new(size, CHINESE))
    }

    pub fn picture(picture: &str, to_move: Color) -> Line {
        Line::from(Position::from_board(diagram::parse(picture).expect("a board"), to_move, CHINESE))
    }

    #[track_caller]
    pub fn play(&mut self, mv: Move) {
        let color = self.position.to_move();
        self.position.play(mv).expect("a legal move");
        self.moves.push((color, mv));
    }

    /// A search with a fixed seed.
    pub fn request(&self, playouts: u64, only: Option<&[Move]>) -> Request {
        let komi = Komi::from_half_points(15).half_points();
        Request {
            history: History { start_hash: self.start_hash, moves: self.moves.clone() },
            limits: Limits { playouts: Some(playouts), ..Limits::default() },
            only: only.map(<[Move]>::to_vec),
            seed: 1,
            ..Request::new(self.position.clone(), komi)
        }
    }
}

pub fn search(search: &mut Search, line: &Line, playouts: u64) -> Report {
    run(search, &line.request(playouts, None))
}

pub fn run(search: &mut Search, request: &Request) -> Report {
    search.run_alone(request).expect("a search")
}

/// Tunables of a search by an evaluator alone.
pub fn alone() -> Params {
    Params {
        rave_equivalence: 0.0,
        expand_after: 0.0,
        exploration: 1.0,
        prior_even: 0.1,
        prior_scale: 0.1,
        ..Params::default()
    }
}

/// `D4` on a board of this size.
pub fn point(name: &str, size: impl Into<Size>) -> Point {
    match kosumi::go::vertex::parse(name, size) {
        Some(kosumi::go::vertex::Vertex::On(Move::Play(point))) => point,
        _ => panic!("{name} is no point"),
    }
}

pub fn name(mv: Move, size: impl Into<Size>) -> String {
    kosumi::go::vertex::of_move(mv, size)
}

/// Looks at a report of a search from scratch.
#[track_caller]
pub fn check_report(report: &Report, position: &Position) {
    let mut position = position.clone();
    let mut seen = Vec::new();
    assert!((0.0..=1.0).contains(&report.value));
    for m in &report.moves {
        assert!(position.check(m.mv).is_ok(), "{} is illegal", name(m.mv, position.size()));
        assert!(!seen.contains(&m.mv), "{} is reported twice", name(m.mv, position.size()));
        seen.push(m.mv);
        assert!((0.0..=1.0).contains(&m.value), "{}", m.value);
        assert!((0.0..=1.0).contains(&m.prior), "{}", m.prior);
        assert_eq!(m.variation[0], m.mv);
        let mut along = position.clone();
        for &mv in &m.variation {
            assert!(along.play(mv).is_ok(), "a variation holds the illegal move {}", name(mv, position.size()));
        }
    }
    assert!(report.moves.is_sorted_by(|a, b| a.visits >= b.visits), "best first");
    assert!(seen.contains(&Move::Pass), "a pass is always possible");
}
