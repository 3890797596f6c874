"""Operations that list things, and the parameters by which a client asks for a part: of the list, or of each thing."""

import re

from reviewer.facts import Action, Project, Tool, ToolParameter
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.values.meanings import PREPOSITIONS
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.source import Opaque, Text

BOUNDS = frozenset(
    "limit cursor page pages offset skip max maximum count top first last size per start after before since until n num "
    "number".split()
)
"""Words of parameters that page, cap or cut a list, of APIs of all kinds (`top`, `first`, `per_page`, `start`). Generous, for
who has one of them is told nothing: a word too few is a false alarm."""

SPANS = frozenset("hours hour days day weeks week months month minutes window timespan lookback".split())
"""What names a span of time, outside of which nothing is listed."""

FILTERS = frozenset("query filter filters options request search criteria".split())
"""Parameters that take what the API behind takes, if they are of a free type: the page may be asked for in there."""

ORDERS = frozenset("trigger start run queue launch initiate kick schedule enqueue".split())
"""The verbs of a search that is only set going."""

PAGING = frozenset({"limit", "cursor", "page", "offset", "pagination"})
"""The words among `BOUNDS` that are of a page without doubt; `count`, `start` and `number` may mean other things."""

PAGES = frozenset({"limit", "cursor"})
"""The parameters of the checklist, §1, by their exact names: what is promised by these names is held against the code."""

AROUND = frozenset("list get all tool".split())
"""Words in the name of a list that say nothing of what is listed: `list_all_regions` lists regions."""

DEFINITE = frozenset({"allowed", "supported", "builtin"})
"""What says of anything that somebody has written it down."""

IDENTIFYING = frozenset("id uuid guid index key number iid slug".split())
"""What the name of a parameter ends on that says which one of several things is meant."""

OTHER_VERBS = frozenset("add and create delete edit get remove rename reset set update".split())
"""Verbs behind `list` of which the list is the object: `list.create`, `list_add_item` and `list_and_delete` list nothing."""

CHANGES = OTHER_VERBS - {"and", "get"} | frozenset("append clear format insert make move replace".split())
"""The verbs of which a list is the object: `get_user_list` gives one, `make_list` does not."""


SIZES = frozenset(
    {"limit", "page_size", "pagesize", "max_results", "per_page", "num_results", "page_limit", "max_items", "count"}
    | {"result_limit", "results_limit", "result_count", "top_k", "max_count", "list_limit", "search_limit"}
)
"""What the argument is called by which a client says how many things it wants."""

VERBS = ("list", "search", "find", "query", "browse")
"""The verbs of operations that give several things, a page at a time."""


def is_list(name: Text | Opaque | None, verbs: tuple[str, ...] = ("list",)) -> bool:
    """Return whether a name says that it lists: `list_x`, `x_list`, `x.list`; in `list.create`, `make_list` it is the object."""
    parts = split_words(re.split(r"[./]", name)[-1]) if isinstance(name, Text) else ()
    if not parts:
        return False
    begins = parts[0] in verbs and not (len(parts) > 1 and parts[1] in OTHER_VERBS)
    if isinstance(name, Text) and "." in name and parts[0] != "list":
        begins = False  # the paths of `dns.search_paths` are no answer to a search
    return begins or (parts[-1] in verbs and not CHANGES & set(parts[:-1]))


def _collect_things(name: Text | Opaque | None) -> list[str]:
    """Return the words of a name that say what it lists, the last being the thing itself."""
    said = split_words(name) if isinstance(name, Text) else ()
    end = next((at for at, word in enumerate(said) if at and word in PREPOSITIONS), len(said))
    return [to_singular(word) for word in said[:end] if word not in AROUND]


def is_short(name: Text | Opaque | None) -> bool:
    """Return whether a name says that it lists what there are few of: `list_regions`, `list_allowed_senders`, `tags.list`."""
    things = _collect_things(name)
    return not DEFINITE.isdisjoint(things) or _is_among(things, "few")


def _is_among(things: list[str], kind: str) -> bool:
    """Return whether the thing that a name ends with is in a lexicon, alone or with the word before it."""
    return not {*things[-1:], " ".join(things[-2:])}.isdisjoint(load_lexicon(kind))


def is_of_one(operation: Tool | Action) -> bool:
    """Return whether an operation lists what one thing has few of, and that one must be named: the reminders of a task."""
    things = _collect_things(operation.name)
    if not _is_among(things, "few_of_one"):
        return False
    told = operation.description if isinstance(operation.description, Text) else ""
    about = {
        to_singular(word) for word in (*split_words(str(operation.name or "")), *split_words(told.partition("\n")[0]))
    }
    return isinstance(operation.parameters, tuple) and any(
        each.required is True and _names_one(each, about - {things[-1]}) for each in operation.parameters
    )


def _names_one(parameter: ToolParameter, about: set[str]) -> bool:
    """Return whether a parameter says which of some things is meant: `task_id`, `slide_index`, or plainly `id`."""
    said = split_words(parameter.name)
    return said[-1:] != () and said[-1] in IDENTIFYING and (len(said) == 1 or not about.isdisjoint(said[:-1]))


def takes_bounds(operation: Tool | Action) -> bool:
    """Return whether a parameter pages or caps; parameters that cannot be read may."""
    if not isinstance(operation.parameters, tuple):
        return True
    return any(BOUNDS & set(split_words(parameter.name)) for parameter in operation.parameters)


def is_bounded(operation: Tool | Action) -> bool:
    """Return whether a parameter pages, caps or spans a time, or takes a free filter, which may hold the page as well."""
    return takes_bounds(operation) or (
        isinstance(operation.parameters, tuple) and any(map(_narrows, operation.parameters))
    )


def _narrows(parameter: ToolParameter) -> bool:
    parts = set(split_words(parameter.name))
    return bool(SPANS & parts) or (parameter.free and bool(FILTERS & parts))


def sets_going(operation: Tool | Action) -> bool:
    """Return whether an operation is said to set a search going, and so gives no list of what it finds."""
    said = operation.description
    return isinstance(said, Text) and bool(ORDERS & set(split_words(said.strip().partition(" ")[0])))


def asks_for_page(operation: Tool | Action) -> bool:
    """Return whether an operation takes `limit` or `cursor` by name."""
    return isinstance(operation.parameters, tuple) and any(each.name in PAGES for each in operation.parameters)


def is_paged(operation: Tool | Action) -> bool:
    """Return whether a parameter is of a page without doubt."""
    return isinstance(operation.parameters, tuple) and any(
        PAGING & set(split_words(each.name)) for each in operation.parameters
    )


def is_dispatching(tool: Tool) -> bool:
    """Return whether a tool takes the name of an action."""
    return isinstance(tool.parameters, tuple) and any(parameter.name == "action" for parameter in tool.parameters)


def takes_fields(project: Project) -> bool:
    """Return whether an operation of a project takes the fields that its answer is to have."""
    operations: list[Tool | Action] = [tool for server in project.servers for tool in server.tools]
    operations += [action for catalog in project.catalogs for action in catalog.actions]
    named = (each.parameters for each in operations if isinstance(each.parameters, tuple))
    return bool(project.projections or project.selections) or any(
        each.name == "fields" for parameters in named for each in parameters
    )
