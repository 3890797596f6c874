"""Secrets are not passed as tool parameters.

A tool argument has passed through the model, and appears in its context, in the client's log and in every transcript. A secret
is safer on the machine that runs the server. If it must be a parameter, somebody should have decided so.

Departs from the original: a name is read by its words, so that `author`, `pageToken`, `maxTokens` and `token_count` hold no
secret, nor do the name, place, kind or length of one; numbers and switches hold none; names in objects are seen. What some tool
of the server says of a parameter holds for those of that name in its other tools: a token that a tool lists is no secret. With
`bare-key` a `key` is one if its text says so, or if nothing says what else it is the key of: an entry, a file, a button. With
`accept-subject`, what the operation is about may be given: the password of a user who is created, of a document that is opened.

Bad:

```json
{"name": "log_in", "description": "Log in.", "inputSchema": {"type": "object", "properties": {
  "user": {"type": "string"},
  "password": {"type": "string"} // flaw
}}}
```

Good:

```json
{"name": "list_pages", "description": "List pages.", "inputSchema": {"type": "object", "properties": {
  "author": {"type": "string"},
  "pageToken": {"type": "string"}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Part, Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.literal_mode import collect_arguments, is_secret
from reviewer.rules.shared.values.limits import format_part
from reviewer.rules.shared.values.meanings import extract_head_words, is_handed_out
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.source import Text

PASSWORDS = frozenset("password passwd passphrase passcode".split())
"""The secrets that people choose, and so may set by a tool; a key or a token is given out by a service."""

SETTING = frozenset(
    "create add set reset change update new register protect unprotect encrypt decrypt lock unlock archive extract zip unzip "
    "join invite manage modify rotate share restore compress decompress provision".split()
)
"""What is done with a password that is no signing in."""

HANDED = frozenset("approval interaction invite invitation webhook".split())
"""What a token is for that somebody gave out for this one call: it opens nothing else."""

REDEEMING = frozenset("redeem expand confirm approve accept verify webhook".split())
"""What is done with a token that somebody else gave out for it."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    bare_key: bool = declare_option(False, "Whether a parameter named just `key` may hold a secret.")
    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    accept_subject: bool = declare_option(
        False,
        "Whether a secret that is the subject of the operation is allowed: a password that is set, a token that is redeemed.",
    )
    together: bool = declare_option(False, "Whether parameters of the same name are one finding.")


def _is_subject(part: Part, tool: Tool) -> bool:
    """Return whether an operation is about a secret, and does not sign in with it."""
    said, done = extract_head_words(part.name), set(split_words(tool.name)) if isinstance(tool.name, Text) else set()
    if said[-1:] == ("token",):
        return bool(REDEEMING & done) or any(each in HANDED or each.endswith("ed") for each in said[:-1])
    return said[-1] in PASSWORDS and bool(SETTING & done) if said else False


def _collect_handed_out(server: Server) -> frozenset[str]:
    """Return the names of what some tool says that the server itself hands out: of one name the others need not say it again."""
    return frozenset(part.name for tool in server.tools for part in tool.arguments if is_handed_out(part, tool))


@rule(
    Severity.SUGGESTION,
    codes=("SEC-007",),
    cites=("tool definition rules: SEC-007",),
    when=lambda server, _options: any(tool.arguments for tool in server.tools),
    absent="no tool takes a parameter that can be read",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter with the name of a secret."""
    open_ones = frozenset() if options.literal else _collect_handed_out(server)
    for tool in server.tools:
        for part in collect_arguments(tool, options.literal):
            found = is_secret(part, tool, literal=options.literal, bare_key=options.bare_key)
            if not found or part.name in open_ones or (options.accept_subject and _is_subject(part, tool)):
                continue
            yield Flaw(
                tool.place(part.path),
                f"{format_part(part)} of {tool.shown} takes a secret, which exposes it to the model and to every log of the call",
                "Read it from the server's environment, or take it from an authorized session.",
                tool,
                cause=part.name if options.together else "",
            )
