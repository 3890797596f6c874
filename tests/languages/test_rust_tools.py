"""Which tools a Rust server has, and what each says, from its source."""

import textwrap

import pytest

from reviewer.budget import REASONS, Budget, spending
from reviewer.facts import Schema
from reviewer.files.discovery import discover_files
from reviewer.languages.nodes import NOT_UNDERSTOOD
from reviewer.languages.rust import read
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.project.items import RustItems
from reviewer.schema.rust.generator import SHARE
from reviewer.source import Opaque, Source

MANIFEST = '[package]\nname = "shelf"\nversion = "0.1.0"\n'


def project(folder, **files):
    (folder / "Cargo.toml").write_text(MANIFEST)
    for name, text in files.items():
        path = folder / "src" / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return read(discover_files(folder))


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
        assert tool.input_schema == Schema.from_document({"type": "object", "properties": {}})
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

    @pytest.mark.slow
    def test_types_of_the_first_rmcp_that_double_are_left_unread(self, tmp_path):
        doubled = "".join(f"type Pair{each + 1} = (Pair{each}, Pair{each});\n" for each in range(30))
        with spending(Budget.from_size(0)) as budget:
            before = budget.count_remaining("nodes")
            tool = only(
                tmp_path,
                f"type Pair0 = u8;\n{doubled}#[tool(tool_box)]\nimpl Shelf {{ /// Lends.\n#[tool]\n"
                "async fn lend(&self, #[tool(param)] pairs: Pair30) {} }",
            )
            assert before - budget.count_remaining("nodes") <= SHARE
        assert isinstance(tool.input_schema, Opaque)
        assert tool.input_schema.reason == REASONS["nodes"]
        assert isinstance(tool.parameters, Opaque)


class TestParameters:
    def test_fields_are_found_across_files(self, tmp_path):
        found = tools(
            tmp_path,
            main="mod other;\nmod requests;\nuse crate::requests::Lend;\n#[tool_router]\nimpl Shelf { #[tool] fn lend(&self, p: Parameters<Lend>) {} }",
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
            main="mod a;\nmod b;\n#[tool_router]\nimpl Shelf { #[tool] fn lend(&self, p: Parameters<Lend>) {} }",
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
        assert read(discover_files(tmp_path)).servers[0].name is None

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
        assert found.broken[0].reason == NOT_UNDERSTOOD


class TestItems:
    def index(self, **files):
        return RustItems({f"src/{name}.rs": Source(f"src/{name}.rs", text.encode()) for name, text in files.items()})

    def test_declarations_are_found_anywhere_but_in_tests(self):
        items = self.index(a="impl X { fn go() {} }\n#[cfg(test)]\nmod t { fn go() {} }", b="mod m { fn go() {} }")
        assert [(each.path, each.span.line) for each in items.find_functions("go")] == [
            ("src/a.rs", 1),
            ("src/b.rs", 1),
        ]

    def test_files_of_test_modules_are_left_out(self):
        items = self.index(lib="#[cfg(test)]\nmod checks;", checks="fn go() {}")
        assert items.find_functions("go") == []

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
        node = items.find_constants("X")[0].node.child_by_field_name("value")
        found = ConstantFolder(items).fold_text(node, "src/a.rs")
        if expression.startswith("concat"):
            assert found == "ab1"
        elif value is None:
            assert isinstance(found, Opaque)
        else:
            assert found == value
