"""What is looked for by bytes in place of a walk is found just as by one."""

import pytest

from reviewer.languages.nodes import Nest, identifiers, parents, parse, string_of, walk
from reviewer.source import Source

CODE = """
fn limit(limit: usize, unlimited: usize) -> usize {
    let r#limit = limit.min(unlimited_of(limit)); // limit
    println!("limit {}", limit);
    let größe = "größe limit";
    take!(limit, Größe { limit, größe: limit }, größe, n);
    |n| n + limit
}
"""


@pytest.mark.parametrize("name", ["limit", "unlimited", "größe", "gr", "n", "r#limit", "", "absent"])
def test_identifiers_of_a_name(name):
    root = parse(Source("a.rs", CODE.encode()), "rust")
    body = root.named_children[0].child_by_field_name("body")
    for node in (root, body):
        meant = [each for each in walk(node) if each.type == "identifier" and string_of(each) == name]
        assert list(identifiers(node, name)) == meant


NESTED = """
def outer(a=lambda: 1):
    def inner(): return [lambda: (a, lambda: b)]
    return inner()
class C:
    @mark
    def method(self): self.x
c = lambda: d
"""
FUNCTIONS = ("function_definition", "lambda")


def climbed(node):
    """Return the function around a node, found by going up from it."""
    above = node.parent
    while above is not None and above.type not in FUNCTIONS:
        above = above.parent
    return above


def test_what_stands_around_a_place_is_found_without_climbing():
    root = parse(Source("a.py", NESTED.encode()), "python")
    nest = Nest(root, "python", *FUNCTIONS)
    nodes = [each for each in walk(root) if each.is_named]
    assert [nest.around(each) for each in nodes] == [climbed(each) for each in nodes]


def test_the_parents_of_all_nodes_are_found_at_once():
    root = parse(Source("a.py", NESTED.encode()), "python")
    above = parents(root)
    nodes = [each for each in walk(root) if each != root]
    assert [above[each.id] for each in nodes] == [each.parent for each in nodes]
