"""Tools that macros of the project declare: their uses are written out and read as if the text had stood there."""

import textwrap

import pytest
from test_rust_tools import only, project, tools

from reviewer.languages.rust.macros import expand_macros
from reviewer.source import Source

TRAIT = """\
macro_rules! tool_type {
    ($(#[$about:meta])* $vis:vis $name:ident, $tool:literal, $said:expr, $schema:tt, |$args:ident| $body:block) => {
        $(#[$about])*
        $vis struct $name;
        impl Tool for $name {
            fn name(&self) -> &str { $tool }
            fn description(&self) -> &str { $said }
            fn input_schema(&self) -> Value { json!($schema) }
            async fn call(&self, $args: Value) -> Answer { $body }
        }
    };
}
"""


def written(text, *more):
    """Write out one file; further files only declare macros."""
    sources = {f"src/{at}.rs": Source(f"src/{at}.rs", each.encode()) for at, each in enumerate((text, *more))}
    found, unread = expand_macros(sources)
    return " ".join(found["src/0.rs"].data.decode().split()), unread


def rule(rule, use):
    """Write out one use of a macro, and give what stands in its place."""
    text, unread = written(f"macro_rules! tool {{ {rule} }}\nuse it::here;\ntool!{use}")
    assert unread == []
    return text.partition("use it::here; ")[2]


class TestTools:
    def test_implementations_of_a_trait(self, tmp_path):
        found = tools(
            tmp_path,
            main=TRAIT
            + """\
            tool_type!(
                /// Lends
                pub Lend,
                "lend",
                concat!("Lends ", "a book"),
                {"type": "object", "properties": {"id": {"type": "string"}}},
                |args| { Ok(args["id"].clone().unwrap()) }
            );
            tool_type! { Burn, "burn", "Burns a book", {"type": "object"}, |args| { burn(args) } }
            macro_rules! shelf { ($($tool:ty),* $(,)?) => { vec![$(Box::new(<$tool>::new()) as Box<dyn Tool>),*] }; }
            fn all() -> Vec<Box<dyn Tool>> { shelf![Lend, Burn,] }
            """,
        )
        assert [(name, str(tool.description)) for name, tool in found.items()] == [
            ("lend", "Lends a book"),
            ("burn", "Burns a book"),
        ]
        assert found["lend"].input_schema.document == {"type": "object", "properties": {"id": {"type": "string"}}}

    def test_where_the_parts_of_a_tool_stand(self, tmp_path):
        tool = only(
            tmp_path,
            TRAIT
            + 'tool_type! {\n    Burn,\n    "burn", "Burns é", {"type": "object"}, |args| { burn(args) }\n}\nfn all() -> Tools { vec![Box::new(Burn)] }\n',
        )
        assert (tool.name.span.line, tool.name.span.column, tool.name.span.end_column) == (15, 5, 11)
        assert (tool.description.span.line, tool.description.span.column, tool.description.span.end_column) == (
            15,
            13,
            22,
        )
        assert (tool.span.line, tool.span.column, tool.span.end_line, tool.span.end_column) == (13, 1, 16, 2)

    def test_only_what_is_registered(self, tmp_path):
        found = tools(
            tmp_path,
            main=TRAIT
            + """\
            tool_type! { Lend, "lend", "Lends", {"type": "object"}, |args| { lend(args) } }
            tool_type! { Burn, "burn", "Burns", {"type": "object"}, |args| { burn(args) } }
            macro_rules! register { ($to:expr; $($tool:path),+ $(,)?) => { $( $to.register(Arc::new($tool)); )+ }; }
            fn all(registry: &mut Registry) { register! { registry; Lend } }
            """,
        )
        assert list(found) == ["lend"]

    def test_a_whole_router(self, tmp_path):
        found = tools(
            tmp_path,
            main="""\
            use rmcp::{tool, tool_router, tool_handler, ServerHandler};
            macro_rules! shelf {
                ($shelf:ident { $($(#[$about:meta])* $name:ident),* }) => {
                    pub struct $shelf;
                    #[tool_router]
                    impl $shelf { $($(#[$about])* #[tool] async fn $name(&self) -> String { String::new() })* }
                    #[tool_handler]
                    impl ServerHandler for $shelf {}
                };
            }
            shelf! { Shelf { /// Lends "it"
                lend, #[doc = "Burns"] burn } }
            """,
        )
        assert {name: str(tool.description) for name, tool in found.items()} == {"lend": 'Lends "it"', "burn": "Burns"}

    def test_what_a_router_does_not_see(self, tmp_path):
        found = tools(
            tmp_path,
            main="""\
            use rmcp::{tool, tool_router, tool_handler, ServerHandler};
            macro_rules! hidden { ($name:ident) => { #[tool] async fn $name(&self) -> String { String::new() } }; }
            #[tool_router]
            impl Shelf {
                #[tool(description = "Lends")]
                async fn lend(&self) -> String { String::new() }
                hidden!(burn);
            }
            #[tool_handler]
            impl ServerHandler for Shelf {}
            """,
        )
        assert list(found) == ["lend"]

    def test_tools_of_a_list(self, tmp_path):
        found = tools(
            tmp_path,
            protocol="""\
            #[macro_export]
            macro_rules! tool_def {
                (name: $name:expr, said: $said:expr $(, schema: $schema:tt)?) => {
                    $crate::protocol::Tool { name: $name.into(), description: Some($said.into()), $(input_schema: json!($schema))? }
                };
            }
            """,
            main="""\
            mod protocol;
            impl ServerHandler for Shelf {
                async fn list_tools(&self, r: Option<P>, c: C) -> Result<ListToolsResult, E> {
                    Ok(ListToolsResult::with_all_items(vec![
                        tool_def! { name: "lend", said: "Lends", schema: {"type": "object"} },
                        crate::tool_def!(name: "burn", said: "Burns"),
                    ]))
                }
            }
            """,
        )
        assert {name: tool.span.line for name, tool in found.items()} == {"lend": 5, "burn": 6}

    def test_what_does_not_fit_is_named(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            macro_rules! made { ($name:literal, $said:literal) => { Tool::new($name, $said, json!({})) }; }
            fn tools() -> Vec<Tool> { vec![
                made!("lend"),
                made!("burn", "Burns"),
            ] }
            async fn answer(method: &str) -> Value { match method { "tools/list" => json!({"tools": tools()}), _ => none() } }
            """,
        )
        assert [str(tool.name) for server in found.servers for tool in server.tools] == ["burn"]
        assert [(each.span.line, each.reason) for each in found.broken] == [
            (3, "the tools of `made!` are not known: none of its rules fits")
        ]

    def test_a_suppression_among_the_arguments_of_a_macro(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            macro_rules! shelf { ($($name:literal => $said:literal),* $(,)?) => { vec![$(Tool::new($name, $said, json!({}))),*] }; }
            fn tools() -> Vec<Tool> {
                shelf! {
                    "lend" => "Lends",
                    // mcp-review: ignore[tool-name-style] it is known by this name
                    "Burn" => "Burns",
                }
            }
            """,
        )
        assert [(each.span.line, each.covers.line) for each in found.ignores] == [(5, 6)]


class TestFragments:
    @pytest.mark.parametrize(
        ("pattern", "use", "given"),
        [
            ("($a:expr, $b:expr) => { $b; $a }", "(f::<A, B>(x), |a, b| a + b)", "|a, b| a + b; f::<A, B>(x)"),
            ("($a:expr) => { $a }", "(match x { A => 1, B => 2 })", "match x { A => 1, B => 2 }"),
            ("($k:ident => $v:expr) => { $v $k }", "(r#type => if a { 1 } else { 2 })", "if a { 1 } else { 2 } r#type"),
            ("($a:ty, $b:ty) => { $b | $a }", "(HashMap<K, Vec<V>>, &'a [u8])", "&'a [u8] | HashMap<K, Vec<V>>"),
            ("($a:ty = $b:ty) => { $b | $a }", "(dyn Fn(A, B) -> C = (D, E))", "(D, E) | dyn Fn(A, B) -> C"),
            ("($a:path: $b:literal) => { $a <- $b }", "(a::b<C>: -1.5e-3)", "a::b<C> <- -1.5e-3"),
            ("($v:vis $n:ident) => { $v fn $n }", "(pub(crate) a)", "pub(crate) fn a"),
            ("($v:vis $n:ident) => { <$v>fn $n }", "(a)", "<>fn a"),
            (
                "($i:item $b:block) => { $b $i }",
                "(#[x] pub const A: [u8; 2] = [1, 2]; { b })",
                "{ b } #[x] pub const A: [u8; 2] = [1, 2];",
            ),
            (
                "($($i:item)*) => { $($i)|* }",
                "(fn a() {} use b::{c}; struct D(E);)",
                "fn a() {}| use b::{c};| struct D(E);",
            ),
            ("($p:pat => $e:expr) => { $e, $p }", "(Some(A | B) => 1)", "1, Some(A | B)"),
            ("($l:lifetime $s:literal) => { $s $l }", "('a \"it's }\")", "\"it's }\" 'a"),
            ("($s:literal $t:tt) => { $t $s }", '(r##"a "# b"## {c})', '{c} r##"a "# b"##'),
            ("($s:stmt; $t:tt) => { $t $s }", "(let a = 'x'; b)", "b let a = 'x'"),
            ("($(#[$m:meta])* $n:ident) => { $(<$m>)* $n }", '(#[a(b, c)] #[d = "e"] f)', '<a(b, c)> <d = "e"> f'),
            ("($($k:ident: {$($v:literal),*}),+ $(,)?) => { $($k($($v)+*))|+ }", "(a: {1, 2}, b: {},)", "a(1+ 2)| b()"),
            ("($a:ident $($rest:tt)*) => { <$a> tool!($($rest)*) }; () => { end }", "(a b c)", "<a> <b> <c> end"),
            ("(@one $a:ident) => { <$a> }; ($($a:ident)*) => { $(tool!(@one $a))* }", "(a b)", "<a> <b>"),
            (
                "($a:ident) => { paste::paste! { [<get_ $a:snake _all>] ([<$a:upper>]) } }",
                "(BigBook)",
                "get_big_book_all (BIGBOOK)",
            ),
            ("($a:ident) => { $crate::b::$a }", "(c)", "crate::b::c"),
            ("($a:ident $(, $b:ident)?) => { $a $(+ $b)? }", "(a, b)", "a + b"),
            ("($a:ident $(, $b:ident)?) => { $a $(+ $b)? }", "(a)", "a"),
        ],
    )
    def test_what_a_rule_gives(self, pattern, use, given):
        assert rule(pattern, use) == given

    def test_comments_are_no_tokens(self):
        assert rule("($a:ident, $b:ident) => { $b $a }", "(a /* , */, // b\n c)") == "c a"

    def test_an_attribute_beside_the_declaration(self):
        text, _ = written(
            "x { tool!(b) }", "#[macro_export] macro_rules! tool { ($a:ident) => { Tool::new($a, $a) }; }"
        )
        assert text == "x { Tool::new(b, b) }"

    def test_the_declaration_itself_stays(self):
        text, _ = written("macro_rules! tool { (a) => { tool!(b) }; (b) => { c }; }")
        assert text == "macro_rules! tool { (a) => { tool!(b) }; (b) => { c }; }"


class TestBounds:
    @pytest.mark.parametrize(
        "rules",
        [
            "($($a:tt)*) => { tool_of!($($a)* $($a)*) Tool::new(a, b) };",
            "($($a:tt)*) => { tool_of!(($($a)*)) Tool::new(a, b) };",
            "($($a:tt)*) => { tool_of!($($a)*) Tool::new(a, b) };",
            "($($a:tt)*) => { $($b)* Tool::new(a, b) };",
            "($a:what) => { Tool::new(a, b) };",
            "(",
        ],
    )
    def test_what_has_no_end_is_left_as_it_is(self, rules):
        text, unread = written(f"fn f() {{ tool_of!(a b c) }}\nmacro_rules! tool_of {{\n{rules}\n}}\n")
        assert text.startswith("fn f() { tool_of!(a b c) }")
        assert len(unread) == (rules != "(")

    def test_two_declarations_in_other_files(self):
        declared = "macro_rules! tool {{ ($a:ident) => {{ Tool::new({0}, $a) }}; }}"
        assert written("x { tool!(b) }", declared.format("one"))[0] == "x { Tool::new(one, b) }"
        text, unread = written("x { tool!(b) }", declared.format("one"), declared.format("two"))
        assert (text, [each.reason for each in unread]) == (
            "x { tool!(b) }",
            ["the tools of `tool!` are not known: it is declared 2 times"],
        )

    def test_macros_that_are_read_as_they_are_whoever_declares_them(self):
        text = "macro_rules! max { ($a:expr) => { $a } }\nmacro_rules! json { ($a:expr) => { Tool::new($a) } }\nfn f() { max!(1); json!(2) }"
        found, _ = expand_macros({"a.rs": Source("a.rs", textwrap.dedent(text).encode())})
        assert found["a.rs"].data.decode() == text.replace("max!(1)", " 1 ")
