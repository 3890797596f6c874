"""§9 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

DESCRIPTIONS = "crates/app/src/mcp/descriptions.rs"
SERVER = "crates/app/src/mcp/server.rs"
COURIERS = "crates/core/src/courier/actions.rs"
TOOL = "src/tool.rs"
WHEN = "\nWhen to use: the user asks who delivers somewhere, or a courier leaves.\n"
LIMITS = "\n\nLimitations: 60 calls a minute. courier.remove asks the user first.\n"
AT = (DESCRIPTIONS, "pub const COURIER")
DOC = (TOOL, "/// snippet: Keep pieces")
BOTH = """
- action (required): courier.verb. Call {action:"help"} for the full catalog.
- params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
"""
DOC_BOTH = """
    /// - action (required): snippet.verb. Call {action:"help"} for the full catalog.
    /// - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
"""

ELEMENTS = [
    mutant("four-elements", "rust_dispatch", "without when to use", (DESCRIPTIONS, WHEN, ""), at=AT),
    mutant("four-elements", "rust_dispatch", "without limitations", (DESCRIPTIONS, LIMITS, ""), at=AT),
    mutant("four-elements", "rust_dispatch", "label with nothing behind it", (DESCRIPTIONS, "Limitations: 60 calls a minute. courier.remove asks the user first.", "Limitations:"), at=AT),
    mutant("four-elements", "rust_dispatch", "without purpose", (DESCRIPTIONS, 'r#"courier: Know who carries which round.\n', 'r#"courier:\n'), at=AT),
    mutant("four-elements", "rust_dispatch", "without parameters", (DESCRIPTIONS, 'a courier leaves.\n\nParameters:\n', "a courier leaves.\n\nHow to call it\n"), at=AT),
    mutant("four-elements", "rust_dispatch", "cut in code", (SERVER, 'Tool::new("courier", descriptions::COURIER, schema()),', 'Tool::new("courier", BRIEF, schema()), ⚑'), (SERVER, "#[derive(Clone)]\npub struct Depot {", """
const BRIEF: &str = concat!( ⚑
    "courier: Know who carries which round.\\n", ⚑
    "Parameters:\\n- action (required): {action:\\"help\\"} lists them, {action:\\"schema\\"} their shapes.\\n",
    "- help: Show this catalog\\n- schema: Show what an action takes\\n- courier.list: List couriers by name\\n",
    "- courier.get: Give one courier\\n- courier.remove: Remove a courier and free the round\\n",
    "Limitations: 60 calls a minute.",
);

#[derive(Clone)]
pub struct Depot {
""".rstrip())),
    mutant("four-elements", "rust_single", "line of the documentation gone", (TOOL, "    /// Limitations: local only; snippet.delete asks the user first.\n", ""), at=DOC),
    mutant("four-elements", "rust_router", "attribute instead of documentation", ("src/server.rs", "#[tool(annotations(read_only_hint = true))]", '#[tool(description = "Tell the weather of the next days", annotations(read_only_hint = true))] ⚑')),
    mutant("four-elements", "rust_listed", "text of one line", ("src/tools.rs", """
        "pantry: Forget everything that is in the pantry.\\n\\
         When to use: the user moves out.\\n\\
         Parameters:\\n\\
         - fields (optional): the fields to keep.\\n\\
         Limitations: cannot be undone.",
""", '        "Forget everything that is in the pantry", ⚑')),
]

DRIFT = [
    mutant("description-drift", "rust_dispatch", "line that differs", (DESCRIPTIONS, "- courier.list: List couriers by name", "- courier.list: List all couriers"), at=AT),
    mutant("description-drift", "rust_dispatch", "name missing", (DESCRIPTIONS, "- courier.get: Give one courier\n", ""), at=AT),
    mutant("description-drift", "rust_dispatch", "name too many", (DESCRIPTIONS, "- courier.get: Give one courier\n", "- courier.get: Give one courier\n- courier.hire: Hire a courier\n"), at=AT),
    mutant("description-drift", "rust_dispatch", "catalog changed", (COURIERS, 'description: "Give one courier",', 'description: "Give one courier with the round",'), at=AT),
    mutant("description-drift", "rust_dispatch", "renamed in the catalog", (COURIERS, 'name: "courier.get",', 'name: "courier.show",'), ("crates/core/src/courier/handlers.rs", '"courier.get" =>', '"courier.show" =>'),
           ("crates/core/src/respond.rs", 'Some("courier") => "courier.get",', 'Some("courier") => "courier.show",'), ("crates/core/src/courier/types.rs", 'full_action = "courier.get"', 'full_action = "courier.show"'), at=AT),
    mutant("description-drift", "rust_dispatch", "two lines swapped", (DESCRIPTIONS, "- parcel.get: Give one parcel with its history\n- parcel.get_label: Give the whole label of a parcel", "- parcel.get: Give the whole label of a parcel\n- parcel.get_label: Give one parcel with its history"),
           at=(DESCRIPTIONS, "pub const PARCEL")),
    mutant("description-drift", "rust_single", "documentation that differs", (TOOL, "/// - snippet.get: Give one snippet with its body", "/// - snippet.get: Give a snippet"), at=DOC),
    mutant("description-drift", "rust_single", "new row", ("src/actions.rs", '    ActionSpec {\n        name: "snippet.get",', """
    ActionSpec {
        name: "snippet.count",
        description: "Count the snippets",
        destructive: false,
        idempotent: true,
        params: &[],
        returns: "integer",
    },
    ActionSpec {
        name: "snippet.get",
""".rstrip()), ("src/handlers.rs", '        "snippet.get" => {', '        "snippet.count" => Ok(respond(action, json!({ "count": store.every().len() }), fields)),\n        "snippet.get" => {'), at=DOC),
]

UNNAMED = [
    mutant("help-and-schema-not-named", "rust_dispatch", "neither", (DESCRIPTIONS, BOTH, "- action (required): courier.verb.\n- params (optional): action-specific."), (DESCRIPTIONS, "- help: Show this catalog\n- schema: Show what an action takes\n- courier.list", "- courier.list"), at=AT, also=("description-drift",)),
    mutant("help-and-schema-not-named", "rust_dispatch", "no schema", (DESCRIPTIONS, ' Call {action:"schema", params:{action:"X"}} for shape.\n- fields, limit, cursor: standard pagination/projection.\n\nActions:\n- help: Show this catalog\n- schema: Show what an action takes\n- courier.list',
           '\n- fields, limit, cursor: standard pagination/projection.\n\nActions:\n- help: Show this catalog\n- courier.list'), at=AT, also=("description-drift",)),
    mutant("help-and-schema-not-named", "rust_dispatch", "words, not actions", (DESCRIPTIONS, BOTH, "- action (required): courier.verb. We are glad to help.\n- params (optional): follows its own schema."), at=AT),
    mutant("help-and-schema-not-named", "rust_single", "neither in the documentation", (TOOL, DOC_BOTH, "    /// - action (required): snippet.verb.\n    /// - params (optional): action-specific."), at=DOC),
    mutant("help-and-schema-not-named", "rust_single", "no help", (TOOL, 'snippet.verb. Call {action:"help"} for the full catalog.', "snippet.verb."), at=DOC),
    mutant("help-and-schema-not-named", "rust_single", "no schema", (TOOL, 'action-specific. Call {action:"schema", params:{action:"X"}} for shape.', "action-specific."), at=DOC),
]

HARMLESS = [
    harmless("four-elements", "rust_dispatch", "labels in bold", (DESCRIPTIONS, WHEN, "\n**When to use:** the user asks who delivers somewhere, or a courier leaves.\n"), (DESCRIPTIONS, LIMITS, "\n\n**Limitations:** 60 calls a minute. courier.remove asks the user first.\n")),
    harmless("four-elements", "rust_dispatch", "labels as headings", (DESCRIPTIONS, WHEN, "\n## When to use\nThe user asks who delivers somewhere, or a courier leaves.\n"), (DESCRIPTIONS, LIMITS, "\n\n## Limitations\n60 calls a minute. courier.remove asks the user first.\n")),
    harmless("description-drift", "rust_dispatch", "dashes and backticks", (DESCRIPTIONS, "- courier.list: List couriers by name\n- courier.get: Give one courier\n", "* `courier.list` — List couriers by name.\n* `courier.get` — Give one courier.\n")),
    harmless("description-drift", "rust_dispatch", "another order", (DESCRIPTIONS, "- courier.list: List couriers by name\n- courier.get: Give one courier\n", "- courier.get: Give one courier\n- courier.list: List couriers by name\n")),
    harmless("help-and-schema-not-named", "rust_dispatch", "as JSON", (DESCRIPTIONS, BOTH, '- action (required): courier.verb. `{"action": "help"}` gives the full catalog.\n- params (optional): action-specific; `{"action": "schema", "params": {"action": "X"}}` gives the shape.')),
    harmless("help-and-schema-not-named", "rust_single", "in words", (TOOL, DOC_BOTH, "    /// - action (required): snippet.verb. The `help` action gives the full catalog.\n    /// - params (optional): action-specific. The `schema` action gives the shape.")),
]

MUTANTS = [*ELEMENTS, *DRIFT, *UNNAMED, *HARMLESS]
