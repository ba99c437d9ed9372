//! The statistics of the nodes near the root, which searches of one position on several machines exchange.
//!
//! A machine remembers what each other machine knows ([`Known`]): all that the machine has told the other one, and all
//! that it has heard from the other one. News is the difference between the tree and that. So no visit counts twice,
//! and a machine in the middle passes on what it hears.
//!
//! Which machines there are, and how messages travel, is left to the caller.

use std::collections::HashMap;

use super::node::{Children, Node};
use super::tree::Tree;
use crate::go::{Move, Point};

/// Bits of a move in a [`Path`]: enough for the points of the largest board, a pass, and "no move".
const MOVE_BITS: u32 = 10;

/// The longest path in moves, as many as 64 bits hold.
pub const LONGEST_PATH: usize = 6;

/// News for nodes that a tree does not have yet, at the most. (A guess: the news of several exchanges.)
const MOST_WAITING: usize = 4096;

/// All-moves-as-first observations of a node without new visits are told from this weight on. (A guess: a playout
/// counts ½ on the average for a point that it plays on.)
const LEAST_RAVE: f64 = 1.0;

/// The moves that lead from the root to a node, six at most: the first move in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(u64);

impl Path {
    /// The path to the root.
    pub const ROOT: Path = Path(0);

    /// The path from its number in a message.
    pub fn from_bits(bits: u64) -> Path {
        Path(bits)
    }

    /// The number of the path in a message.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// 0 means "no move", so a pass is 1.
    fn code(mv: Move) -> u64 {
        let point = mv.point().unwrap_or(Point::NONE);
        point.index() as u64 + 1
    }

    /// The number of moves.
    pub fn len(self) -> usize {
        (u64::BITS - self.0.leading_zeros()).div_ceil(MOVE_BITS) as usize
    }

    /// Is this the path to the root?
    pub fn is_empty(self) -> bool {
        self == Path::ROOT
    }

    /// The path with another move; `None` if there is no room.
    #[must_use]
    pub fn then(self, mv: Move) -> Option<Path> {
        let len = self.len();
        (len < LONGEST_PATH).then(|| Path(self.0 | Path::code(mv) << (len as u32 * MOVE_BITS)))
    }

    /// The path without its first move, if the first move is this one.
    #[must_use]
    pub fn after(self, mv: Move) -> Option<Path> {
        (self.0 & ((1 << MOVE_BITS) - 1) == Path::code(mv)).then_some(Path(self.0 >> MOVE_BITS))
    }

    /// The codes of the moves, the first move first.
    fn codes(self) -> impl Iterator<Item = u64> {
        let shifts = (0..LONGEST_PATH).map(|i| i as u32 * MOVE_BITS);
        shifts.map(move |shift| self.0 >> shift & ((1 << MOVE_BITS) - 1)).take_while(|&code| code != 0)
    }
}

/// Visits of a node and the sums of their results, for the side that has moved into the node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// Playouts through the node.
    pub visits: u64,
    /// Sum of their results, 0..=visits.
    pub sum: f64,
    /// Visits with a second value, such as a net's.
    pub second_visits: u64,
    /// Sum of the second values, 0..=second_visits.
    pub second_sum: f64,
    /// Weight of the all-moves-as-first observations; 0 where they are not told.
    pub rave: f64,
    /// Sum of their results, 0..=rave.
    pub rave_sum: f64,
}

impl Amount {
    fn of(tree: &Tree, node: &Node, with_rave: bool) -> Amount {
        let (visits, sum) = node.visits_and_sum();
        // A pass has nothing but what each tree gives it at the beginning.
        let (rave, mean) = if with_rave && node.mv() != Move::Pass { node.amaf() } else { (0.0, 0.0) };
        let (rave, rave_sum) = (f64::from(rave), f64::from(rave) * f64::from(mean));
        let (second_visits, second_sum) = match node.children() {
            Children::At(first) => tree.block(first).second_visits_and_sum(),
            Children::None | Children::BeingMade | Children::Barred | Children::Folded(_) => (0, 0.0),
        };
        Amount { visits, sum, second_visits, second_sum, rave, rave_sum }
    }

    fn add(&mut self, more: &Amount) {
        self.visits += more.visits;
        self.sum += more.sum;
        self.second_visits += more.second_visits;
        self.second_sum += more.second_sum;
        self.rave += more.rave;
        self.rave_sum += more.rave_sum;
    }

    /// What is more than in `known`. A second value is never more visits than there are.
    fn beyond(&self, known: &Amount) -> Amount {
        let visits = self.visits.saturating_sub(known.visits);
        let second_visits = self.second_visits.saturating_sub(known.second_visits);
        // Threads lose all-moves-as-first observations, so there may be less than what was heard.
        let rave = (self.rave - known.rave).max(0.0);
        Amount {
            visits,
            // A reader may see a visit before its result, so a difference can be a little outside its range.
            sum: (self.sum - known.sum).clamp(0.0, visits as f64),
            second_visits,
            second_sum: (self.second_sum - known.second_sum).clamp(0.0, second_visits as f64),
            rave,
            rave_sum: (self.rave_sum - known.rave_sum).clamp(0.0, rave),
        }
    }

    /// Is it worth a place in a message?
    fn is_news(&self) -> bool {
        self.visits > 0 || self.rave >= LEAST_RAVE
    }

    /// Can results have such sums?
    fn is_possible(&self) -> bool {
        (0.0..=self.visits as f64).contains(&self.sum)
            && (0.0..=self.second_visits as f64).contains(&self.second_sum)
            && (0.0..=self.rave).contains(&self.rave_sum)
            && self.rave.is_finite()
    }
}

/// What a machine tells of a node: the visits that the other machine does not know yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeNews {
    /// The way to the node.
    pub path: Path,
    /// What is new.
    pub amount: Amount,
}

/// How far from the root an exchange reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Moves from the root, [`LONGEST_PATH`] at most.
    pub depth: usize,
    /// The share of the root's visits that a node needs, 0..=1.
    pub share: f64,
    /// Nodes in one message, at the most.
    pub most: usize,
    /// Tell the all-moves-as-first observations, too? Then all children of the root are told, even unvisited ones.
    pub rave: bool,
}

impl Default for Reach {
    /// Three moves, one visit in 200, 1000 nodes (24 kB), no all-moves-as-first. `docs/cluster.md` has the comparison
    /// with other values.
    fn default() -> Reach {
        Reach { depth: 3, share: 0.005, most: 1000, rave: false }
    }
}

/// The nodes within reach, as they are now. Parents stand before their children.
pub fn near(tree: &Tree, reach: &Reach) -> Vec<NodeNews> {
    let root = tree.node(tree.root());
    let least = ((root.visits() as f64 * reach.share) as u64).max(1);
    let mut found = vec![NodeNews { path: Path::ROOT, amount: Amount::of(tree, root, reach.rave) }];
    let mut open = vec![(Path::ROOT, root)];
    let mut next = Vec::new();
    for depth in 0..reach.depth {
        for (path, node) in open.drain(..) {
            for child in tree.children(node).iter().filter(|child| !child.is_barred()) {
                let is_large = child.visits() >= least;
                if is_large || depth == 0 && reach.rave {
                    let Some(path) = path.then(child.mv()) else { continue };
                    found.push(NodeNews { path, amount: Amount::of(tree, child, reach.rave) });
                    if is_large {
                        next.push((path, child));
                    }
                }
            }
        }
        std::mem::swap(&mut open, &mut next);
    }
    found
}

/// What another machine knows of the nodes near the root.
#[derive(Clone, Debug, Default)]
pub struct Known {
    nodes: HashMap<Path, Amount>,
    /// What the other machine has told of nodes that this tree does not have yet.
    waiting: Vec<NodeNews>,
}

impl Known {
    /// Forgets all, as for another tree.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.waiting.clear();
    }

    /// Forgets what does not lie behind this move. The move's node becomes the root.
    pub fn advance(&mut self, mv: Move) {
        self.nodes = self.nodes.drain().filter_map(|(path, amount)| Some((path.after(mv)?, amount))).collect();
        self.waiting = self
            .waiting
            .drain(..)
            .filter_map(|news| Some(NodeNews { path: news.path.after(mv)?, amount: news.amount }))
            .collect();
    }

    /// What of `nodes` the other machine does not know yet: `most` nodes, those with the most new visits. The other
    /// machine knows them from now on, so the caller has to send them.
    pub fn news(&mut self, nodes: &[NodeNews], most: usize) -> Vec<NodeNews> {
        let mut news = Vec::new();
        for node in nodes {
            let known = self.nodes.entry(node.path).or_default();
            if node.amount.visits < known.visits {
                // The node has been pruned and made again.
                *known = node.amount;
                continue;
            }
            let amount = node.amount.beyond(known);
            if amount.is_news() {
                news.push(NodeNews { path: node.path, amount });
            }
        }
        if news.len() > most {
            news.sort_by_key(|node| std::cmp::Reverse(node.amount.visits));
            news.truncate(most);
        }
        for node in &mut news {
            // A message has numbers of 32 bits. What they cannot hold is news again the next time.
            let Amount { visits, sum, second_visits, second_sum, rave, rave_sum } = &mut node.amount;
            (*visits, *second_visits) = ((*visits).min(u64::from(u32::MAX)), (*second_visits).min(u64::from(u32::MAX)));
            (*sum, *second_sum) = (f64::from(*sum as f32), f64::from(*second_sum as f32));
            (*sum, *second_sum) = (sum.min(*visits as f64), second_sum.min(*second_visits as f64));
            *rave = f64::from(*rave as f32);
            *rave_sum = f64::from(*rave_sum as f32).min(*rave);
            self.nodes.entry(node.path).or_default().add(&node.amount);
        }
        news
    }

    /// Adds what the other machine has told to a tree. Nodes that the tree does not have yet get theirs later; news of
    /// barred nodes and impossible sums are left out.
    pub fn learn(&mut self, tree: &Tree, news: &[NodeNews]) {
        let mut all = std::mem::take(&mut self.waiting);
        all.extend(news.iter().filter(|node| node.amount.is_possible()));
        for node in all {
            match find(tree, node.path) {
                Found::Node(found) => {
                    tree.note_foreign();
                    found.add_foreign(node.amount.visits, node.amount.sum);
                    if node.amount.rave > 0.0 {
                        let mean = (node.amount.rave_sum / node.amount.rave) as f32;
                        found.add_amaf(mean, node.amount.rave as f32);
                    }
                    let mut added = Amount { second_visits: 0, second_sum: 0.0, ..node.amount };
                    if let Children::At(first) = found.children() {
                        tree.block(first).add_foreign(node.amount.second_visits, node.amount.second_sum);
                        added = node.amount;
                    }
                    self.nodes.entry(node.path).or_default().add(&added);
                }
                Found::NotYet if self.waiting.len() < MOST_WAITING => self.waiting.push(node),
                Found::NotYet | Found::Never => {}
            }
        }
    }
}

enum Found<'a> {
    Node(&'a Node),
    /// A node on the path has no children yet.
    NotYet,
    /// The path has a move that the tree does not make.
    Never,
}

fn find(tree: &Tree, path: Path) -> Found<'_> {
    let mut at = tree.node(tree.root());
    for code in path.codes() {
        let children = tree.children(at);
        if children.is_empty() {
            return if at.is_barred() { Found::Never } else { Found::NotYet };
        }
        match children.iter().find(|child| child.point().index() as u64 + 1 == code) {
            Some(child) if !child.is_barred() => at = child,
            _ => return Found::Never,
        }
    }
    Found::Node(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(index: usize) -> Move {
        Move::Play(Point::from_index(index).expect("a point"))
    }

    /// A root with two children, the first of which has one child.
    fn small_tree() -> Tree {
        let tree = Tree::new(1 << 16).expect("memory");
        let first = tree.allocate(2).expect("room");
        tree.node(first).reset(point(5), 0.5);
        tree.node(first.sibling(1)).reset(Move::Pass, 0.5);
        tree.node(tree.root()).publish(first);
        tree
    }

    fn grow(tree: &Tree) {
        let below = tree.allocate(1).expect("room");
        tree.node(below).reset(point(7), 1.0);
        tree.children(tree.node(tree.root()))[0].publish(below);
    }

    fn playout(tree: &Tree, child: usize, result: f32) {
        tree.node(tree.root()).add(1.0 - result);
        let child = &tree.children(tree.node(tree.root()))[child];
        child.add(result);
        if let [below] = tree.children(child) {
            below.add(1.0 - result);
        }
    }

    const ALL: Reach = Reach { depth: 3, share: 0.0, most: 100, rave: false };

    #[test]
    fn paths_hold_six_moves_and_lose_the_first() {
        let path = Path::ROOT.then(Move::Pass).and_then(|path| path.then(point(702))).expect("two moves");
        assert_eq!((path.len(), Path::ROOT.len()), (2, 0));
        assert_eq!(path.codes().collect::<Vec<_>>(), [1, 703]);
        assert_eq!(path.after(Move::Pass), Path::ROOT.then(point(702)));
        assert_eq!(path.after(point(702)), None);
        let longest = (0..LONGEST_PATH).try_fold(Path::ROOT, |path, _| path.then(point(700))).expect("six moves");
        assert_eq!((longest.len(), longest.then(Move::Pass)), (6, None));
    }

    #[test]
    fn nothing_counts_twice_however_often_machines_talk() {
        let trees = [small_tree(), small_tree(), small_tree()];
        // 0 stands in the middle: it knows what 1 and 2 know. Each of these knows what 0 knows.
        let mut middle = [Known::default(), Known::default()];
        let mut ends = [Known::default(), Known::default()];
        for round in 0..20 {
            for (i, tree) in trees.iter().enumerate() {
                (0..=round % 3).for_each(|_| playout(tree, (round + i) % 2, [0.0, 0.25, 1.0][(i + round) % 3]));
            }
            for end in 0..2 {
                let news = ends[end].news(&near(&trees[end + 1], &ALL), 100);
                middle[end].learn(&trees[0], &news);
            }
            for end in 0..2 {
                let news = middle[end].news(&near(&trees[0], &ALL), 100);
                ends[end].learn(&trees[end + 1], &news);
            }
        }
        // A last round without playouts tells the rest: then all three know all playouts of all three.
        for end in 0..2 {
            let news = middle[end].news(&near(&trees[0], &ALL), 100);
            ends[end].learn(&trees[end + 1], &news);
        }
        let of = |tree: &Tree| near(tree, &ALL);
        assert_eq!(of(&trees[0]), of(&trees[1]));
        assert_eq!(of(&trees[0]), of(&trees[2]));
        let playouts: u64 = (0..20).map(|round| 3 * (round % 3 + 1)).sum();
        assert_eq!(of(&trees[0])[0].amount.visits, playouts);
        assert!(middle[0].news(&of(&trees[0]), 100).is_empty());
    }

    #[test]
    fn news_waits_for_nodes_that_are_made_later() {
        let [teller, learner] = [small_tree(), small_tree()];
        grow(&teller);
        (0..3).for_each(|_| playout(&teller, 0, 1.0));
        let (mut told, mut known) = (Known::default(), Known::default());
        known.learn(&learner, &told.news(&near(&teller, &ALL), 100));
        assert_eq!(near(&learner, &ALL).len(), 2);
        grow(&learner);
        known.learn(&learner, &[]);
        assert_eq!(near(&learner, &ALL), near(&teller, &ALL));
        // The next position: what lies behind the move is still known, the rest is forgotten.
        known.advance(point(5));
        assert_eq!(known.nodes.len(), 2);
        known.advance(Move::Pass);
        assert!(known.nodes.is_empty());
    }

    #[test]
    fn nonsense_from_outside_changes_nothing() {
        let tree = small_tree();
        let mut known = Known::default();
        let path = |mv| Path::ROOT.then(mv).expect("a path");
        let news = |path, visits, sum| NodeNews { path, amount: Amount { visits, sum, ..Amount::default() } };
        known.learn(&tree, &[news(path(point(5)), 2, 3.0), news(path(point(5)), 2, f64::NAN)]);
        known.learn(&tree, &[news(path(point(600)), 2, 1.0), news(Path::from_bits(u64::MAX), 2, 1.0)]);
        known.learn(&tree, &[news(path(point(5)), 2, -1.0)]);
        assert_eq!(near(&tree, &ALL).iter().map(|node| node.amount.visits).sum::<u64>(), 0);
    }

    #[test]
    fn second_values_travel_with_the_visits() {
        let [teller, learner] = [small_tree(), small_tree()];
        playout(&teller, 0, 1.0);
        let Children::At(first) = teller.node(teller.root()).children() else { panic!("children") };
        teller.block(first).add_second(0.25);
        let (mut told, mut known) = (Known::default(), Known::default());
        known.learn(&learner, &told.news(&near(&teller, &ALL), 100));
        assert_eq!(learner.second(learner.node(learner.root())), Some(0.25));
    }

    #[test]
    fn all_moves_as_first_travels_once_and_to_unvisited_moves() {
        let reach = Reach { rave: true, ..ALL };
        let trees = [small_tree(), small_tree()];
        let play = |tree: &Tree| tree.children(tree.node(tree.root()))[0].amaf();
        let mut known = [Known::default(), Known::default()];
        for round in 1..=10 {
            for (tree, result) in trees.iter().zip([0.25, 0.75]) {
                tree.children(tree.node(tree.root()))[0].add_amaf(result, 1.5);
            }
            for from in [0, 1] {
                let news = known[from].news(&near(&trees[from], &reach), 100);
                known[1 - from].learn(&trees[1 - from], &news);
            }
            // The second tree has heard all, and the first one all but the second's last word.
            assert_eq!(play(&trees[1]).0, 3.0 * round as f32);
        }
        let news = known[1].news(&near(&trees[1], &reach), 100);
        known[0].learn(&trees[0], &news);
        for tree in &trees {
            let (weight, mean) = play(tree);
            assert!((weight - 30.0).abs() < 1e-3 && (mean - 0.5).abs() < 1e-3, "{weight} {mean}");
            assert_eq!(tree.node(tree.root()).visits(), 0, "observations are no visits");
        }
        // Impossible sums, and without the switch nothing.
        let path = Path::ROOT.then(point(5)).expect("a path");
        let odd = |rave, rave_sum| NodeNews { path, amount: Amount { rave, rave_sum, ..Amount::default() } };
        known[0].learn(&trees[0], &[odd(1.0, 2.0), odd(f64::INFINITY, 1.0), odd(f64::NAN, 0.0), odd(-1.0, 0.0)]);
        assert!((play(&trees[0]).0 - 30.0).abs() < 1e-3);
        assert!(Known::default().news(&near(&trees[0], &ALL), 100).is_empty());
    }

    #[test]
    fn a_message_holds_what_has_changed_most() {
        let tree = small_tree();
        (0..5).for_each(|_| playout(&tree, 1, 0.0));
        playout(&tree, 0, 0.0);
        let mut known = Known::default();
        let paths = |news: &[NodeNews]| news.iter().map(|node| node.path).collect::<Vec<_>>();
        let first = known.news(&near(&tree, &ALL), 2);
        assert_eq!(paths(&first), [Path::ROOT, Path::ROOT.then(Move::Pass).expect("a path")]);
        assert_eq!(paths(&known.news(&near(&tree, &ALL), 2)), [Path::ROOT.then(point(5)).expect("a path")]);
    }
}
