//! Proves that a search looks at moves that its evaluator thinks improbable, where they are what is asked about.

use kosumi::go::{Color, Move, PointMap, Position, rules};
use kosumi::playout::Rng;
use kosumi::search::evaluate::{Evaluator, Leaf};
use kosumi::search::{Evaluators, Request, Restriction};

use crate::support::searched::{Line, alone, options, point, run, searcher};

/// Likes A1 and A9, and believes that whoever has just played has won something by the move.
struct Even;

impl Evaluator for Even {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
        leaf.evaluation.value = match leaf.position.to_move() {
            Color::Black => 0.4,
            Color::White => 0.6,
        };
        let policy = &mut leaf.evaluation.policy;
        policy.is_known = true;
        policy.plays = PointMap::filled(1e-6);
        for name in ["A1", "A9"] {
            policy.plays[point(name, 9)] = 1.0;
        }
        policy.pass = 1e-6;
    }
}

#[test]
fn all_moves_that_are_asked_about_are_looked_at_however_improbable() {
    let points = ["D4", "F6", "E2"].map(|name| point(name, 9));
    let moves = points.map(Move::Play);
    let params = alone();
    let line = Line::empty(9);
    let others = line.position.board().points().filter(|p| !points.contains(p)).collect();
    let restriction = Restriction { color: Color::Black, points: others, pass: true, plies: 1 };
    for (only, restrictions) in [(Some(&moves[..]), vec![]), (None, vec![restriction])] {
        // Other moves are a million times as probable.
        let evaluators = Evaluators::made(|_| Box::new(Even));
        let request = Request { evaluators, params: params.clone(), restrictions, ..line.request(300, only) };
        let report = run(&mut searcher(options()), &request);
        assert_eq!(report.moves.len(), 3);
        assert!(report.moves.iter().all(|m| m.visits > 20 && (m.prior - 1.0 / 3.0).abs() < 0.01), "{report:?}");
    }
}

#[test]
fn a_pass_is_weighed_in_a_tree_that_has_been_there_before() {
    let evaluators = Evaluators::made(|_| Box::new(Even));
    let mut line = Line::from(Position::new(9, rules::JAPANESE));
    let mut search = searcher(options());
    for turn in 0..3 {
        let request = Request { evaluators: evaluators.clone(), params: alone(), ..line.request(2000, None) };
        let report = run(&mut search, &request);
        let pass = report.moves.iter().find(|m| m.mv == Move::Pass).expect("a pass");
        let mean = 1.0 / report.moves.len() as f32;
        assert!(pass.prior > 0.9 * mean && pass.visits > 0, "{turn}: {} {}", pass.prior, pass.visits);
        // So do the moves that answer the best ones.
        let tree = search.tree();
        for child in tree.children(tree.node(tree.root())).iter().filter(|child| child.visits() > 1) {
            let answers = tree.children(child);
            let pass = answers.iter().find(|answer| answer.mv() == Move::Pass).expect("a pass");
            assert!(pass.prior() > 0.9 / answers.len() as f32, "{turn}: {}", pass.prior());
        }
        line.play(report.moves[0].mv);
    }
}
