"""Tools that are put among others by their names: `match all.iter().position(|each| each.name == new.name) { .. }`."""

import re
from dataclasses import replace

from reviewer.facts import Tool
from reviewer.source import Opaque


def merge_tools(kept: list[Tool], new: list[Tool], name: str, code: str) -> list[Tool]:
    """Return the tools that a piece of code leaves, which is run for each of the new ones under a name.

    Code that compares names leaves one tool of each: the new one where it is assigned to an index, the kept one where not.
    """
    own = rf"\b{re.escape(name)}\s*\.\s*name\b"
    if re.search(rf"\.\s*name\s*[=!]=\s*[&*]*{own}|{own}\s*[=!]=\s*[&*]*\w+\s*\.\s*name\b", code) is None:
        return [*kept, *new]
    if re.search(rf"\]\s*=\s*{re.escape(name)}\b", code) is None:
        return [*kept, *(each for each in new if each.name not in {other.name for other in kept})]
    changed = re.search(rf"\b{re.escape(name)}\s*\.\s*\w+[^;{{}}]*[^=!<>]=[^=>]", code) is not None
    before = {each.name for each in kept}
    made = (_hide_changes(each) if changed and each.name in before else each for each in new)
    return [*(each for each in kept if each.name not in {other.name for other in new}), *made]


def _hide_changes(tool: Tool) -> Tool:
    """Hide what code may change of a tool that takes the place of another."""
    hidden = Opaque("code changes it where it takes the place of another tool", tool.span)
    return replace(tool, description=hidden, input_schema=hidden, parameters=hidden)
