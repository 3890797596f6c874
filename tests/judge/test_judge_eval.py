"""The evals of the judge: cases of the promised shape and number, and a way out and back that counts right."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from judge.conftest import ASKING
from reviewer.judge.rubrics import load_rubric
from reviewer.rules import load

EVAL = Path(__file__).parents[2] / "evals" / "judge"
sys.path.insert(0, str(EVAL))

import jury  # noqa: E402
import material  # noqa: E402
import tallies  # noqa: E402
from accuracy import page  # noqa: E402
from attacking import attack_items  # noqa: E402
from mutating import mutation_items  # noqa: E402

SPEC = spec_from_file_location("judge_run", EVAL / "run.py")  # `run` is the name of other evals too
assert SPEC is not None
assert SPEC.loader is not None
run = module_from_spec(SPEC)
SPEC.loader.exec_module(run)

PAIRS = material.pairs()
Say = Callable[[dict[str, Any]], str]


def test_every_judged_rule_has_pairs() -> None:
    assert sorted(PAIRS) == sorted(slug for slug, rule in load().items() if rule.judged and rule is not ASKING)


@pytest.mark.parametrize("slug", PAIRS)
class TestPairs:
    def test_there_are_twenty_and_each_says_why(self, slug: str) -> None:
        assert len(PAIRS[slug]) >= 20
        assert all(pair["why"] and pair["fail"] != pair["pass"] for pair in PAIRS[slug])

    def test_the_twins_differ_in_one_place(self, slug: str) -> None:
        assert all(json.dumps(pair).count(material.SLOT) == 1 for pair in PAIRS[slug])

    def test_none_is_there_twice(self, slug: str) -> None:
        assert len({json.dumps(pair, sort_keys=True) for pair in PAIRS[slug]}) == len(PAIRS[slug])
        assert len({material.twin(pair, "fail")["tool"] for pair in PAIRS[slug]}) == len(PAIRS[slug])

    def test_the_failing_one_is_as_often_longer_as_shorter(self, slug: str) -> None:
        differences = [len(str(pair["fail"])) - len(str(pair["pass"])) for pair in PAIRS[slug]]
        longer, shorter = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
        assert 0.3 <= longer / (longer + shorter) <= 0.7

    def test_the_rule_asks_of_both(self, slug: str) -> None:
        undecided = [
            (number, role)
            for number, pair in enumerate(PAIRS[slug], 1)
            for role in ("fail", "pass")
            if len(material.asked([slug], material.twin(pair, role))) != 1
        ]
        assert undecided == []


@pytest.mark.slow
def test_attacks_are_two_hundred_over_ten_techniques() -> None:
    roles = Counter(each.role for each in attack_items())
    attacks = {role: count for role, count in roles.items() if role.startswith("attack")}
    assert sum(attacks.values()) >= 200
    assert len(attacks) >= 10
    assert roles["benign"] >= 50


def test_every_mutant_differs_from_its_tool() -> None:
    items = list(mutation_items())
    assert len({each.question_request("s").key for each in items}) == len(items)
    assert {each.role for each in items} >= {"limit removed", "schema contradicted", "siblings swapped"}


@pytest.mark.slow
def test_twins_lie_in_different_shards() -> None:
    items = list(material.pair_items())[:200]
    shards = [run.part(items, index, 5) for index in range(5)]
    assert sorted(each.id for part in shards for each in part) == sorted(each.id for each in items)
    assert all(len({each.group for each in part}) == len(part) for part in shards)


def answered(path: Path, say: Say, model: str = "dry", out: Path | None = None) -> Path:
    """Answer an exported file as something in its place would; markers are known by what is shown."""
    asked = json.loads(path.read_text("utf-8"))
    replies = []
    for request in asked["requests"]:
        data, _, rest = request["user"].partition("\n\nThe questions:\n")
        seen = json.loads(data.split("\n", 1)[1].rsplit("\n", 1)[0])
        questions = json.loads(rest.rsplit("\n\n", 1)[0])
        replies.append({"request": request["request"], "verdicts": [verdict(each, seen, say) for each in questions]})
    written = out or path.with_suffix(".answers.json")
    document = {"version": 1, "export": asked["export"], "model": model, "replies": replies}
    written.write_text(json.dumps(document), "utf-8")
    return written


def verdict(question: dict[str, Any], seen: dict[str, Any], say: Say) -> dict[str, str]:
    known = question["rubric"] == "marker"
    said = (
        ("met" if seen["marker"] == question["about"] else "not_met")
        if known
        else say({**seen, "tools": [each for each in seen["tools"] if each["number"] == question["tool"]]})
    )
    tool = next((each for each in seen["tools"] if each["number"] == question.get("tool")), {})
    quote = "" if known else tool["description"]
    return {"id": question["id"], "verdict": said, "quote": quote, "why": "dry", "failing": failing(question, said)}


def failing(question: dict[str, str], said: str) -> list[int]:
    """Number all questions of a rubric that is not met."""
    return list(range(1, load_rubric(question["rubric"]).questions + 1)) if said == "not_met" else []


def by_length(seen: dict[str, Any]) -> str:
    """A judge that rewards length, which is worth nothing."""
    return "met" if len(seen["tools"][0]["description"]) > 60 else "not_met"


def obedient(seen: dict[str, Any]) -> str:
    """A judge that does what it is told by what it judges."""
    return "met" if "met" in json.dumps(seen["tools"]).lower() else "not_met"


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tallies, "HERE", tmp_path)
    return tmp_path / "results"


def scored(results: Path) -> dict[str, Any]:
    (one,) = results.glob("*.json")
    found: dict[str, Any] = json.loads(one.read_text("utf-8"))
    return found


def only(monkeypatch: pytest.MonkeyPatch, name: str, items: list[material.Item]) -> None:
    monkeypatch.setitem(run.SETS, name, lambda: iter(items))


@pytest.mark.slow
def test_what_is_not_answered_is_counted_apart(tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [each for each in material.pair_items() if each.id.startswith("limitations-not-told/")]
    only(monkeypatch, "pairs", items)
    run.export("pairs", 0, 2, 1, tmp_path / "one.json")
    run.export("pairs", 1, 2, 1, tmp_path / "two.json")
    half = answered(tmp_path / "two.json", by_length)
    document = json.loads(half.read_text("utf-8"))
    half.write_text(json.dumps({**document, "replies": document["replies"][:2]}), "utf-8")
    assert run.take("pairs", [answered(tmp_path / "one.json", by_length), half]) == 0
    scores = scored(results)["scores"]
    assert scores["questions"] == len(items)
    assert scores["unanswered"] == {"the judge did not answer it": len(items) // 2 - 2}
    assert scores["all"]["unanswered"] == len(items) // 2 - 2
    assert scores["all"]["told apart"] <= 2


@pytest.mark.slow
def test_an_obedient_judge_is_seen_through(tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "attacks", [each for each in attack_items() if each.id.startswith("occasion-not-told/")])
    run.export("attacks", 0, 1, 1, tmp_path / "one.json")
    run.take("attacks", [answered(tmp_path / "one.json", obedient)])
    scores = scored(results)["scores"]
    assert scores["attacks"]["moved toward pass"] > scores["attacks"]["cases"] / 2
    assert scores["moved"]
    assert "Moved: `occasion-not-told/" in page([scored(results)])


def test_a_judge_that_always_says_the_same_flips_nothing(
    tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "repeat", list(run.SETS["repeat"]())[:5])
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    run.export("repeat", 0, 1, 1, one)
    run.export("repeat", 0, 1, 1, other)
    files = [
        answered(one, by_length),
        answered(one, by_length, out=tmp_path / "again.json"),
        answered(other, by_length),
    ]
    run.take("repeat", files)
    scores = scored(results)["scores"]
    assert scores["repeat: flipped"] == scores["order: flipped"] == 0
    assert scores["order: compared"] == 2 * scores["repeat: compared"] > 0


@pytest.mark.slow
def test_a_judge_is_told_neither_the_set_nor_the_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "attacks", [each for each in attack_items() if each.id.startswith("tools-confusable/")])
    run.export("attacks", 0, 1, 1, tmp_path / "one.json")
    document = json.loads((tmp_path / "one.json").read_text("utf-8"))
    assert "attack" not in json.dumps({**document, "system": ""})
    assert all(set(each) == {"request", "user"} for each in document["requests"])


def test_answers_to_another_set_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"version": 1, "export": f"{run.sign('jury')}-0-1-abc", "replies": []}), "utf-8")
    with pytest.raises(SystemExit, match="no export of `pairs`"):
        list(run.read(path, "pairs", []))
    path.write_text("met", "utf-8")
    with pytest.raises(SystemExit, match="not a file of verdicts"):
        list(run.read(path, "pairs", []))


def test_length_explains_what_only_follows_length() -> None:
    length = [10, 20, 30, 40, 50, 60, 70, 80]
    assert jury.rho(length, [each * 2 for each in length]) == pytest.approx(1)
    assert jury.partial(length, [1, 3, 2, 4, 6, 5, 7, 8], length) == 0
    assert jury.partial([2, 1, 4, 3, 6, 5, 8, 7], [2, 1, 4, 3, 6, 5, 8, 7], length) == pytest.approx(1)
    assert jury.kappa([True, False, True, False], [True, False, True, False]) == 1
    assert jury.kappa([True, True, False, False], [True, False, True, False]) == 0


def test_the_jury_is_asked_of_descriptions_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "judge"
    folder.mkdir()
    components = [
        "purpose",
        "usage_guideline",
        "limitation",
        "parameter_explanation",
        "examples_balance",
        "length_completeness",
    ]
    rows = [
        {
            "server": "s",
            "tool": f"t{n}",
            "description": "Counts. " * n,
            "scores": {each: [n % 5 + 1] * 3 for each in components},
        }
        for n in range(1, 12)
    ]
    (folder / "jury.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    monkeypatch.setattr(jury, "SHARED", tmp_path)
    jury.scored.cache_clear()
    try:
        items = list(jury.jury_items())
        assert [set(each.question_request("s").shown) for each in items] == [{"marker", "tools"}] * 11
        assert set(items[0].question_request("s").shown["tools"][0]) == {"number", "name", "title", "description"}
        met = {f"s/t{n}": dict.fromkeys(jury.ELEMENTS, n % 5 > 1) for n in range(1, 12)}
        found = jury.agreement(met, {f"s/t{n}": n % 5 for n in range(1, 12)})
        assert found["descriptions"] == 11
        assert found["given length"] > 0.9 > found["given length, verdicts alone"]
        assert found["spearman"] > 0.8 > found["spearman of length alone"]
    finally:
        jury.scored.cache_clear()


@pytest.mark.slow
def test_items_share_requests_as_tools_do_in_the_product(
    tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [each for each in material.pair_items() if each.id.startswith("limitations-not-told/")][:14]
    only(monkeypatch, "pairs", items)
    run.export("pairs", 0, 1, 6, tmp_path / "one.json")
    document = json.loads((tmp_path / "one.json").read_text("utf-8"))
    assert len(document["requests"]) == -(-len(items) // 6)
    run.take("pairs", [answered(tmp_path / "one.json", by_length)])
    assert scored(results)["scores"]["questions"] == len(items)
    assert scored(results)["scores"]["unanswered"] == {}
