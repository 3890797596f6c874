"""What trait tools leave out of their answers, and which of them nobody registers, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "rust_orchard_trait"
SERVING = "src/server.rs"
TREES, HARVESTS, PHOTOS, NOTES, OUTPUT = (f"src/tools/{name}.rs" for name in ("trees", "harvests", "photos", "notes", "output"))
FOUND = """\
        let total = found.len();
        let trees: Vec<_> = found.into_iter().take(most).collect();
        let mut answer = json!({ "trees": trees, "total": total });
        if total > most {
            answer["hint"] = json!("More trees than shown: name the kind more closely, or raise max_results.");
        }
        Ok(answer)
"""
SHOWN = """\
        let total = names.len();
        let shown: Vec<_> = names.into_iter().take(limit).collect();
        let truncated = total > shown.len();
        Ok(json!({ "photos": shown, "total": total, "truncated": truncated }))
"""
HINT = '"More trees than shown: name the kind more closely, or raise max_results."'
ROW = '"Ask for one row with row=<number>, or go on with offset=<number>."'
YEAR = '"Ask for one year with year=<number>, or for one tree with tree=<number>."'
GRAFT = """
pub struct GraftTree;

#[async_trait::async_trait]
impl Tool for GraftTree { ⚑
    fn name(&self) -> &str {
        "graft_tree"
    }

    fn description(&self) -> &str {
        "Graft a twig of one tree onto another."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, _input: Value, context: &ToolContext) -> Result<Value> {
        let book = context.store.book().await;
        Ok(json!({ "trees": book.trees.len() }))
    }
}

"""
GRAFTED = (TREES, "pub struct FellTree;", GRAFT.strip("\n") + "\n\npub struct FellTree;")
QUIET = (TREES, "pub struct FellTree;", GRAFT.strip("\n").replace(" ⚑", "") + "\n\npub struct FellTree;")

UNTOLD = [
    mutant("overflow-without-hint", SERVER, "taken and told by nothing", (TREES, FOUND, '        let trees: Vec<_> = found.into_iter().take(most).collect(); ⚑\n        Ok(json!({ "trees": trees }))\n')),
    mutant("overflow-without-hint", SERVER, "truncated", (TREES, FOUND, '        let mut trees = found;\n        trees.truncate(most); ⚑\n        Ok(json!({ "kind": kind, "trees": trees }))\n')),
    mutant("overflow-without-hint", SERVER, "photographs", (PHOTOS, SHOWN, '        let kept: Vec<_> = names.into_iter().take(limit).collect(); ⚑\n        Ok(json!({ "photos": kept }))\n')),
    mutant("overflow-without-hint", SERVER, "a fixed number", (HARVESTS, "        let (harvests, overflow) = OutputGuard::from_input(&input)\n            .cap_items(found, " + YEAR + ');\n        Ok(json!({ "harvests": harvests, "overflow": overflow.as_ref().map(OutputGuard::overflow_json) }))\n', '        let harvests: Vec<_> = found.into_iter().rev().take(100).collect(); ⚑\n        Ok(json!({ "harvests": harvests }))\n'), at=(HARVESTS, "take(100)"), also=("argument-never-read",)),
    mutant("overflow-without-hint", SERVER, "a number in a constant", (PHOTOS, SHOWN, '        let kept = names.iter().take(MOST as usize).cloned().collect::<Vec<_>>(); ⚑\n        let answer = json!({ "photos": kept, "asked": limit });\n        Ok(answer)\n')),
    mutant("overflow-without-hint", SERVER, "in a helper", (PHOTOS, SHOWN, "        Ok(listed(names, limit))\n"), (PHOTOS, "fn asked(input", 'fn listed(names: Vec<String>, size: usize) -> Value {\n    let kept: Vec<_> = names.into_iter().take(size).collect(); ⚑\n    json!({ "photos": kept })\n}\n\nfn asked(input')),
    harmless("overflow-without-hint", SERVER, "a flag alone", (TREES, FOUND, '        let has_more = found.len() > most;\n        let trees: Vec<_> = found.into_iter().take(most).collect();\n        Ok(json!({ "trees": trees, "has_more": has_more }))\n')),
    harmless("overflow-without-hint", SERVER, "only in the log", (TREES, '        let total = found.len();\n', '        let first: Vec<_> = found.iter().take(20).collect();\n        tracing::debug!(?first);\n        let total = found.len();\n')),
    harmless("overflow-without-hint", SERVER, "letters of a text", (TREES, '        let total = found.len();\n', '        let kind: String = kind.chars().take(20).collect();\n        let total = found.len();\n'), (TREES, 'json!({ "trees": trees, "total": total })', 'json!({ "kind": kind, "trees": trees, "total": total })')),
]

HINTS = [
    mutant("overflow-hint-names-no-parameter", SERVER, "narrow your search", (TREES, HINT, '"Too many trees, narrow your search." ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "to the guard", (TREES, ROW, '"List truncated. Be more specific." ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "a parameter of another tool", (TREES, ROW, '"Narrow the list with kind=pippin." ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "the word of the trade", (TREES, HINT, '"Refine the filters to see fewer items." ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "a raw string", (TREES, HINT, 'r"Showing the first trees: use a more specific query." ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "over two lines", (TREES, ROW, '"Too many results for one answer: \\\n             restrict the search." ⚑'), at=(TREES, "guard.cap_items(found,")),
    harmless("overflow-hint-names-no-parameter", SERVER, "names one in other words", (TREES, HINT, '"Narrow by kind, or ask for more with max_results."')),
    harmless("overflow-hint-names-no-parameter", SERVER, "made at run time", (TREES, "json!(" + HINT + ")", 'json!(format!("Showing {most} of {total} items; narrow by {}.", "kind"))')),
    harmless("overflow-hint-names-no-parameter", SERVER, "a failure's", (TREES, '"Take an id that list_trees gives."', '"Narrow the list of trees first, and use an id of it."')),
]

UNREGISTERED = [
    mutant("tool-never-registered", SERVER, "a new tool", GRAFTED),
    mutant("tool-never-registered", SERVER, "taken out of the list", (SERVING, "            Arc::new(notes::ReadNotes),\n", ""), (SERVING, "harvests, notes, photos", "harvests, photos"), at=(NOTES, "impl Tool for ReadNotes")),
    mutant("tool-never-registered", SERVER, "no longer pushed", (SERVING, '        let mut tools: Vec', "        let tools: Vec"), (SERVING, '        tools.push(Arc::new(press::PressReport::new("cider-press")));\n', ""), (SERVING, "photos, press, trees", "photos, trees"), at=("src/tools/press.rs", "impl Tool for PressReport")),
    mutant("tool-never-registered", SERVER, "commented out", (SERVING, "            Arc::new(trees::FellTree),", "            // Arc::new(trees::FellTree),"), at=(TREES, "impl Tool for FellTree")),
    mutant("tool-never-registered", SERVER, "only a test makes it", GRAFTED, (TREES, "pub struct ListTrees;", '#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_named() {\n        assert_eq!(super::Tool::name(&super::GraftTree), "graft_tree");\n    }\n}\n\npub struct ListTrees;')),
    mutant("tool-never-registered", SERVER, "imported and forgotten", GRAFTED, (SERVING, "use crate::tools::{Tool,", "#[allow(unused_imports)]\nuse crate::tools::trees::GraftTree;\nuse crate::tools::{Tool,")),
    mutant("tool-never-registered", SERVER, "an action that is not passed on", (HARVESTS, '            "record" => RecordHarvest.call(input, context).await,\n', ""), at=(HARVESTS, "impl Tool for RecordHarvest"), also=("argument-never-read",)),
    harmless("tool-never-registered", SERVER, "registered by a condition", QUIET, (SERVING, "        Self { store, tools }", '        if std::env::var("ORCHARD_GRAFTS").is_ok() {\n            tools.push(Arc::new(trees::GraftTree));\n        }\n        Self { store, tools }')),
    harmless("tool-never-registered", SERVER, "handed on by a function", QUIET, (TREES, "pub struct ListTrees;", "pub fn spare() -> std::sync::Arc<dyn Tool> {\n    std::sync::Arc::new(GraftTree)\n}\n\npub struct ListTrees;")),
    harmless("tool-never-registered", SERVER, "called by another", QUIET, (TREES, '        let id = require_u64(&input, "id")?;\n        match', '        let id = require_u64(&input, "id")?;\n        GraftTree.call(json!({}), context).await?;\n        match')),
]

NAMES = [
    mutant("tool-name-differs", SERVER, "another verb", (TREES, '"find_trees"', '"search_trees" ⚑')),
    mutant("tool-name-differs", SERVER, "singular", (TREES, '"list_trees"', '"list_tree" ⚑')),
    mutant("tool-name-differs", SERVER, "another order", (PHOTOS, '"list_photos"', '"photos_list" ⚑')),
    mutant("tool-name-differs", SERVER, "in a constant", (NOTES, '        "read_notes"', "        NAME"), (NOTES, "const SHOWN: usize = 400;", 'const SHOWN: usize = 400;\nconst NAME: &str = "open_notes"; ⚑')),
    mutant("tool-name-differs", SERVER, "a word more", ("src/tools/press.rs", '"press_report"', '"cider_press_report" ⚑')),
    mutant("tool-name-differs", SERVER, "the type is renamed", (NOTES, "pub struct ReadNotes;", "pub struct Journal;"), (NOTES, "impl Tool for ReadNotes", "impl Tool for Journal"), (SERVING, "notes::ReadNotes", "notes::Journal"), at=(NOTES, '        "read_notes"')),
    harmless("tool-name-differs", SERVER, "the type says that it is a tool", (NOTES, "pub struct ReadNotes;", "pub struct ReadNotesTool;"), (NOTES, "impl Tool for ReadNotes", "impl Tool for ReadNotesTool"), (SERVING, "notes::ReadNotes", "notes::ReadNotesTool")),
    harmless("tool-name-differs", SERVER, "a tool nobody lists", (HARVESTS, '"list_harvests"', '"all_harvests"')),
    harmless("tool-name-differs", SERVER, "the name is a field's", ("src/tools/press.rs", '        "press_report"', "        self.program"), (SERVING, 'press::PressReport::new("cider-press")', 'press::PressReport::new("press_report")')),
]

MUTANTS = [*UNTOLD, *HINTS, *UNREGISTERED, *NAMES]
