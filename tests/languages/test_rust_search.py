"""What is found by its bytes is what a walk through the whole tree finds."""

import re

import pytest

from reviewer.languages.nodes import find_descendants, iter_matches, walk
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.name_resolution import find_calls, read_callee_name, resolve_function
from reviewer.languages.rust.syntax import keyword_nodes
from reviewer.source import Source

CODE = b"""\
use garden::{beds as rows, paths::{self, Path}};

pub(crate) struct Bed { limit: u32, sunny: bool }
struct Shed;
type Fence = dyn Fn(fn(u8) -> u8);
enum Crop { Leek { page_size: u8 }, Bean(u8) }

impl<T> Bed where T: Fn() {
    async unsafe fn water(&self) { use std::fmt; dig::<u8>(fence()(1)); self.beds.dig(2).dig(3) }
}

// fn none() {}
fn r#match(fns: impl Fn(u8)) {
    let text = "fn text() {}";
    macro_rules! inner { () => { fn made() { dig(4) } } }
    tokio::spawn(async { dig(dig(5)) });
    mod_a::dig(6);
    fn nested() { dig_deep() }
}
"""


def items(**files):
    return RustItems({f"src/{name}.rs": Source(f"src/{name}.rs", code) for name, code in files.items()})


@pytest.mark.parametrize("kind", keyword_nodes.KEYWORDS)
def test_nodes_that_begin_with_a_keyword(kind):
    root = items(lib=CODE).parse_root("src/lib.rs")
    assert keyword_nodes.find_keyword_nodes(root, CODE, (kind,)) == find_descendants(root, "rust", kind) != []


def test_nodes_of_several_kinds_stand_in_the_order_of_the_source():
    root, kinds = items(lib=CODE).parse_root("src/lib.rs"), tuple(keyword_nodes.KEYWORDS)
    assert keyword_nodes.find_keyword_nodes(root, CODE, kinds) == find_descendants(root, "rust", *kinds)


def test_a_file_of_very_many_keywords_is_gone_through_whole(monkeypatch):
    monkeypatch.setattr(keyword_nodes, "MOST", 1)
    root = items(lib=CODE).parse_root("src/lib.rs")
    assert keyword_nodes.find_keyword_nodes(root, CODE, ("function_item",)) == find_descendants(
        root, "rust", "function_item"
    )


def test_calls_of_a_name():
    known = items(lib=CODE)
    whole = [
        node
        for node in walk(known.parse_root("src/lib.rs"))
        if node.type == "call_expression" and read_callee_name(node) == "dig"
    ]
    assert len(whole) == 6
    assert find_calls(known, "dig", "src/lib.rs") == whole


def test_a_query_where_its_words_stand():
    known, words = items(lib=b"const ROWS: &[ActionSpec] = &[ActionSpec { name: NAME }];"), re.compile(rb"ActionSpec")
    whole = list(iter_matches(known.parse_root("src/lib.rs"), "rust", "catalogs"))
    assert list(known.iter_matches_near("src/lib.rs", "catalogs", words)) == whole != []


def test_nodes_in_which_words_stand():
    known = items(lib=CODE)
    found = known.find_nodes_near("src/lib.rs", re.compile(rb"limit|page"), "field_declaration")
    assert [node.text for node in found] == [b"limit: u32", b"page_size: u8"]


OWNED = {
    "a": b"fn make() {}\nimpl Bed { fn make() {} }",
    "b": b"impl Shed { fn make() {} }\ntrait Maker<T> { fn make() {} }",
    "c": b"fn water() {}\nstruct make;",
}


@pytest.mark.parametrize(
    ("written", "found"),
    [("Shed::make", [("b", 0)]), ("Maker::make", [("b", 1)]), ("a::make", [("a", 0), ("a", 1)]), ("make", [("a", 0)])],
)
def test_only_files_that_may_declare_a_function_are_parsed(written, found):
    known = items(**OWNED, main=b"fn main() { " + written.encode() + b"() }")
    call = find_descendants(known.parse_root("src/main.rs"), "rust", "call_expression")[0]
    function = call.child_by_field_name("function")
    assert function is not None
    targets = [(each.path[4], each.span.line - 1) for each in resolve_function(known, function, "src/main.rs")]
    assert targets == found
    assert "src/c.rs" not in known.list_parsed()
    assert written == "make" or len(known.list_parsed()) == 2
