"""Profile + configuration file + flags → Settings. Everything a user may get wrong is refused here, in one line."""

import dataclasses
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from reviewer.engine import Chosen
from reviewer.files import CannotReviewError
from reviewer.rules import Rule, Severity, load, named

SeverityName = Literal["error", "warning", "suggestion"]
RuleTable = SeverityName | Literal["off"] | dict[str, Any]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=lambda name: name.replace("_", "-"))


class Profile(_Strict):
    """A profile as its TOML file says it: whose guideline it serves, and what it sets for each rule."""

    because: str
    extends: str | None = None
    rules: dict[str, RuleTable] = Field(default_factory=dict)


class Configuration(_Strict):
    """What a project may set; the keys are the fields with `-` for `_`."""

    profile: str | None = None
    select: tuple[str, ...] = Field(default=(), strict=False)
    ignore: tuple[str, ...] = Field(default=(), strict=False)
    exclude: tuple[str, ...] = Field(default=(), strict=False)
    include_tests: bool = False
    fail_on: SeverityName | None = None
    rules: dict[str, RuleTable] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Flags:
    """What the caller asks for, over the configuration file. Empty or None: not asked."""

    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: SeverityName | None = None
    config: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What is settled before the review: which rules run and how, and what makes it fail."""

    profile: str
    chosen: list[Chosen] = field(default_factory=list)
    fail_on: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Found:
    """A configuration and the file it came from (None: there is none)."""

    configuration: Configuration
    file: Path | None


def configuration(root: Path, explicit: Path | None = None) -> Found:
    """Read the configuration that holds for `root`: `explicit`, or the nearest one up to the checkout's top.

    Raises CannotReviewError if it cannot be read or says something unknown.
    """
    if explicit is not None:
        table = _table(explicit, explicit.name) if explicit.exists() else None
        if table is None:
            raise CannotReviewError(f"{explicit}: no configuration there; write mcp-review.toml or [tool.mcp-review]")
        return Found(_validated(table, explicit), explicit)
    root = root.resolve()
    for folder in (root, *root.parents):
        for name in ("mcp-review.toml", "pyproject.toml", "Cargo.toml"):
            file = folder / name
            table = _table(file, name) if file.is_file() else None
            if table is not None:
                return Found(_validated(table, file), file)
        if (folder / ".git").exists():
            break
    return Found(Configuration(), None)


_TABLES = {
    "pyproject.toml": (("tool", "mcp-review"),),
    "Cargo.toml": (("workspace", "metadata", "mcp-review"), ("package", "metadata", "mcp-review")),
}


def _table(file: Path, name: str) -> dict[str, Any] | None:
    try:
        document = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if name in _TABLES and b"mcp-review" not in file.read_bytes():
            return None
        raise CannotReviewError(f"{file}: not valid TOML: {error}") from None
    except OSError as error:
        raise CannotReviewError(f"{file}: the configuration cannot be read: {(error.strerror or '').lower()}") from None
    if name not in _TABLES:
        return document
    for keys in _TABLES[name]:
        table: Any = document
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, dict):
            return table
    return None


def _validated(table: dict[str, Any], file: Path) -> Configuration:
    try:
        return Configuration.model_validate(table)
    except ValidationError as error:
        raise CannotReviewError(f"{file}: {_first(error, [*Configuration.model_json_schema()['properties']])}") from None


def _first(error: ValidationError, known: Iterable[str]) -> str:
    """Say the first thing that is wrong, as one clause."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"] if not str(part).startswith(("literal[", "dict[")))
    if first["type"] == "extra_forbidden":
        return unknown("key", place, known)
    return f"`{place}`: {first['msg'].lower()}"


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no such thing, with the nearest one there is."""
    near = get_close_matches(name, known, n=1)
    return f"unknown {what} `{name}`" + (f"; did you mean `{near[0]}`?" if near else "")


def profiles() -> tuple[str, ...]:
    """Name every profile."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in files("reviewer.profiles").iterdir() if file.name.endswith(".toml")))


@cache
def profile(name: str) -> Profile:
    """Load a profile, with what it inherits merged in. Raises CannotReviewError if there is none of that name."""
    if name not in profiles():
        raise CannotReviewError(f"{unknown('profile', name, profiles())} (there are: {', '.join(profiles())})")
    loaded = Profile.model_validate(tomllib.loads(files("reviewer.profiles").joinpath(f"{name}.toml").read_text("utf-8")))
    if loaded.extends is None:
        return loaded
    rules = dict(profile(loaded.extends).rules)
    for slug, table in loaded.rules.items():
        rules[slug] = _joined(rules.get(slug), table)
    return loaded.model_copy(update={"rules": rules})


def _joined(below: RuleTable | None, above: RuleTable) -> RuleTable:
    """Lay one setting of a rule over another."""
    parts = [{"severity": part} if isinstance(part, str) else part for part in (below, above) if part is not None]
    return {key: value for part in parts for key, value in part.items()}


def settle(found: Found, flags: Flags, detected: str) -> Settings:
    """Decide which rules run and how. Raises CannotReviewError for an unknown profile, rule or option."""
    own = found.configuration
    name = flags.profile or own.profile or detected
    source = str(found.file) if found.file else "the configuration"
    tables = {slug: table for slug, table in profile(name).rules.items()}
    for key, table in own.rules.items():
        for slug in _slugs(key, source):
            tables[slug] = _joined(tables.get(slug), table)
    selected = {slug for key in flags.select or own.select for slug in _slugs(key, "--select" if flags.select else source)}
    ignored = {slug for key in (*flags.ignore, *own.ignore) for slug in _slugs(key, "--ignore" if flags.ignore else source)}
    chosen = []
    for slug, each in load().items():
        one = _chosen(each, tables.get(slug), source, insist=slug in selected and slug not in tables)
        if one is not None and slug not in ignored and (not selected or slug in selected):
            chosen.append(one)
    return Settings(name, chosen, Severity(flags.fail_on or own.fail_on or "error"))


def _slugs(name: str, source: str) -> tuple[str, ...]:
    slugs = named(name)
    if not slugs:
        raise CannotReviewError(f"{source}: {unknown('rule', name, load())}")
    return slugs


def _chosen(each: Rule, table: RuleTable | None, source: str, *, insist: bool) -> Chosen | None:
    """Give the rule with its severity and options, or None if it is off. A rule that no table names is off."""
    if table is None and not insist:
        return None
    setting = _joined(None, table) if table is not None else {}
    options = {key.replace("-", "_"): value for key, value in setting.items() if key != "severity"} if isinstance(setting, dict) else {}
    severity = setting.get("severity", each.severity.value) if isinstance(setting, dict) else each.severity.value
    if severity == "off":
        return None
    try:
        return Chosen(each, Severity(severity), _options(each, options))
    except ValidationError as error:
        raise CannotReviewError(f"{source}: rules.{each.slug}: {_first(error, ())}") from None
    except ValueError as error:
        raise CannotReviewError(f"{source}: rules.{each.slug}: {error}") from None


def _options(each: Rule, table: dict[str, Any]) -> Any:
    if each.options is None:
        if table:
            raise ValueError(unknown("option", next(iter(table)), ()))
        return None
    names = [one.name for one in dataclasses.fields(each.options)]
    for name in table:
        if name not in names:
            raise ValueError(unknown("option", name.replace("_", "-"), [one.replace("_", "-") for one in names]))
    return TypeAdapter(each.options).validate_python(table) if table else each.options()
