//! What the solver of a local game remembers of the states that it has met, within a limit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::local::LocalState;

/// What is known of a state. (Packed, as a [`Key`] is: an entry of the table then takes 40 bytes in place of 48.)
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(8))]
pub(super) struct Known {
    /// The bounds of the score.
    pub(super) least: i16,
    pub(super) most: i16,
    /// Points whose owner is certain for every further play.
    pub(super) settled: u128,
}

/// The effort left for a proof: the least number of states to decide until the side to move provably reaches its goal,
/// and until it provably fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub(super) prove: u32,
    pub(super) refute: u32,
}

impl Effort {
    /// Stands for infinity. The sum of a few such values does not overflow.
    pub(super) const NEVER: u32 = u32::MAX / 4;
    pub(super) const UNKNOWN: Effort = Effort { prove: 1, refute: 1 };
    pub(super) const UNLIMITED: Effort = Effort { prove: Effort::NEVER, refute: Effort::NEVER };

    pub(super) fn of(achieved: bool) -> Effort {
        match achieved {
            true => Effort { prove: 0, refute: Effort::NEVER },
            false => Effort { prove: Effort::NEVER, refute: 0 },
        }
    }
}

/// A state, and what else an entry is about, in bits that look random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(8))]
struct Key(u128);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.0);
    }
}

type Table<T> = HashMap<Key, T, BuildHasherDefault<Mixed>>;

/// What is known of the states of several local games, and the efforts of their goals. When there are too many of
/// either, all of that kind are forgotten: the solvers find again what they still need.
#[derive(Debug)]
pub(super) struct Memory {
    /// By game and state.
    known: Table<Known>,
    /// By game, state and goal.
    efforts: Table<Effort>,
    most: usize,
}

impl Memory {
    /// Room for this many states, and for the efforts of as many goals. Tables that grew would take half as much again
    /// while they are copied.
    pub(super) fn new(most: usize) -> Memory {
        Memory {
            known: HashMap::with_capacity_and_hasher(most, BuildHasherDefault::default()),
            efforts: HashMap::with_capacity_and_hasher(most, BuildHasherDefault::default()),
            most,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.efforts.clear();
    }

    /// The states remembered.
    #[cfg(test)]
    pub(super) fn states(&self) -> usize {
        self.known.len()
    }

    /// What concerns the game of this number.
    pub(super) fn of_game(&mut self, game: usize) -> MemoryOfGame<'_> {
        MemoryOfGame { memory: self, game: spread(game as u64 + 1) }
    }
}

/// What concerns one local game.
#[derive(Debug)]
pub(super) struct MemoryOfGame<'a> {
    memory: &'a mut Memory,
    /// What makes the keys of the game's states its own.
    game: u128,
}

impl MemoryOfGame<'_> {
    pub(super) fn known(&self, state: &LocalState) -> Option<Known> {
        self.memory.known.get(&self.key(state)).copied()
    }

    pub(super) fn known_mut(&mut self, state: &LocalState) -> Option<&mut Known> {
        let key = self.key(state);
        self.memory.known.get_mut(&key)
    }

    pub(super) fn note_known(&mut self, state: &LocalState, known: Known) {
        let key = self.key(state);
        insert(&mut self.memory.known, self.memory.most, key, known);
    }

    /// The effort left for a goal, from the point of view of the side to move.
    pub(super) fn effort(&self, state: &LocalState, goal: i16) -> Option<Effort> {
        self.memory.efforts.get(&self.key_with_goal(state, goal)).copied()
    }

    pub(super) fn note_effort(&mut self, state: &LocalState, goal: i16, effort: Effort) {
        let key = self.key_with_goal(state, goal);
        insert(&mut self.memory.efforts, self.memory.most, key, effort);
    }

    fn key(&self, state: &LocalState) -> Key {
        Key(self.game ^ state.key())
    }

    fn key_with_goal(&self, state: &LocalState, goal: i16) -> Key {
        Key(self.key(state).0 ^ spread(u64::from(goal.cast_unsigned()) << 32))
    }
}

fn insert<T>(table: &mut Table<T>, most: usize, key: Key, value: T) {
    if table.len() >= most {
        table.clear();
    }
    table.insert(key, value);
}

/// Spreads a small number over all bits. No two numbers become one.
fn spread(number: u64) -> u128 {
    u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// The hash of a key. The key is one already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
