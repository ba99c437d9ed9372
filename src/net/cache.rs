//! A net with a cache of its outputs. The same input comes again after an undo and where a tree was pruned. After a
//! transposition it seldom does, because the input has the last moves.
//!
//! The key is a hash of the net's whole input. So an output from the cache equals the net's own output, and the cache
//! changes no search.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::planes::Planes;
use super::{Net, Workspace};
use crate::wide_hash::WideHash;

/// The most answers in the cache. (A guess: on 19×19 they take 8 MB, on 9×9 less than 2 MB.)
const SLOTS: usize = 4096;

/// The part of a net's output that a search uses, for the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The probabilities of the moves: of each point, row by row from the bottom, then of the pass.
    pub policy: Vec<f32>,
    /// The probability of a win, where a draw counts as half a win.
    pub win_rate: f32,
    /// The expected margin in points, komi included.
    pub lead: f32,
    /// The standard deviation of the margin in points.
    pub spread: f32,
    /// The owners of the points, row by row from the bottom, in steps of 1/[`OWNER_STEPS`]: above 0 for the side to
    /// move.
    pub owners: Vec<i8>,
    /// The sum of the owners over the board before they were rounded to steps, in points.
    pub territory: f32,
}

/// Steps of an owner in an [`Answer`] from nobody to certainty.
pub const OWNER_STEPS: i8 = 100;

impl Answer {
    /// Becomes the same as another answer, in the memory that this one has.
    fn copy(&mut self, other: &Answer) {
        let Answer { policy, win_rate, lead, spread, owners, territory } = other;
        self.policy.clone_from(policy);
        self.owners.clone_from(owners);
        (self.win_rate, self.lead, self.spread, self.territory) = (*win_rate, *lead, *spread, *territory);
    }
}

#[derive(Default)]
struct Entry {
    /// The input's key. `None` if the answer is none: forgotten answers leave their memory to the next ones.
    key: Option<u128>,
    answer: Answer,
}

/// A net with its last answers. All threads share it.
pub struct CachedNet {
    net: Net,
    slots: Box<[Mutex<Entry>]>,
}

impl fmt::Debug for CachedNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedNet").field("net", &self.net).finish_non_exhaustive()
    }
}

impl CachedNet {
    /// A net without answers yet.
    pub fn new(net: Net) -> CachedNet {
        CachedNet { net, slots: (0..SLOTS).map(|_| Mutex::default()).collect() }
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Forgets all answers.
    pub fn forget(&self) {
        for slot in &self.slots {
            slot.lock().unwrap_or_else(PoisonError::into_inner).key = None;
        }
    }

    /// Writes the net's answer for these planes to `answer`. No thread waits for another one here: a slot that another
    /// thread uses counts as empty.
    pub fn ask(&self, workspace: &mut Workspace, planes: &Planes, answer: &mut Answer) {
        let key = key(planes);
        let slot = &self.slots[(key >> 64) as usize % SLOTS];
        if let Ok(entry) = slot.try_lock()
            && entry.key == Some(key)
        {
            answer.copy(&entry.answer);
            return;
        }
        let output = self.net.evaluate(workspace, planes, 0);
        answer.policy.clear();
        answer.policy.extend_from_slice(output.policy());
        answer.win_rate = output.win_rate();
        (answer.lead, answer.spread) = (output.lead, output.spread);
        answer.owners.clear();
        answer.owners.extend(output.ownership().iter().map(|owner| (owner * f32::from(OWNER_STEPS)) as i8));
        answer.territory = output.ownership().iter().sum();
        if let Ok(mut entry) = slot.try_lock() {
            entry.key = Some(key);
            entry.answer.copy(answer);
        }
    }
}

/// A hash of the planes and scalars.
fn key(planes: &Planes) -> u128 {
    let size = planes.size();
    let mut hash = WideHash::new();
    hash.add((size.width() as u64) << 8 | size.height() as u64);
    let (quads, rest) = planes.points().as_chunks::<4>();
    let word = |bits: &[u16]| bits.iter().rev().fold(0, |word, &bits| word << 16 | u64::from(bits));
    quads.iter().for_each(|bits| hash.add(word(bits)));
    hash.add(word(rest));
    planes.scalars().iter().for_each(|scalar| hash.add(u64::from(scalar.to_bits())));
    hash.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::planes::{COUNT, SCALARS};
    use crate::net::random;

    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn an_answer_from_the_cache_equals_the_nets_own() {
        let net = CachedNet::new(Net::from_bytes(&random::file(&random::description(1, 32), 1)).expect("a net"));
        let mut workspace = Workspace::new(net.net());
        let mut answer = Answer::default();
        // There are more inputs than slots, and each comes twice. So some answers are found, and others are replaced.
        for round in 0..2 {
            for number in 0..SLOTS as u16 + 1000 {
                let bits: Vec<u16> = (0..9).map(|i| 1 | (number >> i & 1) << 1 | (number >> 9) << 7).collect();
                let planes = Planes::from_parts(3, &bits, [f32::from(number % 3); SCALARS]);
                net.ask(&mut workspace, &planes, &mut answer);
                let mut fresh = Workspace::new(net.net());
                let output = net.net().evaluate(&mut fresh, &planes, 0);
                assert_eq!(
                    (answer.policy.as_slice(), answer.win_rate, answer.lead, answer.spread),
                    (output.policy(), output.win_rate(), output.lead, output.spread),
                    "{round}"
                );
                let owners: Vec<i8> = output.ownership().iter().map(|owner| (owner * 100.0) as i8).collect();
                assert_eq!((&answer.owners, answer.territory), (&owners, output.ownership().iter().sum()), "{round}");
            }
        }
    }

    #[test]
    fn every_bit_of_the_input_changes_the_key() {
        let bits = [1_u16; 25];
        let plain = key(&Planes::from_parts(5, &bits, [0.0; SCALARS]));
        for point in 0..25 {
            for plane in 1..COUNT {
                let mut bits = bits;
                bits[point] |= 1 << plane;
                let other = key(&Planes::from_parts(5, &bits, [0.0; SCALARS]));
                assert_ne!(other, plain, "{point} {plane}");
            }
        }
        for i in 0..SCALARS {
            let mut scalars = [0.0; SCALARS];
            scalars[i] = 0.5;
            assert_ne!(key(&Planes::from_parts(5, &bits, scalars)), plain, "scalar {i}");
        }
    }
}
