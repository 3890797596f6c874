"""Descriptions by agents, over files: one export after the other, and nothing is shown that was not judged."""

import json

import pytest

from judge.writers import CLAIMS, LIMITS, NEW, draft, judged, mail
from reviewer.cli.app import run


@pytest.fixture
def box(tmp_path):
    server = mail(tmp_path / "mail")
    (server / "mcp-review.toml").write_text('select = ["limitations-not-told", "occasion-not-told"]\n')
    return server


def exported(server, tmp_path, *more: str) -> dict:
    file = tmp_path / "questions.json"
    assert run(["judge", "export", str(server), "-o", str(file), *more]) == 0
    return json.loads(file.read_text())


def answered(export: dict, words: dict[str, str] = LIMITS) -> dict:
    replies = [{"request": each["request"], **judged(each["user"], words)} for each in export["requests"]]
    return {"version": 1, "model": "a-judge", "export": export["export"], "replies": replies}


def written(export: dict, **more) -> dict:
    requests = export["rewrites"]["requests"]
    drafts = [{"request": each["request"], **draft(each["user"]), **more} for each in requests]
    return {"version": 1, "model": "a-writer", "export": export["export"], "rewrites": drafts}


def imported(server, tmp_path, answers: dict, capsys, *more: str) -> tuple[str, list[str]]:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(answers))
    capsys.readouterr()
    assert run(["judge", "import", str(server), str(file), *more]) == 0
    out, err = capsys.readouterr()
    return out, [line.removeprefix("mcp-review: judge: ") for line in err.splitlines()]


def judged_and_written(box, tmp_path, capsys, **more) -> tuple[str, list[str]]:
    imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    return imported(box, tmp_path, written(exported(box, tmp_path, "--rewrites"), **more), capsys)


@pytest.mark.slow
def test_three_exports_make_an_offer(box, tmp_path, capsys):
    out, lines = imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    assert ("does not state its limitations" in out, lines) == (True, ["2 questions answered, by a-judge"])
    second = exported(box, tmp_path, "--rewrites")
    assert (len(second["requests"]), len(second["rewrites"]["requests"])) == (0, 1)
    out, lines = imported(box, tmp_path, written(second), capsys)
    assert NEW not in out
    assert lines == [
        "0 questions answered, 1 description written, by a-writer",
        "1 description not offered: it was not judged: the judge did not answer it",
    ]
    third = exported(box, tmp_path, "--rewrites")
    assert (len(third["requests"]), len(third["rewrites"]["requests"])) == (1, 0)
    out, lines = imported(box, tmp_path, answered(third), capsys)
    assert f"by a-writer, judged again by a-judge: meets limitations-not-told@2\n  | {NEW}\n" in out
    assert "1 description proposed; --fix does not apply them" in lines
    assert exported(box, tmp_path, "--rewrites")["requests"] == []


@pytest.mark.slow
def test_an_offer_is_shown_later_without_asking(box, tmp_path, capsys):
    judged_and_written(box, tmp_path, capsys)
    imported(box, tmp_path, answered(exported(box, tmp_path, "--rewrites")), capsys)
    assert run([str(box), "--judge", "host", "--judge-rewrites"]) == 0
    assert f"  | {NEW}\n" in capsys.readouterr().out
    assert run([str(box), "--judge", "host"]) == 0
    assert NEW not in capsys.readouterr().out


def test_an_agent_that_skips_the_judging_is_shown_nothing(box, tmp_path, capsys):
    out, _ = judged_and_written(box, tmp_path, capsys)
    assert NEW not in out
    assert run([str(box), "--judge", "host", "--judge-rewrites"]) == 0
    out, err = capsys.readouterr()
    assert NEW not in out
    assert "1 description not offered: it was not judged: no agent has answered it yet" in err


def test_verdicts_that_are_made_up_before_they_are_asked_for_count_for_nothing(box, tmp_path, capsys):
    imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    drafts = written(exported(box, tmp_path, "--rewrites"))
    verdict = {"id": "q1", "failing": [], "verdict": "met", "quote": NEW, "why": "it is mine"}
    both = {**drafts, "replies": [{"request": drafts["rewrites"][0]["request"], "verdicts": [verdict]}]}
    out, lines = imported(box, tmp_path, both, capsys)
    assert NEW not in out
    assert any("not offered: it was not judged" in each for each in lines)


@pytest.mark.slow
def test_an_offer_that_a_judge_refuses_is_dropped(box, tmp_path, capsys):
    judged_and_written(box, tmp_path, capsys)
    worse = answered(exported(box, tmp_path, "--rewrites"), {**LIMITS, "occasion-not-told": "whenever"})
    out, lines = imported(box, tmp_path, worse, capsys)
    assert NEW not in out
    assert "1 description not offered: judged again, it no longer meets `occasion-not-told`" in lines


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"claims": [*CLAIMS, {"claim": "Searches the mail", "quotes": ["never shown"]}]},
         "a quote does not occur in what the writer was shown: `never shown`"),
        ({"checks": [{"id": "q1", "verdict": "met"}]}, "the writer failed a question with a known answer"),
        ({"checks": "none"}, "the reply does not have the requested structure (checks: input should be a valid list)"),
        ({"severity": "none"}, "the reply does not have the requested structure (severity: extra inputs are not permitted)"),
    ],
)  # fmt: skip
def test_a_draft_that_does_not_hold_is_never_judged(box, tmp_path, capsys, change, why):
    _, lines = judged_and_written(box, tmp_path, capsys, **change)
    assert f"1 description not offered: {why}" in lines
    again = exported(box, tmp_path, "--rewrites")
    assert (again["requests"], len(again["rewrites"]["requests"])) == ([], 1)


def test_drafts_of_another_source_are_named(box, tmp_path, capsys):
    imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    drafts = written(exported(box, tmp_path, "--rewrites"))
    text = box / "server.py"
    text.write_text(text.read_text().replace("[:50]", "[:60]"))
    _, lines = imported(box, tmp_path, drafts, capsys)
    assert lines[0].startswith("1 answered request that this source does not ask: it has changed since the export")


def test_a_draft_twice_is_none(box, tmp_path, capsys):
    imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    drafts = written(exported(box, tmp_path, "--rewrites"))
    drafts["rewrites"] *= 2
    _, lines = imported(box, tmp_path, drafts, capsys)
    assert "1 description not offered: the writer answered it more than once" in lines


def test_without_a_memory_there_is_nothing_to_rewrite(box, tmp_path, capsys):
    assert run(["judge", "export", str(box), "--rewrites", "--no-judge-cache"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("mcp-review: --no-judge-cache: ")


def test_an_export_says_how_drafts_are_written(box, tmp_path, capsys):
    imported(box, tmp_path, answered(exported(box, tmp_path)), capsys)
    asked = exported(box, tmp_path, "--rewrites")["rewrites"]
    assert list(asked) == ["instructions", "system", "reply_schema", "requests"]
    assert "Rubric `limitations-not-told`" in asked["system"]
    assert set(asked["reply_schema"]["properties"]) == {"checks", "claims", "text"}
    assert "rewrites" not in exported(box, tmp_path)


def test_a_file_that_answers_nothing_is_refused(box, tmp_path, capsys):
    file = tmp_path / "answers.json"
    file.write_text('{"version": 1, "export": "x"}')
    assert run(["judge", "import", str(box), str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "neither `replies` nor `rewrites`" in err
