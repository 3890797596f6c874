"""Statements that write, and pass a guard that turns plain writes away."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.arguments.deciding import Decisions
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import collect_compositions
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.models import Models
from reviewer.facts import Evasion

PLAIN = ("INSERT INTO t VALUES (1)", "UPDATE t SET a = 1", "DELETE FROM t", "DROP TABLE t")
"""Statements that write and look like it. What turns all of them away is meant to let through what only reads."""


class Writing(NamedTuple):
    """A statement that writes. `takes_limit` tells that a limit may follow, `commits` that what it does stays as it is."""

    text: str
    takes_limit: bool = False
    commits: bool = False


OF_SQLITE = (
    Writing("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", True),
    Writing("WITH x AS (SELECT 1) DELETE FROM t"),
    Writing("WITH x AS (SELECT 1) REPLACE INTO t SELECT * FROM x", True),
    Writing("PRAGMA user_version = 7"),
    Writing("VACUUM INTO 'copy.db'"),
    Writing("ALTER TABLE t RENAME TO u"),
    Writing("ATTACH DATABASE 'new.db' AS n"),
    Writing("CREATE TABLE u (a INT)"),
)
"""https://www.sqlite.org/lang_with.html, https://www.sqlite.org/pragma.html, https://www.sqlite.org/lang_vacuum.html"""

OF_POSTGRES = (
    Writing("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", True),
    Writing("EXPLAIN ANALYZE DELETE FROM t"),
    Writing("SELECT * INTO u FROM t", True),
    Writing("TRUNCATE t"),
    Writing("ALTER TABLE t RENAME TO u"),
    Writing("CALL p()"),
)
"""https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-MODIFYING, sql-explain.html, sql-selectinto.html"""

OF_MYSQL = (
    Writing("WITH x AS (SELECT 1) DELETE FROM t"),
    Writing("TRUNCATE TABLE t", commits=True),
    Writing("RENAME TABLE t TO u", commits=True),
    Writing("ALTER TABLE t ADD b INT", commits=True),
    Writing("CALL p()"),
)
"""https://dev.mysql.com/doc/refman/8.4/en/with.html, https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html"""

OF_DUCKDB = (
    Writing("COPY (SELECT 1) TO 'out.csv'"),
    Writing("SELECT 1; COPY (SELECT 1) TO 'out.csv'"),
    Writing("WITH x AS (SELECT 1) DELETE FROM t"),
    Writing("ATTACH 'new.db' AS n"),
)
"""https://duckdb.org/docs/stable/sql/statements/copy: also where the database is opened to be read only."""

OF_SNOWFLAKE = (Writing("CALL p()"), Writing("EXECUTE IMMEDIATE 'DROP TABLE t'"), Writing("UNDROP TABLE t"))
"""https://docs.snowflake.com/en/sql-reference/sql/execute-immediate"""

DRIVERS = {
    "better-sqlite3": OF_SQLITE, "pg": OF_POSTGRES, "mysql2": OF_MYSQL,
    "sqlite3": OF_SQLITE, "aiosqlite": OF_SQLITE, "rusqlite": OF_SQLITE,
    "asyncpg": OF_POSTGRES, "psycopg": OF_POSTGRES, "psycopg2": OF_POSTGRES, "psycopg_pool": OF_POSTGRES,
    "postgres": OF_POSTGRES, "tokio_postgres": OF_POSTGRES,
    "pymysql": OF_MYSQL, "MySQLdb": OF_MYSQL, "mysql": OF_MYSQL, "aiomysql": OF_MYSQL,
    "duckdb": OF_DUCKDB, "snowflake": OF_SNOWFLAKE,
}  # fmt: skip
"""What writes in the database that a library speaks with."""

COMMITTING = frozenset({"psycopg", "psycopg2", "psycopg_pool", "pymysql", "MySQLdb", "mysql", "aiomysql"})
"""Drivers in whose default mode nothing stays of what is written unless it is committed."""

READING = (
    "mode=ro", "immutable=1", "query_only", "read_only", "readonly", "READ ONLY", "set_authorizer", "authorizer", "set_session",
    "set_read_only", "set_readonly", "SQLITE_OPEN_READ_ONLY", "SQLITE_OPEN_READONLY", "default_transaction_read_only",
    "access_mode", "AccessMode", "sqlglot", "pglast", "sqlparser", "pg_query",
)  # fmt: skip
"""What stands in code that opens a database to be read only, or that knows by its grammar what a statement does. Texts for people
have `read-only`."""

ENCLOSING = ("enable_external_access", "disabled_filesystems", "sqlglot")
"""What stands in code that keeps DuckDB from files and hosts."""


def iter_evasions(entry_points: EntryPoints) -> Iterator[Evasion]:
    """Yield the statements of clients that are run behind a guard that a statement which writes passes."""
    for tool, trace in entry_points.iter_calls():
        if "executes sql" not in trace.acts:
            continue
        for each in trace.iter_occurrences(lambda event, _: "executes sql" in event.trace.acts, kinds=(Called,)):
            found = _find_evading_statement(trace, each, entry_points)
            if found is not None:
                yield Evasion(
                    each.event.text, found[0], tool, found[1], tuple(place.text for place in each.build_call_path())
                )


def _find_evading_statement(trace: Trace, here: Occurrence, entry_points: EntryPoints) -> tuple[str, bool] | None:
    """Return a statement that writes and is run, and whether the connection, not a guard, turns away those that look like it."""
    models = entry_points.program.models
    argument, goes_on = _find_clients(here, models) or ("", False)
    driver = _get_driver(trace) if argument else ""
    if not driver:
        return None

    def arrives(text: str) -> bool | None:
        return Decisions(argument, text, models).arrives(trace, here)

    is_opened = driver == "duckdb" and _reads_only(trace)
    if not is_opened and (not arrives("SELECT 1") or any(arrives(each) is not False for each in PLAIN)):
        return None
    may_stay = driver not in COMMITTING or "commits" in trace.acts or _is_written(trace, b"autocommit")
    passing = (
        each.text
        for each in DRIVERS[driver]
        if (each.takes_limit or not goes_on)
        and (each.commits or may_stay)
        and (not is_opened or "COPY" in each.text)
        and arrives(each.text)
    )
    found = next(passing, None)
    words = ENCLOSING if is_opened else READING
    return (
        (found, is_opened)
        if found is not None and next(iter(entry_points.iter_traces_around(*words)), None) is None
        else None
    )


def _reads_only(trace: Trace) -> bool:
    """Return whether a database of DuckDB is, or may be, opened to be read only."""
    calls = (each for one in trace.list_traces() for each in one.events if isinstance(each, Called))
    told = (each.named.get("read_only") for each in calls if each.path == "duckdb.connect")
    return any(each is not None and each.constant != (bool, False) for each in told)


def _find_clients(here: Occurrence, models: Models) -> tuple[str, bool] | None:
    """Return the argument that a statement is which a call runs, and whether more may follow it; None if it is none."""
    event = here.event
    assert isinstance(event, Called)
    model = models.find_model(event.path)
    if model is None or event.followed or "executes sql" not in collect_acts(event, models) or not here.is_possible():
        return None
    statement = find_modelled_argument(event, model)
    found = collect_compositions(here, statement, models) if statement is not None else []
    texts = [
        text for text in found if [part.text for part in text] != [""]
    ]  # what stands for an argument that is not given
    led = [text[0] for text in texts if text[0].text is None]
    names = {label.name for each in led for label in each.here.resolve_labels(each.value) if label.origin == "argument"}
    if len(names) != 1 or len(led) != len(texts):
        return None
    (name,) = names
    sent = Decisions(name, "SELECT 1", models)
    return (
        (name, any(len(text) > 1 for text in texts))
        if any(sent.evaluate(each.here, each.value) for each in led)
        else None
    )


def _get_driver(trace: Trace) -> str:
    """Return the one library for databases that a trace calls, empty if it is none, or several."""
    paths = (
        each.path.partition(".")[0] for one in trace.list_traces() for each in one.events if isinstance(each, Called)
    )
    found = {each for each in paths if each in DRIVERS}
    return min(found) if len({DRIVERS[each] for each in found}) == 1 else ""


def _is_written(trace: Trace, word: bytes) -> bool:
    return any(word in each.source.data for each in trace.collect_codes())
