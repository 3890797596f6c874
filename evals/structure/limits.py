"""How far reviews of real servers get to the limits of the analyses: the reason for a limit that no specification gives.

    python evals/structure/limits.py [--only WORD] [--measure LIMIT=NUMBER ...] SERVER ...

A limit is a whole number with a name at the top of a module, such as how many values inside values are searched. Each server is
reviewed by all rules, in a process of its own in which such a number notes how it is used: what is left of it where it is counted
down, what it is compared to, how far a loop over it gets, how long a list is that it cuts. Printed is for each limit its value,
the most that any server used, how many servers used it, and how many came to its end. `--measure` gives limits other values, to
see whether findings depend on them: it prints those that are in one of the two reports only. The figures:
evals/results/structure.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOMS = ("behaviour", "code", "facts", "languages", "schema")
"""Folders of the analyses. Limits of commands and formats have other reasons: a screen, an API."""

PROBE = '''
import ast, builtins, importlib.abc, importlib.machinery, itertools, json, os, sys
from pathlib import Path
from typing import Any

ROOMS = set(os.environ["ROOMS"].split())
GIVEN = json.loads(os.environ["GIVEN"])
values, most, ended = {}, {}, set()


class Limit(int):
    """A number that notes how it is used."""

    def __new__(cls, value, name, whole=None):
        self = super().__new__(cls, value)
        self.name, self.whole = name, value if whole is None else whole
        return self

    def note(self, used):
        if isinstance(used, int) and used > most.get(self.name, 0):
            most[self.name] = int(used)
        if used >= self.whole:
            ended.add(self.name)

    def __sub__(self, other):
        left = int(self) - other
        if not isinstance(left, int):
            return left
        self.note(self.whole - left)
        return Limit(left, self.name, self.whole)

    def _compare(name):
        plain = getattr(int, name)
        def compare(self, other):
            if int(self) == self.whole and isinstance(other, int) and not isinstance(other, Limit):
                self.note(other)
            return plain(self, other)
        return compare

    __lt__, __le__, __gt__, __ge__ = map(_compare, ("__lt__", "__le__", "__gt__", "__ge__"))
    __hash__ = int.__hash__
    __eq__ = int.__eq__


def note_range(*limits):
    for number, each in enumerate(builtins.range(*limits), 1):
        for limit in limits:
            if isinstance(limit, Limit):
                limit.note(number)
        yield each


def choose_range(*limits):
    return note_range(*limits) if any(isinstance(each, Limit) for each in limits) else builtins.range(*limits)


def choose_slice(items, *limits):
    cut = itertools.islice(items, *limits)
    return note_slice(cut, limits) if any(isinstance(each, Limit) for each in limits) else cut


def note_slice(cut, limits):
    for number, each in enumerate(cut, 1):
        for limit in limits:
            if isinstance(limit, Limit):
                limit.note(number)
        yield each


def cut(whole, most):
    if isinstance(most, Limit) and hasattr(whole, "__len__"):
        most.note(len(whole))
    return whole[:most]


def make_limit(value, name):
    values[name] = value
    return Limit(GIVEN.get(name, value), name)


class Noting(ast.NodeTransformer):
    def __init__(self, module):
        self.module = module

    def visit_Module(self, node):
        self.generic_visit(node)
        for each in node.body:
            if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is not None:
                target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
                if isinstance(target, ast.Name) and target.id.isupper() and is_number(each.value):
                    name = ast.Constant(f"{self.module}:{target.id}")
                    each.value = ast.Call(ast.Name("_make_limit", ast.Load()), [each.value, name], [])
        return ast.fix_missing_locations(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("range", "islice"):
            node.func.id = "_range" if node.func.id == "range" else "_islice"
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        cut = node.slice
        if not isinstance(node.ctx, ast.Load) or not isinstance(cut, ast.Slice) or cut.lower is not None or cut.step is not None:
            return node
        if isinstance(cut.upper, ast.Name) and cut.upper.id.isupper():
            return ast.Call(ast.Name("_cut", ast.Load()), [node.value, cut.upper], [])
        return node


def is_number(node):
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}})
    except Exception:
        return False
    return type(value) is int and value > 1


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        path = self.get_filename(name)
        module = path.rpartition(f"{os.sep}reviewer{os.sep}")[2].removesuffix(".py")
        tree = Noting(module).visit(ast.parse(self.get_data(path)))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module):
        vars(module).update(_make_limit=make_limit, _range=choose_range, _islice=choose_slice, _cut=cut)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        parts = name.split(".")
        if parts[0] != "reviewer" or len(parts) < 2 or parts[1] not in ROOMS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, Finder())

import reviewer
from reviewer.rules import load

report = reviewer.review(sys.argv[1], reviewer.Flags(select=tuple(load())))
findings = sorted(f"{each.rule.slug} {each.span.path}:{each.span.line}" for each in report.findings)
print(json.dumps({"values": values, "most": most, "ended": sorted(ended), "findings": findings}))
'''
"""Reviews a server with limits that note how they are used."""


def review(server: str, given: dict[str, int]) -> dict[str, Any] | None:
    """Return how a review of a server used the limits, and its findings; None if it could not be made."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            "ROOMS": " ".join(ROOMS),
            "GIVEN": json.dumps(given),
            "XDG_CACHE_HOME": cache,
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }
        done = subprocess.run(
            [sys.executable, "-P", "-c", PROBE, server], env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode:
        print(f"{server}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def iter_rows(reviews: list[dict[str, Any]], word: str) -> Iterator[str]:
    """Yield a row for each limit that a review used, in the order of the modules."""
    values = {name: value for each in reviews for name, value in each["values"].items()}
    for name, value in sorted(values.items()):
        used = [each["most"][name] for each in reviews if name in each["most"]]
        if used and word in name:
            ends = sum(name in each["ended"] for each in reviews)
            yield f"| {name} | {value} | {max(used)} | {len(used)} | {ends} |"


def parse_given(texts: Iterable[str]) -> dict[str, int]:
    """Return the values that limits are given, by their names."""
    return {name: int(value) for name, _, value in (each.partition("=") for each in texts)}


def main() -> None:
    """Print a row for each limit, or the findings that depend on limits."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("servers", nargs="+", metavar="SERVER", help="the folders of servers")
    options.add_argument(
        "--only", default="", metavar="WORD", help="only limits with this word in their module or name"
    )
    options.add_argument("--measure", nargs="+", default=[], metavar="LIMIT=NUMBER", help="compare with other values")
    asked = options.parse_args()
    if asked.measure:
        for server in asked.servers:
            found, other = (review(server, given) for given in ({}, parse_given(asked.measure)))
            if found is None or other is None:
                continue
            before, after = set(found["findings"]), set(other["findings"])
            print(
                server,
                *(f"- {each}" for each in sorted(before - after)),
                *(f"+ {each}" for each in sorted(after - before)),
                sep="\n",
            )
        return
    reviews = [found for each in asked.servers if (found := review(each, {})) is not None]
    print(
        "| limit | value | most used | servers that used it | that came to its end |\n| --- | --- | --- | --- | --- |"
    )
    print(*iter_rows(reviews, asked.only), sep="\n")


if __name__ == "__main__":
    main()
