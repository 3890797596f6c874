"""Where ways come together, what differs is gone through, and not all that there is; an event is read as often in any server."""

from itertools import pairwise

import pytest
from effort import calls
from test_growth import growth

from reviewer import review
from reviewer.behaviour.effects import handler_effects
from reviewer.code import calls as following
from reviewer.code.events import Trace
from reviewer.code.heap import Heap
from reviewer.code.ir import Variable
from reviewer.code.state import State, join_states
from reviewer.code.values import ELEMENT, Value, build_constant, build_unknown


def branch(before: State, number: int) -> State:
    """Return a state after a branch that made two objects, told one from others, and named one."""
    state = before.copy()
    for name in "ab":
        state.heap[name, number] = {"kind": build_constant(name), "number": build_constant(number)}
    state.learn(("argument", "action"), unequal=frozenset({(int, number)}))
    state.variables[Variable(f"found_{number}")] = build_unknown("anything", ("a", number))
    return state


def start(facts: int = 0) -> State:
    """Return a state with some objects and some facts."""
    state = State()
    for number in range(20):
        state.heap["made", number] = {ELEMENT: build_constant(number)}
    for number in range(facts):
        state.learn(("told", number), truth=True)
    return state


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("facts", [0, 400])
def test_ways_that_come_together_one_after_the_other_cost_what_each_did(first, facts):
    def work(count: int) -> int:
        states, before = [], start(facts)
        for number in range(count):
            before.learn(("test", number), truth=False)
            states.append(branch(before, number))

        def join() -> None:
            after = states.pop()
            while states:
                both = [states.pop(), after] if first else [after, states.pop()]
                met = join_states(("returns", len(states)), both, are_left=True)
                assert met is not None
                after = met
            assert len(after.heap) == 20 + 2 * count
            assert len(after.variables) == count
            assert len(after.facts) >= facts

        return calls(join)

    work(2)
    few, many = work(400), work(1600)
    print(few, many)
    assert many < 6 * few


def test_of_many_states_each_is_gone_through_once():
    def work(count: int) -> int:
        states = [branch(start(), number) for number in range(count)]
        return calls(lambda: join_states("raised", states))

    assert work(800) < 5 * work(200)


OPENED, MADE = ("call", "open"), ("new", "list")


def test_a_field_that_is_set_on_one_way_may_be_what_it_was_before_on_the_other():
    """In either order, and whichever way has more objects, of which one is copied or changed."""
    for is_large in (True, False):
        for turned in (True, False):
            setting, other = State(), State()
            for number in range(50):
                (setting if is_large else other).heap["made", number] = {}
            setting.heap[OPENED] = {("size",): build_constant(5), "plain": build_constant(6)}
            setting.heap[MADE] = {("size",): build_constant(5)}
            both = [other, setting] if turned else [setting, other]
            kept = join_states("here", both)
            changed = join_states("here", [each.copy() for each in both], are_left=True)
            assert kept is not None
            assert changed is not None
            assert {owner: held.keys() for owner, held in kept.heap.items()} == {
                owner: held.keys() for owner, held in changed.heap.items()
            }
            assert len(kept.heap) == 52
            for heap in (kept.heap, changed.heap):
                assert heap[OPENED]["size",].constants is None
                assert heap[OPENED]["plain"] is setting.heap[OPENED]["plain"]
                assert heap[MADE] is setting.heap[MADE]
            assert setting.heap[OPENED]["size",].constants == {(int, 5)}


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("is_copy", [True, False])
def test_an_object_that_came_with_its_contents_has_them_on_the_way_that_wrote_nothing(turned, is_copy):
    """As the parameters of a request have, of which one way alone sets the arguments: they name the tool on both."""
    name, given, empty = build_constant("find"), build_unknown("anything", ("input",)), build_constant("none")
    params = Value(("parameter", "answer", 0), contents={("name",): name, ("arguments",): given})
    before = State()
    one, other = before.copy(), before.copy()
    one.write(params, ("arguments",), empty)
    if is_copy:
        one = one.copy()
    found = join_states("here", [other, one] if turned else [one, other], are_left=True)
    assert found is not None
    assert found.read(params, ("name",)) is name
    held = found.read(params, ("arguments",))
    assert held is not None
    assert held not in (given, empty)
    assert held.constants is None


def test_what_is_told_on_both_ways_stays_and_what_one_way_alone_is_told_goes():
    before = start(400)
    one, other = before.copy(), before.copy()
    one.learn(("told", 3), present=True)
    one.learn("one", truth=True)
    one.learn("both", truth=True, present=True)
    other.learn("both", truth=True)
    found = join_states("here", [one, other])
    assert found is not None
    assert found.facts == {**before.facts, "both": found.facts["both"]}
    assert (found.facts["both"].truth, found.facts["both"].present) == (True, None)
    assert found.facts["told", 3].present is None
    assert "one" not in found.facts


def test_what_both_ways_are_told_again_takes_back_what_they_were_told_before():
    before = start(400)
    one, other = before.copy(), before.copy()
    one.facts = {**one.facts, ("told", 3): one.facts["told", 3]._replace(truth=None, present=True)}
    other.learn(("told", 3), truth=False)
    found = join_states("here", [one, other])
    assert found is not None
    assert ("told", 3) not in found.facts


def test_contents_that_are_settled_are_looked_at_once():
    heap = Heap({("call", "a"): {"plain": build_constant(1)}, ("new", "b"): {("size",): build_constant(2)}})
    heap["call", "c"] = {0: build_constant(3)}
    assert list(heap.iter_unsettled()) == [("call", "c")]
    inner = heap.copy()
    inner["call", "a"] = {("size",): build_constant(2)}
    assert sorted(inner.iter_unsettled()) == [("call", "a"), ("call", "c")]
    assert list(heap.iter_unsettled()) == [("call", "c")]


def test_a_value_of_a_temporary_is_that_of_the_way_that_made_it():
    temporary, named = Variable(), Variable("named")
    values = {temporary: build_constant(1), named: build_constant(2)}
    one, other = State({temporary: values[temporary]}), State({named: values[named]})
    found = join_states("here", [one, other])
    assert found is not None
    assert found.variables == values


def test_a_tool_leads_to_its_own_arm_of_a_dispatcher_however_many_there_are(tmp_path, monkeypatch):
    """Also where one way sets the arguments in the parameters of the request, and the dispatcher is handed these."""
    found: dict[int, set[int]] = {}
    events: dict[int, set[int]] = {}
    finding = handler_effects._iter_findings

    def note(trace, program, kinds):
        found[size].add(len(trace.list_traces()))
        events[size].add(sum(len(each.events) for each in trace.list_traces()))
        return finding(trace, program, kinds)

    monkeypatch.setattr(handler_effects, "_iter_findings", note)
    for size in (3, 12):
        found[size], events[size] = set(), set()
        for name, text in growth.script_dispatcher(size).items():
            path = tmp_path / str(size) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        review(tmp_path / str(size))
    assert found[3]
    assert found[12] <= found[3]
    assert events[12] <= events[3], "an event tells of the arm of another tool"


@pytest.mark.slow
@pytest.mark.parametrize("kind", growth.KINDS)
def test_events_are_read_as_often_as_there_are_more_of_them(kind, tmp_path, monkeypatch):
    """Of a dispatcher with 200 branches a million were read, of one with 100 a third of that; a quarter and half of it are enough."""
    read = 0

    class Counted(tuple):
        __slots__ = ()

        def __iter__(self):
            nonlocal read
            read += len(self)
            return super().__iter__()

    monkeypatch.setattr(following, "Trace", lambda code, events, *rest: Trace(code, Counted(events), *rest))
    counts = []
    for size in (25, 50, 100):
        for name, text in growth.KINDS[kind][0](size).items():
            path = tmp_path / str(size) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        read = 0
        review(tmp_path / str(size))
        counts.append(read)
    less, more = (later - earlier for earlier, later in pairwise(counts))
    assert more / less < 2.1, f"{counts}: 2 is linear, 4 is quadratic"
