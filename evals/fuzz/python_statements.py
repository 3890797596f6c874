"""Python statements from a grammar: at the top of a module, and in the bodies of tools."""

from random import Random

from forms import forms
from python_types import Types
from python_values import Values
from values import NAMES, chance

TOP = forms("python", "top")
BODY = forms("python", "body")
TAIL = forms("python", "tail")
SHAPED = forms("python", "shaped")


class Statements:
    """Makes statements."""

    def __init__(self, random: Random, values: Values, types: Types) -> None:
        self.random = random
        self.values = values
        self.types = types

    def top(self) -> str:
        """Return a statement of a module."""
        random = self.random
        if chance(random, 3):
            return self.iter_repeated_keys()
        name = random.choice(["x", "y", "table", "DEFAULT"])
        self.values.names.append(name)
        return self._made(random.choice(TOP), name)

    def iter_repeated_keys(self) -> str:
        """Return a statement that nests or repeats a few hundred times."""
        random, count = self.random, self.random.choice([20, 120, 400])
        return random.choice(
            (
                lambda: "x = " + "(" * count + "1" + ")" * count,
                lambda: "x = " + "[" * count + "]" * count,
                lambda: "x = " + "-" * count + "1",
                lambda: "x = " + " + ".join(["'a'"] * count),
                lambda: "x = y" + ".a()" * count,
                lambda: "x = y" + "[0]" * count,
                lambda: "x = " + "lambda: " * count + "1",
                lambda: "x = " + "1 if y else " * count + "2",
                lambda: "\n".join(f"def f{n}(x=1): return f{n + 1}(x)" for n in range(count)) + "\ny = f0()",
                lambda: "\n".join(f"x{n} = x{max(n - 1, 0)}" for n in range(count)),
                lambda: "\n".join("if x: y = 1" for _ in range(count)),
                lambda: "\n".join(f"# mcp-review: ignore[tool-name-style] {n}" for n in range(count)),
                lambda: "\n".join(f"class C{n}(C{max(n - 1, 0)}): pass" for n in range(count)),
                lambda: (
                    "".join("  " * depth + random.choice(SHAPED) for depth in range(min(count, 90)))
                    + "  " * 90
                    + "pass"
                ),
                lambda: "x: " + "list[" * count + "int" + "]" * count,
            )
        )()

    def body(self) -> str:
        """Return the body of a function, not indented."""
        return "\n".join(self.simple() for _ in range(self.random.randint(1, 4)))

    def simple(self) -> str:
        """Return a statement of a body."""
        return self._made(self.random.choice(BODY), self.random.choice(NAMES))

    def tail(self) -> str:
        """Return what a module ends in."""
        return self._made(self.random.choice(TAIL), "x")

    def _made(self, form: str, name: str) -> str:
        while "{value}" in form:
            form = form.replace("{value}", self.values.make(2).replace("{", "{{").replace("}", "}}"), 1)
        return form.format(
            name=name, Name=name.title().replace("_", ""), other=self.random.choice(NAMES), type=self.types.make(2)
        )
