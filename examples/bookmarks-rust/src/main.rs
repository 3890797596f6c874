//! One tool for the domain, over stdio.

mod actions;
mod client;
mod handlers;
mod respond;
mod types;

use futures::FutureExt;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_handler, tool_router, ServerHandler, ServiceExt};

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Request {
    /// What to do: `bookmark.list`, `bookmark.get`, `help` or `schema`.
    action: String,
    /// What the action takes; `schema` tells.
    params: Option<serde_json::Value>,
    /// The fields to keep, all if absent.
    fields: Option<Vec<String>>,
    /// At most so many items, 20 if absent.
    limit: Option<u32>,
    /// Where the page before ended.
    cursor: Option<String>,
}

#[tool_router]
impl Bookmarks {
    /// bookmark: Keep the pages that a person wants to find again.
    /// When to use: the person speaks of bookmarks or of pages saved for later.
    /// Parameters:
    /// - action (required): one of these. Call {action:"help"} for the full catalog.
    ///   - bookmark.list: List bookmarks, newest first
    ///   - bookmark.get: Give one bookmark with its page's text
    /// - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    /// - fields, limit, cursor: standard pagination/projection.
    /// Limitations: reads only; a page's text is cut at 2 KB.
    #[tool]
    async fn bookmark(&self, Parameters(request): Parameters<Request>) -> Result<String, ToolError> {
        dispatch_tool(self.client.clone(), request).await
    }
}

#[tool_handler]
impl ServerHandler for Bookmarks {}

async fn dispatch_tool(client: client::Client, request: Request) -> Result<String, ToolError> {
    let work = handlers::run_with_client(&client, &request.action, &request);
    match std::panic::AssertUnwindSafe(work).catch_unwind().await {
        Ok(answer) => answer.map(|value| value.to_string()),
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Bookmarks::new().serve(rmcp::transport::stdio()).await?;
    service.waiting().await?;
    Ok(())
}
