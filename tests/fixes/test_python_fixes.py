"""What is written in Python in the place of what was found, and what is left alone."""

import pytest

from tests.fixes.conftest import HIGH, LOW, swapped

OBJECT = """{
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}},
                },
                "required": ["id"],
            }"""

SCHEMAS = [
    ("required-not-defined", '"required": ["id"],', '"required": ["id", "ghost"],', '"required": ["id"],'),
    ("required-not-defined", '"required": ["id"],', '"required": ["ghost", "id"],', '"required": ["id"],'),
    ("required-not-defined", '"required": ["id"],', '"required": ["ghost", "id", "spook"],', '"required": ["id"],'),
    ("required-not-defined", '"required": ["id"],', '"required": ["ghost"],', '"required": [],'),
    ("required-not-defined", '"required": ["id"],', "'required': ['id', 'optz',],", "'required': ['id', 'opts',],"),
    ("schema-not-valid", '"required": ["id"],', '"required": ["id", "id"],', '"required": ["id"],'),
    (
        "schema-not-valid",
        '"required": ["id"],',
        '"required": ["id", "opts", "id", "opts"],',
        '"required": ["id", "opts"],',
    ),
    ("schema-not-valid", '"id": {"type": "string"}', '"id": {"type": "str"}', '"id": {"type": "string"}'),
    ("schema-not-valid", '"id": {"type": "string"}', "'id': {'type': 'int'}", "'id': {'type': 'integer'}"),
    (
        "object-left-open",
        '"opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}},',
        '"opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}},  # how',
        '"opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}, "additionalProperties": False},  # how',
    ),
    (
        "object-left-open",
        '"opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}},',
        '"opts": {\n  "type": "object",\n  "properties": {"hard": {"type": "boolean"}}  # how\n},',
        '"opts": {\n  "type": "object",\n  "properties": {"hard": {"type": "boolean"}},  # how'
        '\n  "additionalProperties": False\n},',
    ),
    (
        "object-left-open",
        '"opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}},',
        '"opts": {\n  "properties": {"hard": {"type": "boolean"}},\n  "type": "object",  # how\n},',
        '"opts": {\n  "properties": {"hard": {"type": "boolean"}},\n  "type": "object",  # how'
        '\n  "additionalProperties": False,\n},',
    ),
    (
        "url-without-format",
        '"id": {"type": "string"}',
        '"url": {"type": "string"}',
        '"url": {"type": "string", "format": "uri"}',
    ),
    (
        "secret-with-default",
        '"id": {"type": "string"}',
        '"password": {"type": "string", "default": "hunter22", "title": "x"}',
        '"password": {"type": "string", "title": "x"}',
    ),
]


@pytest.mark.parametrize(("slug", "place", "bad", "good"), SCHEMAS)
def test_a_schema_that_is_written_out(fix, slug, place, bad, good):
    server = swapped(LOW, ("SCHEMA", OBJECT))
    bad, good = (swapped(server, (place, text)) for text in (bad, good))
    assert fix(bad, slug, unsafe=True) == good


def test_a_schema_that_has_a_name(fix):
    named = swapped(LOW, ('server = Server("ropes")', f'server = Server("ropes")\nSCHEMA = {OBJECT}'))
    bad, good = (swapped(named, ('"required": ["id"]', f'"required": {text}')) for text in ('["id", "id"]', '["id"]'))
    assert fix(bad, "schema-not-valid") == good


def test_a_root_without_a_type(fix):
    good = swapped(LOW, ("SCHEMA", '{"properties": {"id": {"type": "string"}}, "type": "object"}'))
    bad = swapped(LOW, ("SCHEMA", '{"properties": {"id": {"type": "string"}}}'))
    assert fix(bad, "root-schema-not-object") == good


@pytest.mark.parametrize(
    "schema",
    [
        '{"type": "object", "properties": {"id": ID}, "required": ["id", "ghost"]}',
        '{"type": "object", "properties": dict(id={}), "required": ["id", "ghost"]}',
        '{"type": "object", **MORE, "required": ["id", "ghost"]}',
        '{"type": "object", "properties": {"id": {}}, "required": ["id", "opts", "spook"]}',
        '{"type": "object", "properties": {"id": {}}, "required": [\n"id",\n"ghost",  # why\n"spook"]}',
    ],
)
def test_what_is_not_written_out_or_what_code_reads_is_left_alone(fix, schema):
    server = swapped(
        LOW, ("SCHEMA", schema), ("server = Server", 'ID = {"type": "string"}\nMORE = {}\nserver = Server')
    )
    assert fix(server, "required-not-defined", unsafe=True) == server


HINTS = [
    ("@mcp.tool()", "@mcp.tool(annotations=ToolAnnotations(destructiveHint=True))", "fastmcp"),
    ("@mcp.tool(title='Delete')", "@mcp.tool(title='Delete', annotations=ToolAnnotations(destructiveHint=True))", ""),
    (
        "@mcp.tool(annotations={'idempotentHint': False})",
        "@mcp.tool(annotations={'idempotentHint': False, 'destructiveHint': True})",
        "dict",
    ),
    (
        "@mcp.tool(\n    annotations=ToolAnnotations(\n        title='Delete',\n    ),\n)",
        "@mcp.tool(\n    annotations=ToolAnnotations(\n        title='Delete',\n        destructiveHint=True,\n    ),\n)",
        "",
    ),
    (
        "@mcp.tool(annotations=ToolAnnotations(idempotent_hint=False))",
        "@mcp.tool(annotations=ToolAnnotations(idempotent_hint=False, destructive_hint=True))",
        "",
    ),
]


@pytest.mark.parametrize(("bad", "good", "_kind"), HINTS)
def test_a_hint_that_the_name_gives(fix, bad, good, _kind):
    server = swapped(HIGH, ("import FastMCP\n", "import FastMCP\nfrom mcp.types import ToolAnnotations\n"))
    before, after = (swapped(server, ("@mcp.tool()", text)) for text in (bad, good))
    assert fix(before, "tool-without-destructive-hint", profile="validator-46") == after


MODERN = swapped(
    HIGH, ("mcp.server.fastmcp import FastMCP", "mcp.server import MCPServer"), ("= FastMCP", "= MCPServer")
)


def test_a_hint_imports_what_it_takes(fix):
    new = "@mcp.tool(annotations=ToolAnnotations(destructiveHint=True))"
    imported = ("import MCPServer\n", "import MCPServer\nfrom mcp.types import ToolAnnotations\n")
    assert fix(MODERN, "tool-without-destructive-hint") == swapped(MODERN, ("@mcp.tool()", new), imported)
    beside = swapped(MODERN, ("import MCPServer\n", "import MCPServer\nfrom mcp.types import (\n    Icon,\n)\n"))
    after = swapped(beside, ("@mcp.tool()", new), ("    Icon,", "    Icon, ToolAnnotations,"))
    assert fix(beside, "tool-without-destructive-hint") == after


OTHER = '\n\n@mcp.tool(annotations={\'readOnlyHint\': True})\ndef get_rope(id: str) -> str:\n    """Get it."""\n'


def test_a_hint_of_fastmcp_takes_no_import(fix):
    server = swapped(HIGH, ("mcp.server.fastmcp", "fastmcp"), ("@mcp.tool()", "@mcp.tool")) + OTHER
    new = '@mcp.tool(annotations={"destructiveHint": True})'
    assert fix(server, "tool-without-destructive-hint") == swapped(server, ("@mcp.tool\n", f"{new}\n"))


def test_a_release_that_may_know_no_annotations_is_left_alone(fix):
    for server in (HIGH, swapped(HIGH, ("mcp.server.fastmcp", "fastmcp"))):
        assert fix(server, "tool-without-destructive-hint") == server


def test_a_decorator_of_the_project_is_left_alone(fix):
    own = "class Kit:\n    def tool(self, **more):\n        return mcp.tool(**more)\n\n\nkit = Kit()\n\n\n"
    server = swapped(MODERN, ("@mcp.tool()", f"{own}@kit.tool()"))
    assert fix(server, "tool-without-destructive-hint") == server


def test_a_tool_object_of_the_sdk(fix):
    server = swapped(LOW, ("inputSchema=SCHEMA,", 'inputSchema={"type": "object", "properties": {"id": {}}},'))
    new = "\n            annotations=ToolAnnotations(destructiveHint=True),\n        ),\n    ]"
    assert fix(server, "tool-without-destructive-hint") == swapped(server, ("\n        ),\n    ]", new))


@pytest.mark.parametrize("given", ["annotations=NOTES", "**OPTIONS", "annotations=ToolAnnotations(**OPTIONS)"])
def test_annotations_that_are_made_elsewhere_are_left_alone(fix, given):
    server = swapped(HIGH, ("@mcp.tool()", f"@mcp.tool({given})"))
    server = swapped(server, ("mcp = F", "from mcp.types import ToolAnnotations\nOPTIONS = NOTES = {}\nmcp = F"))
    assert fix(server, "tool-without-destructive-hint") == server


def test_a_hint_that_the_name_contradicts_is_unsafe(fix):
    hints = "annotations={'readOnlyHint': True}"
    server = swapped(HIGH, ("mcp.server.fastmcp", "fastmcp"), ("@mcp.tool()", f"@mcp.tool({hints})"))
    mended = swapped(server, (hints, "annotations={'readOnlyHint': False, 'destructiveHint': True}"))
    assert fix(server, "destructive-not-marked") == server
    assert fix(server, "destructive-not-marked", unsafe=True) == mended


def test_code_alone_says_no_hint(fix):
    server = swapped(HIGH, ("delete_rope", "get_rope"), ("return gone(id)", "open(id, 'w').write('')\n    return id"))
    assert fix(server, "tool-without-read-only-hint", "write-not-marked", unsafe=True) == server


PRINTS = [
    ('print("gone")', 'print("gone", file=sys.stderr)'),
    ("print()", "print(file=sys.stderr)"),
    ('print("gone", file=sys.stdout)', 'print("gone", file=sys.stderr)'),
    ('sys.stdout.write("gone")', 'sys.stderr.write("gone")'),
    (
        'print(\n        "gone",\n        id,\n    )',
        'print(\n        "gone",\n        id,\n        file=sys.stderr,\n    )',
    ),
    ("print(*id, sep='')", "print(*id, sep='', file=sys.stderr)"),
]


@pytest.mark.parametrize(("bad", "good"), PRINTS)
def test_what_is_printed_under_stdio(fix, bad, good):
    server = swapped(
        HIGH, ("    return gone(id)", "    PRINT\n    return id"), ("from mcp.server", "import sys\n\nfrom mcp.server")
    )
    assert fix(server.replace("PRINT", bad), "prints-to-stdout") == server.replace("PRINT", good)


def test_printing_imports_sys_in_its_place(fix):
    server = swapped(HIGH, ("return gone(id)", "print(id)\n    return id"))
    top = '"""Doc."""\nfrom __future__ import annotations\n\n'
    for before, after in (
        (f"{top}import os\nimport time\n", f"{top}import os\nimport sys\nimport time\n"),
        ('"""Doc."""\n', '"""Doc."""\nimport sys\n'),
    ):
        wanted = swapped(after + server, ("print(id)", "print(id, file=sys.stderr)"))
        assert fix(before + server, "prints-to-stdout") == wanted


def test_what_a_helper_prints_is_unsafe(fix):
    server = swapped(
        HIGH,
        ("return gone(id)", "return told(id)"),
        ("mcp = F", "import sys\n\ndef told(id):\n    print(id)\n\nmcp = F"),
    )
    assert fix(server, "prints-to-stdout") == server
    assert "print(id, file=sys.stderr)" in fix(server, "prints-to-stdout", unsafe=True)


@pytest.mark.parametrize("hidden", ["\u200b", "\\u200b", "\\U0000200b", "\u202e\u2066", "\U000e0041"])
def test_hidden_characters_raw_or_spelled(fix, hidden):
    assert fix(swapped(HIGH, ("a rope for", f"a {hidden}rope for")), "hidden-characters") == HIGH


def test_what_an_emoji_or_a_name_needs_is_left_alone(fix):
    emoji = swapped(HIGH, ("for good", "for good \U0001f469\u200d\U0001f52c a\u200db"))
    assert fix(emoji, "hidden-characters") == emoji
    named = swapped(HIGH, ("@mcp.tool()", "@mcp.tool(name='delete\u200b_rope')"))
    assert fix(named, "hidden-characters") == named


SUPPRESSIONS = [
    ("@mcp.tool()", "# mcp-review: ignore[tool-name-style] it is so\n@mcp.tool()"),
    ('mcp = FastMCP("ropes")', 'mcp = FastMCP("ropes")  # mcp-review: ignore[tool-name-style] it is so'),
]


@pytest.mark.parametrize(("clean", "idle"), SUPPRESSIONS)
def test_an_idle_suppression_goes_with_its_line(fix, clean, idle):
    assert fix(swapped(HIGH, (clean, idle)), "suppression-unused", "tool-name-style") == HIGH


@pytest.mark.parametrize(
    "idle", ["ignore[tool-name-style] so  # noqa", "ignore[purpose-not-told] so", "ignore[NAM-002] so"]
)
def test_a_suppression_that_says_more_or_may_be_of_use_stays(fix, idle):
    server = swapped(HIGH, ("@mcp.tool()", f"# mcp-review: {idle}\n@mcp.tool()"))
    assert fix(server, "suppression-unused", "tool-name-style", "purpose-not-told") == server


LIST = '''from typing import Annotated

from mcp.server.fastmcp import FastMCP
from pydantic import Field

mcp = FastMCP("ropes")


@mcp.tool()
def list_ropes(limit: Annotated[int, Field(description="How many ropes, TOLD.")] = 20) -> list[dict]:
    """List the ropes, the longest first."""
    return ROPES[:limit]
'''


def test_a_cut_is_clamped_at_what_is_promised(fix):
    server = swapped(LIST, ("TOLD", "at most 50"))
    assert fix(server, "limit-unbounded") == swapped(server, ("[:limit]", "[:min(limit, 50)]"))


@pytest.mark.parametrize("told", ["twenty of them", "as many as you like"])
def test_a_cut_without_a_promise_has_no_certain_bound(fix, told):
    server = swapped(LIST, ("TOLD", told))
    assert fix(server, "limit-unbounded", unsafe=True) == server


def test_a_sleep_is_awaited_in_an_async_function(fix):
    sleeping = swapped(
        HIGH, ("def delete_rope", "async def delete_rope"), ("return gone(id)", "time.sleep(3)\n    return id")
    )
    sleeping = f"import time\n{sleeping}"
    mended = swapped(
        sleeping, ("time.sleep(3)", "await asyncio.sleep(3)"), ("import time\n", "import asyncio\nimport time\n")
    )
    assert fix(sleeping, "blocking-call-in-async") == sleeping
    assert fix(sleeping, "blocking-call-in-async", unsafe=True) == mended
    within = swapped(sleeping, ("    time.sleep(3)\n", "    def wait():\n        time.sleep(3)\n    wait()\n"))
    assert fix(within, "blocking-call-in-async", unsafe=True) == within
