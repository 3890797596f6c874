"""The server. mcp-review finds many of its faults; others, such as names that lead out of the folder, no rule looks for yet."""

import sys
import traceback
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("notes")
FOLDER = Path.home() / "notes"


@mcp.tool()
def list_notes(tag: str) -> list[str]:
    """List the names of all notes that carry a tag."""
    return [path.stem for path in FOLDER.glob("*.md") if f"#{tag}" in path.read_text()]


@mcp.tool()
def read_note(name: str, encoding: str = "utf-8") -> str:
    """Read the note of a name."""
    try:
        return (FOLDER / f"{name}.md").read_text(encoding)
    except OSError:
        return traceback.format_exc()


@mcp.tool()
def write_note(name: str, text: str) -> str:
    (FOLDER / f"{name}.md").write_text(text)
    return "written"


@mcp.tool(name="deleteNote")
def delete_note(name: str) -> str:
    """Delete the note of a name. It cannot be brought back."""
    (FOLDER / f"{name}.md").unlink()
    return "deleted"


@mcp.tool(name="read_note")
def read_note_as_bytes(name: str) -> bytes:
    """Read the note of a name as bytes."""
    return (FOLDER / f"{name}.md").read_bytes()


def main() -> None:
    """Serve over stdio, or over SSE for browsers."""
    if "--web" in sys.argv:
        mcp.run(transport="sse")
    else:
        mcp.run()


if __name__ == "__main__":
    main()
