"""Cursors by what code does with them: which arguments, and under which keys of the answer the next one stands."""

import pytest
from traced import trace

from reviewer.behaviour.paging.page_marks import NONE, PageMarks, find_page_marks
from reviewer.files.discovery import Tree
from reviewer.languages.python.evaluation.project_evaluator import ProjectEvaluator
from reviewer.languages.python.project.modules import Modules
from reviewer.languages.python.project.program import PythonProgram

HEAD = "import json\nROWS = fetched()\n\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "def tool(after):\n    start = int(after)\n    return {'rows': ROWS[start:start + 9], 'next': start + 9}\n",
            PageMarks(frozenset({"after"}), frozenset({"next"})),
        ),
        (
            "def tool(place):\n    start = json.loads(place)['at']\n    return {'rows': ROWS[start:], 'next_place': start}\n",
            PageMarks(frozenset({"place"}), frozenset({"next_place"})),
        ),
        ("def tool(after):\n    start = int(after)\n    return {'rows': ROWS[start:], 'next_steps': start}\n", NONE),
        ("def tool(after):\n    return {'rows': ROWS[after:], 'next': after + 9}\n", NONE),
        ("def tool(limit):\n    size = int(limit)\n    return {'rows': ROWS[size:], 'next': size}\n", NONE),
        (
            "def tool(action, cursor):\n"
            "    start = int(cursor) + int(action)\n"
            "    return {'rows': ROWS[start:], 'next_cursor': start}\n",
            NONE,
        ),
        (
            "def tool(paper, start):\n"
            "    at = int(paper) + int(start)\n"
            "    return {'rows': ROWS[at:], 'next_start': at}\n",
            PageMarks(frozenset({"start"}), frozenset({"next_start"})),
        ),
        (
            "def tool(paper, start):\n    at = int(paper) + int(start)\n    return {'rows': ROWS[at:], 'next': at}\n",
            NONE,
        ),
        (
            "def tool(call, given: dict[str, str]):\n"
            "    start = int(given['after'])\n"
            "    return {'rows': ROWS[start:], 'next': start}\n",
            NONE,
        ),
        (
            "def tool(name):\n"
            "    start = int(json.loads(open(name).read()))\n"
            "    return {'rows': ROWS[start:], 'next_name': start}\n",
            NONE,
        ),
    ],
    ids=[
        "by next",
        "by its own name",
        "what to do next",
        "a number",
        "a size",
        "beside a cursor",
        "one of two",
        "any of two",
        "all that is given",
        "what a file says",
    ],
)
def test_marks(tmp_path, code: str, expected: PageMarks) -> None:
    program = PythonProgram(ProjectEvaluator(Modules({}), Tree(tmp_path)))
    assert find_page_marks(trace(tmp_path, HEAD + code), program) == expected
