"""`python -m reviewer` is `mcp-review`."""

from reviewer.cli import main

if __name__ == "__main__":  # the processes of the server mode load this module, too
    main()
