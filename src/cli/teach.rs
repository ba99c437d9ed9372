//! The command line of `kosumi teach`.

use std::path::PathBuf;

use clap::Args;
use kosumi::net::nets::NetChoice;
use kosumi::teach::{Options, PRESET, settings};

use super::values::whole;

/// Options of `teach`.
#[derive(Args, Debug, Clone)]
pub(crate) struct TeachOptions {
    /// Folder of the run: games, rows, nets, matches, settings (teach.toml) and the page to look at (report.html)
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Settings of a new run: teach-5x5, teach-7x7, teach-9x9, teach-mixed, teach-on, teach-nine, or a file; they are
    /// copied to DIR/teach.toml [default: teach-9x9]
    #[arg(long, value_name = "NAME|FILE")]
    pub preset: Option<String>,
    /// What the first games of a new run are played with: none for playouts alone, random for random weights, shipped
    /// for the nets in this program, or a weight file
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
    /// Folder of a run of the trainer whose averaged weights a new run begins with
    #[arg(long, value_name = "FOLDER")]
    pub begin_with: Option<PathBuf>,
    /// Command that starts the trainer, in quotes [default: that of DIR/teach.toml]
    #[arg(long, value_name = "COMMAND")]
    pub trainer: Option<String>,
    /// End after this generation [default: that of DIR/teach.toml]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::from(u32::MAX)))]
    pub generations: Option<u64>,
    /// Games at a time, each in a thread of its own [default: that of DIR/teach.toml]
    #[arg(long, value_name = "N", value_parser = whole(1u16..=1024))]
    pub threads: Option<u16>,
    /// Only play games, beside the process that trains: on this machine, or on another one that shares DIR
    #[arg(long)]
    pub worker: bool,
    /// Games that a worker plays before it ends [default: as many as are wanted]
    #[arg(long, value_name = "N", requires = "worker", value_parser = whole(1..=u64::from(u32::MAX)))]
    pub games: Option<u64>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl TeachOptions {
    /// How the run is started.
    ///
    /// # Errors
    /// If there is no preset and no file of this name.
    pub(crate) fn options(self) -> Result<Options, String> {
        let preset = self.preset.as_deref().unwrap_or("teach-9x9");
        let settings = match settings::preset(preset) {
            Some(text) => text.to_owned(),
            None => std::fs::read_to_string(preset).map_err(|error| {
                let names: Vec<&str> = settings::PRESETS.iter().map(|&(name, _)| name).collect();
                format!("--preset {preset}: {error}; the presets are {}", names.join(", "))
            })?,
        };
        let of_new_run = [
            (PRESET, self.preset.is_some()),
            ("--net", self.net.is_some()),
            ("--begin-with", self.begin_with.is_some()),
        ];
        let net = match self.net.as_deref() {
            Some("random") => None,
            Some("none") | None => Some(NetChoice::Without),
            Some("shipped") => Some(NetChoice::Shipped),
            Some(path) => Some(NetChoice::File(path.into())),
        };
        Ok(Options {
            folder: self.folder,
            settings,
            net,
            begin_with: self.begin_with,
            given: of_new_run.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect(),
            trainer: self.trainer,
            generations: self.generations,
            threads: self.threads.map(usize::from),
            worker: self.worker,
            games: self.games,
            quiet: self.quiet,
        })
    }
}
