"""The object that holds the arguments of a call: whichever name is asked for is an argument of that name."""

import pytest
from traced import calls, given, trace

from reviewer.code.parts import show_value
from reviewer.code.state import State
from reviewer.code.values import ClientArguments, Label, Value, build_constant

INPUT = Value(("input",), frozenset({Label("request", "arguments")}), contents=ClientArguments())

WAYS = {
    "item": "probe(arguments['limit'])",
    "get": "probe(arguments.get('limit'))",
    "get or else": "probe(arguments.get('limit', 20))",
    "pop": "probe(arguments.pop('limit', None))",
    "beside what was written": "arguments['other'] = 1\n    probe(arguments['limit'])",
    "copied": "given = dict(arguments)\n    probe(given['limit'])",
    "in a helper": "helper(arguments)",
    "spread": "spread(**arguments)",
    "spread again": "again(**arguments)",
    "into a class": "probe(Input(**arguments).limit)",
}
CODE = """
from dataclasses import dataclass
from elsewhere import probe

@dataclass
class Input:
    limit: int
    other: str = ""

def helper(given):
    probe(given["limit"])

def spread(limit, other=None):
    probe(limit)

def again(**given):
    spread(**given)

def tool(arguments: dict):
    {way}
"""


@pytest.mark.parametrize("name", WAYS)
def test_an_entry_is_the_argument_of_that_name(tmp_path, name: str):
    found = trace(tmp_path, CODE.format(way=WAYS[name]), arguments=INPUT)
    assert given(found, "elsewhere.probe") == {"limit"}


def test_what_is_taken_by_no_name_is_the_input_as_a_whole(tmp_path):
    found = trace(tmp_path, CODE.format(way="for each in arguments.values():\n        probe(each)"), arguments=INPUT)
    assert given(found, "elsewhere.probe") == {"arguments"}


def test_a_value_is_followed_to_the_caller_that_has_it(tmp_path):
    found = trace(tmp_path, CODE.format(way="helper({'limit': arguments['most']})"), arguments=INPUT)
    (probe,) = calls(found, "elsewhere.probe")
    caller, value = probe.trace_source(probe.event.arguments[0])
    assert value.term == ("argument", "most")
    assert caller.caller is None


MODEL = """
from dataclasses import dataclass
from elsewhere import probe

@dataclass
class Input:
    kind: str | None = None

def tool(given: Input):
    {code}
"""


@pytest.mark.parametrize(
    ("code", "is_reached"),
    [
        ("if given.kind is None:\n        raise ValueError('kind')\n    probe(given)", True),
        ("if given.kind:\n        probe(given)", True),
        ("if Input().kind is not None:\n        probe(given)", False),
    ],
    ids=["a test that fails", "a test", "an object that is made here"],
)
def test_a_default_says_nothing_of_an_object_that_somebody_else_made(tmp_path, code: str, is_reached: bool):
    found = trace(tmp_path, MODEL.format(code=code))
    assert any(each.is_possible() for each in calls(found, "elsewhere.probe")) == is_reached


class Supposed(ClientArguments):
    """The arguments of a run that supposes something of them."""

    __slots__ = ()


def test_what_is_supposed_of_arguments_is_shown_though_something_was_written_into_them():
    request = Value(("input",), contents=Supposed())
    state = State()
    state.write(request, "other", build_constant(1))
    assert isinstance(show_value(request, state).contents, Supposed)
