//! The user's word before something is destroyed.

use depot_core::action::ActionSpec;
use depot_core::ToolError;
use rmcp::service::{ElicitationError, Peer, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Confirm {
    /// Whether to go on.
    pub confirm: bool,
}

rmcp::elicit_safe!(Confirm);

pub fn is_destructive(actions: &[ActionSpec], action: &str) -> bool {
    actions.iter().any(|spec| spec.name == action && spec.destructive)
}

/// Asks the user. Anything but a clear yes is a refusal.
pub async fn confirmed(peer: &Peer<RoleServer>, action: &str) -> Result<(), ToolError> {
    let question = format!("`{action}` cannot be undone. Go on?");
    match peer.elicit::<Confirm>(question).await {
        Ok(Some(Confirm { confirm: true })) => Ok(()),
        Ok(_) => Err(ToolError::Refused { reason: "the user did not confirm".into() }),
        Err(ElicitationError::CapabilityNotSupported) => {
            Err(ToolError::Refused { reason: "the client cannot ask the user".into() })
        }
        Err(_) => Err(ToolError::Refused { reason: "the user was not asked".into() }),
    }
}
