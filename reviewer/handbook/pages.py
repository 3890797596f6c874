"""Rules → everything that is said about them: pages, lists, the tutorial's report. `--check` tells whether they are fresh."""

import dataclasses
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from reviewer.config import get_severities
from reviewer.detection import DEFAULT
from reviewer.files.discovery import CannotReviewError
from reviewer.handbook import agent_skill, api_page, json_schemas
from reviewer.render import text
from reviewer.reviewing import review
from reviewer.rules import Rule, Section, load
from reviewer.rules.selectors import find_explicit_slugs, format_unknown_rule

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/notes-python"
TUTORIAL = "docs/tutorial.md"


def render_page(rule: Rule) -> str:
    """Write the page of one rule, in Markdown."""
    return "\n".join(
        [
            f"# {rule.slug}",
            "",
            rule.page,
            "",
            f"Section: §{rule.section.number} {rule.section.title}  ",
            *([f"Codes: {', '.join(rule.codes)}  "] if rule.codes else []),
            f"Severity: {rule.severity.value} by default; {'; '.join(_iter_severities(rule)) or 'in no profile'}  ",
            f"Fix: {_get_fixes(rule)}  ",
            *([f"Sources: {'; '.join(rule.cites)}  "] if rule.cites else []),
            *([f"Judged: by the rubric `prompts/{rule.slug}.md`, where code does not decide  "] if rule.judged else []),
            *([UNSURE.format(rule.unsure)] if rule.unsure else []),
            *_iter_options(rule),
            f"Suppress: `mcp-review: ignore[{rule.slug}] the reason` in a comment on the line or above the item",
            "",
        ]
    )


def render_pages(name: str) -> str:
    """Write the pages of a rule, or of the rules of a code, a section or a family of codes (`NAM`).

    Raises CannotReviewError, which suggests the nearest, if there is no such rule.
    """
    # The first words of a slug are suggested, not printed: half a name asks for one page, not for eight.
    slugs = find_explicit_slugs(name)
    if not slugs:
        raise CannotReviewError(f"{format_unknown_rule(name)} (`mcp-review rules` lists all)")
    return "\n".join(render_page(load()[slug]) for slug in slugs)


UNSURE = "Asks a judge, if there is one, by the rubric `prompts/{}.md`, where the analysis cannot decide  "

FIXES = {
    (): "none",
    ("safe",): "safe, by `mcp-review PATH --fix`",
    ("unsafe",): "unsafe, by `mcp-review PATH --fix --unsafe`",
    ("safe", "unsafe"): "safe where the code proves it, by `mcp-review PATH --fix`; else unsafe, with `--unsafe`",
}
"""What a rule's page says of the fixes that it has."""


def _get_fixes(rule: Rule) -> str:
    return FIXES[rule.fixes]


def _iter_severities(rule: Rule) -> Iterator[str]:
    return (f"{severity} in `{name}`" for name, severity in get_severities(rule).items())


def _iter_options(rule: Rule) -> Iterator[str]:
    if rule.options is None:
        return
    yield "\nOptions:\n"
    for option in dataclasses.fields(rule.options):
        shown = list(option.default) if isinstance(option.default, tuple) else option.default
        yield f"- `{option.name.replace('_', '-')}` = `{json.dumps(shown)}`: {option.metadata.get('doc', '')}"
    yield ""


def render_rules_text() -> str:
    """List the rules, a line each: section, slug, default severity, title."""
    width = max(len(slug) for slug in load())
    return "".join(
        f"§{each.section.number:<3} {each.slug:<{width}}  {each.severity.value:<10}  {each.title}\n"
        for each in load().values()
    )


def render_rules_json() -> str:
    """List the rules with section, severity, codes, profiles, and whether a model is asked."""
    return (
        json.dumps(
            {"version": 1, "rules": [_collect_row(each) for each in load().values()]}, indent=2, ensure_ascii=False
        )
        + "\n"
    )


LISTINGS = {"text": render_rules_text, "json": render_rules_json}


def _collect_row(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.slug,
        "section": rule.section.number,
        "title": rule.title,
        "severity": rule.severity.value,
        "codes": [*rule.codes, f"§{rule.section.number}"],
        "profiles": [name for name, severity in get_severities(rule).items() if severity != "off"],
        "judged": rule.judged,
        "fixes": list(rule.fixes),
        "cites": list(rule.cites),
    }


INDEX = """\
# Rules

{count} rules in {sections} sections. The page of a rule says why it exists, shows a bad and a good example, and lists its options
and the severity that each [profile](../configuration.md#profiles) gives it. `mcp-review explain RULE` prints the same page, and
`mcp-review rules` this list. The last column names rules that ask a [judge](../judge.md) and rules with a [fix](../fixes.md).
"""


def render_index() -> str:
    """Write the page that lists all rules by section, with the severity that each has in `core`."""
    sections = groupby(load().values(), key=lambda each: each.section)
    tables = [_render_table(section, list(rules)) for section, rules in sections]
    return "\n".join([INDEX.format(count=len(load()), sections=len(tables)), *tables])


def _render_table(section: Section, rules: list[Rule]) -> str:
    rows = [
        f"| [{each.slug}]({each.slug}.md) | {each.title} | {get_severities(each).get(DEFAULT, 'off')} "
        f"| {', '.join(['judge'] * each.judged + ['fix'] * bool(each.fixes))} |"
        for each in rules
    ]
    head = ["| rule | requirement | in `core` | |", "| --- | --- | --- | --- |"]
    return "\n".join([f"## §{section.number} {section.title}", "", *head, *rows, ""])


def render_example_report() -> str:
    """Write the report on the example with faults, as the tutorial shows it: what the command prints in a checkout."""
    report = dataclasses.replace(review(EXAMPLE), root=EXAMPLE.relative_to(ROOT))
    return f"```\n{text.render(report)}```\n"


def render_slugs() -> str:
    """Write the list of slugs and codes that a test keeps stable."""
    return "".join(
        f"{each.section.number} {slug} {' '.join(each.codes)}".rstrip() + "\n" for slug, each in load().items()
    )


def render_copies() -> dict[Path, str]:
    """Return every file that is written from the rules, with its text."""
    written = {ROOT / "docs/rules" / f"{slug}.md": render_page(each) for slug, each in load().items()}
    written |= agent_skill.render_copies(ROOT) | {
        ROOT / path: text for path, text in json_schemas.render_schemas().items()
    }
    written[ROOT / "docs/rules/README.md"] = render_index()
    written[ROOT / TUTORIAL] = _fill(TUTORIAL, {"report": render_example_report()})
    written[ROOT / api_page.PAGE] = _fill(api_page.PAGE, {"reference": api_page.render_reference()})
    return {**written, ROOT / "tests/slugs.txt": render_slugs()}


def _fill(path: str, blocks: dict[str, str]) -> str:
    """Return a file of the repository with its blocks, by their names, as they are to be."""
    text = (ROOT / path).read_text("utf-8")
    for name, block in blocks.items():
        before, start, rest = text.partition(f"<!-- {name}: written by `python -m reviewer.handbook` -->\n")
        text = before + start + block + "".join(rest.partition(f"<!-- end of {name} -->")[1:])
    return text


def find_stale(wanted: dict[Path, str]) -> list[Path]:
    """Name the copies that are not what the rules say, and the pages of rules that are gone."""
    gone = [path for path in (ROOT / "docs/rules").glob("*.md") if path not in wanted] + agent_skill.find_obsolete(
        ROOT, wanted
    )
    return [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text] + gone


def main(arguments: list[str]) -> int:
    """Write the copies, or with `--check` name the stale ones and return 1 if there are any.

    `--portable FOLDER` writes the skill for other hosts than Claude Code into a folder of skills, and nothing else.
    """
    if arguments[:1] == ["--portable"]:
        _write(agent_skill.render_portable_copies(ROOT, Path(*arguments[1:])))
        return 0
    wanted = render_copies()
    paths = find_stale(wanted)
    if "--check" in arguments:
        for path in paths:
            print(f"stale: {path.relative_to(ROOT)}")
        return int(bool(paths))
    _write({path: wanted[path] for path in paths if path in wanted})
    for path in paths:
        if path not in wanted:
            path.unlink()
    return 0


def _write(wanted: dict[Path, str]) -> None:
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
