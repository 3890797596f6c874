//! The user's word.

use rmcp::model::{CreateElicitationRequestParams, ElicitationAction, ElicitationSchema};
use rmcp::service::{Peer, RoleServer};
use rmcp::ErrorData;

pub async fn ask(peer: &Peer<RoleServer>, what: &str) -> Result<(), ErrorData> {
    let schema = ElicitationSchema::builder().required_bool("confirm").build_unchecked();
    let asked = CreateElicitationRequestParams::form(format!("{what} cannot be undone. Go on?"), schema);
    let answer = peer.create_elicitation(asked).await.map_err(|_| refusal("the user was not asked"))?;
    match answer.action {
        ElicitationAction::Accept => Ok(()),
        ElicitationAction::Decline | ElicitationAction::Cancel => Err(refusal("the user did not confirm")),
    }
}

fn refusal(reason: &'static str) -> ErrorData {
    ErrorData::invalid_request(reason, None)
}
