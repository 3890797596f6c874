"""§1 of the checklist, in Rust: where a page begins."""
# ruff: noqa: E501

from mutation import harmless, mutant

PAGE = "crates/core/src/page.rs"
PARCELS = "crates/core/src/parcel/handlers.rs"

CURSORS = [
    mutant(
        "cursor-not-deterministic",
        "rust_dispatch",
        "random id inside",
        ("crates/core/src/page.rs", "pub sort_key: String,\n}", "pub sort_key: String,\n    pub nonce: String,\n}"),
        (
            PAGE,
            "let next = Position { offset: self.offset + self.limit, sort_key: sort_key.to_owned() };",
            "let nonce = uuid::Uuid::new_v4().to_string(); ⚑\n"
            "        let next = Position { offset: self.offset + self.limit, sort_key: sort_key.to_owned(), nonce }; ⚑",
        ),
        at=(PAGE, "URL_SAFE_NO_PAD.encode(bytes)"),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_dispatch",
        "clock in the text",
        (
            PAGE,
            "Ok(URL_SAFE_NO_PAD.encode(bytes))",
            """
let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default(); ⚑
        let text = format!("{}:{}", String::from_utf8_lossy(&bytes), now.as_millis()); ⚑
        Ok(URL_SAFE_NO_PAD.encode(text)) ⚑
""",
        ),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_dispatch",
        "a fresh word for each page",
        (
            PAGE,
            "let next = Position { offset: self.offset + self.limit, sort_key: sort_key.to_owned() };\n        next.encode().map(Some)",
            "let _ = sort_key;\n        let cursor = uuid::Uuid::new_v4().simple().to_string(); ⚑\n        Ok(Some(cursor)) ⚑",
        ),
        at=(PARCELS, 'page.next(items.len(), "booked_at")'),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_router",
        "instant in json",
        (
            "src/pages.rs",
            'BASE64_URL_SAFE.encode(json!({ "offset": offset, "sort_key": "name" }).to_string())',
            'BASE64_URL_SAFE.encode(json!({ "offset": offset, "at": format!("{:?}", std::time::Instant::now()) }).to_string()) ⚑',
        ),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_single",
        "random suffix",
        (
            "src/handlers.rs",
            'BASE64_STANDARD.encode(json!({ "offset": offset, "sort_key": "title" }).to_string())',
            """
let salt: u64 = rand::random(); ⚑
    BASE64_STANDARD.encode(json!({ "offset": offset, "salt": salt }).to_string()) ⚑
""",
        ),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_listed",
        "counter of the process",
        (
            "src/paging.rs",
            "let mark = Mark { offset, sort_key };",
            "let sort_key = sort_key + SERIAL.fetch_add(1, Ordering::Relaxed); ⚑\n    let mark = Mark { offset, sort_key }; ⚑",
        ),
        (
            "src/paging.rs",
            "const USUAL: usize = 20;",
            "static SERIAL: AtomicU64 = AtomicU64::new(0);\nconst USUAL: usize = 20;",
        ),
        ("src/paging.rs", "use base64::{", "use std::sync::atomic::{AtomicU64, Ordering};\n\nuse base64::{"),
        at=("src/paging.rs", "STANDARD.encode(text)"),
    ),
    mutant(
        "cursor-not-deterministic",
        "rust_single",
        "chrono now behind a helper",
        (
            "src/handlers.rs",
            'BASE64_STANDARD.encode(json!({ "offset": offset, "sort_key": "title" }).to_string())',
            'BASE64_STANDARD.encode(json!({ "offset": offset, "sort_key": stamp() }).to_string()) ⚑',
        ),
        (
            "src/handlers.rs",
            "fn offset_of(",
            "fn stamp() -> String {\n    chrono::Utc::now().to_rfc3339()\n}\n\nfn offset_of(",
        ),
    ),
]

HARMLESS = [
    harmless(
        "cursor-not-deterministic",
        "rust_dispatch",
        "clock beside the cursor",
        (
            PARCELS,
            'Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))',
            """
let asked_at = std::time::SystemTime::now();
            tracing::debug!(?asked_at, "listed");
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))
""",
        ),
    ),
]

MUTANTS = [*CURSORS, *HARMLESS]
