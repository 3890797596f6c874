"""How much an argument weighs that no code reads: a client that may leave it out gives it for something."""

import reviewer

SERVER = '''
from typing import Annotated

from mcp.server.fastmcp import FastMCP
from pydantic import Field

mcp = FastMCP("kiln")


@mcp.tool()
def find(
    glaze: str,
    kiln: str,
    shade: str = "",
    purpose: Annotated[str, Field(description="Why you search, in a sentence")] = "",
) -> str:
    """Find what was fired."""
    return f"fired with {glaze}"


@mcp.tool()
def stack(shelf: int = 1, row: int = 1) -> str:
    """Stack a kiln."""
    raise NotImplementedError("stacked by hand")
'''


def test_what_a_client_gives_of_its_own_accord_is_a_warning(tmp_path):
    (tmp_path / "server.py").write_text(SERVER)
    report = reviewer.review(tmp_path)
    found = [
        each for section in report.sections for each in section.findings if each.rule.slug == "argument-never-read"
    ]
    told = {each.message.rpartition("argument ")[2]: each.severity.value for each in found}
    assert told == {"`kiln`": "suggestion", "`shade`": "warning", "`purpose`": "suggestion"}
