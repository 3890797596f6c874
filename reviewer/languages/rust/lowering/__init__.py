"""Rust, lowered to the intermediate representation.

`lower_function` gives the code of a `fn` (or of a closure for itself), `lower_module` that of a file: its functions are closures
that are assigned to variables, each `impl` and trait a code of kind "class", named as the type, with its functions, whose bases
are the traits that an `impl` is of or a trait is derived from. Constants and statics are assigned. Bodies are lowered when they
are asked for. `macros` has the table of what macros become.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering import (
    blocks,
    calls,
    expressions,
    functions,
    literals,
    loops,
    macros,
    matches,
    names,
)
from reviewer.source import Source

__all__ = ["lower_constant", "lower_function", "lower_module"]
HANDLERS = (blocks, calls, expressions, functions, literals, loops, macros, matches, names)
"""The modules that know the kinds of syntax; each puts what it knows into the tables of `frame`."""


def lower_function(source: Source, node: Node, around: ir.Code | None = None, owner: str | None = None) -> ir.Code:
    """Return the code of a `fn`, or of a closure or an `async` block without the names around it.

    `owner` is the type that it is a method of, by default the one that it is written in.
    """
    return functions.build_code(source, node, around, owner)


def lower_constant(source: Source, node: Node, name: str) -> ir.Code:
    """Return the code of the expression that a constant or a static is given; it returns what that gives."""
    return functions.build_constant_code(source, node, name)


def lower_module(source: Source, root: Node) -> ir.Code:
    """Return the code of a file."""
    return functions.build_module_code(source, root)
