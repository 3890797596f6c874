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

from reviewer.facts import Rescue
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, option, rule
from reviewer.rules.words import clipped
from reviewer.source import Text

HELP = "Answer with a generic text such as `tool handler panicked`, and log the rest."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    generic: bool = option(
        False, "Whether the answer must be a constant text, without the exception's message or other details."
    )
    text: str = option("", "The required text of the answer; any constant text if empty.")
    in_handlers: bool = option(
        False, "Whether to report a panic that a handler catches in a task of its own, outside the dispatcher."
    )


@rule(
    Severity.SUGGESTION,
    cites=("checklist §8",),
    absent="no panic or traceback is caught in the reviewed files",
)
def check(rescue: Rescue, options: Options) -> Iterator[Flaw]:
    """Look for caught text that reaches the client."""
    own = rescue.in_handler and rescue.kind == "panic"
    if rescue.leak is not None and (not own or options.in_handlers) and rescue.given:
        yield Flaw(rescue.leak, f"the panic or traceback text reaches the client: `{clipped(rescue.leak)}`", HELP)
    elif options.generic and rescue.specific is not None and not rescue.in_handler:
        yield Flaw(
            rescue.specific, f"the answer to a caught failure is not generic: `{clipped(rescue.specific)}`", HELP
        )
    elif options.text and rescue.answer is not None and not rescue.in_handler:
        if not _says(rescue.answer, options.text):
            yield Flaw(
                rescue.answer,
                f"a caught {rescue.kind} is answered with `{clipped(rescue.answer)}`, not with `{options.text}`",
                HELP,
            )


def _says(answer: Text, text: str) -> bool:
    """Tell whether an answer is the text that is wanted, after a word for the kind of error: `internal: ..`."""
    said = answer.strip().rstrip(".!").lower()
    kind, parted, rest = said.partition(": ")
    return said == text or (bool(parted) and rest == text and kind.replace("_", "").isalpha())
