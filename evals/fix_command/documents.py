"""Files of tool definitions that are to be fixed: captured catalogs in several layouts, as they are and with faults put in.

What a file says before and after is compared here anew, by its value: each difference must be what a fix was to make.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from reviewer.fixes.model import Rewrite

LAYOUTS: dict[str, Callable[[Any], str]] = {
    "indented.json": lambda tools: json.dumps(tools, indent=2, ensure_ascii=False) + "\n",
    "minified.json": lambda tools: json.dumps(tools, separators=(",", ":")),
    "crlf.json": lambda tools: "\ufeff" + json.dumps(tools, indent="\t").replace("\n", "\r\n"),
    "block.yaml": lambda tools: (
        "# tools\n" + yaml.dump(tools, Dumper=Apart, sort_keys=False, allow_unicode=True, width=100)
    ),
    "aliased.yaml": lambda tools: yaml.safe_dump(tools, default_flow_style=None, sort_keys=False),
}
MOST_TOOLS = 12
"""Tools of a list that get faults: two of each."""

ABSENT = object()
Delta = tuple[tuple[str, ...], Any, Any]
"""Where two values differ, and what stands there in each."""


class Apart(yaml.SafeDumper):
    """Writes what stands twice two times."""

    def ignore_aliases(self, data: Any) -> bool:
        """Have no aliases."""
        return True


def catalogs(folders: Sequence[Path]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of tools that files hold, as servers answered them."""
    for file in sorted(each for folder in folders for each in folder.rglob("*.json")):
        said = json.loads(file.read_text("utf-8"))
        tools = said.get("tools") if isinstance(said, dict) else None
        if isinstance(tools, list) and tools and all(isinstance(each, dict) for each in tools):
            yield f"{file.parent.name}/{file.stem}", [_plain(each) for each in tools]


def _plain(tool: dict[str, Any]) -> dict[str, Any]:
    """Leave out what servers do not answer: null."""
    return {key: value for key, value in tool.items() if value is not None}


def faulty(tools: Sequence[Any]) -> list[Any]:
    """Put faults that have a fix into the first tools, another one into each."""
    return [FAULTS[number % len(FAULTS)](deepcopy(tool)) for number, tool in enumerate(tools[:MOST_TOOLS])]


def _of_type(tool: dict[str, Any]) -> dict[str, Any]:
    for value in tool.get("inputSchema", {}).get("properties", {}).values():
        if isinstance(value, dict) and isinstance(value.get("type"), str):
            value["type"] = {"string": "str", "integer": "int", "boolean": "bool"}.get(value["type"], value["type"])
    return tool


def _required(tool: dict[str, Any]) -> dict[str, Any]:
    schema = tool.get("inputSchema", {})
    schema["required"] = ["nobody_knows", *schema.get("required", ()), *schema.get("required", ())]
    return tool


def _hiding(tool: dict[str, Any]) -> dict[str, Any]:
    tool["description"] = f"{tool.get('description', '')[:9]}\u200b\u202e{tool.get('description', '')[9:]}\U000e0041"
    return tool


def _without_root(tool: dict[str, Any]) -> dict[str, Any]:
    tool.get("inputSchema", {}).pop("type", None)
    return tool


def _opened(tool: dict[str, Any]) -> dict[str, Any]:
    options = {"type": "object", "properties": {"url": {"type": "string"}}}
    tool.setdefault("inputSchema", {"type": "object"}).setdefault("properties", {})["render_options"] = options
    return tool


def _claiming(tool: dict[str, Any]) -> dict[str, Any]:
    tool["name"] = f"delete_{tool.get('name')}"
    tool["annotations"] = {"title": "\u00adRemove", "readOnlyHint": True}
    return tool


FAULTS = (_of_type, _required, _hiding, _without_root, _opened, _claiming)


def value(path: str, data: bytes) -> Any:
    """Read a file by another way than the program does."""
    text = data.decode("utf-8-sig")
    return json.loads(text) if path.endswith(".json") else yaml.load(text, Loader=yaml.SafeLoader)


def differences(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[Delta]:
    """Yield where two values differ; an array that has another length differs as a whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            yield from differences(one.get(key, ABSENT), other.get(key, ABSENT), (*path, str(key)))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, (*path, str(index)))
    elif one is ABSENT or other is ABSENT or json.dumps(one) != json.dumps(other):
        yield path, one, other


def is_wanted(delta: Delta, rewrites: Sequence[Rewrite]) -> bool:
    """Return whether fixes were to make a difference."""
    return any(WANTED[each.kind](delta, each) for each in rewrites if each.kind in WANTED)


def _ends(path: tuple[str, ...], *keys: str) -> bool:
    return path[len(path) - len(keys) :] == keys


def _is_set(delta: Delta, each: Rewrite) -> bool:
    path, _, new = delta
    return _ends(path, *each.path, each.key) and new is not ABSENT and json.dumps(new) == json.dumps(each.value)


def _is_dropped(delta: Delta, each: Rewrite) -> bool:
    path, old, new = delta
    if new is ABSENT:
        return any(_ends(path, *each.path, key) for key in each.value)
    return (
        _ends(path, *each.path) and isinstance(new, list) and isinstance(old, list) and set(new) <= {*old, *_near(each)}
    )


def _near(each: Rewrite) -> list[Any]:
    """A list that loses one name may have another one mended."""
    return list(each.whole.get("properties", ())) if each.whole is not None else []


def _is_hinted(delta: Delta, each: Rewrite) -> bool:
    path, _, new = delta
    return (_ends(path, "annotations", each.key) and new is each.value) or (
        _ends(path, "annotations") and isinstance(new, dict) and new.get(each.key) is each.value and len(new) <= 2
    )


def _is_stripped(delta: Delta, each: Rewrite) -> bool:
    _, old, new = delta
    return isinstance(old, str) and new == "".join(letter for letter in old if letter not in each.value)


WANTED: dict[str, Callable[[Delta, Rewrite], bool]] = {
    "set key": _is_set,
    "replace": lambda delta, each: _ends(delta[0], *each.path) and delta[2] == each.value,
    "drop": _is_dropped,
    "hint": _is_hinted,
    "strip characters": _is_stripped,
}
