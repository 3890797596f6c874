"""Whether what a mutant writes can be parsed at all: a violation in a broken file proves nothing."""

import ast
from pathlib import Path
from tempfile import TemporaryDirectory

import tree_sitter_rust
from mutation import BadMutantError, Mutant, apply
from tree_sitter import Language, Parser

RUST = Parser(Language(tree_sitter_rust.language()))


def parses(path: Path) -> bool:
    """Return whether a file is valid as far as its grammar goes."""
    if path.suffix == ".py":
        try:
            ast.parse(path.read_text("utf-8"))
        except SyntaxError:
            return False
    return path.suffix != ".rs" or not RUST.parse(path.read_bytes()).root_node.has_error


def check(mutated: Mutant) -> None:
    """Apply a mutant and look at what it wrote. Raises BadMutantError if that cannot be parsed."""
    with TemporaryDirectory() as folder:
        apply(mutated, Path(folder))
        for edit in mutated.edits:
            if not parses(Path(folder) / edit.path):
                raise BadMutantError(f"{mutated.id}: {edit.path} cannot be parsed")
