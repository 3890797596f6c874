"""Python's syntax → the intermediate representation of `reviewer.code.ir`.

`lower_module` lowers a file; the functions and classes in it are lowered when their bodies are asked for. `find_code` finds the
code of a function in it, with the codes around. `lower_function` lowers one function by itself.

| Python | lowered to |
|---|---|
| name | `Read` of a variable of the function or one around; `Global` if it is one of the module, or of Python |
| call | `Call`, at the bytes of the call; a decorator too, from its `@` on |
| `a and b`, `a or b`, `a if b else c`, `a < b < c` | `If` on parts; where a branch is decided, no value is made |
| `!=`, `>`, `>=`, `is not`, `not in` | `==`, `<`, `<=`, `is`, `in`, turned round or negated |
| `-x`, `+x`, `~x` | `0 - x`, `x`, `x ^ -1`; a negative constant |
| `[… for … in …]` and its like | `Loop`s that `Append` to a list, a set or a dictionary; a generator is a list |
| `x[a:b]`; `x[a:b, c]` | `Slice`; an `Item` whose key is a tuple with a `Range` |
| f-string | `Interpolation`; what stands in a specifier is a part of its own, with the specifier `:` |
| `"a" "b"`, `"%s" % x` | one `Constant` or `Interpolation`; `Arithmetic` |
| `a, *b = x` | `Item`s and a `Slice` of a temporary, or each element of a display by itself |
| `x: int = 1`; `x: int`; `type X = …` | `Assign`; nothing |
| `x += 1`; `x[k()] += 1` | `Assign`; `Store`, what the place is evaluated once |
| `while … else` | a `Block` with the `Loop` and the `else`, which a `break` leaves |
| `if`/`elif` | `If`s, or a `Block` that each arm leaves if a condition is of several parts |
| `match` | a `Block` of `If`s that each case leaves: see `patterns` |
| `with a, b` | `With` in `With` |
| `assert a, b` | `If` and `Raise` of an `AssertionError` whose `args` hold `b` |
| `import` | `Assign` of an `Import`; `import *` is evaluated and binds nothing |
| `global x` | `x` is a `Global`, written by `Store` |
| function, `lambda`, class | `Closure`; a class's body is a code, its bases and keywords are the code's `bases` |
| `print x`, `exec x` of Python 2, `t"…"`, a slice with a step among other keys | `Unknown` |
"""

from reviewer.languages.python.lowering import (
    comprehensions,
    conditions,
    expressions,
    patterns,
    statements,
    targets,
    texts,
)
from reviewer.languages.python.lowering.functions import find_code, lower_constant, lower_function, lower_module

__all__ = ["find_code", "lower_constant", "lower_function", "lower_module"]

_LOWERS = (comprehensions, conditions, expressions, patterns, statements, targets, texts)
"""The modules that lower each kind of syntax, which enter themselves when they are imported."""
