"""List operations honour their paging parameters.

A `limit` that the handler ignores is worse than none: the client asks for twenty items and gets all of them. It is enough that
the handler passes on any of it: a limit, a cursor, a slice, the entire request. A list that is cut at `offset + limit`, of which
nothing before `offset` is left out, has all earlier pages in each page. Operations without any paging parameter are reported by
`list-without-cursor`.

Bad:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => { // flaw
            let items = client.items().await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": null, "total": items.len() })))
        }
        "item.get" => Ok(respond(action, client.item(require_str(&params, "id")?).await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let page = page_from(&params);
            let (items, next) = client.items(page).await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next, "total": null })))
        }
        "item.get" => Ok(respond(action, client.item(require_str(&params, "id")?).await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator, Sequence

from reviewer.facts import Action, Dispatch, Handler, Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.argument_uses import collect_declared_names, collect_uses
from reviewer.rules.shared.lists import PAGES, asks_for_page, is_dispatching, is_list, is_paged, takes_bounds
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

HELP = "Pass `limit` and `cursor` to the query, and return one page and its `next_cursor`."


def _iter_handlers(project: Project) -> Iterator[Handler]:
    """Yield the handlers of list operations that take a page, or whose parameters are not declared."""
    tools = [tool for server in project.servers for tool in server.tools]
    yield from (tool.code for tool in tools if tool.code is not None and _is_asked(tool))
    served = {str(tool.name) for tool in tools if tool.code is None and _is_asked(tool)}
    yield from (handler for handler in project.handlers if handler.name in served)
    paged = any(is_dispatching(tool) and takes_bounds(tool) for tool in tools)
    for dispatch in project.dispatches:
        ours = bool(project.catalogs or project.guards) or _responds(dispatch)
        for arm in dispatch.arms:
            actions = _collect_actions(project, dispatch, arm)
            asked = (paged or all(map(takes_bounds, actions))) if actions else ours
            named = bool(actions) and all(map(asks_for_page, actions))
            if (is_list(arm.name) and asked) or named:
                yield arm


def _collect_actions(project: Project, dispatch: Dispatch, arm: Handler) -> list[Action]:
    """Return the rows that describe an arm: those of its own domain, or of any if that has none."""
    rows = [
        (catalog.domain, action)
        for catalog in project.catalogs
        for action in catalog.actions
        if action.name == arm.name
    ]
    return [action for domain, action in rows if domain == dispatch.domain] or [action for _, action in rows]


def _responds(dispatch: Dispatch) -> bool:
    """Return whether a dispatch answers through `respond`, by which it is of the kind that pages every list."""
    return any("respond" in way.through for arm in dispatch.arms for way in arm.exits)


def _collect_page_names(project: Project) -> dict[str, set[str]]:
    """Return for each action what it takes of a page by name: by its row, or by the tool that takes all actions."""
    tools = [tool for server in project.servers for tool in server.tools if is_dispatching(tool)]
    common = _collect_names(tools) if tools and all(map(asks_for_page, tools)) else set()
    rows = [action for catalog in project.catalogs for action in catalog.actions]
    found = {str(arm.name): set(common) for dispatch in project.dispatches for arm in dispatch.arms}
    for action in rows:
        found.setdefault(str(action.name), set()).update(_collect_names([action]))
    return found


def _collect_names(operations: Sequence[Tool | Action]) -> set[str]:
    parameters = [each.parameters for each in operations if isinstance(each.parameters, tuple)]
    return {str(each.name) for some in parameters for each in some} & PAGES


def _is_asked(tool: Tool) -> bool:
    return not is_dispatching(tool) and (asks_for_page(tool) if not is_list(tool.name) else is_paged(tool))


@rule(
    Severity.ERROR,
    cites=("checklist §1",),
    when=lambda project: any(True for _ in _iter_handlers(project)),
    absent="no operation takes the size or position of a page",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each list operation whose answer does not depend on the requested page, or only on part of
    it.
    """
    offered = _collect_page_names(project)
    told = set[str]()
    for handler in _iter_handlers(project):
        if handler.gathered:
            told |= PAGES
            yield Flaw(handler.gathered[0], f"`{handler.name}` reads every page and returns all items", HELP)
        elif handler.paged:
            idle = [each for each in handler.passed_over if each in offered.get(str(handler.name), ())]
            if idle:
                told |= set(idle)
                said = "`" + "` and `".join(idle) + "`"
                yield Flaw(
                    handler.name, f"`{handler.name}` takes {said}, but the returned page does not depend on it", HELP
                )
        else:
            told |= PAGES
            yield Flaw(handler.name, f"`{handler.name}` ignores limit and cursor and returns all items", HELP)
        for overlap in handler.overlaps:
            told.add(overlap.argument)
            yield Flaw(
                overlap.text,
                f"`{overlap.argument}` moves the end of a page but not its beginning, so that pages overlap: "
                f"`{shorten_code(overlap.text)}`",
                "Leave out what lies before the page as well: `.skip(offset).take(limit)`, `rows[offset : offset + limit]`.",
            )
    if any(is_list(arm.name) for dispatch in project.dispatches for arm in dispatch.arms):
        for tool in (tool for server in project.servers for tool in server.tools if is_dispatching(tool)):
            unread = [each for each in _collect_unread(tool) if each not in told]
            if unread:
                said = "`" + "` and `".join(unread) + "`"
                yield Flaw(
                    unread[0],
                    f"{tool.shown} takes {said}, but no code reads it",
                    HELP,
                    tool,
                )


def _collect_unread(tool: Tool) -> list[Text]:
    """Return the page arguments that a tool takes for all its actions and no code reads."""
    if (
        tool.code is None
        or not tool.code.followed
        or not isinstance(tool.parameters, tuple)
        or collect_declared_names(tool) is None
    ):
        return []
    known = {str(each.name) for each in collect_uses(tool) if not each.idle}
    return [each.name for each in tool.parameters if each.name in PAGES - known]
