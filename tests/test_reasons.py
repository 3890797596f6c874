"""Comments say why: each threshold, list of words and pattern of an analysis has its reason beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "reviewer"

WITHOUT_A_REASON = 0
"""How many constants say nothing of why they are what they are. It may only go down."""


EXPRESSION = re.compile(r"\(\?|\\[bdsw]|\w\|\w")
"""What a text has in it that is part of a regular expression: no message and no path has any of these."""


def is_choice(value: ast.expr) -> bool:
    """Return whether somebody had to choose a value: a number, a collection of words, a regular expression or a part of one."""
    match value:
        case ast.UnaryOp(operand=ast.expr() as operand):
            return is_choice(operand)
        case ast.BinOp():
            return is_choice(value.left) or is_choice(value.right)
        case ast.Constant(value=int() | float() as number):
            return not isinstance(number, bool)
        case ast.Constant(value=str() as text):
            return EXPRESSION.search(text) is not None
        case ast.JoinedStr(values=parts):
            return any(is_choice(each) for each in parts if isinstance(each, ast.Constant))
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            words = [isinstance(each, ast.Constant) and isinstance(each.value, str) for each in parts]
            return bool(parts) and (all(words) or any(is_choice(each) for each in parts))
        case ast.Call(func=ast.Name(id="pattern")) | ast.Call(func=ast.Attribute(attr="compile" | "pattern" | "split")):
            return True
        case ast.Call(
            func=ast.Name(id="frozenset" | "set" | "tuple")
            | ast.Subscript(value=ast.Name(id="frozenset" | "set" | "tuple")),
            args=[first, *_],
        ):
            return is_choice(first)
        case ast.GeneratorExp(generators=[first, *_]):
            return is_choice(first.iter)
        case _:
            return False


def constants(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the names of constants of a module that were chosen, and whether a comment or a text of its own says why.

    What a module exports (`__all__`) is no choice of this kind.
    """
    lines = text.splitlines()
    body = ast.parse(text).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None or not is_choice(node.value):
            continue
        name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
        if name == "__all__":
            continue
        told = (
            isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
        )
        before = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
        within = any(
            "  # " in line or line.strip().startswith("# ") for line in lines[node.lineno - 1 : node.end_lineno]
        )
        yield name, told or before.startswith("#") or within


def test_constants_have_their_reasons():
    left = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(ROOT.rglob("*.py"))
        for name, is_reasoned in constants(path.read_text("utf-8"))
        if not is_reasoned
    ]
    assert len(left) <= WITHOUT_A_REASON, f"{len(left)} constants say nothing of why; comment on what is new"


EMPTY = re.compile(r"\bChosen[,.:]|\b[Nn](?:ot|othing was) measured")
"""What says of a number only that somebody set it: `evals/structure/limits.py` measures how far real servers get."""


def test_no_reason_is_that_somebody_chose():
    assert [path.name for path in sorted(ROOT.rglob("*.py")) if EMPTY.search(path.read_text("utf-8"))] == []


def test_a_reason_is_a_comment_above_beside_or_a_text_below():
    text = '# why\nA = 5\n\nB = frozenset({"a"})\n"""Why."""\nC = pattern("x")  # why\nD = 5\nE = "text"\nF = "a b".split()\n'
    assert dict(constants(text)) == {"A": True, "B": True, "C": True, "D": False, "F": False}


@pytest.mark.parametrize(
    ("written", "chosen"),
    [
        ("frozenset[Act]({'reads', 'writes'})", True),
        ("frozenset(f'threading.{each}' for each in ('Lock', 'RLock'))", True),
        ("tuple(each.upper() for each in KEYS)", False),
        ("1.0, 60.0", True),
        ("'(?:one|two)'", True),
        ("'Give one of `a` or `b`.'", False),
        ("{'py': 'Await it.'}", False),
    ],
)
def test_choices_are_numbers_words_and_parts_of_expressions(written, chosen):
    assert is_choice(ast.parse(written, mode="eval").body) == chosen
