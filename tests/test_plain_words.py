"""What users read is in the words of the field: titles, pages, messages, advice, help and errors.

The words below are this project's own or older English for what the field has a usual word for. A reader who never saw the
code stumbles over them: "what is mended" is "fixed", a "flaw" is a "finding", a rule that "holds" is one that "passes".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer.main

import reviewer
from reviewer.cli.app import app
from reviewer.rules import SECTIONS, Section, load

PRIVATE = {
    r"mend(?:s|ed|ing)?": "fix",
    r"flaws?": "finding, problem",
    r"nobody(?:'s)?": "no client, no code, none",
    r"sure(?:ly)?": "certainly, always, or leave it out",
    r"(?:tell|tells|told) of": "report, mention",
    r"goes (?:by|with)": "uses, requires",
    r"beside": "next to, in addition to",
    r"hand(?:s|ed)? (?:on|over)": "pass",
    r"so (?:many|much)(?! as)": "a number, a limit",
    r"(?:is|are) no (?!longer|such|more)": "is not a",
    r"anew": "again",
    r"without a word": "silently",
    r"heed(?:s|ed)?": "use",
    r"great(?:est)? (?:value|size|length)": "maximum",
    r"reckon(?:s|ed)?": "calculate",
}
"""Each word, and what to say instead."""

WORDS = re.compile(r"(?<![\w`/-])(?:" + "|".join(PRIVATE) + r")(?![\w`-])", re.IGNORECASE)

QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")
"""Code and quotations, which are not our words."""

ROOT = Path(__file__).resolve().parent.parent

SOURCE = ROOT / "reviewer"

DOCUMENTS = [
    *(ROOT / each for each in ("README.md", "CONTRIBUTING.md", "PACKAGE.md", "evals/README.md", "action.yml")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/decisions/*.md")),
    *sorted(ROOT.glob("skills/*/SKILL.md")),
    *sorted(ROOT.glob("commands/*.md")),
    *sorted(ROOT.glob("agents/*.md")),
]
"""What users and agents read beyond the pages of rules. Records of measurements and the changelog are of their day."""

FENCE = re.compile(r"^(`{3,}).*?^\1`*$", re.MULTILINE | re.DOTALL)

INTERNAL = ("behaviour/", "code/", "languages/python/behaviour/", "languages/rust/behaviour/", "languages/edits/")
"""Where texts name kinds of events and reasons that only the analysis reads."""

PROMPTS = ("judge/exchange.py", "selection/making.py", "selection/choosing.py")
"""What a model reads: a change of it would void the verdicts that are kept."""

MODULES = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if not path.relative_to(SOURCE).as_posix().startswith((*INTERNAL, *PROMPTS))
]

FOLDERS = sorted({path.parent for path in MODULES})


def private(text: str) -> list[str]:
    return [found[0] for found in WORDS.finditer(QUOTED.sub("`", text))]


def prose(page: str) -> str:
    """Return a rule's page without its examples, and without what it says of a text of others that it departs from."""
    plain = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    return plain.partition("Departs from the original")[0].partition("\nBad")[0]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.folder)
def test_the_pages_of_the_rules_of_a_section(section: Section) -> None:
    rules = [rule for rule in load().values() if rule.section == section]
    assert [(rule.slug, word) for rule in rules for word in private(prose(rule.page))] == []
    assert [(rule.slug, word) for rule in rules for word in private(rule.absent)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: each.relative_to(ROOT).as_posix())
def test_the_documents(document: Path) -> None:
    assert private(FENCE.sub("", document.read_text("utf-8"))) == []


@pytest.mark.parametrize("name", reviewer.__all__)
def test_the_docstrings_of_the_api(name: str) -> None:
    assert private(getattr(reviewer, name).__doc__ or "") == []


def texts(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts in code, except docstrings, patterns and lists of words that are split."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called == "pattern" or called.startswith("re.") or called.endswith(".split"):
            return
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from texts(child)


def read(node: ast.expr) -> str:
    """Return a text as it reads, with a word in the place of what a run puts in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def said(module: Path) -> list[str]:
    return [text for text in map(read, texts(ast.parse(module.read_text("utf-8")))) if " " in text]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(SOURCE).as_posix())
def test_the_messages_of_the_modules_in_a_folder(folder: Path) -> None:
    modules = [path for path in MODULES if path.parent == folder]
    assert [(path.name, word, text) for path in modules for text in said(path) for word in private(text)] == []


def commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from commands(each)


@pytest.mark.parametrize("command", list(commands(typer.main.get_command(app))), ids=lambda command: str(command.name))
def test_the_help_of_a_command(command: click.Command) -> None:
    helps = [command.help or "", *(str(getattr(each, "help", "") or "") for each in command.params)]
    assert [(word, text) for text in helps for word in private(text)] == []


def test_a_private_word_is_found() -> None:
    assert private("this flaw is told of beside the `mend`") == ["flaw", "told of", "beside"]
    code = """'a flaw'\nat(f'{a} and no one', 'mend it', 'mend flaw'.split(), pattern('the mend'))"""
    assert [read(each) for each in texts(ast.parse(code))] == ["x and no one", "mend it"]
