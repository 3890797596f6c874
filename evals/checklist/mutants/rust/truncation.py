"""§3 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

PARCEL = "crates/core/src/parcel/types.rs"
TRUNCATE = "crates/core/src/truncate.rs"
COURIER = "crates/core/src/courier/types.rs"
LABEL = '    #[truncate(full_action = "parcel.get_label")]\n    pub label: String,\n'
NOTES = "    #[truncate]\n    pub notes: Option<String>,"
CONTENT = "    #[truncate]\n    pub content: String,"
ENVELOPE = """
    json!({
        "_truncated": true,
        "preview": preview,
        "full_action": full_action,
        "full_params": { "id": id },
    })
"""
PREVIEW = "let preview: String = text.chars().take(PREVIEW).collect();"

UNMARKED = [
    mutant("large-text-untruncated", "rust_dispatch", "mark taken away", (PARCEL, CONTENT, "    pub content: String, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "optional text", (PARCEL, NOTES, "    pub notes: Option<String>, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "another attribute in its place",
           (PARCEL, CONTENT, "    #[serde(skip_serializing_if = \"String::is_empty\")]\n    pub content: String, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "mark in a comment", (PARCEL, CONTENT, "    // #[truncate]\n    pub content: String, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "alias of the type",
           (PARCEL, CONTENT, "    pub content: Scan, ⚑"), (PARCEL, "use serde::Serialize;\n", "use serde::Serialize;\n\ntype Scan = String;\n")),
    mutant("large-text-untruncated", "rust_dispatch", "newtype over a text",
           (PARCEL, CONTENT, "    pub content: Body, ⚑"),
           (PARCEL, "use serde::Serialize;\n", "use serde::Serialize;\n\n#[derive(Debug, Clone, Serialize)]\n#[serde(transparent)]\npub struct Body(pub String);\n")),
    mutant("large-text-untruncated", "rust_dispatch", "boxed text", (PARCEL, NOTES, "    pub notes: Option<Box<str>>, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "borrowed text",
           (PARCEL, CONTENT, "    pub content: std::borrow::Cow<'static, str>, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "bytes", (PARCEL, CONTENT, "    pub content: Vec<u8>, ⚑")),
    mutant("large-text-untruncated", "rust_dispatch", "a new type with a log",
           (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
#[derive(Debug, Clone, Serialize)]
pub struct Round {
    pub number: u16,
    /// Everything that happened on the way.
    pub log: String, ⚑
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    mutant("large-text-untruncated", "rust_dispatch", "derive by its path and behind cfg_attr",
           (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
#[cfg_attr(not(test), derive(serde::Serialize))]
pub struct Shift {
    pub id: String,
    pub transcript: String, ⚑
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    mutant("large-text-untruncated", "rust_dispatch", "enum variant with a text",
           (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind")]
pub enum Event {
    Arrived { at: String },
    Failed { stderr: String }, ⚑
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    mutant("large-text-untruncated", "rust_dispatch", "serialize written by hand",
           (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
pub struct Report {
    pub id: String,
    pub body: String, ⚑
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("id", &self.id), ("body", &self.body)])
    }
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    mutant("large-text-untruncated", "rust_router", "serde path gone", ("src/types.rs", '    #[serde(with = "truncate")]\n    pub description: String,', "    pub description: String, ⚑")),
    mutant("large-text-untruncated", "rust_router", "other serde with",
           ("src/types.rs", "    #[weather_macros::truncate]\n    pub raw: Option<String>,", '    #[serde(with = "crate::store::lossy")]\n    pub raw: Option<String>, ⚑')),
    mutant("large-text-untruncated", "rust_single", "mark taken away", ("src/types.rs", "    #[truncate]\n    pub body: String,", "    pub body: String, ⚑")),
    mutant("large-text-untruncated", "rust_listed", "nested type", ("src/model.rs", "    #[truncate::truncate]\n    pub text: String,", "    pub text: String, ⚑")),
]

INCOMPLETE = [
    mutant("truncation-envelope-incomplete", "rust_dispatch", "without full_params", (TRUNCATE, ENVELOPE, """
    let _ = id;
    json!({ "_truncated": true, "preview": preview, "full_action": full_action }) ⚑
""")),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "without full_action, over lines", (TRUNCATE, ENVELOPE, """
    json!({ ⚑
        "_truncated": true, ⚑
        // the agent knows what it called
        "preview": preview,
        "full_params": { "id": id, "of": full_action },
    })
""")),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "a struct", (TRUNCATE, ENVELOPE, """
    let _ = id;
    json!(Envelope { truncated: true, preview, full_action: full_action.to_owned() }) ⚑
"""), (TRUNCATE, "/// The text itself,", """
#[derive(serde::Serialize)]
struct Envelope { ⚑
    #[serde(rename = "_truncated")]
    truncated: bool, ⚑
    preview: String,
    full_action: String,
}

/// The text itself,
""")),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "inserts", (TRUNCATE, ENVELOPE, """
    let mut envelope = serde_json::Map::new(); ⚑
    envelope.insert("_truncated".into(), true.into()); ⚑
    envelope.insert("preview".into(), preview.into());
    envelope.insert("full_params".into(), json!({ "id": id, "call": full_action }));
    Value::Object(envelope)
""")),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "index assignments", (TRUNCATE, ENVELOPE, """
    let mut envelope = json!({ "preview": preview }); ⚑
    envelope["_truncated"] = Value::Bool(true); ⚑
    envelope["full_action"] = Value::from(full_action);
    envelope["params"] = json!({ "id": id });
    envelope
""")),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "keys in constants", (TRUNCATE, ENVELOPE, """
    let _ = full_action;
    json!({ MARK: true, "preview": preview, "full_params": { "id": id } }) ⚑
"""), (TRUNCATE, "pub const PREVIEW: usize = 500;", 'pub const PREVIEW: usize = 500;\nconst MARK: &str = "_truncated";')),
    mutant("truncation-envelope-incomplete", "rust_dispatch", "array of pairs", (TRUNCATE, ENVELOPE, """
    let _ = id;
    Value::Object(serde_json::Map::from_iter([ ⚑
        ("_truncated".to_owned(), Value::Bool(true)), ⚑
        ("preview".to_owned(), Value::String(preview)),
        ("full_action".to_owned(), Value::from(full_action)),
    ]))
""")),
    mutant("truncation-envelope-incomplete", "rust_listed", "made in the guard", ("src/guard.rs", "fn with_meta(", """
pub fn envelope(text: &str) -> Value {
    json!({"_truncated": true, "preview": text.chars().take(500).collect::<String>()}) ⚑
}

fn with_meta(
""".rstrip())),
]

PREVIEWS = [
    mutant("preview-length", "rust_dispatch", "constant", (TRUNCATE, "PREVIEW: usize = 500", "PREVIEW: usize = 2000"), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "too short", (TRUNCATE, "PREVIEW: usize = 500", "PREVIEW: usize = 8"), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "literal in the object",
           (TRUNCATE, PREVIEW, ""), (TRUNCATE, '"preview": preview,', '"preview": text.chars().take(1_000).collect::<String>(), ⚑'), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "byte slice", (TRUNCATE, PREVIEW, "let preview = &text[..1024]; ⚑"), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "get of a range", (TRUNCATE, PREVIEW, 'let preview = text.get(0..4 * 1024).unwrap_or(text); ⚑'), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "helper",
           (TRUNCATE, PREVIEW, "let preview = beginning(text, 1500); ⚑"), (TRUNCATE, "/// The text itself,", """
fn beginning(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// The text itself,
"""), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "truncate of a copy",
           (TRUNCATE, PREVIEW, "let mut preview = text.to_owned();\n    preview.truncate(2048); ⚑"), at=(TRUNCATE, "json!({")),
    mutant("preview-length", "rust_dispatch", "constant of another file",
           (TRUNCATE, "text.chars().take(PREVIEW)", "text.chars().take(crate::page::SHOWN)"),
           ("crates/core/src/page.rs", "pub const MAX_LIMIT: u64 = 100;", "pub const MAX_LIMIT: u64 = 100;\npub const SHOWN: usize = 5;"), at=(TRUNCATE, "json!({")),
]

HARMLESS = [
    harmless("large-text-untruncated", "rust_dispatch", "another name of the mark", (PARCEL, CONTENT, "    #[depot_macros::truncate]\n    pub content: String,")),
    harmless("large-text-untruncated", "rust_dispatch", "serialized by the wrapper",
             (PARCEL, CONTENT, '    #[serde(serialize_with = "crate::truncate::serialize")]\n    pub content: String,')),
    harmless("large-text-untruncated", "rust_dispatch", "short texts", (PARCEL, CONTENT, "    pub content_type: String,\n    pub body_url: String,\n    pub log_id: String,")),
    harmless("large-text-untruncated", "rust_dispatch", "an input", (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
#[derive(Debug, serde::Deserialize)]
pub struct NewCourier {
    pub name: String,
    pub description: String,
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    harmless("large-text-untruncated", "rust_dispatch", "not serialized at all", (COURIER, "#[derive(Debug, Clone, Serialize, Truncate)]", """
#[derive(Debug, Clone)]
pub struct Draft {
    pub body: String,
}

#[derive(Debug, Clone, Serialize, Truncate)]
""".rstrip())),
    harmless("large-text-untruncated", "rust_dispatch", "skipped", (PARCEL, CONTENT, "    #[serde(skip)]\n    pub content: String,")),
    harmless("truncation-envelope-incomplete", "rust_dispatch", "inserts, complete", (TRUNCATE, ENVELOPE, """
    let mut envelope = serde_json::Map::new();
    envelope.insert("_truncated".into(), true.into());
    envelope.insert("preview".into(), preview.into());
    envelope.insert("full_action".into(), full_action.into());
    envelope.insert("full_params".into(), json!({ "id": id }));
    Value::Object(envelope)
""")),
    harmless("truncation-envelope-incomplete", "rust_dispatch", "looked for, not made", ("crates/core/src/respond.rs", "        other => other,\n    }\n}\n\nfn bounded", """
        other if other.get("_truncated").is_some() => other,
        other => other,
    }
}

fn bounded
""".rstrip())),
    harmless("preview-length", "rust_dispatch", "preview of 300", (TRUNCATE, "PREVIEW: usize = 500", "PREVIEW: usize = 300")),
]

MUTANTS = [*UNMARKED, *INCOMPLETE, *PREVIEWS, *HARMLESS]
