"""Rules → what the agent skill says of them: its pages by section, its list of sections, and the skill for other hosts."""

import re
from collections.abc import Iterator
from pathlib import Path

from reviewer.config import get_severities, list_profiles
from reviewer.rules import SECTIONS, Rule, Section, load
from reviewer.text.patterns import pattern

NAME = "mcp-tool-checklist"
PORTABLE = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The fields of a skill's frontmatter that every host knows (the Agent Skills format); the others are Claude Code's."""

_BEGIN, _END = "<!-- sections: written by `python -m reviewer.handbook` -->\n", "<!-- end of sections -->"
"""The list between them is written anew; what stands around it is written by people."""

_FRONT = pattern(r"---\n(?P<fields>.*?)---\n(?P<body>.*)", re.DOTALL)
"""The frontmatter of a skill, in YAML between two lines of dashes."""


def find_skill_folder(root: Path) -> Path:
    """Return the folder of the plugin's skill, whose text is written by hand; Claude Code takes it from the repository."""
    return root / "skills" / NAME


def render_copies(root: Path) -> dict[Path, str]:
    """Return every file of the skill that is written from the rules, with its text."""
    skill = find_skill_folder(root) / "SKILL.md"
    return {skill: insert_section_list(skill.read_text("utf-8")), **_render_section_pages(find_skill_folder(root))}


def render_portable_copies(root: Path, into: Path) -> dict[Path, str]:
    """Return the files of the skill for other hosts than Claude Code, as they are to lie in a folder of skills."""
    skill = insert_section_list((find_skill_folder(root) / "SKILL.md").read_text("utf-8"))
    return {into / NAME / "SKILL.md": make_portable(skill), **_render_section_pages(into / NAME)}


def _render_section_pages(own: Path) -> dict[Path, str]:
    return {own / name_section_page(each): render_section_page(each) for each in SECTIONS}


def find_obsolete(root: Path, wanted: dict[Path, str]) -> list[Path]:
    """Name the files beside the copies that nothing is written to any more."""
    return [path for path in find_skill_folder(root).glob("references/*") if path not in wanted]


def name_section_page(section: Section) -> str:
    """Name the page of a section, within the skill's folder."""
    return f"references/{section.number:02}-{section.folder}.md"


def insert_section_list(skill: str) -> str:
    """Write the list of sections into the skill's text."""
    rows = [
        f"- §{each.number} {each.title}: [{name_section_page(each)}]({name_section_page(each)})" for each in SECTIONS
    ]
    before, begin, rest = skill.partition(_BEGIN)
    return before + begin + "\n".join(rows) + "\n" + "".join(rest.partition(_END)[1:])


def make_portable(skill: str) -> str:
    """Leave out of a skill's frontmatter what one host alone knows, and say what the skill needs."""
    found = _FRONT.fullmatch(skill)
    if found is None:
        raise ValueError("the skill has no frontmatter")
    fields = [line for line in found["fields"].splitlines() if line.partition(":")[0] in PORTABLE]
    fields += ["license: MIT", "compatibility: Needs the mcp-review command (Python 3.11 or newer) and a shell."]
    return "---\n" + "\n".join(fields) + "\n---\n" + found["body"]


def render_section_page(section: Section) -> str:
    """Write the page of one section: what its rules weigh, and each with the reason, without examples."""
    rules = [each for each in load().values() if each.section == section]
    head = f"# §{section.number} {section.title}\n\n`mcp-review explain RULE` has the examples, the options and the sources.\n"
    return head + "".join(("\n", *_iter_weights(rules), *map(_render_rule, rules)))


def _iter_weights(rules: list[Rule]) -> Iterator[str]:
    """Write what each rule weighs under each profile."""
    names = list_profiles()
    yield f"| rule | {' | '.join(names)} |\n"
    yield f"| --- |{' --- |' * len(names)}\n"
    for each in rules:
        own = get_severities(each)
        yield f"| {each.slug} | {' | '.join(own.get(name, 'off') for name in names)} |\n"


def _render_rule(each: Rule) -> str:
    reason = re.split(r"^Bad\b", each.page, maxsplit=1, flags=re.MULTILINE)[0].removeprefix(each.title).strip()
    asks = each.judged or each.unsure
    marks = [each.severity.value, *each.codes, *(["asks you, where code does not decide"] if asks else [])]
    return "\n".join(
        ["", f"## {each.slug}", "", f"{each.title} ({', '.join(marks)})", *(["", reason] if reason else []), ""]
    )
