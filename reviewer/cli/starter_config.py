"""A first configuration: every key with what it sets, commented out, and the profile that fits what is in the folder."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

from reviewer.config import OWN_FILE, Configuration, Flags, read_configuration
from reviewer.detection import detect_profile
from reviewer.failures import CannotReviewError
from reviewer.pipeline import read
from reviewer.render.plain import escape_hidden

EXAMPLES = {
    "select": ['select = ["NAM", "§12", "tool-without-description"]'],
    "ignore": ['ignore = ["sse-transport"]'],
    "exclude": ['exclude = ["vendor/", "*_pb2.py"]'],
    "baseline": ['baseline = "mcp-review-baseline.json"'],
    "include_tests": ["include-tests = true"],
    "fail_on": ['fail-on = "warning"'],
    "fail_on_suppressed": ["fail-on-suppressed = true"],
    "sdk": ['sdk.mcp = "1.9.4"'],
    "judge": ["judge.max-questions = 200", "judge.max-cost = 0.5", "judge.fail-on-unanswered = true"],
    "rules": [
        'rules.tool-without-description = "error"',
        'rules.tool-name-style = { severity = "suggestion", style = "kebab-case" }',
    ],
}
"""What may be set for each key but the profile. Each line holds alone, so none stands below the head of a table."""


def start(folder: Path) -> str:
    """Write a configuration into a folder, and return a line that says what was done.

    Raises CannotReviewError if the folder is configured already or cannot be written to.
    """
    file = folder / OWN_FILE
    if not folder.is_dir():
        raise CannotReviewError(f"{folder}: not a folder; give the one that {OWN_FILE} is to be written into")
    _require_no_configuration(folder)
    profile, because = _detect_profile(folder)
    try:
        with file.open("x", encoding="utf-8") as written:
            written.write(format_configuration(profile, escape_hidden(because)))  # a file's name may hold a line break
    except OSError as error:
        raise CannotReviewError(f"{file}: cannot be written: {(error.strerror or '').lower()}") from None
    return f"{file}: written, with the profile {profile} ({because}); all else in it is commented out"


def _require_no_configuration(folder: Path) -> None:
    """Raise CannotReviewError if a file of the folder itself configures the review; one above it may."""
    found = read_configuration(folder, within=folder.resolve())
    if found.file is not None:
        raise CannotReviewError(
            f"{folder / found.file.name}: mcp-review is already configured there; nothing was written"
        )


def _detect_profile(folder: Path) -> tuple[str, str]:
    """Return the profile that fits the servers of a folder, and why."""
    try:
        return detect_profile(read(folder, Flags(isolated=True)).project)
    except CannotReviewError:
        return "core", "the default; no MCP server found here yet"


def format_configuration(profile: str, because: str) -> str:
    """Return the file's text."""
    head = (
        "# The configuration of mcp-review. Take away the `#` in front of a setting to have it hold.\n"
        "# `mcp-review rules` lists the rules, `mcp-review explain RULE` says what one holds and which options it has.\n"
        "# The same keys may stand in another file instead: in pyproject.toml under [tool.mcp-review], in Cargo.toml under\n"
        '# [package.metadata.mcp-review], in package.json under "mcp-review".\n'
    )
    return "\n".join([head, *_iter_settings(profile, because)])


def _iter_settings(profile: str, because: str) -> Iterator[str]:
    for each in dataclasses.fields(Configuration):
        yield f"# {each.metadata['doc']}"
        if each.name == "profile":
            yield f"# Detected: {because}."
            yield f"profile = {json.dumps(profile)}"
        for example in EXAMPLES.get(each.name, ()):
            yield f"#{example}"
        yield ""
