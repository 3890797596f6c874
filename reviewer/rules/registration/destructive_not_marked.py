"""Destructive tools and actions are marked as destructive.

The mark decides whether the user is asked first. An action named `item.delete` with `destructive: false`, or a tool that sets
`destructiveHint: false`, is executed without a question.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.get", description: "Give one item", destructive: false, params: &[] },
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: false, params: &[] }, // flaw
];
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.get", description: "Give one item", destructive: false, params: &[] },
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: true, params: &[] },
];
```
"""

from collections.abc import Iterator
from functools import partial

from reviewer.facts import Action, Project, Tool
from reviewer.fixes.model import Rewrite
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.actions import iter_tools
from reviewer.rules.shared.acts.destruction import STOPPING, find_destructive_verb
from reviewer.rules.shared.fixes import plan_hints, plan_rewrite
from reviewer.source import Opaque, Text


def _collect_actions(project: Project) -> list[Action]:
    return [action for catalog in project.catalogs for action in catalog.actions]


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    interruptions: bool = declare_option(
        False, "Whether interruptions such as `restart` and `kill` must be marked, too."
    )


@rule(
    Severity.WARNING,
    cites=("checklist §5", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda project, _: (
        bool(_collect_actions(project)) or any(isinstance(tool.annotations, dict) for tool in iter_tools(project))
    ),
    absent="no action catalog and no annotated tool",
    fixes=("unsafe",),
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each destructive name whose annotations say otherwise."""
    actions = _collect_actions(project)
    says = any(isinstance(action.destructive, bool) for action in actions)
    for action in actions:
        verb = find_destructive_verb(action.name)
        if verb in STOPPING and not options.interruptions:
            continue
        if verb is not None and not action.destructive and (action.destructive is False or says):
            yield Flaw(
                action.name,
                f"action `{action.name}` is not marked destructive: its name says `{verb}`",
                "Write `destructive: true`, so that the user is asked first.",
                fix_plan=plan_rewrite("write `destructive: true`", _mark(action), safe=False)
                if action.destructive is False
                else None,
            )
    for tool in iter_tools(project):
        yield from _iter_for_tool(tool)


def _iter_for_tool(tool: Tool) -> Iterator[Flaw]:
    hints = tool.annotations
    if not isinstance(tool.name, Text) or isinstance(hints, Opaque) or hints is None:
        return
    said = [name for name, value in (("readOnlyHint", True), ("destructiveHint", False)) if hints.get(name) is value]
    verb = find_destructive_verb(tool.name, surely=True)
    if said and verb is not None:
        yield Flaw(
            tool.name,
            f"tool `{tool.name}` says `{said[0]}: {str(hints[said[0]]).lower()}`; its name says `{verb}`",
            "Write `destructiveHint: true`, so that the client asks first.",
            fix_plan=partial(plan_hints, tool, safe=False, **HINTS[said[0]]),
        )


HINTS = {"readOnlyHint": {"readOnlyHint": False, "destructiveHint": True}, "destructiveHint": {"destructiveHint": True}}
"""What is to be said instead."""


def _mark(action: Action) -> Rewrite:
    return Rewrite("field", action.name.span, key="destructive", value=True)
