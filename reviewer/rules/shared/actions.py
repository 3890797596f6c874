"""Tools that take an action's name, and the catalogs of actions that stand behind them."""

from collections.abc import Iterator

from reviewer.facts import Action, Catalog, Json, Project, Schema, Tool
from reviewer.records import dataclass
from reviewer.rules.shared.values.shapes import resolve_reference
from reviewer.rules.shared.words.catalog_lists import ListedActions, parse_listed_actions, says
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.source import Text

META = frozenset({"help", "schema"})
"""The actions that every dispatching tool has, beside those of its domain."""

CANONICAL = ("action", "params", "fields", "limit", "cursor")
"""The five fields of the checklist, §5, in its order: messages list what is missing as the checklist shows it."""

BESIDE = META | set(CANONICAL)
"""The names that may stand in a description's list beside those of its catalog."""


def read_properties(tool: Tool) -> Json:
    """Return the properties of a tool's input, none if they cannot be read."""
    schema = tool.input_schema
    found = schema.document.get("properties") if isinstance(schema, Schema) else None
    return found if isinstance(found, dict) else {}


def takes_action(tool: Tool) -> bool:
    """Return whether a tool chooses by an `action` that it is given."""
    return "action" in read_properties(tool)


def find_wrapper(tool: Tool) -> str | None:
    """Name the one argument of a tool in which its `action` lies, where it does not take the action itself."""
    given = read_properties(tool)
    for name, schema in given.items() if len(given) == 1 and "action" not in given else ():
        target = resolve_reference(schema, tool.input_schema.document) if isinstance(tool.input_schema, Schema) else {}
        if "action" in target.get("properties", {}):
            return name
    return None


def iter_tools(project: Project) -> Iterator[Tool]:
    """Yield the tools of all servers."""
    for server in project.servers:
        yield from server.tools


def iter_dispatching_tools(project: Project) -> Iterator[Tool]:
    """Yield the tools that take an action, or are named as a catalog of the project is."""
    for tool in iter_tools(project):
        if takes_action(tool) or find_wrapper(tool) is not None or _collect_named_as(tool, project.catalogs):
            yield tool


def drop_meta_actions(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Leave out what every catalog has: help and schema."""
    return tuple(action for action in actions if action.name not in META)


def find_catalogs(tool: Tool, project: Project) -> tuple[Catalog, ...]:
    """Return the catalogs of a tool: those named as it is, or if the project has one domain and one such tool, all."""
    named = _collect_named_as(tool, project.catalogs)
    if named:
        return named
    alone = (
        len({catalog.domain for catalog in project.catalogs}) == 1 and len(list(iter_dispatching_tools(project))) == 1
    )
    return project.catalogs if alone else ()


def index_actions(catalogs: tuple[Catalog, ...]) -> dict[str, Action]:
    """Return the actions of some catalogs by name, help and schema left out."""
    return {str(action.name): action for catalog in catalogs for action in drop_meta_actions(catalog.actions)}


@dataclass(frozen=True, slots=True)
class Described:
    """A dispatching tool with a description and a catalog; `open` tells that the catalog may hold more.

    `told` is what the description says of the catalog's actions.
    """

    tool: Tool
    text: Text
    rows: dict[str, Action]
    open: bool
    told: ListedActions

    @property
    def has_lines(self) -> bool:
        """Whether the catalog has a line for each action."""
        return all(isinstance(row.description, Text) and row.description.strip() for row in self.rows.values())

    @property
    def lists(self) -> bool:
        """Whether the description has a list of actions, however wrong."""
        lines = {name: said for name, said in self.told.lines.items() if said.partition("\n")[0].strip()}
        right = [name for name, said in lines.items() if says(said, str(self.rows[name].description))]
        if not self.has_lines:
            return len(self.told.lines) > 1
        return bool(right) or len(lines) > 1 or (bool(lines) and len(self.rows) == 1)


def iter_described(project: Project) -> Iterator[Described]:
    """Yield the dispatching tools whose description and catalog can be read."""
    for tool in iter_dispatching_tools(project):
        catalogs = find_catalogs(tool, project)
        held = index_actions(catalogs)
        if held and isinstance(tool.description, Text) and tool.description.strip():
            found = parse_listed_actions(tool.description, held, BESIDE)
            yield Described(tool, tool.description, held, any(catalog.open for catalog in catalogs), found)


def _collect_named_as(tool: Tool, catalogs: tuple[Catalog, ...]) -> tuple[Catalog, ...]:
    if not isinstance(tool.name, Text):
        return ()
    parts = split_words(tool.name)
    keys = {_collect_key(parts), _collect_key(parts[1:] if takes_action(tool) else ())} - {()}
    return tuple(catalog for catalog in catalogs if keys & _collect_domains(catalog))


def collect_domains(catalog: Catalog) -> set[str]:
    """Return the domains of a catalog: its own, and the common beginning of the names of its actions."""
    beginnings = _collect_beginnings(catalog)
    common = beginnings if len(beginnings) == 1 else set[str]()
    return {name for name in (catalog.domain, *common) if name}


def is_named_after_part(catalog: Catalog) -> bool:
    """Return whether a catalog is for several things and its folder is named after one of them: nothing names them all."""
    beginnings = {_collect_key(split_words(name)) for name in _collect_beginnings(catalog)}
    return len(beginnings) > 1 and _collect_key(split_words(catalog.domain)) in beginnings


def _collect_beginnings(catalog: Catalog) -> set[str]:
    actions = drop_meta_actions(catalog.actions)
    return {str(action.name).rpartition(".")[0].partition(".")[0] for action in actions}


def _collect_domains(catalog: Catalog) -> set[tuple[str, ...]]:
    return {_collect_key(split_words(name)) for name in collect_domains(catalog)}


def _collect_key(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(to_singular(part) for part in parts)
