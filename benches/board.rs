//! The board alone: plays, copies, tactical questions.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use kosumi::go::ladder::Ladders;
use kosumi::go::shape::is_self_atari;
use kosumi::go::{Board, Color, Point, Position, Ruleset};
use kosumi::playout::{Playout, stream, uniform::Uniform};

const SIZES: [usize; 3] = [9, 13, 19];

/// The moves of a uniform playout of fixed seed: a game for the board to play through.
fn game(size: usize) -> Vec<(Color, Point)> {
    let mut playout = Playout::new(Uniform);
    playout.run(&Position::new(size, Ruleset::default()), [Point::NONE; 2], None, &mut stream(1, 0));
    playout.moves().to_vec()
}

fn play(board: &mut Board, game: &[(Color, Point)]) -> i32 {
    for &(color, point) in game {
        board.place(color, point);
    }
    board.stone_balance()
}

fn board(c: &mut Criterion) {
    for size in SIZES {
        let game = game(size);
        let empty = Board::new(size);
        let mut end = empty.clone();
        let balance = play(&mut end, &game);
        end.check();
        c.bench_function(&format!("board/play a game of {} moves/{size}", game.len()), |b| {
            b.iter_batched_ref(
                || empty.clone(),
                |board| assert_eq!(play(board, black_box(&game)), balance),
                BatchSize::SmallInput,
            );
        });
        let mut middle = empty.clone();
        play(&mut middle, &game[..game.len() / 2]);
        let mut copy = Board::new(2);
        c.bench_function(&format!("board/copy/{size}"), |b| b.iter(|| copy.copy_from(black_box(&middle))));
        assert!(copy == middle);
        c.bench_function(&format!("board/self-atari of every point/{size}"), |b| {
            b.iter(|| middle.empties().iter().filter(|&&p| is_self_atari(&middle, Color::Black, p)).count());
        });
    }
}

/// A ladder across the board.
fn ladder(c: &mut Criterion) {
    let at = |column, row| Point::new(column, row, 19);
    let mut board = Board::new(19);
    for (color, column, row) in [
        (Color::White, 3, 15),
        (Color::Black, 2, 15),
        (Color::Black, 3, 16),
        (Color::Black, 4, 16),
        (Color::Black, 2, 14),
    ] {
        board.place(color, at(column, row));
    }
    let mut ladders = Ladders::new(1000);
    assert!(ladders.captures(&board, Color::Black, at(3, 15)), "nothing stands in the way");
    c.bench_function("board/ladder across 19", |b| {
        b.iter(|| {
            ladders.refill();
            ladders.captures(black_box(&board), Color::Black, at(3, 15))
        });
    });
}

criterion_group!(benches, board, ladder);
criterion_main!(benches);
