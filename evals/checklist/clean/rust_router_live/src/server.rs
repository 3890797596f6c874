//! The server: its tools, and the place where their calls come in.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerInfo,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{tool, tool_router, ErrorData, ServerHandler};
use serde_json::json;
use tokio::sync::RwLock;

use crate::announcing::Announcer;
use crate::pages::{check_of, Window};
use crate::reporting::Reporter;
use crate::requests::{CountStock, ListNames, PlugMachines, SearchParts};
use crate::settings::Settings;
use crate::shelves::Shelves;

#[derive(Clone)]
pub struct Workshop {
    settings: Settings,
    shelves: Shelves,
    announcer: Announcer,
    tool_router: Arc<RwLock<ToolRouter<Self>>>,
}

#[tool_router]
impl Workshop {
    pub fn new(settings: Settings) -> Self {
        let announcer = Announcer::new(settings.clone());
        let tool_router = Arc::new(RwLock::new(Self::tool_router()));
        Self { settings, shelves: Shelves::default(), announcer, tool_router }
    }

    /// parts: Search the shelves for parts by a word.
    /// When to use: the user asks what is in stock.
    /// Parameters:
    /// - word (required): a word of the part's name.
    /// - limit, cursor: standard pagination.
    /// Limitations: knows counted boxes only.
    #[tool]
    async fn search_parts(&self, Parameters(request): Parameters<SearchParts>) -> Result<CallToolResult, ErrorData> {
        let check = check_of(&request.word, self.shelves.version());
        let window = Window::new(request.limit, request.cursor.as_deref(), check)?;
        let rows = self.shelves.find(&request.word);
        let (items, next_cursor) = window.cut(&rows);
        let page = json!({ "items": items, "next_cursor": next_cursor, "total": rows.len() });
        Ok(CallToolResult::success(vec![Content::text(page.to_string())]))
    }

    /// names: List the names of all parts.
    /// When to use: the user does not know what a part is called.
    /// Parameters:
    /// - limit, cursor: standard pagination.
    /// Limitations: names only.
    #[tool]
    async fn list_names(&self, Parameters(request): Parameters<ListNames>) -> Result<CallToolResult, ErrorData> {
        let check = check_of("", self.shelves.version());
        let window = Window::new(request.limit, request.cursor.as_deref(), check)?;
        let rows = self.shelves.find("");
        let (items, next_cursor) = window.cut(&rows);
        let page = json!({ "items": items, "next_cursor": next_cursor, "total": rows.len() });
        Ok(CallToolResult::success(vec![Content::text(page.to_string())]))
    }

    /// stock: Count the boxes anew, one after the other.
    /// When to use: the stock is said to be wrong.
    /// Parameters:
    /// - boxes (required): the names of the boxes.
    /// Limitations: takes a second for each box; progress is sent to clients that ask for it.
    #[tool]
    async fn count_stock(
        &self,
        Parameters(request): Parameters<CountStock>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let mut reporter = Reporter::of(&context);
        let total = request.boxes.len();
        let mut counted = 0;
        for (done, name) in request.boxes.iter().enumerate() {
            counted += self.shelves.count_box(name).await;
            if let Some(reporter) = reporter.as_mut() {
                reporter.report(done + 1, total).await;
            }
        }
        Ok(CallToolResult::success(vec![Content::text(json!({ "counted": counted }).to_string())]))
    }

    /// machines: Plug machines in; each becomes a tool of its own.
    /// When to use: the user wants to work with a machine that is no tool yet.
    /// Parameters:
    /// - machines (required): the machines' names.
    /// Limitations: the new tools are listed a moment later.
    #[tool]
    async fn plug_machines(&self, Parameters(request): Parameters<PlugMachines>) -> Result<CallToolResult, ErrorData> {
        for name in &request.machines {
            let route = machine(name)?;
            self.tool_router.write().await.add_route(route);
        }
        self.announcer.changed().await;
        Ok(CallToolResult::success(vec![Content::text(json!({ "plugged": request.machines }).to_string())]))
    }
}

fn machine(name: &str) -> Result<ToolRoute<Workshop>, ErrorData> {
    crate::shelves::route(name).ok_or_else(|| ErrorData::invalid_params("no such machine", None))
}

impl ServerHandler for Workshop {
    fn get_info(&self) -> ServerInfo {
        let capabilities = if self.settings.announce {
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build()
        } else {
            ServerCapabilities::builder().enable_tools().build()
        };
        ServerInfo { capabilities, ..Default::default() }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.announcer.meet(context.peer.clone()).await;
        Ok(ListToolsResult::with_all_items(self.tool_router.read().await.list_all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let call = ToolCallContext::new(self, request, context);
        let router = self.tool_router.read().await;
        match AssertUnwindSafe(router.call(call)).catch_unwind().await {
            Ok(answer) => answer,
            Err(_payload) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ErrorData::internal_error("tool handler panicked", None))
            }
        }
    }
}
