"""The eval of written descriptions: three rounds out and back, and every tool with a finding is offered one or counted dropped."""

import json
import sys
from pathlib import Path

import pytest

from judge.writers import draft, judged

sys.path.insert(0, str(Path(__file__).parents[2] / "evals" / "judge"))

import rewriting

HOPELESS = "draft_reply"


@pytest.fixture(autouse=True)
def apart(tmp_path, monkeypatch):
    monkeypatch.setattr(rewriting, "RESULT", tmp_path / "rewrites.json")


def write(user: str) -> dict:
    """Say again what stands there, and one thing more, which the code carries; of one tool, nothing."""
    data = json.loads(user[user.index(">\n") + 2 : user.index("\n</data-")])
    tool = data["tool"]
    if tool["name"] == HOPELESS:
        return draft(user, "")
    more = "Gives an answer."
    return draft(user, f"{tool['description']} {more}", [{"claim": more, "quotes": [data["code"][0]["source"][:40]]}])


def rounds(work: Path, file: Path, *servers: Path) -> list[tuple[int, int]]:
    met = []
    for _ in range(4):
        rewriting.begin(work, list(servers))
        rewriting.export(work, file)
        document = json.loads(file.read_text())
        asked, wanted = document["requests"], document["rewrites"]["requests"]
        met.append((len(asked), len(wanted)))
        words = {"limitations-not-told": "Gives"}
        replies = [{"request": each["request"], **judged(each["user"], words)} for each in asked]
        drafts = [{"request": each["request"], **write(each["user"])} for each in wanted]
        answers = {
            "version": 1,
            "model": "an-agent",
            "export": document["export"],
            "replies": replies,
            "rewrites": drafts,
        }
        file.write_text(json.dumps(answers))
        rewriting.take(work, file)
    return met


@pytest.mark.slow
def test_three_rounds_give_the_counts(tmp_path, capsys):
    met = rounds(tmp_path / "work", tmp_path / "file.json")
    (judged_first, _), (_, wanted), (judged_last, _), end = met
    assert (judged_first, end[0]) == (22, 0)
    assert wanted >= judged_last > 15
    capsys.readouterr()
    rewriting.score(tmp_path / "work")
    result = json.loads((tmp_path / "rewrites.json").read_text())
    assert (result["tools"], len(result["outcomes"])) == (22, wanted)
    assert {each["why"] for each in result["outcomes"] if each["tool"] == HOPELESS} == {
        "nothing to say from the source"
    }
    assert {each["why"] for each in result["outcomes"]} <= {None, *rewriting.REASONS, "the reply does not hold"}
    assert f"| {sum(each['why'] is None for each in result['outcomes'])} |" in capsys.readouterr().out


def test_the_counts_are_written_between_their_marks(tmp_path):
    outcome = {"server": "s", "tool": "t", "mended": ["limitations-not-told"], "why": None, "words": 9}
    result = {"tools": 3, "outcomes": [{**outcome, "writer": "w", "judge": "j"}]}
    rewriting.RESULT.write_text(json.dumps(result))
    page = tmp_path / "page.md"
    page.write_text(f"before\n{rewriting.MARKS[0]}\nold\n{rewriting.MARKS[1]}\nafter\n")
    rewriting.report(page)
    text = page.read_text()
    assert (text[:7], text[-6:], "old" in text) == ("before\n", "after\n", False)
    assert "| offered (median 9 words; 1 findings fixed) | 1 |" in text
