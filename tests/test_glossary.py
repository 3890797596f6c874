"""The words of the code: those of the glossary lead somewhere, and private ones are gone."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

PRIVATE = {
    "appointment": "judge settings",
    "bench": "session",
    "clerk": "progress",
    "climbed": "depth of callers",
    "commission": "rewrite request",
    "commissions": "rewrite requests",
    "conduct": "effects",
    "desk": "worker pool",
    "entrance": "entry point",
    "entrances": "entry points",
    "enrolled": "registered by calls",
    "enrollments": "registering calls",
    "forked": "undecided",
    "glimpse": "partial trace",
    "glimpses": "partial traces",
    "haystack": "prefilter",
    "heed": "check",
    "heeding": "checking",
    "insist": "validate",
    "inquiries": "question requests",
    "inquiry": "question request",
    "intake": "argument use",
    "intakes": "argument uses",
    "lend": "bind a reference",
    "lends": "binds a reference",
    "lent": "by reference",
    "makings": "tool expressions",
    "manner": "verbosity",
    "mend": "fix plan",
    "mended": "with fixes",
    "mending": "fixes",
    "mends": "fix plans",
    "needles": "required words",
    "poured": "unmapped",
    "purse": "cost budget",
    "rescue": "error boundary",
    "rescues": "error boundaries",
    "rounds": "iterations",
    "seat": "open judge",
    "seated": "opened",
    "sighted": "files with",
    "sightings": "prefilter",
    "strays": "registration pitfalls",
    "unheeded": "ignored",
    "vain": "ineffective",
    "weighty": "slow",
}
"""Words that no reader knew from elsewhere, with those that the field has for them."""

KEPT = {"Appointment"}
"""Old names of the public API, which callers may use for one release more."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words(name: str) -> set[str]:
    return {each.lower() for each in WORD.findall(name)}


def test_no_identifier_is_private():
    found = {}
    for path in (ROOT / "reviewer").rglob("*.py"):
        text = path.read_text("utf-8")
        if used := words(path.stem) & PRIVATE.keys():
            found[path.name] = used
        if not any(each in text.lower() for each in PRIVATE):
            continue
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if (
                token.type == tokenize.NAME
                and token.string not in KEPT
                and (used := words(token.string) & PRIVATE.keys())
            ):
                found[f"{path.relative_to(ROOT)}:{token.start[0]}"] = used
    assert found == {}


LANGUAGES = ("languages/python/", "languages/rust/", "languages/typescript/")


def test_no_name_of_a_type_stands_for_two_things():
    """Each rule has `Options`, and each language its own part of one idea, as its `ToolReader`; an alias may be written twice."""
    found: dict[str, list[tuple[str, str]]] = {}
    for each in read_house().types:
        found.setdefault(each.name, []).append((each.path, each.text))
    twice = {
        name: places
        for name, places in found.items()
        if len({text for _path, text in places}) > 1 and not are_of_languages([path for path, _text in places])
    }
    assert twice == {}


def read_alias(node: ast.stmt) -> tuple[str, str] | None:
    """Return the name and the text of a type that gets a name: `Key = tuple[str, str]`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
            return (name, ast.unparse(value)) if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) else None
    return None


def are_of_languages(paths: list[str]) -> bool:
    """Return whether each of some modules is of another language."""
    languages = [each for path in paths for each in LANGUAGES if path.startswith(each)]
    return len(languages) == len(set(languages)) == len(paths)


VAGUE = {"_holds", "_is", "_is_of", "_name", "_read", "_says", "_tells"}
"""Names that do not say what is tested, named or read. `_read` of a value that is read late is the one that its class asks for."""


def test_names_say_what_is_done_with_what():
    """A method `_read()` of a late value takes nothing; it reads what the class is named after."""
    found = [each for each in read_house().functions if each.name in VAGUE]
    assert [each.name for each in found if each.name != "_read" or each.arguments != 1] == []


VAGUE_OPENINGS = ("Return what ", "Yield what ", "Tell whether ")
"""How a docstring opens that does not name the thing which is returned."""


def test_docstrings_name_what_is_returned():
    vague = [each.name for each in read_house().functions if each.doc.startswith(VAGUE_OPENINGS)]
    assert vague == []


def test_each_term_leads_to_code():
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][2:]
    for row in rows:
        for path in re.findall(r"`(reviewer/[^`]*)`", row):
            assert (ROOT / path).exists(), path
    assert len(rows) > 20


VERBS = set(
    """
    accept add admit advance afford agree aim align allow annotate announce answer append apply arrange arrive as ask
    assemble assert assign assume attach attempt attend await be bear begin belong bind block borrow bound bracket break
    bring build bump cache call cancel capture carry cast chain change check choose claim clamp classify clean clear
    clone close cluster collapse collect combine come compare compile complete compute concatenate concern configure
    confirm connect consider construct consume contain continue convert copy correct count cover create cross cut deal
    decide declare decode decorate dedent deduce defer define delete demand deny depend derive descend describe
    deserialize detect determine differ digest disable discard discover dispatch distinguish divide download drain draw
    drop dump earn edit elide emit empty enable enclose encode end enforce enter enumerate equal equate erase escape
    estimate evaluate evolve examine exclude execute exist exit expand expect explain export extend extract fail fall
    feed fetch fill filter find finish fit fix flatten flow fold follow forbid forget format forward from fuse gather
    generalize generate get give glue go group guard guess hand handle happen hash hide hit hoist hold identify ignore
    import include increase indent index infer inline insert validate inspect install instantiate interpret intersect
    invoke involve issue iter iterate join judge keep kill label lack land launch lay lead learn leave lend let level
    lie lift limit link list listen load locate lock log look lose lower main make map mark mask match mean measure meet
    memoize mention merge migrate mirror mock modify move multiply name narrow navigate need negate nest normalize note
    number observe offer omit open oppose order overlap override overwrite owe pace pack pad paginate pair panic parse
    partition pass paste patch pause pay peel perform permit pick pin place plan point poll pop post precede prefer
    prepare present print probe process produce promise propagate prove provide publish pull push put query quote raise
    rank rate reach read rebuild recall receive recognize record redact redirect reduce refer refine refuse register
    reject relate release reload relocate remember remove rename render repair repeat replace reply report request
    require rerun reserve reset resolve respect respond restore resume retain retry return reuse reverse review revise
    rewrite roll round route rule run sample saturate save say scan score seal search seek select send separate
    serialize serve set settle share shift shorten show sign simplify sink skip slice sort spawn speak specialize spell
    spend split spread stand start state stay stem step stop store stretch strip study substitute subtract succeed
    suggest suit sum summarize supply suppose suppress surround swap switch tabulate tag take tap tell terminate test
    think throw tidy to tokenize trace track transform translate traverse trim truncate try turn type unbind understand
    undo unescape unfold unify unite unpack unparse unquote unroll unwind unwrap update upload use validate vary verify
    view visit wait walk want warn watch weigh widen with withdraw without wrap write yield zip
    """.split()
)
"""What the name of a function may begin with: what it does, or, as in `pathlib`, what it makes of a thing (`to`, `as`, `with`)."""

PREDICATES = {
    "are",
    "can",
    "could",
    "did",
    "does",
    "has",
    "is",
    "may",
    "must",
    "needs",
    "should",
    "was",
    "will",
    "would",
}

NAMED_BY_OTHERS = {
    "aclose": "a stream of httpx is closed by it",
    "dataclass": "stands in for `dataclasses.dataclass`",
    "init": "the command `mcp-review init`, whose function names it",
    "items": "a mapping is gone through by it",
    "model_schema": "pydantic calls it for each model",
    "pattern": "makes what `re.compile` returns, an `re.Pattern`",
    "shell_complete": "click calls it for completions",
}
"""Functions without a verb for a name, which a library or a command gave them. No other is without."""


def is_verb(function: "Function") -> bool:
    """Return whether the name of a function says what it does.

    It begins with a verb; that of a test, which answers with a bool, with "is", "has" or a verb in the third person.
    """
    first = function.name.strip("_").partition("_")[0]
    if first in VERBS:
        return True
    if function.returns in ("bool", "bool | None") or function.returns.startswith(("TypeIs", "TypeGuard")):
        return first in PREDICATES or first.removesuffix("s") in VERBS or first.removesuffix("es") in VERBS
    return False


def is_named_freely(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether nothing but its own work names a function.

    A property is read like a field, a context manager after `with`, and Python or a framework names the rest.
    """
    others = ("property", "setter", "contextmanager", "fixture", "command", "callback", "tool", "model_validator")
    decorated = " ".join(map(ast.unparse, function.decorator_list))
    return not function.name.startswith("__") and not any(each in decorated for each in others)


class Function(NamedTuple):
    name: str
    returns: str
    doc: str
    arguments: int


class NamedType(NamedTuple):
    """A class, with the name of its file, or a type that gets a name, with what it stands for."""

    name: str
    path: str
    text: str


class House(NamedTuple):
    functions: list[Function]
    types: list[NamedType]


@cache
def read_house() -> House:
    """Return the functions and types of `reviewer/`: parsing a thousand modules takes seconds, and several tests need them."""
    house = House([], [])
    for path in sorted((ROOT / "reviewer").rglob("*.py")):
        name = path.relative_to(ROOT / "reviewer").as_posix()
        for node in statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if is_named_freely(node):
                    returns = ast.unparse(node.returns) if node.returns is not None else ""
                    doc = ast.get_docstring(node) or ""
                    house.functions.append(Function(node.name, returns, doc, len(node.args.args)))
            elif isinstance(node, ast.ClassDef):
                if node.name not in {"Options", "_Options"}:
                    house.types.append(NamedType(node.name, name, path.name))
            elif (alias := read_alias(node)) is not None:
                house.types.append(NamedType(alias[0], name, alias[1]))
    return house


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within a node, handlers and cases: no expression has a function with a name of its own in it."""
    for part in ("body", "orelse", "handlers", "cases", "finalbody"):
        found = getattr(node, part, ())
        for each in found if isinstance(found, list) else ():  # a lambda's body is an expression
            yield each
            yield from statements(each)


def test_functions_are_verbs():
    left = {each.name for each in read_house().functions if not is_verb(each)}
    assert left == NAMED_BY_OTHERS.keys(), "name a function by what it does"
