//! The flags of `kosumi web` become settings.

use kosumi::net::nets::NetChoiceError;
use kosumi::web::Settings;

use super::flags::WebOptions;

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
            engine: self.engine.for_a_person().engine()?,
        })
    }
}
