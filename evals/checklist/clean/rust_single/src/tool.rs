//! The one tool of the domain.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, Content};
use rmcp::{tool, tool_handler, tool_router, ErrorData, Peer, RoleServer, ServerHandler};
use serde_json::Value;

use crate::actions::ACTIONS;
use crate::handlers::run_with_client;
use crate::store::Store;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct Request {
    /// What to do: subject.verb, `help` or `schema`.
    pub action: String,
    /// What the action takes; `schema` tells.
    #[serde(default)]
    pub params: serde_json::Map<String, Value>,
    /// The fields to keep, all if absent.
    pub fields: Option<Vec<String>>,
    /// At most so many items, 20 if absent.
    pub limit: Option<i64>,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("no action `{0}`")]
    Unknown(String),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("the user did not confirm")]
    Refused,
    #[error("{message}")]
    Internal { message: String },
}

#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Confirm {
    pub confirm: bool,
}

rmcp::elicit_safe!(Confirm);

#[derive(Clone, Default)]
pub struct Snippets {
    store: Store,
}

#[tool_router]
impl Snippets {
    /// snippet: Keep pieces of code that are worth finding again.
    /// When to use: the user wants to save, find or drop a piece of code.
    /// Parameters:
    /// - action (required): snippet.verb. Call {action:"help"} for the full catalog.
    /// - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    /// - fields, limit, cursor: standard pagination/projection.
    /// Actions:
    /// - snippet.list: List snippets by title
    /// - snippet.get: Give one snippet with its body
    /// - snippet.delete: Delete a snippet for good
    /// Limitations: local only; snippet.delete asks the user first.
    #[tool]
    async fn snippet(
        &self,
        Parameters(request): Parameters<Request>,
        peer: Peer<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match self.guarded(request, &peer).await {
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
            Err(error) => Ok(CallToolResult::error(vec![Content::text(error.to_string())])),
        }
    }
}

impl Snippets {
    async fn guarded(&self, request: Request, peer: &Peer<RoleServer>) -> Result<Value, ToolError> {
        let spec = ACTIONS.iter().find(|spec| spec.name == request.action);
        if spec.is_some_and(|spec| spec.destructive) {
            match peer.elicit::<Confirm>(format!("Really {}?", request.action)).await {
                Ok(Some(answer)) if answer.confirm => {}
                _ => return Err(ToolError::Refused),
            }
        }
        self.dispatch_tool(request).await
    }

    async fn dispatch_tool(&self, request: Request) -> Result<Value, ToolError> {
        let work = async { run_with_client(&self.store, &request.action, &request).await };
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(answer) => answer,
            Err(_) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ToolError::Internal { message: "tool handler panicked".into() })
            }
        }
    }
}

#[tool_handler]
impl ServerHandler for Snippets {}
