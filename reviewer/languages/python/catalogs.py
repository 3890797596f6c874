"""Tables of actions: `ActionSpec(...)` objects, wherever they are made."""

from collections.abc import Iterator

from reviewer.facts import (
    Action,
    Catalog,
    Parameter,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.values import (
    Const,
    Instance,
    Items,
    Value,
    text_of_value,
    text_or_opaque,
)
from reviewer.source import Opaque, Text


def catalogs(run: Evaluator) -> Iterator[Catalog]:
    """Group the `ActionSpec(...)` objects by the module that holds them."""
    by_module: dict[str, list[Action]] = {}
    for made, module in run.action_specs:
        action = _action(made)
        if action is not None:
            by_module.setdefault(module.path, []).append(action)
    for path, actions in by_module.items():
        parts = path.removesuffix(".py").split("/")
        domain = parts[-1] if parts[-1] not in ("actions", "catalog", "__init__") or len(parts) == 1 else parts[-2]
        yield Catalog(domain, actions[0].span, tuple(actions))


def _action(made: Instance) -> Action | None:
    name = text_of_value(made.attributes["name"]) if "name" in made.attributes else None
    if name is None:
        return None
    destructive = made.attributes.get("destructive")
    return Action(
        name=name,
        span=made.span,
        description=text_or_opaque(made.attributes.get("description"), made.span),
        destructive=destructive.value
        if isinstance(destructive, Const) and isinstance(destructive.value, bool)
        else None,
        parameters=_parameters(made.attributes.get("params", made.attributes.get("parameters")), made),
        returns=text_or_opaque(made.attributes.get("returns"), made.span),
    )


def _parameters(value: Value | None, made: Instance) -> tuple[Parameter, ...] | Opaque:
    if value is None:
        return ()
    if not isinstance(value, Items) or value.open:
        return Opaque("the parameters are known at run time only", made.span)
    found = []
    for item in value.items:
        name = text_of_value(item)
        description: Text | Opaque | None = None
        required: bool | Opaque = True
        if isinstance(item, Instance):
            name = text_of_value(item.attributes["name"]) if "name" in item.attributes else None
            description = text_or_opaque(item.attributes.get("description"), item.span)
            given = item.attributes.get("required")
            required = given.value if isinstance(given, Const) and isinstance(given.value, bool) else True
        if name is None:
            return Opaque("the parameters are known at run time only", made.span)
        found.append(Parameter(name, getattr(item, "span", made.span), description, required))
    return tuple(found)
