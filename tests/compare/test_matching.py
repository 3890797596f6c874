"""Which finding of one review is which of another, line by line."""

from dataclasses import replace

import pytest

from reviewer.compare.changes import ReviewSide, Since, compare_reports
from reviewer.report.model import Finding, Report, SectionReport, digest_finding
from reviewer.rules import SECTIONS, Rule, Severity
from reviewer.source import Span

RULE = Rule("made-up", SECTIONS[8], Severity.WARNING, lambda: iter(()), (), None, (), (), bool, "", "", False)


def side(files, tools=()):
    """Make a side of files in which each line that ends in `#tool: message` is a finding, in no tool if none is named."""
    found = []
    for path, text in files.items():
        for number, line in enumerate(text.split("\n"), 1):
            if "#" in line:
                tool, _, message = line.partition("#")[2].partition(": ")
                span = Span(path, number, 1, number, 2)
                found.append(Finding(RULE, Severity.WARNING, span, message, "", tool or None))
    lines = {path: [line.partition("#")[0] for line in text.split("\n")] for path, text in files.items()}
    part = SectionReport(SECTIONS[8], "violations", tuple(found))
    return ReviewSide((part,), lambda path: lines.get(path, []), frozenset(tools))


def told(before, after, renames=None, tools=((), ())):
    """Return the lines of what is introduced and what is fixed."""
    one, other = side(before, tools[0]), side(after, tools[1])
    report = Report("core", "", other.sections, 0)
    made = compare_reports(report, one, other, Since("main", "0" * 40, renames or {}))
    new = [f"{each.span.path}:{each.span.line}" for each in made.findings if each.change == "introduced"]
    return new, [f"{each.span.path}:{each.span.line}" for each in made.compared.fixed]


ONE = "def a():\n    x = first()\n    work(x) #: bad\n    return x\n\n\ndef b():\n    y = second()\n    work(y)\n    return y\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (ONE, ([], [])),
        (f"# remark\n\n{ONE}".replace("# remark", "remark"), ([], [])),
        (ONE.replace("work(x)", "work(x, 2)"), ([], [])),
        (ONE.replace("work(x) #: bad", "work(x)"), ([], ["a.py:3"])),
        (ONE.replace("work(y)", "work(y) #: bad"), (["a.py:9"], [])),
        (ONE.replace("work(x) #: bad", "work(x)").replace("work(y)", "work(y) #: bad"), (["a.py:9"], ["a.py:3"])),
        (ONE[ONE.index("def b") :] + "\n\n" + ONE[: ONE.index("\n\n\ndef b")], ([], [])),
    ],
    ids="same moved edited fixed more exchanged reordered".split(),
)
def test_one_file(after, expected):
    assert told({"a.py": ONE}, {"a.py": after}) == expected


def test_of_equal_ones_the_right_one_is_fixed():
    before = "\n".join(f"start {each}\nlimit: int #: no bound" for each in "abc")
    after = before.replace("start b\nlimit: int #: no bound", "start b\nlimit: int")
    assert told({"a.py": before}, {"a.py": after}) == ([], ["a.py:4"])


def test_counts_and_places_in_messages_do_not_matter():
    before = "x #: is there 3 times; first at src/a.py:19\n"
    after = "x #: is there 4 times; first at src/b.py:7\n"
    assert told({"a.py": before}, {"a.py": after}) == ([], [])


def test_what_is_quoted_matters():
    def of(message):
        return digest_finding(Finding(RULE, Severity.WARNING, Span("a", 1, 1, 1, 1), message, ""))

    assert of("`get_1` is bad") != of("`get_2` is bad")
    assert of("in `src/a.py`, 2 times") == of("in `lib/b.py`, 5 times")


def test_renamed_files():
    assert told({"a.py": ONE}, {"b.py": ONE.replace("work(x)", "work(x, 2)")}, {"a.py": "b.py"}) == ([], [])


def test_lines_that_left_one_file_and_came_into_another():
    rest = "def other():\n    return 1\n"
    assert told({"a.py": rest + ONE, "b.py": ""}, {"a.py": rest, "b.py": ONE}) == ([], [])


def test_the_same_in_two_files_is_not_moved():
    clean = ONE.replace(" #: bad", "")
    found = told({"a.py": ONE, "b.py": clean}, {"a.py": clean, "b.py": ONE})
    assert found == (["b.py:3"], ["a.py:3"])


def test_tools_of_one_name_in_two_servers():
    before = {"a.py": "tool one #read: no text\n", "b.py": "tool two\n"}
    after = {"a.py": "tool one\n", "b.py": "tool two, changed #read: no text\n"}
    tools = frozenset({("a.py", "read"), ("b.py", "read")})
    assert told(before, after, tools=(tools, tools)) == (["b.py:1"], ["a.py:1"])


def test_a_tool_that_moved_and_was_edited():
    found = told(
        {"a.py": "tool #read: no text\n", "b.py": ""},
        {"a.py": "", "b.py": "tool changed #read: no text\n"},
        tools=(frozenset({("a.py", "read")}), frozenset({("b.py", "read")})),
    )
    assert found == ([], [])


def test_a_renamed_tool_and_a_renamed_variable():
    tools = (frozenset({("a.py", "read")}), frozenset({("a.py", "fetch")}))
    before, after = "def read #read: `read` has no text\n", "def fetch #fetch: `fetch` has no text\n"
    assert told({"a.py": before}, {"a.py": after}, tools=tools) == ([], [])
    before, after = "sleep(delay) #: `sleep(delay)` blocks\n", "sleep(pause) #: `sleep(pause)` blocks\n"
    assert told({"a.py": before}, {"a.py": after}) == ([], [])


def test_suppressed_before_and_shown_now():
    one = side({"a.py": ONE})
    hidden = replace(
        one,
        sections=tuple(
            replace(part, findings=tuple(replace(each, status="suppressed") for each in part.findings))
            for part in one.sections
        ),
    )
    shown = compare_reports(Report("core", "", one.sections, 0), hidden, one, Since("main", ""))
    assert [each.change for each in shown.findings] == ["introduced"]
    quiet = compare_reports(Report("core", "", hidden.sections, 0), one, hidden, Since("main", ""))
    assert quiet.compared.fixed == ()


def test_huge_files_are_not_compared_line_by_line():
    before = "\n".join(f"line {each}" for each in range(30_000)) + "\nwork(x) #: bad"
    assert told({"a.py": before}, {"a.py": f"more\n{before}"}) == ([], [])
