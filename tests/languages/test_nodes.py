"""What is looked for by bytes in place of a walk is found just as by one."""

import pytest

from reviewer.languages.nodes import identifiers, parse, string_of, walk
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
