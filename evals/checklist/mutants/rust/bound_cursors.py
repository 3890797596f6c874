"""§1 of the checklist, in Rust: cursors that are bare places or no secret, and pages of several sizes."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "rust_router_live"
PAGES = "src/pages.rs"
REQUESTS = "src/requests.rs"
SERVER = "src/server.rs"
NEXT = "        let next = (end < rows.len()).then(|| cursor_at(end, self.check));"
MADE = """
fn cursor_at(offset: usize, check: u32) -> String {
    BASE64_URL_SAFE.encode(serde_json::json!({ "offset": offset, "check": check }).to_string())
}
"""
CHECKED = """
    if position.check != check {
        return Err(ErrorData::invalid_params("the cursor is of another list", None));
    }
"""
FIELD = "    offset: usize,\n    check: u32,\n}\n\npub struct Window {"
ONE = "    offset: usize,\n}\n\npub struct Window {"
FIND = "        self.names.iter().filter(|name| name.contains(word)).cloned().collect()"
LOADED = "        self.names.read().iter().filter(|name| name.contains(word)).cloned().collect()"
SHELVES = "src/shelves.rs"
NAMES = "    names: Arc<[String]>,"
LOCKED = "    names: Arc<parking_lot::RwLock<Vec<String>>>,"
COUNTED = "        self.names.iter().filter(|each| *each == name).count()"
COUNTING = "        self.names.read().iter().filter(|each| *each == name).count()"


def edits(next_: str, made: str) -> list[tuple[str, str | None, str]]:
    """Change how the cursor is made, over rows that stand behind a lock."""
    found: list[tuple[str, str | None, str]] = [(PAGES, NEXT, next_), (PAGES, CHECKED, ""), (PAGES, FIELD, ONE)]
    found.append((PAGES, MADE, made or "#[allow(dead_code)]\nfn unused() {}"))
    return [*found, (SHELVES, FIND, LOADED), (SHELVES, NAMES, LOCKED), (SHELVES, COUNTED, COUNTING)]


def bare(name: str, next_: str, made: str = "") -> Mutant:
    """The cursor is where the page ended, and no more."""
    return mutant("cursor-not-bound", LIVE, name, *edits(next_ + ("" if "⚑" in next_ + made else " ⚑"), made))


def tied(name: str, next_: str, made: str = "") -> Mutant:
    """The cursor says more."""
    return harmless("cursor-not-bound", LIVE, name, *edits(next_, made))


BARE = [
    bare("a number as text", "        let next = (end < rows.len()).then(|| end.to_string());"),
    bare("formatted", '        let next = (end < rows.len()).then(|| format!("{end}"));'),
    bare(
        "formatted by position",
        '        let next = if end < rows.len() { Some(format!("{}", self.start + kept.len())) } else { None };',
    ),
    bare(
        "base64 by a helper",
        "        let next = (end < rows.len()).then(|| cursor_at(end));",
        "fn cursor_at(offset: usize) -> String {\n    BASE64_URL_SAFE.encode(offset.to_string()) ⚑\n}",
    ),
    bare(
        "json by a helper",
        "        let next = if end < rows.len() { Some(cursor_at(end)) } else { None };",
        'fn cursor_at(offset: usize) -> String {\n    BASE64_URL_SAFE.encode(serde_json::json!({ "offset": offset }).to_string()) ⚑\n}',
    ),
    bare(
        "a struct by a helper",
        "        let next = (end < rows.len()).then(|| cursor_at(end));",
        "fn cursor_at(offset: usize) -> String {\n    BASE64_URL_SAFE.encode(serde_json::to_vec(&Position { offset }).unwrap_or_default()) ⚑\n}",
    ),
    bare(
        "with the size",
        '        let next = (end < rows.len()).then(|| serde_json::json!({ "offset": end, "limit": self.size }).to_string());',
    ),
]

TIED = [
    tied("with a checksum", '        let next = (end < rows.len()).then(|| format!("{}:{end}", self.check));'),
    tied(
        "with what it pages",
        '        let next = (end < rows.len()).then(|| serde_json::json!({ "offset": end, "rows": rows.len(), "of": self.check }).to_string());',
    ),
    tied(
        "by the last name",
        "        let next = if end < rows.len() { kept.last().map(name_of) } else { None };",
        "fn name_of<T>(row: &T) -> String {\n    std::any::type_name_of_val(row).to_owned()\n}",
    ),
]

CURSOR = "    /// The next_cursor of the page before.\n    pub cursor: Option<String>,\n}\n\n#[derive(Debug, Deserialize, JsonSchema)]\npub struct ListNames {"
REST = "}\n\n#[derive(Debug, Deserialize, JsonSchema)]\npub struct ListNames {"


def described(name: str, lines: str) -> Mutant:
    """Clients are told what a cursor is made of."""
    return mutant("cursor-not-opaque", LIVE, name, (REQUESTS, CURSOR, f"{lines}\n{REST}"))


OPAQUE = [
    described("an offset", "    /// Offset of the first part. ⚑\n    pub cursor: Option<String>,"),
    described("said of it", "    /// The cursor is a zero-based offset. ⚑\n    pub cursor: Option<String>,"),
    described("base64", '    #[schemars(description = "Base64-encoded offset")] ⚑\n    pub cursor: Option<String>,'),
    described("a page", "    /// Page number, as text. ⚑\n    pub cursor: Option<String>,"),
    described("in brackets", "    /// Pagination cursor (numeric offset). ⚑\n    pub cursor: Option<String>,"),
    described("a number", "    /// The next_cursor of the page before.\n    pub cursor: Option<u64>, ⚑"),
    mutant(
        "cursor-not-opaque",
        LIVE,
        "reckoned",
        (
            SERVER,
            "    /// Limitations: knows counted boxes only.",
            "    /// Limitations: knows counted boxes only. Add limit to the cursor for the next page.",
        ),
        at=(SERVER, "    /// parts: Search"),
    ),
]


def quiet(name: str, line: str) -> Mutant:
    """Nothing of it is told."""
    return harmless(
        "cursor-not-opaque", LIVE, name, (REQUESTS, CURSOR, f"    /// {line}\n    pub cursor: Option<String>,\n{REST}")
    )


QUIET = [
    quiet("said to be opaque", "Opaque, whatever offset is in it: the next_cursor of the page before."),
    quiet("said not to be one", "The next_cursor of the page before; it is no offset."),
    quiet("in other words", "Where to go on, as the page before told in next_cursor."),
]

LIMIT = """
    pub word: String,
    /// At most so many: 20 if absent, never over 100.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<i64>,
"""


def sized(name: str, lines: str) -> Mutant:
    """The search has pages of another size."""
    edit = (REQUESTS, LIMIT, f"    pub word: String,\n{lines} ⚑")
    return mutant("page-caps-differ", LIVE, name, edit, also=("cap-differs", "default-differs"))


SIZES = [
    sized(
        "a smaller maximum", "    /// How many.\n    #[schemars(range(min = 1, max = 50))]\n    pub limit: Option<i64>,"
    ),
    sized(
        "a larger maximum", "    /// How many.\n    #[schemars(range(min = 1, max = 500))]\n    pub limit: Option<i64>,"
    ),
    sized("in the text", "    /// How many, at most 30.\n    pub limit: Option<i64>,"),
    sized("a range in the text", "    /// Between 1 and 60.\n    pub limit: Option<i64>,"),
    sized("by validation", "    /// How many.\n    #[validate(range(min = 1, max = 40))]\n    pub limit: Option<i64>,"),
    sized("capped in the text", "    /// How many; capped at 25.\n    pub limit: Option<i64>,"),
]

ALIKE = [
    harmless(
        "page-caps-differ",
        LIVE,
        "in other words",
        (
            REQUESTS,
            LIMIT,
            "    pub word: String,\n    /// How many, up to 100.\n    #[schemars(range(min = 1, max = 100))]\n    pub limit: Option<i64>,",
        ),
    ),
    harmless(
        "page-caps-differ",
        LIVE,
        "in the text alone",
        (REQUESTS, LIMIT, "    pub word: String,\n    /// How many, at most 100.\n    pub limit: Option<i64>,"),
    ),
    harmless(
        "page-caps-differ",
        LIVE,
        "a reason",
        (
            REQUESTS,
            LIMIT,
            "    pub word: String,\n    /// How many; at most 50, because a part is long.\n    #[schemars(range(min = 1, max = 50))]\n    pub limit: Option<i64>,",
        ),
        also=("cap-differs",),
    ),
]

MUTANTS = [*BARE, *TIED, *OPAQUE, *QUIET, *SIZES, *ALIKE]
