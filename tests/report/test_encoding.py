"""A report comes back from bytes as it was, and nothing comes back that is not one of the types that are kept."""

import json
from pathlib import Path

import pytest

from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.report.encoding import decode, encode
from reviewer.report.model import Finding, Maturity, Report, SectionReport
from reviewer.rules import SECTIONS, Severity, load
from reviewer.source import Opaque, Span, Text

SPAN = Span("a.py", 1, 2, 3, 4)
PLAN = FixPlan("write it", (Rewrite("hint", SPAN, ("a",), True, "readOnlyHint", {"type": ["object", None, 1.5]}),))


def build_finding(**parts):
    return Finding(load()["tool-without-description"], Severity.ERROR, SPAN, "a \udc80 message", "", **parts)


def test_a_report_is_what_it_was():
    finding = build_finding(tool="kiln", related=(SPAN,), cause="c", key="k", fix_plan=lambda: PLAN)
    section = SectionReport(SECTIONS[0], "violations", (finding, build_finding(parts=(finding,))), None)
    report = Report(
        "core", "because", (section,), 3, (Opaque("why", SPAN),), Maturity(1, "low", None), files=frozenset("ab")
    )
    again = decode(encode(report))
    assert again == report
    first, second = again.sections[0].findings
    assert (first.cause, first.key, first.fix_plan()) == ("c", "k", PLAN)
    assert second.parts == (finding,)
    assert second.fix_plan is None


def test_a_text_keeps_its_place():
    text = decode(encode(Text("kiln", SPAN)))
    assert (type(text), text, text.span) == (Text, "kiln", SPAN)


def test_a_plan_is_asked_for_once():
    asked = []
    finding = build_finding(fix_plan=lambda: asked.append(1))
    encode((finding, build_finding(parts=(finding,), fix_plan=finding.fix_plan)))
    assert asked == [1]


def test_a_finding_whose_fix_cannot_be_planned_is_refused():
    with pytest.raises(TypeError):
        encode(build_finding(fix_plan=lambda: 1 // 0))


@pytest.mark.parametrize("value", [object(), b"bytes", Path("a"), {1: {2}}, 1j])
def test_other_types_are_refused(value):
    with pytest.raises(TypeError):
        encode((value,))


def test_what_lies_too_deep_is_refused():
    value = ()
    for _ in range(1000):
        value = (value,)
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{}", b"[]", b'["os.system","ls"]', b'["Rule","no-such-rule"]', b'["Section",99]', b'["Span",1]'),
        *(
            b'["Severity","fatal"]',
            b'["dict",1]',
            b'["Text",1,2,3]',
            b"\xff",
            b"[" * 100_000,
            b'[["tuple"]]',
            b'["Path","a"]',
        ),
    ],
)
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError):
        decode(data)


def test_every_prefix_of_an_entry_is_refused():
    data = encode((PLAN, SPAN))
    for end in range(len(data)):
        with pytest.raises(ValueError):
            decode(data[:end])
    assert json.loads(data)[0] == "tuple"
