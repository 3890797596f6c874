"""Strategies for types and for what is said of them: nested types, constraints, `Field` and `Annotated`."""

from hypothesis import strategies as st

from differential.modules import Draw, Kind, Module, Options

SCALARS = {
    "str": Kind("str", ("'x'", '""', "'a\\nb'", "'é'", "None"), "text", True),
    "int": Kind("int", ("3", "0", "-1", "10**3", "1_000", "0x1F", "None"), "number", True),
    "float": Kind("float", ("0.5", "1.0", "1e-3", "2", "-0.0", "None"), "number", True),
    "bool": Kind("bool", ("True", "False", "not True"), "", True),
}
LIBRARY = {
    "Any": Kind("Any", ("None", "1", "{}")),
    "object": Kind("object", ("None",)),
    "bytes": Kind("bytes", ("b''", "b'x'")),
    "datetime": Kind("datetime", ("None", "datetime(2024, 1, 2)")),
    "date": Kind("date", ("None", "date(2024, 1, 2)")),
    "time": Kind("time", ("None",)),
    "timedelta": Kind("timedelta", ("None", "timedelta(seconds=90)")),
    "UUID": Kind("UUID", ("None", "UUID('12345678123456781234567812345678')")),
    "Decimal": Kind("Decimal", ("None", "Decimal('1.5')"), "number"),
    "Path": Kind("Path", ("None", "Path('.')", "Path('/data/x')")),
    "PositiveInt": Kind("PositiveInt", ("1",)),
    "HttpUrl": Kind("HttpUrl", ("None",)),
    "SecretStr": Kind("SecretStr", ("None",)),
    "bare list": Kind("list", ("[]", "None", "['x', 1]")),
    "bare dict": Kind("dict", ("{}", "None", "{'a': None}")),
    "bare tuple": Kind("tuple", ("()", "('x',)")),
    "bare set": Kind("set", ("None",)),
    "None": Kind("None", ("None",)),
    "constr": Kind("constr(min_length=1, pattern='^a')", ("'a'",)),
    "conint": Kind("conint(ge=1, lt=9)", ("2",)),
}
LITERALS = {
    "Literal of text": Kind("Literal['fast', 'exact']", ("'fast'",), "", True),
    "Literal of one": Kind("Literal['only']", ("'only'",), "", True),
    "Literal of int": Kind("Literal[1, 2, 3]", ("2",), "", True),
    "Literal of bool": Kind("Literal[True]", ("True",), "", True),
    "Literal of several kinds": Kind("Literal['a', 1, True]", ("1",), "", True),
    "Literal with None": Kind("Literal['a', None]", ("None", "'a'"), "", True),
    "Literal nested": Kind("Literal[Literal['a', 'b'], 'c']", ("'c'",), "", True),
    "Literal twice": Kind("Union[Literal['a'], Literal['b']]", ("'b'",), "", True),
}


def scalars(options: Options) -> st.SearchStrategy[Kind]:
    """Draw a plain type."""
    return st.sampled_from(options.offered(SCALARS))


def _list(kind: Kind) -> Kind:
    return Kind(f"list[{kind.text}]", ("[]", "None", f"[{kind.defaults[0]}]"), "list")


def _dict(kind: Kind) -> Kind:
    return Kind(f"dict[str, {kind.text}]", ("{}", "None", f"{{'k': {kind.defaults[0]}}}"), "list")


def _tuple(kinds: tuple[Kind, Kind]) -> Kind:
    first, second = kinds
    return Kind(f"tuple[{first.text}, {second.text}]", (f"({first.defaults[0]}, {second.defaults[0]})", "None"))


def _open_tuple(kind: Kind) -> Kind:
    return Kind(f"tuple[{kind.text}, ...]", ("()", f"({kind.defaults[0]},)"), "list")


def _union(kinds: tuple[Kind, Kind]) -> Kind:
    return Kind(f"Union[{kinds[0].text}, {kinds[1].text}]", (*kinds[0].defaults[:1], *kinds[1].defaults[:1]))


def _barred(kinds: tuple[Kind, Kind]) -> Kind:
    return Kind(f"{kinds[0].text} | {kinds[1].text}", (*kinds[0].defaults[:1], *kinds[1].defaults[:1]))


def _joinable(kind: Kind) -> bool:
    """Return whether a written type can stand beside `|` without being evaluated to something that cannot."""
    return kind.text != "None"


HASHABLE = [*SCALARS.values(), *LITERALS.values()]
WRAPPED = {
    "list": _list,
    "dict": _dict,
    "open tuple": _open_tuple,
    "List": lambda kind: Kind(f"List[{kind.text}]", _list(kind).defaults, "list"),
    "Dict": lambda kind: Kind(f"Dict[str, {kind.text}]", ("{}",), "list"),
    "dict by int": lambda kind: Kind(f"dict[int, {kind.text}]", (f"{{1: {kind.defaults[0]}}}",)),
    "Sequence": lambda kind: Kind(f"Sequence[{kind.text}]", ("()", "[]")),
    "Mapping": lambda kind: Kind(f"Mapping[str, {kind.text}]", ("{}",)),
    "Iterable": lambda kind: Kind(f"Iterable[{kind.text}]", ("()",)),
}
OPTIONAL = {
    "| None": lambda kind: Kind(f"{kind.text} | None", ("None", *kind.defaults)),
    "Optional": lambda kind: Kind(f"Optional[{kind.text}]", ("None", *kind.defaults)),
}
SETS = {
    "set": lambda kind: Kind(f"set[{kind.text}]", ("set()", f"{{{kind.defaults[0]}}}"), "list"),
    "frozenset": lambda kind: Kind(f"frozenset[{kind.text}]", ("frozenset()",), "list"),
}
JOINED = {"Union": _union, "|": _barred, "tuple": _tuple}


@st.composite
def types(draw: Draw, module: Module, depth: int = 2) -> Kind:
    """Draw a type, nested a few deep."""
    options = module.options
    groups = [SCALARS, LIBRARY, LITERALS, *([WRAPPED, OPTIONAL, SETS, JOINED, None] if depth else [])]
    if module.kinds and draw(st.booleans()):
        return draw(st.sampled_from(module.kinds))
    group = draw(st.sampled_from([each for each in groups if each is None or options.offered(each)]))
    if group is None:
        return (
            draw(annotated(module, types(module, depth - 1))) if "Annotated" not in options.without else SCALARS["str"]
        )
    made = draw(st.sampled_from(options.offered(group)))
    if isinstance(made, Kind):
        return made
    if group is SETS:
        return made(draw(st.sampled_from(HASHABLE)))
    inner = [draw(types(module, depth - 1)) for _ in range(2 if group is JOINED else 1)]
    if group in (JOINED, OPTIONAL):
        inner = [kind if _joinable(kind) else SCALARS["int"] for kind in inner]
    return made((inner[0], inner[1])) if group is JOINED else made(inner[0])


CONSTRAINTS = {
    "text": ("min_length=1", "max_length=9", "pattern='^a+$'", "pattern=r'^\\d{3}$'"),
    "number": ("ge=1", "le=9", "gt=0", "lt=10", "multiple_of=2", "ge=1, le=5"),
    "list": ("min_length=1", "max_length=9"),
    "": (),
}
REMARKS = {
    "description": "description='What it is.'",
    "multi-line description": "description='''Two\n    lines.'''",
    "joined description": "description='one ' 'two'",
    "empty description": "description=''",
    "examples": "examples=['a', 'b']",
    "title": "title='Own Title'",
    "json_schema_extra": "json_schema_extra={'x-kind': 'path', 'format': 'own'}",
    "deprecated": "deprecated=True",
}
ALIASES = {
    "alias": "alias='from'",
    "validation_alias": "validation_alias='fromThere'",
    "serialization_alias": "serialization_alias='out'",
    "AliasChoices": "validation_alias=AliasChoices('one', 'two')",
}


@st.composite
def remarks(draw: Draw, options: Options, family: str, *, aliases: bool = False) -> list[str]:
    """Draw the keywords of a `Field(...)` without its default."""
    found = []
    if CONSTRAINTS[family] and "constraints" not in options.without:
        found += draw(st.lists(st.sampled_from(CONSTRAINTS[family]), max_size=1))
    found += draw(st.lists(st.sampled_from(options.offered(REMARKS)), max_size=2, unique_by=lambda each: each[:9]))
    if aliases and options.offered(ALIASES):
        found += draw(st.lists(st.sampled_from(options.offered(ALIASES)), max_size=1))
    return list(dict.fromkeys(found))


@st.composite
def annotated(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind], *, aliases: bool = False) -> Kind:
    """Draw `Annotated[T, Field(...)]` or `Annotated[T, "text"]`."""
    kind = draw(kinds)
    metadata = {
        "Field in Annotated": remarks(module.options, kind.family, aliases=aliases).map(
            lambda each: f"Field({', '.join(each)})"
        ),
        "text in Annotated": st.sampled_from(["'A text.'", "'one ' 'two'", "'first', 'second'"]),
        "text and Field": remarks(module.options, kind.family).map(lambda each: f"'A text.', Field({', '.join(each)})"),
    }
    offered = module.options.offered(metadata)
    if not offered:
        return kind
    return Kind(f"Annotated[{kind.text}, {draw(st.one_of(offered))}]", kind.defaults, kind.family)


@st.composite
def field_default(draw: Draw, options: Options, kind: Kind, required: bool) -> str:
    """Draw what stands in `Field(...)`, with its default unless it is required."""
    said = draw(remarks(options, kind.family, aliases=True))
    if required:
        return ", ".join([*draw(st.sampled_from([[], ["..."]])), *said])
    default = draw(st.sampled_from(kind.defaults))
    forms = {"positional": [default], "default=": [f"default={default}"], "default_factory": ["default_factory=list"]}
    return ", ".join([*draw(st.sampled_from(options.offered(forms))), *said])
