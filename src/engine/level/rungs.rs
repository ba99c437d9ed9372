//! The table of measured steps, for 9×9 and for 19×19.
//!
//! Matches between neighbouring steps and against GNU Go measured the ranks, see `docs/levels.md`. The program
//! `examples/calibrate.rs` plays these matches. A rank between two steps plays each move as one of them, drawn by
//! chance. The nearer step is drawn more often. A board between 9×9 and 19×19 draws between the two tables in the same
//! way.

/// The sizes of the boards on which ranks are measured.
pub const SMALL_SIZE: usize = 9;
/// The larger of the two.
pub const LARGE_SIZE: usize = 19;

/// The name of the net with which the steps with a net are measured: the net for 19×19 that comes with the program.
pub const MEASURED_NET: &str = "records-4x32-2";

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

/// The steps of boards up to 9×9 and of boards from 19×19 on, weakest step first.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// For boards up to 9×9.
    pub small: &'static [Rung],
    /// For boards from 19×19 on.
    pub large: &'static [Rung],
}

/// The steps of an engine, with a net for the board or without.
pub fn tables(with_net: bool) -> &'static Tables {
    if with_net { &WITH_NET } else { &WITHOUT_NET }
}

/// The most steps that a table has.
pub const COUNT: usize = 15;

const WITHOUT_NET: Tables = Tables { small: &SMALL, large: &LARGE };
const WITH_NET: Tables = Tables { small: &SMALL, large: &LARGE_WITH_NET };

/// For boards up to 9×9, weakest step first. All steps are measured, by playouts alone.
const SMALL: [Rung; 15] = [
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

/// For boards from 19×19 on. By playouts alone.
const LARGE: [Rung; 15] = [
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

/// For boards from 19×19 on, with the net. The weakest step has none. The strongest one has met only the step below it
/// and has never lost to it, so its rank is an estimate.
const LARGE_WITH_NET: [Rung; 8] = [
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
        for table in [false, true].map(tables).iter().flat_map(|tables| [tables.small, tables.large]) {
            assert!(table.len() <= COUNT);
            for pair in table.windows(2) {
                assert!(pair[0].kyu > pair[1].kyu, "{pair:?}");
                assert!(pair[0].playouts <= pair[1].playouts, "{pair:?}");
                // What is measured is in one piece, so that an end of it can be named.
                assert!(pair[0].measured || !pair[1].measured, "{pair:?}");
            }
            // Fewer playouts would not show the owners of the points at the end of the game.
            assert!(table.iter().all(|rung| rung.playouts >= 100));
            assert!(table.first().is_some_and(|weakest| weakest.measured));
        }
        assert!(tables(false).large.iter().chain(tables(false).small).all(|rung| !rung.net));
    }
}
