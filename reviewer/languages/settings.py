"""Documents and manifests beside the source → the environment variables that they tell, and whether any code names them.

Read as plain text, and only if a rule asks. What is not found must not be there: names are looked for in every file that may read
the environment, in whatever language, also as they are put together of a prefix and a rest.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewer.facts import DocumentedSettings, Project
from reviewer.files.discovery import NEVER, Tree
from reviewer.files.storage import UNREADABLE, TooLargeError
from reviewer.languages.markdown import iter_name_groups
from reviewer.languages.unread_fields import iter_unread_fields
from reviewer.source import Text, build_text
from reviewer.text.patterns import pattern

VARIABLE = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
"""A name in capitals with an underscore: one word alone may be an acronym."""

# A whole name; an underscore is needed, for a word in capitals alone is anything.
NAMED = pattern(VARIABLE)
# Names of files that are copied to `.env`, as projects call them.
TEMPLATE = pattern(
    r"\.?env[._-](?:example|sample|template|dist|default)s?|(?:example|sample|template)\.env", re.IGNORECASE
)
# A template sets some variables in comments, for those who want them.
SET = pattern(rf"^\s*(?:#+\s?)?(?:export\s+)?(?P<name>{VARIABLE})=", re.MULTILINE)
# In a Dockerfile `ENV` may go on over several lines, with or without `=`.
IMAGE = pattern(rf"^(?:ENV\s+|\s+)(?P<name>{VARIABLE})(?:=|\s+\S)", re.MULTILINE)
# server.json of the MCP registry lists variables as objects with a `name`.
TOLD = pattern(rf'"name"\s*:\s*"(?P<name>{VARIABLE})"')
# The keys of `env` in a client's configuration, in JSON or TOML.
GIVEN = pattern(rf'(?:["\']?env["\']?\s*:\s*\{{|,|\n)\s*["\']?(?P<name>{VARIABLE})["\']?\s*:')
# One level of braces: a value of `env` is a text. Bounded, as a brace that is never closed would take the whole
# document.
BLOCK = pattern(r'["\']?\benv["\']?\s*:\s*\{[^{}]{0,4000}\}')
# A list of names in capitals counts as settings only under such a heading or line: error codes and constants look the
# same.
SUBJECT = pattern(r"\benv(?:ironment)?\b|\bvariables?\b|\bsettings?\b|\bconfig\w*", re.IGNORECASE)
EXCUSED = pattern(
    r"\b(?:deprecated|removed|planned|legacy|no longer|ignored|reserved|future|unused|todo|docker|compose|build|ci|tests?"
    r"|not (?:yet|used))\b",
    re.IGNORECASE,
)
"""Words of a line that tell of a variable which the server does not read, or which is for others."""

FOREIGN = pattern(
    r"(?:LANG|LC|RUST|CARGO|PYTHON\w*|PIP|UV|NODE|NPM|AWS|AZURE|ARM|GOOGLE|GCLOUD|GCP|CLOUDSDK|KUBE\w*|DOCKER|COMPOSE|BUILDKIT|OTEL|SSL|CURL"
    r"|REQUESTS|GIT|GITHUB|GITLAB|GH|CI|SSH|XDG|DEBIAN|CUDA|NVIDIA|ROCM|HF|HUGGINGFACE|TRANSFORMERS|TOKENIZERS|TORCH|LD|DYLD|JAVA|JVM|OPENAI"
    r"|ANTHROPIC|CLAUDE|CODEX|GEMINI|MISTRAL|OLLAMA|LANGCHAIN|LANGSMITH|POSTGRES|MYSQL|MARIADB|MONGO|REDIS|VIRTUAL|HTTP|HTTPS|NO|ALL|FTP"
    r"|MCP|FASTMCP|UVICORN|GUNICORN|YOUR|MY|PUID|PGID|S6|ORT|ONNX|LIBCLANG|OPENSSL|PKG|CC|CXX|NIX)_\w*"
)
"""Variables that interpreters, tools, images and SDKs read for themselves, by what stands before the first underscore."""

WHOLE = pattern(
    rb"environ\.(?:items|keys|values)\(|in (?:sorted\()?os\.environ\b(?!\.|\[)|\bvars(?:_os)?\(\)|environb\b"
    rb"|load_config_from_env|Environment::default\(\)"
)
"""What goes through the whole environment."""

PASSED = pattern(rb"\*\*os\.environ|environ\.copy\(|dict\(os\.environ|\benviron\)|env=os\.environ")
"""What hands the whole environment on, to a program or to a function."""

SCHEMES = pattern(
    rb"BaseSettings|pydantic_settings|envy::|Figment|figment|dynaconf|auto_envvar_prefix|confique|typed_settings|environ\.config"
    rb"|config::|(?:arg|clap)\([^\]]{0,300}\benv\b\s*[,)]|_env_prefix|env_prefix|OmegaConf|getattr\(|\.lower\(\)|\.upper\(\)|to_(?:upper|lower)case"
    rb"|to_ascii_(?:upper|lower)case|rename_all"
)
"""What reads variables by names that stand in lower case, as those of fields."""

# Files in which a variable is read by its name, of whichever language the server's other parts are in.
CODE = tuple(".py .rs .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rb .java .kt .cs .php .lua .c .cpp .h".split())
# Files in which a variable is read behind a dollar sign; in others, its name only sets it.
SCRIPTS = tuple(
    ".sh .bash .zsh .fish .ps1 .bat .cmd .yml .yaml .toml .nix .service .tf .mk .conf .j2 .tmpl .tpl".split()
)
# Scripts without an ending that says so.
FILES = pattern(
    r"(?:Dockerfile|Containerfile|Makefile|justfile|Procfile|entrypoint|docker-entrypoint|Taskfile|\.envrc|run|start)\b.*",
    re.IGNORECASE,
)
EXTRA_REQUIREMENTS = pattern(r"requirements[-_.]\w[\w.-]*\.(?:txt|in)")
"""Requirements of a part of a project, such as an image with more in it, beside those that are read as a manifest."""

# Beside these, a manifest says what a project depends on; a lock also names what dependencies of dependencies need.
NO_REQUIREMENTS = (".lock", "PKG-INFO", "entry_points.txt")
# Lines that have words of the project's own name: `notes_dir` is no variable of a dependency because the project is
# `notes`.
OWN_NAME = pattern(
    r"\s*(?:name|description|repository|homepage|documentation|keywords|authors|default-run|path)\b", re.IGNORECASE
)
# In a larger tree nothing is said of unused settings: looking for a reader would cost more than the rest of the review.
MOST_ENTRIES = 20_000
# As `MOST_ENTRIES`, for the bytes of the files that are read.
MOST_BYTES = 64 * 2**20
# A larger file is generated or data, and is not read for names of settings; then no setting is called unused.
LARGEST = 2**20
MOST_NAMES = 300
"""Bounds of what is looked through. Beyond them nothing is told."""


@dataclass(slots=True)
class _DocumentedVariable:
    """A variable that a document tells, and in which list it stands."""

    name: Text
    group: int


def iter_settings(tree: Tree, project: Project) -> Iterator[DocumentedSettings]:
    """Find the variables and the fields that are told as settings and that no code reads; nothing where that cannot be known."""
    if not any(server.tools for server in project.servers) or tree.broken:
        return
    variables = _find_variables(tree)
    fields = tuple(iter_unread_fields(tree))
    if variables is not None or fields:
        read, unread = variables or ((), ())
        yield DocumentedSettings(read, unread, fields)


def _find_variables(tree: Tree) -> tuple[tuple[str, ...], tuple[Text, ...]] | None:
    """Return the variables that are told and that code names, and those that none does; None if nothing is known of any."""
    sources = [source.data for source in tree.sources.values()]
    families = _collect_families(sources)
    told = [
        each
        for each in _iter_told(tree)
        if FOREIGN.fullmatch(each.name) is None or _format_family(each.name) in families
    ]
    if not told or len(told) > MOST_NAMES or any(WHOLE.search(data) for data in sources):
        return None
    names = dict.fromkeys(str(each.name) for each in told)
    waiting = [name for name in names if not _is_held(name, sources)]
    left = _without_read(tree, waiting)
    if left is None:
        return None
    waiting = left
    read = [name for name in names if name not in waiting]
    dependencies = _format_dependencies(tree)
    passed = any(PASSED.search(data) for data in sources)
    own = {
        each.name for each in told if str(each.name) in waiting and _is_own(each, told, read, sources, passed=passed)
    }
    unread = {
        str(each.name): each.name
        for each in reversed(told)
        if each.name in own
        and (_format_family(each.name) in families or not _belongs_to_dependency(each.name, dependencies))
    }
    return (tuple(read), tuple(unread.values())[::-1]) if read or unread else None


FAMILY = pattern(rb"[\"'](MCP_[A-Z0-9]+)_[A-Z0-9_]+[\"']")
"""Names in code of variables that SDKs of the protocol might read as well, with what those of one kind have in common."""


def _collect_families(sources: Iterable[bytes]) -> frozenset[str]:
    """Return the prefixes shared by several variables in the code: they are the server's own, unlike a general `MCP_`."""
    named = {found[0]: found[1].decode() for data in sources for found in FAMILY.finditer(data)}
    counted = Counter(named.values())
    return frozenset(each for each, number in counted.items() if number > 1)


def _format_family(name: str) -> str:
    return "_".join(name.split("_")[:2])


def _iter_told(tree: Tree) -> Iterator[_DocumentedVariable]:
    """Yield the variables that documents and manifests tell, with the list in which each stands."""
    group = 0
    for path, text in tree.iter_documents():
        for found in iter_name_groups(path, text):
            group += 1
            if found.kind in ("row", "item") and any(map(SUBJECT.search, (*found.headings[-1:], found.head))):
                yield from (
                    _DocumentedVariable(each.name, group)
                    for each in found.entries
                    if NAMED.fullmatch(each.name) and not EXCUSED.search(each.rest)
                )
        for block in BLOCK.finditer(text):
            group += 1
            yield from (
                _DocumentedVariable(each, group) for each in _iter_found(GIVEN, path, text, block.start(), block.end())
            )
    for path, wanted in _iter_manifests(tree):
        group += 1
        text = tree.find_text(path) or ""
        yield from (
            _DocumentedVariable(each, group) for each in _iter_found(wanted, path, text, 0, min(len(text), 100_000))
        )


def _iter_manifests(tree: Tree) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name in _collect_root_files(tree):
        if TEMPLATE.fullmatch(name):
            yield name, SET
        elif name == "Dockerfile":
            yield name, IMAGE
        elif name == "server.json":
            yield name, TOLD


def _collect_root_files(tree: Tree) -> list[str]:
    try:
        return sorted(each.name for each in tree.storage.list_folder("") if each.kind == "file")
    except OSError:
        return []


def _iter_found(pattern: re.Pattern[str], path: str, text: str, start: int, end: int) -> Iterator[Text]:
    for found in pattern.finditer(text, start, end):
        at = found.start("name")
        line_start, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        line = text[line_start : line_end if line_end >= 0 else len(text)]
        if not EXCUSED.search(line[at - line_start + 1 :]):
            yield build_text(path, text, *found.span("name"))


def _is_held(name: str, sources: Iterable[bytes]) -> bool:
    """Return whether sources hold a name, a name in lower case that a scheme reads, or the parts that it is put together of."""
    held = re.compile(rb"(?<![A-Za-z0-9_])" + name.encode() + rb"(?![A-Za-z0-9_])")
    parts = name.split("_")
    splits = [("_".join(parts[:at]), "_".join(parts[at:])) for at in range(1, len(parts))]
    prefixes = b"|".join(each.encode() for each, _ in splits)
    suffixes = b"|".join(each.encode() for _, each in splits)
    made = re.compile(
        rb"[\"'`](?i:"
        + prefixes
        + rb")_{1,2}(?:[\"'`{%]|\$\{)|[\"'`](?:"
        + prefixes
        + rb")[\"'`]|prefix\w*\W{1,9}(?i:"
        + prefixes
        + rb")[\"'`]|[\"'`}s]_{1,2}(?i:"
        + suffixes
        + rb")[\"'`]"
    )
    lower = re.compile(
        rb"\b(?:" + b"|".join(each.lower().encode() for each in (name, *(rest for _, rest in splits[:1]))) + rb")\b"
    )
    return any(
        held.search(data) or made.search(data) or (lower.search(data) and SCHEMES.search(data)) for data in sources
    )


def _without_read(tree: Tree, names: list[str]) -> list[str] | None:
    """Return the names that no other file of the project reads; None if not all files can be looked through."""
    left, entries, size = list(names), 0, 0
    waiting = [""]
    while waiting and left:
        folder = waiting.pop()
        try:
            listed = list(tree.storage.list_folder(folder))
        except OSError:
            return None
        for each in listed:
            entries += 1
            path = f"{folder}{each.name}"
            if each.kind == "folder" and each.name not in NEVER:
                waiting.append(f"{path}/")
            if (
                each.kind != "file"
                or path in tree.sources
                or (not (is_code := each.name.endswith(CODE)) and not _is_script(each.name))
            ):
                continue
            try:
                data = tree.storage.read(path, LARGEST)
            except (TooLargeError, *UNREADABLE):
                return None
            size += len(data)
            left = [name for name in left if not _reads(data, name, is_code=is_code)]
        if entries > MOST_ENTRIES or size > MOST_BYTES:
            return None
    return left


def _is_script(name: str) -> bool:
    return name.endswith(SCRIPTS) or FILES.fullmatch(name) is not None


def _reads(data: bytes, name: str, *, is_code: bool) -> bool:
    """Return whether a file reads a variable: code that has its name, a script that has it behind a dollar sign."""
    before = rb"(?<![A-Za-z0-9_])" if is_code else rb"(?:\$\{?|\$env:|%|getenv[( \"']+|env\.)"
    return re.search(before + name.encode() + rb"(?![A-Za-z0-9_])", data) is not None


def _is_own(
    told: _DocumentedVariable, every: list[_DocumentedVariable], read: list[str], sources: list[bytes], *, passed: bool
) -> bool:
    """Return whether a variable is surely one of the server's own: code reads others of its kind."""
    kind = told.name.partition("_")[0]
    if re.search(r"\W", kind) is None and any(each.startswith(f"{kind}_") for each in read):
        return True
    quoted = re.compile(rb"[\"'`]" + kind.encode() + rb"_[A-Z0-9_]{2,}[\"'`]")
    if any(quoted.search(data) for data in sources):
        return True
    beside = {str(each.name) for each in every if each.group == told.group}
    return not passed and 2 * len(beside.intersection(read)) >= len(beside)


def _format_dependencies(tree: Tree) -> str:
    """Return the lines of the manifests that may name what the project depends on."""
    told = []
    for path, manifest in tree.manifests.items():
        if path.endswith(NO_REQUIREMENTS):
            continue
        try:
            text = manifest.read_text("utf-8", "replace")
        except OSError:
            continue
        told += [line.lower() for line in text.split("\n")[:2000] if OWN_NAME.match(line) is None]
    for name in _collect_root_files(tree):
        if EXTRA_REQUIREMENTS.fullmatch(name):
            told += (tree.find_text(name) or "").lower().split("\n")[:2000]
    return "\n".join(("", *told))


def _belongs_to_dependency(name: str, dependencies: str) -> bool:
    """Return whether a dependency bears the word that a variable begins with, and so may read it."""
    kind = name.partition("_")[0].lower()
    return (
        re.search(rf"[\"'\s-]{re.escape(kind)}[\w-]*[\"'\s]*(?:[=<>~!\[,;]|$)", dependencies, re.MULTILINE) is not None
    )
