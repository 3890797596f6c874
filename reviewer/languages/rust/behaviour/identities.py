"""What rmcp tells clients of who serves: the server, or the SDK itself where nobody says it.

`Implementation::from_build_env()`, which is also its default and what `ServerInfo::new` and `ServerInfo::default` put there, has
the name and the version of the crate in which it is compiled, and that is rmcp (`crates/rmcp/src/model.rs`, from 0.1 to 2).
"""

from collections.abc import Iterator

from reviewer.code.events import Called, Event, Returned, Stored, Trace
from reviewer.code.values import ConditionalValue, Made, Value
from reviewer.facts import Identity
from reviewer.languages.rust.behaviour.tracing import trace_of
from reviewer.languages.rust.project.items import RustItems, is_in_test

TELLING = "get_info"
"""The method of the SDK's trait by which a server introduces itself."""

# `default()` only calls the other one.
OF_SDK = frozenset({"rmcp.model.Implementation.from_build_env", "rmcp.model.Implementation.default"})
WITHOUT = frozenset(
    f"rmcp.model.{each}.{made}" for each in ("ServerInfo", "InitializeResult") for made in ("new", "default")
)
"""What makes the whole, with the SDK's own name and version in it."""

# The field of rmcp's `ServerInfo` that clients show as the server's name and version.
SAID = ("server_info",)


def iter_identities(items: RustItems) -> Iterator[Identity]:
    """Yield where a server surely introduces itself as the SDK."""
    for function in items.find_functions(TELLING):
        trace = trace_of(items, function) if not is_in_test(function.node) else None
        if trace is None or not any(each.kind == "receiver" for each in trace.code.parameters):
            continue
        ends = [each for each in trace.events if isinstance(each, Returned)]
        stored = (each.event for each in trace.iter_occurrences(kinds=(Stored,)))
        if ends and all(_is_of_sdk(each.value, trace) for each in ends) and not any(map(_names, stored)):
            made = [each for each in _iter_made(trace) if each.path in OF_SDK | WITHOUT]
            yield Identity((made or ends)[-1].text, "rmcp", ("name", "version"))


def _names(stored: Event) -> bool:
    """Return whether a name or a version is written into what an SDK made."""
    return isinstance(stored, Stored) and stored.key is not None and stored.key.text in ("name", "version")


def _iter_made(trace: Trace) -> Iterator[Called]:
    return (each.event for each in trace.iter_occurrences(kinds=(Called,)) if isinstance(each.event, Called))


def _is_of_sdk(info: Value, trace: Trace) -> bool:
    """Return whether what a server says of itself has the name of the SDK in it."""
    said = (info.contents or {}).get(SAID)
    if said is not None:
        return isinstance(said.meaning, Made) and said.meaning.by in OF_SDK and not said.contents
    match info.meaning:
        case ConditionalValue(_, then, otherwise):
            return _is_of_sdk(then, trace) and _is_of_sdk(otherwise, trace)
        case Made(".with_server_info", (_, given)):
            return isinstance(given.meaning, Made) and given.meaning.by in OF_SDK and not given.contents
        case Made(by, of) if by.startswith(".with_") and of:
            return _is_of_sdk(of[0], trace)
        case Made(by, _) if by in WITHOUT:
            return True
    is_filled = "rmcp.model.ServerInfo" in info.library_types and ("[]",) in (info.contents or {})
    return is_filled and any(each.path.endswith(".default") for each in _iter_made(trace))
