"""The special methods of Python's classes, by the operators that call them.

Source: https://docs.python.org/3/reference/datamodel.html#special-method-names
"""

from reviewer.code.program import Operator, Operators

ARITHMETIC: dict[Operator, str] = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip

OPERATORS = Operators(
    methods={
        "item": ("__getitem__",),
        "missing item": ("__missing__",),
        "set item": ("__setitem__",),
        "delete item": ("__delitem__",),
        "call": ("__call__",),
        "contains": ("__contains__",),
        "length": ("__len__",),
        "text": ("__str__", "__format__", "__repr__"),
        "iterate": ("__iter__",),
        "next": ("__next__",),
        "async iterate": ("__aiter__",),
        "async next": ("__anext__",),
        "enter": ("__enter__",),
        "exit": ("__exit__",),
        "async enter": ("__aenter__",),
        "async exit": ("__aexit__",),
        **{each: (f"__{name}__", f"__i{name}__") for each, name in ARITHMETIC.items()},
    },
    reflected={each: f"__r{name}__" for each, name in ARITHMETIC.items()},
    functions={
        "builtins.len": "length",
        "builtins.str": "text",
        "builtins.format": "text",
        "builtins.next": "next",
        "builtins.anext": "async next",
        "builtins.iter": "iterate",
        "builtins.aiter": "async iterate",
    },
    iterating=frozenset(
        f"builtins.{each}"
        for each in "list tuple set frozenset dict sorted reversed any all sum min max enumerate zip".split()
    ),
)
