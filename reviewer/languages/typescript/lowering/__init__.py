"""TypeScript's and JavaScript's syntax → the intermediate representation of `reviewer.code.ir`.

`lower_module` lowers a file; the functions and classes in it are lowered when their bodies are asked for. `find_code` finds the
code of a function in it, with the codes around. Types are left out, but for those of parameters, variables and results.

| TypeScript | lowered to |
|---|---|
| name | `Read` of a variable of the function or one around; `Global` if it is one of the module, or of the language |
| `a.b`; `a[b]` | `Field`; `Item` |
| `a?.b(c)` | an `If` whose body goes on with the chain |
| `f(x)`, `new C(x)`, `` tag`…` `` | `Call`, at the bytes of the call |
| `a && b`, `a \\|\\| b`, `a ?? b`, `a ? b : c` | `If` on parts; where a branch is decided, no value is made |
| `==` and `===` with `null` or `undefined` | `is`; `typeof x === "string"` and `instanceof` an `IsKind` |
| `{a, b: 1, ...c}`, `[a, ...b]` | `Record`, `Sequence`; a getter is an `Unknown` of its function |
| `/x/i` | a `Record` of the kind `RegExp` |
| `{a = 1, ...b} = x` | `Field`s, `If`s and a `Record` |
| `for (;;)`, `while`, `do` | `Loop`s that break where the test fails |
| `for … of`, `for … in` | `Loop` over it, or over the `Cast` of it to its `keys` |
| `switch` | a `Block` of `If`s that each case leaves |
| class | a `Closure` of a code that assigns its methods and static fields; `made` is its constructor, which gives the fields |
| enumeration, namespace | `Assign` of a `Record` |
| `import` | `Assign` of an `Import`; `export default` assigns the name `default` |
"""

from reviewer.languages.typescript.lowering import (
    calls,
    conditions,
    expressions,
    functions,
    literals,
    statements,
    targets,
)
from reviewer.languages.typescript.lowering.functions import find_code, lower_constant, lower_function, lower_module

__all__ = ["find_code", "lower_constant", "lower_function", "lower_module"]

_LOWERS = (calls, conditions, expressions, functions, literals, statements, targets)
"""The modules that lower each kind of syntax, which enter themselves when they are imported."""
