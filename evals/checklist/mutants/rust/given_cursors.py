"""§1 of the checklist, in Rust: cursors that cannot be read."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "rust_router_live"
PAGES = "src/pages.rs"
START = """
        let start = match cursor {
            Some(cursor) => offset_of(cursor, check)?,
            None => 0,
        };
"""
DECODED = (
    '    let bytes = BASE64_URL_SAFE.decode(cursor).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?;\n'
)
PARSED = """
    let position: Position =
        serde_json::from_slice(&bytes).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?;
"""
STALE = '        return Err(ErrorData::invalid_params("the cursor is of another list", None));'


def again(name: str, *edits: tuple[str, str]) -> Mutant:
    """A cursor that cannot be read is the first page."""
    return mutant("cursor-restarts", LIVE, name, *((PAGES, old, new) for old, new in edits))


def ends(name: str, *edits: tuple[str, str]) -> Mutant:
    """A cursor that cannot be read ends the call."""
    return mutant("cursor-panics", LIVE, name, *((PAGES, old, new) for old, new in edits))


RESTARTS = [
    again(
        "ok and or",
        (START, "        let start = cursor.and_then(|cursor| offset_of(cursor, check).ok()).unwrap_or(0); ⚑"),
    ),
    again(
        "or default",
        (START, "        let start = cursor.and_then(|cursor| cursor.parse::<usize>().ok()).unwrap_or_default(); ⚑"),
    ),
    again(
        "or else",
        (START, "        let start = cursor.and_then(|cursor| offset_of(cursor, check).ok()).unwrap_or_else(|| 0); ⚑"),
    ),
    again(
        "in the arm",
        (
            START,
            "        let start = match cursor {\n            Some(cursor) => offset_of(cursor, check).unwrap_or(0), ⚑\n            None => 0,\n        };",
        ),
    ),
    again(
        "an arm of the error",
        (
            START,
            "        let start = match cursor.map(|cursor| offset_of(cursor, check)) {\n            Some(Ok(start)) => start,\n            _ => 0, ⚑\n        };",
        ),
    ),
    again(
        "if let",
        (START, "        let start = if let Some(Ok(start)) = cursor.map(str::parse::<usize>) { start } else { 0 }; ⚑"),
    ),
    again(
        "let else",
        (DECODED, "    let Ok(bytes) = BASE64_URL_SAFE.decode(cursor) else {\n        return Ok(0); ⚑\n    };\n"),
    ),
    again(
        "not found",
        (
            START,
            "        let start = cursor.map_or(0, |cursor| ROWS.iter().position(|row| row.id == cursor).unwrap_or(0)); ⚑",
        ),
    ),
    again(
        "too far",
        (
            "    Ok(position.offset)",
            "    let mut offset = position.offset;\n    if offset > cursor.len() {\n        offset = 0; ⚑\n    }\n    Ok(offset)",
        ),
    ),
]
PANICS = [
    ends("unwrap", (DECODED, "    let bytes = BASE64_URL_SAFE.decode(cursor).unwrap(); ⚑\n")),
    ends("expect", (DECODED, '    let bytes = BASE64_URL_SAFE.decode(cursor).expect("cursors are ours"); ⚑\n')),
    ends("of what is decoded", (PARSED, "    let position: Position = serde_json::from_slice(&bytes).unwrap(); ⚑\n")),
    ends(
        "in the arm",
        (
            START,
            "        let start = match cursor {\n            Some(cursor) => cursor.parse::<usize>().unwrap(), ⚑\n            None => 0,\n        };",
        ),
    ),
    ends(
        "in a closure",
        (START, "        let start = cursor.map(|cursor| offset_of(cursor, check).unwrap()).unwrap_or(0); ⚑"),
    ),
    ends(
        "a part of it",
        (
            START,
            "        let start = match cursor {\n            Some(cursor) => cursor.split_once(':').unwrap().1.len(), ⚑\n            None => 0,\n        };",
        ),
    ),
]
HARMLESS = [
    harmless(
        "cursor-restarts",
        LIVE,
        "transposed",
        (PAGES, START, "        let start = cursor.map(|cursor| offset_of(cursor, check)).transpose()?.unwrap_or(0);"),
    ),
    harmless(
        "cursor-restarts",
        LIVE,
        "let else that refuses",
        (
            PAGES,
            DECODED,
            '    let Ok(bytes) = BASE64_URL_SAFE.decode(cursor) else {\n        return Err(ErrorData::invalid_params("invalid cursor", None));\n    };\n',
        ),
    ),
    harmless(
        "cursor-restarts",
        LIVE,
        "if there is none",
        (PAGES, START, "        let start = if let Some(cursor) = cursor { offset_of(cursor, check)? } else { 0 };"),
    ),
    harmless(
        "cursor-panics",
        LIVE,
        "of what is encoded",
        (
            PAGES,
            'BASE64_URL_SAFE.encode(serde_json::json!({ "offset": offset, "check": check }).to_string())',
            "BASE64_URL_SAFE.encode(serde_json::to_string(&Position { offset, check }).unwrap_or_default())",
        ),
    ),
    harmless(
        "cursor-panics",
        LIVE,
        "mapped",
        (
            PAGES,
            START,
            '        let start = cursor.map(|cursor| offset_of(cursor, check)).transpose().map_err(|_| ErrorData::invalid_params("cursor", None))?.unwrap_or(0);',
        ),
    ),
    harmless(
        "cursor-panics",
        LIVE,
        "unwrapped once it is known",
        (PAGES, START, "        let start = if cursor.is_some() { offset_of(cursor.unwrap(), check)? } else { 0 };"),
    ),
]

MUTANTS = [*RESTARTS, *PANICS, *HARMLESS]
