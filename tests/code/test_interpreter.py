"""The abstract run, on functions that are written in Python."""

from math import inf
from typing import cast

import pytest

from reviewer.code.events import Called, Event, Returned
from reviewer.code.program import Program
from reviewer.code.run import RunBounds
from reviewer.code.values import Interval
from tests.code.traced import calls, cut, given, returned, trace

BOUNDED = {
    "if": "if limit > 100:\n    limit = 100",
    "turned round": "if 100 < limit:\n    limit = 100",
    "negated": "if not limit <= 100:\n    limit = 100",
    "else": "if limit <= 100:\n    pass\nelse:\n    limit = 100",
    "conditional expression": "limit = limit if limit < 100 else 100",
    "least": "limit = min(limit, 100)",
    "least, constant first": "limit = min(100, limit)",
    "both ends": "limit = max(1, min(limit, 100))",
    "named condition": "is_large = limit > 100\nif is_large:\n    limit = 100",
    "condition of two parts": "if limit is not None and limit > 100:\n    limit = 100",
    "either part": "if limit < 0 or limit > 100:\n    limit = 100",
    "named condition of two parts": "fits = 0 < limit and limit <= 100\nlimit = limit if fits else 100",
    "refusal": "if limit > 100:\n    raise ValueError('too many')",
    "assertion": "assert limit <= 100",
    "early return": "if limit > 100:\n    return []",
    "match": "match limit:\n    case n if n <= 100:\n        limit = n\n    case _:\n        limit = 100",
    "loop": "while limit > 100:\n    limit = limit - 1",
    "walrus": "if (asked := limit) > 100:\n    limit = 100",
    "alias": "few = limit\nif few > 100:\n    few = 100\nlimit = few",
    "alias that is tested": "few = limit\nif few > 100:\n    raise ValueError(few)",
    "tuple": "limit, _ = min(limit, 100), 0",
    "dictionary": "page = {'size': min(limit, 100)}\nlimit = page['size']",
    "helper": "limit = clamped(limit)",
    "helper that refuses": "check(limit)",
    "helper that tells": "if not fits(limit):\n    limit = 100",
    "helper of a helper": "limit = through(limit)",
    "object": "limit = Page(limit).size",
    "attribute that is set": "page = Page(limit)\nlimit = page.size",
    "closure": "def least(n):\n    return min(n, most)\nmost = 100\nlimit = least(limit)",
    "lambda": "limit = (lambda n: min(n, 100))(limit)",
    "constant of the module": "limit = min(limit, MOST)",
    "try": "try:\n    limit = min(int(limit), 100)\nexcept ValueError:\n    limit = 100",
}

HELPERS = """
MOST = 100

def clamped(n, most=MOST):
    if n > most:
        return most
    return n

def check(n):
    if n > MOST:
        raise ValueError("too many")

def fits(n):
    return n <= MOST

def through(n):
    return clamped(n)

class Page:
    def __init__(self, size):
        self.size = min(size, MOST)

ROWS = []
"""


def with_body(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{HELPERS}\ndef tool(limit):\n{lines}\n    return ROWS[:limit]\n"


@pytest.mark.parametrize("name", BOUNDED)
def test_a_bound_holds_however_it_is_written(tmp_path, name: str):
    found = cut(trace(tmp_path, with_body(BOUNDED[name])))
    assert found.high == 100
    assert not found.unsure


UNBOUNDED = {
    "nothing": "pass",
    "from below": "limit = max(limit, 1)",
    "of another": "other = limit\nother = min(other, 100)",
    "thrown away": "min(limit, 100)",
    "on one way only": "if ROWS:\n    limit = min(limit, 100)",
    "dead": "if False:\n    limit = 100",
    "wrong way round": "limit = max(limit, 100)",
    "refused below": "if limit < 0:\n    raise ValueError(limit)",
    "length": "limit = min(limit, len(ROWS))",
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_what_is_no_bound_is_told(tmp_path, name: str):
    found = cut(trace(tmp_path, with_body(UNBOUNDED[name])))
    assert (found.high, found.unsure) == (inf, False)


def test_a_bound_that_is_configured_is_unsure(tmp_path):
    code = "import settings_of_somebody as settings\nROWS = []\ndef tool(limit):\n    return ROWS[:min(limit, settings.most)]\n"
    assert cut(trace(tmp_path, code)) == Interval(-inf, inf, True)


FLOWS = {
    "call": "probe(text)",
    "text": "probe(f'<{text}>')",
    "sum": "probe('<' + text)",
    "format": "probe('<{}>'.format(text))",
    "list": "probe([1, text])",
    "dictionary": "probe({'a': {'b': text}})",
    "unpacked": "_, part = 1, text\nprobe(part)",
    "spread": "parts = [text]\nprobe(*parts)",
    "named spread": "parts = {'a': text}\nprobe(**parts)",
    "comprehension": "probe([part for part in [text]])",
    "loop": "for part in [text]:\n    probe(part)",
    "collected": "parts = []\nfor part in [text]:\n    parts.append(part)\nprobe(parts)",
    "object": "box = Box(text)\nprobe(box.held)",
    "method": "Box(text).send()",
    "kept": "box = Box('')\nbox.held = text\nprobe(box.held)",
    "helper": "send(text)",
    "given back": "probe(same(text))",
    "handed over": "twice(probe, text)",
    "partial": "functools.partial(send, text)()",
    "default": "probe(text or 'nothing')",
    "either": "probe(text if text else '')",
    "generator": "for part in parts_of(text):\n    probe(part)",
    "match": "match text:\n    case other:\n        probe(other)",
    "exception": "try:\n    raise ValueError(text)\nexcept ValueError as problem:\n    probe(problem)",
}

FLOWING = """
import functools
from elsewhere import probe

class Box:
    def __init__(self, held):
        self.held = held

    def send(self):
        probe(self.held)

def send(value):
    probe(value)

def same(value):
    return value

def twice(function, value):
    function(value)

def parts_of(value):
    yield value
"""


@pytest.mark.parametrize("name", FLOWS)
def test_an_argument_is_followed_however_it_is_handed_on(tmp_path, name: str):
    lines = "\n".join(f"    {line}" for line in FLOWS[name].splitlines())
    found = trace(tmp_path, f"{FLOWING}\ndef tool(text):\n{lines}\n")
    assert "text" in given(found, "elsewhere.probe")


ANNOTATIONS = {
    "class": "Box",
    "text": "'Box'",
    "or none": "Box | None",
    "optional": "Optional[Box]",
    "annotated": "Annotated[Box, 'what is sent']",
}


@pytest.mark.parametrize("name", ANNOTATIONS)
def test_a_parameter_is_an_object_of_its_declared_type(tmp_path, name: str):
    imports = "from typing import Annotated, Optional"
    code = f"{imports}\n{FLOWING}\ndef tool(text, box: {ANNOTATIONS[name]}):\n    box.held = text\n    box.send()\n"
    assert "text" in given(trace(tmp_path, code), "elsewhere.probe")


def test_a_parameter_that_a_helper_is_handed_is_one_too(tmp_path):
    code = f"{FLOWING}\ndef send_it(box: Box):\n    box.send()\ndef tool(text):\n    send_it(elsewhere(text))\n"
    assert "text" in given(trace(tmp_path, code), "elsewhere.probe")


def test_a_parameter_of_a_library_s_type_has_its_methods(tmp_path):
    code = "import requests\ndef tool(session: requests.Session, address: str):\n    session.get(address.strip())\n"
    found = trace(tmp_path, code)
    assert given(found, "requests.Session.get") == {"address"}
    assert calls(found, "str.strip")


def test_two_calls_of_one_function_are_told_apart(tmp_path):
    found = trace(
        tmp_path,
        """
        from elsewhere import probe

        def same(value):
            return value

        def tool(one, other):
            first = same(one)
            second = same(other)
            probe(first)
            return second
        """,
    )
    assert given(found, "elsewhere.probe") == {"one"}
    assert returned(found) == {"other"}


def test_a_function_that_several_call_says_for_each_where_its_values_come_from(tmp_path):
    found = trace(
        tmp_path,
        """
        from elsewhere import probe

        def send(value):
            probe(value)

        async def later(value):
            send(value)

        async def tool(one, other, third):
            send("nothing")
            send(one)
            send([other])
            waiting = later(third)
            await waiting
        """,
    )
    probes = [each for each in calls(found, "elsewhere.probe") if isinstance(each.event, Called)]
    origins = [{label.name for label in each.resolve_labels(each.event.arguments[0])} for each in probes]
    assert origins == [set(), {"one"}, {"other"}, {"third"}]
    assert len({id(each.event) for each in probes}) < len(probes)


def test_an_event_names_the_calls_that_lead_to_it(tmp_path):
    found = trace(
        tmp_path,
        """
        import time

        def slow(seconds):
            time.sleep(seconds)

        def tool(seconds):
            slow(seconds)
        """,
    )
    (sleep,) = calls(found, "time.sleep")
    assert [str(place.text) for place in sleep.build_call_path()] == ["slow(seconds)"]


def test_what_a_thread_does_is_told_as_such(tmp_path):
    found = trace(
        tmp_path,
        """
        import asyncio, time

        async def tool(seconds):
            await asyncio.to_thread(time.sleep, seconds)
            time.sleep(seconds)
        """,
    )
    assert [each.is_under("thread") for each in calls(found, "time.sleep")] == [True, False]


def test_what_nobody_waits_for_does_not_run(tmp_path):
    code = """
        import time

        async def slow():
            time.sleep(1)

        async def tool():
            {}
        """
    assert not calls(trace(tmp_path, code.format("slow()")), "time.sleep")
    assert calls(trace(tmp_path, code.format("await slow()")), "time.sleep")


def test_recursion_ends_and_is_said(tmp_path):
    found = trace(tmp_path, "def tool(n):\n    return tool(n - 1) if n else 0\n")
    assert [each.reason for each in found.iter_omissions()] == ["it calls itself"]


def test_calls_beyond_the_bound_are_said(tmp_path):
    helpers = "\n".join(f"def f{n}(x):\n    return f{n + 1}(x)" for n in range(5))
    found = trace(
        tmp_path, f"{helpers}\ndef f5(x):\n    return x\ndef tool(x):\n    return f0(x)\n", bounds=RunBounds(depth=3)
    )
    assert [each.reason for each in found.iter_omissions()] == ["more than 3 calls lead there"]


def test_work_beyond_the_bound_is_said(tmp_path):
    body = "\n".join(f"    x = x + {n}" for n in range(50))
    found = trace(tmp_path, f"def tool(x):\n{body}\n", bounds=RunBounds(statements=20))
    assert [each.reason for each in found.iter_omissions()] == ["the code takes too long to follow"]


def test_a_function_is_run_once_for_the_like(tmp_path):
    """Work grows with the code and not with the ways through it: thirty functions that call the next twice."""
    helpers = "\n".join(f"def f{n}(x):\n    f{n + 1}(x)\n    return f{n + 1}(x)" for n in range(10))
    found = trace(tmp_path, f"{helpers}\ndef f10(x):\n    return x\ndef tool(x):\n    return f0(x)\n")
    assert not list(found.iter_omissions())
    assert len(list(found.iter_occurrences())) < 100


GETTERS = {
    "property": "@property\n    def client(self):\n        return found(self.address)",
    "cached property": "@functools.cached_property\n    def client(self):\n        return found(self.address)",
    "static method": "@staticmethod\n    def client(value):\n        probe(value)",
}


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("property", "probe(shop.client)"),
        ("cached property", "probe(shop.client)"),
        ("static method", "shop.client(address)"),
    ],
)
def test_what_a_field_of_an_object_gives(tmp_path, name: str, use: str):
    found = trace(
        tmp_path,
        f"""import functools
from elsewhere import found, probe
class Shop:
    def __init__(self, address):
        self.address = address
    {GETTERS[name]}
def tool(address):
    shop = Shop(address)
    if shop.client:
        {use}
    else:
        probe("none")
""",
    )
    assert given(found, "elsewhere.probe") == {"address"}
    assert len(calls(found, "elsewhere.probe")) == (1 if name == "static method" else 2)


COPIES = {
    "as a dictionary": "dict(found)",
    "by its method": "found.copy()",
    "by the module": "copy.deepcopy(found)",
    "by a helper": "again(found)",
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_of_what_is_unknown_is_known_as_that_and_is_another_object(tmp_path, name: str):
    code = f"import copy\n\ndef again(it):\n    return dict(it)\n\ndef tool(key):\n    found = load(key)\n    return {COPIES[name]}"
    (value,) = [each.value for each in trace(tmp_path, code).events if isinstance(each, Returned)]
    assert isinstance(value.term, tuple)
    assert value.term[0] == "call"
    assert value.duplicate is not None


def test_what_is_deleted_is_no_longer_held(tmp_path):
    code = "def tool(key):\n    made = {'a': key, 'b': 1}\n    del made['a']\n    return made"
    (value,) = [each.value for each in trace(tmp_path, code).events if isinstance(each, Returned)]
    assert list(value.contents or {}) == ["b"]


KINDS = """
    class One: ...
    class Other: ...
    def tool(value):
        if isinstance(value, (One, Other)):
            if isinstance(value, One):
                first(value)
            else:
                second(value)
        elif isinstance(value, One):
            third(value)
    """


def test_a_tuple_of_classes_tells_of_none_of_them_which_it_is_but_excludes_all(tmp_path):
    found = trace(tmp_path, KINDS)
    assert [len(calls(found, each)) for each in ("first", "second", "third")] == [1, 1, 0]


def test_classes_that_are_the_keys_of_a_table_are_known_where_it_is_gone_through(tmp_path):
    found = trace(
        tmp_path,
        """
        class One: ...
        CODES = {One: "one", KeyError: "key"}
        def tool(value):
            for kind, code in CODES.items():
                probe(kind)
        """,
    )
    (asked,) = calls(found, "probe")
    assert {str(getattr(each, "name", "")) or each.path for each in asked.event.arguments[0].things} == {
        "One",
        "builtins.KeyError",
    }


LOOP = """
import asyncio
import threading

def is_on_loop():
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

def through():
    return is_on_loop()

def note():
    if not through():
        probe()

async def tool():
    note()
    asyncio.get_running_loop()
    try:
        import uvloop
    except ImportError:
        stand_in()

async def in_thread():
    note()
    await asyncio.to_thread(note)

def plain():
    note()

async def around():
    plain()
"""


@pytest.mark.parametrize(("function", "times"), [("tool", 0), ("in_thread", 1), ("plain", 1), ("around", 0)])
def test_a_clause_for_a_missing_event_loop_is_taken_where_none_may_run(tmp_path, function: str, times: int):
    found = trace(tmp_path, LOOP, function)
    assert len(calls(found, "probe")) == times


def test_a_clause_for_anything_else_is_taken_where_an_event_loop_runs(tmp_path):
    assert len(calls(trace(tmp_path, LOOP), "stand_in")) == 1


def test_events_of_one_function_are_found_without_the_others(tmp_path):
    code = "\n".join(f"def f{n}(x):\n    log(x)\n    return f{n + 1}(x)" for n in range(9))
    found = trace(tmp_path, f"{code}\ndef f9(x):\n    return probe(x)\ndef tool(x):\n    return f0(x)\n")
    whole = [each for each in found.iter_occurrences() if each.event.code.name == "f9"]
    (only,) = {each.event.code for each in whole}
    assert [each.event for each in found.iter_occurrences(code=only)] == [each.event for each in whole]
    assert [each.build_call_path() for each in found.iter_occurrences(code=only)] == [
        each.build_call_path() for each in whole
    ]


def test_an_event_is_asked_once_whatever_calls_lead_to_it(tmp_path):
    helper = "def helper(x, y):\n    log(y)\n    return probe(x)\n"
    found = trace(tmp_path, f"{helper}def tool(x):\n    return [helper(x, 1), helper(x, 2), helper(x, 2)]\n")
    asked: list[Event] = []

    def is_probe(event: Event, _: Program) -> bool:
        asked.append(event)
        return isinstance(event, Called) and event.path == "probe"

    program = cast("Program", object())  # which the test does not ask
    those = list(found.iter_matching(is_probe, program))
    assert [each.event for each in those] == [each.event for each in calls(found, "probe")]
    assert [each.build_call_path() for each in those] == [each.build_call_path() for each in calls(found, "probe")]
    assert len(asked) == len(set(asked)) == sum(len(each.events) for each in found.list_traces())
