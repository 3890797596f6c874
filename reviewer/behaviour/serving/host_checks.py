"""Whether a transport accepts requests for any host: its SDK has a check that is off, too old or not set."""

from reviewer.behaviour.serving.opening_calls import OpeningCalls, find_opening_call
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.code.acts import REST
from reviewer.code.events import Called, Occurrence
from reviewer.code.models import NO_ROW
from reviewer.code.values import ELEMENT, Value
from reviewer.text.patterns import pattern

HOSTS = pattern(
    rb"(?i:(?<!disable_)allowed_?hosts|allowed_?origins|trusted_?host|transport_?security|rebinding)|header::(?:HOST|ORIGIN)\b"
    rb"|(?i:headers?\b[^\n]{0,30}[\"'.](?:host|origin)\b)"
)
"""What stands in code that looks at the host that a request is for, or at the page that it comes from."""


LOOKS = pattern(rb"(?i:trusted_?host)|header::(?:HOST|ORIGIN)\b|(?i:headers?\b[^\n]{0,30}[\"'.](?:host|origin)\b)")
"""That of it which is a look of one's own, beside what an SDK is told."""


def _format_untold(way: Occurrence, start: ProcessStart) -> str:
    event = way.event
    model = start.program.models.get_model(event.path) if isinstance(event, Called) else NO_ROW
    checks_host = model.checks_host
    if not isinstance(event, Called) or not checks_host:
        return ""
    library, _, since = checks_host.partition(" ")
    if not since:
        given = event.named.get(library)
        is_told = (given is not None and given.constant != (bool, False)) or event.is_open or REST in event.named
        told = event.find_argument(model.of) if start.program.names_in_objects else None
        return "" if is_told or _is_partly_seen(told) else f"`{library}` is not set"
    release = start.release(library, event.code.source.path)
    if release is None or release >= tuple(map(int, since.split("."))):
        return ""
    return f"{library} has checked it since {since}, but this server uses {'.'.join(map(str, release))}"


def _is_partly_seen(told: Value | None) -> bool:
    """Return whether an object with settings may have more of them than are seen."""
    return told is not None and (told.contents is None or REST in told.contents or ELEMENT in told.contents)


def explain_any_host(ways: list[Occurrence], letting: OpeningCalls, start: ProcessStart) -> str:
    """Return why what is served there certainly accepts requests for any host; empty if it does not, or that is unknown.

    `ways` are the calls that serve it, each with its callers.
    """
    switches = [_format_switched(each, letting) for each in ways]
    if switches and all(switches):
        return f"`{switches[0]}` turns its check off" if not start.mentions(LOOKS) else ""
    found = {_format_untold(each, start) for each in ways}
    return found.pop() if len(found) == 1 and "" not in found and not start.mentions(HOSTS) else ""


def _format_switched(way: Occurrence, letting: OpeningCalls) -> str:
    """Return the setting that certainly turns off an SDK's check of hosts, from all arguments of a serving call."""
    found = next((one for each in way.event.values if (one := find_opening_call(way, each, letting)) is not None), None)
    if found is None:
        return ""
    chain = "".join(str(found.text).split())
    return f"{found.path.rpartition('.')[2]}{chain[chain.rfind('(') :]}"
