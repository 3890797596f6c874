"""The table of types of libraries: that every row is one, and that analyses find what they ask for."""

import ast
import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

from reviewer.code import library_types
from reviewer.code.library_types import Sort, find_type_names, find_types, parse_types, read_type_table
from reviewer.code.models import ModelError


def test_every_row_is_understood_and_names_its_source():
    found = parse_types(read_type_table())
    for sort in get_args(Sort):
        assert find_types(sort) == {path for path, sorts in found.items() if sort in sorts} != set()
    sources = re.findall(r'^source = "(.*)"$', read_type_table(), re.MULTILINE)
    assert len(sources) == read_type_table().count("[[type]]")
    assert all(re.fullmatch(r"https://[^\s/]+\.[^\s/]+/\S*", each) for each in sources)


def test_a_table_refuses_what_is_no_row():
    row = '[[type]]\npath = "a.B"\nis = ["text"]\nsource = "https://a.example/"\n'
    assert parse_types(row) == {"a.B": ("text",)}
    for old, new, said in [
        ('"text"', '"prose"', "types.toml: a.B: 'prose' is no word for `is`"),
        ("is =", "was =", "types.toml: a.B: there is no field 'was'"),
        ("https://a.example/", "", "types.toml: a.B: it needs `is` and a `source`"),
        ('"a.B"', '["a.B", "a.B"]', "types.toml: a.B has a row already"),
    ]:
        with pytest.raises(ModelError, match=re.escape(said)):
            parse_types(row.replace(old, new))


def test_every_word_is_explained_and_the_page_on_models_tells_of_the_table():
    body = ast.parse(inspect.getsource(library_types)).body
    place = next(n for n, each in enumerate(body) if isinstance(each, ast.Assign) and each.targets[0].id == "Sort")
    said = re.sub(r"\s+", " ", ast.literal_eval(body[place + 1].value))
    assert [each for each in get_args(Sort) if f"`{each}`" not in said] == []
    assert "types.toml" in Path(__file__).parents[2].joinpath("docs/models.md").read_text("utf-8")


def test_types_are_found_by_path_and_by_name():
    assert "std.sync.OnceLock" in find_types("set once")
    assert "OnceLock" in find_type_names("set once", "thread lock")
    assert "std.sync.Mutex" not in find_types("thread lock")  # of which a review tells otherwise
    assert find_types("text") | find_types("bytes") == find_types("text", "bytes")
