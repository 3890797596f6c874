"""Lists the circles of imports in `reviewer/`: modules that import each other by way of others.

    python evals/structure/circles.py [FOLDER]

An import counts wherever it stands: at the top of a module, in a function, for types alone. FOLDER is the package, if it is not
this checkout's.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "reviewer"


def imports(package: Path) -> dict[str, set[str]]:
    """Return the modules of a package, each with those that it imports; a name that a package gives counts as the package."""
    paths = {
        ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in sorted(package.rglob("*.py"))
    }
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        named: set[str] = set()
        for node in _iter_statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                below = {f"{node.module}.{each.name}" for each in node.names}
                named |= {each if each in paths else str(node.module) for each in below}
        found[module] = (named & paths.keys()) - {module}
    return found


def _iter_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements within a node: no expression has an import in it, and nine tenths of a tree are expressions."""
    for part in ("body", "orelse", "handlers", "cases", "finalbody"):
        found = getattr(node, part, ())
        for each in found if isinstance(found, list) else ():  # a lambda's body is an expression
            yield each
            yield from _iter_statements(each)


def circles(imported: dict[str, set[str]]) -> list[list[str]]:
    """Return the modules that reach each other, the largest circle first: strongly connected components, as Tarjan finds them."""
    reached: dict[str, int] = {}
    lowest: dict[str, int] = {}
    unfinished: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        reached[module] = lowest[module] = len(reached)
        unfinished.append(module)
        for other in sorted(imported[module]):
            if other not in reached:
                visit(other)
            if other in unfinished:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == reached[module]:
            at = unfinished.index(module)
            found.append(sorted(unfinished[at:]))
            del unfinished[at:]

    for module in imported:
        if module not in reached:
            visit(module)
    return sorted((each for each in found if len(each) > 1), key=len, reverse=True)


def main() -> None:
    """Print each circle on a line."""
    found = circles(imports(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE))
    print(f"{sum(map(len, found))} modules in {len(found)} circles")
    for each in found:
        print(len(each), *each)


if __name__ == "__main__":
    main()
