from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rust_projects import CAUGHT, GUARD, HANDLER, dispatching, review, server

from reviewer.languages.rust import behaviour
from reviewer.languages.rust.project.items import RustItems
from reviewer.source import Source


class TestDomainTypes:
    def test_fields(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            a=GUARD,
            b="""
            #[derive(Debug, Clone, serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            pub struct Note {
                pub id: String,
                pub body: Option<String>,
                #[truncate]
                pub log: String,
                /// What was printed.
                #[core::truncate(2048)]
                pub output: Vec<u8>,
                #[serde(with = "crate::truncate")]
                pub raw: String,
                #[serde(default, serialize_with = "truncated_text")]
                text: std::option::Option<Vec<Option<String>>>,
            }
            """,
        )
        (note,) = project.domain_types
        assert (note.name, note.name.span.line, note.span.line) == ("Note", 3, 3)
        assert [(part.name, part.type, part.span.line, part.bounded) for part in note.fields] == [
            ("id", "String", 4, False),
            ("body", "String", 5, False),
            ("log", "String", 7, True),
            ("output", "Vec<u8>", 10, True),
            ("raw", "String", 12, True),
            ("text", "Vec<Option<String>>", 14, True),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "#[derive(Debug)] struct A { body: String }",
            "#[derive(Deserialize)] struct A { body: String }",
            "#[derive(Serialize)] struct A(String);",
            "#[derive(Serialize)] enum A { B(String) }",
            "#[derive(Debug)] enum A { B { body: String } }",
            "#[cfg(test)] mod tests { #[derive(Serialize)] struct A { body: String } }",
        ],
    )
    def test_what_is_no_domain_type(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=GUARD + text).domain_types == ()

    def test_the_fields_of_a_variant_count(self, tmp_path: Path) -> None:
        found = review(tmp_path, a=GUARD + "#[derive(Serialize)] enum A { B { body: String }, C }").domain_types
        assert [(each.name, [str(part.name) for part in each.fields]) for each in found] == [("B", ["body"])]

    def test_only_where_actions_are_dispatched(self, tmp_path: Path) -> None:
        assert review(tmp_path, a="#[derive(Serialize)] struct A { body: String }").domain_types == ()


class TestIgnores:
    @pytest.mark.parametrize(
        ("text", "covered"),
        [
            ("const A: u8 = 1; // IGNORE\nconst B: u8 = 2;\n", (1, 1)),
            ("// IGNORE\nfn a() {\n    b();\n}\nfn c() {}\n", (2, 4)),
            ("// IGNORE\n// and more\n#[tool]\n#[cfg(unix)]\nfn a() {\n}\n", (3, 6)),
            ("#[tool]\n// IGNORE\nfn a() {\n}\n", (1, 4)),
            ("/* IGNORE */\nstruct A {\n}\n", (2, 3)),
            ("struct A {\n    // IGNORE\n    #[serde(default)]\n    body: String,\n    id: u8,\n}\n", (3, 4)),
            ("enum A {\n    // IGNORE\n    B,\n    C,\n}\n", (3, 3)),
            (
                "fn a() {\n    match x {\n        // IGNORE\n        1 => {\n        2\n        }\n        _ => 3,\n    }\n}\n",
                (4, 6),
            ),
            ("fn a() {\n    // IGNORE\n    let x = b(\n        1,\n    );\n    x\n}\n", (3, 5)),
            ("const A: &[B] = &[\n    // IGNORE\n    B {\n        c: 1,\n    },\n    B { c: 2 },\n];\n", (3, 5)),
            (
                "fn a() {\n    vec![\n        // IGNORE\n        B {\n        c: 1,\n        },\n        B { c: 2 },\n    ]\n}\n",
                (4, 6),
            ),
            ("fn a() {\n    b();\n    // IGNORE\n}\n", (3, 3)),
            ("impl A {\n    // IGNORE\n    pub fn a() {\n    }\n}\n", (3, 4)),
        ],
    )
    def test_coverage(self, tmp_path: Path, text: str, covered: tuple[int, int]) -> None:
        project = review(tmp_path, a=text.replace("IGNORE", "mcp-review: ignore[one, two] known so far"))
        (ignore,) = project.ignores
        assert ignore.slugs == ("one", "two")
        assert ignore.reason == "known so far"
        assert (ignore.covers.line, ignore.covers.end_line) == covered

    @pytest.mark.parametrize(
        "text",
        [
            "/// mcp-review: ignore[one] as documented\nfn a() {}\n",
            '//! mcp-review: ignore[one] as documented\nconst A: &str = "x";\n',
            'const A: &str = "// mcp-review: ignore[one] quoted";\n',
        ],
    )
    def test_what_is_no_suppression(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=text).ignores == ()


WHOLE = (
    GUARD
    + dispatching('        "a" => Ok(respond(action, page(1)?)),\n        "b" | "c" => { return to_json(x); }')
    + HANDLER.replace("BODY", "match tokio::spawn(run(p)).await { Ok(v) => v, Err(e) => Err(no(e.to_string())) }")
    + CAUGHT.format(handled='match result { Ok(r) => r, Err(p) => Err(internal(format!("{p:?}"))) }')
    + 'const A: &[ActionSpec] = &[ActionSpec { name: "a", params: &[ParamSpec { name: "b" }], destructive: true }];\n'
    + 'fn v() { vec![ActionSpec { name: "é", params: X }]; server.serve(stdio()); }\n'
    + "#[derive(Serialize)]\nstruct T {\n    #[truncate]\n    body: Option<String>,\n}\n"
    + "// mcp-review: ignore[one] why\nfn last() {}\n"
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(WHOLE)),
            st.integers(0, 12),
            st.sampled_from(["", "{", "}", "(", ")", '"', "'", "#[", "=>", "é", "!"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_broken_source_is_read_without_an_error(cuts: list[tuple[int, int, str]]) -> None:
    text = WHOLE
    for start, length, filling in cuts:
        text = text[:start] + filling + text[start + length :]
    source = Source("server.rs", text.encode())
    behaviour.read(RustItems({"server.rs": source}), server())


def test_the_whole_is_read_when_it_is_not_broken() -> None:
    project = behaviour.read(RustItems({"server.rs": Source("server.rs", WHOLE.encode())}), server())
    counts = [
        len(part)
        for part in (project.catalogs, project.dispatches, project.guards, project.error_boundaries, project.ignores)
    ]
    assert counts == [2, 1, 1, 2, 1]
    assert [transport.kind for transport in project.transports] == ["stdio"]
    assert [kind.name for kind in project.domain_types] == ["T"]
