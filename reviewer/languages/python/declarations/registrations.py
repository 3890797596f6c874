"""What the code of a project declares, as an evaluation keeps it: tools that are registered, mounts, folders, revisions."""

from tree_sitter import Node

from reviewer.facts import Condition, Tool
from reviewer.languages.python.evaluation.values import Method, PyInstance, PyValue, assume_default, to_text
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Span, Text


@dataclass(eq=False)
class Registration:
    """A tool as the code hands it to a server: `server` is None where only a run can tell which one.

    `keywords` are the arguments of the registering call, `node` the call or the decorator.
    """

    server: PyInstance | None
    function: PyValue | None
    keywords: dict[str, PyValue]
    node: Node
    module: PyModule
    conditions: tuple[Condition, ...]
    definition: PyInstance | None = None
    """The `Tool(...)` object itself, where the tool is given as one."""
    value: PyInstance | None = None
    """The tool as an object, where code looks at what it has registered; `before` is as it was registered."""
    before: PyInstance | None = None
    is_repeated: bool = False
    """Whether the same code handed the same tool to the same server before."""
    answer: object = None
    """The answer to `tools/list` that it stands in: what stands there twice is listed twice."""


@dataclass(frozen=True, eq=False)
class Mount:
    """A server that is mounted on another: its tools get `prefix` before their names, or those that `names` gives them."""

    parent: PyInstance
    child: PyInstance
    span: Span
    prefix: PyValue | None = None
    names: PyValue | None = None
    conditions: tuple[Condition, ...] = ()


def keep(mounts: list[Mount], made: Mount) -> None:
    """Keep a mount; the same call that is evaluated twice mounts once."""
    if not any(
        (each.parent, each.child, each.span) == (made.parent, made.child, made.span)
        and _find_text(each.prefix) == _find_text(made.prefix)
        for each in mounts
    ):
        mounts.append(made)


def _find_text(value: PyValue | None) -> str | None:
    text = to_text(assume_default(value)[0]) if value is not None else None
    return str(text) if text is not None else None


@dataclass(frozen=True, eq=False)
class ProviderFolder:
    """A folder that a provider searches when it is made. `place` is relative to the reviewed root, None if it cannot be told."""

    provider: PyInstance
    place: str | None
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Revision:
    """One change of what a server lists. `names` are the tools it concerns, None for any; `touches` the parts it rewrites."""

    server: PyInstance | None
    text: str
    span: Span
    names: frozenset[str] | None = None
    touches: tuple[str, ...] = ()
    rewrite: Method | None = None
    """What makes the new list of the old one, where that can be evaluated."""

    def concerns(self, tool: Tool) -> bool:
        """Return whether a tool may be changed."""
        return self.names is None or not isinstance(tool.name, Text) or str(tool.name) in self.names
