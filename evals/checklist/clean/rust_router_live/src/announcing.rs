//! Telling clients that the tools have changed: once for many changes, and only if that is wanted.

use std::sync::Arc;

use rmcp::service::{Peer, RoleServer};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::settings::Settings;

#[derive(Clone)]
pub struct Announcer {
    settings: Settings,
    peers: Arc<Mutex<Vec<Peer<RoleServer>>>>,
    waiting: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Announcer {
    pub fn new(settings: Settings) -> Self {
        Self { settings, peers: Arc::default(), waiting: Arc::default() }
    }

    pub async fn meet(&self, peer: Peer<RoleServer>) {
        self.peers.lock().await.push(peer);
    }

    /// Tells every client, a moment after the last of several changes.
    pub async fn changed(&self) {
        if !self.settings.announce {
            return;
        }
        let this = self.clone();
        let task = tokio::spawn(async move { this.tell().await });
        if let Some(before) = self.waiting.lock().await.replace(task) {
            before.abort();
        }
    }

    async fn tell(&self) {
        tokio::time::sleep(self.settings.quiet).await;
        let peers = self.peers.lock().await.clone();
        for peer in peers {
            if let Err(error) = peer.notify_tool_list_changed().await {
                tracing::debug!(%error, "a client is gone");
            }
        }
    }
}
