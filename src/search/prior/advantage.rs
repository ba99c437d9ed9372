//! What the search has learned of moves elsewhere in the tree (see `search/advantage.rs`).

use super::{Candidate, Opening};
use crate::playout::strength::exp;
use crate::search::advantage::MoveKey;

/// A factor is e to this power at the most. A guess.
const MOST: f32 = 3.0;

/// Multiplies the strengths of plays that were better elsewhere than the positions before them.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let Some(advantages) = opening.advantages else { return };
    let (position, params) = (opening.position, opening.params);
    let vicinities = &mut opening.tools.vicinities;
    vicinities.look(position.board());
    for candidate in candidates {
        if let Some(point) = candidate.mv.point() {
            let rows = vicinities.around(point);
            let key = MoveKey::new(position.to_move(), point, opening.last[0], rows);
            let mean = advantages.mean(key, params.advantage_least);
            if mean > 0.0 {
                candidate.strength *= exp((params.advantage * mean).min(MOST));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Point, Position, Ruleset};
    use crate::search::Params;
    use crate::search::advantage::Advantages;
    use crate::search::prior::{self, Tools};

    #[test]
    fn a_good_move_gets_stronger_and_a_bad_one_stays() {
        let position = Position::new(9, Ruleset::default());
        let (good, bad, last) = (Point::new(2, 2, 9), Point::new(6, 6, 9), Point::new(4, 4, 9));
        let advantages = Advantages::new(1 << 16);
        let key = |point, last| MoveKey::before(position.to_move(), point, last, position.board());
        for _ in 0..4 {
            advantages.tell(key(good, last), 1, 0.1);
            advantages.tell(key(bad, last), 1, -0.1);
        }
        let params = Params { advantage: 20.0, advantage_least: 4.0, ..Params::default() };
        let strengths = |advantages: Option<&Advantages>, last: Point| {
            let mut opening = Opening {
                position: &position,
                last: [last, Point::NONE],
                policy: None,
                criticality: None,
                advantages,
                merge_twins: false,
                restrictions: &[],
                favours: None,
                ply: 1,
                params: &params,
                tools: &mut Tools::new(position.size()),
            };
            let mut candidates: Vec<_> = prior::legal(&position).collect();
            apply(&mut opening, &mut candidates);
            let of = |point| candidates.iter().find(|c| c.mv.point() == Some(point)).map_or(0.0, |c| c.strength);
            let others = candidates.iter().filter(|c| c.strength != 1.0).count();
            (of(good), of(bad), others)
        };
        // Four visits with 0.1 and four without: e to the power 20·0.05.
        let (strong, same, changed) = strengths(Some(&advantages), last);
        assert!((strong - std::f32::consts::E).abs() < 0.01, "{strong}");
        assert_eq!((same, changed), (1.0, 1));
        // Nothing is known of the move after another one.
        assert_eq!(strengths(Some(&advantages), Point::NONE), (1.0, 1.0, 0));
        assert_eq!(strengths(None, last), (1.0, 1.0, 0));
    }
}
