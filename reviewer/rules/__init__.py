"""What a rule is, and every rule there is.

One module below this package is one rule: its folder is the section, its file name the slug, its docstring the rule's page,
`check` the rule itself. The annotations of `check` say which fact it looks at and which options it takes. A rule knows
facts and nothing else: no syntax, file, severity policy, suppression or output.
"""

import inspect
import pkgutil
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import field
from enum import StrEnum
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from reviewer.caching import cache
from reviewer.facts import Tool
from reviewer.fixes.model import FixPlanner
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text


class Severity(StrEnum):
    """The severity of a finding: an error fails the review, a warning is named in the verdict, a suggestion is not."""

    ERROR = "error"
    WARNING = "warning"
    SUGGESTION = "suggestion"


class Section(NamedTuple):
    """A section of the report. `folder` is where its rules live.

    `scope` says what its rules look at and what they do not, where the title promises more than that; else it is empty.
    """

    number: int
    title: str
    folder: str
    scope: str = ""


SECTIONS = (
    Section(1, "Pagination", "pagination"),
    Section(2, "Field selection", "fields"),
    Section(3, "Smart truncation", "truncation"),
    Section(4, "Output budget guard", "budget"),
    Section(5, "Tool registration", "registration"),
    Section(6, "Transport", "transport"),
    Section(7, "request_id in success envelope", "envelope"),
    Section(8, "stdio panic isolation", "isolation"),
    Section(9, "Tool description: 4-element template", "description"),
    Section(10, "Schema validation (SCH)", "schema"),
    Section(11, "Naming conventions (NAM)", "naming"),
    Section(
        12,
        "Security constraints (SEC)",
        "security",
        "schema bounds and patterns, text in definitions, and arguments seen to reach paths, commands, SQL, hosts or code",
    ),
    Section(13, "LLM compatibility (LLM)", "llm"),
    Section(14, "Best practices (BP)", "practices"),
    Section(15, "Protocol: list changes, cancellation, progress", "protocol"),
    Section(16, "Input and output models", "models"),
    Section(17, "Tool implementation: errors, panics, async, registration", "implementation"),
)


@dataclass(frozen=True, slots=True)
class Flaw:
    """What a rule found: `at` says where, `message` what is there, `help` how to fix it.

    `tool` is the tool that it concerns, if that is neither the fact that the rule looked at nor the tool around `at`.
    `fix_plan` makes the fix, if one is certain. `related` are other places with the same cause that are not reported
    separately. Of findings with the same `cause` a report shows the first, with the number and the places of all. `key`
    replaces the message when findings of two states of the code are matched, if the message names what may change (all
    tools of a server). One that is `minor` is a suggestion, whatever the rule's severity.
    """

    at: Text | Span
    message: str
    help: str = ""
    tool: Tool | None = None
    fix_plan: FixPlanner | None = field(default=None, compare=False, repr=False)
    related: tuple[Span, ...] = ()
    cause: str = ""
    key: str = ""
    minor: bool = False

    @property
    def span(self) -> Span:
        """The place of the finding."""
        return self.at.span if isinstance(self.at, Text) else self.at


ShownContext = Literal["schema", "annotations", "siblings", "code"]
"""What the judge may be shown of a tool in addition to its name, title and description."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a tool that no program can decide: whether it meets the rubric with the rule's slug.

    `at`, `message` and `help` are those of the finding if it does not; a quote in the reply narrows `at`. `about` names
    the part of the tool that the rubric is about, such as a parameter or another tool; empty if it is the whole tool.
    `rubric` names another rubric than the rule's own, for a case that the rule's analysis could not decide: without a
    judge it is not asked, and its finding is never an error. `near` are places in the code, other than `at`, that the
    answer depends on.
    """

    at: Text | Span
    tool: Tool
    message: str
    help: str = ""
    shows: frozenset[ShownContext] = frozenset()
    about: str = ""
    siblings: tuple[Tool, ...] = ()
    rubric: str = ""
    near: tuple[Span, ...] = ()

    @property
    def span(self) -> Span:
        """The place of the finding if the answer is no."""
        return self.at.span if isinstance(self.at, Text) else self.at

    @property
    def decisive(self) -> tuple[Span, ...]:
        """The places in the code that an answer cannot do without; empty if the question is about the whole tool."""
        return (self.span, *self.near) if self.rubric else self.near


Check = Callable[..., Iterator[Flaw | Question | Opaque]]

Applicability = Literal["safe", "unsafe"]
"""Whether a fix leaves what the server does for a good call as it is, or may change it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with all that is said about it once and derived everywhere else.

    `subjects` are the facts it looks at, `options` the dataclass of what a profile may set (None if nothing),
    `when` tells whether a fact gives it something to check, `absent` completes "not applicable: …" when none does. `docstring` is
    that of its module, which a review does not need. `judged` tells that it may ask a model, by the rubric of its slug;
    `unsure` by which other it does so of what its analysis could not tell, empty if it does not.
    `fixes` are the kinds of fixes that it has, where one is certain. `compares` tells that a thing is held against
    what most others are, so that a change of those alone makes findings of it.
    """

    slug: str
    section: Section
    severity: Severity
    check: Check
    subjects: tuple[type, ...]
    options: type | None
    codes: tuple[str, ...]
    cites: tuple[str, ...]
    when: Callable[..., bool]
    absent: str
    docstring: str
    judged: bool = False
    fixes: tuple[Applicability, ...] = ()
    compares: bool = False
    unsure: str = ""

    @property
    def page(self) -> str:
        """The rule's page."""
        return inspect.cleandoc(self.docstring)

    @property
    def title(self) -> str:
        """The first line of the rule's page."""
        return self.page.partition("\n")[0]


F = TypeVar("F", bound=Check)
T = TypeVar("T")


def declare_option(default: T, doc: str, *, formerly: str = "") -> T:
    """Declare a field of a rule's options: what it is if no profile sets it, and what its documentation says.

    `formerly` is its old key in a configuration, which is still accepted.
    """
    return field(default=default, metadata={"doc": doc, "formerly": formerly})


def _accepts_all(_fact: Any, _options: Any = None) -> bool:
    return True


def rule(
    severity: Severity,
    *,
    absent: str,
    codes: tuple[str, ...] = (),
    cites: tuple[str, ...] = (),
    when: Callable[..., bool] = _accepts_all,
    judged: bool = False,
    fixes: tuple[Applicability, ...] = (),
    compares: bool = False,
    unsure: str = "",
) -> Callable[[F], F]:
    """Declare a rule module's `check`.

    `severity` is the one that `core` gives it by default. `when` takes the fact (and the options, if the rule has any).
    """

    def declare(check: F) -> F:
        module = inspect.getmodule(check)
        if module is None:
            raise TypeError("a rule is a module")
        _, _, folder, stem = module.__name__.rsplit(".", 3)
        hints = get_type_hints(check)
        subject, *options = [hint for name, hint in hints.items() if name != "return"]
        declared = Rule(
            slug=_format_slug(stem),
            section=next(section for section in SECTIONS if section.folder == folder),
            severity=severity,
            check=check,
            subjects=get_args(subject) or (subject,),
            options=options[0] if options else None,
            codes=codes,
            cites=cites,
            when=when,
            absent=absent,
            docstring=module.__doc__ or "",
            judged=judged,
            fixes=fixes,
            compares=compares,
            unsure=unsure,
        )
        check.__dict__["rule"] = declared
        return check

    return declare


class _RuleRegistry(MutableMapping[str, Rule]):
    """Every rule by slug, imported when it is asked for: a profile has half of them at most. Tests put in some of their own."""

    def __init__(self, modules: dict[str, str]) -> None:
        self._modules = modules
        self._loaded: dict[str, Rule] = {}

    def __getitem__(self, slug: str) -> Rule:
        if slug not in self._loaded:
            self._loaded[slug] = import_module(self._modules[slug]).check.__dict__["rule"]
        return self._loaded[slug]

    def __setitem__(self, slug: str, rule: Rule) -> None:
        self._modules.setdefault(slug, "")
        self._loaded[slug] = rule

    def __delitem__(self, slug: str) -> None:
        del self._modules[slug]
        self._loaded.pop(slug, None)

    def __contains__(self, slug: object) -> bool:
        return slug in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


@cache
def load() -> MutableMapping[str, Rule]:
    """Find every rule by slug, in the order of sections and then of slugs."""
    packages = [f"{__name__}.{section.folder}" for section in SECTIONS]
    return _RuleRegistry(
        {_format_slug(name): f"{package}.{name}" for package in packages for name in _collect_modules(package)}
    )


def _format_slug(stem: str) -> str:
    return stem.replace("_", "-")


def _collect_modules(package: str) -> list[str]:
    try:
        path = import_module(package).__path__
    except ModuleNotFoundError:
        return []
    return sorted(found.name for found in pkgutil.iter_modules(path) if not found.name.startswith("_"))


@cache
def index_slugs_by_code() -> dict[str, tuple[str, ...]]:
    """Map every code (`NAM-002`, `§5`) to the slugs of the rules that carry it."""
    codes: dict[str, tuple[str, ...]] = {}
    for each in load().values():
        for code in {*each.codes, f"§{each.section.number}"}:
            codes[code] = (*codes.get(code, ()), each.slug)
    return codes


def find_slugs(name: str) -> tuple[str, ...]:
    """Return the slugs that a slug or a code stands for; none if there is no such rule."""
    return (name,) if name in load() else index_slugs_by_code().get(name.upper(), ())
