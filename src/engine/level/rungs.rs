//! The tables of measured steps, one for each size on which ranks were measured.
//!
//! Matches between neighbouring steps and against GNU Go measured the ranks, see `docs/levels.md`. The program
//! `examples/calibrate.rs` plays these matches. A rank between two steps plays each move as one of them, drawn by
//! chance. The nearer step is drawn more often. A board between the sizes of two tables draws between them in the same way.

use crate::go::Size;

/// A step of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The rank in kyu: 1 is 1 kyu, 0 is 1 dan, −1 is 2 dan.
    pub kyu: f32,
    /// Was the rank measured? The other ranks are estimates.
    pub measured: bool,
    /// Does the step search with the net?
    pub net: bool,
    /// Playouts for a move.
    pub playouts: u32,
    /// The moves that the step sees; `None` for all moves.
    pub sight: Option<Sight>,
}

/// Which moves a weak player sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Number of moves that the player considers.
    pub moves: u8,
    /// How far the draw of these moves is from the prior, 0 to 2. With 0 the weight of a move is the prior. With 1 it
    /// is the prior's root, so unlikely moves become likelier. With 2 all weights are equal.
    pub scatter: f32,
    /// The step does not play a move whose win rate is lower by more than this than the most natural move's.
    pub loss: f32,
    /// The step does not overlook that a chain of at least this many stones can be captured.
    pub chain: u8,
}

const fn weak(kyu: f32, moves: u8, scatter: f32, loss: f32, chain: u8, playouts: u32) -> Rung {
    Rung { kyu, measured: true, net: false, playouts, sight: Some(Sight { moves, scatter, loss, chain }) }
}

const fn strong(kyu: f32, playouts: u32) -> Rung {
    Rung { kyu, measured: true, net: false, playouts, sight: None }
}

/// The same step, with the net.
const fn net(rung: Rung) -> Rung {
    Rung { net: true, ..rung }
}

/// The same step, whose rank is an estimate.
const fn estimate(rung: Rung) -> Rung {
    Rung { measured: false, ..rung }
}

/// The steps that were measured on boards of one size, weakest step first.
#[derive(Debug, PartialEq)]
pub struct Table {
    /// Columns and rows of these boards.
    pub size: usize,
    /// The name of the net that the steps with a net were measured with.
    pub net: Option<&'static str>,
    /// The steps.
    pub rungs: &'static [Rung],
}

impl Table {
    fn points(&self) -> f32 {
        (self.size * self.size) as f32
    }
}

/// The tables of an engine, with a net for the board or without, smallest board first.
pub fn tables(with_net: bool) -> &'static [Table] {
    if with_net { WITH_NET } else { WITHOUT_NET }
}

/// The weight of the net's values when the ranks were measured: [`Params::second_share`] on 9×9 and on 19×19.
///
/// [`Params::second_share`]: crate::search::Params::second_share
const SECOND_SHARES: [f32; 2] = [0.35, 0.5];

/// The weight of the net's values in the searches of levels, on a board of this size.
pub fn second_share(size: impl Into<Size>) -> f32 {
    let along = (size.into().like_square().clamp(9, 19) - 9) as f32 / 10.0;
    SECOND_SHARES[0] + along * (SECOND_SHARES[1] - SECOND_SHARES[0])
}

/// The tables for a board of this size, and the share of the larger one: 0 where the smaller one serves alone. A board
/// beyond the measured sizes takes the table of the nearest one.
pub fn around(with_net: bool, size: impl Into<Size>) -> ([&'static Table; 2], f32) {
    let tables = tables(with_net);
    let points = size.into().points() as f32;
    let above = tables.iter().position(|table| table.points() >= points).unwrap_or(tables.len() - 1);
    let (low, high) = (&tables[above.saturating_sub(1)], &tables[above]);
    if low == high {
        return ([low, high], 0.0);
    }
    ([low, high], ((points - low.points()) / (high.points() - low.points())).clamp(0.0, 1.0))
}

/// The most steps that a table has.
pub const COUNT: usize = 15;

const WITHOUT_NET: &[Table] =
    &[Table { size: 9, net: None, rungs: &ON_9 }, Table { size: 19, net: None, rungs: &ON_19 }];
const WITH_NET: &[Table] = &[
    Table { size: 9, net: Some("own-4x32-5"), rungs: &ON_9_WITH_NET },
    Table { size: 13, net: Some("own-4x32-5"), rungs: &ON_13_WITH_NET },
    Table { size: 19, net: Some("records-4x32-2"), rungs: &ON_19_WITH_NET },
];

/// On 9×9, by playouts alone.
const ON_9: [Rung; 15] = [
    weak(35.4, 1, 2.0, 0.8, 10, 100),
    weak(27.2, 1, 1.0, 0.6, 8, 100),
    weak(24.8, 1, 0.5, 0.5, 7, 100),
    weak(24.2, 1, 0.0, 0.4, 6, 100),
    weak(17.4, 2, 0.3, 0.35, 5, 100),
    weak(17.2, 2, 0.0, 0.3, 4, 100),
    weak(13.4, 3, 0.0, 0.25, 3, 100),
    weak(11.3, 5, 0.0, 0.2, 2, 120),
    weak(8.9, 8, 0.0, 0.15, 1, 160),
    strong(8.2, 200),
    strong(5.8, 400),
    strong(4.1, 800),
    strong(1.4, 1600),
    strong(-0.8, 3200),
    strong(-1.3, 6400),
];

/// On 19×19, by playouts alone.
const ON_19: [Rung; 15] = [
    weak(42.8, 1, 0.0, 0.4, 6, 100),
    weak(31.6, 2, 0.3, 0.35, 6, 100),
    weak(25.6, 2, 0.0, 0.3, 5, 100),
    weak(22.5, 3, 0.3, 0.3, 5, 100),
    weak(22.4, 3, 0.0, 0.25, 4, 100),
    weak(19.0, 4, 0.0, 0.25, 3, 100),
    weak(18.9, 5, 0.0, 0.2, 2, 100),
    weak(17.7, 7, 0.0, 0.2, 2, 120),
    weak(16.9, 10, 0.0, 0.15, 1, 160),
    strong(12.8, 200),
    strong(10.7, 400),
    strong(7.8, 800),
    estimate(strong(5.3, 1600)),
    estimate(strong(3.4, 3200)),
    estimate(strong(1.8, 6400)),
];

/// The players of the steps on 9×9 and 13×13 with the net, who have these ranks. The weakest three have no net.
const fn with_small_net(kyu: [f32; 14]) -> [Rung; 14] {
    [
        weak(kyu[0], 1, 2.0, 0.8, 10, 100),
        weak(kyu[1], 1, 1.0, 0.6, 8, 100),
        weak(kyu[2], 1, 0.0, 0.4, 6, 100),
        net(weak(kyu[3], 1, 2.0, 0.8, 10, 100)),
        net(weak(kyu[4], 1, 1.0, 0.6, 8, 100)),
        net(weak(kyu[5], 1, 0.0, 0.4, 5, 100)),
        net(weak(kyu[6], 1, 0.0, 0.2, 3, 100)),
        net(weak(kyu[7], 2, 0.0, 0.3, 3, 100)),
        net(strong(kyu[8], 100)),
        net(strong(kyu[9], 200)),
        net(strong(kyu[10], 400)),
        net(strong(kyu[11], 800)),
        net(strong(kyu[12], 1600)),
        net(strong(kyu[13], 3200)),
    ]
}

const ON_9_WITH_NET: [Rung; 14] =
    with_small_net([36.2, 29.6, 23.7, 19.0, 14.5, 10.0, 7.5, 5.6, 3.8, 1.9, -0.4, -1.4, -2.4, -3.1]);

const ON_13_WITH_NET: [Rung; 14] =
    with_small_net([53.1, 37.9, 28.3, 18.9, 11.7, 10.0, 8.5, 7.0, 5.0, 3.6, 2.8, 1.2, 0.5, -1.0]);

/// On 19×19, with the net. The weakest step has none. The strongest one has met only the step below it and has never
/// lost to it, so its rank is an estimate.
const ON_19_WITH_NET: [Rung; 8] = [
    weak(34.5, 2, 0.3, 0.35, 6, 100),
    net(weak(25.6, 1, 2.0, 0.8, 10, 100)),
    net(weak(19.3, 1, 1.0, 0.6, 8, 100)),
    net(weak(18.2, 1, 0.0, 0.4, 5, 100)),
    net(weak(7.7, 4, 0.0, 0.2, 2, 100)),
    net(strong(7.1, 100)),
    net(strong(3.2, 400)),
    estimate(net(strong(-1.9, 1600))),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_rise_from_step_to_step() {
        let all = || [false, true].into_iter().flat_map(tables);
        for table in all() {
            let rungs = table.rungs;
            assert!(rungs.len() <= COUNT);
            for pair in rungs.windows(2) {
                assert!(pair[0].kyu > pair[1].kyu, "{pair:?}");
                assert!(pair[0].playouts <= pair[1].playouts, "{pair:?}");
                // What is measured is in one piece, so that an end of it can be named.
                assert!(pair[0].measured || !pair[1].measured, "{pair:?}");
            }
            // Fewer playouts would not show the owners of the points at the end of the game.
            assert!(rungs.iter().all(|rung| rung.playouts >= 100));
            assert!(rungs.first().is_some_and(|weakest| weakest.measured));
            assert_eq!(rungs.iter().any(|rung| rung.net), table.net.is_some());
        }
        for with_net in [false, true] {
            assert!(tables(with_net).windows(2).all(|pair| pair[0].size < pair[1].size));
            assert!(with_net || tables(with_net).iter().all(|table| table.net.is_none()));
        }
    }

    #[test]
    fn a_board_takes_the_tables_of_the_sizes_around_it() {
        let sizes = |with_net, size| {
            let (tables, share) = around(with_net, size);
            (tables.map(|table| table.size), share)
        };
        assert_eq!(sizes(true, 5).1, 0.0);
        assert_eq!(sizes(true, 5).0[0], 9);
        assert_eq!(sizes(true, 13), ([9, 13], 1.0));
        assert_eq!(sizes(true, 19), ([13, 19], 1.0));
        assert_eq!(sizes(true, 25), ([13, 19], 1.0));
        let (tables, share) = sizes(true, 11);
        assert_eq!(tables, [9, 13]);
        assert!((share - 40.0 / 88.0).abs() < 1e-6);
        assert_eq!(sizes(false, 13).0, [9, 19]);
    }
}
