from pathlib import Path
from textwrap import dedent, indent

import pytest

from reviewer.facts import Project
from reviewer.files.discovery import discover_files
from reviewer.languages import read

CATALOG = """
from dataclasses import dataclass

@dataclass
class ActionSpec:
    name: str
    description: str
    destructive: bool = False

ACTIONS = [
    ActionSpec("book.list", "List"),
    ActionSpec("book.burn", "Burn it", destructive=True),
    ActionSpec("book.drop", "Drop it", destructive=True),
]
"""
HANDLERS = """
async def run(action, params):
    match action:
        case "book.list":
            return respond(action, [])
        case "book.burn":
            return respond(action, burn(params))
        case "book.drop":
            return respond(action, drop(params))
    raise KeyError(action)
"""
SERVER = """
import asyncio
import contextlib
import logging

from mcp.server.elicitation import AcceptedElicitation
from mcp.server.fastmcp import Context, FastMCP

from catalog import ACTIONS
from handlers import run

mcp = FastMCP("books")
log = logging.getLogger(__name__)
LOSING = ("book.burn", "book.drop")

def is_destructive(action):
    return any(spec.name == action and spec.destructive for spec in ACTIONS)

def find(action):
    return next((spec for spec in ACTIONS if spec.name == action), None)

def is_cheap(action):
    return any(spec.name == action and spec.cheap for spec in ACTIONS)
{helper}

@mcp.tool()
async def book(action: str, context: Context, params: dict | None = None) -> dict:
    spec = find(action)
{body}
    return await run(action, params)
"""
RAISES = """
async def confirmed(context, action):
    answer = await context.elicit(f"{action}?", schema=Confirm)
    if answer.action != "accept" or not answer.data.confirm:
        raise ToolError("refused")
"""
BOOL = """
async def confirmed(context, action) -> bool:
    match await context.elicit(f"{action}?", schema=Confirm):
        case AcceptedElicitation(data=data):
            return data.confirm
        case _:
            return False
"""
GOOD = [
    (RAISES, "if is_destructive(action):\n    await confirmed(context, action)"),
    (RAISES, "if spec.destructive:\n    await confirmed(context, action)"),
    (RAISES, "risky = spec.destructive\nif risky:\n    await confirmed(context, action)"),
    (RAISES, "if action in LOSING:\n    await confirmed(context, action)"),
    (RAISES, 'if action in ("book.burn", "book.drop"):\n    await confirmed(context, action)'),
    (RAISES, 'if action.endswith((".burn", ".drop")):\n    await confirmed(context, action)'),
    (RAISES, "if not spec.destructive:\n    return await run(action, params)\nawait confirmed(context, action)"),
    (RAISES, "if not action:\n    return {'error': 'no action'}\nawait confirmed(context, action)"),
    (RAISES, "await confirmed(context, action)"),
    (BOOL, "if spec.destructive and not await confirmed(context, action):\n    raise ToolError('no')"),
    (BOOL, "if spec.destructive:\n    sure = await confirmed(context, action)\n    if not sure:\n        return {'error': 'no'}"),
    (BOOL, "if spec.destructive and not (sure := await confirmed(context, action)):\n    raise ToolError('no')"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    if answer.action == 'accept' and answer.data.confirm:\n        return await run(action, params)\n    return {'error': 'no'}"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    if not isinstance(answer, AcceptedElicitation):\n        raise ToolError('no')"),
    ("", "if spec.destructive:\n    answer = await context.session.elicit('?', {})\n    if answer.action in ('decline', 'cancel'):\n        raise ToolError('no')"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    match answer.action:\n        case 'accept':\n            pass\n        case 'decline' | 'cancel':\n            raise ToolError('no')"),
    ("", "if spec.destructive:\n    try:\n        answer = await context.elicit('?', schema=Confirm)\n    except McpError:\n        raise ToolError('cannot ask') from None\n    if answer.action != 'accept':\n        raise ToolError('no')"),
]  # fmt: skip
UNREACHED = [
    (RAISES, "pass"),
    (RAISES, "if False:\n    await confirmed(context, action)"),
    (RAISES, "if not spec.destructive:\n    await confirmed(context, action)"),
    (RAISES, "if spec.destructive:\n    pass\nelse:\n    await confirmed(context, action)"),
    (RAISES, "if action == 'help':\n    await confirmed(context, action)"),
    (RAISES, "match action:\n    case 'book.list':\n        await confirmed(context, action)"),
    (RAISES, "if spec.destructive:\n    return await run(action, params)\nawait confirmed(context, action)"),
    (RAISES, "return await run(action, params)\nawait confirmed(context, action)"),
]  # fmt: skip
HEEDLESS = [
    (RAISES, "if spec.destructive:\n    with contextlib.suppress(ToolError):\n        await confirmed(context, action)"),
    (BOOL, "if spec.destructive:\n    await confirmed(context, action)"),
    (BOOL, "if spec.destructive and not await confirmed(context, action):\n    log.warning('declined')"),
    (BOOL, "if spec.destructive:\n    sure = await confirmed(context, action)\n    log.info('%s', sure)"),
    (BOOL.replace("return False", "return True"), "if spec.destructive and not await confirmed(context, action):\n    raise ToolError('no')"),
    (RAISES, "if spec.destructive:\n    try:\n        await confirmed(context, action)\n    except ToolError:\n        log.warning('declined')"),
    (RAISES, "if spec.destructive:\n    asyncio.create_task(confirmed(context, action))"),
    (RAISES.replace('raise ToolError("refused")', 'log.warning("refused")'), "if spec.destructive:\n    await confirmed(context, action)"),
    ("", "if spec.destructive:\n    await context.elicit('?', schema=Confirm)"),
    ("", "if spec.destructive:\n    _ = await context.elicit('?', schema=Confirm)"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    if answer.action == 'decline':\n        log.warning('declined')"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    if answer.action == 'accept':\n        log.info('fine')"),
    ("", "if spec.destructive:\n    answer = await context.elicit('?', schema=Confirm)\n    match answer.action:\n        case 'accept':\n            pass\n        case 'decline':\n            return await run(action, params)"),
]  # fmt: skip


OPEN = [
    (RAISES, "if not is_destructive(action.strip(str())):\n    await confirmed(context, action)"),
    (RAISES, "if TYPE_CHECKING and spec.destructive:\n    await confirmed(context, action)"),
    (RAISES, "if is_cheap(action):\n    await confirmed(context, action)"),
    (RAISES, "if verbose:\n    await confirmed(context, action)"),
]  # fmt: skip


def _read(root: Path, helper: str = "", body: str = "pass", **files: str) -> Project:
    given = {"catalog": CATALOG, "handlers": HANDLERS, **files}
    if "server" not in given:
        given["server"] = SERVER.format(helper=helper, body=indent(body, "    "))
    for name, text in given.items():
        (root / f"{name}.py").write_text(dedent(text), "utf-8")
    return read(discover_files(root))


def _goes_on(project: Project) -> set[bool | None]:
    return {each.goes_on for each in project.consents}


@pytest.mark.parametrize(("helper", "body"), GOOD)
def test_a_question_on_the_way(tmp_path: Path, helper: str, body: str) -> None:
    assert True not in _goes_on(_read(tmp_path, helper, body))


@pytest.mark.parametrize(("helper", "body"), [*UNREACHED, *HEEDLESS])
def test_carried_out_whatever_the_user_says(tmp_path: Path, helper: str, body: str) -> None:
    assert True in _goes_on(_read(tmp_path, helper, body))


@pytest.mark.parametrize(("helper", "body"), OPEN)
def test_what_only_a_run_tells(tmp_path: Path, helper: str, body: str) -> None:
    assert _goes_on(_read(tmp_path, helper, body)) == {None}


def test_a_question_in_an_arm_stands_before_that_action(tmp_path: Path) -> None:
    handlers = HANDLERS.replace('case "book.burn":\n', 'case "book.burn":\n            await ask(params, action)\n')
    project = _read(tmp_path, handlers=RAISES.replace("confirmed", "ask") + handlers)
    assert {(each.action, each.goes_on) for each in project.consents} == {("book.burn", False), ("book.drop", True)}


class TestDispatches:
    def test_catalog_and_dispatch_lie_in_files_of_their_own(self, tmp_path: Path) -> None:
        project = _read(tmp_path)
        assert [row.name for table in project.catalogs for row in table.actions] == [
            "book.list",
            "book.burn",
            "book.drop",
        ]
        assert [(each.name, each.open, len(each.arms)) for each in project.dispatches] == [("run", False, 3)]

    @pytest.mark.parametrize(
        "code",
        [
            'if action == "book.list":\n    return one()\nelif "book.burn" == action:\n    return two()\nraise KeyError(action)',
            'if action in ("book.list",):\n    return one()\nif request.action in {"book.burn"}:\n    return two()\nraise KeyError(action)',
            'match action:\n    case "book.list":\n        return one()\n    case "book.burn" if params:\n        return two()\n    case _:\n        raise KeyError(action)',
            'try:\n    match action:\n        case "book.list":\n            return one()\n        case "book.burn":\n            return two()\nfinally:\n    end()',
            "return TABLE[action](params)",
            "handler = TABLE.get(action)\nreturn handler(params)",
            'if action == LIST:\n    return one()\nif action == "book.burn":\n    return two()\nreturn {"error": action}',
        ],
    )  # fmt: skip
    def test_ways_to_choose(self, tmp_path: Path, code: str) -> None:
        head = """
        LIST = "book.list"
        def one(params): return params
        def two(params): return params
        TABLE = {"book.list": one, "book.burn": two}
        """
        project = _read(tmp_path, handlers=dedent(head) + "def run(action, params):\n" + indent(code, "    "))
        (found,) = project.dispatches
        assert ([arm.name for arm in found.arms], found.open) == (["book.list", "book.burn"], False)

    def test_a_dispatch_that_hands_the_rest_on_is_open(self, tmp_path: Path) -> None:
        code = 'if action == "book.list":\n    return one()\nif action == "book.burn":\n    return two()\nreturn remote(action, params)'
        project = _read(tmp_path, handlers="def run(action, params):\n" + indent(code, "    "))
        assert [each.open for each in project.dispatches] == [True]

    @pytest.mark.parametrize(
        "code",
        [
            'def run(action) -> bool:\n    if action == "book.list":\n        return True\n    if action == "book.burn":\n        return False',
            'def run(action):\n    if action in ("book.list", "book.burn"):\n        return one()',
            'def run(action):\n    if action == "book.list":\n        return "read"\n    if action == "book.burn":\n        return "write"',
            'def run(name):\n    if name == "book.list":\n        return one()\n    if name == "book.burn":\n        return two()',
        ],
    )  # fmt: skip
    def test_what_is_no_dispatch(self, tmp_path: Path, code: str) -> None:
        assert _read(tmp_path, handlers=code).dispatches == ()


class TestCatalogs:
    @pytest.mark.parametrize(
        "rows",
        [
            'ACTIONS = [{"name": "book.list", "destructive": False}, {"name": "book.burn", "destructive": True, "idempotent": True}]',
            'CATALOG = {"book.list": {"destructive": False}, "book.burn": {"destructive": True, "idempotent": True}}',
            'BOOK_ACTIONS = ({"name": "book.list"}, dict(name="book.burn", destructive=True, idempotent=True))',
        ],
    )
    def test_rows_that_are_dicts(self, tmp_path: Path, rows: str) -> None:
        (catalog,) = _read(tmp_path, catalog=rows, server="import mcp\nfrom catalog import *").catalogs
        assert [each.name for each in catalog.actions] == ["book.list", "book.burn"]
        assert (catalog.actions[1].destructive, catalog.actions[1].idempotent, catalog.domain) == (
            True,
            True,
            "catalog",
        )

    def test_dicts_of_another_kind(self, tmp_path: Path) -> None:
        rows = 'STYLES = [{"name": "red", "destructive": True}]\nACTIONS = {"start": "destructive"}\nACTIONS_LEFT = 3'
        assert _read(tmp_path, catalog=rows).catalogs == ()
