"""What code does with prompts that the protocol does not allow: roles that there are not, arguments that are read as no texts."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.arguments.argument_values import iter_alternatives
from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.code.events import Called, Returned, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import Value, find_original_term, get_term_head
from reviewer.facts import PromptFault
from reviewer.source import Text

ROLES = frozenset({"user", "assistant"})
"""The roles that a message of a prompt may have: MCP 2026-07-28 server/prompts."""


def iter_prompt_faults(traces: Iterable[Trace], models: Models) -> Iterator[PromptFault]:
    """Yield prompt messages with an invalid role, and prompt arguments, which are texts, that are read as something
    else.
    """
    seen: set[object] = set()
    for trace in traces:
        for text, given in _iter_given_roles(trace):
            if text.span not in seen:
                seen.add(text.span)
                yield PromptFault("role", text, given)
        found = [
            (each, each.event) for each in trace.iter_occurrences(kinds=(Called,)) if isinstance(each.event, Called)
        ]
        texts = {
            each.trace_source(event.receiver)[1].term
            for each, event in found
            if event.receiver is not None and models.has_trait(event.path, "text of JSON")
        }
        for each, event in found:
            if event.text.span in seen:
                continue
            role = event.find_argument(0, "role") if event.path in find_types("prompt message") else None
            known = infer_constants(role, event.facts) if role is not None else None
            if known and not any(value in ROLES for _, value in known):
                seen.add(event.text.span)
                yield PromptFault("role", event.text, str(next(iter(known))[1]))
            elif event.receiver is not None and models.has_trait(event.path, "other JSON"):
                source = each.trace_source(event.receiver)[1]
                if source.term in texts or not _is_entry(source):
                    continue  # it is read as a text too, so that this is a second try, or it is the object that holds them all
                if any(label.origin in CLIENTS for label in each.resolve_labels(event.receiver)):
                    seen.add(event.text.span)
                    yield PromptFault("argument", event.text, event.path.rpartition(".")[2])


def _iter_given_roles(trace: Trace) -> Iterator[tuple[Text, str]]:
    """Yield the roles that there are not of the messages in an object that a function gives, each with its message."""
    for each in trace.events:
        messages = (each.value.contents or {}).get("messages") if isinstance(each, Returned) else None
        for message in (messages.contents or {}).values() if messages is not None else ():
            role, term = (message.contents or {}).get("role"), find_original_term(message.term)
            known = role.constants if role is not None else None
            if known and not any(value in ROLES for _, value in known):
                match term:
                    case ("new", Code() as code, Site() as at):
                        yield code.extract_text(at), str(next(iter(known))[1])


def _is_entry(value: Value) -> bool:
    """Return whether a value is one of those that another holds."""
    return any(get_term_head(each.term) in ("item", "element") for each in iter_alternatives(value))
