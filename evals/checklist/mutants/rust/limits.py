"""§1 of the checklist, in Rust: how long a page is."""
# ruff: noqa: E501

from mutation import harmless, mutant

PAGE = "crates/core/src/page.rs"
PARCELS = "crates/core/src/parcel/handlers.rs"
REQUEST = "crates/app/src/mcp/request.rs"
LIMIT_READ = 'params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)'
CUT_WINDOW = "let size = limit.unwrap_or(20).max(1).min(100) as usize;"
KITCHEN_SIZE = """
    match asked.limit {
        None => USUAL,
        Some(n) if n < 1 => 1,
        Some(n) => (n as usize).min(MOST),
    }
"""
SNIPPET_LIMIT = "let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;"

REJECTED = [
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "if return",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT);
        if limit > MAX_LIMIT { ⚑
            return Err(ToolError::invalid("limit"));
        }
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "range that does not contain it",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) { ⚑
            return Err(ToolError::InvalidParam { param: String::from("limit") });
        }
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "match with a range",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = match params.get("limit").and_then(Value::as_u64) {
            None => DEFAULT_LIMIT,
            Some(asked @ 1..=MAX_LIMIT) => asked,
            Some(_) => return Err(ToolError::invalid("limit")), ⚑
        };
""",
        ),
        at=(PAGE, 'match params.get("limit")'),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "match guard on another name",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let wanted = params.get("limit").and_then(Value::as_u64);
        let limit = match wanted {
            Some(n) if n > MAX_LIMIT => return Err(ToolError::invalid("limit")), ⚑
            Some(n) => n.max(1),
            None => DEFAULT_LIMIT,
        };
""",
        ),
        at=(PAGE, "let limit = match wanted"),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "helper in another file",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            'let limit = bounded(params, "limit", MAX_LIMIT)?.unwrap_or(DEFAULT_LIMIT); ⚑',
        ),
        (PAGE, "use crate::ToolError;", "use crate::bounds::bounded;\nuse crate::ToolError;"),
        ("crates/core/src/lib.rs", "pub mod courier;", "pub mod bounds;\npub mod courier;"),
        (
            "crates/core/src/bounds.rs",
            None,
            """
//! Numbers with bounds.

use serde_json::Value;

use crate::ToolError;

pub fn bounded(params: &Value, name: &str, most: u64) -> Result<Option<u64>, ToolError> {
    match params.get(name).and_then(Value::as_u64) {
        Some(number) if number > most => Err(ToolError::invalid(name)),
        other => Ok(other),
    }
}
""",
        ),
        at=("crates/core/src/bounds.rs", "number > most"),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "filter and ok_or",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = params
            .get("limit")
            .map_or(Some(DEFAULT_LIMIT), Value::as_u64)
            .filter(|limit| *limit <= MAX_LIMIT) ⚑
            .ok_or_else(|| ToolError::invalid("limit"))?;
""",
        ),
        at=(PAGE, "let limit = params"),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "in the request's own reading",
        (
            REQUEST,
            'serde_json::from_value(arguments).map_err(|_| ToolError::invalid("arguments"))',
            """
let request: Self = serde_json::from_value(arguments).map_err(|_| ToolError::invalid("arguments"))?;
        match request.limit {
            Some(limit) if limit > 100 => Err(ToolError::invalid("limit")), ⚑
            _ => Ok(request),
        }
""",
        ),
        at=(REQUEST, "match request.limit {"),
    ),
    mutant(
        "limit-rejected",
        "rust_dispatch",
        "a type that refuses",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let asked = params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT);
        let Limit(limit) = Limit::try_from(asked)?;
""",
        ),
        (
            PAGE,
            "/// What a list was asked for.",
            """
struct Limit(u64);

impl TryFrom<u64> for Limit {
    type Error = ToolError;

    fn try_from(limit: u64) -> Result<Self, Self::Error> {
        if limit <= MAX_LIMIT { Ok(Self(limit)) } else { Err(ToolError::invalid("limit")) } ⚑
    }
}

/// What a list was asked for.
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_router",
        "bail in the window",
        (
            "src/pages.rs",
            "pub fn new(limit: Option<i64>, cursor: Option<&str>) -> Result<Self, ErrorData> {",
            "pub fn new(limit: Option<i64>, cursor: Option<&str>) -> anyhow::Result<Self> {",
        ),
        (
            "src/pages.rs",
            CUT_WINDOW,
            """
let size = limit.unwrap_or(20);
        anyhow::ensure!(size >= 1 && size <= 100, "limit must be between 1 and 100"); ⚑
        let size = size as usize;
""",
        ),
        (
            "src/server.rs",
            "let window = Window::new(request.limit, request.cursor.as_deref())?;",
            "let window = Window::new(request.limit, request.cursor.as_deref())\n"
            "            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_router",
        "in the tool",
        (
            "src/server.rs",
            "let window = Window::new(request.limit, request.cursor.as_deref())?;",
            """
if let Some(limit) = request.limit {
            if limit > 100 || limit < 1 { ⚑
                return Err(ErrorData::invalid_params("limit is out of range", None));
            }
        }
        let window = Window::new(request.limit, request.cursor.as_deref())?;
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_single",
        "matches macro",
        (
            "src/handlers.rs",
            SNIPPET_LIMIT,
            """
let asked = request.limit.unwrap_or(20);
            if !matches!(asked, 1..=100) { ⚑
                return Err(ToolError::Missing("limit"));
            }
            let limit = asked as usize;
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "rust_listed",
        "result of a page size",
        (
            "src/paging.rs",
            "pub fn page_size(asked: &Asked) -> usize {",
            "pub fn page_size(asked: &Asked) -> Result<usize, String> {",
        ),
        (
            "src/paging.rs",
            KITCHEN_SIZE,
            """
    let n = asked.limit.unwrap_or(USUAL as i64);
    usize::try_from(n).ok().filter(|n| *n <= MOST).ok_or_else(|| format!("limit {n} is over {MOST}")) ⚑
""",
        ),
        (
            "src/kitchen.rs",
            '"search_recipes" => Ok(self.search(&asked)),',
            '"search_recipes" => self.search(&asked),',
        ),
        (
            "src/kitchen.rs",
            "fn search(&self, asked: &Asked) -> Value {",
            "fn search(&self, asked: &Asked) -> Result<Value, KitchenError> {",
        ),
        (
            "src/kitchen.rs",
            "let (first, size) = (offset(asked), page_size(asked));",
            "let size = page_size(asked).map_err(|message| KitchenError::Internal { message })?;\n        let first = offset(asked);",
        ),
        (
            "src/kitchen.rs",
            'respond("search_recipes", json!({ "items": items, "next_cursor": next, "total": total }), asked)',
            'Ok(respond("search_recipes", json!({ "items": items, "next_cursor": next, "total": total }), asked))',
        ),
    ),
]

DEFAULTS = [
    mutant(
        "limit-default-differs",
        "rust_dispatch",
        "constant default",
        (PAGE, "DEFAULT_LIMIT: u64 = 20;", "DEFAULT_LIMIT: u64 = 50;"),
        at=(PAGE, "unwrap_or(DEFAULT_LIMIT)"),
    ),
    mutant(
        "limit-default-differs",
        "rust_dispatch",
        "constant cap",
        (PAGE, "MAX_LIMIT: u64 = 100;", "MAX_LIMIT: u64 = 1_000;"),
        at=(PAGE, "unwrap_or(DEFAULT_LIMIT)"),
    ),
    mutant(
        "limit-default-differs",
        "rust_router",
        "literal cap",
        ("src/pages.rs", CUT_WINDOW, "let size = limit.unwrap_or(20).max(1).min(500) as usize; ⚑"),
    ),
    mutant(
        "limit-default-differs",
        "rust_single",
        "map_or",
        ("src/handlers.rs", SNIPPET_LIMIT, "let limit = request.limit.map_or(10, |n| n.clamp(1, 100)) as usize; ⚑"),
    ),
    mutant(
        "limit-default-differs",
        "rust_listed",
        "match arm",
        ("src/paging.rs", "const USUAL: usize = 20;", "const USUAL: usize = 25;"),
        at=("src/paging.rs", "match asked.limit"),
    ),
    mutant(
        "limit-default-differs",
        "rust_router",
        "std cmp min",
        ("src/pages.rs", CUT_WINDOW, "let size = std::cmp::min(limit.unwrap_or(20).max(1), 250) as usize; ⚑"),
    ),
]

HARMLESS = [
    harmless(
        "limit-rejected",
        "rust_dispatch",
        "if over the cap the cap",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let mut limit = params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT);
        if limit > MAX_LIMIT {
            limit = MAX_LIMIT;
        } else if limit == 0 {
            limit = 1;
        }
""",
        ),
    ),
    harmless(
        "limit-rejected",
        "rust_dispatch",
        "wrong type refused",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = match params.get("limit") {
            None | Some(Value::Null) => DEFAULT_LIMIT,
            Some(asked) => asked.as_u64().ok_or_else(|| ToolError::invalid("limit"))?.clamp(1, MAX_LIMIT),
        };
""",
        ),
    ),
    harmless(
        "limit-rejected",
        "rust_dispatch",
        "match arms to the cap",
        (
            PAGE,
            f"let limit = {LIMIT_READ};",
            """
let limit = match params.get("limit").and_then(Value::as_u64) {
            None => DEFAULT_LIMIT,
            Some(0) => 1,
            Some(n) if n > MAX_LIMIT => MAX_LIMIT,
            Some(n) => n,
        };
""",
        ),
    ),
    harmless(
        "limit-rejected",
        "rust_dispatch",
        "weight out of range refused",
        (
            PARCELS,
            "let parcel = client.book(recipient, weight).await?;",
            'if weight > 30_000 {\n                return Err(ToolError::invalid("weight_grams"));\n            }\n'
            "            let parcel = client.book(recipient, weight).await?;",
        ),
    ),
    harmless(
        "limit-default-differs",
        "rust_dispatch",
        "unrelated minimum",
        (
            PARCELS,
            "let parcel = client.book(recipient, weight).await?;",
            "let parcel = client.book(recipient, weight.clamp(1, 30_000)).await?;",
        ),
    ),
]

MUTANTS = [*REJECTED, *DEFAULTS, *HARMLESS]
