"""What is asked again and again is worked out once: what objects hold, what a call does, what is written in a function."""

from collections import Counter

from effort import calls
from test_growth import growth

from reviewer import review
from reviewer.code import acts, ir
from reviewer.code.parts import compare_values, join_values, show_value
from reviewer.code.state import State
from reviewer.code.values import Label, Value, build_constant
from reviewer.languages.python.behaviour import tracing
from reviewer.source import Source

DISPATCHER = """
from mcp.server import Server
from mcp.types import TextContent, Tool

server = Server("notes")


@server.list_tools()
async def list_tools():
    return [Tool(name=name, description="Finds notes.", inputSchema={"type": "object"}) for name in ("find", "read", "count")]


@server.call_tool()
async def call_tool(name: str, arguments: dict):
    if name == "find":
        return [TextContent(type="text", text=arguments["note"])]
    if name == "read":
        return [TextContent(type="text", text=open(arguments["path"]).read())]
    return [TextContent(type="text", text="none")]
"""


def hold(state: State, number: int) -> Value:
    """Return an object of the given number that holds a hundred entries."""
    owner = Value(("made", number))
    state.heap[owner.term] = {(f"field {key}",): Value(("part", number, key)) for key in range(100)}
    return owner


def test_what_an_object_holds_is_shown_once_until_something_is_written():
    state = State()
    owner, other = hold(state, 1), hold(state, 2)
    first = show_value(owner, state)
    assert len(first.contents or {}) == 100
    assert calls(lambda: show_value(owner, state)) < 10
    state.write(other, "more", owner)
    assert (show_value(other, state).contents or {})["more"].contents == first.contents
    state.write(owner, "more", build_constant(1))
    assert len(show_value(owner, state).contents or {}) == 101
    assert len((show_value(other, state).contents or {})["more"].contents or {}) == 101


def test_what_one_way_shows_is_not_what_another_holds():
    """Also where nothing was shown before the ways parted."""
    for is_shown in (False, True):
        state = State()
        owner = hold(state, 1)
        if is_shown:
            show_value(owner, state)
        one, other = state.copy(), state.copy()
        one.write(owner, "one", build_constant(1))
        assert "one" in (show_value(owner, one).contents or {})
        assert (show_value(owner, other).contents or {}).keys() == (show_value(owner, state).contents or {}).keys()
        other.write(owner, "other", build_constant(2))
        assert {"one", "other"} & (show_value(owner, one).contents or {}).keys() == {"one"}
        assert {"one", "other"} & (show_value(owner, other).contents or {}).keys() == {"other"}
        holder = Value(("made", "holder"))
        other.write(holder, "held", owner)
        assert (show_value(holder, other).contents or {})["held"].contents
        other.heap.pop(owner.term)
        assert not (show_value(holder, other).contents or {})["held"].contents


def test_values_that_come_from_the_same_places_share_one_set_of_them():
    one, other = Label("argument", "note"), Label("network", "load")
    begun = [Value(("made", number), frozenset([one])) for number in range(4)]
    beside = [Value(("beside", number), frozenset([other])) for number in range(4)]
    found = [each.with_labels(frozenset([other])) for each in begun[:2]]
    found += [join_values(("joined", each.term), each, more) for each, more in zip(begun, beside, strict=True)]
    found += [compare_values("==", each, more) for each, more in zip(begun, beside, strict=True)]
    state = State()
    state.heap[begun[0].term] = {0: beside[0]}
    found.append(show_value(begun[0], state))
    assert len({id(each.labels) for each in found}) == 1


def test_the_calls_of_a_function_are_found_without_going_through_it_again():
    source, at = Source("server.py", b"load()" * 2000), [ir.Site(place, place + 6) for place in range(0, 12000, 6)]
    body = tuple(ir.Call(each, ir.Variable(), ir.Global(each, ("load",)), ()) for each in at)
    code = ir.Code("tool", "function", source, at[0], lambda _: body)
    assert [each.at for each in ir.iter_calls(code.body, at[7])] == [at[7]]
    assert list(ir.iter_calls(code.body, ir.Site(1, 2))) == []
    assert calls(lambda: list(ir.iter_calls(code.body, at[1999]))) < 10
    assert calls(lambda: list(ir.iter_statements(code.body))) < 10
    assert list(ir.iter_statements(code.body)) == list(ir.iter_statements(body)) == list(body)


def test_each_call_is_looked_up_in_the_tables_once(tmp_path, monkeypatch):
    read, events = Counter[int](), []
    reading = acts._read_acts

    def note(event, models):
        read[id(event)] += 1
        events.append(event)  # so that no other has its number
        return reading(event, models)

    monkeypatch.setattr(acts, "_read_acts", note)
    for name, text in growth.python_tools(3).items():
        (tmp_path / name).write_text(text, "utf-8")
    review(tmp_path)
    assert read
    assert set(read.values()) == {1}


def test_the_arguments_of_a_call_are_made_once_for_each_tool(tmp_path, monkeypatch):
    made = Counter[str]()
    building = tracing.build_input_object

    def note(name, entries):
        made[name] += 1
        return building(name, entries)

    monkeypatch.setattr(tracing, "build_input_object", note)
    (tmp_path / "server.py").write_text(DISPATCHER, "utf-8")
    review(tmp_path)
    assert (
        3 < made["request"] <= 12
    )  # for any tool and for each of three, and where a run that knows more is begun again
