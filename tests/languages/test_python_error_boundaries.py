from pathlib import Path

import pytest
from python_projects import LOW, review

from reviewer.facts import CallEntry, ErrorBoundary
from reviewer.source import Opaque

HEAD = f"""{LOW}
import logging, traceback

@app.list_tools()
async def tools():
    return [Tool(name='read', description='Read', inputSchema={{'type': 'object'}})]

@app.call_tool()
async def call(name, arguments):
"""


def entry(root: Path, body: str, rest: str = "") -> CallEntry | None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (server,) = review(root, f"{HEAD}{lines}\n\n{rest}\n").servers
    return server.entry


def rescued(root: Path, clause: str) -> ErrorBoundary:
    lines = "\n".join(f"        {line}" for line in clause.splitlines())
    text = f"{HEAD}    try:\n        return await handle(name, arguments)\n    except Exception as error:\n{lines}\n"
    (found,) = review(root, text).error_boundaries
    return found


class TestEntries:
    @pytest.mark.parametrize(
        ("body", "isolated"),
        [
            ("return await handle(name, arguments)", False),
            ("try:\n    return await handle(name, arguments)\nexcept Exception:\n    return failed()", True),
            ("try:\n    return await handle(name, arguments)\nexcept:\n    return failed()", True),
            ("try:\n    return await handle(name, arguments)\nexcept KeyError:\n    return failed()", False),
            ("try:\n    return await handle(name, arguments)\nexcept Exception as e:\n    raise e", False),
            ("try:\n    value = await handle(name, arguments)\nfinally:\n    done()\nreturn value", False),
            (
                "try:\n    value = await handle(name, arguments)\nexcept (KeyError, Exception):\n    return failed()\nreturn str(value)",
                True,
            ),
        ],
    )
    def test_a_try_around_the_handlers(self, tmp_path: Path, body: str, isolated: bool) -> None:
        found = entry(tmp_path, body)
        assert found is not None
        assert found.name == "call"
        assert bool(found.isolation) is isolated

    def test_unknown_where_nothing_could_fail(self, tmp_path: Path) -> None:
        found = entry(tmp_path, "return [TextContent(type='text', text=name)]")
        assert found is not None
        assert isinstance(found.isolation[0], Opaque)

    def test_the_wrapper_may_be_a_call_away(self, tmp_path: Path) -> None:
        rest = (
            "async def kept(work):\n    try:\n        return await work\n    except Exception:\n        return failed()"
        )
        found = entry(tmp_path, "return await kept(handle(name, arguments))", rest)
        assert found is not None
        assert [str(each) for each in found.isolation] == ["except Exception:"]


class TestRescues:
    @pytest.mark.parametrize(
        ("clause", "leak", "specific", "logs"),
        [
            ("return 'failed'", None, None, False),
            ("logging.exception('it')\nreturn 'failed'", None, None, True),
            ("traceback.print_exc()\nreturn 'failed'", None, None, True),
            ("return str(error)", None, "str(error)", False),
            ("return [f'failed: {error}']", None, "f'failed: {error}'", False),
            ("why = repr(error)\nreturn why", None, "why", False),
            ("raise RuntimeError('failed') from error", None, None, False),
            ("return type(error).__name__", None, None, False),
            ("return traceback.format_exc()", "traceback.format_exc()", None, False),
            ("logging.error(traceback.format_exc())\nreturn 'failed'", None, None, True),
        ],
    )
    def test_what_a_dispatcher_answers(
        self, tmp_path: Path, clause: str, leak: str | None, specific: str | None, logs: bool
    ) -> None:
        found = rescued(tmp_path, clause)
        assert (found.leak, found.specific, found.log is not None) == (leak, specific, logs)
        assert (found.kind, found.in_handler) == ("exception", False)

    def test_a_wrapper_that_raises_what_it_caught(self, tmp_path: Path) -> None:
        rest = "async def kept(work):\n    try:\n        return await work\n"
        rest += "    except Exception as error:\n        raise RuntimeError(str(error)) from error\n"
        (found,) = review(tmp_path, f"{HEAD}    return await kept(handle(name, arguments))\n\n{rest}").error_boundaries
        assert found.specific == "str(error)"
