"""Configurations from a grammar, in each of the four files; and the files that name versions."""

import dataclasses
import json
import tomllib
from functools import cache
from random import Random

from forms import forms
from values import TEXTS, chance, some

from reviewer.config import SDKS, Configuration, JudgeTable, list_profiles
from reviewer.rules import index_slugs_by_code, load

SCALARS = forms("configuration", "scalars")
EXCLUDED = forms("configuration", "excluded")
MANIFESTS = forms("configuration", "manifests")
REQUIRED = forms("configuration", "required")
PREFIXES = forms("configuration", "prefixes")
VERSIONS = forms("configuration", "versions")
MADE = forms("configuration", "files")
ENTRIES = forms("configuration", "entries")

FILES = {"mcp-review.toml": "", "pyproject.toml": "tool.mcp-review", "Cargo.toml": "package.metadata.mcp-review"}


@cache
def slugs() -> tuple[str, ...]:
    """Return the names that a rule may be called by, and some that none is."""
    return (*load(), *sorted(index_slugs_by_code()), "x", "§1", "tool-name-stile", "", "é")


@cache
def options(slug: str) -> tuple[str, ...]:
    """Return what may be set for a rule, and some that may not."""
    rule = load().get(slug)
    kind = rule.options if rule is not None else None
    return (*(each.name.replace("_", "-") for each in (dataclasses.fields(kind) if kind else ())), "severity", "x")


class Document:
    """A table in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def value(self, depth: int = 2) -> str:
        """Return any value."""
        random = self.random
        kind = random.randrange(9 if depth > 0 else 6)
        if kind < 3:
            return random.choice(SCALARS)
        if kind < 6:
            return self.text(random.choice(TEXTS))
        if kind == 6:
            return "[" + ", ".join(self.value(depth - 1) for _ in range(random.randint(0, 3))) + "]"
        if kind == 7:
            return "{" + ", ".join(f"{self.key()} = {self.value(depth - 1)}" for _ in range(random.randint(0, 2))) + "}"
        return random.choice(
            (
                "[" * 200 + "]" * 200,
                "{a = " * 200 + "1" + "}" * 200,
                "[" * 3000 + "]" * 3000,
                "[,]",
                "{a=1,}",
                "",
                "=",
                "[1, 'a']",
            )
        )

    def text(self, text: str) -> str:
        """Return a text, with the escapes of TOML."""
        escaped = "".join(
            f"\\u{ord(each):04X}" if ord(each) < 32 or ord(each) == 127 or each in '"\\' else each for each in text
        )
        return f'"{escaped}"'

    def key(self) -> str:
        random = self.random
        return random.choice(
            ("a", "b", '"x y"', "'é'", '""', "1", "a.b", "severity", "style", "max", '"\\u0000"', "a-b")
        )

    def listed(self, parts: tuple[str, ...]) -> str:
        """Return a list of texts."""
        return "[" + ", ".join(self.text(each) for each in some(self.random, parts, 4)) + "]"

    def table(self, prefix: str) -> str:
        """Return a whole table, mostly of known keys and right types."""
        random = self.random
        right = {
            "profile": lambda: self.text(random.choice([*list_profiles(), "x", ""])),
            "select": lambda: self.listed(slugs()),
            "ignore": lambda: self.listed(slugs()),
            "exclude": lambda: self.listed(EXCLUDED),
            "include-tests": lambda: random.choice(("true", "false")),
            "fail-on": lambda: self.text(random.choice(("error", "warning", "suggestion", "x"))),
            "sdk": lambda: (
                "{" + ", ".join(f"{name} = {self.version()}" for name in dict.fromkeys(some(random, SDKS, 3))) + "}"
            ),
        }
        keys = [
            each.name.replace("_", "-")
            for each in dataclasses.fields(Configuration)
            if each.name not in ("rules", "judge")
        ]
        lines = [f"[{prefix}]"] if prefix and chance(random, 95) else []
        for key in dict.fromkeys([*some(random, keys, 3), *(["x"] if chance(random, 3) else [])]):
            made = right.get(key)
            lines.append(f"{key} = {made() if made is not None and chance(random, 80) else self.value()}")
        below = f"{prefix}." if prefix else ""
        if chance(random, 30):
            lines.append(f"[{below}judge]")
            names = [each.name.replace("_", "-") for each in dataclasses.fields(JudgeTable)]
            lines += [f"{name} = {self.value(1)}" for name in dict.fromkeys(some(random, [*names, "x"], 3))]
        if chance(random, 75):
            lines += self.rules(below)
        return "\n".join(lines)

    def rules(self, below: str) -> list[str]:
        """Return what is set for rules."""
        random = self.random
        lines = [f"[{below}rules]"]
        for slug in dict.fromkeys(some(random, slugs(), 5)):
            name = slug if slug.replace("-", "").isascii() and slug.replace("-", "").isalnum() else self.text(slug)
            kind = random.randrange(4)
            if kind == 0:
                lines.append(f"{name} = {self.text(random.choice(('error', 'warning', 'suggestion', 'off', 'x')))}")
            elif kind == 1:
                lines.append(f"{name} = {self.value()}")
            else:
                names = dict.fromkeys(some(random, options(slug), 2))
                lines.append(f"{name} = {{" + ", ".join(f"{each} = {self.option()}" for each in names) + "}")
        return lines

    def option(self) -> str:
        random = self.random
        likely = (
            "1",
            "0",
            "-5",
            "true",
            '"consistent"',
            '"snake_case"',
            "[]",
            '["a"]',
            '["(a+)+$"]',
            '["["]',
            '"error"',
            "10",
        )
        return random.choice(likely) if chance(random, 65) else self.value(1)

    def version(self) -> str:
        return self.random.choice(VERSIONS)


def toml(random: Random) -> tuple[str, str]:
    """Return the name of a configuration's file, and its text."""
    name = random.choice(list(FILES))
    prefix = FILES[name]
    if name == "Cargo.toml" and chance(random, 40):
        prefix = "workspace.metadata.mcp-review"
    text = Document(random).table(prefix)
    if chance(random, 10):
        text = random.choice(PREFIXES) + text
    if name == "mcp-review.toml" and chance(random, 40):
        try:
            return "package.json", json.dumps({"name": "x", "mcp-review": tomllib.loads(text)}, default=str)
        except ValueError:
            return "package.json", f'{{"mcp-review": {text}}}'
    return name, text


def manifest(random: Random) -> tuple[str, str]:
    """Return the name of a file that names versions, and its text."""
    name = random.choice(MANIFESTS)
    made = Document(random)
    locked = random.choice(["'mcp'", "'rmcp'", "{value}"])
    lock = f"[[package]]\nname = {locked}\nversion = {{version}}\n[[package]]\nname = 'pydantic'\nversion = {{value}}\n"
    form = random.choice([text for own, text in MADE if own == name] or [lock])
    return name, form.format(
        value=made.value(1),
        version=made.version(),
        listed=made.listed(REQUIRED),
        requirement=random.choice(REQUIRED),
        requirements="\n".join(some(random, REQUIRED, 4)),
        entry=random.choice(ENTRIES),
    )
