"""Decorators that write the annotations of a function anew, from which frameworks make its output schema."""

import pytest
from python_projects import MCP, document, tool

PARTS = """
import functools, typing
from typing import Any, Generic, TypeVar, get_type_hints
from pydantic import BaseModel
import settings_of_elsewhere

T = TypeVar("T")

class Envelope(BaseModel, Generic[T]):
    ok: bool
    result: T

class Page(BaseModel):
    text: str

def enveloped(function):
{how}
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return Envelope(ok=True, result=function(*args, **kwargs))
    return inner

@mcp.tool()
@enveloped
def read(name: str) -> Page: ...
"""
HINTS = "    hints = get_type_hints(function, include_extras=True)\n"
WAYS = [
    HINTS + '    function.__annotations__ = {**hints, "return": Envelope[hints.get("return", Any)]}',
    HINTS + '    hints["return"] = Envelope[hints["return"]]\n    function.__annotations__ = hints',
    '    function.__annotations__["return"] = Envelope[function.__annotations__["return"]]',
    '    setattr(function, "__annotations__", dict(function.__annotations__, **{"return": Envelope[Page]}))',
    '    notes = dict(getattr(function, "__annotations__", {}))\n    notes["return"] = Envelope[Page]\n'
    "    function.__annotations__ = notes",
]


@pytest.mark.parametrize("how", WAYS)
def test_the_envelope_is_the_output_schema(how, tmp_path):
    read = tool(tmp_path, MCP + PARTS.format(how=how))
    assert document(read.output_schema)["properties"] == {
        "ok": {"title": "Ok", "type": "boolean"},
        "result": {"$ref": "#/$defs/Page"},
    }
    assert document(read.input_schema)["properties"] == {"name": {"title": "Name", "type": "string"}}


UNTOLD = [
    "    function.__annotations__ = settings_of_elsewhere.notes(function)",
    '    if settings_of_elsewhere.ENVELOPES:\n        function.__annotations__["return"] = Envelope[Page]',
    '    if settings_of_elsewhere.ENVELOPES:\n        function.__annotations__ = {"return": Envelope[Page]}',
    '    function.__annotations__ = {"name": str, settings_of_elsewhere.KEY: Page}',
]


@pytest.mark.parametrize("how", UNTOLD)
def test_what_only_a_run_can_tell_is_said_to_be_so(how, tmp_path):
    schema = tool(tmp_path, MCP + PARTS.format(how=how)).output_schema
    assert schema is not None
    assert schema.holes


def test_annotations_without_a_return_have_no_output_schema(tmp_path):
    how = '    function.__annotations__ = {"name": str}'
    assert tool(tmp_path, MCP + PARTS.format(how=how)).output_schema is None


def test_the_annotations_of_another_function_are_left_alone(tmp_path):
    how = '    def other() -> int: ...\n    other.__annotations__ = {"return": str}'
    schema = tool(tmp_path, MCP + PARTS.format(how=how)).output_schema
    assert document(schema)["title"] == "Page"
