from pathlib import Path

import pytest
from python_projects import LOW, review

GUARD = LOW + "def respond(action, value):\n    return value\n"


class TestEnvelopes:
    @pytest.mark.parametrize(
        ("body", "keys"),
        [
            ('return {"_truncated": True, "preview": x(), "full_action": a}', {"_truncated", "preview", "full_action"}),
            ("return dict(_truncated=True, full_params=None)", {"_truncated"}),
            ('v = {"preview": x()}\n    v["_truncated"] = True\n    return v', {"_truncated", "preview"}),
            ('v = {}\n    v.update({"_truncated": True}, preview=x())\n    return v', {"_truncated", "preview"}),
        ],
    )
    def test_keys(self, tmp_path: Path, body: str, keys: set[str]) -> None:
        (found,) = review(tmp_path, f"{GUARD}def short(text, a):\n    {body}\n").envelopes
        assert found.keys == keys

    @pytest.mark.parametrize(
        "body",
        ['return value["_truncated"]', 'return value.get("_truncated")', 'return {"_truncated": {"type": "boolean"}}'],
    )
    def test_what_only_speaks_of_it(self, tmp_path: Path, body: str) -> None:
        assert review(tmp_path, f"{GUARD}def short(value):\n    {body}\n").envelopes == ()

    @pytest.mark.parametrize(
        ("preview", "length"),
        [
            ("text[:300]", 300),
            ("text[0 : 2 * HALF]", 500),
            ("text[:min(len(text), 400)]", 400),
            ("head(text)", 90),
            ("head(text, 80)", 80),
            ("f'{text:.600}'", 600),
            ("text[-300:]", None),
            ("fetched(text)", None),
        ],
    )
    def test_previews(self, tmp_path: Path, preview: str, length: int | None) -> None:
        helper = "HALF = 250\ndef head(text, most=90):\n    return text[:most]\n"
        code = f'{GUARD}{helper}def short(text):\n    return {{"_truncated": True, "preview": {preview}}}\n'
        (found,) = review(tmp_path, code).envelopes
        assert found.preview == length


class TestGuards:
    @pytest.mark.parametrize(
        ("body", "unsigned"),
        [
            ("return value", True),
            ('value["_meta"]["request_id"] = new_id()\n    return value', False),
            ('return {**value, "_meta": {"request_id": new_id()}}', False),
            ('return {**value, "_meta": {"id": new_id()}}', True),
        ],
    )
    def test_request_id(self, tmp_path: Path, body: str, *, unsigned: bool) -> None:
        (guard,) = review(tmp_path, f"{LOW}def respond(action, value):\n    {body}\n").guards
        assert bool(guard.unsigned) is unsigned

    def test_in_a_module_that_declares_no_tool(self, tmp_path: Path) -> None:
        files = {"server.py": LOW, "core/answers.py": "def respond(action, value):\n    return value\n"}
        assert [each.span.path for each in review(tmp_path, files).guards] == ["core/answers.py"]

    @pytest.mark.parametrize(
        "code", ["def respond(self):\n    return 1\n", "def respond(stream, text):\n    stream.write(text)\n"]
    )
    def test_other_functions_of_the_name(self, tmp_path: Path, code: str) -> None:
        assert review(tmp_path, LOW + code).guards == ()


class TestResults:
    def test_where_they_are_built(self, tmp_path: Path) -> None:
        code = (
            "from mcp.types import CallToolResult, TextContent\n"
            + GUARD
            + (
                "def dispatch(action):\n"
                "    if action == 'ping':\n        return [TextContent(type='text', text='pong')]\n"
                "    if action == 'one':\n        return wrap(respond('one', {}))\n"
                "    return CallToolResult(content=[], isError=True)\n"
                "def wrap(value):\n    return CallToolResult(content=[TextContent(type='text', text=str(value))])\n"
            )
        )
        (dispatch,) = review(tmp_path, code).dispatches
        found = [(way.built, way.written, "respond" in way.through) for arm in dispatch.arms for way in arm.exits]
        assert found == [("[TextContent(type='text', text='pong')]", True, False), (None, False, True)]


class TestHandlers:
    def test_chosen_by_the_name_of_a_tool(self, tmp_path: Path) -> None:
        code = GUARD + (
            "@app.list_tools()\nasync def listed():\n    return [Tool(name='one', inputSchema={}), Tool(name='two', inputSchema={})]\n"
            "def handle(name):\n    if name == 'one':\n        return respond(name, {})\n    elif name == 'two':\n        return {}\n"
        )
        found = review(tmp_path, code).handlers
        assert [(each.name, ["respond" in way.through for way in each.exits]) for each in found] == [
            ("one", [True]),
            ("two", [False]),
        ]
