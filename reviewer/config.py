"""Profile + configuration file + flags → Settings. Everything a user may get wrong is refused here, in one line."""

import dataclasses
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NoReturn

from reviewer.caching import cache
from reviewer.engine import ActiveRule
from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular
from reviewer.judge.settings import NOBODY, JudgeSettings
from reviewer.records import dataclass
from reviewer.rules import Rule, Section, Severity, find_slugs, load
from reviewer.rules.selectors import format_unknown_rule, select
from reviewer.source import Opaque, Span
from reviewer.text import toml
from reviewer.text.excerpts import quote_excerpt
from reviewer.text.json_text import parse_json
from reviewer.text.tables import fill_settings, format_unknown

SeverityName = Literal["error", "warning", "suggestion"]
RuleTable = str | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as its TOML file says it: whose guideline it serves, and what it sets for each rule."""

    because: str
    extends: str | None = None
    rules: dict[str, RuleTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a project may set; the keys are the fields with `-` for `_`."""

    profile: str | None = field(default=None, metadata={"doc": "The guideline to review against; detected if not set."})
    select: tuple[str, ...] = field(
        default=(), metadata={"doc": "Run only these rules: slugs, codes, sections, or their first words."}
    )
    ignore: tuple[str, ...] = field(default=(), metadata={"doc": "Skip these rules, named as in `select`."})
    exclude: tuple[str, ...] = field(
        default=(), metadata={"doc": "Files to exclude, by patterns as in .gitignore, relative to the reviewed path."}
    )
    baseline: str | None = field(
        default=None,
        metadata={"doc": "A file of accepted findings, relative to this one; `--write-baseline` writes it."},
    )
    include_tests: bool = field(default=False, metadata={"doc": "Review files that look like tests, too."})
    fail_on: SeverityName | None = field(
        default=None, metadata={"doc": "The lowest severity that makes the exit code 1."}
    )
    fail_on_suppressed: bool = field(
        default=False,
        metadata={
            "doc": "With `--diff`: exit code 1 if the change hides findings, or excludes files that were reviewed."
        },
    )
    sdk: dict[str, str] = field(
        default_factory=dict,
        metadata={"doc": "Versions of the frameworks that the server runs with; detected if not set."},
    )
    judge: dict[str, Any] = field(
        default_factory=dict, metadata={"doc": "Limits for the judge that the command line requests."}
    )
    rules: dict[str, RuleTable] = field(
        default_factory=dict,
        metadata={"doc": "The severity of a rule, `off`, or a table of its severity and its options."},
    )


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """What a project may set of its judge. Who judges, and at whose cost, is for the caller alone to say."""

    max_questions: int | None = field(default=None, metadata={"doc": "The maximum number of questions in a review."})
    max_cost: float | None = field(
        default=None, metadata={"doc": "The maximum cost of a review in US dollars; at most what the caller allows."}
    )
    fail_on_unanswered: bool = field(default=False, metadata={"doc": "Exit code 1 if a question stays unanswered."})


@dataclass(frozen=True, slots=True)
class Flags:
    """What the caller asks for, over the configuration file. Empty or None: not asked.

    `exclude` are patterns as in `.gitignore`, in addition to those of the configuration. `isolated` ignores configuration
    files. `within` is the folder above which none is looked for. Without `scores` the report says nothing of the tools' maturity.
    `cached` has what a review comes to kept in the user's cache folder, and found again.
    """

    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: SeverityName | None = None
    config: Path | None = None
    sdk: dict[str, str] = field(default_factory=dict)
    judge: JudgeSettings = NOBODY
    fail_on_unanswered: bool = False
    fail_on_suppressed: bool = False
    within: Path | None = None
    exclude: tuple[str, ...] = ()
    isolated: bool = False
    scores: bool = True
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """What is settled before the review: which rules run and how, and what makes it fail.

    `left_out` are the sections of which the profile has rules and the caller wants none, with the reason. `ran` names the rules
    of a review that was kept, for which none is loaded again.
    """

    profile: str
    chosen: list[ActiveRule] = field(default_factory=list)
    fail_on: Severity = Severity.ERROR
    judge: JudgeSettings = NOBODY
    fail_on_unanswered: bool = False
    fail_on_suppressed: bool = False
    left_out: dict[Section, str] = field(default_factory=dict)
    ran: tuple[str, ...] = ()

    @property
    def slugs(self) -> Iterable[str]:
        """The rules that run, or have run."""
        return self.ran or (each.rule.slug for each in self.chosen)


Reads = Callable[[Path], bytes | None]
"""Returns the bytes of a file, None if there is none. Raises OSError."""


LARGEST = 2**20
"""Bytes of a configuration file; a larger one is refused before it is parsed.

The largest `pyproject.toml` of 62 servers has 14 KB.
"""


def read_on_disk(file: Path) -> bytes | None:
    """Read a file as it is now; None if it is not there. Raises OSError and TooLargeError."""
    if not file.is_file() and (file.name in _TABLES or not os.path.lexists(file)):
        return None
    return read_regular(file, LARGEST)


@dataclass(frozen=True, slots=True)
class FoundConfiguration:
    """A configuration and the file it came from (None: there is none). `reads` read it, and reads what it names.

    `unopened` names what has the name of a manifest in a folder above the root, where a configuration may stand, and is no file.
    """

    configuration: Configuration
    file: Path | None
    reads: Reads = read_on_disk
    unopened: tuple[Opaque, ...] = ()

    @property
    def elsewhere(self) -> Reads | None:
        """What reads it, if that is not the disk."""
        return self.reads if self.reads is not read_on_disk else None

    @property
    def baseline(self) -> Path | None:
        """The file of accepted findings that the configuration names, relative to its own folder."""
        named = self.configuration.baseline
        return self.file.parent / named if named is not None and self.file is not None else None


def find_configuration(root: Path, flags: Flags, reads: Reads = read_on_disk) -> FoundConfiguration:
    """Find the configuration that holds for `root`, with what the flags add to it.

    Raises CannotReviewError if it cannot be read or says something unknown.
    """
    if flags.isolated and flags.config is not None:
        raise CannotReviewError("--isolated: ignores configuration files; remove --config")
    holding = build_configuration() if flags.isolated else read_configuration(root, flags.config, flags.within, reads)
    own = holding.configuration
    with_flags = dataclasses.replace(own, exclude=(*own.exclude, *flags.exclude))
    return dataclasses.replace(holding, configuration=with_flags, reads=reads)


def read_configuration(
    root: Path, explicit: Path | None = None, within: Path | None = None, reads: Reads = read_on_disk
) -> FoundConfiguration:
    """Read the configuration that holds for `root`: `explicit`, or the nearest one up to `within` or the checkout's top.

    Raises CannotReviewError if it cannot be read or says something unknown.
    """
    if explicit is not None:
        table = _read_table(explicit, explicit.name, reads)
        if table is None:
            raise CannotReviewError(
                f"{explicit}: no such configuration file; create mcp-review.toml or [tool.mcp-review]"
            )
        return _parse_configuration(table, explicit)
    root = root.resolve()
    unopened: list[Opaque] = []
    for folder in (root, *root.parents):
        for name in (OWN_FILE, *_TABLES):
            file = folder / name
            table = _read_table(file, name, reads)
            if table is not None:
                return dataclasses.replace(_parse_configuration(table, file), unopened=tuple(unopened))
            if folder != root and reads is read_on_disk:
                unopened += _iter_unopened_files(file, root)
        if (folder / ".git").exists() or folder == within:
            break
    return dataclasses.replace(build_configuration(), unopened=tuple(unopened))


def _iter_unopened_files(file: Path, root: Path) -> Iterator[Opaque]:
    """Name what is neither a file nor a folder; what lies under the root is named where its files are found."""
    if os.path.lexists(file) and not file.is_file() and not file.is_dir():
        why = "not a regular file; it was not opened" if file.exists() else "a link that leads to nothing"
        yield Opaque(why, Span(Path(os.path.relpath(file, root)).as_posix(), 1, 1, 1, 1))


def build_configuration(**settings: Any) -> FoundConfiguration:
    """Return a configuration that stands in no file."""
    return FoundConfiguration(Configuration(**settings), None)


def _parse_configuration(table: dict[str, Any], file: Path) -> FoundConfiguration:
    try:
        own = fill_settings(Configuration, table)
        _validate_versions(own.sdk)
    except ValueError as error:
        raise CannotReviewError(f"{file}: {error}") from None
    return FoundConfiguration(own, file)


def _validate_versions(sdk: dict[str, str]) -> None:
    for name, version in sdk.items():
        if name not in SDKS:
            raise ValueError(f"sdk: {format_unknown('name', name, SDKS)} (there are: {', '.join(SDKS)})")
        if not version[:1].isdigit():
            raise ValueError(f"sdk: {name}: {quote_excerpt(version)} is not a version; write it like `2.14.1`")


OWN_FILE = "mcp-review.toml"
"""The file that holds nothing but a configuration; in a folder, it comes before a table of another file."""

JSON_FILE = "package.json"

_TABLES = {
    "pyproject.toml": (("tool", "mcp-review"),),
    "Cargo.toml": (("workspace", "metadata", "mcp-review"), ("package", "metadata", "mcp-review")),
    JSON_FILE: (("mcp-review",),),
}
"""The files that may have a configuration beside other things, in the order in which they are asked, and the keys to it."""


def _read_table(file: Path, name: str, reads: Reads) -> dict[str, Any] | None:
    try:
        data = reads(file)
    except TooLargeError:
        raise CannotReviewError(
            f"{file}: larger than {LARGEST // 2**20} MB, too large for a configuration file"
        ) from None
    except OSError as error:
        raise CannotReviewError(f"{file}: the configuration cannot be read: {(error.strerror or '').lower()}") from None
    if data is None:
        return None
    if name in _TABLES and b"mcp-review" not in data:
        return None
    try:
        document: dict[str, Any] = _parse_document(data, name)  # of JSON it may be anything
    except ValueError as error:
        raise CannotReviewError(f"{file}: {error}") from None
    if name not in _TABLES:
        return document
    for keys in _TABLES[name]:
        table: Any = document
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, dict):
            return table
        if table is not None and name == JSON_FILE:  # other tools let such a key name a file, which is not read here
            raise CannotReviewError(f"{file}: mcp-review: give an object, not {quote_excerpt(table)}")
    return None


def _parse_document(data: bytes, name: str) -> Any:
    """Parse what a file holds. Raises ValueError, in one clause, if it is not what its name says."""
    form, parse = ("JSON", parse_json) if name == JSON_FILE else ("TOML", toml.parse_toml)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"not valid {form}: not UTF-8") from None
    return parse(text)


SDKS = (
    "mcp", "fastmcp", "pydantic", "python", "rmcp", "rust-mcp-sdk", "schemars",
    "@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "@modelcontextprotocol/core", "xmcp", "zod",
    "zod-to-json-schema",
)  # fmt: skip
"""Whose version may be said: what decides how a server's declarations are answered."""


def parse_versions(sdk: Iterable[str]) -> dict[str, str]:
    """Read `NAME==VERSION` entries. Raises CannotReviewError for one of another shape, or an unknown name."""
    given = {}
    for entry in sdk:
        name, sign, version = (part.strip() for part in entry.partition("=="))
        if not sign or not version[:1].isdigit():
            raise CannotReviewError(f"--sdk {entry}: give NAME==VERSION, as in fastmcp==2.14.1")
        if name not in SDKS:
            raise CannotReviewError(
                f"--sdk {entry}: {format_unknown('name', name, SDKS)} (there are: {', '.join(SDKS)})"
            )
        given[name] = version
    return given


def list_profiles() -> tuple[str, ...]:
    """Name every profile."""
    return tuple(
        sorted(
            file.name.removesuffix(".toml")
            for file in files("reviewer.profiles").iterdir()
            if file.name.endswith(".toml")
        )
    )


@cache
def load_profile(name: str) -> Profile:
    """Load a profile, with what it inherits merged in. Raises CannotReviewError if there is none of that name."""
    if name not in list_profiles():
        raise CannotReviewError(
            f"{format_unknown('profile', name, list_profiles())} (there are: {', '.join(list_profiles())})"
        )
    loaded = Profile(**tomllib.loads(files("reviewer.profiles").joinpath(f"{name}.toml").read_text("utf-8")))
    if loaded.extends is None:
        return loaded
    rules = dict(load_profile(loaded.extends).rules)
    for slug, table in loaded.rules.items():
        rules[slug] = _join_settings(rules.get(slug), table)
    return dataclasses.replace(loaded, rules=rules)


def get_severities(each: Rule) -> dict[str, str]:
    """Return the severity that each profile gives a rule, `off` too; a profile that does not name the rule is left out."""
    tables = {name: load_profile(name).rules.get(each.slug) for name in list_profiles()}
    joined = {name: _join_settings(None, table) for name, table in tables.items() if table is not None}
    return {name: str(table.get("severity", each.severity.value)) for name, table in joined.items()}


def _join_settings(below: RuleTable | None, above: RuleTable) -> dict[str, Any]:
    """Lay one setting of a rule over another."""
    parts = [{"severity": part} if isinstance(part, str) else part for part in (below, above) if part is not None]
    return {key: value for part in parts for key, value in part.items()}


def settle(found: FoundConfiguration, flags: Flags, detected: str) -> Settings:
    """Decide which rules run and how. Raises CannotReviewError for an unknown profile, rule or option."""
    own = found.configuration
    name = flags.profile or own.profile or detected
    source = _name_source(found)
    try:
        profile = load_profile(name).rules
    except CannotReviewError as error:
        raise CannotReviewError(f"{'--profile' if flags.profile else f'{source}: profile'}: {error}") from None
    tables: dict[str, RuleTable] = {}
    for key, table in own.rules.items():
        for slug in _select_slugs(key, source):
            tables[slug] = _join_settings(tables.get(slug, profile.get(slug)), table)
    keys = flags.select or own.select
    selected = {slug for key in keys for slug in _select_rules(key, "--select" if flags.select else source)}
    # A section or first words narrow what the profile has; a rule that it leaves off is asked for by its own name.
    asked = {slug for key in keys if not key.startswith("§") for slug in find_slugs(key)}
    ignored = {slug for key in flags.ignore for slug in _select_rules(key, "--ignore")}
    ignored |= {slug for key in own.ignore for slug in _select_rules(key, source)}
    chosen, left_out = [], {}
    for slug in load():
        if slug not in tables and slug not in profile and slug not in asked:
            continue  # a rule that no table names is off
        one = _choose_rule(load()[slug], tables[slug], source) if slug in tables else _choose_by_profile(name, slug)
        if one is None:
            continue
        if selected and slug not in selected:
            left_out[one.rule.section] = "not selected"
        elif slug in ignored:
            left_out[one.rule.section] = "ignored"
        else:
            chosen.append(one)
    return dataclasses.replace(settle_outcome(found, flags), profile=name, chosen=chosen, left_out=left_out)


def settle_outcome(found: FoundConfiguration, flags: Flags) -> Settings:
    """Decide what makes a review fail and who judges, but not which rules run. Raises CannotReviewError."""
    own = found.configuration
    judge = _judge(own, _name_source(found))
    return Settings(
        "",
        fail_on=Severity(flags.fail_on or own.fail_on or "error"),
        judge=flags.judge.with_bounds(judge.max_questions, judge.max_cost),
        fail_on_unanswered=flags.fail_on_unanswered or judge.fail_on_unanswered,
        fail_on_suppressed=flags.fail_on_suppressed or own.fail_on_suppressed,
    )


def _name_source(found: FoundConfiguration) -> str:
    return str(found.file) if found.file else "the configuration"


def settle_each(found: FoundConfiguration, flags: Flags, detected: Iterable[str]) -> Settings:
    """Decide which rules run and how, where the servers of a project have several profiles: each rule says within which it does.

    What all of them say alike holds everywhere. Raises CannotReviewError as `settle` does.
    """
    ways = {name: settle(found, flags, name) for name in dict.fromkeys(detected)}
    first = next(iter(ways.values()))
    if len(ways) == 1:
        return first
    chosen: list[ActiveRule] = []
    for slug in load():
        said = [(name, each) for name, own in ways.items() for each in own.chosen if each.rule.slug == slug]
        alike = len(said) == len(ways) and all(each == said[0][1] for _, each in said)
        chosen += [said[0][1]] if alike else [dataclasses.replace(each, within=name) for name, each in said]
    left_out = {section: why for own in ways.values() for section, why in own.left_out.items()}
    return dataclasses.replace(first, profile=", ".join(ways), chosen=chosen, left_out=left_out)


def _judge(own: Configuration, source: str) -> JudgeTable:
    try:
        table = fill_settings(JudgeTable, own.judge)
    except ValueError as error:
        raise CannotReviewError(f"{source}: judge: {error}") from None
    if table.max_questions is not None and table.max_questions < 0:
        raise CannotReviewError(
            f"{source}: judge.max-questions: give a number, 0 or more, not {quote_excerpt(table.max_questions)}"
        )
    if table.max_cost is not None and not table.max_cost >= 0:
        raise CannotReviewError(f"{source}: judge.max-cost: give US dollars, 0 or more, not `{table.max_cost}`")
    return table


def _select_rules(name: str, source: str) -> tuple[str, ...]:
    return select(name) or _refuse_unknown_rule(name, source)


def _select_slugs(name: str, source: str) -> tuple[str, ...]:
    return find_slugs(name) or _refuse_unknown_rule(name, source)


def _refuse_unknown_rule(name: str, source: str) -> NoReturn:
    raise CannotReviewError(f"{source}: {format_unknown_rule(name)}")


@cache
def _choose_by_profile(name: str, slug: str) -> ActiveRule | None:
    """Return a rule as a profile alone has it, the same each time: in a server that reviews again and again, few differ."""
    return _choose_rule(load()[slug], load_profile(name).rules.get(slug), f"profile {name}")


def _choose_rule(each: Rule, table: RuleTable | None, source: str) -> ActiveRule | None:
    """Return the rule with its severity and options, or None if it is off."""
    setting: dict[str, Any] = dict(_join_settings(None, table)) if table is not None else {}
    severity = setting.pop("severity", each.severity.value)
    if severity == "off":
        return None
    if severity not in list(Severity):
        known = ", ".join(f"`{one}`" for one in (*Severity, "off"))
        raise CannotReviewError(
            f"{source}: rules.{each.slug}: unknown severity {quote_excerpt(severity)} (there are: {known})"
        )
    try:
        return ActiveRule(each, Severity(severity), _build_options(each, setting))
    except ValueError as error:
        raise CannotReviewError(f"{source}: rules.{each.slug}: {error}") from None


def _build_options(each: Rule, table: dict[str, Any]) -> Any:
    if each.options is not None:
        return fill_settings(each.options, table)
    if table:
        raise ValueError(f"the rule has no options, so no {quote_excerpt(next(iter(table)))}")
    return None
