"""Serve on the standard streams."""

from tidewater_mcp import mcp


def main() -> None:
    """Serve until the client hangs up."""
    mcp.run(transport="stdio")


if __name__ == "__main__":
    main()
