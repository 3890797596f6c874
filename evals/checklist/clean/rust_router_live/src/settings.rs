//! How the server is configured.

use std::time::Duration;

#[derive(Clone)]
pub struct Settings {
    pub announce: bool,
    pub quiet: Duration,
}

impl Settings {
    pub fn from_env() -> Self {
        Self {
            announce: std::env::var("WORKSHOP_ANNOUNCE").map_or(true, |value| value != "0"),
            quiet: Duration::from_millis(250),
        }
    }
}
