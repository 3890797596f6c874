"""§14 and §16, in Rust: examples, defaults and sets of values in schemas, and hints that contradict each other."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

ROUTER = "rust_router"
LISTED = "rust_listed"
REQUESTS = "src/requests.rs"
SERVER = "src/server.rs"
TOOLS = "src/tools.rs"
COUNTRY = "    /// Only stations in this country, by its two letters.\n    pub country: Option<String>,"
DAYS = "    /// How many days ahead.\n    pub days: Option<u8>,"
STATION = "    /// The station's id.\n    pub station: String,"
WORDS = '"words": { "type": "string", "description": "What the title holds" },'
FORECAST = "#[derive(Debug, Deserialize, JsonSchema)]\npub struct GetForecast {"
READS = "#[tool(annotations(read_only_hint = true))]"
LOSES = "#[tool(annotations(destructive_hint = true, idempotent_hint = true))]"
PANTRY = "ToolAnnotations::new().destructive(true).idempotent(true)"

NOT_VALID = [
    mutant("example-not-valid", ROUTER, "a text for a number", (REQUESTS, DAYS, DAYS.replace("    pub", '    #[schemars(example = "three")]\n    pub')), at=(REQUESTS, "pub days: Option<u8>,")),
    mutant("example-not-valid", ROUTER, "out of range", (REQUESTS, DAYS, DAYS.replace("    pub", "    #[schemars(range(min = 1, max = 10), example = 14)]\n    pub")), at=(REQUESTS, "pub days: Option<u8>,")),
    mutant("example-not-valid", ROUTER, "too long", (REQUESTS, COUNTRY, COUNTRY.replace("    pub", '    #[schemars(length(equal = 2), example = "Germany")]\n    pub')), at=(REQUESTS, "pub country: Option<String>,")),
    mutant("example-not-valid", ROUTER, "another pattern", (REQUESTS, STATION, STATION.replace("    pub", '    #[schemars(regex(pattern = "^st[0-9]+$"), example = "kiel")]\n    pub')), at=(REQUESTS, "pub station: String,")),
    mutant("example-not-valid", ROUTER, "a field renamed", (REQUESTS, FORECAST, FORECAST.replace("pub struct", '#[schemars(example = serde_json::json!({"place": "st1"}))]\npub struct')), at=(SERVER, "async fn get_forecast")),
    mutant("example-not-valid", LISTED, "elements in the place of a list", (TOOLS, '"words": {', '"tags": { "type": "array", "items": { "type": "string" }, "description": "What it is like", "examples": ["sour", "hot"] },\n                "words": {'), at=(TOOLS, '"tags": {'), also=("argument-never-read",)),
    mutant("example-not-valid", LISTED, "a default that is no value", (TOOLS, '"words": {', '"order": { "type": "string", "enum": ["new", "old"], "description": "Which to give first", "default": "best" },\n                "words": {'), at=(TOOLS, '"order": {'), also=("argument-never-read",)),
    harmless("example-not-valid", ROUTER, "a number", (REQUESTS, DAYS, DAYS.replace("    pub", "    #[schemars(range(min = 1, max = 10), example = 3)]\n    pub"))),
    harmless("example-not-valid", ROUTER, "a whole that fits", (REQUESTS, FORECAST, FORECAST.replace("pub struct", '#[schemars(example = serde_json::json!({"station": "st1"}))]\npub struct'))),
    harmless("example-not-valid", LISTED, "a list of lists", (TOOLS, '"words": {', '"tags": { "type": "array", "items": { "type": "string" }, "description": "What it is like", "examples": [["sour", "hot"]], "default": [] },\n                "words": {'), ("src/schema.rs", "    pub words: Option<String>,", "    pub words: Option<String>,\n    pub tags: Vec<String>,"), ("src/kitchen.rs", "self.book.matching(asked.words.as_deref().unwrap_or_default());", "self.book.tagged(&asked.tags, asked.words.as_deref().unwrap_or_default());")),
]

NOT_ENUMERATED = [
    mutant("values-not-enumerated", ROUTER, "quoted with or", (REQUESTS, COUNTRY, COUNTRY.replace("Only stations in this country, by its two letters.", 'The country: "de" or "dk".  ⚑'))),
    mutant("values-not-enumerated", ROUTER, "between marks", (REQUESTS, COUNTRY, COUNTRY.replace("Only stations in this country, by its two letters.", "`de`, `dk`, or `se`.  ⚑"))),
    mutant("values-not-enumerated", ROUTER, "one of", (REQUESTS, STATION, STATION.replace("The station's id.", "The station, one of kiel, hamburg, sylt.  ⚑"))),
    mutant("values-not-enumerated", ROUTER, "in an attribute", (REQUESTS, STATION, "    #[schemars(description = \"Allowed values: 'kiel', 'sylt'\")]  // ⚑\n    pub station: String,")),
    mutant("values-not-enumerated", LISTED, "with bars", (TOOLS, WORDS, WORDS.replace("What the title holds", "What the title holds (soup|salad|bread)")), at=(TOOLS, '"words": {')),
    mutant("values-not-enumerated", LISTED, "must be", (TOOLS, WORDS, WORDS.replace("What the title holds", "Must be 'soup', 'salad' or 'bread'.")), at=(TOOLS, '"words": {')),
    harmless("values-not-enumerated", ROUTER, "examples", (REQUESTS, COUNTRY, COUNTRY.replace("by its two letters.", 'by its two letters, like "de" or "dk".'))),
    harmless("values-not-enumerated", ROUTER, "not closed", (REQUESTS, STATION, STATION.replace("The station's id.", 'The station: "kiel", "sylt" or any other id.'))),
    harmless("values-not-enumerated", LISTED, "an enum", (TOOLS, WORDS, WORDS.replace('"type": "string",', '"type": "string", "enum": ["soup", "salad"],').replace("What the title holds", "One of soup, salad"))),
]

HINTS = [
    mutant("hints-contradict", ROUTER, "both", (SERVER, LOSES, "#[tool(annotations(read_only_hint = true, destructive_hint = true, idempotent_hint = true))]"), at=(SERVER, "async fn dismiss_alert")),
    mutant("hints-contradict", ROUTER, "of a reading tool", (SERVER, READS, "#[tool(annotations(read_only_hint = true, destructive_hint = true))]"), at=(SERVER, "async fn get_forecast"), also=("destructive-without-elicitation", "destructive-without-idempotent")),
    mutant("hints-contradict", ROUTER, "turned around", (SERVER, LOSES, "#[tool(annotations(destructive_hint = true, idempotent_hint = true, read_only_hint = true))]"), at=(SERVER, "async fn dismiss_alert")),
    mutant("hints-contradict", ROUTER, "with a title", (SERVER, LOSES, '#[tool(annotations(title = "Dismiss", read_only_hint = true, destructive_hint = true, idempotent_hint = true))]'), at=(SERVER, "async fn dismiss_alert")),
    mutant("hints-contradict", LISTED, "by methods", (TOOLS, PANTRY, "ToolAnnotations::new().read_only(true).destructive(true).idempotent(true)"), at=(TOOLS, '"empty_pantry",')),
    mutant("hints-contradict", LISTED, "by methods, turned around", (TOOLS, PANTRY, "ToolAnnotations::new().destructive(true).idempotent(true).read_only(true)"), at=(TOOLS, '"empty_pantry",')),
    harmless("hints-contradict", ROUTER, "only reads", (SERVER, READS, "#[tool(annotations(read_only_hint = true, destructive_hint = false))]")),
    harmless("hints-contradict", ROUTER, "only destroys", (SERVER, LOSES, "#[tool(annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true))]")),
    harmless("hints-contradict", LISTED, "not read-only", (TOOLS, PANTRY, "ToolAnnotations::new().read_only(false).destructive(true).idempotent(true)")),
]

MUTANTS = [*NOT_VALID, *NOT_ENUMERATED, *HINTS]
