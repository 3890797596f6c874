"""§4 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

PARCELS = "crates/core/src/parcel/handlers.rs"
COURIERS = "crates/core/src/courier/handlers.rs"
RESPOND = "crates/core/src/respond.rs"
GET = """
            let parcel = client.parcel(id_of(&params)?).await?;
            Ok(respond(action, serde_json::to_value(parcel)?))
"""
LABEL = """
            let label = client.label(id_of(&params)?).await?;
            Ok(respond(action, json!(label)))
"""
DELETE = """
            let parcel = client.delete(id_of(&params)?).await?;
            Ok(respond(action, json!({ "deleted": parcel.id })))
"""
COURIER_GET = """
    let courier = client.courier(id).await?;
    Ok(respond(action, serde_json::to_value(courier)?))
"""
SNIPPET_GET = """
            let snippet = store.find(id).ok_or(ToolError::Missing("snippet"))?;
            Ok(respond(action, json!(snippet), fields))
"""
OVERFLOW = 'map.insert("_overflow_action".to_owned(), json!(detail_of(action)));'
HELPER_AT = "fn id_of("

BYPASSED = [
    mutant("handler-bypasses-respond", "rust_dispatch", "value as it is", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            Ok(json!(label)) ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "to_value with its own error", (PARCELS, GET, """
            let parcel = client.parcel(id_of(&params)?).await?;
            serde_json::to_value(parcel).map_err(ToolError::from) ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "early return", (PARCELS, GET, """
            let parcel = client.parcel(id_of(&params)?).await?;
            if params.get("brief").is_some() {
                return Ok(json!({ "id": parcel.id, "status": parcel.status })); ⚑
            }
            Ok(respond(action, serde_json::to_value(parcel)?))
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "let answer", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            let answer = Ok(serde_json::to_value(&label)?);
            answer ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "and_then closure",
           (PARCELS, '"parcel.get_label" => {' + LABEL.rstrip("\n") + "\n        }",
            '"parcel.get_label" => client.label(id_of(&params)?).await.and_then(|label| Ok(json!(label))), ⚑')),
    mutant("handler-bypasses-respond", "rust_dispatch", "null", (PARCELS, DELETE, """
            client.delete(id_of(&params)?).await?;
            Ok(Value::Null) ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "respond called and dropped", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            let value = json!(label);
            let _ = respond(action, value.clone());
            Ok(value) ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "one branch of an if", (PARCELS, GET, """
            let parcel = client.parcel(id_of(&params)?).await?;
            let value = serde_json::to_value(parcel)?;
            if value.is_object() { Ok(respond(action, value)) } else { Ok(value) } ⚑
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "match inside the arm", (PARCELS, GET, """
            match client.parcel(id_of(&params)?).await {
                Ok(parcel) => Ok(json!(parcel)), ⚑
                Err(error) => Err(error),
            }
""")),
    mutant("handler-bypasses-respond", "rust_dispatch", "helper of the same file", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            shown(&label) ⚑
"""), (PARCELS, HELPER_AT, """
fn shown<T: serde::Serialize>(thing: &T) -> Result<Value, ToolError> {
    Ok(serde_json::to_value(thing)?)
}

fn id_of(
""".rstrip())),
    mutant("handler-bypasses-respond", "rust_dispatch", "function of the action", (COURIERS, COURIER_GET, """
    let courier = client.courier(id).await?;
    let _ = action;
    Ok(serde_json::to_value(courier)?) ⚑
"""), at=(COURIERS, '"courier.get" =>')),
    mutant("handler-bypasses-respond", "rust_dispatch", "another respond", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            Ok(reply(action, json!(label))) ⚑
"""), (PARCELS, HELPER_AT, """
fn reply(action: &str, mut value: Value) -> Value {
    value["action"] = json!(action);
    value
}

fn id_of(
""".rstrip())),
    mutant("handler-bypasses-respond", "rust_single", "question mark inside", ("src/handlers.rs", SNIPPET_GET, """
            Ok(store.find(id).map(|snippet| json!(snippet)).ok_or(ToolError::Missing("snippet"))?) ⚑
""")),
    mutant("handler-bypasses-respond", "rust_single", "async block", ("src/handlers.rs", SNIPPET_GET, """
            async move { store.find(id).map(|snippet| json!(snippet)).ok_or(ToolError::Missing("snippet")) }.await ⚑
""")),
    mutant("handler-bypasses-respond", "rust_router", "wrapped without the guard",
           ("src/server.rs", 'Ok(wrapped(answers.respond("get_forecast", json!(forecast))))', 'let _ = answers;\n        Ok(wrapped(json!(forecast))) ⚑'), instead=("response-built-by-hand",), also=("fields-ignored",)),
    mutant("handler-bypasses-respond", "rust_listed", "value of a tool", ("src/kitchen.rs", 'Ok(respond("empty_pantry", json!({ "thrown": thrown }), &asked))', 'Ok(json!({ "thrown": thrown })) ⚑')),
]

CUTS = [
    mutant("handler-truncates", "rust_dispatch", "truncate of a text", (PARCELS, LABEL, """
            let mut label = client.label(id_of(&params)?).await?;
            label.content.truncate(2048); ⚑
            Ok(respond(action, json!(label)))
"""), also=("text-sliced-by-bytes",)),
    mutant("handler-truncates", "rust_dispatch", "slice of a text", (PARCELS, LABEL, """
            let mut label = client.label(id_of(&params)?).await?;
            if label.content.len() > 4096 {
                label.content = label.content[..4096].to_string(); ⚑
            }
            Ok(respond(action, json!(label)))
"""), at=(PARCELS, "if label.content.len() > 4096"), also=("text-sliced-by-bytes",)),
    mutant("handler-truncates", "rust_dispatch", "characters taken", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            let content: String = label.content.chars().take(1000).collect(); ⚑
            Ok(respond(action, json!({ "id": label.id, "content": content })))
""")),
    mutant("handler-truncates", "rust_dispatch", "size of the answer", (PARCELS, GET, """
            let mut parcel = serde_json::to_value(client.parcel(id_of(&params)?).await?)?;
            if parcel.to_string().len() > 8192 { ⚑
                parcel["label"] = Value::Null;
            }
            Ok(respond(action, parcel))
""")),
    mutant("handler-truncates", "rust_dispatch", "helper of the handlers", (COURIERS, COURIER_GET, """
    let mut courier = client.courier(id).await?;
    courier.description = courier.description.map(|text| clip(&text)); ⚑
    Ok(respond(action, serde_json::to_value(courier)?))
"""), (COURIERS, "async fn remove(", """
fn clip(text: &str) -> String {
    let end = text.char_indices().nth(500).map_or(text.len(), |(at, _)| at);
    format!("{}...", &text[..end]) ⚑
}

async fn remove(
""".rstrip())),
    mutant("handler-truncates", "rust_single", "constant and closure", ("src/handlers.rs", SNIPPET_GET, """
            let mut snippet = store.find(id).ok_or(ToolError::Missing("snippet"))?;
            let cut = |text: &str| text.chars().take(MOST_SHOWN).collect::<String>(); ⚑
            snippet.body = cut(&snippet.body);
            Ok(respond(action, json!(snippet), fields))
"""), ("src/handlers.rs", "fn cursor_of(", "const MOST_SHOWN: usize = 1024;\n\nfn cursor_of(")),
    mutant("handler-truncates", "rust_router", "in a tool", ("src/server.rs", 'Ok(wrapped(answers.respond("get_forecast", json!(forecast))))', """
let mut forecast = forecast;
        forecast.text.truncate(500); ⚑
        Ok(wrapped(answers.respond("get_forecast", json!(forecast))))
"""), also=("text-sliced-by-bytes",)),
]

UNKNOWN = [
    mutant("overflow-action-unknown", "rust_dispatch", "literal", (RESPOND, OVERFLOW, 'map.insert("_overflow_action".to_owned(), json!("parcel.read")); ⚑')),
    mutant("overflow-action-unknown", "rust_dispatch", "table of the guard", (RESPOND, '_ => "parcel.get",', '_ => "parcel.fetch", ⚑'), at=(RESPOND, OVERFLOW)),
    mutant("overflow-action-unknown", "rust_dispatch", "one row of the table", (RESPOND, 'Some("courier") => "courier.get",', 'Some("courier") => "couriers.get", ⚑'), at=(RESPOND, OVERFLOW)),
    mutant("overflow-action-unknown", "rust_dispatch", "constant", (RESPOND, OVERFLOW, 'map.insert("_overflow_action".to_owned(), DETAIL.into());'),
           (RESPOND, "const BUDGET: usize", 'const DETAIL: &str = "parcel.details"; ⚑\nconst BUDGET: usize'), at=(RESPOND, '"_overflow_action".to_owned()')),
    mutant("overflow-action-unknown", "rust_dispatch", "action renamed in the catalog and the arm",
           ("crates/core/src/parcel/actions.rs", 'name: "parcel.get",', 'name: "parcel.show",'), (PARCELS, '"parcel.get" =>', '"parcel.show" =>'),
           ("crates/app/src/mcp/descriptions.rs", "- parcel.get: Give", "- parcel.show: Give"), at=(RESPOND, '_ => "parcel.get"')),
    mutant("overflow-action-unknown", "rust_single", "json literal", ("src/respond.rs", '"_overflow_action": "snippet.get",', '"_overflow_action": "get_snippet", ⚑')),
    mutant("overflow-action-unknown", "rust_single", "raw string in a struct", ("src/respond.rs", """
        value = json!({
            "ids": ids(&value),
            "_overflow": true,
            "_overflow_action": "snippet.get",
            "action": action,
        });
""", """
        value = json!(Overflow { ids: ids(&value), _overflow: true, _overflow_action: r"snippet.body", action }); ⚑
"""), ("src/respond.rs", "fn ids(", """
#[derive(serde::Serialize)]
struct Overflow<'a> {
    ids: Vec<Value>,
    _overflow: bool,
    _overflow_action: &'static str,
    action: &'a str,
}

fn ids(
""".rstrip())),
    mutant("overflow-action-unknown", "rust_dispatch", "made of the action's subject",
           (RESPOND, OVERFLOW, """
let detail = match action { "parcel.list" => "parcel.item", _ => "courier.get" }; ⚑
    map.insert("_overflow_action".to_owned(), Value::from(detail)); ⚑
""")),
]

HARMLESS = [
    harmless("handler-bypasses-respond", "rust_dispatch", "map of a result",
             (PARCELS, '"parcel.get_label" => {' + LABEL.rstrip("\n") + "\n        }",
              '"parcel.get_label" => client.label(id_of(&params)?).await.map(|label| respond(action, json!(label))),')),
    harmless("handler-bypasses-respond", "rust_dispatch", "answer bound first", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            let answer = respond(action, json!(label));
            Ok(answer)
""")),
    harmless("handler-bypasses-respond", "rust_dispatch", "helper of another file", (PARCELS, LABEL, """
            let label = client.label(id_of(&params)?).await?;
            crate::respond::answered(action, &label)
"""), (RESPOND, "fn projected(", """
pub fn answered<T: serde::Serialize>(action: &str, thing: &T) -> Result<Value, crate::ToolError> {
    let value = serde_json::to_value(thing)?;
    Ok(respond(action, value))
}

fn projected(
""".rstrip())),
    harmless("handler-bypasses-respond", "rust_dispatch", "value of a match", (PARCELS, GET, """
            let value = match client.parcel(id_of(&params)?).await {
                Ok(parcel) => serde_json::to_value(parcel)?,
                Err(error) => return Err(error),
            };
            return Ok(respond(action, value));
""")),
    harmless("handler-bypasses-respond", "rust_dispatch", "respond over all arms",
             (PARCELS, "        _ => run_with_client(client, action, params).await,", "        _ => Ok(respond(action, run_with_client(client, action, params).await?)),")),
    harmless("handler-bypasses-respond", "rust_single", "imported by another name",
             ("src/handlers.rs", "use crate::respond::respond;", "use crate::respond::{respond, respond as answer};"),
             ("src/handlers.rs", SNIPPET_GET, SNIPPET_GET.replace("Ok(respond", "Ok(answer"))),
    harmless("handler-truncates", "rust_dispatch", "list cut for a page", (COURIERS, "let items = client.slice(page.offset as usize, page.limit as usize).await;", """
let mut items = client.slice(page.offset as usize, page.limit as usize).await;
    items.truncate(page.limit as usize);
""")),
    harmless("handler-truncates", "rust_dispatch", "first letter of a name",
             (PARCELS, "let parcel = client.book(recipient, weight).await?;", 'let initial: String = recipient.chars().take(1).collect();\n'
              '            tracing::debug!(%initial, "booked");\n            let parcel = client.book(recipient, weight).await?;')),
    harmless("overflow-action-unknown", "rust_dispatch", "literal of the catalog", (RESPOND, OVERFLOW, 'map.insert("_overflow_action".to_owned(), json!("parcel.get"));')),
]

MUTANTS = [*BYPASSED, *CUTS, *UNKNOWN, *HARMLESS]
