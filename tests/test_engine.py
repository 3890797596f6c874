"""What the engine makes of flaws: signed once, counted, suppressed, filed under a section."""

import pytest

from reviewer.config import Configuration, Flags, FoundConfiguration, settle
from reviewer.engine import examine
from reviewer.facts import Acts, Handler, Ignore, Project, Server, Tool, ToolParameter, Transport, UncheckedReach
from reviewer.report.model import digest_finding
from reviewer.source import Opaque, Span, Text


def span(line, path="server.py"):
    return Span(path, line, 1, line, 9)


def tool(name, line, **parts):
    return Tool(name=Text(name, span(line)), span=Span("server.py", line, 1, line + 2, 1), **parts)


def sections(project, *slugs, **rules):
    settings = settle(FoundConfiguration(Configuration(select=slugs, rules=rules), None), Flags(), "core")
    return {each.section.number: each for each in examine(project, settings.chosen)}


def handler(*acts):
    return Handler(Text("a", span(1)), span(1), acts=Acts(lambda _kinds: acts))


def project(*tools, **parts):
    return Project(servers=(Server(None, "python", "mcp", span(1), tools),), **parts)


def test_a_section_without_anything_to_check_is_not_applicable():
    found = sections(Project(), "tool-without-description")
    assert [each.status for each in found.values()] == ["not-applicable"] * 17
    assert found[10].reason == "no tool is registered in the reviewed files"
    assert found[2].reason == "the profile has no rules for this section"


def test_a_section_is_ok_if_something_was_checked_and_held():
    found = sections(project(tool("read", 1, description=Text("Reads a file.", span(1)))), "tool-without-description")
    assert (found[10].status, found[10].findings) == ("ok", ())


def test_what_cannot_be_read_is_neither_absent_nor_present():
    found = sections(project(tool("read", 1, description=Opaque("?", span(1)))), "tool-without-description")
    assert found[10].status == "ok"


def test_a_finding_knows_its_tool():
    found = sections(project(tool("read", 1), tool("write", 5)), "tool-without-description")
    assert [(each.tool, each.span.line) for each in found[10].findings] == [("read", 1), ("write", 5)]


def test_one_violation_is_reported_once():
    shared = ToolParameter(Text("path", span(30)), span(30))
    found = sections(project(tool("one", 1, parameters=(shared,)), tool("two", 5, parameters=(shared,))), "LLM-006")
    assert len(found[13].findings) == 1


def test_what_a_line_does_twice_is_reported_once():
    served = [Transport("sse", Text("sse_app()", Span("server.py", 3, column, 3, column + 9))) for column in (1, 20)]
    found = sections(Project(transports=tuple(served)), "sse-transport")
    assert [each.span.column for each in found[6].findings] == [1]


def test_suggestions_leave_a_section_ok():
    found = sections(project(tool("read", 1)), "tool-without-description", **{"tool-without-description": "suggestion"})
    assert (found[10].status, len(found[10].findings)) == ("ok", 1)


def test_an_injection_weighs_little_beside_a_tool_that_runs_any_statement_by_the_same_client():
    def reach(name, line, client, *, whole=False):
        return UncheckedReach(
            "statement", Text("db.execute(..)", span(line)), ("text",), name, whole=whole, client=client
        )

    reaches = (reach("query", 1, "db", whole=True), reach("count", 5, "db"), reach("find", 9, "other"))
    found = sections(project(*(tool(each.tool, each.span.line) for each in reaches), reaches=reaches), "sql-injection")
    assert [(each.tool, each.severity) for each in found[12].findings] == [("count", "suggestion"), ("find", "error")]


class TestSuppression:
    def ignore(self, slug="tool-without-description", reason="known", line=1):
        text = Text(reason, span(line)) if reason else None
        return Ignore((Text(slug, span(line)),), text, span(line), Span("server.py", line, 1, line, 40))

    def statuses(self, *ignores):
        slugs = ("tool-without-description", "suppression-unused", "suppression-without-reason")
        found = sections(project(tool("read", 1), ignores=ignores), *slugs)
        return {each.rule.slug: each.status for section in found.values() for each in section.findings}

    def test_with_a_reason(self):
        assert self.statuses(self.ignore()) == {"tool-without-description": "suppressed"}

    def test_by_code(self):
        assert self.statuses(self.ignore("SCH-002")) == {"tool-without-description": "suppressed"}

    def test_without_a_reason(self):
        assert self.statuses(self.ignore(reason=None)) == {
            "tool-without-description": "reported",
            "suppression-without-reason": "reported",
        }

    def test_that_matches_nothing(self):
        assert self.statuses(self.ignore(), self.ignore(line=7)) == {
            "tool-without-description": "suppressed",
            "suppression-unused": "reported",
        }

    def test_of_a_rule_that_does_not_run(self):
        assert "suppression-unused" not in self.statuses(self.ignore("tool-name-style", line=7))


def test_the_order_of_rules_changes_nothing():
    settings = settle(FoundConfiguration(Configuration(), None), Flags(), "action-dispatch")
    given = project(
        tool("readIt", 1),
        tool("list_all", 5, parameters=(ToolParameter(Text("x", span(6)), span(6)),)),
        tool("list_all", 9),
    )

    def order(chosen):
        return [(each.rule.slug, each.span) for section in examine(given, chosen) for each in section.findings]

    assert order(settings.chosen) == order(settings.chosen[::-1])
    assert order(settings.chosen)


def test_what_tools_share_says_how_many_they_are_and_is_known_by_the_same_signature():
    said = Text("Read\u200b it.", span(40))
    alone, two, three = (
        sections(project(*(tool(name, line, description=said) for name, line in names)), "hidden-characters")
        for names in ([("a", 1)], [("a", 1), ("b", 5)], [("a", 1), ("b", 5), ("c", 9)])
    )
    (one,), (both,), (all_,) = (
        [each for section in found.values() for each in section.findings] for found in (alone, two, three)
    )
    assert both.message == f"{one.message} (shared by 1 other tool)"
    assert all_.message == f"{one.message} (shared by 2 other tools)"
    assert one.fingerprint == both.fingerprint == all_.fingerprint
    assert digest_finding(one) == digest_finding(both) == digest_finding(all_)


def test_a_panic_of_a_native_library_is_refused_as_code_that_leads_too_deep():
    from reviewer.files.discovery import CannotReviewError
    from reviewer.pipeline import bounded

    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(CannotReviewError, match="leads too deep"), bounded("server.py"):
        raise panic
    with pytest.raises(KeyboardInterrupt), bounded("server.py"):
        raise KeyboardInterrupt
