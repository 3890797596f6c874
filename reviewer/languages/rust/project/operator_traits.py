"""The methods of the traits by which Rust's operators are told what to do.

Source: https://doc.rust-lang.org/std/ops/index.html, https://doc.rust-lang.org/std/iter/trait.IntoIterator.html,
https://doc.rust-lang.org/std/fmt/trait.Display.html, https://doc.rust-lang.org/std/ops/trait.Deref.html
"""

from reviewer.code.program import Operator, Operators

ARITHMETIC: dict[Operator, str] = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bitand", "|": "bitor", "^": "bitxor",
    "<<": "shl", ">>": "shr",
}  # fmt: skip

OPERATORS = Operators(
    methods={
        "item": ("index", "index_mut"),
        "iterate": ("into_iter",),
        "next": ("next",),
        "text": ("fmt",),
        "stands for": ("deref",),
        **{each: (name, f"{name}_assign") for each, name in ARITHMETIC.items()},
    },
    functions={".to_string": "text"},
    iterating=frozenset(
        f".{each}"
        for each in "all any chain collect count cycle enumerate filter filter_map find find_map flat_map flatten fold for_each "
        "inspect last map map_while max max_by max_by_key min min_by min_by_key nth partition peekable position product reduce "
        "rev scan skip skip_while step_by sum take take_while try_fold try_for_each unzip zip".split()
    ),
    reading={"parse": "from_str", "into": "from", "try_into": "try_from"},
    writes_text=True,
)
