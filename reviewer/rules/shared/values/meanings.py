"""What the name of a parameter says that it holds: a path, a URL, a secret, code, long text.

A name is judged by the word that it ends on: `fileName` and `outputDir` are paths, `file_type` and `profile` are none.
"""

import re

from reviewer.caching import cache_latest
from reviewer.facts import Part, Tool
from reviewer.facts.parts import list_types
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.values.limits import has_named_values, is_format
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.rules.shared.words.text_lists import iter_following
from reviewer.text.patterns import pattern

BEHIND = pattern(r"(?!\w)(?: ?\([^()\n]{0,40}\))?.{0,3}:")
"""What stands behind a name of which something is said."""

EARLY = 40
"""Letters before such a name in its line."""

PREPOSITIONS = frozenset("to of for in from with by at on within inside into onto under before after".split())
"""What stands behind one says more of the thing and not what it is: `path_to_file`, `url_of_image`."""

NAMED = frozenset("file dir directory folder path".split())
"""What the name is of where a `…_name` is a path: `file_name` may hold `../`, `user_name` may not."""

KEYS = frozenset(
    "api access private secret signing encryption ssh master auth account"
    " hmac aes jwt cipher decryption license licence activation subscription".split()
)
"""What a key is of that opens, signs or pays for something: a cipher's is as secret as one that is called so."""

FILTERS = frozenset("contains includes include exclude has is use no matches".split())
"""Words before `url` that make it a flag, or a part to look for: `has_url`, `contains_url`."""

URLS = frozenset("uri uri-reference uri-template iri iri-reference url".split())
"""The formats of JSON Schema for an address, and `url`, which ajv knows besides."""

WRITTEN = frozenset("css html json xml yaml".split())
"""Of the words in `other_paths` those that are also what a file is written in: `json_path` leads through JSON, or to a file of
it."""

FILES = pattern(r"\b(?:files?|folders?|director(?:y|ies)|on disk|absolute path)\b", re.IGNORECASE)
"""What a description says where such a name leads to a file."""

NO_FILES = pattern(
    r"\bdotted\b|\bdot[- ](?:separated|notation)\b|\bjson[- ]?(?:path|pointer)\b|\bx?path expression\b"
    r"|\b(?:api|url|route|view|request|menu|dashboard) path\b",
    re.IGNORECASE,
)
"""What a description says where a `path` leads through something else than files."""

HANDED = pattern(
    r"\bpaginat|\bnext (?:page|set|batch|chunk)\b|\bprevious(?:ly)?\b|\b(?:earlier|prior|last) (?:call|response|result|answer)"
    r"|\b(?:returned|issued|given|handed out|obtained|received) (?:by|from|in) (?:an? |the )?(?:\w+ )?"
    r"(?:call|tool|preview|plan|dry[- ]run|response|result|\w+_\w+)|\breturned (?:by|from)\b",
    re.IGNORECASE,
)
"""What is said of a token that the server itself handed out for the next call."""

CREDENTIAL = pattern(
    r"\b(?:secret|credential|password|passphrase|private|confidential|sensitive|authenti\w+"
    r"|authori[sz]\w+|sign(?:s|ed|ing)?(?: in)?|log ?in"
    r"|(?:en|de)crypt\w*|prov(?:e|es|ing)|bearer|licen[cs]e|api|access|unlock\w*)\b",
    re.IGNORECASE,
)
"""What is said of a key that opens a door, and not of one that stands for a row, a file or a button."""

USED = frozenset(
    "the a an your its this that key to for of with by in use used using given provide required it value call calls tool".split()
)
"""Words around `key` that do not say what it is the key of."""

ENTRIES = frozenset("value values val field fields bucket hash namespace".split())
"""What a tool takes beside the key of an entry: what is kept there, or where it is kept."""

TAIL = frozenset("value string header".split())
"""Words behind the one that says what it is: `token_value` is a token."""

QUANTITIES = frozenset(
    "max min maximum minimum num number count total limit input output prompt completion context budget used stop".split()
)
"""Words before `token` by which it is one of a model, which is counted: `max_token`, `stop_token`."""


@cache_latest(maxsize=8192)
def extract_head_words(name: str) -> tuple[str, ...]:
    """Return the words of a name up to the one that says what it is: `path_to_file2` gives `("path",)`."""
    said = [word for word in split_words(name) if not word.isdigit()]
    end = next((index for index, word in enumerate(said) if index and word in PREPOSITIONS), len(said))
    return tuple(said[:end])


def collect_lines(part: Part, tool: Tool) -> tuple[str, ...]:
    """Return the texts about a part: its description, and the lines of the tool's text with its name."""
    lines = (tool.said or "").splitlines() if not part.element else ()
    most = EARLY + len(part.name)
    named = (line for line in lines if any(each.start() <= most for each in iter_following(line, part.name, BEHIND)))
    return extract_substance(part.description, part.name), *named


def _collect_last(part: Part) -> tuple[str, str]:
    """Return the word that a part's name ends on, after the one before it; empty where there is none.

    The values of a map are not what its name says, nor are they what its keys are.
    """
    said = extract_head_words(part.name) if part.path[-1:] != ("additionalProperties",) else ()
    return ("", "", *said)[-2:]  # type: ignore[return-value]  # two are always there


def holds_path(part: Part) -> bool:
    """Return whether a part speaks of a place in the file system: by its name, by its text where paths lead through much else."""
    kind, what = _collect_last(part)
    if what == "name":
        return kind in NAMED
    if to_singular(what) not in load_lexicon("paths") or any(is_format(form, URLS) for form in part.forms):
        return False
    if kind in load_lexicon("other_paths"):
        return kind in WRITTEN and FILES.search(part.description) is not None
    return NO_FILES.search(part.description) is None


def holds_url(part: Part) -> bool:
    """Return whether the name of a part speaks of an address on the network."""
    kind, what = _collect_last(part)
    return to_singular(what) in load_lexicon("urls") and kind not in FILTERS


def holds_text(part: Part) -> bool:
    """Return whether the name of a part speaks of text that may be long: content, a message, a query."""
    kind, what = _collect_last(part)
    if kind and what in {"code", "source"}:
        return kind in load_lexicon("code_languages")
    return what in load_lexicon("long_texts") or (
        what not in {"codes", "sources"} and to_singular(what) in load_lexicon("long_texts")
    )


def holds_code(part: Part) -> bool:
    """Return whether the name of a part speaks of something that is run: a script, a command, a statement of SQL."""
    kind, what = _collect_last(part)
    if kind and what == "code":
        return kind in load_lexicon("code_languages")
    return what in load_lexicon("code")


def is_secret_key(part: Part, tool: Tool, *, literal: bool = False) -> bool:
    """Return whether a parameter that is called `key` and no more is a secret: what is said of it says so.

    Of one of which nothing is said but that it is used, what stands beside it tells whether it is the key of an entry; if
    `literal`, any is.
    """
    if split_words(part.name) != ("key",):
        return False
    said = " ".join(collect_lines(part, tool)).strip()
    beside = {word for each in tool.arguments if each.depth == part.depth for word in split_words(each.name)}
    if CREDENTIAL.search(said):
        return True
    return (literal or set(split_words(said)) <= USED) and not ENTRIES & beside


def is_handed_out(part: Part, tool: Tool) -> bool:
    """Return whether a text says that the server itself gave out what an argument stands for, in an answer before."""
    return any(HANDED.search(line) for line in collect_lines(part, tool))


def holds_secret(part: Part, tool: Tool | None = None) -> bool:
    """Return whether a part holds a secret: by its name, and as a text, or as something of which no type is told.

    A token that the server itself handed out for the next call opens nothing else. With the tool, a bare `key` may be one.
    """
    named = _is_secret(part.name) or (tool is not None and is_secret_key(part, tool))
    if part.path[-1:] == ("additionalProperties",) or not named or HANDED.search(part.description):
        return False
    texts = [
        form for form in part.forms if not list_types(form) or not {"string", "object"}.isdisjoint(list_types(form))
    ]
    return any(not has_named_values(form) for form in texts)


@cache_latest(maxsize=8192)
def _is_secret(name: str) -> bool:
    said = extract_head_words(name)
    said = said[:-1] if said[-1:] and said[-1] in TAIL else said
    kind, what = ("", "", *said)[-2:]
    if what == "key":
        return kind in KEYS
    if what == "token":
        return not set(said[:-1]) & (load_lexicon("harmless_tokens") | QUANTITIES)
    return what in load_lexicon("secrets")
