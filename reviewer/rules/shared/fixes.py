"""Makes the fix plans of rules: each says what a fix changes in the source."""

from reviewer.facts import Schema, Tool
from reviewer.facts.parts import Path
from reviewer.fixes.model import FixPlan, FixPlanner, Rewrite, RewriteKind
from reviewer.source import Span


def plan_rewrite(title: str, rewrite: Rewrite, *, safe: bool = True) -> FixPlanner:
    """Return a planner of a fix with a single rewrite; `title` completes "to fix it, …"."""
    return lambda: FixPlan(title, (rewrite,), safe)


def plan_hints(tool: Tool, *, safe: bool = True, **hints: bool) -> FixPlan:
    """Return a plan that sets hints in the annotations of a tool."""
    said = " and ".join(f"`{name}: {str(value).lower()}`" for name, value in hints.items())
    rewrites = tuple(Rewrite("hint", tool.span, key=name, value=value) for name, value in hints.items())
    return FixPlan(f"set {said}", rewrites, safe)


def build_schema_rewrite(tool: Tool, kind: RewriteKind, path: Path, value: object, key: str = "") -> Rewrite:
    """Return a rewrite in the literal of a tool's input schema, in source or in a document."""
    document = tool.input_schema.document if isinstance(tool.input_schema, Schema) else None
    return Rewrite(kind, tool.span, path, value, key, document)


def plan_stderr_print(span: Span, *, safe: bool = True) -> FixPlanner:
    """Return a planner of a fix that makes the call at a place print to standard error."""
    return plan_rewrite("print to the standard error", Rewrite("to stderr", span), safe=safe)


def plan_stripping(span: Span, characters: list[str], text: str, *, safe: bool = True) -> FixPlanner:
    """Return a planner of a fix that removes characters from the text written at a place."""
    return plan_rewrite("remove them", Rewrite("strip characters", span, value=tuple(characters), key=text), safe=safe)
