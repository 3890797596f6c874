//! Where snippets are kept.

use std::sync::{Arc, RwLock};

use crate::types::Snippet;

#[derive(Clone, Default)]
pub struct Store(Arc<RwLock<Vec<Snippet>>>);

impl Store {
    pub fn from(&self, offset: usize, limit: usize) -> Vec<Snippet> {
        self.0.read().map(|rows| rows.iter().skip(offset).take(limit).cloned().collect()).unwrap_or_default()
    }

    pub fn every(&self) -> Vec<Snippet> {
        self.0.read().map(|rows| rows.to_vec()).unwrap_or_default()
    }

    pub fn find(&self, id: u64) -> Option<Snippet> {
        self.every().into_iter().find(|each| each.id == id)
    }

    pub fn remove(&self, id: u64) {
        if let Ok(mut rows) = self.0.write() {
            rows.retain(|each| each.id != id);
        }
    }
}
