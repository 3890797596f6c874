//! The server: which tools there are, and how a call finds its tool.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerInfo,
    Tool as McpTool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use crate::store::Store;
use crate::tools::errors::RecoverableError;
use crate::tools::{Tool, ToolContext, harvests, notes, photos, press, trees};

#[derive(Clone)]
pub struct OrchardServer {
    store: Arc<Store>,
    tools: Vec<Arc<dyn Tool>>,
}

impl OrchardServer {
    pub fn new(store: Arc<Store>) -> Self {
        let mut tools: Vec<Arc<dyn Tool>> = vec![
            Arc::new(trees::ListTrees),
            Arc::new(trees::FindTrees),
            Arc::new(trees::ReadTree),
            Arc::new(trees::PlantTree),
            Arc::new(trees::FellTree),
            Arc::new(harvests::Harvests),
            Arc::new(notes::ReadNotes),
            Arc::new(photos::ListPhotos),
        ];
        tools.push(Arc::new(press::PressReport::new("cider-press")));
        Self { store, tools }
    }

    fn find(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.name() == name).cloned()
    }

    async fn run(&self, tool: Arc<dyn Tool>, input: Value, context: ToolContext) -> anyhow::Result<Value> {
        let cancelled = context.cancelled.clone();
        let work = tokio::spawn(async move { tool.call(input, &context).await });
        let stop = work.abort_handle();
        tokio::select! {
            done = work => match done {
                Ok(answer) => answer,
                Err(_) => {
                    tracing::error!(target: "panic", "tool handler panicked");
                    Err(anyhow::anyhow!("tool handler panicked"))
                }
            },
            () = cancelled.cancelled() => {
                stop.abort();
                Err(anyhow::anyhow!("cancelled"))
            }
        }
    }
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn failed(error: &anyhow::Error) -> Value {
    match error.downcast_ref::<RecoverableError>() {
        Some(known) => known.body(),
        None => json!({ "error": error.to_string() }),
    }
}

impl ServerHandler for OrchardServer {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self
            .tools
            .iter()
            .map(|tool| McpTool::new(tool.name().to_string(), tool.description().to_string(), object(tool.input_schema())))
            .collect();
        Ok(ListToolsResult { tools, ..Default::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = self.find(&request.name) else {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        };
        let input = Value::Object(request.arguments.unwrap_or_default());
        let context = ToolContext { store: self.store.clone(), cancelled: context.ct };
        Ok(match self.run(tool, input, context).await {
            Ok(value) => CallToolResult::success(vec![Content::text(value.to_string())]),
            Err(error) => CallToolResult::error(vec![Content::text(failed(&error).to_string())]),
        })
    }
}
