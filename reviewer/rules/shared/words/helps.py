"""What a rule advises, in the language of the code that it speaks of."""

from collections.abc import Mapping

SCRIPTS = "ts"
"""Under which the advice for TypeScript and JavaScript stands, whatever the file's name ends in."""


def choose_help(help: Mapping[str, str], path: str) -> str:
    """Return the advice for the code of a file, by what its name ends in."""
    return help.get(path.rpartition(".")[2]) or help[SCRIPTS]
