from pathlib import Path

import pytest
from python_projects import OLDER, review, tool

from reviewer.facts import Limit

HELPERS = """
import logging

logger = logging.getLogger(__name__)
MOST = 100

def everything(params):
    return [item for item in store() if item.kind == params.get("kind")]

def some(params):
    return store()[: params["limit"]]

def check(n):
    if n > MOST:
        raise ValueError("too many")
"""


def listing(body: str, head: str = "limit: int = 20, cursor: str | None = None") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{OLDER}\n@mcp.tool()\nasync def list_items({head}):\n    '''List items.'''\n{lines}\n{HELPERS}"


class TestPaged:
    @pytest.mark.parametrize(
        "body",
        [
            "return items(limit)",
            "return items(limit=limit, cursor=cursor)",
            "size = max(1, min(limit, 100))\nreturn items()[:size]",
            "return await fetch({'size': limit})",
            "return await fetch(f'/items?limit={limit}')",
            "return [item for item in islice(items(), limit)]",
            "page = Page(limit, cursor)\nreturn page.cut(items())",
            "if limit:\n    return items()[:limit]\nreturn []",
            "return items(**locals())",
            "found, following = await items(limit)\nreturn {'items': found, 'next_cursor': following}",
            "return query('SELECT id FROM item LIMIT 20')",
        ],
    )
    def test_pages(self, tmp_path: Path, body: str) -> None:
        handler = tool(tmp_path, listing(body)).handler
        assert handler is not None
        assert handler.paged

    @pytest.mark.parametrize(
        "body",
        [
            "return items()",
            "_ = limit, cursor\nreturn items()",
            "del limit, cursor\nreturn items()",
            "limit = max(1, min(limit, 100))\nreturn items()",
            "logger.info('at most %s', limit)\nreturn items()",
            "return {'items': items(), 'next_cursor': None, 'limit': limit}",
            "found = items()\nfollowing = encode(limit) if len(found) > limit else None\n"
            "return {'items': found, 'next_cursor': following}",
            "out = {'items': items()}\nout['next_cursor'] = encode(limit)\nreturn out",
        ],
    )
    def test_gives_everything(self, tmp_path: Path, body: str) -> None:
        handler = tool(tmp_path, listing(body)).handler
        assert handler is not None
        assert not handler.paged

    def test_requests_are_followed(self, tmp_path: Path) -> None:
        code = """
from mcp.server.lowlevel import Server
app = Server('items')

async def dispatch(action, params):
    if action == 'a.list':
        return respond(action, everything(params))
    if action == 'b.list':
        return respond(action, some(params))
    if action == 'c.list':
        return respond(action, outside(params))
    raise ValueError(action)
"""
        (dispatch,) = review(tmp_path, code + HELPERS).dispatches
        assert {str(arm.name): arm.paged for arm in dispatch.arms} == {"a.list": False, "b.list": True, "c.list": True}


def limits(root: Path, body: str, head: str = "limit: int | None = None") -> list[Limit]:
    return list(review(root, listing(body, head)).limits)


class TestLimits:
    @pytest.mark.parametrize(
        ("body", "default", "cap"),
        [
            ("return items(max(1, min(limit or 20, 100)))", 20, 100),
            ("return items(min(limit or 30, MOST))", 30, 100),
            ("return items(50 if limit is None else min(limit, 2 * MOST))", 50, 200),
            ("if limit is None:\n    limit = 40\nreturn items(limit)", 40, None),
            ("if limit > 500:\n    limit = 500\nreturn items(limit)", None, 500),
        ],
    )
    def test_numbers(self, tmp_path: Path, body: str, default: int | None, cap: int | None) -> None:
        found = limits(tmp_path, body)
        assert not any(limit.refuses for limit in found)
        assert [limit.default for limit in found if limit.default is not None] == ([default] if default else [])
        assert [limit.cap for limit in found if limit.cap is not None] == ([cap] if cap else [])

    @pytest.mark.parametrize(
        "head", ["limit: int = 33", "limit: Annotated[int, Field(description='x')] = 33", "limit: int = Field(33)"]
    )
    def test_defaults_of_parameters(self, tmp_path: Path, head: str) -> None:
        assert [limit.default for limit in limits(tmp_path, "return items(limit)", head)] == [33]

    @pytest.mark.parametrize(
        "body",
        [
            "if limit > MOST:\n    raise ValueError('limit')\nreturn items(limit)",
            "if not 1 <= limit <= 100:\n    return {'error': 'limit'}\nreturn items(limit)",
            "if limit in range(1, 101):\n    return items(limit)\nraise ValueError('limit')",
            "assert limit <= MOST\nreturn items(limit)",
            "too_many = limit > 100\nif too_many:\n    raise ValueError('limit')\nreturn items(limit)",
            "check(limit)\nreturn items(limit)",
            "match limit:\n    case n if n > 100:\n        raise ValueError('limit')\nreturn items(limit)",
        ],
    )
    def test_refusals(self, tmp_path: Path, body: str) -> None:
        assert [limit.refuses for limit in limits(tmp_path, body)] == [True]

    @pytest.mark.parametrize(
        "body",
        [
            "if limit is None:\n    raise ValueError('limit is missing')\nreturn items(limit)",
            "found = items(limit)\nif len(found) > limit:\n    raise ValueError('too many')\nreturn found",
            "if rate_limit > 100:\n    raise ValueError('slow down')\nreturn items(limit)",
            "if limit > 100:\n    logger.warning('large')\nreturn items(limit)",
        ],
    )
    def test_no_refusals(self, tmp_path: Path, body: str) -> None:
        assert not any(limit.refuses for limit in limits(tmp_path, body))


class TestCursors:
    @pytest.mark.parametrize(
        ("code", "unstable"),
        [
            ("import uuid\nfollowing = str(uuid.uuid4())", "uuid.uuid4()"),
            ("import time\nnow = time.time()\nfollowing = f'{now}:{limit}'", "time.time()"),
            ("following = hash(cursor)", "hash(cursor)"),
            ("following = encode(limit, 'name')", None),
            ("following = str(uuid.uuid5(SPACE, 'name'))", None),
            ("began = time.time()\nlogger.info(began)\nfollowing = encode(limit)", None),
            ("found = [x for x in items() if x.end > datetime.now()]\nfollowing = encode(found[-1].id)", None),
        ],
    )
    def test_sources(self, tmp_path: Path, code: str, unstable: str | None) -> None:
        project = review(tmp_path, listing(f"{code}\nreturn {{'items': items(limit), 'next_cursor': following}}"))
        assert [cursor.unstable for cursor in project.cursors if cursor.unstable is not None] == (
            [unstable] if unstable else []
        )
