"""§2 of the checklist, in Rust."""
# ruff: noqa: E501

from mutation import harmless, mutant

REQUEST = "crates/app/src/mcp/request.rs"
RESPOND = "crates/core/src/respond.rs"
SERVER = "crates/app/src/mcp/server.rs"
PARCELS = "crates/core/src/parcel/handlers.rs"
COURIERS = "crates/core/src/courier/handlers.rs"
CONTEXT = "Context { request_id: Uuid::new_v4().to_string(), fields: self.fields.clone() }"
GET = """
            let parcel = client.parcel(id_of(&params)?).await?;
            Ok(respond(action, serde_json::to_value(parcel)?))
"""
FORECAST = """
        let answers = Answers::new(request.fields);
        Ok(wrapped(answers.respond("get_forecast", json!(forecast))))
"""
SNIPPET_GET = """
            let snippet = store.find(id).ok_or(ToolError::Missing("snippet"))?;
            Ok(respond(action, json!(snippet), fields))
"""
SEARCH = 'respond("search_recipes", json!({ "items": items, "next_cursor": next, "total": total }), asked)'

GET_FORECAST_FIELDS = (
    "src/requests.rs",
    "pub days: Option<u8>,\n    /// The fields to keep, all if absent.\n    pub fields",
)
DISMISS_ALERT_FIELDS = (
    "src/requests.rs",
    "pub alert: String,\n    /// The fields to keep, all if absent.\n    pub fields",
)

IGNORED = [
    mutant(
        "fields-ignored",
        "rust_dispatch",
        "none in the context",
        (REQUEST, CONTEXT, "Context { request_id: Uuid::new_v4().to_string(), fields: None } ⚑"),
        at=(REQUEST, "pub fields: Option"),
    ),
    mutant(
        "fields-ignored",
        "rust_dispatch",
        "default of the context",
        (REQUEST, CONTEXT, "Context { request_id: Uuid::new_v4().to_string(), ..Context::default() } ⚑"),
        at=(REQUEST, "pub fields: Option"),
    ),
    mutant(
        "fields-ignored",
        "rust_dispatch",
        "request without the field",
        (REQUEST, "    pub fields: Option<Vec<String>>,\n", ""),
        (REQUEST, "#[serde(deny_unknown_fields)]\n", ""),
        (REQUEST, CONTEXT, "Context { request_id: Uuid::new_v4().to_string(), fields: None } ⚑"),
        at=(SERVER, '"fields": {'),
    ),
    mutant(
        "fields-ignored",
        "rust_dispatch",
        "guard that does not project",
        (RESPOND, "let mut answer = projected(value, context.fields.as_deref());", "let mut answer = value; ⚑"),
        at=(RESPOND, "pub fn respond("),
    ),
    mutant(
        "fields-ignored",
        "rust_dispatch",
        "underscored in a destructuring",
        (
            REQUEST,
            """
    pub fn context(&self) -> Context {
        Context { request_id: Uuid::new_v4().to_string(), fields: self.fields.clone() }
""",
            """
    pub fn context(&self) -> Context {
        let Self { fields: _fields, .. } = self; ⚑
        let request_id = Uuid::new_v4().to_string();
        Context { request_id, fields: Default::default() } ⚑
""",
        ),
        at=(REQUEST, "pub fields: Option"),
    ),
    mutant(
        "fields-ignored",
        "rust_router",
        "none to the guard",
        (
            "src/server.rs",
            FORECAST,
            """
        let answers = Answers::new(None); ⚑
        Ok(wrapped(answers.respond("get_forecast", json!(forecast))))
""",
        ),
        at=(("src/server.rs", "async fn get_forecast"), GET_FORECAST_FIELDS),
    ),
    mutant(
        "fields-ignored",
        "rust_router",
        "destructured and dropped",
        (
            "src/server.rs",
            FORECAST,
            """
        let GetForecast { fields: _, .. } = request; ⚑
        Ok(wrapped(Answers::new(Default::default()).respond("get_forecast", json!(forecast))))
""",
        ),
        at=(("src/server.rs", "async fn get_forecast"), GET_FORECAST_FIELDS),
    ),
    mutant(
        "fields-ignored",
        "rust_router",
        "in the schema only",
        (
            "src/server.rs",
            'Ok(wrapped(Answers::new(request.fields).respond("dismiss_alert", json!({ "dismissed": request.alert }))))',
            "let everything: Option<Vec<String>> = None;\n"
            '        Ok(wrapped(Answers::new(everything).respond("dismiss_alert", json!({ "dismissed": request.alert }))))',
        ),
        at=(("src/server.rs", "async fn dismiss_alert"), DISMISS_ALERT_FIELDS),
    ),
    mutant(
        "fields-ignored",
        "rust_single",
        "none in one arm",
        ("src/handlers.rs", SNIPPET_GET, SNIPPET_GET.replace("fields))", "None)) ⚑")),
        at=("src/handlers.rs", '"snippet.get" =>'),
    ),
    mutant(
        "fields-ignored",
        "rust_single",
        "never read from the request",
        ("src/handlers.rs", "let fields = request.fields.as_deref();", "let fields: Option<&[String]> = None; ⚑"),
        at=("src/tool.rs", "pub fields: Option"),
    ),
    mutant(
        "fields-ignored",
        "rust_listed",
        "empty wishes",
        ("src/kitchen.rs", SEARCH, SEARCH.replace("asked)", "&Asked::default()) ⚑")),
        at=("src/kitchen.rs", '"search_recipes" =>'),
    ),
]

BY_HAND = [
    mutant(
        "fields-filtered-by-hand",
        "rust_dispatch",
        "retain in an arm",
        (
            PARCELS,
            GET,
            """
            let mut parcel = serde_json::to_value(client.parcel(id_of(&params)?).await?)?;
            if let (Some(map), Some(fields)) = (parcel.as_object_mut(), params.get("fields").and_then(Value::as_array)) {
                map.retain(|key, _| fields.iter().any(|field| field == key)); ⚑
            }
            Ok(respond(action, parcel))
""",
        ),
    ),
    mutant(
        "fields-filtered-by-hand",
        "rust_dispatch",
        "filter collected in a helper",
        (
            COURIERS,
            """
    let courier = client.courier(id).await?;
    Ok(respond(action, serde_json::to_value(courier)?))
""",
            """
    let courier = serde_json::to_value(client.courier(id).await?)?;
    let wanted: Vec<&str> = params["fields"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Ok(respond(action, only(courier, &wanted)))
""",
        ),
        (
            COURIERS,
            "async fn remove(",
            """
fn only(value: Value, wanted: &[&str]) -> Value {
    match value {
        Value::Object(map) => map.into_iter().filter(|(key, _)| wanted.contains(&key.as_str())).collect(), ⚑
        other => other,
    }
}

async fn remove(
""".rstrip(),
        ),
    ),
    mutant(
        "fields-filtered-by-hand",
        "rust_dispatch",
        "loop that inserts",
        (
            PARCELS,
            GET,
            """
            let parcel = serde_json::to_value(client.parcel(id_of(&params)?).await?)?;
            let mut kept = serde_json::Map::new();
            for field in params["fields"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if let Some(inner) = parcel.get(field) {
                    kept.insert(field.to_owned(), inner.clone()); ⚑
                }
            }
            Ok(respond(action, Value::Object(kept)))
""",
        ),
        at=(PARCELS, "for field in params"),
    ),
    mutant(
        "fields-filtered-by-hand",
        "rust_router",
        "keys removed",
        (
            "src/server.rs",
            FORECAST,
            """
        let mut value = json!(forecast);
        if let (Some(fields), Some(map)) = (&request.fields, value.as_object_mut()) {
            let unwanted: Vec<String> = map.keys().filter(|key| !fields.contains(key)).cloned().collect(); ⚑
            for key in unwanted {
                map.remove(&key);
            }
        }
        Ok(wrapped(Answers::new(None).respond("get_forecast", value)))
""",
        ),
        also=("fields-ignored",),
    ),
    mutant(
        "fields-filtered-by-hand",
        "rust_single",
        "closure",
        (
            "src/handlers.rs",
            SNIPPET_GET,
            """
            let snippet = store.find(id).ok_or(ToolError::Missing("snippet"))?;
            let keep = |value: Value| match (value, &request.fields) {
                (Value::Object(map), Some(names)) => map.into_iter().filter(|(key, _)| names.contains(key)).collect(), ⚑
                (value, _) => value,
            };
            Ok(respond(action, keep(json!(snippet)), None))
""",
        ),
        also=("fields-ignored",),
    ),
    mutant(
        "fields-filtered-by-hand",
        "rust_listed",
        "retain over rows",
        (
            "src/kitchen.rs",
            SEARCH,
            """
let mut rows = json!(items);
        if let Some(fields) = &asked.fields {
            for row in rows.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                row.retain(|name, _| fields.contains(name)); ⚑
            }
        }
        respond("search_recipes", json!({ "items": rows, "next_cursor": next, "total": total }), asked)
""",
        ),
    ),
]

HARMLESS = [
    harmless(
        "fields-filtered-by-hand",
        "rust_dispatch",
        "rows filtered, not keys",
        (
            COURIERS,
            "let items = client.slice(page.offset as usize, page.limit as usize).await;",
            "let mut items = client.slice(page.offset as usize, page.limit as usize).await;\n    items.retain(|courier| courier.round > 0);",
        ),
    ),
    harmless(
        "fields-filtered-by-hand",
        "rust_router",
        "projection one call deeper in the guard",
        ("src/answers.rs", "let mut value = self.keep(value);", "let mut value = projection(self, value);"),
        (
            "src/answers.rs",
            "fn strip(value: &mut Value) {",
            """
fn projection(answers: &Answers, value: Value) -> Value {
    answers.keep(value)
}

fn strip(value: &mut Value) {
""",
        ),
    ),
    harmless(
        "fields-ignored",
        "rust_dispatch",
        "taken out of the request",
        (
            REQUEST,
            CONTEXT,
            "{\n            let Self { fields, .. } = self;\n"
            "            Context { request_id: Uuid::new_v4().to_string(), fields: fields.to_owned() }\n        }",
        ),
    ),
    harmless(
        "fields-ignored",
        "rust_single",
        "read where it is used",
        ("src/handlers.rs", SNIPPET_GET, SNIPPET_GET.replace("fields))", "request.fields.as_deref()))")),
    ),
]

MUTANTS = [*IGNORED, *BY_HAND, *HARMLESS]
