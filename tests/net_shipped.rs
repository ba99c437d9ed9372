//! Proves that the nets in the program are what they should be: small, at their place, and without a preferred side of
//! the board.

use kosumi::go::symmetry::SYMMETRIES;
use kosumi::go::{Komi, Move, Point, Position, Ruleset};
use kosumi::net::planes::{PlaneMaker, Planes, Situation, last_of};
use kosumi::net::{Nets, Workspace};
use kosumi::playout::{Playout, PolicyKind, stream, tactical::Tactical};
use kosumi::search::params::Tunables;
use kosumi::search::{Evaluators, Request};

use crate::support::searched::{Line, options, point, run, searcher};

/// The most bytes that all weights may take.
const MOST_BYTES: u64 = 4 << 20;

fn nets() -> Nets {
    Nets::shipped().expect("the nets of the program are whole")
}

/// The planes of a position after this many moves of a playout.
fn planes(size: usize, moves: usize, seed: u64) -> Planes {
    let mut position = Position::new(size, Ruleset::default());
    let mut playout = Playout::new(Tactical::default());
    playout.run(&position, [Point::NONE; 2], None, &mut stream(seed, 0));
    let mut played = Vec::new();
    for &(color, point) in playout.moves().iter().take(moves) {
        position.set_to_move(color);
        position.play(Move::Play(point)).expect("a playout plays legal moves");
        played.push(Move::Play(point));
    }
    let mut planes = Planes::default();
    let situation =
        Situation { position: &position, last: last_of(played.into_iter()), komi: Komi::from_half_points(14) };
    PlaneMaker::default().make(&situation, &mut planes);
    planes
}

/// How far apart two distributions are: half the sum of the differences, 0 to 1.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f32>() / 2.0
}

#[test]
fn there_is_a_net_for_every_usual_size_and_all_are_small() {
    let nets = nets();
    for size in [7, 9, 13, 19, 25] {
        assert!(nets.for_size(size).is_some(), "{size}");
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/nets");
    let files = std::fs::read_dir(folder).expect("the folder of the weights");
    let bytes: u64 = files.map(|file| file.and_then(|file| file.metadata()).expect("a file").len()).sum();
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    for net in nets.all() {
        let description = net.net().description();
        assert!(!description.sizes.is_empty() && !description.rules.is_empty(), "{description}");
        assert!(description.origin.steps > 0 && !description.origin.data.is_empty(), "{description}");
    }
}

#[test]
fn each_size_takes_the_net_that_was_taught_for_it() {
    let nets = nets();
    let name = |size| nets.for_size(size).expect("a net").net().description().name.clone();
    assert!(name(9) != name(13) && name(13) != name(19) && name(9) != name(19));
    assert!([9, 13, 19].iter().all(|&size| name(7) != name(size)), "that of several sizes");
    assert_eq!([name(8), name(11)], [name(9), name(9)]);
    assert_eq!([name(12), name(16)], [name(13), name(13)]);
    assert_eq!([name(17), name(25)], [name(19), name(19)]);
}

#[test]
fn the_eight_symmetries_of_a_position_give_about_the_same_policy() {
    let nets = nets();
    for size in [9, 13, 19] {
        let net = nets.for_size(size).expect("a net").net();
        let (mut one, mut other) = (Workspace::new(net), Workspace::new(net));
        let (mut between_symmetries, mut between_positions, mut pairs) = (0.0, 0.0, 0.0);
        for seed in 0..12 {
            let here = planes(size, size * 2, seed);
            let plain = net.evaluate(&mut one, &here, 0).clone();
            assert!((plain.policy().iter().sum::<f32>() - 1.0).abs() < 1e-3);
            for symmetry in 1..SYMMETRIES {
                let turned = net.evaluate(&mut other, &here, symmetry);
                between_symmetries += distance(plain.policy(), turned.policy());
                let elsewhere = planes(size, size * 2, seed + 100 * symmetry as u64);
                between_positions += distance(plain.policy(), net.evaluate(&mut other, &elsewhere, 0).policy());
                pairs += 1.0;
            }
        }
        let (between_symmetries, between_positions) = (between_symmetries / pairs, between_positions / pairs);
        // A net that looks at a turned board in a wrong way says of it what it says of another board.
        eprintln!(
            "{size}×{size}: {between_symmetries:.2} between symmetries, {between_positions:.2} between positions"
        );
        assert!(between_symmetries < 0.35, "{size}: {between_symmetries} of 1 differs between symmetries");
        assert!(between_positions > 2.0 * between_symmetries, "{size}: {between_symmetries}, {between_positions}");
    }
}

#[test]
fn on_an_empty_board_the_net_opens_as_people_do() {
    let net = nets();
    let net = net.for_size(19).expect("a net").net();
    let empty = planes(19, 0, 1);
    let mut workspace = Workspace::new(net);
    let output = net.evaluate(&mut workspace, &empty, 0);
    // The points on the third and fourth line of a corner.
    let near = |i: usize| (2..=4).contains(&i.min(18 - i));
    let corners: f32 = (0..361).filter(|i| near(i % 19) && near(i / 19)).map(|i| output.policy()[i]).sum();
    assert!(corners > 0.9, "{corners}");
    assert!((0.3..0.7).contains(&output.win_rate()), "{}", output.win_rate());
}

/// The first moves of an own game that ended in a draw. White is to move.
const DRAWN: &str = "E5 G5 F7 C5 F3 G7 G8 F6 E6 G3 H7 G6 E8 F4 E3 D7 E7 G2 C3 B3 B4 C4 B2 D3 A3 C2 E4 B3 B5 C6 C3 E2 B3 \
    D4 B6 B7 F2 F1 C1 D2 B8 A8 C8 C7 D8 H6 H8 E1 A6 A7 F5 G4 J6 J5 J7 B9 J4 H5 J2 J3 H3 H2 D5 H4 B1";

/// The net's value takes White for the winner there. The owners that it expects add up to a draw.
#[test]
fn a_search_sees_the_draw_where_the_owners_are_known() {
    let mut line = Line::empty(9);
    for name in DRAWN.split_whitespace() {
        line.play(Move::Play(point(name, 9)));
    }
    let evaluators = Evaluators::of(nets().for_size(9), PolicyKind::Tactical);
    let value = |settled: &str| {
        let mut tunables = Tunables::default();
        tunables.set("settled", settled).expect("a tunable");
        let params = evaluators.params(9, &tunables);
        let request = Request { evaluators: evaluators.clone(), params, komi: 14, ..line.request(400, None) };
        run(&mut searcher(options()), &request).value
    };
    let (off, on) = (value("0"), value("1"));
    // A later net may see the draw itself. Then the position shows nothing, and another one is to be found.
    assert!((off - 0.5).abs() > 0.2, "without the count: {off}");
    assert!((on - 0.5).abs() < 0.15, "with the count: {on}");
}
