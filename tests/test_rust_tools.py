"""Which tools a Rust server has, and what each says, from its source."""

import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.facts import Schema
from reviewer.files import find
from reviewer.languages.rust import read
from reviewer.languages.rust.items import Items
from reviewer.source import Opaque, Source

MANIFEST = '[package]\nname = "shelf"\nversion = "0.1.0"\n'


def project(folder, **files):
    (folder / "Cargo.toml").write_text(MANIFEST)
    for name, text in files.items():
        path = folder / "src" / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return read(find(folder))


def tools(folder, **files):
    return {str(tool.name): tool for server in project(folder, **files).servers for tool in server.tools}


def only(folder, text):
    found = tools(folder, main=text)
    assert len(found) == 1
    return next(iter(found.values()))


class TestAttributes:
    def test_name_description_and_places(self, tmp_path):
        tool = only(
            tmp_path,
            """\
            #[tool_router]
            impl Shelf {
                /// Lend a book.
                #[tool(title = "Lend", annotations(read_only_hint = false, destructive_hint))]
                pub async fn lend(&self) -> String { String::new() }
            }
            """,
        )
        assert (tool.name, tool.name.span.line) == ("lend", 5)
        assert (tool.description, tool.description.span.line) == ("Lend a book.", 3)
        assert (tool.span.line, tool.span.end_line) == (3, 5)
        assert tool.title == "Lend"
        assert tool.annotations == {"readOnlyHint": False, "destructiveHint": True}
        assert tool.input_schema == Schema.of({"type": "object", "properties": {}})
        assert tool.parameters == ()
        assert tool.handler.name == "lend"

    def test_the_attribute_beats_the_docs_and_escapes_are_read(self, tmp_path):
        tool = only(
            tmp_path,
            r"""
            #[tool_router]
            impl Shelf {
                /// Lost.
                #[rmcp::tool(name = "give-back", description = "Give \
                    back\tnow \u{e9}")]
                // a comment
                #[allow(unused)]
                /* another */
                async fn back(&self) {}
            }
            """,
        )
        assert tool.name == "give-back"
        assert tool.description == "Give back\tnow é"

    @pytest.mark.parametrize(
        ("over", "said"),
        [
            ("/// One.\n///\n///   Two.\n#[tool]", "One.\nTwo."),
            ("/// Lost.\n#[instrument]\n#[tool]", None),
            ("/// Lost.\n#[tool]\n#[allow(x)]", None),
            ("#[instrument]\n/// Kept.\n#[tool]", "Kept."),
            ("#[tool]\n/// After.", "After."),
            ('#[doc = " Told. "]\n#[tool]', "Told."),
            ("/** Block\n * star */\n#[tool]", "Block\n * star"),
            ("//// no doc\n// nor this\n#[tool]", None),
            ('#[tool(description = "")]', ""),
        ],
    )
    def test_docs_are_joined_as_rmcp_does(self, tmp_path, over, said):
        source = f"#[tool_router]\nimpl Shelf {{\n{over}\nasync fn lend(&self) {{}}\n}}\n"
        assert tools(tmp_path, main=source)["lend"].description == said

    def test_an_included_file_is_read_if_it_lies_inside(self, tmp_path):
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "lend.md").write_text("Lend it.\n")
        found = tools(
            tmp_path,
            main="""
            #[tool_router]
            impl Shelf {
                #[doc = include_str!("lend.md")]
                #[tool]
                fn lend(&self) {}
                #[doc = include_str!("../../outside.md")]
                #[tool]
                fn take(&self) {}
                #[doc = include_str!("absent.md")]
                #[tool]
                fn lose(&self) {}
            }
            """,
        )
        assert found["lend"].description == "Lend it.\n"
        assert "outside" in found["take"].description.reason
        assert isinstance(found["lose"].description, Opaque)

    def test_what_is_not_in_a_router_is_not_listed(self, tmp_path):
        found = project(tmp_path, main="impl Shelf { #[tool] fn lend(&self) {} }")
        assert found.servers == ()

    def test_test_code_is_left_out(self, tmp_path):
        source = "#[cfg(test)]\nmod tests { #[tool_router] impl Shelf { #[tool] fn lend(&self) {} } }"
        assert project(tmp_path, main=source).servers == ()

    def test_a_router_that_nothing_calls_is_dead(self, tmp_path):
        source = """
            #[tool_router(router = used)]
            impl Shelf { #[tool] fn lend(&self) {} }
            #[tool_router(router = unused)]
            impl Shelf { #[tool] fn burn(&self) {} }
            #[tool_handler(router = Self::used())]
            impl ServerHandler for Shelf {}
        """
        found = project(tmp_path, main=source)
        assert [[str(tool.name) for tool in server.tools] for server in found.servers] == [["lend"]]

    def test_conditions_of_the_impl_hold_for_its_tools(self, tmp_path):
        tool = only(tmp_path, '#[cfg(feature = "x")]\n#[tool_router]\nimpl Shelf { #[tool] fn lend(&self) {} }')
        assert [(each.text, each.span.line) for each in tool.conditions] == [('#[cfg(feature = "x")]', 1)]

    def test_tool_box_of_the_first_rmcp(self, tmp_path):
        tool = only(
            tmp_path,
            """\
            #[tool(tool_box)]
            impl Shelf {
                /// Kept in spite of what follows.
                #[instrument]
                #[tool]
                async fn lend(&self, #[tool(param)] #[schemars(description = "which")] title: String, #[tool(param)] days: Option<u32>) {}
            }
            #[tool(tool_box)]
            impl ServerHandler for Shelf {}
            """,
        )
        assert tool.description == "Kept in spite of what follows."
        assert [(each.name, each.description, each.required) for each in tool.parameters] == [
            ("title", "which", True),
            ("days", None, False),
        ]
        assert tool.input_schema.document["required"] == ["title"]


class TestParameters:
    def test_fields_are_found_across_files(self, tmp_path):
        found = tools(
            tmp_path,
            main="use crate::requests::Lend;\n#[tool_router]\nimpl Shelf { #[tool] fn lend(&self, p: Parameters<Lend>) {} }",
            requests='#[derive(Deserialize, JsonSchema)]\n#[serde(rename_all = "camelCase")]\npub struct Lend {\n'
            "    /// Which book.\n    pub book_title: String,\n    pub days: Option<u32>,\n}\n",
            other="pub struct Lend { pub nothing: bool }",
        )
        parameters = found["lend"].parameters
        assert [(str(each.name), each.description, each.required) for each in parameters] == [
            ("bookTitle", "Which book.", True),
            ("days", None, False),
        ]
        assert (parameters[0].span.path, parameters[0].span.line) == ("src/requests.rs", 5)
        assert found["lend"].input_schema.document["required"] == ["bookTitle"]

    def test_a_type_from_elsewhere_is_opaque(self, tmp_path):
        tool = only(tmp_path, "#[tool_router]\nimpl Shelf { #[tool] fn lend(&self, p: Parameters<other::Lend>) {} }")
        assert isinstance(tool.parameters, Opaque)
        assert tool.input_schema.holes[0].path == ""

    def test_a_type_that_is_declared_twice_is_opaque(self, tmp_path):
        found = tools(
            tmp_path,
            main="#[tool_router]\nimpl Shelf { #[tool] fn lend(&self, p: Parameters<Lend>) {} }",
            a="pub struct Lend { pub a: bool }",
            b="pub struct Lend { pub b: bool }",
        )
        assert found["lend"].parameters.reason == "`Lend` is declared 2 times"

    def test_an_alias_of_the_wrapper_is_not_seen_by_rmcp_either(self, tmp_path):
        tool = only(
            tmp_path,
            "use rmcp::Parameters as P;\nstruct A { a: u8 }\n#[tool_router]\nimpl S { #[tool] fn f(&self, p: P<A>) {} }",
        )
        assert tool.parameters == ()

    def test_a_json_result_has_a_schema(self, tmp_path):
        tool = only(
            tmp_path,
            "struct A { a: bool }\n#[tool_router]\nimpl S { #[tool] fn f(&self) -> Result<Json<A>, String> {} }",
        )
        assert tool.output_schema.document["properties"] == {"a": {"type": "boolean"}}


class TestServers:
    def test_one_per_handler_named_after_its_package(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            #[tool_router]
            impl Shelf { #[tool] fn lend(&self) {} }
            #[tool_handler]
            impl ServerHandler for Shelf {}
            """,
        )
        (server,) = found.servers
        assert (server.name, server.framework, server.language, server.span.line) == ("shelf", "rmcp", "rust", 4)

    def test_without_a_manifest_there_is_no_name(self, tmp_path):
        (tmp_path / "main.rs").write_text("#[tool_router]\nimpl Shelf { #[tool] fn lend(&self) {} }")
        assert read(find(tmp_path)).servers[0].name is None

    def test_conditions_of_the_module_hold_for_the_server(self, tmp_path):
        found = tools(
            tmp_path,
            lib='#[cfg(feature = "mcp")]\npub mod mcp;\n',
            mcp__server="#[tool_router]\nimpl Shelf { #[tool] fn lend(&self) {} }",
            mcp__mod="pub mod server;",
        )
        assert [(each.text, each.span.path) for each in found["lend"].conditions] == [
            ('#[cfg(feature = "mcp")]', "src/lib.rs")
        ]

    def test_a_broken_file_is_named_and_the_rest_of_it_read(self, tmp_path):
        found = project(tmp_path, main="#[tool_router]\nimpl Shelf { #[tool] fn lend(&self) {} }\nfn ( {")
        assert [tool.name for tool in found.servers[0].tools] == ["lend"]
        assert found.broken[0].reason == "syntax error; the rest of the file was read"


class TestListings:
    def test_tools_made_by_hand(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            const TOLD: &str = "Lend a book";
            impl ServerHandler for Shelf {
                async fn list_tools(&self, r: Option<P>, c: C) -> Result<ListToolsResult, E> {
                    let mut tools = vec![
                        Tool::new("lend", TOLD, schema()).annotate(ToolAnnotations::new().read_only(true)),
                        #[cfg(unix)]
                        Tool::new_with_raw("burn", None, Arc::new(JsonObject::new())),
                    ];
                    if self.writable {
                        tools.push(Tool { name: "bind".into(), description: Some("Bind".into()), input_schema: make(), ..Default::default() });
                    }
                    tools.push(made("count"));
                    Ok(ListToolsResult::with_all_items(tools))
                }
            }
            fn made(name: &str) -> Tool {
                Tool::new(name.to_string(), "Counts", serde_json::from_value(json!({"type": "object"})).unwrap())
            }
            fn schema() -> Arc<JsonObject> {
                let value = json!({
                    "type": "object",
                    "properties": {"title": {"type": "string", "description": "which", "enum": titles()}},
                    "required": ["title"],
                });
                Arc::new(value.as_object().unwrap().clone())
            }
            """,
        )
        (server,) = found.servers
        lend, burn, bind, count = server.tools
        assert (lend.name, lend.description, lend.span.line) == ("lend", "Lend a book", 5)
        assert lend.annotations == {"readOnlyHint": True}
        assert [(str(each.name), each.description, each.required) for each in lend.parameters] == [
            ("title", "which", True)
        ]
        assert [hole.path for hole in lend.input_schema.holes] == ["properties.title.enum"]
        assert (burn.description, burn.conditions[0].text) == (None, "#[cfg(unix)]")
        assert isinstance(bind.input_schema, Opaque)
        assert bind.conditions[0].text == "if self.writable"
        assert (count.name, count.description, count.span.line) == ("count", "Counts", 12)

    def test_a_loop_over_what_a_run_holds_is_unreadable(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R {
                    let mut tools = Vec::new();
                    for each in self.registry.services() {
                        tools.push(Tool::new(each.name, each.description, schema.clone()));
                    }
                    Ok(tools)
                }
            }
            """,
        )
        (server,) = found.servers
        assert server.tools == ()
        assert "each.name" in server.unreadable[0].reason
        assert server.unreadable[0].span.line == 5

    def test_json_on_the_way_of_tools_list(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            fn answer(method: &str) -> Value {
                match method {
                    "tools/list" => json!({ "tools": definitions() }),
                    _ => json!({}),
                }
            }
            fn definitions() -> Value {
                json!([
                    {"name": "lend", "description": concat!("Lend ", "it"), "inputSchema": {"type": "object"}},
                    {"name": NAME, "description": "Burn", "inputSchema": {"type": "object"}}
                ])
            }
            """,
        )
        (server,) = found.servers
        assert [(str(tool.name), tool.description, tool.span.line) for tool in server.tools] == [("lend", "Lend it", 9)]
        assert "NAME" in server.unreadable[0].reason
        assert server.framework == ""

    def test_filled_maps_are_followed(self, tmp_path):
        tool = only(
            tmp_path,
            """
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R {
                    let mut schema = Map::new();
                    schema.insert("type".to_string(), json!("object"));
                    Ok(vec![Tool::new("lend", "Lend", Arc::new(schema))])
                }
            }
            """,
        )
        assert tool.input_schema.document == {"type": "object"}


class TestRegistries:
    SOURCE = """\
    pub trait Tool { fn name(&self) -> &str; fn description(&self) -> &str; fn input_schema(&self) -> Value; }
    impl Tool for Lend {
        fn name(&self) -> &str { "lend" }
        fn description(&self) -> &str { LEND }
        fn input_schema(&self) -> Value { json!({"type": "object", "properties": {"title": {}}, "required": []}) }
    }
    impl Tool for Burn { fn name(&self) -> &str { "burn" } fn description(&self) -> &str { "Burn" } }
    impl Tool for Forgotten { fn name(&self) -> &str { "forgotten" } }
    impl Tool for Probe { fn name(&self) -> &str { "probe" } }
    const LEND: &str = "Lend";
    fn tools() -> Vec<Arc<dyn Tool>> {
        let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Lend), #[cfg(unix)] Arc::new(Burn::new())];
        if probing() { tools.push(Arc::new(Probe)); }
        tools
    }
    impl ServerHandler for Shelf {
        async fn list_tools(&self) -> R {
            Ok(self.tools.iter().map(|t| Tool::new(t.name(), t.description(), t.input_schema())).collect())
        }
    }
    """

    def test_what_is_registered_is_served(self, tmp_path):
        (server,) = project(tmp_path, main=self.SOURCE).servers
        assert server.unreadable == ()
        found = {str(tool.name): tool for tool in server.tools}
        assert list(found) == ["lend", "burn", "probe"]
        assert (found["lend"].description, found["lend"].span.line) == ("Lend", 2)
        assert [(str(each.name), each.required) for each in found["lend"].parameters] == [("title", False)]
        assert [each.text for each in found["burn"].conditions] == ["#[cfg(unix)]"]
        assert [each.text for each in found["probe"].conditions] == ["if probing()"]


class TestBoxes:
    def test_structs_in_the_order_of_the_box(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            #[mcp_tool(name = "lend", description = concat!("Lend", " it"), read_only_hint = true)]
            #[derive(JsonSchema)]
            pub struct Lend {
                /// Which.
                title: String,
                days: Option<u32>,
            }
            #[mcp_tool(name = "burn", description = "Burn")]
            pub struct Burn {}
            #[mcp_tool(name = "dead", description = "Not in the box")]
            pub struct Dead {}
            tool_box!(Tools, [Burn, Lend]);
            """,
        )
        (server,) = found.servers
        assert server.framework == "rust-mcp-sdk"
        assert [str(tool.name) for tool in server.tools] == ["burn", "lend"]
        lend = server.tools[1]
        assert (lend.description, lend.annotations) == ("Lend it", {"readOnlyHint": True})
        assert lend.input_schema.document == {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "Which."},
                "days": {"type": ["integer", "null"]},
            },
            "required": ["title"],
        }


class TestItems:
    def index(self, **files):
        return Items({f"src/{name}.rs": Source(f"src/{name}.rs", text.encode()) for name, text in files.items()})

    def test_declarations_are_found_anywhere_but_in_tests(self):
        items = self.index(a="impl X { fn go() {} }\n#[cfg(test)]\nmod t { fn go() {} }", b="mod m { fn go() {} }")
        assert [(each.path, each.span.line) for each in items.functions("go")] == [("src/a.rs", 1), ("src/b.rs", 1)]

    def test_files_of_test_modules_are_left_out(self):
        items = self.index(lib="#[cfg(test)]\nmod checks;", checks="fn go() {}")
        assert items.functions("go") == []

    @pytest.mark.parametrize(
        ("expression", "value"),
        [
            ('"a\\n"', "a\n"),
            ('r#"a"b"#', 'a"b'),
            ('concat!("a", B, 1)', None),
            ("B", "b"),
            ("&B", "b"),
            ("B.into()", "b"),
            ("String::from(B)", "b"),
            ("other::C", "c"),
            ("twice::D", None),
            ("run()", None),
        ],
    )
    def test_text_of_const(self, expression, value):
        items = self.index(
            a=f'const B: &str = "b";\nconst X: &str = {expression};',
            other='pub const C: &str = "c";\npub const D: &str = "1";',
            another='pub const D: &str = "2";',
        )
        node = items.consts("X")[0].node.child_by_field_name("value")
        found = items.text_of_const(node, "src/a.rs")
        if expression.startswith("concat"):
            assert found == "ab1"
        elif value is None:
            assert isinstance(found, Opaque)
        else:
            assert found == value


VALID = textwrap.dedent(TestRegistries.SOURCE) + textwrap.dedent("""\
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "t")]
    enum Mode { #[serde(rename = "x")] A, B { n: Vec<u8> }, C(Other) }
    struct Other { #[serde(default = "d", flatten)] a: Option<HashMap<String, Mode>>, b: [u8; 3], c: (i8, Box<Other>) }
    #[tool_router]
    impl Shelf {
        /// Doc
        #[tool(name = "n", annotations(title = "T"))]
        async fn n(&self, Parameters(p): Parameters<Other>) -> Json<Mode> { Ok(x) }
    }
    #[mcp_tool(name = "m")]
    struct M { a: Option<Mode> }
    tool_box!(All, [M, N]);
    fn answer() { match m { "tools/list" => json!({"tools": [{"name": format!("a"), "inputSchema": {"p": [1, null]}}]}), } }
    """)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_source_is_never_an_error(tmp_path, data):
    text = VALID
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 40)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(["", "(", "}", '"', "#[", "é", "::", "<", "json!", "\x00", "r#"]))
            + text[end:]
        )
    (Path(tmp_path) / "main.rs").write_text(text)
    for server in read(find(tmp_path)).servers:
        for tool in server.tools:
            for schema in (tool.input_schema, tool.output_schema):
                if isinstance(schema, Schema):
                    assert schema.document is not None


def test_deep_source_is_never_an_error(tmp_path):
    deep = "(" * 3000 + "1" + ")" * 3000
    (tmp_path / "main.rs").write_text(
        f"impl ServerHandler for S {{ fn list_tools() {{ Tool::new({deep}, {deep}, {deep}) }} }}\n" + "mod a {" * 2000
    )
    read(find(tmp_path))
