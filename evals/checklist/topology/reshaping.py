"""One topology of one tree."""

from pathlib import Path
from types import ModuleType

from topology import python, python_syntax, rust
from topology.shapes import CHAINS, GUARDS, WORDS, NotApplicableError, Target


def _language(path: str) -> ModuleType:
    return python if path.endswith(".py") else rust


def function_at(root: Path, path: str, line: int) -> Target:
    """Return the function in which a line stands. Raises NotApplicableError if it stands in none."""
    if path.endswith(".py"):
        return python_syntax.function_at(root, path, line)
    if path.endswith(".rs"):
        return rust.function_at(root, path, line)
    raise NotApplicableError("the fault stands in no code")


def reshape(root: Path, server: str, target: Target | None, topology: str) -> list[str]:
    """Transform the tree of a server in place and return the files that are new.

    Raises NotApplicableError, perhaps after files were written, if that cannot be done.
    """
    if topology == "loop":
        return list(_language(".py" if server.startswith("python") else ".rs").loop(root))
    if topology.startswith("guard"):
        return _of_guards(root, server, topology)
    if target is None:
        raise NotApplicableError("the fault stands in no function")
    language = _language(target.path)
    if topology in CHAINS:
        return list(language.chain(root, target, WORDS[: CHAINS[topology]]))
    return list(language.MOVES[topology](root, target))


def _of_guards(root: Path, server: str, topology: str) -> list[str]:
    guards = GUARDS.get(server, ())
    if not guards:
        raise NotApplicableError("the server has no guard")
    made: list[str] = []
    for guard in guards:
        language = _language(guard.path)
        if topology == "guard absent":
            language.take_away(root, guard)
        else:
            made += language.MOVES["third file"](root, Target(guard.path, guard.name))
    return made
