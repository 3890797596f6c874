//! Telling a client how far a long call is, if it asked for that.

use std::time::{Duration, Instant};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};

const LEAST_GAP: Duration = Duration::from_millis(500);

/// Sends progress by the token of the request, at most twice a second.
pub struct Reporter {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    last: Option<Instant>,
}

impl Reporter {
    pub fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        Self { peer, token, last: None }
    }

    /// Gives nothing where the client asked for no progress.
    pub fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        Some(Self::new(context.peer.clone(), token))
    }

    pub async fn report(&mut self, done: usize, total: usize) {
        let early = self.last.is_some_and(|last| last.elapsed() < LEAST_GAP);
        if early && done < total {
            return;
        }
        self.last = Some(Instant::now());
        let param = ProgressNotificationParam::new(self.token.clone(), done as f64).with_total(total as f64);
        let _ = self.peer.notify_progress(param).await;
    }
}
