"""What changes something beyond the call: files, databases, remote things, commands.

Logs, caches, temporary files and the like are no change that anybody would call one, and a POST may as well only ask.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import ActKind
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.pages import parts_of
from reviewer.languages.python.behaviour.conduct import commands
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.following import text
from reviewer.languages.python.literals import string_value
from reviewer.languages.vocabulary import A_COLLECTION, ABOUT_CHANGE

ASIDE = frozenset(
    "log logs logger logging cache cached caches caching tmp temp temporary tempfile lock locks pid history audit telemetry "
    "metrics metric token tokens cookie cookies credential credentials stats usage trace debug memo checkpoint".split()
)
"""Words of paths, tables and addresses by which something is written that no user calls a change."""

BESIDE = ASIDE | frozenset(
    "auth login oauth init initialize bootstrap migrate migration setup ensure connect session refresh check writable "
    "writeable probe".split()
)
"""Words of functions that do so."""

DELETES = re.compile(
    r"os\.(?:remove|unlink|rmdir|removedirs)|shutil\.rmtree|pathlib\.\w*Path\(\)(?:\.\w+(?:\(\))?)*\.(?:unlink|rmdir)"
    r"|(?:aiofiles\.os|anyio\.Path\(\))\.(?:remove|unlink|rmdir)|send2trash\.send2trash"
)
WRITES = re.compile(
    r"os\.(?:rename|replace|renames|truncate|chmod|chown|symlink|link)|shutil\.(?:move|copy|copy2|copyfile|copytree)"
    r"|pathlib\.\w*Path\(\)(?:\.(?!(?:read_text|as_posix|as_uri|name|stem|suffix)\b)\w+(?:\(\))?)*\.(?:write_text|write_bytes|rename|replace|touch|symlink_to|chmod)"
    r"|anyio\.Path\(\)\.(?:write_text|write_bytes|rename|replace|touch)"
    r"|git\.Repo\(\)\.(?:index\.(?:add|commit|remove|reset)|git\.(?:add|commit|checkout|reset|push|merge|rebase|rm)|create_head)"
)
OPENS = re.compile(r"builtins\.open|io\.open|codecs\.open|aiofiles\.open|pathlib\.\w*Path\(\)(?:\.\w+(?:\(\))?)*\.open")
CLIENTS = re.compile(
    r"(?:requests(?:\.api)?|requests\.(?:sessions\.)?[sS]ession\(\)|httpx|httpx\.(?:Async)?Client\(\)"
    r"|aiohttp\.ClientSession\(\))\.(post|put|patch|delete|request)|urllib\.request\.(Request)"
)
CLOUD = re.compile(
    r"boto3\.(?:client|resource)\(\)\.(?:(delete|terminate)|(?:put|create|update|modify|start|stop|reboot))_\w+"
)
STORES = re.compile(
    r"redis(?:\.asyncio)?\.(?:Strict)?Redis(?:\.from_url)?\(\)\.(?:(delete|unlink|flushdb|flushall)|set|hset|rpush)"
)
BY_NAME: dict[str, ActKind] = {
    **dict.fromkeys(
        ("delete_one", "delete_many", "find_one_and_delete", "drop_collection", "drop_database"), "deletes"
    ),
    **dict.fromkeys(("insert_one", "insert_many", "update_one", "update_many", "replace_one"), "writes"),
}
"""Methods whose names alone tell, of a well-known database."""

RUNS_SQL = frozenset("execute executemany executescript exec_driver_sql execute_query fetch fetchrow fetchval".split())
SQL_WRITES = re.compile(
    r"\s*(?:INSERT\s|UPDATE\s+\S|REPLACE\s+INTO|MERGE\s+INTO|ALTER\s|CREATE\s+(?!TEMP|.*IF\s+NOT\s+EXISTS))", re.I
)
SQL_DELETES = re.compile(r"\s*(?:DELETE\s+FROM|DROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|COLUMN)|TRUNCATE\s)", re.I)
ASKS = re.compile(
    r"search|query|queries|graphql|lookup|find|list|filter|fetch|\bget|read|count|token|auth|login|session|rpc|batch|embed|"
    r"complet|chat|generat|predict|infer|analy|valid|check|scrape|extract|convert|pars|translat|render|preview|explain|"
    r"estimat|compute|calculat|simulat|resolve|select|report|score|rank|similar|crawl|recommend|execute|sql|statement|mcp|_msearch",
    re.IGNORECASE,
)
"""What a POST is sent to that only asks."""

VERB = re.compile(r"(?i)post|put|patch|delete")
METHODS: dict[str, ActKind] = {"put": "writes", "patch": "writes", "delete": "deletes", "post": "writes"}
WITH_METHOD = re.compile(r"^_*(?:\w+_)?(?:request|api|call|fetch|http)(?:_\w+)?$|^_*(?:do|make|send)_\w+$")
OPENING = frozenset({"open"})


def changes(unit: Unit) -> Iterator[Deed]:
    """Find what a unit writes, deletes and runs."""
    if unit.function is not None and _is_aside(child(unit.function, "name")):
        return
    for call in unit.calls:
        kind = _kind(unit, call)
        if kind is not None and not _on_the_side(_subject(unit, call)):
            yield Deed(kind, call.node)
    yield from commands.runs(unit)


def _kind(unit: Unit, call: Call) -> ActKind | None:
    name = call.name
    if name in BY_NAME and call.function.type == "attribute":
        return BY_NAME[name]
    if name in RUNS_SQL:
        return _of_sql(unit, call)
    if WITH_METHOD.match(name) is not None and (found := _of_method(unit, call)) is not None:
        return found
    if not (call.is_named(NAMED) or name.partition("_")[0] in CLOUDY):
        return None
    path = unit.path(call.function)
    if DELETES.fullmatch(path):
        return "deletes"
    if WRITES.fullmatch(path) or (OPENS.fullmatch(path) and _opens_to_write(unit, call, path)):
        return "writes"
    stored = CLOUD.fullmatch(path) or STORES.fullmatch(path)
    if stored is not None:
        return "deletes" if stored[1] else "writes"
    sent = CLIENTS.fullmatch(path)
    return _of_request(unit, call, (sent[1] or "request").lower()) if sent is not None else None


def _subject(unit: Unit, call: Call) -> list[Node]:
    """Give what tells of what a call changes: the statement, the address, or the whole call with what it is called on."""
    if call.name in RUNS_SQL:
        return call.positional[:1]
    if CLIENTS.fullmatch(unit.path(call.function)) is not None or WITH_METHOD.match(call.name) is not None:
        return [*call.positional[:2], *(each for name, each in call.keywords.items() if name in ("url", "method"))]
    return [call.node]


NAMED = frozenset(
    "remove unlink rmdir removedirs rmtree send2trash rename replace renames truncate chmod chown symlink link move copy copy2 "
    "copyfile copytree write_text write_bytes touch symlink_to add commit reset checkout push merge rebase rm create_head open "
    "post put patch delete request Request flushdb flushall set hset rpush".split()
)
CLOUDY = frozenset("delete terminate put create update modify start stop reboot".split())


def _opens_to_write(unit: Unit, call: Call, path: str) -> bool:
    mode = call.argument("mode", 0 if "Path()" in path else 1)
    if mode is not None and mode.type == "identifier":
        mode = given_to(string_of(mode), mode) or mode
    said = text(unit.run, mode, unit.within) if mode is not None else None
    return said is not None and re.fullmatch(r"[wax+rbt]*[wax+][wax+rbt]*", said) is not None


def _of_sql(unit: Unit, call: Call) -> ActKind | None:
    """Tell what a statement does that is written out, at least its beginning."""
    statement = _beginning(unit, call.positional[0], 0) if call.positional else None
    if statement is None:
        return None
    return "deletes" if SQL_DELETES.match(statement) else "writes" if SQL_WRITES.match(statement) else None


def _beginning(unit: Unit, node: Node, depth: int) -> str | None:
    """Give a text, or the part of it before the first value that is put in."""
    if depth > 3:
        return None
    if node.type in ("string", "concatenated_string"):
        plain = string_value(node)
        if plain is not None:
            return plain
        first = next((part for part in of_kinds(node, "python", "string_content", "interpolation")), None)
        return string_of(first) if first is not None and first.type == "string_content" else None
    if node.type == "call" and string_of(child(node, "function") or node).rpartition(".")[2] in (
        "text",
        "dedent",
        "SQL",
    ):
        held = [part for part in (child(node, "arguments") or node).named_children if part.type != "comment"]
        return _beginning(unit, held[0], depth + 1) if held else None
    if node.type == "binary_operator":
        return _beginning(unit, node.children[0], depth + 1)
    given = given_to(string_of(node), node) if node.type == "identifier" else None
    if given is not None:
        return _beginning(unit, given, depth + 1) if given.id != node.id else None
    return text(unit.run, node, unit.within) if node.type in ("identifier", "attribute") else None


def _of_method(unit: Unit, call: Call) -> ActKind | None:
    """Tell what a request does whose method is written out: `client.request("DELETE", path)`."""
    given = call.keywords.get("method") or (call.positional[0] if call.positional else None)
    said = text(unit.run, given, unit.within) if given is not None else None
    if said is None or VERB.fullmatch(said) is None or (said.islower() and "method" not in call.keywords):
        return None
    rest = [part for part in (*call.positional, *call.keywords.values()) if part != given]
    return _judged(unit, said.lower(), call, rest[0] if rest else None)


def _of_request(unit: Unit, call: Call, method: str) -> ActKind | None:
    if method == "request":
        return _of_method(unit, call)
    return _judged(unit, method, call, call.argument("url", 0))


def _judged(unit: Unit, method: str, call: Call, url: Node | None) -> ActKind | None:
    """Tell what a method does; a POST changes something only where its address or the function around says so."""
    if method != "post":
        return METHODS[method]
    address = string_of(url) if url is not None else ""
    if url is not None and url.type == "identifier":
        made = given_to(address, url)
        address = string_of(made) if made is not None and made.id != url.id else ""
    said = f"{address} {string_of(child(unit.function, 'name') or call.node) if unit.function is not None else ''}"
    is_told = re.search(r"[\"'][^\"']*/\w", address) is not None and "{" not in address.rstrip("\"'")[-1:]
    changes = ABOUT_CHANGE.search(said) is not None or A_COLLECTION.search(address) is not None
    return "writes" if is_told and ASKS.search(said) is None and changes else None


def _is_aside(name: Node | None) -> bool:
    return name is not None and not BESIDE.isdisjoint(parts_of(string_of(name)))


def _on_the_side(subject: list[Node]) -> bool:
    """Tell whether a subject speaks of logs, caches or temporary files, also by what its names were given."""
    words: set[str] = set()
    for node in subject:
        words |= parts_of(string_of(node))
        for each in of_kinds(node, "python", "identifier"):
            given = given_to(string_of(each), each)
            words |= parts_of(string_of(given)[:400]) if given is not None else frozenset()
    return not ASIDE.isdisjoint(words)
