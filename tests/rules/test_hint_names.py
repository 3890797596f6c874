"""What is said of a server whose tools have hints under other names than clients know."""

import json
from pathlib import Path

import pytest

import reviewer


def told(folder: Path, hints: list[dict]) -> str:
    """Return the message for tools with these annotations."""
    tools = [
        {"name": name, "description": "Of the kiln.", "inputSchema": {"type": "object"}, **each}
        for name, each in zip(("list_plans", "delete_plan"), hints, strict=True)
    ]
    (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
    found = [each for section in reviewer.review(folder / "tools.json").sections for each in section.findings]
    return next(each.message for each in found if each.rule.slug == "changes-not-annotated")


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        ([{}, {}], "none of the 2 tools has annotations, "),
        ([{"annotations": {"title": "Plans"}}, {}], "none of the 2 tools has a `readOnlyHint` or `destructiveHint` annotation, "),
        (
            [{"annotations": {"readOnly": True}}, {"annotations": {"readOnly": False, "title": "Delete"}}],
            "none of the 2 tools has a `readOnlyHint` or `destructiveHint` annotation, but `readOnly`, which no client "
            "knows, ",
        ),
    ],
)  # fmt: skip
def test_it_names_what_is_there_instead(tmp_path, hints, message):
    assert told(tmp_path, hints).startswith(message)
