//! The server.

use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerInfo,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tracing::error;

use crate::book::Book;
use crate::guard::respond;
use crate::paging::{cursor, offset, page_size};
use crate::schema::Asked;
use crate::tools;

#[derive(Debug, thiserror::Error)]
pub enum KitchenError {
    #[error("no tool `{0}`")]
    Unknown(String),
    #[error("the arguments are not what the schema says")]
    Arguments(#[from] serde_json::Error),
    #[error("{message}")]
    Internal { message: String },
}

#[derive(Clone)]
pub struct Kitchen {
    book: Book,
}

impl Kitchen {
    pub async fn open(path: &str) -> std::io::Result<Self> {
        Ok(Self { book: Book::open(path).await? })
    }

    async fn cook(self, name: String, arguments: Value) -> Result<Value, KitchenError> {
        let asked: Asked = serde_json::from_value(arguments)?;
        match name.as_str() {
            "search_recipes" => Ok(self.search(&asked)),
            "empty_pantry" => {
                let thrown = self.book.empty_pantry().await;
                Ok(respond("empty_pantry", json!({ "thrown": thrown }), &asked))
            }
            other => Err(KitchenError::Unknown(other.to_owned())),
        }
    }

    fn search(&self, asked: &Asked) -> Value {
        let found = self.book.matching(asked.words.as_deref().unwrap_or_default());
        let (first, size) = (offset(asked), page_size(asked));
        let total = found.len();
        let items: Vec<_> = found.into_iter().skip(first).take(size).collect();
        let next = items.last().filter(|_| first + size < total).and_then(|last| cursor(first + size, last.id));
        respond("search_recipes", json!({ "items": items, "next_cursor": next, "total": total }), asked)
    }
}

impl ServerHandler for Kitchen {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: tools::all(), ..Default::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let work = tokio::spawn(self.clone().cook(request.name.into_owned(), arguments));
        let answer = match work.await {
            Ok(answer) => answer,
            Err(_) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: "tool handler panicked".to_owned() })
            }
        };
        Ok(match answer {
            Ok(value) => CallToolResult::success(vec![Content::text(value.to_string())]),
            Err(error) => CallToolResult::error(vec![Content::text(error.to_string())]),
        })
    }
}
