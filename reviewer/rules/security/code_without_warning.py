"""Parameters that take code carry a warning.

A model that reads "JavaScript to execute" passes on what a web page told it to. A sentence on what the code may do, and whose
code it should be, is read by the model, by the person who allows the call, and by whoever installs the server.

Departs from the original: `query`, `command`, `code`, `expression` and their like are code only where the text says so (a search
query and a country code are none); names that end on such a word are seen, and parts of objects. A warning, a sandbox or a
restriction counts wherever the tool says it, also by a hint, and so do the kind of statement that it runs (`SELECT`) and where it
runs: on the user's machine, inside the container. What a tool by its name only explains, checks or keeps is not run.

Bad:

```json
{"name": "run_script", "description": "Run a script.", "inputSchema": {"type": "object", "properties": {
  "script": {"type": "string", "description": "JavaScript code to execute"} // flaw
}}}
```

Good:

```json
{"name": "run_script", "description": "Run a script.", "inputSchema": {"type": "object", "properties": {
  "script": {"type": "string", "description": "JavaScript to execute. WARNING: it runs with full rights; trusted code only."}
}}}
```
"""

import re
from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.hints import read_hints
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.literal_mode import collect_arguments, names_code
from reviewer.rules.shared.values.limits import format_part, has_named_values, iter_parts_of_types
from reviewer.rules.shared.values.meanings import collect_lines, extract_head_words, holds_code
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Text
from reviewer.text.patterns import pattern

WARNED = pattern(
    r"danger|warning|\bwarn\b|caution|\brisk|\bunsafe|trust|\bsecur|sandbox|\bisolated\b|\bread[- ]?only\b"
    r"|destructive|irreversible|\bmakes? changes\b"
    r"|\b(?:full|elevated) (?:permission|privilege|access|right)|\bonly (?:select|read|allow)|\ballow-?(?:ed|list)",
    re.IGNORECASE,
)
"""The words of SEC-010 of the original validator, and what limits the code: a sandbox, read-only access, a list of what is
allowed. Whoever wrote that knew that it is code."""

WHERE = pattern(
    r"\b(?:run|runs|running|execut\w+|evaluat\w+)\b[^.]{0,80}?\b(?:"
    r"(?:on|against) (?:(?:the|your|this|a|an) )?(?:user's |client's |server's )?(?:local |own )?(?:machine|computer|system)"
    r"|(?:in|inside|within|into) (?:(?:the|a|an|this|its) )?(?:[\w-]+ )?(?:container|working directory)"
    r"|(?:via|through|by|using) `?(?:/bin/)?(?:ba|z|da)?sh -c)\b",
    re.IGNORECASE,
)
"""What says where code runs, and so with whose rights: on the user's machine, inside the container, via `sh -c`."""

STATEMENT = pattern(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|EXPLAIN)\b")
"""Statements in capitals say which SQL is run: "Runs a SELECT" leaves nothing to warn of that an agent does not know."""

AMBIGUOUS = frozenset("code command execute exec expression query script shell python".split())
"""Names that other things than code have, too: a `query` searches, a `code` is a country's. What is said of them decides."""

SHELLS = frozenset("sh bash zsh fish cmd powershell pwsh".split())
"""Two of them beside a parameter are a choice of shells, and no code."""

ONLY_READ = frozenset("explain validate format lint parse translate highlight check save store create describe".split())
"""What is done with code that does not run it, as the name of the tool says."""

TO_READ = pattern(
    r"\bto (?:be )?(?:analy[sz]ed?|parsed?|validated?|format(?:ted)?|check(?:ed)?|lint(?:ed)?|explain(?:ed)?"
    r"|inspect(?:ed)?|highlight(?:ed)?|translated?)\b(?! and)",
    re.IGNORECASE,
)
"""What a parameter's description says is done with code that is not run."""

RUN = frozenset("run execute exec eval evaluate interpret bash shell terminal".split())
"""Words by which a tool or a text says that something is run. They outweigh `ONLY_READ`: `validate_and_run` runs."""

TELLING = 4
"""Words from which on a description tells itself what a parameter is, whatever the tool is called."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    accept_hints: bool = declare_option(True, "Whether a `readOnlyHint` or `destructiveHint` counts as a warning.")
    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )


@rule(
    Severity.SUGGESTION,
    codes=("SEC-010",),
    cites=("tool definition rules: SEC-010",),
    when=lambda tool, options: (
        options.literal or any(holds_code(part) for part, _ in iter_parts_of_types(tool.arguments, "string", "array"))
    ),
    absent="no tool takes code or commands",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter that takes code and carries no warning."""
    help = "Describe the permissions it runs with, and say that only trusted code may be passed."
    if options.literal:
        for part in collect_arguments(tool, True):
            if names_code(part) and not WARNED.search(part.description):
                message = f"{format_part(part)} of {tool.shown} takes code, but its description has no warning"
                yield Flaw(tool.place(part.path), message, help)
        return
    noted = read_hints(tool) or {}
    named = set(split_words(tool.name)) if isinstance(tool.name, Text) else set()
    if ONLY_READ & named and not RUN & named:
        return
    if options.accept_hints and (noted.get("readOnlyHint") is True or noted.get("destructiveHint") is True):
        return
    texts = [extract_substance(text) for text in (tool.said or "", *(part.description for part in tool.arguments))]
    if any(WARNED.search(text) or STATEMENT.search(text) or WHERE.search(text) for text in texts):
        return
    for part, forms in iter_parts_of_types(tool.arguments, "string", "array"):
        if part.element or not holds_code(part) or all(map(has_named_values, forms)) or not _is_run(part, tool):
            continue
        message = f"{format_part(part)} of {tool.shown} is executed, but no text warns of the consequences"
        yield Flaw(tool.place(part.path), message, help)


def _is_run(part: Part, tool: Tool) -> bool:
    """Return whether a text is code: its name says so alone, or what is said of it names a language or that it is run."""
    said = extract_head_words(part.name)
    if TO_READ.search(part.description):
        return False
    if len(SHELLS & {word for text in collect_lines(part, tool) for word in split_words(text)}) > 1:
        return False  # it says which shell, and not what runs there
    if said[-1] not in AMBIGUOUS or set(said[:-1]) & load_lexicon("code_languages"):
        return True
    own = [word for text in collect_lines(part, tool) for word in split_words(text)]
    called = split_words(tool.name) if isinstance(tool.name, Text) and len(own) < TELLING else ()
    spoken = {*own, *called}
    if spoken & load_lexicon("code_languages") - {"program", "script", "snippet", "source"}:
        return True
    return said[-1] not in {"query", "expression"} and bool(spoken & RUN)
