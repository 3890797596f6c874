'''Each tool performs a single operation.

`task.create_and_assign` is two tools in one, or a tool with an option that is always on. A model that wants one gets the other
as well, and every new option doubles the number of tools. Optional parts belong in the input. A tool with an `action` parameter
is several tools: its requirements and its effects differ for each action.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create_and_assign")  # flaw
def task_create_and_assign(title: str, person: str) -> str:
    """Create a task and assign it."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create")
def task_create(title: str, person: str | None = None) -> str:
    """Create a task, assigned to a person if one is named."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_names, split_words
from reviewer.rules.shared.words.operations import find_joined_verbs, find_option
from reviewer.rules.shared.words.verbs import is_verb
from reviewer.source import Text

HELP = "Name only what it always does; make the rest an input parameter."

SELECTORS = frozenset("action operation op command verb task".split())
"""What a parameter is called by which a tool chooses what to do."""

SPLIT = "Split it into one tool for each action, each with its own input model."


def _collect_actions(part: Part) -> list[str]:
    """Return the verbs that a parameter chooses between, none if it does not choose what is done."""
    if part.element or part.name.lower() not in SELECTORS:
        return []
    values = [str(each) for form in part.forms for each in form.get("enum") or () if isinstance(each, str)]
    return [each for each in dict.fromkeys(values) if (said := split_words(each)) and is_verb(said[0])]


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: anti-patterns of names",),
    when=lambda tool: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each operation name with two verbs, or with a word that only switches something on."""
    for part in tool.arguments:
        actions = _collect_actions(part)
        if len(actions) > 1:
            message = (
                f"{tool.shown} performs several operations, selected by its `{part.name}`: {format_names(actions)}"
            )
            yield Flaw(tool.place(part.path), message, SPLIT, tool)
    if not isinstance(tool.name, Text):
        return
    verbs, flag = find_joined_verbs(tool.name), find_option(tool.name)
    if verbs is not None:
        message = f"tool name `{tool.name}` names two operations: `{verbs[0]}` and `{verbs[1]}`"
        yield Flaw(tool.name, message, HELP, tool)
    elif flag is not None:
        yield Flaw(tool.name, f"tool name `{tool.name}` contains an option: `{flag}`", HELP, tool)
