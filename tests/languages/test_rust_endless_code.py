"""Functions of thousands of statements: what looks back over them takes its work from the budget, and is named where that ends."""

from pathlib import Path

import pytest

from reviewer import failures
from reviewer.budget import BOUNDS, Budget, spending
from reviewer.files.discovery import discover_files
from reviewer.languages import rust

TOOL = '#[tool_router]\nimpl S {{\n    #[tool(description = "Gets.")]\n    fn get(&self) -> String {{ {} }}\n}}\n'
ENDLESS = {
    "panics": "x.unwrap();" * 2000,
    "branches": "if x == 0 { a() }" + "".join(f" else if x == {number} {{ y({number}) }}" for number in range(800)),
    "returns in returns": "return " * 2000 + "x",
    "bindings": "".join(f"let a{number + 1} = a{number}.clone();" for number in range(2000)) + "a0",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_leads_too_far_is_named(kind: str, tmp_path: Path) -> None:
    (tmp_path / "main.rs").write_text(TOOL.format(ENDLESS[kind]))
    few = Budget({**{resource: bound.compute(0) for resource, bound in BOUNDS.items()}, "visits": 100})
    with spending(few), failures.collected() as kept:
        project = rust.read(discover_files(tmp_path))
        for server in project.servers:
            for tool in server.tools:
                with failures.contained("acts"):
                    tuple(tool.code.acts.select_kinds("panics") if tool.code is not None else ())
    assert any("the code takes too long to follow" in each.reason for each in kept.all)
    assert all(not each.error for each in kept.all), "a bound that is reached is no fault of ours"


def test_no_number_is_wider_than_a_type(tmp_path: Path) -> None:
    from reviewer.languages.rust.evaluation import literals

    assert literals.parse_number("0x" + "f" * 32 + "u128") == 2**128 - 1
    assert literals.parse_number("0b" + "1" * 128) == 2**128 - 1
    assert literals.parse_number("0x" + "f" * 60_000) is None
