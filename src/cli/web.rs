//! The command line of `kosumi web`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;
use kosumi::net::nets::NetChoiceError;
use kosumi::web::Settings;

use super::flags::GtpOptions;

/// Options of `web`.
#[derive(Args, Debug, Clone)]
pub(crate) struct WebOptions {
    /// Options of `gtp`. Those about other programs have no meaning here; size, komi, rules, level and time for a move
    /// are those of the first game.
    #[command(flatten)]
    pub engine: GtpOptions,
    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Address to listen on. Other machines can reach any but 127.0.0.1 and ::1; the page then needs the token in the
    /// address that is printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Open no browser
    #[arg(long)]
    pub no_browser: bool,
}

impl WebOptions {
    /// How the page is served.
    ///
    /// # Errors
    /// Why the weight file of the net cannot be used.
    pub(crate) fn settings(&self) -> Result<Settings, NetChoiceError> {
        Ok(Settings {
            listen: self.listen,
            port: self.port,
            opens_browser: !self.no_browser,
            engine: self.engine.engine()?,
        })
    }
}
