"""Rule tests written as Markdown.

A heading begins a case. Each `python`, `rust` or `typescript` fence is a project of its own, a `json` or `yaml` fence a file of tool
definitions, unless fences carry file names (```` ```python server.py ````), which join the fences of the case into one project. A `toml` fence configures the rules
(`tool-name-style.style = "kebab-case"`). A comment `# flaw: slug` (`//` in Rust) promises a finding of that rule on its line;
what is not promised must not be found. `# asks: slug` promises a question to a judge in the same way. In a rule's own page
`# flaw` stands for a finding of that rule, or for a question if it is a judged one.
"""

import re
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from reviewer.compare.drift import find_drifts
from reviewer.config import Configuration, Flags, FoundConfiguration, RuleTable, settle
from reviewer.engine import examine
from reviewer.facts import Project
from reviewer.files.discovery import discover_files
from reviewer.inputs import definitions as inputs
from reviewer.languages import read

SUFFIX = {"python": ".py", "rust": ".rs", "typescript": ".ts", "json": ".json", "yaml": ".yaml"}
FENCE = re.compile(r"^```(?P<info>\S[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(
    r"\s*(?:#|//) (?=flaw|asks)(?:flaw(?:: (?P<slugs>[a-z0-9-]+(?:, [a-z0-9-]+)*))?)?(?:;? ?asks: (?P<asks>[a-z0-9-]+(?:, [a-z0-9-]+)*))?\s*$"
)
Place = tuple[str, int, str]
"""Path, line, slug."""


@dataclass
class Case:
    """One heading's projects, each a mapping of file name to text, and what configures the rules."""

    title: str
    rules: dict[str, RuleTable] = field(default_factory=dict)
    projects: list[dict[str, str]] = field(default_factory=list)


@cache  # several modules of tests parse each file, all of them when they are imported
def cases(markdown: str) -> tuple[Case, ...]:
    """Split a Markdown file into its cases."""
    found = []
    for title, body in re.findall(
        r"^# ([^\n]+)\n(.*?)(?=^# |\Z)", _fenced_headings_hidden(markdown), re.MULTILINE | re.DOTALL
    ):
        case = Case(title)
        named: dict[str, str] = {}
        for fence in FENCE.finditer(body.replace("\x00", "#")):
            language, _, name = fence["info"].partition(" ")
            if language == "toml" and not name:
                case.rules |= tomllib.loads(fence["body"])
            elif name:
                named[name.strip()] = fence["body"]
            elif language in SUFFIX:
                case.projects.append({f"server{SUFFIX[language]}": fence["body"]})
        if named:
            case.projects.append(named)
        found.append(case)
    return tuple(found)


def _fenced_headings_hidden(markdown: str) -> str:
    """Keep comments inside fences from being taken for headings."""
    return FENCE.sub(lambda fence: fence.group().replace("\n#", "\n\x00"), markdown)


def examples(page: str) -> list[tuple[str, dict[str, str]]]:
    """Return the Bad and Good blocks of a rule's page, each with its label; those that carry file names are one project."""
    found: list[tuple[str, dict[str, str]]] = []
    label = ""
    for match in re.finditer(r"^(?P<label>Bad|Good):$|" + FENCE.pattern, page, re.MULTILINE | re.DOTALL):
        if match["label"]:
            label = match["label"]
            continue
        language, _, name = match["info"].partition(" ")
        files = {name or f"server{SUFFIX[language]}": textwrap.dedent(match["body"])}
        if name and found and found[-1][0] == label:
            found[-1][1].update(files)
        else:
            found.append((label, files))
    return found


def promised(files: dict[str, str], slug: str | None = None) -> set[Place]:
    """Return the findings that the comments of some files promise."""
    return {
        (name, number, each)
        for name, number, promise in _promises(files)
        if promise["slugs"] or not promise["asks"]
        for each in (promise["slugs"] or slug or "").split(", ")
    }


def asks(files: dict[str, str]) -> set[Place]:
    """Return the questions that the comments of some files promise."""
    return {
        (name, number, each)
        for name, number, promise in _promises(files)
        if promise["asks"]
        for each in promise["asks"].split(", ")
    }


def _promises(files: dict[str, str]) -> Iterator[tuple[str, int, re.Match[str]]]:
    for name, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            promise = _promise(line)
            if promise is not None:
                yield name, number, promise


def _promise(line: str) -> re.Match[str] | None:
    """Return what a line promises, if anything; few lines do, so the words are looked for before the form."""
    return PROMISE.search(line) if "flaw" in line or "asks" in line else None


def seen(
    files: dict[str, str], slugs: set[str], rules: dict[str, RuleTable], folder: Path
) -> tuple[set[Place], set[Place]]:
    """Return the findings that the rules report on some files, and the questions that they ask."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_without_promises(text), "utf-8")
    configuration = Configuration(rules=rules, select=tuple(sorted(slugs)))
    settings = settle(FoundConfiguration(configuration, None), Flags(), "core")
    sections = examine(_project(files, folder), settings.chosen)
    findings = {
        (each.span.path, each.span.line, each.rule.slug)
        for section in sections
        for each in section.findings
        if each.status == "reported"
    }
    return findings, {
        (each.span.path, each.span.line, each.rule.slug) for section in sections for each in section.waiting
    }


def _project(files: dict[str, str], folder: Path) -> Project:
    """Read a file of definitions, or source; beside source, `live.json` is what the live server answers."""
    only = next(iter(files))
    if len(files) == 1 and only.endswith((".json", ".yaml")):
        return inputs.read(folder / only)
    project = read(discover_files(folder))
    if "live.json" in files:
        return replace(project, drifts=find_drifts(project, inputs.read(folder / "live.json")))
    return project


def _without_promises(text: str) -> str:
    """Remove the promises, so that no rule sees them."""
    return "\n".join(line[: promise.start()] if (promise := _promise(line)) else line for line in text.split("\n"))
