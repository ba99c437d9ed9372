//! Positions drawn as pictures and moves by their names, so that tests of rules read like diagrams.

use kosumi::go::{Board, Color, IllegalMove, Move, Position, Ruleset, Size, diagram};

use crate::vertex::point;

/// White's stone at B4 stands in a ko: Black takes it at C4.
pub const KO: &str = "
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .";

/// Black sends two stones by C1, White takes them by A1, Black returns one by B1: the board is as it was.
pub const SENDING_TWO: &str = "
    . . . . .
    . . . . .
    X . . . .
    X O O O .
    . X . O .";

/// Three kos: White has the upper and the lower one, Black the middle one.
pub const TRIPLE_KO: &str = "
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .";

/// The board of a picture.
pub fn board(picture: &str) -> Board {
    diagram::parse(picture).expect("the picture is a board")
}

/// The position of a picture.
pub fn position(picture: &str, to_move: Color, rules: Ruleset) -> Position {
    Position::from_board(board(picture), to_move, rules)
}

/// The move of this name, such as `D4` or `pass`.
pub fn to_move(name: &str, size: impl Into<Size>) -> Move {
    if name == "pass" { Move::Pass } else { Move::Play(point(name, size)) }
}

/// The side to move plays here.
pub fn play(position: &mut Position, name: &str) -> Result<(), IllegalMove> {
    let size = position.size();
    position.play(to_move(name, size))
}

/// The sides play in turn, and every move is legal.
#[track_caller]
pub fn play_all(position: &mut Position, names: &str) {
    for name in names.split_whitespace() {
        assert_eq!(play(position, name), Ok(()), "{} at {name}", position.to_move());
    }
}

/// The stones of the position are those of the picture.
#[track_caller]
pub fn assert_stones(position: &Position, picture: &str) {
    assert_eq!(diagram::draw(position.board()), diagram::draw(&board(picture)));
}
