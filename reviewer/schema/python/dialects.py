"""What each release of a Python framework makes of the same declaration: the one place that knows of versions.

Each step names the first release that behaves so; it holds until a later step says otherwise. Learned by declaring the same
functions under 35 releases and asking each for `tools/list`.
"""

from dataclasses import replace
from typing import Any, Literal

from reviewer.records import dataclass

Framework = Literal["mcp", "fastmcp"]
"""The distribution whose rules make a tool of a function."""
Version = tuple[int, ...]
DocumentationForm = Literal["verbatim", "cleaned", "without parameters", "without sections"]
"""What of a docstring becomes the description: all of it as `__doc__` has it; all of it after `inspect.cleandoc`; the text
before its first section if it describes parameters; the text before its first section of any kind."""


Discriminators = Literal["kept", "without mapping", "dropped", "required"]
"""`discriminator` stays; loses its mapping; goes; goes, and the property that it named is required of every variant."""


@dataclass(frozen=True, slots=True)
class PythonDialect:
    """How a release makes a `tools/list` entry of a function."""

    framework: Framework
    documentation: DocumentationForm = "verbatim"
    dedented: bool = False
    """Whether the interpreter (3.13 and newer) takes the indentation out of docstrings itself."""
    empty_description: bool = False
    """Whether `description=""` is kept; otherwise the docstring stands in for it."""
    further_annotations: bool = True
    """Whether annotations that the protocol does not know are sent."""
    metadata_text: bool = False
    """Whether the text in `Annotated[T, "text"]` is the description of a parameter."""
    titles: bool = True
    """Whether the titles that pydantic makes of names stay in a schema."""
    title_of_any: bool = True
    """Whether the title stays beside nothing else, as for a parameter of any type."""
    closed: bool = False
    """Whether the input schema says `additionalProperties: false`."""
    opened: bool = False
    """Whether `additionalProperties: false` is taken out at every depth."""
    inlined: bool = False
    """Whether `$ref`s are replaced by what they refer to."""
    output: bool = False
    """Whether an output schema is derived from the return annotation."""
    content_output: bool = True
    """Whether content blocks, which a model reads, have an output schema all the same."""
    bare_sequence_output: bool = True
    """Whether `list` without an item type has an output schema."""
    typed_dict_models: bool = False
    """Whether the output schema of a `TypedDict` is that of a model with its fields: without its text, null where absent."""
    wrapper_text: str | None = None
    """The description of the object that a result of another type is wrapped in."""
    written_titles: bool = False
    """Whether a parameter's title that the author wrote stays where those made of names go."""
    discriminators: Discriminators = "kept"
    """What becomes of `discriminator`, which names definitions that may be gone."""
    titles_from_annotations: bool = False
    """Whether a title in the annotations is that of the tool where it has none."""
    derived_title: bool = False
    """Whether a tool without a title gets one made of its name."""
    mixin_output: bool = True
    """Whether the tools of a mixin have the output schemas that other tools have."""
    meta_key: str | None = None
    """Where in `_meta` the tags stand."""


_MCP: tuple[tuple[Version, dict[str, Any]], ...] = (
    ((1, 10), {"output": True, "typed_dict_models": True}),
    ((2, 0), {"content_output": False, "further_annotations": False}),
    ((2, 1), {"typed_dict_models": False}),
)
"""From which release of the official SDK on its schemas are otherwise, in order. Without a step they are those of another."""

_FASTMCP: tuple[tuple[Version, dict[str, Any]], ...] = (
    ((0,), {"content_output": False, "closed": True}),
    ((2, 3), {"closed": False, "opened": True}),
    ((2, 9), {"documentation": "cleaned"}),
    (
        (2, 10),
        {
            "output": True,
            "titles_from_annotations": True,
            "wrapper_text": "Generic wrapper for non-object return types.",
        },
    ),
    ((2, 11), {"meta_key": "_fastmcp", "metadata_text": True}),
    ((2, 12), {"titles": False}),
    ((2, 13), {"mixin_output": False}),
    ((2, 14, 4), {"inlined": True, "discriminators": "without mapping"}),
    ((3, 0), {"closed": True, "opened": False, "meta_key": "fastmcp", "discriminators": "kept"}),
    ((3, 1, 1), {"mixin_output": True}),
    (
        (3, 2),
        {
            "documentation": "without parameters",
            "empty_description": True,
            "wrapper_text": None,
            "title_of_any": False,
            "discriminators": "dropped",
        },
    ),
    ((4, 0), {"derived_title": True, "further_annotations": False, "discriminators": "required"}),
    ((4, 0, 11), {"bare_sequence_output": False, "written_titles": True}),
    ((4, 1), {"documentation": "without sections"}),
)
"""The dialects of the standalone fastmcp, by the release in which each begins."""

_STEPS = {"mcp": _MCP, "fastmcp": _FASTMCP}

RELEASES: dict[Framework, str] = {
    "mcp": "1.1.3 1.2.1 1.3.0 1.4.1 1.5.0 1.6.0 1.7.1 1.8.1 1.9.4 1.10.1 1.11.0 1.12.4 1.13.1 1.14.1 1.15.0 1.16.0 1.17.0"
    " 1.18.0 1.19.0 1.20.0 1.21.2 1.22.0 1.23.3 1.24.0 1.25.0 1.26.0 1.27.2 1.28.1 1.29.1 1.30.0 2.0.1 2.1.1 2.2.0 2.3.0",
    "fastmcp": "0.4.1 1.0 2.0.0 2.1.2 2.2.10 2.3.5 2.4.0 2.5.2 2.6.1 2.7.1 2.8.1 2.9.2 2.10.6 2.11.3 2.12.5 2.13.3 2.14.3"
    " 2.14.7 3.0.2 3.1.1 3.2.4 3.3.1 3.4.11 4.0.11 4.1.6",
}
"""The last patch release of every minor one, to find the newest that a requirement allows."""


def choose_dialect(
    framework: Framework, version: Version | None = None, python: Version | None = None
) -> PythonDialect:
    """Return the dialect of a release; an unknown version is taken for the newest, an unknown Python for one before 3.13."""
    made = PythonDialect(framework, dedented=python is not None and python >= (3, 13))
    for since, changes in _STEPS[framework]:
        if version is None or version >= since:
            made = replace(made, **changes)
    return made
