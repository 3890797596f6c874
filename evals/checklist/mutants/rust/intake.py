"""What trait tools take out of their input, in Rust: names, defaults, greatest values, limits."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "rust_orchard_trait"
TREES, NOTES, PHOTOS, PRESS, HARVESTS, OUTPUT, PARAMS = (f"src/tools/{name}.rs" for name in ("trees", "notes", "photos", "press", "harvests", "output", "params"))
MOST = '        let most = input["max_results"].as_u64().unwrap_or(10).min(40) as usize;\n'
KIND = '        let kind = require_str(&input, "kind")?.to_lowercase();\n'
ROW = '                "row": { "type": "integer", "description": "Only the trees of this row" },\n'
ASKED = '    std::cmp::min(given.unwrap_or(10), MOST) as usize\n'
GUARDED = 'optional_u64(input, "limit").unwrap_or(PAGE).clamp(1, LARGEST) as usize'
SECONDS = 'fields.get("timeout_secs").and_then(Value::as_u64).unwrap_or(30).clamp(1, 120)'
BOTH = ("argument-never-read",)

NOT_DECLARED = [
    mutant("argument-not-declared", SERVER, "another name by index", (TREES, MOST, '        let most = input["limit"].as_u64().unwrap_or(10).min(40) as usize; ⚑\n'), also=BOTH),
    mutant("argument-not-declared", SERVER, "one more by a helper", (TREES, KIND, KIND + '        let row = optional_u64(&input, "row"); ⚑\n        tracing::debug!(?row);\n')),
    mutant("argument-not-declared", SERVER, "the schema has another spelling", (TREES, '"max_results": { "type": "integer", "description": "How many trees (default 10, max 40)" }', '"amount": { "type": "integer", "description": "How many trees (default 10, max 40)" }'), at=(TREES, '        let most = input["max_results"]'), also=BOTH),
    mutant("argument-not-declared", SERVER, "key in a constant", (PRESS, SECONDS, 'fields.get(WAIT).and_then(Value::as_u64).unwrap_or(30).clamp(1, 120)'), (PRESS, "pub struct PressReport {", 'const WAIT: &str = "wait"; ⚑\n\npub struct PressReport {'), also=BOTH),
    mutant("argument-not-declared", SERVER, "in a type that the input becomes", (HARVESTS, "    kilos: f64,\n}\n\n#[async", "    kilos: f64,\n    weather: Option<String>, ⚑\n}\n\n#[async"), (HARVESTS, "let Recorded { tree, year, kilos } =", "let Recorded { tree, year, kilos, .. } =")),
    mutant("argument-not-declared", SERVER, "in a function that is handed the input", (PHOTOS, '    let given = input.get("limit").and_then(Value::as_u64);', '    let given = input.get("count").and_then(Value::as_u64); ⚑'), also=BOTH),
    mutant("argument-not-declared", SERVER, "by a closure", (NOTES, '        let whole = optional_bool(&input, "whole").unwrap_or(false);', '        let flag = |name: &str| optional_bool(&input, name).unwrap_or(false);\n        let whole = flag("whole") && !flag("brief"); ⚑')),
    harmless("argument-not-declared", SERVER, "another spelling beside the declared one", (TREES, KIND, '        let asked = input.get("kind").or_else(|| input.get("sort")).and_then(Value::as_str).unwrap_or_default();\n        let kind = asked.to_lowercase();\n')),
    harmless("argument-not-declared", SERVER, "key of another value", (TREES, KIND, KIND + '        let season = json!({ "month": 4 });\n        tracing::debug!(month = season["month"].as_u64());\n')),
    harmless("argument-not-declared", SERVER, "written into the input", (HARVESTS, '            "list" => ListHarvests.call(input, context).await,', '            "list" => {\n                let mut input = input;\n                input["source"] = json!("harvests");\n                ListHarvests.call(input, context).await\n            }')),
]

NEVER_READ = [
    mutant("argument-never-read", SERVER, "one more declared", (TREES, ROW, ROW + '                "kind": { "type": "string", "description": "Only the trees of this kind" }, ⚑\n')),
    mutant("argument-never-read", SERVER, "no longer read", (TREES, MOST, "        let most = 10;\n"), at=(TREES, '                "max_results"')),
    mutant("argument-never-read", SERVER, "the type has it not", (HARVESTS, "    kilos: f64,\n}\n\n#[async", "}\n\n#[async"), (HARVESTS, "let Recorded { tree, year, kilos } = serde_json::from_value(input)?;", "let Recorded { tree, year } = serde_json::from_value(input)?;\n        let kilos = 1.0;"), at=(HARVESTS, '                "kilos"')),
    mutant("argument-never-read", SERVER, "an action less", (HARVESTS, '        let (tree, year) = (optional_u64(&input, "tree"), optional_u64(&input, "year"));\n', "        let (tree, year) = (None::<u64>, None::<u64>);\n"), (HARVESTS, "    tree: u64,\n    year: u64,\n    kilos", "    year: u64,\n    kilos"), (HARVESTS, '        require_u64(&input, "tree")?;\n        let Recorded { tree, year, kilos }', '        let tree = 1;\n        let Recorded { year, kilos }'), at=(HARVESTS, '                "tree"')),
    mutant("argument-never-read", SERVER, "a flag that is forgotten", (NOTES, '        let whole = optional_bool(&input, "whole").unwrap_or(false);', "        let whole = false;"), at=(NOTES, '                "whole"')),
    mutant("argument-never-read", SERVER, "the guard reads no offset", (OUTPUT, '        let offset = optional_u64(input, "offset").unwrap_or(0) as usize;', "        let offset = 0;"), at=((TREES, '                "offset"'), (HARVESTS, '                "offset"'))),
    harmless("argument-never-read", SERVER, "the whole input is handed on", (PRESS, "        let fields = input", '        let asked = serde_json::to_string(&input)?;\n        tracing::debug!(asked);\n        let fields = input'), (PRESS, '                "year": { "type"', '                "press": { "type": "string", "description": "Which press reports" },\n                "year": { "type"')),
    harmless("argument-never-read", SERVER, "read by a pointer", (PHOTOS, 'input.get("limit").and_then', 'input.pointer("/limit").and_then')),
    harmless("argument-never-read", SERVER, "read in a match", (NOTES, '        let whole = optional_bool(&input, "whole").unwrap_or(false);', '        let whole = matches!(input["whole"].as_bool(), Some(true));')),
]

DEFAULTS = [
    mutant("default-differs", SERVER, "another number", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(20).min(40) as usize; ⚑\n')),
    mutant("default-differs", SERVER, "another constant of the guard", (OUTPUT, "pub const PAGE: u64 = 50;", "pub const PAGE: u64 = 100;"), at=(OUTPUT, '        let limit = optional_u64(input, "limit")')),
    mutant("default-differs", SERVER, "another in a match", (TREES, "            None => 2024,", "            None => 2020, ⚑")),
    mutant("default-differs", SERVER, "another as text says", (NOTES, '"description": "The first line (default: 1)"', '"description": "The first line (default: 10)"'), at=(NOTES, "        let first = input")),
    mutant("default-differs", SERVER, "another flag", (NOTES, '"whole": { "type": "boolean", "default": false,', '"whole": { "type": "boolean", "default": true,'), at=(NOTES, "        let whole = ")),
    mutant("default-differs", SERVER, "another in a helper", (PHOTOS, ASKED, "    std::cmp::min(given.unwrap_or_else(|| 15), MOST) as usize ⚑\n")),
    mutant("default-differs", SERVER, "text and schema", (TREES, '"limit": { "type": "integer", "default": 50, "maximum": 200, "description": "How many trees" }', '"limit": { "type": "integer", "default": 50, "maximum": 200, "description": "How many trees (default 20)" } ⚑')),
    mutant("default-differs", SERVER, "another by a condition", (PRESS, SECONDS, 'wait(fields).clamp(1, 120)'), (PRESS, "pub struct PressReport {", 'fn wait(fields: &serde_json::Map<String, Value>) -> u64 {\n    if let Some(given) = fields.get("timeout_secs").and_then(Value::as_u64) {\n        given\n    } else {\n        60 ⚑\n    }\n}\n\npub struct PressReport {')),
    harmless("default-differs", SERVER, "the same by a closure", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or_else(|| 10).min(40) as usize;\n')),
    harmless("default-differs", SERVER, "known at run time only", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(context.store.usual()).min(40) as usize;\n')),
    harmless("default-differs", SERVER, "another unit", (PRESS, "Seconds to wait (default 30, at most 120)", "How long to wait (default 1 minute)")),
]

CAPS = [
    mutant("cap-differs", SERVER, "another number", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10).min(100) as usize; ⚑\n')),
    mutant("cap-differs", SERVER, "another constant", (PHOTOS, "const MOST: u64 = 30;", "const MOST: u64 = 300;"), at=(PHOTOS, "    std::cmp::min(given")),
    mutant("cap-differs", SERVER, "another in the schema", (TREES, '"default": 50, "maximum": 200,', '"default": 50, "maximum": 500,'), at=(OUTPUT, '        let limit = optional_u64(input, "limit")')),
    mutant("cap-differs", SERVER, "another in the text", (PRESS, "(default 30, at most 120)", "(default 30, at most 600)"), at=(PRESS, "        let seconds = ")),
    mutant("cap-differs", SERVER, "by a condition", (PRESS, "        let seconds = " + SECONDS + ";\n", '        let mut seconds = fields.get("timeout_secs").and_then(Value::as_u64).unwrap_or(30);\n        if seconds > 60 {\n            seconds = 60; ⚑\n        }\n')),
    mutant("cap-differs", SERVER, "the guard cuts lower", (OUTPUT, "pub const LARGEST: u64 = 200;", "pub const LARGEST: u64 = 4 * 25;"), at=(OUTPUT, '        let limit = optional_u64(input, "limit")')),
    mutant("cap-differs", SERVER, "text and schema", (TREES, '"maximum": 200, "description": "How many trees" }', '"maximum": 200, "description": "How many trees, up to 1000" } ⚑')),
    harmless("cap-differs", SERVER, "the same in other words", (TREES, "How many trees (default 10, max 40)", "How many trees: 10 by default, no more than 40")),
    harmless("cap-differs", SERVER, "cut at the length of the list", (PHOTOS, "        let shown: Vec<_> = names.into_iter().take(limit).collect();", "        let shown: Vec<_> = names.into_iter().take(limit.min(total)).collect();")),
    harmless("cap-differs", SERVER, "a number of something else", (TREES, '"description": "What the kind holds"', '"description": "What the kind holds, up to 80 letters"')),
]

LIMITS = [
    mutant("limit-unbounded", SERVER, "no bound", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10) as usize;\n'), at=(TREES, "        let trees: Vec<_> = found.into_iter().take(most)")),
    mutant("limit-unbounded", SERVER, "no bound in the guard", (OUTPUT, GUARDED, 'optional_u64(input, "limit").unwrap_or(PAGE) as usize'), at=(OUTPUT, "        let kept: Vec<T> = items")),
    mutant("limit-unbounded", SERVER, "only a least", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10).max(1) as usize;\n'), at=(TREES, "        let trees: Vec<_> = found.into_iter().take(most)")),
    mutant("limit-unbounded", SERVER, "truncated at it", (TREES, MOST, '        let most = optional_u64(&input, "max_results").map_or(10, |given| given as usize);\n'), (TREES, "        let trees: Vec<_> = found.into_iter().take(most).collect();", "        let mut trees = found;\n        trees.truncate(most); ⚑")),
    mutant("limit-unbounded", SERVER, "in a helper, no maximum", (PHOTOS, '"limit": { "type": "integer", "maximum": 30, "description": "How many photographs, 10 by default" }', '"limit": { "type": "integer", "description": "How many photographs, 10 by default" }'), (PHOTOS, ASKED, "    given.unwrap_or(10) as usize\n"), at=(PHOTOS, "        let shown: Vec<_> = names")),
    mutant("limit-unbounded", SERVER, "a loop that ends at it", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10) as usize;\n'), (TREES, "        let trees: Vec<_> = found.into_iter().take(most).collect();", "        let mut trees = Vec::new();\n        for tree in found {\n            if trees.len() >= most { ⚑\n                break;\n            }\n            trees.push(tree);\n        }")),
    harmless("limit-unbounded", SERVER, "refused if it is too large", (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10) as usize;\n        if most > 40 {\n            return Err(RecoverableError::with_hint("too many trees", "Give max_results=40 at most.").into());\n        }\n')),
    harmless("limit-unbounded", SERVER, "bounded by a condition", (TREES, MOST, '        let asked = input["max_results"].as_u64().unwrap_or(10) as usize;\n        let most = if asked > 40 { 40 } else { asked };\n')),
    harmless("limit-unbounded", SERVER, "bounded in the schema", (TREES, '"description": "How many trees (default 10, max 40)" }', '"maximum": 40, "description": "How many trees (default 10)" }'), (TREES, MOST, '        let most = input["max_results"].as_u64().unwrap_or(10) as usize;\n')),
]

ROUTER, LISTED = "rust_router", "rust_listed"
REQUESTS, SERVING, PAGES = "src/requests.rs", "src/server.rs", "src/pages.rs"
KITCHEN, SHAPE, TOOLS = "src/kitchen.rs", "src/schema.rs", "src/tools.rs"
DAYS = "request.days.unwrap_or(3)"
WORDS = "asked.words.as_deref().unwrap_or_default()"
STATIONS = "async fn list_stations(&self, Parameters(request): Parameters<ListStations>)"
SIZE = "limit.unwrap_or(20).max(1).min(100) as usize"
COOK = '        let asked: Asked = serde_json::from_value(arguments)?;\n        match name.as_str() {\n            "search_recipes" => Ok(self.search(&asked)),\n'

TYPED = [
    mutant("argument-never-read", ROUTER, "one more field", (REQUESTS, "    /// How many days ahead.", "    /// Only the nights.\n    pub nights: Option<bool>, ⚑\n    /// How many days ahead.")),
    mutant("argument-never-read", ROUTER, "a field no longer read", (SERVING, DAYS, "3"), at=(REQUESTS, "    pub days: Option<u8>")),
    mutant("argument-never-read", ROUTER, "taken apart without it", (SERVING, "Parameters(request): Parameters<GetForecast>", "Parameters(GetForecast { station, fields, .. }): Parameters<GetForecast>"), (SERVING, "&request.station, " + DAYS, "&station, 3"), (SERVING, "let answers = Answers::new(request.fields);", "let answers = Answers::new(fields);"), at=(REQUESTS, "    pub days: Option<u8>")),
    mutant("argument-never-read", ROUTER, "the wrapper kept", (SERVING, STATIONS, STATIONS.replace("Parameters(request)", "request")), (SERVING, "        let window = Window::new(request.limit", "        let request = request.0;\n        let window = Window::new(request.limit"), (SERVING, "self.store.stations(request.country.as_deref())", "self.store.stations(None)"), at=(REQUESTS, "    pub country")),
    mutant("argument-never-read", LISTED, "in a function that the arm calls", (KITCHEN, WORDS, '""'), at=(TOOLS, '                "words"')),
    mutant("argument-never-read", LISTED, "a type of the arm's own", (KITCHEN, COOK, '        let asked: Asked = serde_json::from_value(arguments.clone())?;\n        match name.as_str() {\n            "search_recipes" => Ok(self.search(&serde_json::from_value(arguments)?)),\n'), (KITCHEN, WORDS, '""'), at=(TOOLS, '                "words"')),
    harmless("argument-never-read", ROUTER, "the struct is handed on", (SERVING, "        let window = Window::new(request.limit", "        self.store.remember(request.clone());\n        let window = Window::new(request.limit"), (SERVING, "self.store.stations(request.country.as_deref())", "self.store.stations(None)")),
    harmless("argument-never-read", ROUTER, "read by a method", (SERVING, DAYS, "request.ahead()"), (REQUESTS, "#[derive(Debug, Deserialize, JsonSchema)]\npub struct DismissAlert", "impl GetForecast {\n    pub fn ahead(&self) -> u8 {\n        self.days.unwrap_or(3)\n    }\n}\n\n#[derive(Debug, Deserialize, JsonSchema)]\npub struct DismissAlert")),
    mutant("argument-not-declared", LISTED, "read in the function of one arm", (KITCHEN, WORDS, "asked.text.as_deref().unwrap_or_default()"), (SHAPE, "    pub words: Option<String>,", "    pub text: Option<String>, ⚑"), also=BOTH),
    harmless("argument-not-declared", LISTED, "a field for no tool", (SHAPE, "    pub words: Option<String>,", "    pub words: Option<String>,\n    pub locale: Option<String>,")),
    mutant("default-differs", ROUTER, "another in the documentation of a field", (REQUESTS, "/// How many days ahead.", "/// How many days ahead (default 5)."), at=(SERVING, "            .forecast(&request.station")),
    mutant("default-differs", ROUTER, "another in an attribute", (REQUESTS, "    pub days: Option<u8>,", '    #[schemars(default = "usual")]\n    pub days: Option<u8>,'), (REQUESTS, "#[derive(Debug, Deserialize, JsonSchema)]\npub struct DismissAlert", "fn usual() -> Option<u8> {\n    Some(5)\n}\n\n#[derive(Debug, Deserialize, JsonSchema)]\npub struct DismissAlert"), at=(SERVING, "            .forecast(&request.station")),
    harmless("default-differs", ROUTER, "the same in the documentation", (REQUESTS, "/// How many days ahead.", "/// How many days ahead (default 3).")),
    mutant("cap-differs", ROUTER, "another in the documentation of a field", (REQUESTS, "20 if absent, never over 100.", "20 if absent, up to 200."), at=(PAGES, "        let size = ")),
    harmless("cap-differs", ROUTER, "the same as a range", (REQUESTS, "20 if absent, never over 100.", "20 if absent, clamped to 1..=100.")),
    mutant("limit-unbounded", ROUTER, "no bound in what is handed the field", (PAGES, SIZE, "limit.unwrap_or(20).max(1) as usize"), at=(PAGES, "        let kept: Vec<T>")),
]

MUTANTS = [*TYPED, *NOT_DECLARED, *NEVER_READ, *DEFAULTS, *CAPS, *LIMITS]
