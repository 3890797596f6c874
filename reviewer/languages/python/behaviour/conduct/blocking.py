"""Calls that block the thread they run on until something outside answers."""

import re
from collections.abc import Iterator

from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit

VERBS = "get|post|put|patch|delete|head|options|request|send|stream"
BLOCKING = re.compile(
    rf"time\.sleep|requests\.(?:api\.)?(?:{VERBS})|requests\.(?:sessions\.)?[sS]ession\(\)\.(?:{VERBS})"
    rf"|httpx\.(?:{VERBS})|httpx\.Client\(\)\.(?:{VERBS})|urllib\.request\.(?:urlopen|urlretrieve)"
    r"|urllib\.request\.build_opener\(\)\.open|urllib3\.PoolManager\(\)\.request|http\.client\.HTTPS?Connection\(\)\.\w+"
    r"|subprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput)|subprocess\.Popen\(\)\.(?:communicate|wait)"
    r"|os\.(?:system|wait|waitpid)|builtins\.input|socket\.create_connection|socket\.socket\(\)\.(?:connect|accept|recv)"
    r"|(?:psycopg2|psycopg|pymysql|MySQLdb|mysql\.connector)\.connect(?:\(\)\.cursor\(\)\.execute(?:many)?)?"
    r"|smtplib\.SMTP(?:_SSL)?|paramiko\.SSHClient\(\)\.(?:connect|exec_command)|select\.select"
)
LAST = frozenset(
    "sleep get post put patch delete head options request send stream urlopen urlretrieve open run call check_call "
    "check_output getoutput getstatusoutput communicate wait system waitpid input create_connection connect accept recv "
    "execute executemany SMTP SMTP_SSL exec_command select getresponse".split()
)
SIGNS = re.compile(
    rb"time|requests|httpx|urllib|http|subprocess|os|input|socket|psycopg|mysql|SQL|smtplib|paramiko|select"
)
SHORT = re.compile(r"0?\.0\d*|0")
"""Seconds that nobody notices."""


def blocks(unit: Unit) -> Iterator[Deed]:
    """Find the calls that block."""
    if not unit.module.mentions(SIGNS):
        return
    for call in unit.calls:
        is_awaited = call.node.parent is not None and call.node.parent.type == "await"
        if call.in_thread or is_awaited or not call.is_named(LAST):
            continue
        if call.name == "connect" and b"SOCK_DGRAM" in unit.text:
            continue  # a socket of datagrams asks nobody
        if BLOCKING.fullmatch(unit.path(call.function)) is not None:
            first = call.argument("seconds", 0)
            if call.name != "sleep" or first is None or SHORT.fullmatch((first.text or b"").decode()) is None:
                yield Deed("blocks", call.node)
