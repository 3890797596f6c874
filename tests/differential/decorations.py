"""Strategies for the arguments of a registration: name, texts, hints, meta data."""

from hypothesis import strategies as st

from differential.modules import Draw, Module
from differential.signatures import SERIALIZABLE

TEXTS = {
    "literal": ("", "'Alpha beta'"),
    "constant": ("TEXT = 'Alpha'\n", "TEXT"),
    "f-string": ("WORD = 'Alpha'\n", "f'{WORD} beta'"),
    "f-string of number": ("COUNT = 3\n", "f'at most {COUNT}'"),
    "f-string with a spec": ("COUNT = 3\n", "f'at most {COUNT:>4} and {COUNT!r}'"),
    "concatenation": ("WORD = 'Alpha'\n", "WORD + ' beta' + 'c'"),
    "implicit concatenation": ("", "('Alpha '\n    'beta')"),
    "dedent": ("", 'textwrap.dedent("""\\\n    Alpha\n      beta\n    """)'),
    "dedent and strip": ("", 'textwrap.dedent("""\n    Alpha\n      beta\n    """).strip()'),
    "cleandoc": ("", 'inspect.cleandoc("""Alpha\n      beta\n    """)'),
    "format": ("WORD = 'Alpha'\n", "'{} and {name}'.format(WORD, name='beta')"),
    "percent": ("WORD = 'Alpha'\n", "'%s beta' % WORD"),
    "join": ("WORDS = ['Alpha', 'beta']\n", "', '.join(WORDS)"),
    "upper": ("", "'alpha'.upper()"),
    "multi-line": ("", '"""Alpha\n    beta\n"""'),
    "conditional": ("LONG = True\n", "'Alpha' if LONG else 'beta'"),
    "dict entry": ("ALL = {'a': 'Alpha'}\n", "ALL['a']"),
    "replace": ("", "'Alpha beta'.replace(' ', '-')"),
    "str of number": ("", "'x' + str(3)"),
    "repeat": ("", "'ab' * 2"),
    "slice": ("", "'Alpha beta'[:5]"),
    "enum value": ("class Text(StrEnum):\n    ONE = 'Alpha'\n", "Text.ONE.value"),
    "enum member": ("class Text(StrEnum):\n    ONE = 'Alpha'\n", "Text.ONE"),
    "or": ("EMPTY = ''\n", "EMPTY or 'Alpha'"),
    "None": ("", "None"),
    "empty": ("", "''"),
    "dedent of constant": ('LONG = """\n    Alpha\n    beta\n"""\n', "textwrap.dedent(LONG)"),
    "join over comprehension": ("", "' '.join(each.title() for each in ['alpha', 'beta'])"),
    "unicode escape": ("", r"'\u00e9\N{BULLET} \x41'"),
    "augmented constant": ("TEXT = 'Alpha'\nTEXT += ' beta'\n", "TEXT"),
}
HINTS = {
    "ToolAnnotations": ("", "ToolAnnotations(readOnlyHint=True, title='Hint')"),
    "snake case": ("", "ToolAnnotations(read_only_hint=True, destructive_hint=False)"),
    "constant": ("READ = ToolAnnotations(readOnlyHint=True, idempotentHint=None)\n", "READ"),
    "splat": ("HINTS = {'readOnlyHint': True}\n", "ToolAnnotations(**HINTS)"),
    "None": ("", "None"),
    "empty": ("", "ToolAnnotations()"),
    "open": ("", "ToolAnnotations(openWorldHint=not True)"),
}
METAS = {
    "flat": ("", "{'a': 1, 'b': [True, None, 'x']}"),
    "None inside": ("", "{'a': None, 'b': {'c': None}}"),
    "constant": ("META = {'v': '1'}\n", "META"),
    "merged": ("META = {'v': '1'}\n", "{**META, 'w': 2.5}"),
    "dict call": ("", "dict(a=1)"),
    "empty": ("", "{}"),
    "None": ("", "None"),
}


@st.composite
def decorations(draw: Draw, module: Module, returns: str) -> tuple[str, ...]:
    """Draw the arguments of a registration; constants they need are put into the module."""
    options = module.options
    found = []
    offers: dict[str, list] = {"title": options.offered(TEXTS), "description": options.offered(TEXTS)}
    offers["annotations"] = options.offered(HINTS)
    offers["meta"] = options.offered(METAS)
    for keyword in draw(st.lists(st.sampled_from(sorted(set(offers) - options.without)), unique=True, max_size=3)):
        before, expression = draw(st.sampled_from(offers[keyword]))
        if before and before not in module.blocks:
            module.blocks.append(before)
        found.append(f"{keyword}={expression}")
    if draw(st.integers(0, 2)) == 2:
        found.insert(0, draw(_named(module)))
    if options.framework == "mcp" and draw(st.integers(0, 3)) == 3:
        choices = ["False", "None", *(["True"] if returns in SERIALIZABLE else [])]
        found.append(f"structured_output={draw(st.sampled_from(choices))}")
    if options.framework == "fastmcp" and "tags" not in options.without and draw(st.integers(0, 3)) == 3:
        found.append("tags={'b', 'a'}")
    return tuple(found)


@st.composite
def _named(draw: Draw, module: Module) -> str:
    before, expression = draw(
        st.sampled_from(
            [
                ("", "'renamed'"),
                ("PREFIX = 'fs_'\n", "PREFIX + 'read'"),
                ("PREFIX = 'fs_'\n", "f'{PREFIX}read'"),
                ("", "'re' 'named'"),
                ("", "'{}_{}'.format('fs', 'read')"),
                ("", "None"),
            ]
        )
    )
    if before and before not in module.blocks:
        module.blocks.append(before)
    return f"name={expression}"
