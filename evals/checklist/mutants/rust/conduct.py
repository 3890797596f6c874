"""What a Rust tool does when it is called: panics, cuts, locks, blocking, prints, failures, cancellation, marks."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "rust_foundry_trait"
MAIN, BOOKS = "src/main.rs", "src/books.rs"
TOOLS, BELLS, NOTES = "src/tools/mod.rs", "src/tools/bells.rs", "src/tools/notes.rs"
WEIGHT = 'let weight: u64 = require_str(&input, "weight")?.parse()?;'
PARTS = """
        let [note, octave] = parts[..] else {
            anyhow::bail!("`pitch` is written as note and octave, such as c-2");
        };
"""
SHORT = "    name.chars().take(SHOWN).collect()"
NOTED = "let text = ctx.books.note(name).await?;"
READ = """
        let mut read = READ.lock().unwrap();
        read.push(name.to_owned());
"""
POUR = """
    let mut command = Command::new("foundry-forge");
    command.arg("--pour").arg(weight.to_string()).kill_on_drop(true);
    let status = command.status().await?;
"""
COOL = """
    for _ in 0..60 {
        if ctx.ct.is_cancelled() {
            anyhow::bail!("the casting was called off");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
"""
SEARCH = "let hits = ctx.books.search(word);"
MISSING = 'with_context(|| format!("there is no note `{name}`"))'
PLACE = "let place = self.place_of(name)?;"
KEEP = "ctx.books.keep_note(name, text).await?;"
OPENED = 'tracing::info!("the foundry is open");'
ADD = "ctx.books.add(Bell {"


def _faults(rule, *cases):
    return [mutant(rule, SERVER, name, *edits) for name, *edits in cases]


def _fine(rule, *cases):
    return [harmless(rule, SERVER, name, *edits) for name, *edits in cases]


PANICS = [
    *_faults(
        "panic-on-call-path",
        ("parse and unwrap", (BELLS, WEIGHT, 'let weight: u64 = require_str(&input, "weight")?.parse().unwrap(); ⚑')),
        ("expect of a missing argument", (BELLS, WEIGHT, 'let weight = input["weight"].as_u64().expect("weight is required"); ⚑')),
        ("get and unwrap", (BELLS, WEIGHT, 'let weight = input.get("weight").and_then(Value::as_u64).unwrap(); ⚑')),
        ("a whole type from the input", (BELLS, WEIGHT, "let asked: Asked = serde_json::from_value(input.clone()).unwrap(); ⚑\n        let weight = asked.weight;")),
        ("panic by hand", (BELLS, WEIGHT, WEIGHT + '\n        if weight > 9000 {\n            panic!("too heavy: {weight}"); ⚑\n        }')),
        ("todo", (BELLS, WEIGHT, WEIGHT + '\n        if weight > 9000 {\n            todo!("heavy bells"); ⚑\n        }')),
        ("unreachable on an argument", (BELLS, WEIGHT, WEIGHT + '\n        let metal = match require_str(&input, "pitch")? {\n            "low" => "bronze",\n            _ => unreachable!(), ⚑\n        };\n        tracing::debug!(metal);')),
        ("in a helper", (TOOLS, 'input[key].as_str().ok_or_else(|| anyhow::anyhow!("`{key}` is missing"))', "Ok(input[key].as_str().unwrap()) ⚑")),
        ("in a file two calls away", (BOOKS, PLACE + '\n        tokio::fs::read_to_string(&place).await.' + MISSING, PLACE + "\n        Ok(tokio::fs::read_to_string(&place).await.unwrap()) ⚑")),
        ("in a macro", (NOTES, '"kept": name,', '"kept": input["title"].as_str().unwrap(), ⚑'), (NOTES, '"description": "What is noted", "maxLength": 4000 }', '"description": "What is noted", "maxLength": 4000 },\n                "title": { "type": "string", "description": "The title of the note", "maxLength": 80 }')),
        ("of the environment", (BELLS, WEIGHT, WEIGHT + '\n        let forge = std::env::var("FORGE").unwrap(); ⚑\n        tracing::debug!(forge);')),
    ),
    *_fine(
        "panic-on-call-path",
        ("looked at before", (BELLS, WEIGHT, 'if !input["weight"].is_u64() {\n            anyhow::bail!("`weight` is no number");\n        }\n        let weight = input["weight"].as_u64().unwrap();')),
        ("another value in its stead", (BELLS, WEIGHT, 'let weight: u64 = require_str(&input, "weight")?.parse().unwrap_or(100);')),
        ("a pattern of its own", (BELLS, WEIGHT, WEIGHT + '\n        let digits = regex::Regex::new("[0-9]").unwrap();\n        tracing::debug!(%digits);')),
        ("a poisoned lock", (NOTES, "READ.lock().unwrap()", 'READ.lock().expect("another reader panicked")')),
        ("in a test", (BELLS, "async fn poured(", '#[cfg(test)]\nmod tests {\n    #[test]\n    fn weighs() {\n        let weight: u64 = "12".parse().unwrap();\n        panic!("{weight}");\n    }\n}\n\nasync fn poured(')),
    ),
]

INDEXES = [
    *_faults(
        "index-unchecked",
        ("parts of a split", (BELLS, PARTS, "        let (note, octave) = (parts[0], parts[1]); ⚑")),
        ("one after the other", (BELLS, PARTS, "        let note = parts[0];\n        let octave = parts[1]; ⚑")),
        ("a range", (BELLS, PARTS, "        let (note, octave) = (&parts[..1].concat(), &parts[1..2].concat()); ⚑")),
        ("in a helper", (BELLS, PARTS, "        let (note, octave) = (parts.first().copied().unwrap_or(pitch), second(&parts));"), (BELLS, "async fn poured(", "fn second<'a>(parts: &[&'a str]) -> &'a str {\n    parts[1] ⚑\n}\n\nasync fn poured(")),
        ("the first of the hits", (BELLS, "let total = hits.len();", "let best = hits[0].name.clone(); ⚑\n        tracing::debug!(best);\n        let total = hits.len();")),
        ("a key of a map", (BELLS, PARTS, PARTS + '\n        let known: std::collections::HashMap<String, u64> = pitches();\n        let tone = known[note]; ⚑\n        tracing::debug!(tone);')),
        ("by an argument", (BELLS, SEARCH, SEARCH + '\n        let at = input["at"].as_u64().unwrap_or(0) as usize;\n        let chosen = hits[at].name.clone(); ⚑\n        tracing::debug!(chosen);'), (BELLS, '"word": { "type"', '"at": { "type": "integer", "description": "Which of them counts", "minimum": 0, "maximum": 49 },\n                "word": { "type"')),
    ),
    *_fine(
        "index-unchecked",
        ("after a look at the length", (BELLS, PARTS, '        if parts.len() != 2 {\n            anyhow::bail!("`pitch` is written as note and octave, such as c-2");\n        }\n        let (note, octave) = (parts[0], parts[1]);')),
        ("by get", (BELLS, PARTS, '        let note = parts.first().copied().unwrap_or("c");\n        let octave = parts.get(1).copied().unwrap_or("4");')),
        ("a JSON value", (BELLS, PARTS, '        let (note, octave) = (&input["pitch"][0], &input["pitch"][1]);')),
        ("the first part of a split", (BELLS, PARTS, '        let (note, octave) = (parts[0], "4");')),
        ("of a known length", (BELLS, PARTS, PARTS + '\n        let metals = ["tin", "copper"];\n        tracing::debug!(metals = metals[1]);')),
    ),
]

SLICES = [
    *_faults(
        "text-sliced-by-bytes",
        ("by a constant", (BELLS, SHORT, "    if name.len() <= SHOWN {\n        return name.to_string();\n    }\n    name[..SHOWN].to_string() ⚑")),
        ("by a number", (BELLS, SHORT, '    if name.len() > 40 { format!("{}...", &name[..40]) } else { name.to_string() } ⚑')),
        ("by the least of two", (BELLS, SHORT, "    let end = name.len().min(SHOWN);\n    name[..end].to_owned() ⚑")),
        ("truncate", (BELLS, SHORT, "    let mut shown = name.to_string();\n    shown.truncate(SHOWN); ⚑\n    shown")),
        ("split_at", (BELLS, SHORT, "    if name.len() < SHOWN {\n        return name.to_string();\n    }\n    name.split_at(SHOWN).0.to_string() ⚑")),
        ("by a parameter", (BELLS, "shortened(&bell.name), ", "first(&bell.name, SHOWN), "), (BELLS, "fn shortened(", "fn first(text: &str, max_len: usize) -> String {\n    text[0..max_len.min(text.len())].to_string() ⚑\n}\n\nfn shortened(")),
        ("the end", (BELLS, SHORT, "    if name.len() < SHOWN {\n        return name.to_string();\n    }\n    name[name.len() - SHOWN..].to_string() ⚑")),
    ),
    *_fine(
        "text-sliced-by-bytes",
        ("at a boundary that is looked for", (BELLS, SHORT, "    let mut end = name.len().min(SHOWN);\n    while !name.is_char_boundary(end) {\n        end -= 1;\n    }\n    name[..end].to_string()")),
        ("at the place of a character", (BELLS, SHORT, "    let end = name.char_indices().nth(SHOWN).map_or(name.len(), |(at, _)| at);\n    name[..end].to_string()")),
        ("where a word ends", (BELLS, SHORT, "    match name.find(' ') {\n        Some(end) => name[..end].to_string(),\n        None => name.to_string(),\n    }")),
        ("by get", (BELLS, SHORT, "    name.get(..SHOWN).unwrap_or(name).to_string()")),
        ("a digest", (BELLS, SHORT, "    let digest = hex::encode(name);\n    digest[..8].to_string()")),
    ),
]

GUARDS = [
    *_faults(
        "guard-across-await",
        ("taken before", (NOTES, f"        {NOTED}\n" + READ.strip("\n"), "        let mut read = READ.lock().unwrap();\n        let text = ctx.books.note(name).await?; ⚑\n        read.push(name.to_owned());")),
        ("kept to the end", (NOTES, "Ok(json!({ \"name\": name,", "ctx.books.note(name).await?; ⚑\n        Ok(json!({ \"name\": name,")),
        ("in the head of an if let", (NOTES, NOTED, 'if let Some(last) = READ.lock().unwrap().last() {\n            ctx.books.note(last).await?; ⚑\n        }\n        ' + NOTED)),
        ("in the head of a match", (NOTES, NOTED, 'match READ.lock().unwrap().last() {\n            Some(last) => drop(ctx.books.note(last).await?), ⚑\n            None => {}\n        }\n        ' + NOTED)),
        ("with its error mapped", (NOTES, NOTED, 'let guard = READ.lock().map_err(|_| anyhow::anyhow!("poisoned"))?;\n        let text = ctx.books.note(name).await?; ⚑\n        drop(guard);')),
        ("in a helper", (BOOKS, PLACE + "\n        tokio", PLACE + "\n        let bells = self.bells.lock().unwrap();\n        tracing::debug!(count = bells.len());\n        tokio"), (BOOKS, "tokio::fs::read_to_string(&place).await." + MISSING, "tokio::fs::read_to_string(&place).await." + MISSING + " ⚑")),
    ),
    *_fine(
        "guard-across-await",
        ("in a block of its own", (NOTES, NOTED, "let count = {\n            let read = READ.lock().unwrap();\n            read.len()\n        };\n        tracing::debug!(count);\n        " + NOTED)),
        ("dropped before", (NOTES, NOTED, "let read = READ.lock().unwrap();\n        tracing::debug!(count = read.len());\n        drop(read);\n        " + NOTED)),
        ("a temporary", (NOTES, NOTED, "let last = READ.lock().unwrap().last().cloned();\n        tracing::debug!(?last);\n        " + NOTED)),
        ("a lock for futures", (NOTES, "static READ: Mutex<Vec<String>> = Mutex::new(Vec::new());", "static READ: tokio::sync::Mutex<Vec<String>> = tokio::sync::Mutex::const_new(Vec::new());"), (NOTES, READ, "        let mut read = READ.lock().await;\n        ctx.books.note(name).await?;\n        read.push(name.to_owned());"), (NOTES, "use std::sync::Mutex;\n\n", "")),
    ),
]

USING = (BELLS, "use serde_json::{json, Value};", "use rmcp::ErrorData as McpError;\nuse serde_json::{json, Value};")
PROTOCOL = [
    *_faults(
        "protocol-error-from-tool",
        ("mapped", USING, (BELLS, "poured(weight).await?;", "poured(weight).await.map_err(|e| McpError::internal_error(e.to_string(), None))?; ⚑")),
        ("by a match", USING, (BELLS, "poured(weight).await?;", "if let Err(e) = poured(weight).await {\n            return Err(McpError::internal_error(e.to_string(), None).into()); ⚑\n        }")),
        ("with a code", USING, (BELLS, "poured(weight).await?;", "poured(weight).await.map_err(|e| McpError::new(rmcp::model::ErrorCode::INTERNAL_ERROR, e.to_string(), None))?; ⚑")),
        ("by the full path", (BELLS, "poured(weight).await?;", "poured(weight).await.map_err(|e| rmcp::ErrorData::internal_error(e.to_string(), None))?; ⚑")),
        ("under another name", (BELLS, "use serde_json::{json, Value};", "use rmcp::ErrorData as Broken;\nuse serde_json::{json, Value};"), (BELLS, "poured(weight).await?;", 'poured(weight).await.or(Err(Broken::internal_error("the forge", None)))?; ⚑')),
        ("in a helper", (BELLS, 'anyhow::ensure!(status.success(), "the forge stands still");', 'if !status.success() {\n        return Err(rmcp::ErrorData::internal_error("the forge stands still", None).into()); ⚑\n    }')),
    ),
    *_fine(
        "protocol-error-from-tool",
        ("an error of its own", (BELLS, "poured(weight).await?;", 'poured(weight).await.map_err(|e| anyhow::anyhow!("the forge: {e}"))?;')),
        ("for arguments", USING, (BELLS, WEIGHT, 'let weight: u64 = require_str(&input, "weight")?.parse().map_err(|_| McpError::invalid_params("`weight` is no number", None))?;')),
        ("where calls come in", ("src/server.rs", 'Ok(CallToolResult::error(vec![Content::text("tool handler panicked")]))', 'Err(McpError::internal_error("tool handler panicked", None))')),
    ),
]

PATHS = [
    *_faults(
        "error-leaks-path",
        ("in a context", (BOOKS, PLACE + "\n        tokio", 'let place = self.root.join(name);\n        tokio'), (BOOKS, MISSING, 'with_context(|| format!("cannot read {}", place.display())) ⚑')),
        ("of the root", (BOOKS, 'anyhow::ensure!(!name.contains(".."), "`{name}` leaves the books");', 'anyhow::ensure!(!name.contains(".."), "`{name}` leaves {}", self.root.display()); ⚑')),
        ("mapped", (BOOKS, PLACE + "\n        tokio", 'let place = self.root.join("notes").join(name);\n        tokio'), (BOOKS, MISSING, 'map_err(|e| anyhow::anyhow!("{}: {e}", place.display())) ⚑')),
        ("canonical", (BOOKS, PLACE + "\n        tokio", 'let real = tokio::fs::canonicalize(self.root.join(name)).await?;\n        if !real.starts_with("/srv") {\n            anyhow::bail!("{} lies elsewhere", real.display()); ⚑\n        }\n        let place = real;\n        tokio')),
        ("under a name that says so", (BOOKS, PLACE + "\n        tokio", 'let full_path = self.place_of(name)?;\n        let place = full_path.clone();\n        if !tokio::fs::try_exists(&full_path).await? {\n            anyhow::bail!("no file at {}", full_path.to_string_lossy()); ⚑\n        }\n        tokio')),
        ("by debug", (BOOKS, PLACE + "\n        tokio", 'let place = self.root.join(name);\n        let abs_path = place.clone();\n        tokio'), (BOOKS, MISSING, 'with_context(|| format!("cannot read {:?}", abs_path)) ⚑')),
    ),
    *_fine(
        "error-leaks-path",
        ("the name that was given", (BOOKS, MISSING, 'with_context(|| format!("cannot read {name}"))')),
        ("relative to the root", (BOOKS, PLACE + "\n        tokio", 'let place = self.root.join(name);\n        let shown = place.strip_prefix(&self.root).unwrap_or(Path::new(name)).to_path_buf();\n        tokio'), (BOOKS, MISSING, 'with_context(|| format!("cannot read {}", shown.display()))')),
        ("in the log", (BOOKS, PLACE + "\n        tokio", 'let place = self.root.join(name);\n        tracing::warn!("reading {}", place.display());\n        tokio')),
    ),
]

HANDED = "ctx: &ToolContext) -> anyhow::Result<()> {"
CANCELLATION = [
    *_faults(
        "cancellation-ignored",
        ("for", (BELLS, COOL, "    for _ in 0..60 { ⚑\n        tokio::time::sleep(Duration::from_secs(1)).await;\n    }"), (BELLS, HANDED, "ct: &CancellationToken) -> anyhow::Result<()> {"), (BELLS, "cooled(ctx).await?;", "cooled(&ctx.ct).await?;")),
        ("loop", (BELLS, COOL, "    let mut left = 60;\n    loop { ⚑\n        tokio::time::sleep(Duration::from_secs(1)).await;\n        left -= 1;\n        if left == 0 {\n            break;\n        }\n    }"), (BELLS, HANDED, "ct: &CancellationToken) -> anyhow::Result<()> {"), (BELLS, "cooled(ctx).await?;", "cooled(&ctx.ct).await?;")),
        ("while", (BELLS, COOL, "    while is_hot().await { ⚑\n        tokio::time::sleep(Duration::from_secs(1)).await;\n    }"), (BELLS, HANDED, "_ct: CancellationToken) -> anyhow::Result<()> {"), (BELLS, "cooled(ctx).await?;", "cooled(ctx.ct.clone()).await?;")),
        ("ticks", (BELLS, COOL, "    let mut every = tokio::time::interval(Duration::from_secs(1));\n    while is_hot().await { ⚑\n        every.tick().await;\n    }"), (BELLS, HANDED, "_ct: CancellationToken) -> anyhow::Result<()> {"), (BELLS, "cooled(ctx).await?;", "cooled(ctx.ct.clone()).await?;")),
        ("a token of the project's context", (BELLS, COOL, "    for _ in 0..60 { ⚑\n        tokio::time::sleep(Duration::from_secs(1)).await;\n    }")),
        ("under another name of sleep", (BELLS, "use tokio::process::Command;", "use tokio::process::Command;\nuse tokio::time::sleep;"), (BELLS, COOL, "    for _ in 0..60 { ⚑\n        sleep(Duration::from_secs(1)).await;\n    }")),
    ),
    *_fine(
        "cancellation-ignored",
        ("by select", (BELLS, COOL, '    for _ in 0..60 {\n        tokio::select! {\n            () = ctx.ct.cancelled() => anyhow::bail!("called off"),\n            () = tokio::time::sleep(Duration::from_secs(1)) => {}\n        }\n    }')),
        ("no wait", (BELLS, COOL, "    for place in ctx.books.search(\"hot\") {\n        tracing::debug!(?place);\n    }")),
        ("nothing to look at", (BELLS, COOL, "    for _ in 0..3 {\n        tokio::time::sleep(Duration::from_secs(1)).await;\n    }"), (BELLS, HANDED, ") -> anyhow::Result<()> {"), (BELLS, "cooled(ctx).await?;", "cooled().await?;")),
    ),
]

BLOCKING = [
    *_faults(
        "blocking-call-in-async",
        ("sleep", (BELLS, "poured(weight).await?;", "std::thread::sleep(Duration::from_secs(60)); ⚑\n        poured(weight).await?;")),
        ("sleep in a helper", (BELLS, "tokio::time::sleep(Duration::from_secs(1)).await;", "rest(); "), (BELLS, "async fn poured(", "fn rest() {\n    std::thread::sleep(Duration::from_secs(1)); ⚑\n}\n\nasync fn poured(")),
        ("under another name", (BELLS, "use std::time::Duration;", "use std::thread::sleep as doze;\nuse std::time::Duration;"), (BELLS, "tokio::time::sleep(Duration::from_secs(1)).await;", "doze(Duration::from_secs(1)); ⚑")),
        ("a command of the standard library", (BELLS, POUR, '    let status = std::process::Command::new("foundry-forge").arg(weight.to_string()).status()?; ⚑')),
        ("bound first", (BELLS, "use tokio::process::Command;", "use std::process::Command;"), (BELLS, POUR, '    let mut command = Command::new("foundry-forge");\n    command.arg(weight.to_string());\n    let status = command.output()?.status; ⚑')),
        ("a request", (BELLS, "poured(weight).await?;", 'let forge = reqwest::blocking::get("http://forge.example/state")?; ⚑\n        tracing::debug!(status = %forge.status());\n        poured(weight).await?;')),
        ("block_on", (BELLS, "poured(weight).await?;", "futures::executor::block_on(poured(weight))?; ⚑")),
        ("a file", (BOOKS, "tokio::fs::write(Path::new(&place), text).await", "std::fs::write(Path::new(&place), text) ⚑")),
    ),
    *_fine(
        "blocking-call-in-async",
        ("on a thread of its own", (BELLS, POUR, '    let status = tokio::task::spawn_blocking(move || std::process::Command::new("foundry-forge").arg(weight.to_string()).status()).await??;')),
        ("in place of the thread", (BELLS, "poured(weight).await?;", "tokio::task::block_in_place(|| std::thread::sleep(Duration::from_millis(5)));\n        poured(weight).await?;")),
        ("awaited", (BELLS, "poured(weight).await?;", "tokio::time::sleep(Duration::from_secs(2)).await;\n        poured(weight).await?;")),
    ),
]

PRINTS = [
    *_faults(
        "prints-to-stdout",
        ("of a tool", (BELLS, "poured(weight).await?;", 'println!("pouring {weight}"); ⚑\n        poured(weight).await?;')),
        ("of a helper", (BELLS, "    let mut command = Command", '    print!("pouring"); ⚑\n    let mut command = Command')),
        ("by hand", (BELLS, "poured(weight).await?;", 'use std::io::Write;\n        writeln!(std::io::stdout(), "pouring")?; ⚑\n        poured(weight).await?;')),
        ("by a lock", (BELLS, "poured(weight).await?;", 'let mut out = std::io::stdout().lock();\n        std::io::Write::write_all(&mut out, b"x")?;\n        out.write_all(b"pouring")?; ⚑\n        poured(weight).await?;')),
        ("a greeting", (MAIN, OPENED, 'println!("the foundry is open"); ⚑')),
        ("the log", (MAIN, "tracing_subscriber::fmt().with_writer(std::io::stderr).init();", "tracing_subscriber::fmt().init(); ⚑")),
        ("the log in a function", (MAIN, "tracing_subscriber::fmt().with_writer(std::io::stderr).init();", "begin_log();"), (MAIN, "#[tokio::main(", "fn begin_log() {\n    tracing_subscriber::fmt::init(); ⚑\n}\n\n#[tokio::main(")),
    ),
    *_fine(
        "prints-to-stdout",
        ("to the standard error", (BELLS, "poured(weight).await?;", 'eprintln!("pouring {weight}");\n        poured(weight).await?;')),
        ("before it leaves", (MAIN, OPENED, 'if std::env::args().any(|each| each == "--version") {\n        println!("0.3.1");\n        return Ok(());\n    }')),
        ("after it served", (MAIN, "service.waiting().await?;", 'service.waiting().await?;\n    println!("the foundry is closed");')),
    ),
]

AS_SUCCESS = [
    *_faults(
        "error-given-as-success",
        ("by a match", (NOTES, "        ctx.books.keep_note(name, text).await?;\n        Ok(json!({ \"kept\": name, \"characters\": text.chars().count() }))", '        match ctx.books.keep_note(name, text).await {\n            Ok(()) => Ok(json!({ "kept": name })),\n            Err(e) => Ok(json!({ "error": e.to_string() })), ⚑\n        }')),
        ("as a text", (NOTES, "        ctx.books.keep_note(name, text).await?;\n        Ok(json!({ \"kept\": name, \"characters\": text.chars().count() }))", '        match ctx.books.keep_note(name, text).await {\n            Ok(()) => Ok(json!({ "kept": name })),\n            Err(e) => Ok(Value::String(format!("Error: {e}"))), ⚑\n        }')),
        ("early", (NOTES, NOTED, 'let text = match ctx.books.note(name).await {\n            Ok(text) => text,\n            Err(e) => return Ok(json!({ "error": format!("{e}") })), ⚑\n        };')),
        ("by if let", (NOTES, KEEP, 'if let Err(e) = ctx.books.keep_note(name, text).await {\n            return Ok(json!({ "error": e.to_string() })); ⚑\n        }')),
        ("failed to", (NOTES, NOTED, 'let text = match ctx.books.note(name).await {\n            Ok(text) => text,\n            Err(why) => return Ok(json!(format!("failed to read: {why}"))), ⚑\n        };')),
        ("in an arm of its own block", (NOTES, NOTED, 'let text = match ctx.books.note(name).await {\n            Ok(text) => text,\n            Err(why) => {\n                tracing::warn!(%why);\n                return Ok(json!({ "error": why.to_string() })); ⚑\n            }\n        };')),
    ),
    mutant("error-given-as-success", "rust_listed", "where the calls come in", ("src/kitchen.rs", "            Err(error) => CallToolResult::error(vec![Content::text(error.to_string())]),", '            Err(error) => CallToolResult::success(vec![Content::text(format!("Error: {error}"))]), // ⚑'), also=("response-built-by-hand",)),
    *_fine(
        "error-given-as-success",
        ("raised", (NOTES, NOTED, 'let text = match ctx.books.note(name).await {\n            Ok(text) => text,\n            Err(e) => return Err(anyhow::anyhow!("Error: {e}")),\n        };')),
        ("something in its stead", (NOTES, NOTED, "let text = match ctx.books.note(name).await {\n            Ok(text) => text,\n            Err(_) => String::new(),\n        };")),
        ("handed on", (NOTES, NOTED, 'let text = ctx.books.note(name).await.map_err(|e| anyhow::anyhow!("Error: {e}"))?;')),
    ),
]

EMPTY = [
    *_faults(
        "error-for-empty-result",
        ("bail", (BELLS, SEARCH, SEARCH + '\n        if hits.is_empty() {\n            anyhow::bail!("no bells match"); ⚑\n        }')),
        ("not found", (BELLS, SEARCH, SEARCH + '\n        if hits.is_empty() {\n            anyhow::bail!("not found"); ⚑\n        }')),
        ("by its length", (BELLS, SEARCH, SEARCH + '\n        if hits.len() == 0 {\n            return Err(anyhow::anyhow!("nothing matches {word}")); ⚑\n        }')),
        ("the other way round", (BELLS, SEARCH, SEARCH + '\n        if 0 == hits.len() {\n            anyhow::bail!("nothing found"); ⚑\n        }')),
        ("in a helper", (BELLS, SEARCH, "let hits = matching(ctx, word)?;"), (BELLS, "fn listed(", 'fn matching(ctx: &ToolContext, word: &str) -> anyhow::Result<Vec<Bell>> {\n    let found: Vec<Bell> = ctx.books.search(word);\n    if found.is_empty() {\n        return Err(anyhow::anyhow!("no bells")); ⚑\n    }\n    Ok(found)\n}\n\nfn listed(')),
        ("an else", (BELLS, SEARCH, 'let found = ctx.books.search(word);\n        let hits = if found.is_empty() {\n            return Err(anyhow::anyhow!("no such bells")); ⚑\n        } else {\n            found\n        };')),
    ),
    *_fine(
        "error-for-empty-result",
        ("an empty argument", (BELLS, SEARCH, 'if word.is_empty() {\n            anyhow::bail!("`word` is empty");\n        }\n        ' + SEARCH)),
        ("told in the answer", (BELLS, SEARCH, SEARCH + '\n        if hits.is_empty() {\n            return Ok(json!({ "bells": [], "total": 0 }));\n        }')),
        ("an empty text", (NOTES, NOTED, NOTED + '\n        if text.is_empty() {\n            anyhow::bail!("nothing is written there");\n        }')),
    ),
]

SPAWNED = "tokio::spawn(async move { poured(weight).await });"
TASKS = [
    *_faults(
        "task-never-cancelled",
        ("let go", (BELLS, "poured(weight).await?;", SPAWNED + " ⚑")),
        ("bound to nothing", (BELLS, "poured(weight).await?;", "let _ = " + SPAWNED + " ⚑")),
        ("bound and let lie", (BELLS, "poured(weight).await?;", "let _pouring = " + SPAWNED + " ⚑")),
        ("of the task module", (BELLS, "poured(weight).await?;", "tokio::task::spawn(poured(weight).then(|_| async { rest().await })); ⚑")),
        ("under another name", (BELLS, "use tokio::process::Command;", "use tokio::process::Command;\nuse tokio::spawn;"), (BELLS, "poured(weight).await?;", "spawn(async move { poured(weight).await }); ⚑")),
        ("on its own thread only", (BELLS, "poured(weight).await?;", "tokio::task::spawn_local(async move { poured(weight).await }); ⚑")),
        ("in a helper", (BELLS, "poured(weight).await?;", "begin(weight);"), (BELLS, "async fn poured(", "fn begin(weight: u64) {\n    tokio::spawn(async move { poured(weight).await }); ⚑\n}\n\nasync fn poured(")),
    ),
    *_fine(
        "task-never-cancelled",
        ("awaited", (BELLS, "poured(weight).await?;", "tokio::spawn(async move { poured(weight).await }).await??;")),
        ("kept and awaited", (BELLS, "poured(weight).await?;", "let pouring = tokio::spawn(async move { poured(weight).await });\n        pouring.await??;")),
        ("with a token of its own", (BELLS, "poured(weight).await?;", "let ct = ctx.ct.child_token();\n        tokio::spawn(async move { ct.run_until_cancelled(poured(weight)).await });")),
    ),
]

COMMANDS = [
    *_faults(
        "command-outlives-call",
        ("not told to die", (BELLS, ".arg(weight.to_string()).kill_on_drop(true);\n    let status = command.status().await?;", ".arg(weight.to_string());\n    let status = command.status().await?; ⚑")),
        ("its output", (BELLS, POUR, '    let status = Command::new("foundry-forge").arg(weight.to_string()).output().await?.status; ⚑')),
        ("by its full path", (BELLS, POUR, '    let status = tokio::process::Command::new("foundry-forge").arg(weight.to_string()).status().await?; ⚑')),
        ("told to live", (BELLS, POUR, '    let status = Command::new("foundry-forge").arg(weight.to_string()).kill_on_drop(false).status().await?; ⚑')),
        ("within a time", (BELLS, POUR, '    let mut command = Command::new("foundry-forge");\n    let status = tokio::time::timeout(Duration::from_secs(9), command.status()).await??; ⚑')),
        ("a child that is waited for", (BELLS, POUR, '    let mut child = Command::new("foundry-forge").arg(weight.to_string()).spawn()?;\n    let status = child.wait().await?; ⚑')),
    ),
    *_fine(
        "command-outlives-call",
        ("in one chain", (BELLS, POUR, '    let status = Command::new("foundry-forge").arg(weight.to_string()).kill_on_drop(true).status().await?;')),
        ("killed by hand", (BELLS, POUR, '    let mut child = Command::new("foundry-forge").spawn()?;\n    let Ok(status) = tokio::time::timeout(Duration::from_secs(9), child.wait()).await else {\n        child.kill().await?;\n        anyhow::bail!("too slow");\n    };\n    let status = status?;')),
        ("a child that dies with it", (BELLS, POUR, '    let mut child = Command::new("foundry-forge").kill_on_drop(true).spawn()?;\n    let status = child.wait().await?;')),
    ),
]

UNMARKED = """
    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let name = require_str(&input, "name")?;
        let text = require_str(&input, "text")?;
"""
CALL = """
    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> { ⚑
        let name = require_str(&input, "name")?;
        let text = require_str(&input, "text")?;
"""
NOTING = """
    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let name = require_str(&input, "name")?;
        let text = ctx.books.note(name).await?;
"""
MARKS = [
    *_faults(
        "write-not-marked",
        ("the mark is gone", (NOTES, UNMARKED, CALL)),
        ("the mark says no", (NOTES, UNMARKED, "    fn is_write(&self, _input: &Value) -> bool {\n        false\n    }\n\n" + CALL.strip("\n"))),
        *(
            (name, (NOTES, NOTING, NOTING.strip("\n").replace("-> anyhow::Result<Value> {", "-> anyhow::Result<Value> { ⚑") + "\n        " + code))
            for name, code in (
                ("a file removed", 'tokio::fs::remove_file(ctx.books.place_of(name)?).await?;'),
                ("a file renamed", 'tokio::fs::rename(ctx.books.place_of(name)?, ctx.books.place_of("old")?).await?;'),
                ("a row changed", 'ctx.rows.execute("UPDATE notes SET seen = 1 WHERE name = ?1", [name])?;'),
                ("a request that changes", 'reqwest::Client::new().put("http://forge.example/notes").send().await?;'),
                ("a command that changes", 'tokio::process::Command::new("git").args(["commit", "-m", name]).kill_on_drop(true).status().await?;'),
            )
        ),
    ),
    *_fine(
        "write-not-marked",
        ("only reads", (NOTES, NOTED, NOTED + "\n        tokio::fs::metadata(ctx.books.place_of(name)?).await?;")),
        ("a command that reads", (NOTES, NOTED, NOTED + '\n        tokio::process::Command::new("git").args(["log", "-1"]).kill_on_drop(true).status().await?;')),
        ("a cache of its own", (NOTES, NOTED, NOTED + '\n        let cached = std::env::temp_dir().join("foundry");\n        tokio::fs::write(&cached, &text).await?;')),
    ),
]

SAID = '"Read a founder\'s note by its name. Gives the first lines of its text."'
CLAIMED = (NOTES, SAID, '"Read a founder\'s note by its name. This tool is read-only: it gives the first lines of its text."')
CLAIMS = [
    *(
        mutant("read-only-claim-untrue", SERVER, name, CLAIMED, (NOTES, NOTED, f"{NOTED}\n        {code} ⚑"), also=("write-not-marked",))
        for name, code in (
            ("removes a file", "tokio::fs::remove_file(ctx.books.place_of(name)?).await?;"),
            ("moves a file", 'tokio::fs::rename(ctx.books.place_of(name)?, "/srv/old").await?;'),
            ("removes a row", 'ctx.rows.execute("DELETE FROM notes WHERE name = ?1", [name])?;'),
            ("asks to remove", 'reqwest::Client::new().delete("http://forge.example/notes").send().await?;'),
            ("runs what it is told", 'tokio::process::Command::new("sh").arg("-c").arg(name).kill_on_drop(true).status().await?;'),
            ("runs a command that changes", 'tokio::process::Command::new("rm").arg("-r").arg(name).kill_on_drop(true).status().await?;'),
        )
    ),
    mutant("read-only-claim-untrue", SERVER, "writes a file a call away", CLAIMED, (NOTES, NOTED, NOTED + "\n        ctx.books.keep_note(name, &text).await?;"), at=((BOOKS, "tokio::fs::write(Path::new(&place), text)"),), also=("write-not-marked",)),
    harmless("read-only-claim-untrue", SERVER, "it only reads", CLAIMED),
    harmless("read-only-claim-untrue", SERVER, "a command that reads", CLAIMED, (NOTES, NOTED, NOTED + '\n        tokio::process::Command::new("git").args(["show", name]).kill_on_drop(true).output().await?;')),
    harmless("read-only-claim-untrue", SERVER, "a query", CLAIMED, (NOTES, NOTED, NOTED + '\n        ctx.rows.query("SELECT text FROM notes", [])?;\n        reqwest::Client::new().post("http://forge.example/search").send().await?;')),
]

MUTANTS = [
    *PANICS, *INDEXES, *SLICES, *GUARDS, *PROTOCOL, *PATHS, *CANCELLATION, *BLOCKING, *PRINTS, *AS_SUCCESS, *EMPTY, *TASKS,
    *COMMANDS, *MARKS, *CLAIMS,
]
