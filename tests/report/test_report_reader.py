"""A report that was written is read as it was; what no review writes is refused in one line."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer import review
from reviewer.files.discovery import CannotReviewError
from reviewer.render import json as rendering
from reviewer.render import text
from reviewer.report import reader
from reviewer.report.model import Accepted, Altered, BaseComparison, LeftOut, Setting, Suppression
from reviewer.source import Span

EXAMPLE = Path(__file__).parents[2] / "examples/notes-python"


@pytest.fixture(scope="module")
def whole():
    return review(EXAMPLE)


@pytest.fixture
def stored_as(tmp_path):
    def write(document):
        file = tmp_path / "report.json"
        file.write_text(document if isinstance(document, str) else json.dumps(document))
        return file

    return write


@pytest.fixture
def document(whole):
    return json.loads(rendering.render(whole))


def first(document):
    return next(each for part in document["sections"] for each in part["findings"])


@pytest.mark.slow
def test_what_is_read_is_what_was_written(whole, stored_as):
    read = reader.read(stored_as(rendering.render(whole)))
    assert rendering.render(read) == rendering.render(whole)
    shown = [each for each in text.render(read).split("\n")[1:] if not each.startswith("not judged")]
    assert shown == [
        each for each in text.render(replace(whole, root=None)).split("\n")[1:] if not each.startswith("not judged")
    ]


def test_a_comparison_is_read_as_it_was(whole, stored_as):
    section = next(each for each in whole.sections if each.findings)
    new, *others = section.findings
    changed = (replace(new, change="introduced"), *(replace(each, change="unchanged") for each in others))
    sections = tuple(replace(section, findings=changed) if each is section else each for each in whole.sections)
    altered = Altered(
        "base",
        (Setting("ignore", None, '["SEC"]'), Setting("select", '["LLM"]', None)),
        (Suppression(Span("server.py", 3, 1, 3, 1), ("tool-name-style",), "why", (new.fingerprint,)),),
        (
            LeftOut("left.py", "ignored by git"),
            LeftOut("tests/moved.py", "looks like tests", "moved.py"),
            LeftOut("../lib/gone.py", "outside of the reviewed folder", "gone.py"),
        ),
        (Accepted("a.py", "tool-name-style", ""), Accepted("b.py", "tool-name-style", "read")),
    )
    compared = BaseComparison("main", (replace(new, message="gone"),), "a" * 40, altered=altered)
    ran = {"checked": {new.rule.slug: "0a1b2c"}, "unread": ("tests/", "x.py"), "unwatched": ("tests/a.py",)}
    report = replace(whole, sections=sections, compared=compared, folder="a/b", **ran)
    read = reader.read(stored_as(rendering.render(report)))
    assert read.compared == compared
    assert {"checked": read.checked, "unread": read.unread, "unwatched": read.unwatched} == ran
    assert rendering.render(read) == rendering.render(report)


def test_what_is_left_out_by_a_stranger(whole, stored_as):
    altered = Altered("base", excluded=(LeftOut("../lib/gone.py", "[see](//evil.example) @octocat", "gone.py"),))
    report = replace(whole, compared=BaseComparison("main", (), "a" * 40, altered=altered), folder="a")
    (read,) = reader.read(stored_as(rendering.render(report))).compared.altered.excluded
    assert read == LeftOut("../lib/gone.py", "", "gone.py")
    with pytest.raises(CannotReviewError, match="not a report"):
        reader.read(stored_as(rendering.render(replace(report, folder=""))))


def test_other_places_of_a_cause(whole, stored_as, document):
    at = Span("lib/other.py", 3, 1, 3, 9)
    sections = tuple(
        replace(part, findings=tuple(replace(each, related=(at,)) for each in part.findings)) for part in whole.sections
    )
    report = replace(whole, sections=sections)
    assert {each.related for each in reader.read(stored_as(rendering.render(report))).findings} == {(at,)}
    first(document)["related"] = [{"path": "/etc/passwd", "line": 1, "column": 1, "end_line": 1, "end_column": 2}]
    with pytest.raises(CannotReviewError, match="not a report"):
        reader.read(stored_as(document))


def test_where_the_folder_lies(stored_as, document):
    for folder in ("", "a/b"):
        assert reader.read(stored_as({**document, "folder": folder})).folder == folder
    for folder in ("..", "/etc", "a/../../b", None):
        with pytest.raises(CannotReviewError, match="not a report"):
            reader.read(stored_as({**document, "folder": folder}))


@pytest.mark.parametrize(
    "checked", [{"tool-name-style": "--> @octocat"}, {"no-such-rule": "0a1b"}, {"tool-name-style": ""}]
)
def test_digests_that_no_review_writes(stored_as, document, checked):
    with pytest.raises(CannotReviewError, match="not a report"):
        reader.read(stored_as({**document, "checked": checked}))


def test_keys_of_later_releases_are_passed_over(stored_as, document):
    document["later"] = first(document)["later"] = {"x": 1}
    reader.read(stored_as(document))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("path", "../../etc/passwd"),
        ("path", "/etc/passwd"),
        ("path", "a/../../b"),
        ("path", ""),
        ("path", "x" * 5000),
        ("path", 5),
        ("line", -1),
        ("line", 2**40),
        ("line", "1"),
        ("line", 1.5),
        ("rule", "no-such-rule"),
        ("severity", "fatal"),
        ("fingerprint", "--> <b>"),
        ("fingerprint", ""),
        ("message", None),
        ("status", "hidden"),
    ],
)
def test_a_finding_that_no_review_writes(stored_as, document, key, value):
    first(document)[key] = value
    with pytest.raises(CannotReviewError, match=r"report\.json: not a report") as refused:
        reader.read(stored_as(document))
    assert "\n" not in str(refused.value)


def test_numbers_that_no_review_writes(stored_as, document):
    for score, tools in ((101, 1), (-1, 1), (50, -1), (50, 10**400)):
        document["summary"] |= {"tools": tools, "maturity": {"score": score, "level": None, "withheld": None}}
        with pytest.raises(CannotReviewError, match="not a report"):
            reader.read(stored_as(document))


@pytest.mark.parametrize(
    "document", ["", "{", "[]", "null", "[" * 200_000, '{"version": 2}', '{"version": 1}', '"\ud800"'], ids=lambda _: ""
)
def test_what_is_no_report(stored_as, document):
    file = stored_as("")
    file.write_bytes(document.encode("utf-8", "surrogatepass"))
    with pytest.raises(CannotReviewError, match="not a report in JSON v1") as refused:
        reader.read(file)
    assert "\n" not in str(refused.value)


def test_a_missing_file_a_link_and_a_pipe(tmp_path, stored_as, document):
    real = stored_as(document)
    (tmp_path / "link.json").symlink_to(real)
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("none.json", "link.json", "pipe.json", "."):
        with pytest.raises(CannotReviewError, match="no such file"):
            reader.read(tmp_path / name)


def test_a_file_too_large(stored_as, monkeypatch):
    monkeypatch.setattr(reader, "MOST_BYTES", 10)
    with pytest.raises(CannotReviewError, match="too large"):
        reader.read(stored_as({"version": 1}))


def test_a_section_that_stands_twice(stored_as, document):
    document["sections"].append(document["sections"][0])
    with pytest.raises(CannotReviewError, match="a section of it stands twice"):
        reader.read(stored_as(document))
