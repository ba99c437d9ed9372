//! Playouts keep to what is special about a rule set: the supply of stones, and the capture that ends the game.

use kosumi::go::rules::{FIRST_CAPTURE, FRIDGE_GO};
use kosumi::go::{Board, Cell, Color, Move, Point, Position, Ruleset};
use kosumi::playout::{Playout, policy::is_playable, stream, tactical::Tactical, uniform::Uniform};

use crate::vertex::point;

const NONE: [Point; 2] = [Point::NONE; 2];

#[test]
fn nobody_plays_more_stones_than_there_are() {
    for supply in [1, 7, 40] {
        let rules = Ruleset { supply: Some(supply), ..FRIDGE_GO };
        let position = Position::new(9, rules);
        for seed in 0..50 {
            let mut playout = Playout::new(Uniform);
            playout.run(&position, NONE, None, &mut stream(seed, 0));
            for color in Color::BOTH {
                assert!(playout.board().stones(color) <= u32::from(supply), "seed {seed}, supply {supply}");
            }
        }
    }
}

/// A position after these plays, Black first, and the last two of them.
fn played(names: &[&str]) -> (Position, [Point; 2]) {
    let mut position = Position::new(5, FIRST_CAPTURE);
    let points: Vec<Point> = names.iter().map(|name| point(name, 5)).collect();
    for &p in &points {
        position.play(Move::Play(p)).expect("a legal play");
    }
    (position, [points[points.len() - 1], points[points.len() - 2]])
}

#[test]
fn a_capture_is_never_missed() {
    // White's stone at A1 has one liberty left, and it is Black's turn.
    let (position, last) = played(&["A2", "A1", "B2", "E5"]);
    for seed in 0..50 {
        let end = Playout::new(Tactical::default()).run(&position, last, None, &mut stream(seed, 0));
        assert!(end.decided && end.margin > 0, "seed {seed}: {end:?}");
    }
}

#[test]
fn an_atari_without_a_way_out_is_lost() {
    // White is to move; B1 would leave A1 and B1 with one liberty.
    let (position, last) = played(&["A2", "A1", "B2"]);
    for seed in 0..50 {
        let end = Playout::new(Tactical::default()).run(&position, last, None, &mut stream(seed, 0));
        assert!(end.decided && end.margin > 0, "seed {seed}: {end:?}");
    }
}

/// An eye shape, told from the cells: own stones or walls next to it, and fewer than two enemies on the diagonals, none
/// at the edge.
fn is_eye(board: &Board, color: Color, p: Point) -> bool {
    let cells: Vec<Cell> = (0..8).map(|direction| board.cell(board.toward(p, direction))).collect();
    let enemies = cells[4..].iter().filter(|&&cell| cell == color.other().cell()).count();
    let at_edge = cells.contains(&Cell::Border);
    cells[..4].iter().all(|&cell| cell == color.cell() || cell == Cell::Border) && enemies + usize::from(at_edge) < 2
}

#[test]
fn eyes_and_playable_points_are_what_the_cells_say() {
    let mut eyes = 0;
    let mut suicides = 0;
    for seed in 0..300 {
        let size = 2 + seed as usize % 12;
        let mut playout = Playout::new(Uniform);
        playout.run(&Position::new(size, Ruleset::default()), NONE, None, &mut stream(seed, 0));
        let mut board = Board::new(size);
        for &(color, point) in playout.moves() {
            board.place(color, point);
            board.clear_ko();
            for side in Color::BOTH {
                for &p in board.empties() {
                    let eye = is_eye(&board, side, p);
                    assert_eq!(board.around(p).is_eye_shape(side), eye, "seed {seed}, {side} at {p:?}");
                    let mut after = board.clone();
                    after.place(side, p);
                    let suicide = after.cell(p) == Cell::Empty;
                    assert_eq!(board.is_suicide(side, p), suicide, "seed {seed}, {side} at {p:?}");
                    assert_eq!(is_playable(&board, side, p), !eye && !suicide, "seed {seed}, {side} at {p:?}");
                    let taken = after.captured(side.other()) > board.captured(side.other());
                    assert_eq!(board.captures_something(side, p), taken, "seed {seed}, {side} at {p:?}");
                    eyes += usize::from(eye);
                    suicides += usize::from(suicide);
                }
            }
        }
        board.check();
    }
    assert!(eyes > 10_000 && suicides > 10_000, "{eyes} eyes and {suicides} suicides are too few to prove anything");
}
