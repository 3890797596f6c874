"""Definitions that nest, repeat or number without end, and what JSON has no word for: read, or refused in one line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer.files.discovery import CannotReviewError
from reviewer.inputs import documents

DEEP = 50_000


def refused(text: str, name: str) -> str:
    with pytest.raises(CannotReviewError) as caught:
        documents.parse_document(text.encode("utf-8", "surrogatepass"), name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[" * DEEP + "]" * DEEP),
        ("a.json", '{"a":' * DEEP + "1" + "}" * DEEP),
        ("a.yaml", "[" * DEEP + "]" * DEEP),
        ("a.yaml", "{a: " * DEEP + "1" + "}" * DEEP),
        ("a.yaml", "- " * DEEP + "a"),
        ("a.yaml", "? " * DEEP + "a"),
    ],
)
def test_depth(name: str, text: str) -> None:
    assert "nested too deep" in refused(text, name)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_in_json(constant: str) -> None:
    assert f"`{constant}` is not a JSON number" in refused(f'{{"tools": [{{"name": "a", "x": {constant}}}]}}', "a.json")


@pytest.mark.parametrize(("name", "text"), [("a.json", "[{}]"), ("a.yaml", "[{}]"), ("b.yaml", "[0x{}]")])
def test_numbers_that_nobody_writes(name: str, text: str) -> None:
    assert "more than 4300 digits" in refused(text.format("9" * 5000), name)


def test_hexadecimal_numbers_that_are_longer_in_decimal() -> None:
    assert "more than 4300 digits in line 2" in refused(f"-\n - 0x{'f' * 4290}", "a.yaml")
    assert documents.parse_document(f"0x{'f' * 3500}".encode(), "a.yaml").root.data == 16**3500 - 1


@pytest.mark.parametrize("form", ["1{}.5", "-1{}.", "!!float '1{}'"])
def test_fractions_to_the_base_60_beyond_all(form: str) -> None:
    assert "in line 1 is not a number" in refused(f"[{form.format(':59' * 200)}]", "a.yaml")
    assert isinstance(documents.parse_document(f"[{form.format(':59' * 20)}]".encode(), "a.yaml").root.data[0], float)


@pytest.mark.parametrize(
    "value", ["!!binary aGk=", "!!set {a}", "!!omap [a: 1]", "!!timestamp 2001-01-01", "!!python/none ~", "!x y"]
)
def test_values_that_json_has_not(value: str) -> None:
    assert "could not determine a constructor" in refused(f"tools: [{{name: {value}}}]", "a.yaml")


def test_a_truth_that_is_none() -> None:
    assert "not a boolean" in refused("tools: [{name: !!bool x}]", "a.yaml")


ALIASES = {
    "doubled lists": ("[x, x]", "[*{0}, *{0}]"),
    "doubled objects": ("{x: 1}", "{{a: *{0}, b: *{0}}}"),
    "merged twice": ("{x: 1}", "{{<<: [*{0}, *{0}]}}"),
}


@pytest.mark.parametrize("kind", ALIASES)
def test_aliases_that_stand_for_more_and_more(kind: str) -> None:
    first, further = ALIASES[kind]
    lines = [
        f"a0: &a0 {first}",
        *(f"a{number}: &a{number} {further.format(f'a{number - 1}')}" for number in range(1, 60)),
    ]
    assert "aliases expand to more" in refused("\n".join(lines), "a.yaml")


def test_an_alias_of_what_is_long_may_repeat_it() -> None:
    text = "a: &a [" + "x, " * 100 + "]\nb: [" + "*a, " * 100 + "]\n"
    assert documents.parse_document(text.encode(), "a.yaml").has_aliases


@pytest.mark.slow
def test_a_key_that_stands_twice_among_many_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys are counted, not looked for one by one: that took a time that grew with the square of their number."""
    keys = [f"k{number}" for number in range(20_000)]
    counted = []

    class Counting(documents.Counter[str]):
        def __init__(self, given: Iterator[str]) -> None:
            held = list(given)
            counted.append(len(held))
            super().__init__(held)

    monkeypatch.setattr(documents, "Counter", Counting)
    written = ", ".join(f'"{key}": 1' for key in [*keys, "k7"])
    (named,) = documents.parse_document(f"{{{written}}}".encode(), "a.json").broken
    assert "`k7` occurs twice" in named.reason
    assert counted == [20_001]


def test_what_one_reader_of_json_takes_and_the_other_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Any = documents.json.loads
    monkeypatch.setattr(documents.json, "loads", lambda *_, **__: read("{}"))
    assert "not valid JSON" in refused('{"a": nan}', "a.json")


def test_a_file_of_a_gigabyte(tmp_path: Path) -> None:
    with open(tmp_path / "a.json", "wb") as sparse:
        sparse.truncate(2**30)
    with pytest.raises(CannotReviewError, match="larger than 64 MB"):
        documents.load(tmp_path / "a.json")


@pytest.mark.slow
def test_ten_thousand_parameters_of_one_description_are_sorted_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import json

    import reviewer
    from reviewer.rules.llm import parameter_without_description as rule

    count, sorted_ = 2_000, []
    original = rule.nsmallest
    monkeypatch.setattr(rule, "nsmallest", lambda most, names: sorted_.append(1) or original(most, names))
    properties = {f"p{number}": {"type": "string", "description": "What is given."} for number in range(count)}
    tool = {"name": "a", "description": "Gets a thing.", "inputSchema": {"type": "object", "properties": properties}}
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [tool]}))
    flags = reviewer.Flags(profile="tool-trait", select=("parameter-without-description",))  # tells each by itself
    findings = reviewer.review(tmp_path / "tools.json", flags).findings
    assert len(findings) == count
    assert max(len(each.message) for each in findings) < 300
    assert len(sorted_) < 10, "once for each description and reader, not once for each parameter"
