"""Guards of statements are worked out with code that strangers wrote: its patterns and texts must cost little."""

from reviewer import review
from reviewer.config import Flags

SERVER = '''
import re
import sqlite3

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")


@mcp.tool()
def query(sql: str) -> list:
    """Read from the kiln's book, by a SELECT."""
    if GUARD:
        raise ValueError("no statement")
    if not sql.upper().startswith(("SELECT", "WITH")):
        raise ValueError("only SELECT")
    return sqlite3.connect("kiln.db").execute(sql).fetchall()
'''


def _told(tmp_path, guard: str) -> list[str]:
    tmp_path.joinpath("server.py").write_text(SERVER.replace("GUARD", guard), "utf-8")
    report = review(tmp_path, Flags(select=("read-only-guard-incomplete",)))
    return [each.rule.slug for part in report.sections for each in part.findings]


def test_a_guard_is_worked_out(tmp_path):
    assert _told(tmp_path, 're.match(r"\\s*(drop|delete)\\b", sql, re.IGNORECASE)') == ["read-only-guard-incomplete"]


def test_a_pattern_that_never_ends_in_the_engine_of_python(tmp_path):
    assert _told(tmp_path, r're.match(r"(?:\w+[\s()*,]*)+$", sql + "!")') == ["read-only-guard-incomplete"]


def test_a_text_that_grows_with_each_replacement(tmp_path):
    assert _told(tmp_path, "sql" + ".replace('', 'xxxxxxxxxxxxxxxxxxxx')" * 30 + ' == "a"') == []
