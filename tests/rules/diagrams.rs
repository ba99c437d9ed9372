//! Boards read from pictures, drawn and copied.

use kosumi::go::Color::Black;
use kosumi::go::diagram;

use crate::support::positions::{KO, SENDING_TWO, TRIPLE_KO, board};

#[test]
fn pictures_that_are_no_board_are_refused() {
    use diagram::DiagramError::{Character, NoLiberty, Size};
    let error = |picture| diagram::parse(picture).err();
    assert_eq!(error(""), Some(Size { rows: 0, columns: 0 }));
    assert_eq!(error("X"), Some(Size { rows: 1, columns: 1 }));
    assert_eq!(error("X . \n . . ."), Some(Size { rows: 2, columns: 3 }));
    assert_eq!(error("X ? \n . ."), Some(Character('?')));
    assert_eq!(error("O X \n X ."), Some(NoLiberty));
}

#[test]
fn a_drawn_board_is_read_back() {
    for picture in [KO, SENDING_TWO, TRIPLE_KO] {
        let board = board(picture);
        board.check();
        assert!(self::board(&diagram::draw(&board)) == board);
    }
}

#[test]
fn a_copy_onto_a_board_of_another_size_is_equal() {
    let mut copy = board(TRIPLE_KO);
    for picture in [KO, TRIPLE_KO, SENDING_TWO] {
        let board = board(picture);
        copy.copy_from(&board);
        copy.check();
        assert!(copy == board);
        assert_eq!(copy.hash(), board.hash());
        for p in board.points().filter(|&p| board.is_legal(Black, p)) {
            let (mut a, mut b) = (copy.clone(), board.clone());
            assert_eq!(a.place(Black, p), b.place(Black, p));
            a.check();
            assert!(a == b);
        }
    }
}
