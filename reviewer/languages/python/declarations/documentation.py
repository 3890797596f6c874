"""A docstring → a tool's description and the texts of its arguments, as a release of a framework makes them."""

from dataclasses import field
from typing import Literal

from reviewer.languages.python.evaluation.values import PyClass, PyFunction
from reviewer.languages.python.types.functions import clean_docstring, find_docstring
from reviewer.records import dataclass
from reviewer.schema.python.dialects import PythonDialect
from reviewer.source import Text

STYLES: tuple[Literal["google", "numpy", "sphinx"], ...] = ("google", "numpy", "sphinx")
"""The styles that fastmcp looks for, in its order."""


@dataclass(frozen=True, slots=True)
class Documentation:
    """What is said of a function: the description of the tool, and what was taken out of it for its arguments."""

    description: Text | None = None
    arguments: dict[str, str] = field(default_factory=dict)


def read_documentation(function: PyFunction, dialect: PythonDialect, override: Text | None = None) -> Documentation:
    """Read a function's docstring, or the text that code puts in its place, as a dialect has it."""
    text = override or find_docstring(function)
    if text is None and dialect.framework == "fastmcp":
        text = _find_inherited_docstring(function)
    if text is None:
        return Documentation()
    if dialect.documentation == "verbatim":
        return Documentation((dedent_docstring(text) if dialect.dedented and override is None else text) or None)
    text = clean_docstring(text)
    if dialect.documentation == "cleaned":
        return Documentation(text or None)
    return _build_parted(text, only_parameters=dialect.documentation == "without parameters")


def _find_inherited_docstring(function: PyFunction) -> Text | None:
    """Find the docstring of the method that one without any overrides, as `inspect.getdoc` does."""
    for base in function.cls.iter_lineage() if function.cls is not None else ():
        found = base.names.get(function.name) if isinstance(base, PyClass) else None
        text = find_docstring(found) if isinstance(found, PyFunction) else None
        if text is not None:
            return text
    return None


def dedent_docstring(text: Text) -> Text:
    """Take out the indentation as Python 3.13 does when it compiles a docstring: first line and margin, nothing else.

    Only spaces and tabs are indentation: a line that holds a carriage return alone has a margin.
    """
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")), default=0)
    return Text(
        "\n".join([first.lstrip(" "), *(line[min(margin, len(line) - len(line.lstrip(" "))) :] for line in rest)]),
        text.span,
    )


def _build_parted(text: Text, *, only_parameters: bool) -> Documentation:
    """Part a docstring into the text before its sections and what it says of parameters, with fastmcp's own parser."""
    if not text:
        return Documentation()
    if ":" not in text and "---" not in text:
        return Documentation(text)
    from griffe import Docstring, DocstringSectionKind

    for style in STYLES:
        description: str | None = None
        arguments: dict[str, str] = {}
        is_structured = False
        for section in Docstring(str(text), lineno=1).parse(style, warnings=False):
            if section.kind is DocstringSectionKind.text:
                description = description if description is not None else section.value
                continue
            is_structured |= not only_parameters
            if section.kind is DocstringSectionKind.parameters:
                arguments |= {each.name: each.description for each in section.value}
        if arguments or is_structured:
            return Documentation(Text(description, text.span) if description is not None else None, arguments)
    return Documentation(text)
