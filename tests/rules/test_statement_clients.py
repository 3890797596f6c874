"""How much an injection weighs beside a tool that runs any statement: little, if the same client of the database runs both."""

import pytest

from reviewer import review

PYTHON = '''
import sqlite3
import sys
from typing import Literal

from mcp.server import MCPServer

mcp = MCPServer("library")
db = sqlite3.connect("library.db")
safe = sqlite3.connect("file:library.db?mode=ro", uri=True)


class Store:
    def __init__(self) -> None:
        self.db = sqlite3.connect("store.db")

    def rows(self, statement: str) -> list:
        return self.db.execute(statement).fetchall()

    def columns(self, table: str) -> list:
        return self.rows(f"PRAGMA table_info({table})")


store = Store()


@mcp.tool()
def query(statement: str) -> list:
    """Run a statement."""
    return db.execute(statement).fetchall()


@mcp.tool()
def columns(table: str) -> list:
    """List the columns of a table."""
    return db.execute(f"PRAGMA table_info({table})").fetchall()


@mcp.tool()
def store_query(statement: str) -> list:
    """Run a statement in the store."""
    return store.rows(statement)


@mcp.tool()
def store_columns(table: str) -> list:
    """List the columns of a table of the store."""
    return store.columns(table)


if "--any" in sys.argv:

    @mcp.tool()
    def run(statement: str) -> list:
        """Run a statement, where whoever starts the server allows it."""
        return safe.execute(statement).fetchall()


@mcp.tool()
def read(statement: Literal["SELECT title FROM books", "SELECT name FROM authors"]) -> list:
    """Run one of the statements that there are."""
    return safe.execute(statement).fetchall()


@mcp.tool()
def find(author: str) -> list:
    """Find books."""
    return safe.execute(f"SELECT title FROM books WHERE author = '{author}'").fetchall()
'''

RUST = """
#[derive(Deserialize, JsonSchema)]
struct Asked {
    statement: String,
}

#[derive(Deserialize, JsonSchema)]
struct Table {
    table: String,
}

#[derive(Clone)]
struct Library {
    pool: sqlx::SqlitePool,
    notes: rusqlite::Connection,
}

impl Library {
    async fn rows(&self, statement: &str) -> Result<String, String> {
        let rows = sqlx::query(statement).fetch_all(&self.pool).await.map_err(|e| e.to_string())?;
        Ok(rows.len().to_string())
    }
}

#[tool_router]
impl Library {
    #[tool(description = "Run a statement")]
    async fn query(&self, Parameters(asked): Parameters<Asked>) -> Result<String, String> {
        self.rows(&asked.statement).await
    }

    #[tool(description = "Count rows")]
    async fn count(&self, Parameters(asked): Parameters<Table>) -> Result<String, String> {
        self.rows(&format!("SELECT count(*) FROM {}", asked.table)).await
    }

    #[tool(description = "Count notes")]
    async fn count_notes(&self, Parameters(asked): Parameters<Table>) -> Result<String, String> {
        let found: i64 = self
            .notes
            .query_row(&format!("SELECT count(*) FROM {}", asked.table), [], |row| row.get(0))
            .map_err(|e| e.to_string())?;
        Ok(found.to_string())
    }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), [("server.py", PYTHON), ("server.rs", RUST)])
def test_what_the_same_client_runs_is_a_suggestion(name, code, tmp_path):
    (tmp_path / name).write_text(code, "utf-8")
    found = [each for section in review(tmp_path).sections for each in section.findings]
    given = {each.tool: each.severity for each in found if each.rule.slug == "sql-injection"}
    assert given == EXPECTED[name]


EXPECTED = {
    "server.py": {"columns": "suggestion", "store_columns": "suggestion", "find": "error"},
    "server.rs": {"count": "suggestion", "count_notes": "error"},
}
