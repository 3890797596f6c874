"""How far a reading of a server's source equals what the server answers."""

import inspect
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Tool = dict[str, Any]

COLUMNS = {
    "live": "tools that the running server lists",
    "read": "tools that were read from its source",
    "found": "live tools whose name was read",
    "wrong": "names read that are not live, but for tools marked as conditional and names marked as unreadable",
    "desc": "descriptions equal, indentation and blanks at the ends of lines apart",
    "raw": "descriptions equal to the byte",
    "params": "input schemas with the same property names and the same required ones",
    "types": "input schemas equal but for `title`, `description` and `$schema`",
    "schema": "input schemas equal in full",
    "output": "output schemas equal in full, or absent on both sides",
    "silent": "tools with a wrong name, or with a description or parameters that differ and are not so marked",
}
ANNOTATIONS = ("title", "description", "$schema")
NAMED = ("properties", "$defs", "definitions", "patternProperties")
STATED = {"desc": "description", "params": "inputSchema"}


@dataclass
class Score:
    """The count of each column for one server, and what is at fault."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def plain(text: str | None) -> str:
    """Return a description without indentation and outer blanks."""
    return "\n".join(line.rstrip() for line in inspect.cleandoc(text or "").splitlines()).strip()


def bare(schema: Any, named: bool = False) -> Any:
    """Return a schema without what only explains it; below `properties` and the like, keys are names and stay."""
    if isinstance(schema, list):
        return [bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = schema if named else {key: value for key, value in schema.items() if not explains(key, value)}
    return {key: part(key, value, named) for key, value in kept.items()}


def explains(key: str, value: Any) -> bool:
    """Return whether an entry of a schema only explains it."""
    return key in ANNOTATIONS and not isinstance(value, dict)


def part(key: str, value: Any, named: bool) -> Any:
    """Return the bare form of one entry of a schema; the order of `required` says nothing."""
    if key == "required" and isinstance(value, list) and not named:
        return sorted(value)
    return bare(value, named=not named and key in NAMED)


def parameters(schema: Any) -> tuple[set[str], set[str]]:
    """Return the names of the properties of an input schema, and those required."""
    schema = schema or {}
    return set(schema.get("properties") or ()), set(schema.get("required") or ())


def agreement(live: Tool, read: Tool) -> dict[str, bool]:
    """Return for each column whether a tool as read equals the tool as listed."""
    said, told = live.get("description") or "", read.get("description") or ""
    asked, given = live.get("inputSchema"), read.get("inputSchema")
    return {
        "desc": plain(told) == plain(said),
        "raw": told == said,
        "params": parameters(given) == parameters(asked),
        "types": bare(given) == bare(asked),
        "schema": given == asked,
        "output": read.get("outputSchema") == live.get("outputSchema"),
    }


def marked(tool: Tool, what: str) -> bool:
    """Return whether a reading says of a tool that it could not read something."""
    return any(each.startswith(what) for each in tool.get("unreadable") or ())


def excused(tools: Iterable[Tool]) -> bool:
    """Return whether a name that is not live was never said for certain."""
    return all(each.get("conditional") or marked(each, "name") for each in tools)


def closest(live: Tool, candidates: list[Tool]) -> tuple[Tool, dict[str, bool]]:
    """Choose among readings of one name the one that agrees most: a server lists only one of them."""
    compared = [(each, agreement(live, each)) for each in candidates]
    return max(compared, key=lambda pair: pair[1]["desc"] + pair[1]["types"])


def match(score: Score, live: Tool, candidates: list[Tool]) -> None:
    """Count how a live tool was read."""
    read, agrees = closest(live, candidates)
    score.counts.update(found=1, **{column: int(same) for column, same in agrees.items()})
    silent = [what for column, what in STATED.items() if not agrees[column] and not marked(read, what)]
    if silent:
        score.counts["silent"] += 1
        score.faults.append(f"{live['name']}: {' and '.join(silent)} differ and are not marked")


def score(live: list[Tool], read: list[Tool]) -> Score:
    """Compare the tools that were read with those that a server lists."""
    listed = {tool["name"]: tool for tool in live}
    candidates: dict[str, list[Tool]] = {}
    for tool in read:
        candidates.setdefault(str(tool.get("name")), []).append(tool)
    outcome = Score(Counter(live=len(listed), read=len(read)))
    for name, readings in candidates.items():
        if name not in listed and not excused(readings):
            outcome.counts.update(wrong=1, silent=1)
            outcome.faults.append(f"{name}: read, not live")
    for name, tool in listed.items():
        if name in candidates:
            match(outcome, tool, candidates[name])
        else:
            outcome.faults.append(f"{name}: live, not read")
    return outcome
