"""The public API → the reference in docs/api.md: signatures and types from the code, what an attribute means from here."""

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import reviewer

PAGE = "docs/api.md"

PROMISED: dict[str, dict[str, str]] = {
    "review": {},
    "Flags": {
        "profile": "The profile; detected if None.",
        "select": "Run only these rules: slugs, codes or sections.",
        "ignore": "Skip these rules.",
        "config": "The configuration file; searched for if None.",
        "sdk": "Versions of SDKs that the server runs with, by name.",
        "judge": "The judge for what code cannot decide; none by default.",
        "exclude": "Patterns of files to exclude, as in `.gitignore`.",
        "isolated": "Ignore configuration files.",
    },
    "Report": {
        "profile": "The profile that was used.",
        "because": "Why it was chosen.",
        "sections": "All sections, in order.",
        "tools": "The number of tools.",
        "broken": "What could not be read.",
        "maturity": "How mature the tool definitions are.",
        "findings": "",
        "verdict": "",
        "violations": "",
        "sections_ok": "",
        "open": "",
        "count": "",
        "fails": "",
    },
    "SectionReport": {
        "section": "Number and title.",
        "status": "The outcome of the section.",
        "findings": "All its findings, including suppressed ones and those in a baseline.",
        "reason": "Why it is not applicable, or how many questions are open.",
    },
    "Finding": {
        "rule": "The rule that is broken.",
        "severity": "Its severity under the profile.",
        "span": "The location in the source.",
        "message": "What is wrong, in one line.",
        "help": "What to do.",
        "tool": "The tool or action it is about, if it is about one.",
        "status": "Whether it is reported, suppressed or in the baseline.",
        "fingerprint": "Identifies the finding across runs, even if its lines move.",
    },
    "Rule": {
        "slug": "Its name, as in `tool-name-style`.",
        "section": "The section it belongs to.",
        "severity": "Its default severity.",
        "codes": "Its codes in the guidelines, as in `NAM-002`.",
        "cites": "Its sources.",
        "title": "",
        "page": "",
    },
    "Section": {
        "number": "As in §1.",
        "title": "As in the report.",
    },
    "Span": {
        "path": "Relative to the reviewed folder, with forward slashes.",
        "line": "The first line, counted from 1.",
        "column": "The first column, in characters, counted from 1.",
        "end_line": "The last line.",
        "end_column": "The column after the last character.",
    },
    "Severity": {},
    "Verdict": {},
    "Maturity": {
        "score": "0 to 100; None if it is withheld.",
        "level": "The name of the level.",
        "withheld": "Why there is no score.",
    },
    "Opaque": {
        "reason": "Why it cannot be read.",
        "span": "Where it stands.",
    },
    "CannotReviewError": {},
    "Progress": {},
    "Stage": {},
    "JudgeSettings": {
        "name": 'The judge, as in `--judge`; `"none"` asks no model.',
        "model": "The full id of the model; the judge's default if None.",
        "effort": 'The reasoning effort of the model; `"none"` uses the model\'s default.',
        "seconds": "The time for one request, in seconds.",
        "max_questions": "The maximum number of questions in one run.",
        "max_cost": "The maximum cost of one run in US dollars; one dollar if None.",
        "remember": "Reuse verdicts of earlier runs, and store new ones.",
    },
}
"""Every public name, in the order of the page, with its promised attributes. An empty meaning is that of the docstring."""


def render_reference() -> str:
    """Return the reference of all public names, in Markdown."""
    return "\n".join(line for name in PROMISED for line in _describe(name, getattr(reviewer, name)))


def _describe(name: str, what: Any) -> list[str]:
    said = inspect.getdoc(what) or ""
    if inspect.isfunction(what):
        return [f"### `{name}`", "", "```python", f"{name}{_render_signature(what)}", "```", "", said, ""]
    head = [f"### `{name}`", "", _render_sentence(said), ""]
    if issubclass(what, Enum):
        return [*head, ", ".join(f"`{name}.{each.name}`" for each in what), ""]
    rows = [
        f"| `{shown}` | {_render_cell(kind)} | {meaning} |"
        for shown, kind, meaning in _iter_attributes(what, PROMISED[name])
    ]
    return [*head, *(["| attribute | type | meaning |", "| --- | --- | --- |", *rows, ""] if rows else [])]


def _iter_attributes(owner: type, wanted: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each attribute as it is written, its type, and what it means. Raises KeyError for one that is not there."""
    fields = inspect.get_annotations(owner)
    for name, meaning in wanted.items():
        if name in fields:
            yield name, format_type(fields[name]), meaning
            continue
        member: Any = vars(owner)[name]
        function: Any = member.fget if isinstance(member, property) else member
        shown = name if isinstance(member, property) else f"{name}({', '.join(_collect_parameters(function)[1:])})"
        yield (
            shown,
            format_type(inspect.signature(function).return_annotation),
            (inspect.getdoc(member) or "").partition("\n")[0],
        )


def _render_sentence(docstring: str) -> str:
    """Return the first sentence; what follows it speaks to those who work on the code."""
    return f"{docstring.partition(chr(10))[0].partition('. ')[0].removesuffix('.')}."


def _render_signature(function: Callable[..., Any]) -> str:
    return (
        f"({', '.join(_collect_parameters(function))}) -> {format_type(inspect.signature(function).return_annotation)}"
    )


def _collect_parameters(function: Callable[..., Any]) -> list[str]:
    return [
        each.name
        + (f": {format_type(each.annotation)}" if each.annotation is not each.empty else "")
        + (f" = {getattr(each.default, '__name__', each.default)}" if each.default is not each.empty else "")
        for each in inspect.signature(function).parameters.values()
    ]


def format_type(annotation: Any) -> str:
    """Return a type as one reads it: alike in every Python, without the modules that its parts are in."""
    if isinstance(annotation, str):
        return annotation
    if annotation is None or annotation is NoneType:
        return "None"
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in parts)
    if origin in (Union, UnionType):
        return " | ".join(map(format_type, parts))
    name = "..." if annotation is Ellipsis else str((origin or annotation).__name__)
    return f"{name}[{', '.join(map(format_type, parts))}]" if parts else name


def _render_cell(code: str) -> str:
    """Return a type for a cell of a table, which a bar would end."""
    return f"`{code.replace(' | ', ' or ')}`"
