use kosumi::go::{Color, Point, Ruleset, score::playout_owner};
use kosumi::playout::{Playout, stream, tactical::Tactical};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read(&path).unwrap();
    let game = kosumi::game::Game::load(kosumi::sgf::read(&text).unwrap(), None, Ruleset::default(), None).unwrap();
    let end = game.position();
    let board = end.board();
    for first in [Color::Black, Color::White] {
        let mut balance = vec![0i32; kosumi::go::CAPACITY];
        let mut rng = stream(0, 0);
        let mut playout = Playout::new(Tactical::default());
        let mut position = end.clone();
        position.set_to_move(first);
        let n = 64;
        for _ in 0..n {
            playout.run(&position, [Point::NONE; 2], None, &mut rng);
            for p in board.points() {
                balance[p.index()] += playout_owner(playout.board(), p).map_or(0, Color::sign);
            }
        }
        println!("{first:?} first, last playout {:?} moves", playout.moves().len());
        let s = end.size();
        for r in (0..s).rev() {
            println!("{}", (0..s).map(|c| format!("{:4}", balance[Point::new(c, r, s).index()])).collect::<String>());
        }
        for (c, p) in playout.moves() {
            print!("{c:?}{} ", kosumi::go::vertex::of_move(kosumi::go::Move::Play(*p), s));
        }
        println!();
    }
}
