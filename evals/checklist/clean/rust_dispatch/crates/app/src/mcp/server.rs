//! The tools, one for each domain, and the place where calls come in.

use std::sync::Arc;

use depot_core::action::ActionSpec;
use depot_core::courier::client::CourierClient;
use depot_core::parcel::client::ParcelClient;
use depot_core::respond::scoped;
use depot_core::{courier, parcel, ToolError};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerInfo, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{json, Value};

use crate::mcp::descriptions;
use crate::mcp::elicitation::{confirmed, is_destructive};
use crate::mcp::isolation::isolated;
use crate::mcp::request::Request;

#[derive(Clone)]
pub struct Depot {
    parcels: ParcelClient,
    couriers: CourierClient,
}

/// The one shape that every tool takes.
fn schema() -> Arc<JsonObject> {
    let schema = json!({
        "type": "object",
        "properties": {
            "action": { "type": "string", "description": "subject.verb, or help, or schema" },
            "params": { "type": "object", "description": "What the action takes" },
            "fields": { "type": "array", "items": { "type": "string" }, "description": "The fields to keep" },
            "limit": { "type": "integer", "description": "At most so many" },
            "cursor": { "type": "string", "description": "The next_cursor of the page before" },
        },
        "required": ["action"],
    });
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

impl Depot {
    pub fn new(parcels: ParcelClient, couriers: CourierClient) -> Self {
        Self { parcels, couriers }
    }

    fn actions(domain: &str) -> &'static [ActionSpec] {
        match domain {
            "courier" => courier::actions::ACTIONS,
            _ => parcel::actions::ACTIONS,
        }
    }

    async fn dispatch(&self, domain: &str, action: &str, params: Value) -> Result<Value, ToolError> {
        match domain {
            "parcel" => parcel::handlers::run(&self.parcels, action, params).await,
            "courier" => courier::handlers::run(&self.couriers, action, params).await,
            unknown => Err(ToolError::unknown(unknown)),
        }
    }

    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, ToolError> {
        let domain = request.name.to_string();
        let asked = Request::read(request.arguments)?;
        let action = asked.action.clone();
        if is_destructive(Self::actions(&domain), &action) {
            confirmed(&context.peer, &action).await?;
        }
        let known = asked.context();
        isolated(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await
    }
}

impl ServerHandler for Depot {
    fn get_info(&self) -> ServerInfo {
        ServerInfo {
            capabilities: ServerCapabilities::builder().enable_tools().build(),
            server_info: Implementation::from_build_env(),
            ..Default::default()
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = vec![
            Tool::new("parcel", descriptions::PARCEL, schema()),
            Tool::new("courier", descriptions::COURIER, schema()),
        ];
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match self.answer(request, &context).await {
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
            Err(error) => Ok(CallToolResult::error(vec![Content::text(error.to_string())])),
        }
    }
}
