"""§7 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

RESPOND = "crates/core/src/respond.rs"
SERVER = "crates/app/src/mcp/server.rs"
PARCELS = "crates/core/src/parcel/handlers.rs"
META = """
    if let Value::Object(map) = &mut answer {
        map.insert("_meta".to_owned(), json!({ "request_id": context.request_id }));
    }
    answer
"""
GUARD = (RESPOND, "pub fn respond(")
WRAP = """
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
"""
SNIPPET_WRAP = """
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
"""
LABEL = """
            let label = client.label(id_of(&params)?).await?;
            Ok(respond(action, json!(label)))
"""
KITCHEN_META = """
        let mut meta = Map::new();
        meta.insert("request_id".into(), id.into());
        map.insert("_meta".into(), meta.into());
"""

WITHOUT_ID = [
    mutant("success-without-request-id", "rust_dispatch", "nothing inserted", (RESPOND, META, "    answer"), at=GUARD),
    mutant("success-without-request-id", "rust_dispatch", "meta without the id", (RESPOND, META, META.replace('json!({ "request_id": context.request_id })', 'json!({ "action": action })')), at=GUARD),
    mutant("success-without-request-id", "rust_dispatch", "id outside of meta", (RESPOND, META, META.replace('map.insert("_meta".to_owned(), json!({ "request_id": context.request_id }));', 'map.insert("request_id".to_owned(), json!(context.request_id));')), at=GUARD),
    mutant("success-without-request-id", "rust_dispatch", "only when it was cut", (RESPOND, META, "    answer"),
           (RESPOND, "        answer = bounded(action, answer);", '        answer = bounded(action, answer);\n        answer["_meta"] = json!({ "request_id": context.request_id });'), at=GUARD),
    mutant("success-without-request-id", "rust_dispatch", "logged only", (RESPOND, META, '    let id = &context.request_id;\n    tracing::debug!(request_id = %id, "_meta");\n    answer'), at=GUARD),
    mutant("success-without-request-id", "rust_router", "index assignment gone", ("src/answers.rs", '        value["_meta"] = json!({ "request_id": Uuid::new_v4().to_string() });\n', ""), at=("src/answers.rs", "pub fn respond(")),
    mutant("success-without-request-id", "rust_single", "another key", ("src/respond.rs", 'json!({ "request_id": NEXT', 'json!({ "requestId": NEXT'), at=("src/respond.rs", "pub fn respond(")),
    mutant("success-without-request-id", "rust_listed", "helper without it", ("src/guard.rs", KITCHEN_META, '        map.insert("_meta".into(), json!({ "called": id }));'), at=("src/guard.rs", "pub fn respond(")),
    mutant("success-without-request-id", "rust_listed", "helper not called", ("src/guard.rs", "    with_meta(answer)\n", "    answer\n"), ("src/guard.rs", "fn with_meta(", "#[allow(dead_code)]\nfn with_meta("), at=("src/guard.rs", "pub fn respond(")),
]

STRIPPED = [
    mutant("meta-stripped", "rust_dispatch", "removed in the wrapper", (SERVER, WRAP, """
            Ok(mut value) => {
                if let Some(map) = value.as_object_mut() {
                    map.remove("_meta"); ⚑
                }
                Ok(CallToolResult::success(vec![Content::text(value.to_string())]))
            }
""")),
    mutant("meta-stripped", "rust_dispatch", "retain", (SERVER, WRAP, """
            Ok(Value::Object(mut map)) => {
                map.retain(|key, _| key != "_meta"); ⚑
                Ok(CallToolResult::success(vec![Content::text(Value::Object(map).to_string())]))
            }
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
""")),
    mutant("meta-stripped", "rust_dispatch", "every key with an underscore", (SERVER, WRAP, """
            Ok(Value::Object(map)) => {
                let shown: JsonObject = map.into_iter().filter(|(key, _)| !key.starts_with('_')).collect(); ⚑
                Ok(CallToolResult::success(vec![Content::text(Value::Object(shown).to_string())]))
            }
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(value.to_string())])),
""")),
    mutant("meta-stripped", "rust_dispatch", "constant and a helper of another file", (SERVER, WRAP, """
            Ok(value) => Ok(CallToolResult::success(vec![Content::text(crate::mcp::request::bare(value).to_string())])),
"""), ("crates/app/src/mcp/request.rs", "#[derive(Debug, Deserialize)]", """
const META: &str = "_meta";

pub fn bare(mut value: Value) -> Value {
    if let Value::Object(map) = &mut value {
        map.remove(META); ⚑
    }
    value
}

#[derive(Debug, Deserialize)]
""".rstrip())),
    mutant("meta-stripped", "rust_dispatch", "take of the pointer", (SERVER, WRAP, """
            Ok(mut value) => {
                let meta = value["_meta"].take(); ⚑
                tracing::debug!(%meta, "answered");
                Ok(CallToolResult::success(vec![Content::text(value.to_string())]))
            }
""")),
    mutant("meta-stripped", "rust_single", "items only", ("src/tool.rs", SNIPPET_WRAP, """
            Ok(mut value) => {
                value.as_object_mut().and_then(|map| map.remove("_meta")); ⚑
                Ok(CallToolResult::success(vec![Content::text(value.to_string())]))
            }
""")),
    mutant("meta-stripped", "rust_router", "in the wrapper", ("src/tools/text.rs", "pub fn wrapped(value: Value) -> CallToolResult {", """
pub fn wrapped(mut value: Value) -> CallToolResult {
    value.as_object_mut().map(|answer| answer.swap_remove("_meta")); ⚑
""")),
]

BY_HAND = [
    mutant("response-built-by-hand", "rust_dispatch", "object of an arm", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            Ok(json!({ "isError": false, "content": [{ "type": "text", "text": label.content }] })) ⚑
""")),
    mutant("response-built-by-hand", "rust_dispatch", "object bound first", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            let text = serde_json::to_string(&label)?;
            let answer = json!({ ⚑
                "content": [{ "type": "text", "text": text }], ⚑
                "isError": false,
            });
            Ok(answer) ⚑
""")),
    mutant("response-built-by-hand", "rust_dispatch", "second success in the wrapper", (SERVER, "        match self.answer(request, &context).await {", """
        if request.name == "ping" {
            return Ok(CallToolResult::success(vec![Content::text("{\\"pong\\":true}")])); ⚑
        }
        match self.answer(request, &context).await {
""")),
    mutant("response-built-by-hand", "rust_router", "success of a tool", ("src/server.rs", 'Ok(wrapped(answers.respond("get_forecast", json!(forecast))))',
           'let _ = answers;\n        Ok(CallToolResult::success(vec![Content::text(json!(forecast).to_string())])) ⚑'), also=("fields-ignored",)),
    mutant("response-built-by-hand", "rust_router", "structured", ("src/server.rs", 'Ok(wrapped(Answers::new(request.fields).respond("dismiss_alert", json!({ "dismissed": request.alert }))))',
           'Ok(CallToolResult::structured(json!({ "dismissed": request.alert }))) ⚑'), also=("fields-ignored",)),
    mutant("response-built-by-hand", "rust_single", "before the dispatch", ("src/tool.rs", "        match self.guarded(request, &peer).await {", """
        if request.action == "version" {
            let content = vec![Content::text(env!("CARGO_PKG_VERSION"))];
            return Ok(CallToolResult::success(content)); ⚑
        }
        match self.guarded(request, &peer).await {
"""), also=("catalog-and-dispatch-differ",)),
    mutant("response-built-by-hand", "rust_listed", "struct literal", ("src/kitchen.rs", "        let arguments = Value::Object(request.arguments.unwrap_or_default());", """
        if request.name == "empty_pantry" && request.arguments.is_none() {
            return Ok(CallToolResult { ⚑
                content: vec![Content::text("nothing to do")],
                is_error: Some(false),
                structured_content: None,
                meta: None,
            });
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
""")),
]

HARMLESS = [
    harmless("success-without-request-id", "rust_dispatch", "index assignment", (RESPOND, META, '    answer["_meta"] = json!({ "request_id": context.request_id });\n    answer')),
    harmless("success-without-request-id", "rust_dispatch", "helper of another file", (RESPOND, META, "    crate::truncate::signed(answer, &context.request_id)"), ("crates/core/src/truncate.rs", "/// The text itself,", """
pub fn signed(mut answer: Value, id: &str) -> Value {
    answer["_meta"]["request_id"] = Value::from(id);
    answer
}

/// The text itself,
""".rstrip())),
    harmless("success-without-request-id", "rust_dispatch", "struct", (RESPOND, META, "    json!(Signed { answer, _meta: Meta { request_id: context.request_id } })"), (RESPOND, "fn projected(", """
#[derive(serde::Serialize)]
struct Signed {
    #[serde(flatten)]
    answer: Value,
    _meta: Meta,
}

#[derive(serde::Serialize)]
struct Meta {
    request_id: String,
}

fn projected(
""".rstrip())),
    harmless("meta-stripped", "rust_dispatch", "taken from the client's arguments", ("crates/app/src/mcp/request.rs", "        let arguments = Value::Object(arguments.unwrap_or_default());", """
        let mut arguments = arguments.unwrap_or_default();
        arguments.remove("_progress");
        let arguments = Value::Object(arguments);
""")),
    harmless("response-built-by-hand", "rust_dispatch", "error built by hand", (SERVER, "        match self.answer(request, &context).await {", """
        if request.name.is_empty() {
            return Ok(CallToolResult::error(vec![Content::text("no tool is named")]));
        }
        match self.answer(request, &context).await {
""")),
    harmless("response-built-by-hand", "rust_dispatch", "wrapper in a function", (SERVER, WRAP, "            Ok(value) => Ok(success(&value)),"), (SERVER, "impl ServerHandler for Depot {", """
fn success(value: &Value) -> CallToolResult {
    CallToolResult::success(vec![Content::text(value.to_string())])
}

impl ServerHandler for Depot {
""".rstrip())),
]

MUTANTS = [*WITHOUT_ID, *STRIPPED, *BY_HAND, *HARMLESS]
