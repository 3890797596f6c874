"""The 46 rules as their page writes them, without departures: what is checked, and which names count."""

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Json, Part, Tool
from reviewer.records import dataclass
from reviewer.rules import declare_option
from reviewer.rules.shared.values.meanings import holds_secret, is_secret_key


@dataclass(frozen=True)
class LiteralMode:
    """The option to apply a rule without departures."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )


PATHS = ("path", "file", "dir", "folder")
"""SEC-004 of the original validator looks for these letters anywhere in a name; its `directory` and `filename` hold two of
them."""

URLS = ("url", "uri", "href", "link", "endpoint")
"""SEC-005 of the original validator: letters anywhere in a name, so `curious` holds a URI. By the letter that is one."""

SECRETS = ("passw", "token", "secret", "auth", "credential", "apikey", "privatekey", "accesskey")
"""SEC-007 and SEC-008 of the original validator: letters anywhere in a name, so that `author` is a secret by the letter. It
writes `password` and `passwd`; `passw` finds both, as `apikey` finds `api_key` once the signs between are taken out."""

CHOICES = frozenset("command query action method operation mode type kind".split())
"""SEC-006 of the original validator, as whole names."""

TEXTS = frozenset(
    "content contents message messages prompt body text code query thought input output response script source data payload"
    " json xml html markdown sql graphql".split()
)
"""Names of content that is legitimately long: those of the page's list, and what a format or a language is called by."""

TEXT_ENDS = ("content", "body", "text", "data")
"""The four endings that SEC-001 of the original validator exempts: `file_content`, `plaintext`, also `metadata`."""

CODE = frozenset("script code eval exec execute command cmd shell expression query sql javascript python bash".split())
"""SEC-010 of the original validator, as whole names."""


def collect_arguments(tool: Tool, literally: bool) -> tuple[Part, ...]:
    """Return the arguments of a tool; in literal mode only the parameters, each in the form written at its own name."""
    if not literally:
        return tool.arguments
    return tuple(
        replace(part, forms=(part.schema,) if isinstance(part.schema.get("type"), str) else ())
        for part in tool.arguments
        if part.depth == 1 and not part.element and part.path[:1] == ("properties",)
    )


def _join(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def names_path(part: Part) -> bool:
    """Return whether a name has the letters of a place in the file system."""
    return any(each in part.name.lower() for each in PATHS)


def names_url(part: Part) -> bool:
    """Return whether a name has the letters of an address."""
    return any(each in part.name.lower() for each in URLS)


def is_secret(part: Part, tool: Tool, *, literal: bool, bare_key: bool) -> bool:
    """Return whether a part is taken for a secret: by the letter, or by what it holds; `bare_key` asks of a `key` too."""
    return names_secret(part, tool) if literal else holds_secret(part, tool if bare_key else None)


def names_secret(part: Part, tool: Tool) -> bool:
    """Return whether a name has the letters of a secret, is `key` beside no entry, or that of a key which is one."""
    spelled = any(each in _join(part.name) for each in SECRETS)
    return spelled or is_secret_key(part, tool, literal=True) or holds_secret(part)


def names_text(part: Part) -> bool:
    """Return whether a name is that of content, or ends on its letters."""
    return part.name.lower() in TEXTS or part.name.lower().endswith(TEXT_ENDS)


def names_code(part: Part) -> bool:
    """Return whether a name is that of code."""
    return part.name.lower() in CODE


def open_parts(tool: Tool) -> Iterator[tuple[Part, tuple[Json, ...]]]:
    """Yield the parameters that are objects and say nothing against further properties."""
    for part in collect_arguments(tool, True):
        if part.schema.get("type") == "object" and part.schema.get("additionalProperties", True) is True:
            yield part, part.forms
