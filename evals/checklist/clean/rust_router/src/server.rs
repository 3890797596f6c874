//! The server: its tools, and the place where their calls come in.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerInfo,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use rmcp::{tool, tool_router, ErrorData, ServerHandler};
use serde_json::json;

use crate::answers::Answers;
use crate::pages::Window;
use crate::requests::{DismissAlert, GetForecast, ListStations};
use crate::store::Store;
use crate::tools::confirm::ask;
use crate::tools::text::wrapped;

#[derive(Clone)]
pub struct Weather {
    store: Store,
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Weather {
    pub fn new(store: Store) -> Self {
        Self { store, tool_router: Self::tool_router() }
    }

    /// stations: List the stations that report weather, by name.
    /// When to use: the user names a place and its station is not known yet.
    /// Parameters:
    /// - country (optional): only stations there, by its two letters.
    /// - fields, limit, cursor: standard pagination/projection.
    /// Limitations: 30 calls a minute.
    #[tool]
    async fn list_stations(&self, Parameters(request): Parameters<ListStations>) -> Result<CallToolResult, ErrorData> {
        let window = Window::new(request.limit, request.cursor.as_deref())?;
        let rows = self.store.stations(request.country.as_deref());
        let (items, next_cursor) = window.cut(&rows);
        let value = json!({ "items": items, "next_cursor": next_cursor, "total": rows.len() });
        Ok(wrapped(Answers::new(request.fields).respond("list_stations", value)))
    }

    /// forecast: Tell the weather of the next days at one station.
    /// When to use: the user asks what the weather will be.
    /// Parameters:
    /// - station (required): the id that list_stations gives.
    /// - days (optional): how many days ahead, at most 10.
    /// - fields (optional): the fields to keep.
    /// Limitations: no forecast reaches further than ten days.
    #[tool(annotations(read_only_hint = true))]
    async fn get_forecast(&self, Parameters(request): Parameters<GetForecast>) -> Result<CallToolResult, ErrorData> {
        let forecast = self
            .store
            .forecast(&request.station, request.days.unwrap_or(3))
            .await
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let answers = Answers::new(request.fields);
        Ok(wrapped(answers.respond("get_forecast", json!(forecast))))
    }

    /// alert: Dismiss a warning of severe weather for good.
    /// When to use: the user has read a warning and wants it gone.
    /// Parameters:
    /// - alert (required): the warning's id.
    /// - fields (optional): the fields to keep.
    /// Limitations: cannot be undone; the user is asked first.
    #[tool(annotations(destructive_hint = true, idempotent_hint = true))]
    async fn dismiss_alert(
        &self,
        Parameters(request): Parameters<DismissAlert>,
        peer: Peer<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        ask(&peer, "Dismissing a warning").await?;
        self.store.dismiss(&request.alert).await;
        Ok(wrapped(Answers::new(request.fields).respond("dismiss_alert", json!({ "dismissed": request.alert }))))
    }
}

impl ServerHandler for Weather {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tool_router.list_all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let call = ToolCallContext::new(self, request, context);
        match AssertUnwindSafe(self.tool_router.call(call)).catch_unwind().await {
            Ok(answer) => answer,
            Err(_payload) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ErrorData::internal_error("tool handler panicked", None))
            }
        }
    }
}
