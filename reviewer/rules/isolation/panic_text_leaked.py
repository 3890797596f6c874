'''Panic messages and tracebacks are not sent to the client.

The payload of a panic and the text of a traceback name paths, values and internals. The client, and whoever controls it, gets a
generic text; the operator finds the details in the log.

Bad:

```python
import traceback

from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
    try:
        return open(path).read()
    except OSError:
        return traceback.format_exc()  # flaw
```

Good:

```python
import logging

from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
    try:
        return open(path).read()
    except OSError:
        logging.exception("read failed")
        raise ValueError("the file cannot be read")
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorBoundary
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

HELP = "Answer with a generic text such as `tool handler panicked`, and log the rest."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    generic: bool = declare_option(
        False, "Whether the answer must be a constant text, without the exception's message or other details."
    )
    text: str = declare_option("", "The required text of the answer; any constant text if empty.")
    in_handlers: bool = declare_option(
        False, "Whether to report a panic that a handler catches in a task of its own, outside the dispatcher."
    )


@rule(
    Severity.SUGGESTION,
    cites=("checklist §8",),
    absent="no panic or traceback is caught in the reviewed files",
)
def check(error_boundary: ErrorBoundary, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each text of a caught panic that reaches the client."""
    own = error_boundary.in_handler and error_boundary.kind == "panic"
    if error_boundary.leak is not None and (not own or options.in_handlers) and error_boundary.given:
        yield Flaw(
            error_boundary.leak,
            f"the panic or traceback text reaches the client: `{shorten_code(error_boundary.leak)}`",
            HELP,
        )
    elif options.generic and error_boundary.specific is not None and not error_boundary.in_handler:
        yield Flaw(
            error_boundary.specific,
            f"the answer to a caught failure is not generic: `{shorten_code(error_boundary.specific)}`",
            HELP,
        )
    elif options.text and error_boundary.answer is not None and not error_boundary.in_handler:
        if not _matches_text(error_boundary.answer, options.text):
            yield Flaw(
                error_boundary.answer,
                f"a caught {error_boundary.kind} is answered with `{shorten_code(error_boundary.answer)}`, "
                f"not with `{options.text}`",
                HELP,
            )


def _matches_text(answer: Text, text: str) -> bool:
    """Return whether an answer is the text that is wanted, after a word for the kind of error: `internal: ..`."""
    said = answer.strip().rstrip(".!").lower()
    kind, parted, rest = said.partition(": ")
    return said == text or (bool(parted) and rest == text and kind.replace("_", "").isalpha())
