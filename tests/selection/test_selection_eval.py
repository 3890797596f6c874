"""What the evaluation counts: whether findings and wrong choices go together, and by how much chance."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "evals/selection/predicting.py"


@pytest.fixture(scope="module")
def predicting() -> Any:
    """Load the evaluation's own module."""
    spec = importlib.util.spec_from_file_location("predicting", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("tables", "chance"),
    [
        ([(3, 1, 1, 3)], 17 / 70),
        ([(4, 0, 0, 4)], 1 / 70),
        ([(0, 5, 3, 5)], 1.0),
        ([(0, 0, 2, 5)], 1.0),
        ([(4, 0, 0, 4), (4, 0, 0, 4)], 1 / 4900),
        ([(1, 0, 0, 1), (0, 1, 1, 0)], 3 / 4),
        ([], 1.0),
    ],
)
def test_fishers_test_of_one_table_and_of_several(predicting, tables, chance):
    assert predicting.more_by_chance([predicting.Table(*each) for each in tables]) == pytest.approx(chance)


def test_chances_are_corrected_for_their_number(predicting):
    assert predicting.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert predicting.holm([]) == []


def choice(tool: str, number: int, chosen: str | None, **more: Any) -> dict[str, Any]:
    right = None if chosen is None else chosen == tool
    return {
        "task": f"{tool}/{number}",
        "for": tool,
        "chosen": chosen,
        "right": right,
        "valid": right,
        "exact": None,
        **more,
    }


def server(wrong: int) -> dict[str, Any]:
    """Return twelve tools: of the six with a finding some are chosen wrongly, of the others none; one choice is not answered."""
    tools = [f"tool_{number}" for number in range(12)]
    chosen = [choice(tool, 1, "" if place < wrong else tool) for place, tool in enumerate(tools)]
    return {
        "server": "twelve",
        "tools": tools,
        "described": tools,
        "rewritten": ["tool_0"],
        "writers": ["one"],
        "choosers": ["another"],
        "tasks": [{"id": f"{tool}/1", "tool": tool, "task": "?"} for tool in tools],
        "choices": {
            "as it is": [*chosen, choice("tool_11", 2, None)],
            "without": [choice(tool, 1, "") for tool in tools],
            "rewritten": [choice(tool, 1, tool) for tool in tools],
        },
        "findings": [["vague", "warning", tool] for tool in tools[:6]] + [["rare", "warning", "tool_0"]],
        "open": [["vague", "tool_11"]],
    }


def test_the_page_says_what_was_chosen_and_what_predicts_it(predicting):
    page = predicting.page({"version": 1, "servers": [server(6)]})
    assert "1 servers" not in page
    assert "| twelve | 12 | 12 | 6 of 12 (50%, 25 to 75) | 0 of 12 (0%, 0 to 24) | 12 of 12 (100%, 76 to 100) |" in page
    assert "| without | 6 → 0 of 12 | 6 | 0 | 0.016 |" in page
    assert "| rewritten | 0 → 1 of 1 | 0 | 1 | 0.500 |" in page
    assert "1 choice was not answered." in page
    assert "| `vague` | 6 of 6 (100%, 61 to 100) | 0 of 5 (0%, 0 to 43) | 0.002 | 0.002 |" in page
    assert "`rare`" not in page


def test_where_nothing_is_wrong_there_is_nothing_to_predict(predicting):
    page = predicting.page({"version": 1, "servers": [server(0)]})
    assert (
        "No tool of 12 gets a wrong tool: there is nothing to predict (by Wilson's interval, at most 24.2% of such tools may)."
        in page
    )
    assert "`vague`" not in page


def test_another_tool_that_is_as_right_is_told_from_the_very_one(predicting):
    given = server(0)
    given["choices"]["as it is"][0] = choice("tool_0", 1, "tool_5", right=True)
    page = predicting.page({"version": 1, "servers": [given]})
    assert "| as it is | 12 of 12 (100%, 76 to 100) | 11 of 12 (92%, 65 to 99) |" in page


def test_what_was_not_answered_is_neither_right_nor_wrong(predicting):
    (table,) = predicting.tables(
        [server(2)], "vague", lambda each: None if each["right"] is None else not each["right"]
    )
    assert table == (2, 4, 0, 5)


def test_tools_with_more_findings_than_the_middle_one(predicting):
    given = server(1)
    (table,) = predicting.tables(
        [given], predicting.MORE, lambda each: None if each["right"] is None else not each["right"]
    )
    assert table == (1, 5, 0, 6)


def test_the_page_is_fresh(predicting):
    result = FILE.parent / "results.json"
    text = (FILE.parents[2] / "evals/results/selection.md").read_text("utf-8")
    written = text.partition("report --write evals/results/selection.md` -->\n")[2].partition(
        "<!-- end of selection -->"
    )[0]
    assert written
    assert not result.exists() or written == predicting.page(json.loads(result.read_text("utf-8")))


def test_nothing_is_a_page_too(predicting):
    assert predicting.page({"version": 1, "servers": []}).startswith("0 servers, 0 tools, 0 tasks")
