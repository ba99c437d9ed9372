//! The formula that chooses among the children of a node.
//!
//! n and w are the visits and wins of a child, ñ and w̃/ñ its all-moves-as-first weight and mean, p its prior
//! probability. N is the visits of the node.
//!
//! ```text
//! n' = n + e + s√p          e: prior_even      s: prior_scale
//! w' = w + e·½ + s√p
//! β  = ñ / (ñ + n' + ñ·n'/k)                   k: rave_equivalence
//! value = (1 − β)·w'/n' + β·w̃/ñ + c·p·√N/(1 + n)
//! ```
//!
//! β is the schedule of Gelly & Silver 2011 ("Monte-Carlo tree search and rapid action value estimation in computer
//! Go", §4.6, with the bias folded into k, as Pachi and michi write it). Priors as virtual visits are theirs too
//! (§5); √p as their number is Pachi's. A descent below a child counts as `virtual_loss` lost visits (Chaslot,
//! Winands, van den Herik 2008).
//!
//! Where an evaluator knows a policy, the e virtual visits do not stand at ½, but at the mean of the node less
//! `first_play` (the reduction of KataGo's first-play urgency). A net that evaluates alone has small e and s, and no
//! all-moves-as-first (k = 0). What remains is the formula of Silver et al. 2016, and `c` decides how wide the search
//! is.
//!
//! Where an evaluator gives second values, w/n becomes a weighted mean of w/n and the mean second value. `second_share`
//! is the weight of the second value (λ of Silver et al. 2016). Where the game is decided, second values of moves differ
//! by their errors alone, while playouts know who loses points. So the share is multiplied by 4m(1 − m), where m is the
//! mean of the node: 1 in an even game, nearly 0 in a decided one. (The form is a guess. It won 47 of 100 games of 400
//! playouts on 9×9 against a constant share, drew 6 and lost 47, and the seki of `gtp-scripts` stays.)
//!
//! In a search by a net alone, the children of a node are in the order of their priors (see `prior::order`). A
//! child without visits is then worth no less than those behind it that have none either, and children get their first
//! visits in this order. So the choice ends at the first child without visits. At the root, and where visits of other
//! machines come in, children may be visited in another order, so there all of them are looked at.
//!
//! With `wide_root_noise` w > 0 the formula is another one at the root, so that more of its moves are visited: √p is
//! taken of p^(1/(4w + 1)), and a child gets, with a chance of one half, a bonus of w/2 times the size of a normal
//! number. (These are KataGo's rules for its parameter of this name; its values go from −1 to 1, so w/2 is its w.)
//!
//! With `rank_wins` v > 0, a rank of a search on several machines prefers every k-th child of the root, where k is the
//! number of following ranks, and each rank begins at another child. Such a child gets v/(n + v) more, if
//! it has a share of `rank_wins_share` of the visits. (Pachi's distributed engine does so at every node, for moves with
//! 1000 visits.) Nothing of it stands in the node, so other ranks never hear of it.

use rand::RngExt as _;

use super::evaluate::Evaluator;
use super::node::{Node, NodeId};
use super::request::{Favours, Request};
use super::tree::Tree;
use crate::playout::Rng;

/// The parameters of the formula, ready for use.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    even: f32,
    scale: f32,
    /// `None` if all-moves-as-first does not count.
    inverse_equivalence: Option<f32>,
    exploration: f32,
    virtual_loss: f32,
    /// 0 where there are no second values.
    second_share: f32,
    /// `None` if virtual visits stand at ½.
    first_play: Option<f32>,
    /// Are children in the order of their priors, and visited in this order where no other machine takes part?
    in_order: bool,
    noise: f32,
    /// Virtual wins of the children that the search prefers at the root.
    favours: Option<(Favours, f32)>,
    /// The share of the root's visits that such a child needs.
    favours_share: f32,
}

/// How far from decided a game with this mean is: 1 at ½, 0 at 0 and at 1.
#[inline(always)]
fn doubt(mean: f32) -> f32 {
    (4.0 * mean * (1.0 - mean)).clamp(0.0, 1.0)
}

impl Formula {
    /// The formula of a search with this evaluator.
    pub fn new(request: &Request, evaluator: &dyn Evaluator) -> Formula {
        let Request { params, position, favours, .. } = request;
        let has_second = evaluator.gives_second();
        let with_amaf = params.rave_equivalence > 0.0;
        Formula {
            even: params.prior_even,
            scale: params.prior_scale,
            inverse_equivalence: with_amaf.then(|| 1.0 / params.rave_equivalence.max(1.0)),
            exploration: params.exploration,
            virtual_loss: params.virtual_loss,
            second_share: if has_second { params.second_share_at(position) } else { 0.0 },
            first_play: (has_second || evaluator.knows_policy()).then_some(params.first_play),
            in_order: evaluator.knows_policy() && !has_second && !with_amaf && favours.is_none(),
            noise: params.wide_root_noise,
            favours: favours.map(|favours| (favours, params.rank_wins)).filter(|&(_, wins)| wins > 0.0),
            favours_share: params.rank_wins_share,
        }
    }

    /// The value of a child. `prior` is its prior probability; `root_visits` is √N of its parent; `second` is the
    /// child's mean second value and its share; `even` is where its virtual visits stand.
    #[inline(always)]
    fn value(&self, child: &Node, prior: f32, second: Option<(f32, f32)>, even: f32, root_visits: f32) -> f32 {
        let (visited, descents) = child.visits_and_descents();
        let n = visited + descents * self.virtual_loss;
        let bonus = if self.scale > 0.0 { self.scale * prior.sqrt() } else { 0.0 };
        let visits = n + self.even + bonus;
        let mut sum = child.value_sum();
        if let Some((second, share)) = second {
            sum += share * (second * visited - sum);
        }
        let wins = sum + even * self.even + bonus;
        // The 1e-6 keeps a child without visits, prior and observations from dividing by zero.
        let mut mean = wins / (visits + 1e-6);
        if let Some(inverse) = self.inverse_equivalence {
            let (weight, amaf) = child.amaf();
            let beta = weight / (weight + visits + weight * visits * inverse + 1e-6);
            mean += beta * (amaf - mean);
        }
        mean + self.exploration * prior * root_visits / (1.0 + n)
    }

    /// Are children to be put in the order of their priors?
    pub fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// The best child of a node with this first child; of equal children the first. `has_order` says whether the
    /// children may still be in the order of their priors.
    #[inline]
    pub fn best(&self, tree: &Tree, node: &Node, first: NodeId, has_order: bool) -> Option<NodeId> {
        let in_order = self.in_order && has_order && !tree.has_foreign();
        self.choose(tree, node, first, in_order, |_, child| (child.prior(), 0.0))
    }

    /// The best child of the root, with noise and virtual wins where they are wanted.
    pub fn best_at_the_root(&self, tree: &Tree, root: &Node, first: NodeId, rng: &mut Rng) -> Option<NodeId> {
        if self.noise <= 0.0 && self.favours.is_none() {
            return self.choose(tree, root, first, false, |_, child| (child.prior(), 0.0));
        }
        // In f64, whose last bits may differ from machine to machine, so that they do not after rounding.
        let exponent = 1.0 / (4.0 * f64::from(self.noise) + 1.0);
        let least = root.visits() as f32 * self.favours_share;
        self.choose(tree, root, first, false, |i, child| {
            let visits = child.visits() as f32;
            let mut prior = child.prior();
            let mut bonus = 0.0;
            if self.noise > 0.0 {
                prior = f64::from(prior).powf(exponent) as f32;
                bonus = 0.5 * self.noise * half_normal(rng.random());
            }
            if let Some((favours, wins)) = &self.favours
                && favours.holds_for(i)
                && visits >= least
            {
                bonus += wins / (visits + wins);
            }
            (prior, bonus)
        })
    }

    /// The best child, where `adjust` gives the prior that counts and a bonus, by the child's number and the child. The
    /// choice ends at the first child without visits if `in_order` says so.
    #[inline(always)]
    fn choose(
        &self,
        tree: &Tree,
        node: &Node,
        first: NodeId,
        in_order: bool,
        mut adjust: impl FnMut(usize, &Node) -> (f32, f32),
    ) -> Option<NodeId> {
        let children = tree.siblings(first);
        let root_visits = (node.visits() as i64 as f32).sqrt();
        let best = if self.second_share > 0.0 {
            // The node's mean is that of the side that moved into it.
            let mean = tree.mean(node, self.second_share).map_or(0.5, |mean| 1.0 - mean);
            let even = self.even_from(mean);
            let share = self.second_share * doubt(mean);
            self.highest(children, in_order, |i, child| {
                let (prior, bonus) = adjust(i, child);
                bonus + self.value(child, prior, tree.second(child).zip(Some(share)), even, root_visits)
            })
        } else {
            let even = node.value().map_or(0.5, |mean| self.even_from(1.0 - mean));
            self.highest(children, in_order, |i, child| {
                let (prior, bonus) = adjust(i, child);
                bonus + self.value(child, prior, None, even, root_visits)
            })
        };
        best.map(|offset| first.sibling(offset))
    }

    /// Where virtual visits stand below a node with this mean, for the side to move there.
    #[inline(always)]
    fn even_from(&self, mean: f32) -> f32 {
        self.first_play.map_or(0.5, |less| (mean - less).max(0.0))
    }

    #[inline(always)]
    fn highest(&self, children: &[Node], in_order: bool, mut value: impl FnMut(usize, &Node) -> f32) -> Option<usize> {
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for (i, child) in children.iter().enumerate() {
            let value = value(i, child);
            if value > most && !child.is_barred() {
                most = value;
                best = Some(i);
            }
            if in_order && child.is_untouched() {
                break;
            }
        }
        best
    }
}

/// With a chance of one half 0, else the size of a [`normal`] number. Takes 64 random bits.
fn half_normal(bits: u64) -> f32 {
    if bits >> 63 == 0 { 0.0 } else { normal(bits).abs() }
}

/// A number whose distribution is next to the normal one, of 60 random bits: a sum of four uniform numbers of 15 bits,
/// moved and stretched to mean 0 and deviation 1. (Exact, so the same on every machine.)
pub fn normal(bits: u64) -> f32 {
    let sum: u64 = (0..4).map(|part| bits >> (15 * part) & 0x7fff).sum();
    const SQRT_3: f32 = 1.732_050_8;
    SQRT_3 * (sum as f32 / 32768.0 - 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Move, Point};
    use crate::playout::stream;

    #[test]
    fn the_first_child_without_visits_stands_for_those_behind_it() {
        let tree = Tree::new(1 << 16).expect("memory");
        const COUNT: usize = 40;
        let first = tree.allocate(COUNT).expect("room");
        for i in 0..COUNT {
            let point = Point::from_index(30 + i).expect("a point");
            // Some are equal.
            tree.node(first.sibling(i)).reset(Move::Play(point), 0.2 * 0.8_f32.powi((i / 2) as i32));
        }
        tree.node(first.sibling(3)).forbid();
        let root = tree.node(tree.root());
        root.publish(first);
        let formula = Formula {
            even: 2.0,
            scale: 2.0,
            inverse_equivalence: None,
            exploration: 0.45,
            virtual_loss: 1.0,
            second_share: 0.0,
            first_play: Some(0.2),
            in_order: true,
            noise: 0.0,
            favours: None,
            favours_share: 0.0,
        };
        let whole = Formula { in_order: false, ..formula };
        let mut rng = stream(2, 0);
        let mut visited = 0;
        for _ in 0..2000 {
            let best = formula.best(&tree, root, first, true).expect("children");
            assert_eq!(Some(best), whole.best(&tree, root, first, true));
            visited += usize::from(tree.node(best).visits() == 0);
            let result = rng.random::<f32>();
            tree.node(best).add(result);
            root.add(1.0 - result);
        }
        assert!((10..COUNT).contains(&visited), "{visited} children have visits");
    }

    #[test]
    fn noise_is_half_zeros_and_half_a_normal_number() {
        let mut rng = stream(1, 0);
        let drawn: Vec<f32> = (0..40_000).map(|_| half_normal(rng.random())).collect();
        let zeros = drawn.iter().filter(|&&x| x == 0.0).count() as f32 / 40_000.0;
        assert!((zeros - 0.5).abs() < 0.02, "{zeros}");
        // The square of a normal number has the mean 1; half of the numbers are 0.
        let squares = drawn.iter().map(|x| x * x).sum::<f32>() / 40_000.0;
        assert!((squares - 0.5).abs() < 0.02, "{squares}");
    }
}
