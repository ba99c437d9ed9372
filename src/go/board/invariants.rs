//! The invariants of a board, checked slowly and plainly.

use super::super::color::Cell;
use super::super::liberties::Liberties;
use super::super::point::PointSet;
use super::super::zobrist;
use super::Board;

impl Board {
    /// Checks every invariant against a computation from the stones alone. The check is slow: it is for tests and
    /// debugging.
    ///
    /// # Panics
    /// If an invariant does not hold.
    pub fn check(&self) {
        let mut hash = 0;
        let mut balance = 0;
        let mut empties = 0;
        for p in self.points() {
            for direction in 0..8 {
                assert_eq!(self.around(p).cell(direction), self.cell(self.toward(p, direction)), "around {p:?}");
            }
            let cell = self.cell(p);
            let given = if cell == Cell::Empty { Liberties::of(p) } else { Liberties::NONE };
            assert_eq!(self.gives[p], given, "what {p:?} gives");
            let Some(color) = cell.color() else {
                empties += 1;
                assert_eq!(self.empties[self.slot[p] as usize], p, "slot of {p:?}");
                assert_eq!((self.head[p], self.next[p]), (p, p), "an empty point has no chain");
                continue;
            };
            hash ^= zobrist::stone(color, p);
            balance += color.sign();
            let head = self.head(p);
            let mut liberties = Liberties::NONE;
            let mut members = PointSet::EMPTY;
            for stone in self.chain(p) {
                assert!(members.insert(stone), "the circle of a chain closes early");
                assert_eq!(self.head(stone), head, "stones of a chain share the head");
                assert_eq!(self.cell(stone), cell);
                for near in self.adjacent(stone) {
                    match self.cell(near) {
                        Cell::Empty => liberties.add(Liberties::of(near)),
                        other if other == cell => assert_eq!(self.head(near), head, "adjacent, one chain"),
                        _ => {}
                    }
                }
            }
            assert!(members.contains(head));
            assert_eq!(self.liberties(p), liberties, "liberties of the chain at {p:?}");
            assert!(!liberties.is_none(), "a chain without liberties stays on the board");
            let distinct = self.liberty_set(p);
            assert_eq!(liberties.is_atari(), distinct.len() == 1);
            assert_eq!(liberties.only(), if distinct.len() == 1 { distinct.iter().next() } else { None });
        }
        assert_eq!(self.hash, hash, "incremental hash");
        assert_eq!(self.stone_balance, balance, "stone balance");
        assert_eq!(self.empties().len(), empties, "number of empty points");
    }
}
