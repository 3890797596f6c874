"""What a function's events tell of the values that each of its callers hands over, and of how values were made."""

from reviewer.code.events import Called
from reviewer.code.run import RunBounds
from reviewer.code.values import Made
from tests.code.traced import calls, trace

MANY = "\n".join(f"    git(['{word}', '-v'])" for word in ("add", "log", "show", "push", "diff", "tag", "fetch"))


def words(occurrence, value):
    """Return the constants that a list holds, each as its caller has it."""
    _, found = occurrence.trace_source(value)
    return [occurrence.trace_source(each)[1].text for each in (found.contents or {}).values()]


class TestOccurrences:
    def test_a_helper_is_gone_through_with_each_of_the_constants_that_it_is_handed(self, tmp_path):
        found = trace(tmp_path, f"def git(args):\n    probe(['git', *args])\n\ndef tool():\n{MANY}\n")
        handed = [
            tuple(words(each, each.caller.event.given[("parameter", each.event.code, 0)]))
            for each in calls(found, "probe")
        ]
        assert handed == [(word, "-v") for word in ("add", "log", "show", "push", "diff", "tag", "fetch")]

    def test_also_where_one_helper_hands_them_to_the_next(self, tmp_path):
        code = """
        def last(word): probe(word)
        def first(word): last(word)
        def tool():
            first("a"); first("b"); first("c"); first("d"); first("e")
        """
        found = [each.trace_source(each.event.arguments[0])[1].text for each in calls(trace(tmp_path, code), "probe")]
        assert found == ["a", "b", "c", "d", "e"]

    def test_the_same_is_gone_through_once(self, tmp_path):
        code = "def last(word): probe(word)\n\ndef tool():\n" + "    last('a')\n" * 5
        assert len(calls(trace(tmp_path, code), "probe")) == 1

    def test_what_a_constant_keeps_control_from_is_not_possible(self, tmp_path):
        modes = "".join(f"    act('{mode}', {mode == 'e'})\n" for mode in "abcde")
        code = f"""
def act(mode, dry):
    if mode in ('a', 'b'):
        return
    if dry:
        return
    if mode == 'c':
        probe(mode)
    other(mode)

def tool():
{modes}"""
        found = trace(tmp_path, code)
        assert [each.is_possible() for each in calls(found, "probe")].count(True) == 1
        possible = [each for each in calls(found, "other") if each.is_possible()]
        assert [each.trace_source(each.event.arguments[0])[1].text for each in possible] == ["c", "d"]

    def test_nothing_is_impossible_that_no_constant_decides(self, tmp_path):
        code = "def act(mode):\n    if mode == 'c':\n        probe(mode)\n\ndef tool(mode):\n    act(mode)\n"
        assert all(each.is_possible() for each in calls(trace(tmp_path, code, bounds=RunBounds()), "probe"))


class TestMade:
    def made(self, tmp_path, expression: str) -> Made:
        found = trace(
            tmp_path, f"import os, shlex\nfrom pathlib import Path\n\ndef tool(x, y):\n    probe({expression})\n"
        )
        (call,) = [each.event for each in calls(found, "probe")]
        assert isinstance(call, Called)
        meaning = call.arguments[0].meaning
        assert isinstance(meaning, Made)
        return meaning

    def test_a_value_tells_of_what_it_was_made_and_how(self, tmp_path):
        assert self.made(tmp_path, "f'a {x} b'").by == "text"
        assert self.made(tmp_path, "x + y").by == "+"
        assert self.made(tmp_path, "x.name").by == ".name"
        assert self.made(tmp_path, "Path(x).name").by == "pathlib.Path.name"
        assert self.made(tmp_path, "x[y]").by == "item"
        assert self.made(tmp_path, "os.path.abspath(x)").by == "os.path.abspath"
        assert [each.term for each in self.made(tmp_path, "os.path.join(x, y)").of] == [
            ("argument", "x"),
            ("argument", "y"),
        ]

    def test_also_when_a_function_of_the_project_made_it(self, tmp_path):
        code = "def said(a):\n    return f'no {a}'\n\ndef tool(x):\n    probe(said(x))\n"
        (call,) = calls(trace(tmp_path, code), "probe")
        meaning = call.event.arguments[0].meaning
        assert [each.text or each.term for each in meaning.of] == ["no ", ("argument", "x")]

    def test_sequences_keep_their_elements_when_they_are_put_together(self, tmp_path):
        code = """
        def tool(x):
            probe(["git", *["add", x]] + ["-v"])
        """
        (call,) = calls(trace(tmp_path, code), "probe")
        held = call.event.arguments[0].contents
        assert [each.text for each in held.values()] == ["git", "add", None, "-v"]


def test_whether_a_constant_is_in_a_list_of_constants_is_known(tmp_path):
    code = """
    def act(mode):
        if mode in ("a", "b"):
            probe()
        else:
            other()

    def tool():
        act("a")
    """
    found = trace(tmp_path, code)
    assert (len(calls(found, "probe")), len(calls(found, "other"))) == (1, 0)


class TestModules:
    def given(self, tmp_path, code: str):
        (call,) = calls(trace(tmp_path, code), "probe")
        return call.event.arguments[0]

    def test_what_a_module_makes_once_is_known_by_a_run(self, tmp_path):
        found = self.given(
            tmp_path, "from pathlib import Path\nPLANS = Path.home() / 'plans'\n\ndef tool():\n    probe(PLANS)\n"
        )
        assert found.meaning.by == "/"
        assert found.meaning.of[0].meaning.by == "pathlib.Path.home"

    def test_also_the_fields_of_an_object_and_the_entries_of_a_table(self, tmp_path):
        code = """
        import os

        class Store:
            def __init__(self, folder):
                self.root = os.path.realpath(folder)

        store = Store("plans")
        table = {"a": os.getcwd(), "b": "x"}

        def tool():
            probe([store.root, table["a"], table["b"]])
        """
        held = self.given(tmp_path, code).contents
        assert [each.meaning.by if each.meaning else each.text for each in held.values()] == [
            "os.path.realpath",
            "os.getcwd",
            "x",
        ]

    def test_what_is_made_of_itself_is_unknown(self, tmp_path):
        found = self.given(tmp_path, "first = make(second)\nsecond = make(first)\n\ndef tool():\n    probe(first)\n")
        assert found.unknown


def test_how_a_value_describes_itself_is_told_apart(tmp_path):
    (call,) = calls(trace(tmp_path, "def tool(x):\n    probe(f'{x!r} {x}')\n"), "probe")
    first, _, last = call.event.arguments[0].meaning.of
    assert (first.meaning.by, last.term) == ("repr", ("argument", "x"))


def test_what_a_handler_gives_is_waited_for(tmp_path):
    code = "async def work(x):\n    probe(x)\n\ndef tool(x):\n    return work(x)\n"
    assert len(calls(trace(tmp_path, code), "probe")) == 1
