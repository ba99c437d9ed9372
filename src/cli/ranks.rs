//! The program as one of several ranks, if it has the feature `mpi` and was started by `mpirun` or the like.

use kosumi::cluster::Settings;
use kosumi::engine::EngineOptions;

#[cfg(feature = "mpi")]
use {
    super::values::{rate, switch, whole},
    kosumi::cluster::{follow, lead, mpi},
    kosumi::search::{Partnership, Reach},
    std::{sync::Arc, time::Duration},
};

/// What ranks tell each other, if there are several.
#[cfg(feature = "mpi")]
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct ExchangeOptions {
    /// With several ranks: milliseconds between two exchanges of a search
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole(1u32..=10_000))]
    exchange_interval: u32,
    /// With several ranks: tell of nodes so many moves from the root, 1 to 6
    #[arg(long, value_name = "MOVES", default_value_t = 3, value_parser = whole(1u8..=6))]
    exchange_depth: u8,
    /// With several ranks: tell of nodes with this share of the root's visits
    #[arg(long, value_name = "SHARE", default_value = "0.005", value_parser = rate)]
    exchange_share: f32,
    /// With several ranks: nodes in one message, at the most (24 bytes each)
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1u16..=50_000))]
    exchange_nodes: u16,
    /// With several ranks: tell all-moves-as-first sums, too (8 bytes more for each node)
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, value_parser = switch)]
    exchange_rave: bool,
    /// With several ranks: milliseconds of silence after which a rank is left out
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole(10u32..=600_000))]
    exchange_patience: u32,
}

#[cfg(feature = "mpi")]
impl ExchangeOptions {
    pub(super) fn settings(&self) -> Settings {
        let milliseconds = |n: u32| Duration::from_millis(n.into());
        Settings {
            reach: Reach {
                depth: self.exchange_depth.into(),
                share: self.exchange_share.into(),
                most: self.exchange_nodes.into(),
                rave: self.exchange_rave,
            },
            interval: milliseconds(self.exchange_interval),
            patience: milliseconds(self.exchange_patience),
        }
    }
}

/// This process as one of several ranks.
#[cfg(feature = "mpi")]
pub(crate) struct Ranks(mpi::Ranks);

/// This process as one of several ranks, which there are only with the feature `mpi`.
#[cfg(not(feature = "mpi"))]
pub(crate) enum Ranks {}

#[cfg(feature = "mpi")]
impl Ranks {
    /// Joins the other ranks. `None` if there are none.
    ///
    /// # Errors
    /// If they cannot be reached.
    pub(crate) fn join() -> Result<Option<Ranks>, String> {
        mpi::Ranks::start().map(|ranks| ranks.map(Ranks)).map_err(|error| error.to_string())
    }

    /// The number of this rank.
    pub(crate) fn rank(&self) -> usize {
        self.0.post().rank()
    }

    /// Makes the searches of rank 0 those of all ranks.
    pub(crate) fn lead(&self, settings: Settings, options: &mut EngineOptions) {
        let leader = lead::Leader::new(Arc::clone(self.0.post()), settings);
        options.search.partners = Some(Partnership::new(leader));
    }

    /// Searches what rank 0 orders, until the end of the program.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(crate) fn follow(self, settings: Settings, options: EngineOptions) -> Result<(), String> {
        let result = follow::follow(self.0.post(), settings, options.search, &options.nets);
        self.0.leave();
        result.map_err(|error| error.to_string())
    }

    /// Ends the work of all ranks.
    pub(crate) fn dismiss(self) {
        lead::dismiss(self.0.post());
        self.0.leave();
    }
}

#[cfg(not(feature = "mpi"))]
impl Ranks {
    /// Without the feature, a program is always alone.
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn join() -> Result<Option<Ranks>, String> {
        Ok(None)
    }

    pub(crate) fn rank(&self) -> usize {
        match *self {}
    }

    pub(crate) fn lead(&self, _: Settings, _: &mut EngineOptions) {
        match *self {}
    }

    pub(crate) fn follow(self, _: Settings, _: EngineOptions) -> Result<(), String> {
        match self {}
    }

    pub(crate) fn dismiss(self) {
        match self {}
    }
}
