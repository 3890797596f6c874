//! The server: lists the registered tools and hands calls to them.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use rmcp::model::{CallToolRequestParam, CallToolResult, Content, ListToolsResult, PaginatedRequestParam, Tool as Listed};
use rmcp::service::RequestContext;
use rmcp::{ErrorData as McpError, RoleServer, ServerHandler};
use serde_json::Value;

use crate::books::Books;
use crate::tools::{registered, Tool, ToolContext};

pub struct Foundry {
    tools: Vec<Arc<dyn Tool>>,
    books: Arc<Books>,
}

impl Foundry {
    pub fn open(root: &str) -> anyhow::Result<Self> {
        Ok(Self { tools: registered(), books: Arc::new(Books::open(root)?) })
    }
}

impl ServerHandler for Foundry {
    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParam>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        let tools = self
            .tools
            .iter()
            .map(|tool| Listed::new(tool.name().to_owned(), tool.description().to_owned(), tool.input_schema()))
            .collect();
        Ok(ListToolsResult { tools, next_cursor: None })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParam,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, McpError> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == request.name) else {
            return Err(McpError::invalid_params(format!("unknown tool: {}", request.name), None));
        };
        let input = Value::Object(request.arguments.unwrap_or_default());
        let called = ToolContext { books: self.books.clone(), ct: context.ct.clone() };
        match AssertUnwindSafe(tool.call(input, &called)).catch_unwind().await {
            Ok(Ok(value)) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
            Ok(Err(error)) => Ok(CallToolResult::error(vec![Content::text(error.to_string())])),
            Err(_) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Ok(CallToolResult::error(vec![Content::text("tool handler panicked")]))
            }
        }
    }
}
