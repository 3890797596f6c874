"""Lists of tools of which only a part stands in the source, and rows that generic functions make."""

import pytest
from test_rust_tools import project

from reviewer.source import Opaque

GATEWAY = """\
use rmcp::{ServerHandler, model::*};
use std::sync::Arc;
use serde_json::json;

fn schema() -> Arc<JsonObject> {
    Arc::new(rmcp::model::object(json!({"type": "object", "properties": {"book": {"type": "string"}}})))
}

fn own() -> Vec<Tool> {
    vec![Tool::new("lend_book", "Lend a book", schema()), Tool::new("find_book", "Find a book", schema())]
}

pub struct Branch { client: Client, seen: RwLock<Vec<Tool>> }

impl Branch {
    pub async fn listed(&self) -> Vec<Tool> {
        self.client.list_all_tools().await.unwrap_or_default()
    }
}

pub struct Library { branch: Branch, kept: Vec<Tool> }

impl Library {
    pub fn new(branch: Branch) -> Self {
        Self { branch, kept: own() }
    }
}

impl ServerHandler for Library {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, McpError> {
        BODY
        Ok(ListToolsResult::with_all_items(all))
    }
}
"""


@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("let theirs = self.branch.listed().await; let all = own().into_iter().chain(theirs).collect();", "theirs"),
        ("let all = self.kept.iter().cloned().chain(self.branch.listed().await).collect();", "self.branch.listed()"),
        ("let mut all = own(); all.extend(self.branch.listed().await);", "self.branch.listed()"),
        ("let mut all = self.branch.listed().await; all.extend(own());", "self.branch.listed()"),
        ("let mut all = own(); for each in self.branch.seen.read().await.iter() { all.push(each.clone()); }", "each"),
        ("let theirs = self.branch.listed().await; let all = [own(), theirs].concat();", "theirs"),
        (
            "let mut all = own(); if let Ok(found) = self.branch.client.list_tools(None).await { all.extend(found.tools); }",
            "found",
        ),
    ],
)
def test_own_tools_before_those_of_a_server_behind(tmp_path, body, rest):
    (server,) = project(tmp_path, main=GATEWAY.replace("BODY", body)).servers
    assert [tool.name for tool in server.tools] == ["lend_book", "find_book"]
    (note,) = server.unreadable
    assert "known at run time only" in note.reason
    assert rest in note.reason


@pytest.mark.parametrize(
    "body",
    [
        "let all = own().into_iter().chain(own_more()).collect();",
        "let mut all = Vec::new(); all.extend(own()); all.extend(own_more());",
        "let mut all = vec![]; for group in [own(), own_more()] { all.extend(group); }",
        "let more = own_more(); let all = [own(), more].concat();",
    ],
)
def test_lists_of_which_all_parts_are_known_say_nothing(tmp_path, body):
    more = 'fn own_more() -> Vec<Tool> { vec![Tool::new("sort_books", "Sort", schema())] }\n'
    (server,) = project(tmp_path, main=more + GATEWAY.replace("BODY", body)).servers
    assert (sorted(tool.name for tool in server.tools), server.unreadable) == (
        ["find_book", "lend_book", "sort_books"],
        (),
    )


ROWS = """\
use rmcp::{ServerHandler, handler::server::tool::schema_for_type, model::*};

#[derive(Deserialize, JsonSchema)]
struct Lend { book: String }

#[derive(Deserialize, JsonSchema)]
struct Find { words: String }

pub struct Library;
pub struct Row { name: &'static str, about: &'static str, schema: Arc<JsonObject>, act: Act }

fn lend(_: &Library, ask: Lend) -> Result<String, String> { Ok(ask.book) }
fn find(_: &Library, ask: Find) -> Result<String, String> { Ok(ask.words) }

MAKING

impl ServerHandler for Library {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, McpError> {
        Ok(ListToolsResult::with_all_items(ROWS.into_iter().map(|row| Tool::new(row.name, row.about, row.schema)).collect()))
    }
}
"""
PLAIN = """
fn row<I: DeserializeOwned + JsonSchema, O: Serialize>(name: &'static str, about: &'static str, act: ACT) -> Row {
    Row { name, about, schema: schema_for_type::<I>(), act: erase(act) }
}
fn rows() -> Vec<Row> { vec![row TYPED("lend", "Lend a book", lend), row OTHER("find", "Find a book", FIND)] }
"""


def rows(act, typed="", other="", find="find"):
    text = PLAIN.replace("ACT", act).replace("TYPED", typed).replace("OTHER", other).replace("FIND", find)
    return text.replace("row ", "row") if typed else text


@pytest.mark.parametrize(
    ("making", "asked"),
    [
        (rows("fn(&Library, I) -> Result<O, String>", "::<Lend, String>", "::<Find, String>"), "rows()"),
        (rows("fn(&Library, I) -> Result<O, String>"), "rows()"),
        (rows("impl Fn(&Library, I) -> Result<O, String> + Send + 'static"), "rows()"),
        (rows("impl Fn(&Library, I) -> Result<O, String>", find="|hall, ask: Find| find(hall, ask)"), "rows()"),
        (
            """
            trait Deed { type Ask: JsonSchema; const NAME: &'static str; }
            struct Lending;
            impl Deed for Lending { type Ask = Lend; const NAME: &'static str = "lend"; }
            struct Finding;
            impl Deed for Finding { type Ask = Find; const NAME: &'static str = "find"; }
            fn row<D: Deed>() -> Row { Row { name: D::NAME, about: "A deed", schema: schema_for_type::<D::Ask>(), act: act::<D>() } }
            fn rows() -> Vec<Row> { vec![row::<Lending>(), row::<Finding>()] }
            """,
            "rows()",
        ),
        (
            """
            pub struct Table { rows: Vec<Row> }
            impl Table {
                fn with<I: JsonSchema>(mut self, name: &'static str, about: &'static str, act: fn(&Library, I) -> Result<String, String>) -> Self {
                    self.rows.push(Row { name, about, schema: schema_for_type::<I>(), act: erase(act) });
                    self
                }
            }
            fn table() -> Table { Table { rows: Vec::new() }.with("lend", "Lend a book", lend).with::<Find>("find", "Find a book", find) }
            """,
            "table().rows",
        ),
    ],
)
def test_rows_of_generic_functions_have_the_types_of_the_call(tmp_path, making, asked):
    found = project(tmp_path, main=ROWS.replace("MAKING", making).replace("ROWS", asked))
    (server,) = found.servers
    assert [(tool.name, [each.name for each in tool.parameters]) for tool in server.tools] == [
        ("lend", ["book"]),
        ("find", ["words"]),
    ]


def test_a_closure_that_makes_tools_and_texts_that_are_filled_in(tmp_path):
    main = GATEWAY.replace(
        "BODY",
        """\
        const MOST: u32 = 60;
        let limits = format!("At most {MOST} on a page.");
        let tool = |name: &'static str, about: String| Tool::new(name, about, schema());
        let all = vec![tool("list_books", format!("List the books. {limits}")), tool("sort_books", "Sort".into())];
        """,
    )
    (server,) = project(tmp_path, main=main).servers
    assert [(tool.name, tool.description) for tool in server.tools] == [
        ("list_books", "List the books. At most 60 on a page."),
        ("sort_books", "Sort"),
    ]


@pytest.mark.parametrize(
    ("filling", "known"),
    [
        ('if let Some(map) = shape.as_object_mut() { map.insert("title".into(), json!("Book")); }', True),
        ('shape.as_object_mut().unwrap().insert("title".into(), json!("Book"));', True),
        ('let map = shape.as_object_mut().unwrap(); map.insert("title".into(), json!("Book"));', True),
        (
            'let more = json!({"title": "Book"}); '
            "if let (Some(into), Some(from)) = (shape.as_object_mut(), more.as_object()) { into.extend(from.clone()); }",
            True,
        ),
        ('if let Some(map) = shape.as_object_mut() { map.insert(key(), json!("Book")); }', False),
        ("if let Some(map) = shape.as_object_mut() { rename(map); }", False),
    ],
)
def test_what_is_put_into_the_map_that_an_object_lends(tmp_path, filling, known):
    body = f"""\
        let mut shape = json!({{"type": "object", "properties": {{"book": {{"type": "string"}}}}}});
        {filling}
        let all = vec![Tool::new("sort_books", "Sort", Arc::new(object(shape)))];
    """
    ((tool,),) = (each.tools for each in project(tmp_path, main=GATEWAY.replace("BODY", body)).servers)
    if known:
        assert tool.input_schema.document["title"] == "Book"
    else:
        assert isinstance(tool.input_schema, Opaque)
