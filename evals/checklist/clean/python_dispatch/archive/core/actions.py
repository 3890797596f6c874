"""The rows of an action catalog, and what `help` and `schema` make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archive.core.errors import ToolError


@dataclass(frozen=True)
class ParamSpec:
    name: str
    ty: str
    required: bool
    description: str


@dataclass(frozen=True)
class ActionSpec:
    name: str
    description: str
    destructive: bool
    idempotent: bool
    params: tuple[ParamSpec, ...]
    returns: str


PAGE = (
    ParamSpec(name="limit", ty="integer", required=False, description="At most so many: 20 if absent, never over 100"),
    ParamSpec(name="cursor", ty="string", required=False, description="The next_cursor of the page before"),
)
BY_ID = (ParamSpec(name="id", ty="string", required=True, description="Which one"),)


def help_payload(domain: str, actions: Sequence[ActionSpec]) -> dict[str, Any]:
    rows = [{"action": spec.name, "description": spec.description} for spec in actions]
    return {"domain": domain, "actions": rows}


def action_schema(actions: Sequence[ActionSpec], params: Mapping[str, Any]) -> dict[str, Any]:
    wanted = params.get("action")
    for spec in actions:
        if spec.name == wanted:
            shapes = [{"name": each.name, "type": each.ty, "required": each.required} for each in spec.params]
            return {"action": spec.name, "params": shapes, "returns": spec.returns}
    raise ToolError("unknown_action", f"no action `{wanted}`")
