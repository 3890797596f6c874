//! The register of couriers.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::RwLock;

use crate::courier::types::Courier;
use crate::ToolError;

#[derive(Clone, Default)]
pub struct CourierClient {
    couriers: Arc<RwLock<BTreeMap<String, Courier>>>,
}

impl CourierClient {
    pub async fn slice(&self, offset: usize, limit: usize) -> Vec<Courier> {
        self.couriers.read().await.values().skip(offset).take(limit).cloned().collect()
    }

    pub async fn count(&self) -> usize {
        self.couriers.read().await.len()
    }

    pub async fn everyone(&self) -> Vec<Courier> {
        self.couriers.read().await.values().cloned().collect()
    }

    pub async fn courier(&self, id: &str) -> Result<Courier, ToolError> {
        self.couriers.read().await.get(id).cloned().ok_or_else(|| ToolError::invalid("id"))
    }

    pub async fn remove(&self, id: &str) -> Result<Courier, ToolError> {
        self.couriers.write().await.remove(id).ok_or_else(|| ToolError::invalid("id"))
    }
}
