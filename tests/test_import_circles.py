"""No module imports itself by way of others: not as it is loaded, not in a function, not for types alone."""

import ast
from pathlib import Path

import reviewer

ROOT = Path(reviewer.__file__).parent
FILES = {
    ".".join(("reviewer", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
LARGEST = 22
"""Modules of the largest circle."""


def imports_of(module: str) -> set[str]:
    """Return the modules that a module imports anywhere; a name that a package gives counts as the package."""
    found = set()
    for node in ast.walk(ast.parse(FILES[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            below = {f"{node.module}.{each.name}" for each in node.names}
            found |= {each if each in FILES else str(node.module) for each in below}
    return (found & FILES.keys()) - {module}


def circles() -> list[list[str]]:
    """Return the modules that reach each other: the strongly connected components of more than one, by Tarjan's algorithm."""
    reached: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    found = []

    def visit(module: str) -> None:
        reached[module] = lowest[module] = len(reached)
        open_.append(module)
        for other in sorted(imports_of(module)):
            if other not in reached:
                visit(other)
            if other in open_:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == reached[module]:
            at = open_.index(module)
            found.append(sorted(open_[at:]))
            del open_[at:]

    for module in FILES:
        if module not in reached:
            visit(module)
    return [each for each in found if len(each) > 1]


def test_modules_import_each_other_in_no_circle():
    """What a part needs of the whole is an abstract class that both import, as `Evaluator`."""
    assert [each for each in circles() if len(each) > LARGEST] == []
