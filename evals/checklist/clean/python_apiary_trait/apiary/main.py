"""Starts the server."""

from apiary import hives, honey
from apiary.app import mcp

MODULES = (hives, honey)


def main() -> None:
    mcp.run()


if __name__ == "__main__":
    main()
