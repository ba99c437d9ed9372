//! What the analysis engine is made of.

use crate::engine::EngineOptions;

use super::settings::Settings;

/// What the analysis engine is made of.
#[derive(Clone, Debug, Default)]
pub struct AnalysisOptions {
    /// Threads, memory, net, tunables, seed, and the rules that an incomplete object of rules changes. `playouts` and
    /// `time_per_move` limit a query that names no limit.
    pub engine: EngineOptions,
    /// The settings of queries that override none.
    pub settings: Settings,
    /// Leave out what is not answered yet when the input ends?
    pub quit_without_waiting: bool,
}
