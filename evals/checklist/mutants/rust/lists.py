"""§1 of the checklist, in Rust: lists without pages."""
# ruff: noqa: E501

from mutation import harmless, mutant

ACTIONS = "crates/core/src/parcel/actions.rs"
PAGE = "crates/core/src/page.rs"
PARCELS = "crates/core/src/parcel/handlers.rs"
COURIERS = "crates/core/src/courier/handlers.rs"
SCHEMA = "crates/app/src/mcp/server.rs"
PARCEL_LIST = """
            let page = Page::read(&params)?;
            let items = client.parcels(&page).await?;
            let next_cursor = page.next(items.len(), "booked_at")?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))
"""
COURIER_LIST = """
    let page = Page::read(params)?;
    let items = client.slice(page.offset as usize, page.limit as usize).await;
    let next_cursor = page.next(items.len(), "name")?;
    let total = client.count().await;
    Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": total })))
"""
ROW = """
        name: "parcel.list",
        description: "List parcels, newest first",
        destructive: false,
        idempotent: true,
        params: PAGE,
"""
NO_PAGE_IN_SCHEMA = (
    SCHEMA,
    """
            "limit": { "type": "integer", "description": "At most so many" },
            "cursor": { "type": "string", "description": "The next_cursor of the page before" },
""",
    "",
)
UNPAGED = ("list-returns-everything", "schema-not-canonical")
WITHOUT_ROW_PAGE = ROW.replace("PAGE", "&[]").replace('"parcel.list",', '"parcel.list", ⚑')

WITHOUT_CURSOR = [
    mutant(
        "list-without-cursor",
        "rust_dispatch",
        "row and schema",
        (ACTIONS, ROW, WITHOUT_ROW_PAGE),
        NO_PAGE_IN_SCHEMA,
        also=(*UNPAGED, "list-without-cursor"),
    ),
    mutant(
        "list-without-cursor",
        "rust_dispatch",
        "constant without them",
        (ACTIONS, ROW, ROW.replace("PAGE", "SORTED").replace('"parcel.list",', '"parcel.list", ⚑')),
        (
            ACTIONS,
            "pub const ACTIONS",
            'const SORTED: &[ParamSpec] =\n    &[ParamSpec { name: "sort", ty: "string", required: false, description: "By what" }];\n\n'
            "pub const ACTIONS",
        ),
        NO_PAGE_IN_SCHEMA,
        also=UNPAGED,
    ),
    mutant(
        "list-without-cursor",
        "rust_dispatch",
        "row and handler",
        (ACTIONS, ROW, WITHOUT_ROW_PAGE),
        (
            PARCELS,
            PARCEL_LIST,
            """
            let items = client.all_parcels().await?; ⚑
            Ok(respond(action, json!({ "items": items, "next_cursor": null, "total": items.len() }))) ⚑
""",
        ),
        at=(PARCELS, '"parcel.list" =>'),
        instead=("list-returns-everything",),
    ),
    mutant(
        "list-without-cursor",
        "rust_dispatch",
        "list all by another name",
        (ACTIONS, ROW, WITHOUT_ROW_PAGE.replace("parcel.list", "parcel.list_all")),
        (PARCELS, '"parcel.list" =>', '"parcel.list_all" =>'),
        (
            "crates/app/src/mcp/descriptions.rs",
            "- parcel.list: List",
            "- parcel.list_all: List",
        ),
        NO_PAGE_IN_SCHEMA,
        also=UNPAGED,
    ),
    mutant(
        "list-without-cursor",
        "rust_router",
        "request without them",
        (
            "src/requests.rs",
            """
    /// At most so many: 20 if absent, never over 100.
    pub limit: Option<i64>,
    /// The next_cursor of the page before.
    pub cursor: Option<String>,
""",
            "",
        ),
        (
            "src/server.rs",
            """
        let window = Window::new(request.limit, request.cursor.as_deref())?;
        let rows = self.store.stations(request.country.as_deref());
        let (items, next_cursor) = window.cut(&rows);
        let value = json!({ "items": items, "next_cursor": next_cursor, "total": rows.len() });
""",
            """
        let items = self.store.stations(request.country.as_deref());
        let value = json!({ "items": items, "next_cursor": null, "total": items.len() });
""",
        ),
        at=("src/server.rs", "async fn list_stations"),
    ),
    mutant(
        "list-without-cursor",
        "rust_router",
        "another request type behind an alias",
        ("src/requests.rs", "pub struct ListStations {", "pub struct ByCountry {"),
        (
            "src/requests.rs",
            """
    /// At most so many: 20 if absent, never over 100.
    pub limit: Option<i64>,
    /// The next_cursor of the page before.
    pub cursor: Option<String>,
}
""",
            "}\n\npub type Everything = ByCountry;",
        ),
        (
            "src/server.rs",
            "use crate::requests::{DismissAlert, GetForecast, ListStations};",
            "use crate::requests::{DismissAlert, Everything, GetForecast};",
        ),
        (
            "src/server.rs",
            "async fn list_stations(&self, Parameters(request): Parameters<ListStations>)",
            "async fn list_stations(&self, Parameters(request): Parameters<Everything>) ⚑",
        ),
        (
            "src/server.rs",
            """
        let window = Window::new(request.limit, request.cursor.as_deref())?;
        let rows = self.store.stations(request.country.as_deref());
        let (items, next_cursor) = window.cut(&rows);
""",
            """
        let rows = self.store.stations(request.country.as_deref());
        let (items, next_cursor) = (&rows, None::<String>);
""",
        ),
    ),
    mutant(
        "list-without-cursor",
        "rust_single",
        "slice of one other param",
        ("src/actions.rs", "params: &[LIMIT, CURSOR],", "params: &[LANGUAGE],"),
        (
            "src/actions.rs",
            'const ID: ParamSpec = ParamSpec { name: "id",',
            "const LANGUAGE: ParamSpec =\n"
            '    ParamSpec { name: "language", ty: "string", required: false, description: "Only in this language" };\n'
            'const ID: ParamSpec = ParamSpec { name: "id",',
        ),
        (
            "src/tool.rs",
            """
    /// At most so many items, 20 if absent.
    pub limit: Option<i64>,
    /// Where the page before ended.
    pub cursor: Option<String>,
""",
            "",
        ),
        (
            "src/handlers.rs",
            """
            let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;
            let offset = request.cursor.as_deref().map(offset_of).transpose()?.unwrap_or(0);
            let items = store.from(offset, limit);
            let next_cursor = (items.len() == limit).then(|| cursor_of(offset + limit));
            let page = json!({ "items": items, "next_cursor": next_cursor, "total": null });
""",
            """
            let language = request.params["language"].as_str();
            let items: Vec<_> = store.every().into_iter().filter(|row| Some(row.language.as_str()) == language).collect();
            let page = json!({ "items": items, "next_cursor": null, "total": null });
""",
        ),
        at=("src/actions.rs", 'name: "snippet.list"'),
        also=("schema-not-canonical", "list-returns-everything"),
    ),
]

EVERYTHING = [
    mutant(
        "list-returns-everything",
        "rust_dispatch",
        "another client call",
        (
            PARCELS,
            PARCEL_LIST,
            """
            let items = client.all_parcels().await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": null, "total": items.len() })))
""",
        ),
        at=(PARCELS, '"parcel.list" =>'),
    ),
    mutant(
        "list-returns-everything",
        "rust_dispatch",
        "collected in a helper",
        (
            COURIERS,
            COURIER_LIST,
            """
    let _ = params;
    let items: Vec<_> = client.everyone().await.into_iter().map(|courier| json!(courier)).collect();
    Ok(respond(action, json!({ "items": items, "next_cursor": Value::Null, "total": items.len() })))
""",
        ),
        at=(COURIERS, '"courier.list" =>'),
    ),
    mutant(
        "list-returns-everything",
        "rust_dispatch",
        "combinators in one expression",
        (
            PARCELS,
            '"parcel.list" => {' + PARCEL_LIST.removesuffix("\n") + "\n        }",
            '"parcel.list" => client.all_parcels().await.map(|items| respond(action, json!({ "items": items }))), ⚑',
        ),
    ),
    mutant(
        "list-returns-everything",
        "rust_dispatch",
        "underscored page",
        (
            COURIERS,
            COURIER_LIST,
            """
    let _page = Page::read(params)?;
    let mut items = Vec::new();
    for courier in client.everyone().await {
        items.push(serde_json::to_value(courier)?);
    }
    Ok(respond(action, json!({ "items": items, "next_cursor": null, "total": null })))
""",
        ),
        at=(COURIERS, '"courier.list" =>'),
    ),
    mutant(
        "list-returns-everything",
        "rust_router",
        "rows as they are",
        (
            "src/server.rs",
            """
        let window = Window::new(request.limit, request.cursor.as_deref())?;
        let rows = self.store.stations(request.country.as_deref());
        let (items, next_cursor) = window.cut(&rows);
        let value = json!({ "items": items, "next_cursor": next_cursor, "total": rows.len() });
""",
            """
        let rows = self.store.stations(request.country.as_deref());
        let value = json!({ "items": rows, "next_cursor": serde_json::Value::Null, "total": rows.len() });
""",
        ),
        at=("src/server.rs", "async fn list_stations"),
    ),
    mutant(
        "list-returns-everything",
        "rust_single",
        "every row",
        (
            "src/handlers.rs",
            """
            let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;
            let offset = request.cursor.as_deref().map(offset_of).transpose()?.unwrap_or(0);
            let items = store.from(offset, limit);
            let next_cursor = (items.len() == limit).then(|| cursor_of(offset + limit));
            let page = json!({ "items": items, "next_cursor": next_cursor, "total": null });
""",
            """
            let items = store.every();
            let page = json!({ "items": items, "next_cursor": null, "total": items.len() });
""",
        ),
        at=("src/handlers.rs", '"snippet.list" =>'),
    ),
    mutant(
        "list-returns-everything",
        "rust_listed",
        "search in a method",
        (
            "src/kitchen.rs",
            """
        let (first, size) = (offset(asked), page_size(asked));
        let total = found.len();
        let items: Vec<_> = found.into_iter().skip(first).take(size).collect();
        let next = items.last().filter(|_| first + size < total).and_then(|last| cursor(first + size, last.id));
        respond("search_recipes", json!({ "items": items, "next_cursor": next, "total": total }), asked)
""",
            """
        let total = found.len();
        respond("search_recipes", json!({ "items": found, "next_cursor": null, "total": total }), asked)
""",
        ),
        ("src/kitchen.rs", "use crate::paging::{cursor, offset, page_size};\n", ""),
        at=("src/kitchen.rs", '"search_recipes" =>'),
    ),
]

# fmt: off
HARMLESS = [
    harmless("list-without-cursor", "rust_dispatch", "row that leaves the page to the tool", (ACTIONS, ROW, ROW.replace("PAGE", "&[]"))),
    harmless("list-without-cursor", "rust_dispatch", "constant under another name", (ACTIONS, "BY_ID, PAGE};", "BY_ID, PAGE as WINDOW};"), (ACTIONS, ROW, ROW.replace("PAGE", "WINDOW"))),
    harmless(
        "list-returns-everything",
        "rust_dispatch",
        "page by a helper in another file",
        (
            COURIERS,
            COURIER_LIST,
            """
    let everyone = client.everyone().await;
    let (items, next_cursor) = crate::page::paginate(&everyone, params)?;
    Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": everyone.len() })))
""",
        ),
        (
            PAGE,
            "/// What a list was asked for.",
            """
pub fn paginate<'a, T>(rows: &'a [T], params: &Value) -> Result<(&'a [T], Option<String>), ToolError> {
    let page = Page::read(params)?;
    let start = (page.offset as usize).min(rows.len());
    let end = (start + page.limit as usize).min(rows.len());
    let rows = &rows[start..end];
    let next = page.next(rows.len(), "name")?;
    Ok((rows, next))
}

/// What a list was asked for.
""",
        ),
        (COURIERS, "use crate::page::Page;\n", ""),
    ),
    harmless(
        "list-returns-everything",
        "rust_single",
        "whole request handed on",
        (
            "src/handlers.rs",
            """
            let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;
            let offset = request.cursor.as_deref().map(offset_of).transpose()?.unwrap_or(0);
            let items = store.from(offset, limit);
            let next_cursor = (items.len() == limit).then(|| cursor_of(offset + limit));
            let page = json!({ "items": items, "next_cursor": next_cursor, "total": null });
            Ok(respond(action, page, fields))
""",
            "            Ok(respond(action, listed(store, request), fields))",
        ),
        (
            "src/handlers.rs",
            "fn cursor_of(",
            """
fn listed(store: &Store, request: &Request) -> Value {
    let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;
    let offset = request.cursor.as_deref().map(offset_of).transpose()?.unwrap_or(0);
    let items = store.from(offset, limit);
    let next_cursor = (items.len() == limit).then(|| cursor_of(offset + limit));
    json!({ "items": items, "next_cursor": next_cursor, "total": null })
}

fn cursor_of(
""",
        ),
    ),
]

MUTANTS = [*WITHOUT_CURSOR, *EVERYTHING, *HARMLESS]
