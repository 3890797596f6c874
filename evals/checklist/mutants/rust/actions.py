"""§5 of the checklist, in Rust: rows of the catalog and what is done with them."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "crates/app/src/mcp/server.rs"
DESCRIPTIONS = "crates/app/src/mcp/descriptions.rs"
ELICITATION = "crates/app/src/mcp/elicitation.rs"
PARCELS = "crates/core/src/parcel/actions.rs"
COURIERS = "crates/core/src/courier/actions.rs"
HANDLERS = "crates/core/src/parcel/handlers.rs"
ASK = """
        if is_destructive(Self::actions(&domain), &action) {
            confirmed(&context.peer, &action).await?;
        }
"""
SNIPPET_ASK = """
        if spec.is_some_and(|spec| spec.destructive) {
            match peer.elicit::<Confirm>(format!("Really {}?", request.action)).await {
                Ok(Some(answer)) if answer.confirm => {}
                _ => return Err(ToolError::Refused),
            }
        }
"""
AT_ROW = (PARCELS, 'name: "parcel.delete"')
DELETE_ROW = """
        name: "parcel.delete",
        description: "Delete a parcel that was not handed over yet",
        destructive: true,
        idempotent: true,
"""
CREATE_ROW = """
        name: "parcel.create",
        description: "Book a parcel and print its label",
        destructive: false,
        idempotent: false,
"""

OTHERS = ("destructive-without-elicitation",)
UNASKED = [
    mutant("destructive-without-elicitation", "rust_dispatch", "not called", (SERVER, ASK, ""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "logged only", (SERVER, ASK, """
        if is_destructive(Self::actions(&domain), &action) {
            tracing::warn!(%action, "destructive action");
            let _ = context;
        }
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "asks for the others", (SERVER, ASK, """
        if !is_destructive(Self::actions(&domain), &action) { ⚑
            confirmed(&context.peer, &action).await?;
        }
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "goes on after no", (ELICITATION, """
        Ok(_) => Err(ToolError::Refused { reason: "the user did not confirm".into() }),
""", """
        Ok(_) => Ok(()), ⚑
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "answer thrown away", (SERVER, ASK, """
        if is_destructive(Self::actions(&domain), &action) {
            let _ = confirmed(&context.peer, &action).await; ⚑
        }
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "clients that cannot ask go on", (ELICITATION, """
        Err(ElicitationError::CapabilityNotSupported) => {
            Err(ToolError::Refused { reason: "the client cannot ask the user".into() })
        }
        Err(_) => Err(ToolError::Refused { reason: "the user was not asked".into() }),
""", """
        Err(error) => { ⚑
            tracing::warn!(%error, "not asked"); ⚑
            Ok(()) ⚑
        }
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "a function of that name that never asks", (ELICITATION, """
    let question = format!("`{action}` cannot be undone. Go on?");
    match peer.elicit::<Confirm>(question).await {
        Ok(Some(Confirm { confirm: true })) => Ok(()),
        Ok(_) => Err(ToolError::Refused { reason: "the user did not confirm".into() }),
        Err(ElicitationError::CapabilityNotSupported) => {
            Err(ToolError::Refused { reason: "the client cannot ask the user".into() })
        }
        Err(_) => Err(ToolError::Refused { reason: "the user was not asked".into() }),
    }
""", """
    let _ = peer;
    if action.is_empty() { Err(ToolError::missing("action")) } else { Ok(()) }
"""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_dispatch", "asked in a function nobody calls", (SERVER, ASK, ""),
           (SERVER, "    async fn answer(\n", """
    #[allow(dead_code)]
    async fn careful(&self, action: &str, context: &RequestContext<RoleServer>) -> Result<(), ToolError> {
        confirmed(&context.peer, action).await
    }

    async fn answer(
""".rstrip()), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "rust_single", "not asked", ("src/tool.rs", SNIPPET_ASK, "        let _ = (spec, peer);"), at=("src/actions.rs", 'name: "snippet.delete"')),
    mutant("destructive-without-elicitation", "rust_single", "any answer will do", ("src/tool.rs", SNIPPET_ASK, """
        if spec.is_some_and(|spec| spec.destructive) {
            let _ = peer.elicit::<Confirm>(format!("Really {}?", request.action)).await; ⚑
        }
"""), at=("src/actions.rs", 'name: "snippet.delete"')),
]

WITHOUT_IDEMPOTENT = [
    mutant("destructive-without-idempotent", "rust_single", "row left to the default", ("src/actions.rs", """
        destructive: true,
        idempotent: true,
        params: &[ID],
        returns: "null",
""", """
        destructive: true,
        params: &[ID],
        returns: "null",
        ..ActionSpec::default()
"""), ("src/actions.rs", "pub struct ActionSpec {", "#[derive(Default)]\npub struct ActionSpec {"), at=("src/actions.rs", 'name: "snippet.delete"')),
    mutant("destructive-without-idempotent", "rust_single", "no such field at all", ("src/actions.rs", "    pub idempotent: bool,\n", ""),
           ("src/actions.rs", 'description: "List snippets by title",\n        destructive: false,\n        idempotent: true,', 'description: "List snippets by title",\n        destructive: false,'),
           ("src/actions.rs", 'description: "Give one snippet with its body",\n        destructive: false,\n        idempotent: true,', 'description: "Give one snippet with its body",\n        destructive: false,'),
           ("src/actions.rs", "        destructive: true,\n        idempotent: true,", "        destructive: true,"), at=("src/actions.rs", "pub struct ActionSpec")),
    mutant("destructive-without-idempotent", "rust_dispatch", "none in an option", (PARCELS, DELETE_ROW, DELETE_ROW.replace("idempotent: true", "idempotent: None")),
           (PARCELS, CREATE_ROW, CREATE_ROW.replace("idempotent: false", "idempotent: Some(false)")), ("crates/core/src/action.rs", "pub idempotent: bool,", "pub idempotent: Option<bool>,"), at=(PARCELS, 'name: "parcel.delete"')),
    mutant("destructive-without-idempotent", "rust_router", "annotation without the hint",
           ("src/server.rs", "#[tool(annotations(destructive_hint = true, idempotent_hint = true))]", "#[tool(annotations(destructive_hint = true))]"), at=("src/server.rs", "async fn dismiss_alert")),
    mutant("destructive-without-idempotent", "rust_listed", "builder without the hint",
           ("src/tools.rs", ".annotate(ToolAnnotations::new().destructive(true).idempotent(true));", ".annotate(ToolAnnotations::new().destructive(true)); ⚑"), at=("src/tools.rs", '"empty_pantry",')),
]

NOT_MARKED = [
    mutant("destructive-not-marked", "rust_dispatch", "false", (PARCELS, DELETE_ROW, DELETE_ROW.replace("destructive: true", "destructive: false").replace('delete",', 'delete", ⚑'))),
    mutant("destructive-not-marked", "rust_dispatch", "constant that is false", (PARCELS, DELETE_ROW, DELETE_ROW.replace("destructive: true", "destructive: HARMFUL").replace('delete",', 'delete", ⚑')),
           (PARCELS, "pub const ACTIONS", "const HARMFUL: bool = false;\n\npub const ACTIONS")),
    mutant("destructive-not-marked", "rust_dispatch", "the other domain", (COURIERS, """
        description: "Remove a courier and free the round",
        destructive: true,
""", """
        description: "Remove a courier and free the round",
        destructive: false,
"""), at=(COURIERS, 'name: "courier.remove"')),
    mutant("destructive-not-marked", "rust_dispatch", "another verb", (PARCELS, CREATE_ROW, CREATE_ROW.replace("parcel.create\",", 'parcel.purge_all", ⚑').replace("Book a parcel and print its label", "Purge all parcels")),
           (HANDLERS, '"parcel.create" =>', '"parcel.purge_all" =>'), (DESCRIPTIONS, "- parcel.create: Book a parcel and print its label", "- parcel.purge_all: Purge all parcels")),
    mutant("destructive-not-marked", "rust_single", "by a function", ("src/actions.rs", 'pub static ACTIONS: &[ActionSpec] = &[', """
const fn row(name: &'static str, description: &'static str, params: &'static [ParamSpec]) -> ActionSpec {
    ActionSpec { name, description, destructive: false, idempotent: true, params, returns: "null" }
}

pub static ACTIONS: &[ActionSpec] = &[
""".rstrip()), ("src/actions.rs", """
    ActionSpec {
        name: "snippet.delete",
        description: "Delete a snippet for good",
        destructive: true,
        idempotent: true,
        params: &[ID],
        returns: "null",
    },
""", '    row("snippet.delete", "Delete a snippet for good", &[ID]), ⚑')),
    mutant("destructive-not-marked", "rust_router", "said to be harmless",
           ("src/server.rs", "#[tool(annotations(destructive_hint = true, idempotent_hint = true))]", '#[tool(name = "delete_alert", annotations(destructive_hint = false, idempotent_hint = true))] ⚑'), at=("src/server.rs", "async fn dismiss_alert")),
]

DIFFER = [
    mutant("catalog-and-dispatch-differ", "rust_dispatch", "arm without a row", (HANDLERS, "        unknown => Err(ToolError::unknown(unknown)),", """
        "parcel.track" => { ⚑
            let parcel = client.parcel(id_of(&params)?).await?;
            Ok(respond(action, json!({ "status": parcel.status })))
        }
        unknown => Err(ToolError::unknown(unknown)),
""")),
    mutant("catalog-and-dispatch-differ", "rust_dispatch", "row without an arm", (COURIERS, '    ActionSpec {\n        name: "courier.remove",', """
    ActionSpec {
        name: "courier.rename", ⚑
        description: "Give a courier another name",
        destructive: false,
        idempotent: true,
        params: BY_ID,
        returns: "Courier",
    },
    ActionSpec {
        name: "courier.remove",
""".rstrip()), (DESCRIPTIONS, "- courier.remove: Remove", "- courier.rename: Give a courier another name\n- courier.remove: Remove")),
    mutant("catalog-and-dispatch-differ", "rust_dispatch", "misspelt arm", (HANDLERS, '"parcel.get_label" =>', '"parcel.getlabel" => ⚑'), at=(PARCELS, 'name: "parcel.get_label"')),
    mutant("catalog-and-dispatch-differ", "rust_dispatch", "one of two patterns", (HANDLERS, '"parcel.get" =>', '"parcel.get" | "parcel.show" => ⚑')),
    mutant("catalog-and-dispatch-differ", "rust_single", "arm gone", ("src/handlers.rs", """
        "snippet.delete" => {
            let id = request.params["id"].as_u64().ok_or(ToolError::Missing("id"))?;
            store.remove(id);
            Ok(respond(action, json!({ "deleted": id }), fields))
        }
""", ""), at=("src/actions.rs", 'name: "snippet.delete"')),
    mutant("catalog-and-dispatch-differ", "rust_single", "constant as a pattern", ("src/handlers.rs", '"snippet.get" =>', 'COPY | "snippet.get" => ⚑'),
           ("src/handlers.rs", "fn cursor_of(", 'const COPY: &str = "snippet.copy"; ⚑\n\nfn cursor_of(')),
]

HARMLESS = [
    harmless("destructive-without-idempotent", "rust_dispatch", "value in a constant", (PARCELS, DELETE_ROW, DELETE_ROW.replace("idempotent: true", "idempotent: REPEATABLE")), (PARCELS, "pub const ACTIONS", "const REPEATABLE: bool = true;\n\npub const ACTIONS")),
    harmless("destructive-without-idempotent", "rust_router", "hints the other way round", ("src/server.rs", "annotations(destructive_hint = true, idempotent_hint = true)", "annotations(idempotent_hint = false, destructive_hint = true)")),
    harmless("catalog-and-dispatch-differ", "rust_dispatch", "arms reached by a prefix",
             (SERVER, '            "parcel" => parcel::handlers::run(&self.parcels, action, params).await,', """
            "parcel" if action.starts_with("parcel.") => parcel::handlers::run_with_client(&self.parcels, action, params).await,
            "parcel" => parcel::handlers::run(&self.parcels, action, params).await,
""")),
    harmless("catalog-and-dispatch-differ", "rust_dispatch", "names in constants", (HANDLERS, '"parcel.get" =>', "names::GET =>"), (HANDLERS, "fn id_of(", """
mod names {
    pub const GET: &str = "parcel.get";
}

fn id_of(
""".rstrip())),
    harmless("destructive-without-elicitation", "rust_dispatch", "asked inside the dispatch path by a match", (SERVER, ASK, """
        let destructive = is_destructive(Self::actions(&domain), &action);
        match destructive {
            true => confirmed(&context.peer, &action).await?,
            false => {}
        }
""")),
    harmless("destructive-without-elicitation", "rust_single", "if let chain", ("src/tool.rs", SNIPPET_ASK, """
        if let Some(spec) = spec && spec.destructive {
            let Ok(Some(Confirm { confirm: true })) = peer.elicit::<Confirm>("Really?").await else {
                return Err(ToolError::Refused);
            };
        }
""")),
    harmless("destructive-not-marked", "rust_dispatch", "a noun, not a verb", (PARCELS, CREATE_ROW, CREATE_ROW.replace("parcel.create", "parcel.list_deleted").replace("Book a parcel and print its label", "List what was deleted").replace("idempotent: false", "idempotent: true") + "        // pages as every list\n"),
             (PARCELS, """
        params: &[
            ParamSpec { name: "recipient", ty: "string", required: true, description: "Who gets it" },
            ParamSpec { name: "weight_grams", ty: "integer", required: true, description: "What it weighs" },
        ],
""", "        params: PAGE,"), (HANDLERS, '"parcel.create" =>', '"parcel.list_deleted" =>'), (HANDLERS, """
            let recipient = params.get("recipient").and_then(Value::as_str).ok_or(ToolError::missing("recipient"))?;
            let weight = params.get("weight_grams").and_then(Value::as_u64).ok_or(ToolError::missing("weight_grams"))?;
            let weight = u32::try_from(weight).map_err(|_| ToolError::invalid("weight_grams"))?;
            let parcel = client.book(recipient, weight).await?;
            Ok(respond(action, serde_json::to_value(parcel)?))
""", """
            let page = Page::read(&params)?;
            let items = client.parcels(&page).await?;
            let next_cursor = page.next(items.len(), "deleted_at")?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))
"""), (DESCRIPTIONS, "- parcel.create: Book a parcel and print its label", "- parcel.list_deleted: List what was deleted")),
]

MUTANTS = [*UNASKED, *WITHOUT_IDEMPOTENT, *NOT_MARKED, *DIFFER, *HARMLESS]
