//! What lies in the workshop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRoute;

/// The tool that a machine is, if there is such a machine.
pub fn route<S>(name: &str) -> Option<ToolRoute<S>> {
    workshop_machines::route(name)
}

#[derive(Clone, Default)]
pub struct Shelves {
    names: Arc<[String]>,
    version: Arc<AtomicU64>,
}

impl Shelves {
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    pub fn find(&self, word: &str) -> Vec<String> {
        self.names.iter().filter(|name| name.contains(word)).cloned().collect()
    }

    pub async fn count_box(&self, name: &str) -> usize {
        self.version.fetch_add(1, Ordering::Relaxed);
        self.names.iter().filter(|each| *each == name).count()
    }
}
