"""`python -m reviewer` is `mcp-review`."""

from reviewer.cli import main

main()
