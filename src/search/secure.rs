//! Which move is the best one: the secure child of Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo tree
//! search".

/// The share of the most visits that a move needs, to be better than the move that has them (KataGo: 0.15).
const SHARE: f32 = 0.15;

/// Ranks the moves of a position by their values less an allowance for few visits.
#[derive(Clone, Copy, Debug)]
pub struct Secure {
    allowance: f32,
    /// Visits that a move needs.
    least: f32,
}

impl Secure {
    /// The ranking where a move has so many visits at the most. The allowance of a move is `allowance`/√visits. `None`
    /// with 0: moves are then ranked by their visits.
    pub fn new(allowance: f32, most_visits: u64) -> Option<Secure> {
        let least = (most_visits as f32 * SHARE).max(1.0);
        (allowance > 0.0).then_some(Secure { allowance, least })
    }

    /// The rank of a move: higher is better. All moves with too few visits have the same rank, the lowest.
    pub fn rank(&self, value: f32, visits: u64) -> f32 {
        let visits = visits as f32;
        if visits >= self.least { value - self.allowance / visits.sqrt() } else { f32::NEG_INFINITY }
    }
}
