"""How rules say what is to be otherwise."""

from reviewer.facts import Schema, Tool
from reviewer.facts.parts import Path
from reviewer.fixes.model import FixPlan, FixPlanner, Rewrite, RewriteKind
from reviewer.source import Span


def plan_rewrite(title: str, rewrite: Rewrite, *, safe: bool = True) -> FixPlanner:
    """Mend by one thing that is otherwise."""
    return lambda: FixPlan(title, (rewrite,), safe)


def plan_hints(tool: Tool, *, safe: bool = True, **hints: bool) -> FixPlan:
    """Say hints in the annotations of a tool."""
    said = " and ".join(f"`{name}: {str(value).lower()}`" for name, value in hints.items())
    rewrites = tuple(Rewrite("hint", tool.span, key=name, value=value) for name, value in hints.items())
    return FixPlan(f"set {said}", rewrites, safe)


def build_schema_rewrite(tool: Tool, kind: RewriteKind, path: Path, value: object, key: str = "") -> Rewrite:
    """Have something otherwise in the literal of a tool's input schema, wherever that is written."""
    document = tool.input_schema.document if isinstance(tool.input_schema, Schema) else None
    return Rewrite(kind, tool.span, path, value, key, document)


def plan_stderr_print(span: Span, *, safe: bool = True) -> FixPlanner:
    """Have what prints there do so to the standard error."""
    return plan_rewrite("print to the standard error", Rewrite("to stderr", span), safe=safe)


def plan_stripping(span: Span, characters: list[str], text: str, *, safe: bool = True) -> FixPlanner:
    """Take characters out of a text that is written there."""
    return plan_rewrite("remove them", Rewrite("strip characters", span, value=tuple(characters), key=text), safe=safe)
