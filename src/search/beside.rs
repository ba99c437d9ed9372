//! Positions beside the game: what a search has visited often, but the game does not come to. A net that learns from
//! them knows more of the positions that a search asks about. (After TreeStrap: Veness, Silver, Uther, Blair 2009,
//! "Bootstrapping from Game Tree Search", which learns from all nodes of a tree.)

use super::node::Node;
use super::params::Params;
use super::tree::Tree;
use super::win_rate::Means;
use crate::go::Move;

/// A position that a search has visited, and what the search found there.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The moves from the root to the position.
    pub moves: Vec<Move>,
    /// The moves of the position that were tried, with their visits.
    pub shares: Vec<(Move, u32)>,
    /// How often the side to move wins there, 0..=1.
    pub win_rate: f32,
}

/// The positions with at least so many visits, but for the root and for those after the move that is played.
///
/// A position with more than half of the visits of the one found above it is left out, because its value is nearly the
/// same. One half is a guess. (Of 3 500 positions on 9×9, 61 % were such near copies, by a script that is not kept.)
pub fn collect(tree: &Tree, params: &Params, least: u64, played: Move) -> Vec<Beside> {
    let mut found = Vec::new();
    let root = tree.node(tree.root());
    let others = tree.children(root).iter().filter(|child| child.mv() != played);
    let mut open: Vec<(&Node, Vec<Move>, u64)> = others.map(|child| (child, vec![child.mv()], root.visits())).collect();
    while let Some((node, moves, above)) = open.pop() {
        let visits = node.visits();
        if visits < least.max(1) || node.is_barred() {
            continue;
        }
        let is_new = visits <= above / 2;
        let above = if is_new { visits } else { above };
        let children = tree.children(node);
        let visited = children.iter().filter(|child| child.visits() > 0);
        let shares: Vec<_> =
            visited.map(|child| (child.mv(), u32::try_from(child.visits()).unwrap_or(u32::MAX))).collect();
        open.extend(children.iter().map(|child| (child, [&moves[..], &[child.mv()]].concat(), above)));
        if is_new && !shares.is_empty() {
            let win_rate = Means::of(tree, node).turned().win_rate(params);
            found.push(Beside { moves, shares, win_rate });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::go::{Position, Ruleset};
    use crate::search::{Request, Search, SearchOptions};

    #[test]
    fn what_was_visited_beside_the_game_is_found() {
        const LEAST: u64 = 20;
        let mut search = Search::new(SearchOptions { memory: 4, ..SearchOptions::default() }).expect("memory");
        let mut request = Request::new(Position::new(5, Ruleset::default()), 15);
        request.limits.playouts = Some(2000);
        let report = search.run_alone(&request).expect("a report");
        // As if the second best move were played.
        let played = report.moves[1].mv;
        let found = search.beside(&request.params, LEAST, played);
        // More visits make a near copy of the root.
        let most = report.visits / 2;
        let often = report.moves.iter().filter(|m| (LEAST..=most).contains(&m.visits) && m.mv != played).map(|m| m.mv);
        for mv in often {
            assert!(found.iter().any(|beside| beside.moves == [mv]), "{mv:?}");
        }
        assert!(found.iter().any(|beside| beside.moves.len() > 1));
        let copies: Vec<_> = report.moves.iter().filter(|m| m.visits > most && m.mv != played).collect();
        assert!(copies.len() == 1 && found.iter().all(|beside| beside.moves != [copies[0].mv]), "{copies:?}");
        for beside in &found {
            assert_ne!(beside.moves[0], played);
            // A few visits ended at the position itself.
            let visits: u32 = beside.shares.iter().map(|&(_, visits)| visits).sum();
            assert!(u64::from(visits) + 8 >= LEAST, "{beside:?}");
            assert!((0.0..=1.0).contains(&beside.win_rate));
            let mut position = request.position.clone();
            for &mv in &beside.moves {
                position.play(mv).expect("a legal move");
            }
            for &(mv, _) in &beside.shares {
                assert!(position.check(mv).is_ok(), "{beside:?}");
            }
        }
    }
}
