"""What a judge decided, as the reports show it; what code decided is not asked."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.config import Configuration, Flags, FoundConfiguration, build_configuration, load_profile, settle
from reviewer.engine import examine
from reviewer.inputs import definitions
from reviewer.judge import AskedQuestion, Judged
from reviewer.judge.question_requests import iter_question_requests
from reviewer.render import RENDERERS, text
from reviewer.report import reader
from reviewer.report.model import Report
from reviewer.rules import load

TOOLS = """[
  {"name": "find_orders", "description": "Finds the orders of a customer by name.", "inputSchema": {"type": "object"}},
  {"name": "get_orders", "description": "Finds all orders of a customer.", "inputSchema": {"type": "object"}},
  {"name": "drop_order", "description": "Drop order",
   "inputSchema": {"type": "object", "properties": {"how": {"type": "string"}}}}
]
"""


def asked_of(path: Path, answer: Judged, slugs: tuple[str, ...]) -> tuple[Report, list[AskedQuestion]]:
    path.write_text(TOOLS, "utf-8")
    met: list[AskedQuestion] = []

    def judge(questions):
        met.extend(questions)
        return [answer] * len(questions)

    chosen = settle(build_configuration(select=slugs), Flags(profile="core"), "core").chosen
    sections = examine(definitions.read(path), chosen, judge=judge, lines=lambda _path: TOOLS.splitlines())
    return Report("core", "asked", sections, 3), met


def test_text_and_json_say_who_decided(tmp_path: Path) -> None:
    verdict = Judged("not_met", "all orders", "why", "tools-confusable@1", "m")
    report, _ = asked_of(tmp_path / "tools.json", verdict, ("tools-confusable",))
    assert (
        "tools.json:3:48 suggestion tools-confusable tool `get_orders` and `find_orders` have descriptions that do not distinguish them (judged)"
        in (text.render(report))
    )
    (section,) = (each for each in json.loads(RENDERERS["json"](report))["sections"] if each["findings"])
    assert section["findings"][0]["decided_by"] == "judge"
    assert section["findings"][0]["quote"] == "all orders"


def test_what_code_decided_is_not_asked_and_does_not_say_judged(tmp_path: Path) -> None:
    verdict = Judged("met", "Finds", "why", "purpose-not-told@1", "m")
    report, met = asked_of(tmp_path / "tools.json", verdict, ("purpose-not-told",))
    assert [str(each.question.tool.name) for each in met] == ["find_orders", "get_orders"]
    assert (
        "tools.json:4:26 suggestion purpose-not-told description of tool `drop_order` only repeats its name: `Drop order`\n"
        in (text.render(report))
    )


def test_the_tool_that_a_question_names_is_shown_in_full(tmp_path: Path) -> None:
    verdict = Judged("met", None, "why", "tools-confusable@1", "m")
    _, met = asked_of(tmp_path / "tools.json", verdict, ("tools-confusable",))
    ((question_request, _),) = iter_question_requests(met, lambda _span: "", "seed")
    assert question_request.posed[0].about == "find_orders"
    assert question_request.shown["siblings"] == [
        {"name": "find_orders", "description": "Finds the orders of a customer by name.", "arguments": []}
    ]


@pytest.mark.parametrize("name", ["core", "action-dispatch", "object-operation", "tool-trait", "validator-46"])
def test_no_profile_asks_the_same_twice(name: str) -> None:
    """A rule that looks at the first sentence alone leaves the rest to the judge, and does not ask."""
    twice = ({"purpose-not-told", "description-without-purpose"}, {"occasion-not-told", "description-without-occasion"})
    chosen = settle(FoundConfiguration(Configuration(), None), Flags(profile=name), "core").chosen
    asking = {each.rule.slug for each in chosen if getattr(each.options, "within", None) != "first-sentence"}
    assert all(len(each & asking) == 1 for each in twice)


def test_the_score_of_the_46_rules_knows_no_questions() -> None:
    assert not {slug for slug, rule in load().items() if rule.judged and not rule.codes} & set(
        load_profile("validator-46").rules
    )


REASONED = Judged(
    "not_met",
    "all orders",
    "A caller cannot know how many come at once.",
    "parameters-not-told@2",
    "m",
    (1, 2),
    '"how": {"type": "string"}',
    ("how",),
)


@pytest.mark.parametrize("name", ["text", "markdown", "html", "json", "sarif", "github", "gitlab", "rdjson", "junit"])
def test_every_format_says_why(tmp_path: Path, name: str) -> None:
    path = tmp_path / "tools.json"
    report, _ = asked_of(path, REASONED, ("tools-confusable",))
    said = RENDERERS[name](report)
    assert "neither text says when to take which" in said
    assert "cannot know how many come at once" in said
    assert "all orders" in said


def test_evidence_leads_to_its_line(tmp_path: Path) -> None:
    report, _ = asked_of(tmp_path / "tools.json", REASONED, ("tools-confusable",))
    of_tool = next(each for each in report.findings if each.tool == "get_orders")
    assert of_tool.decided is not None
    assert of_tool.decided.failing == (
        "no request of a user tells them apart",
        "neither text says when to take which",
    )
    assert of_tool.decided.evidence is None
    dropped = replace(REASONED, evidence="Finds all orders")
    report, _ = asked_of(tmp_path / "tools.json", dropped, ("tools-confusable",))
    (found,) = (each for each in report.findings if each.tool == "get_orders")
    assert found.decided is not None
    assert found.decided.evidence is not None
    assert found.decided.evidence.line == 3
    assert "tools.json:3:42 has `Finds all orders`" in text.render(report)


def test_a_stored_report_keeps_the_reasons(tmp_path: Path) -> None:
    report, _ = asked_of(tmp_path / "tools.json", REASONED, ("tools-confusable",))
    file = tmp_path / "report.json"
    file.write_text(RENDERERS["json"](replace(report, folder=".")), "utf-8")
    kept = [each.decided for each in reader.read(file).findings]
    assert [each and each.failing for each in kept] == [
        each.decided and each.decided.failing for each in report.findings
    ]
    assert all(each is not None and each.judged.names == ("how",) for each in kept)
