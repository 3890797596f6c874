"""Strategies that write the source text of server modules: signatures, types, classes, docstrings, registrations."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st

Framework = Literal["mcp", "fastmcp"]
Draw = Callable[[st.SearchStrategy], object]

SERVER = {
    "mcp": "from mcp.server import MCPServer\nserver = MCPServer('demo')\n",
    "fastmcp": "from fastmcp import FastMCP\nserver = FastMCP('demo')\n",
}
CONTEXT = {"mcp": "from mcp.server.mcpserver import Context", "fastmcp": "from fastmcp import Context"}
MODULES = {
    "typing": "Annotated Any ClassVar Dict Generic Iterable List Literal Mapping NewType Optional Sequence Tuple"
    " TypeAlias TypeVar Union",
    "typing_extensions": "NotRequired Required TypedDict",
    "pydantic": "AliasChoices BaseModel ConfigDict Field HttpUrl PositiveInt RootModel SecretStr conint constr"
    " field_validator model_validator computed_field",
    "enum": "Enum IntEnum StrEnum auto",
    "datetime": "date datetime time timedelta",
    "uuid": "UUID",
    "decimal": "Decimal",
    "pathlib": "Path",
    "pydantic.alias_generators": "to_camel",
    "dataclasses": "dataclass",
    "mcp.types": "CallToolResult TextContent ImageContent ToolAnnotations",
}
WHOLE = ("dataclasses", "functools", "inspect", "textwrap", "pydantic", "typing", "enum")
"""Modules that are imported as such where a text says `module.name`."""


@dataclass(frozen=True)
class Kind:
    """A type as written, with defaults that fit it. `family` says which constraints it takes."""

    text: str
    defaults: tuple[str, ...] = ("None",)
    family: str = ""
    hashable: bool = False


@dataclass(frozen=True)
class Options:
    """What a module may hold. `without` names constructs that are left out, to look past a known difference."""

    framework: Framework = "mcp"
    without: frozenset[str] = frozenset()

    def offered(self, choices: dict[str, object]) -> list:
        """Give the choices that are not left out."""
        return [choice for tag, choice in choices.items() if tag not in self.without]


@dataclass
class Module:
    """A module that is being written: definitions so far, and what types they gave."""

    options: Options
    blocks: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    future: bool = False

    def fresh(self, stem: str) -> str:
        """Give a name that no definition has yet."""
        return f"{stem}{len(self.blocks) or ''}"


@dataclass(frozen=True)
class Function:
    """A tool function: its `def` without decorators, and the arguments of its registration."""

    name: str
    text: str
    arguments: tuple[str, ...] = ()


# ---------------------------------------------------------------- types

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
    """Tell whether a written type can stand beside `|` without being evaluated to something that cannot."""
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


# ---------------------------------------------------------------- classes

CLASS_DOCS = {
    "no text": "",
    "text": '    """A thing.\n\n    More of it.\n    """\n',
    "raw text": '    r"""A \\thing."""\n',
}
ENUMS = {
    "Enum": "class {name}(Enum):\n{doc}    ONE = 'one'\n    TWO = 'two'\n",
    "str Enum": "class {name}(str, Enum):\n{doc}    ONE = 'one'\n    TWO = 'two'\n",
    "StrEnum": "class {name}(StrEnum):\n{doc}    ONE = 'one'\n    TWO = auto()\n",
    "IntEnum": "class {name}(IntEnum):\n{doc}    ONE = 1\n    TWO = 2\n",
    "int Enum": "class {name}(int, Enum):\n{doc}    ONE = 1\n    TWO = 2\n",
    "mixed Enum": "class {name}(Enum):\n{doc}    ONE = 1\n    TWO = 'two'\n",
    "Enum with auto": "class {name}(Enum):\n{doc}    ONE = auto()\n    TWO = auto()\n",
    "Enum with a method": "class {name}(Enum):\n{doc}    ONE = 'one'\n    TWO = ONE\n\n"
    "    def shout(self):\n        return 'x'\n",
    "Enum of one": "class {name}(Enum):\n{doc}    ONE = 'one'\n",
    "Enum call": "{name} = Enum('{name}', ['ONE', 'TWO'])\n",
}
CONFIGS = {
    "no config": "",
    "forbid": "    model_config = ConfigDict(extra='forbid')\n",
    "allow": "    model_config = ConfigDict(extra='allow')\n",
    "config dict": "    model_config = {'extra': 'forbid'}\n",
    "config title": "    model_config = ConfigDict(title='Own Title')\n",
    "config json_schema_extra": "    model_config = ConfigDict(json_schema_extra={'examples': [{'a': 1}]})\n",
    "populate_by_name": "    model_config = ConfigDict(populate_by_name=True, frozen=True)\n",
    "str_max_length": "    model_config = ConfigDict(str_max_length=9, str_strip_whitespace=True)\n",
    "use_enum_values": "    model_config = ConfigDict(use_enum_values=True)\n",
    "alias_generator": "    model_config = ConfigDict(alias_generator=to_camel)\n",
    "use_attribute_docstrings": "    model_config = ConfigDict(use_attribute_docstrings=True)\n",
    "Config class": "    class Config:\n        extra = 'forbid'\n",
}
BODIES = {
    "plain body": "",
    "field_validator": "\n    @field_validator('*')\n    @classmethod\n"
    "    def check(cls, value):\n        return value\n",
    "before validator": "\n    @field_validator('*', mode='before')\n    @classmethod\n"
    "    def check(cls, value):\n        return value\n",
    "model_validator": "\n    @model_validator(mode='after')\n    def whole(self):\n        return self\n",
    "property": "\n    @property\n    def total_size(self) -> int:\n        return 1\n",
    "computed_field": "\n    @computed_field\n    @property\n    def total_size(self) -> int:\n        return 1\n",
    "ClassVar": "    LIMIT: ClassVar[int] = 3\n",
    "private": "    _cache: int = 3\n",
    "attribute docstring": "    extra_one: int = 1\n    '''What it is.'''\n",
}
FIELDS = ["name", "size", "parent_id", "modeOf", "tags"]


@st.composite
def enums(draw: Draw, module: Module) -> Kind:
    """Write an enumeration into the module."""
    name = module.fresh("Mode")
    text = draw(st.sampled_from(module.options.offered(ENUMS)))
    module.blocks.append(text.format(name=name, doc=draw(st.sampled_from(module.options.offered(CLASS_DOCS)))))
    return Kind(name, (f"{name}.ONE", "None"), "", True)


@st.composite
def _fields(draw: Draw, module: Module, name: str, kinds: st.SearchStrategy[Kind]) -> str:
    names = draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3, unique=True))
    lines = [draw(_model_field(module, each, kinds)) for each in names]
    if "recursion" not in module.options.without and draw(st.integers(0, 4)) == 4:
        text = draw(st.sampled_from(["list['{}']", "'{} | None'", "Optional['{}']"])).format(name)
        lines.append(f"children: {text} = {'None' if 'list' not in text else '[]'}")
    return "".join(f"    {line}\n" for line in lines)


@st.composite
def _model_field(draw: Draw, module: Module, name: str, kinds: st.SearchStrategy[Kind]) -> str:
    options = module.options
    kind = draw(annotated(module, kinds, aliases=True) if draw(st.integers(0, 2)) == 2 else kinds)
    forms = {
        "required": "",
        "default": f" = {draw(st.sampled_from(kind.defaults))}",
        "Field default": f" = Field({draw(_field_default(options, kind, draw(st.booleans())))})",
    }
    return f"{name}: {kind.text}{draw(st.sampled_from(options.offered(forms)))}"


@st.composite
def models(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a pydantic model into the module, perhaps on the base of another."""
    options, name = module.options, module.fresh("Thing")
    bases = [kind.text for kind in module.kinds if kind.family == "" and kind.text.startswith("Thing")]
    base = draw(st.sampled_from(["BaseModel", *bases])) if "inheritance" not in options.without else "BaseModel"
    doc = draw(st.sampled_from(options.offered(CLASS_DOCS)))
    config, body = draw(st.sampled_from(options.offered(CONFIGS))), draw(st.sampled_from(options.offered(BODIES)))
    module.blocks.append(f"class {name}({base}):\n{doc}{config}{draw(_fields(module, name, kinds))}{body}")
    return Kind(name, ("None",))


@st.composite
def dataclasses(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a dataclass into the module."""
    options, name = module.options, module.fresh("Record")
    doc = draw(st.sampled_from(options.offered(CLASS_DOCS)))
    mark = draw(
        st.sampled_from(
            options.offered(
                {
                    "dataclass": "@dataclass",
                    "frozen dataclass": "@dataclass(frozen=True)",
                    "dataclasses.": "@dataclasses.dataclass",
                }
            )
        )
    )
    lines = [f"    {each}: {draw(kinds).text}\n" for each in draw(_some(FIELDS))]
    endings = {
        "no default": "",
        "dataclass default": "    last: int = 3\n",
        "dataclass factory": "    last: list[str] = dataclasses.field(default_factory=list)\n",
        "dataclass Field": "    last: int = Field(3, description='D', ge=1)\n",
        "dataclass Annotated": "    last: Annotated[int, Field(description='D')] = 3\n",
        "dataclass None": "    last: str | None = None\n",
    }
    ending = draw(st.sampled_from(options.offered(endings)))
    module.blocks.append(f"{mark}\nclass {name}:\n{doc}{''.join(lines)}{ending}")
    return Kind(name, ("None",))


@st.composite
def typed_dicts(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a TypedDict into the module."""
    options, name = module.options, module.fresh("Row")
    doc = draw(st.sampled_from(options.offered(CLASS_DOCS)))
    total = draw(st.sampled_from(options.offered({"total": "", "total=False": ", total=False"})))
    marks = options.offered({"plain key": "{}", "NotRequired": "NotRequired[{}]", "Required": "Required[{}]"})
    lines = [f"    {each}: {draw(st.sampled_from(marks)).format(draw(kinds).text)}\n" for each in draw(_some(FIELDS))]
    module.blocks.append(f"class {name}(TypedDict{total}):\n{doc}{''.join(lines)}")
    return Kind(name, ("None", "{}"))


@st.composite
def roots(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a RootModel into the module."""
    name = module.fresh("Root")
    kind = draw(kinds)
    forms = {
        "RootModel[T]": f"class {name}(RootModel[{kind.text}]):\n    pass\n",
        "root annotation": f"class {name}(RootModel):\n    root: {kind.text}\n",
        "RootModel with text": f"class {name}(RootModel[{kind.text}]):\n    '''A root.'''\n",
    }
    module.blocks.append(draw(st.sampled_from(module.options.offered(forms))))
    return Kind(name, ("None",))


@st.composite
def aliases(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a type alias into the module."""
    name = module.fresh("Alias")
    kind = draw(annotated(module, kinds) if draw(st.booleans()) else kinds)
    forms = {"assigned": "{} = {}\n", "TypeAlias": "{}: TypeAlias = {}\n", "NewType": "{0} = NewType('{0}', {1})\n"}
    module.blocks.append(draw(st.sampled_from(module.options.offered(forms))).format(name, kind.text))
    return Kind(name, kind.defaults, kind.family)


@st.composite
def generics(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> Kind:
    """Write a generic model into the module and give it with an argument."""
    name = module.fresh("Page")
    doc = draw(st.sampled_from(module.options.offered(CLASS_DOCS)))
    module.blocks.append(
        f"T = TypeVar('T')\nclass {name}(BaseModel, Generic[T]):\n{doc}    items: list[T]\n    next: T | None = None\n"
    )
    return Kind(draw(st.sampled_from([f"{name}[{draw(kinds).text}]", name])), ("None",))


@st.composite
def _some(draw: Draw, names: list[str]) -> list[str]:
    return draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))


CLASSES = {
    "enums": lambda module, _kinds: enums(module),
    "models": models,
    "dataclasses": dataclasses,
    "typed dicts": typed_dicts,
    "root models": roots,
    "aliases": aliases,
    "generic models": generics,
}


@st.composite
def definitions(draw: Draw, module: Module, *, only: str | None = None) -> list[Kind]:
    """Write one to three classes or aliases into the module, each open to those that follow."""
    for _ in range(draw(st.integers(1, 3))):
        offered = module.options.offered(CLASSES) if only is None else [CLASSES[only]]
        make = draw(st.sampled_from(offered))
        module.kinds.append(draw(make(module, types(module))))
    return module.kinds


# ---------------------------------------------------------------- parameters

NAMES = ["path", "limit", "query", "max_items", "userId", "type", "x1", "class_", "größe", "HTTPUrl", "a__b", "format"]
TAKEN = ["schema", "copy", "json", "validate", "dict", "construct", "model_name", "model_config"]
"""Names that mean something on a pydantic model."""


@dataclass(frozen=True)
class Parameter:
    """A parameter as written, and whether Python takes it as one with a default."""

    text: str
    defaulted: bool


UNTYPED = ["1", "None", "[]", "''"]


@st.composite
def parameters(
    draw: Draw, module: Module, kinds: st.SearchStrategy[Kind], name: str, *, required: bool | None = None
) -> Parameter:
    """Draw one parameter with its annotation and default; `required` as the framework sees it."""
    options = module.options
    required = draw(st.booleans()) if required is None else required
    style = draw(st.sampled_from(options.offered({"typed": "typed", "untyped": "untyped", "marked": "marked"})))
    if style == "untyped":
        return Parameter(name if required else f"{name}={draw(st.sampled_from(UNTYPED))}", not required)
    kind = draw(annotated(module, kinds, aliases=True) if style == "marked" else kinds)
    quoted = "string annotation" not in options.without and not module.future and draw(st.integers(0, 5)) == 5
    text = repr(kind.text) if quoted else kind.text
    if "Field default" not in options.without and draw(st.integers(0, 3)) == 3:
        return Parameter(f"{name}: {text} = Field({draw(_field_default(options, kind, required))})", True)
    if required:
        return Parameter(f"{name}: {text}", False)
    return Parameter(f"{name}: {text} = {draw(st.sampled_from(kind.defaults))}", True)


@st.composite
def _field_default(draw: Draw, options: Options, kind: Kind, required: bool) -> str:
    said = draw(remarks(options, kind.family, aliases=True))
    if required:
        return ", ".join([*draw(st.sampled_from([[], ["..."]])), *said])
    default = draw(st.sampled_from(kind.defaults))
    forms = {"positional": [default], "default=": [f"default={default}"], "default_factory": ["default_factory=list"]}
    return ", ".join([*draw(st.sampled_from(options.offered(forms))), *said])


@st.composite
def signatures(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> str:
    """Draw what stands between the parentheses of a `def`: without default, with default, keyword-only."""
    options = module.options
    pool = NAMES + (TAKEN if "taken names" not in options.without else [])
    names = draw(st.lists(st.sampled_from(pool), max_size=5, unique=True))
    drawn = [draw(parameters(module, kinds, name)) for name in names]
    split = len(drawn) - (draw(st.integers(0, len(drawn))) if "keyword-only" not in options.without else 0)
    plain = draw(_with_context(options, [each.text for each in drawn[:split] if not each.defaulted]))
    if (
        plain
        and options.framework == "mcp"
        and "positional-only" not in options.without
        and draw(st.integers(0, 7)) == 7
    ):
        plain.append("/")
    parts = [*plain, *(each.text for each in drawn[:split] if each.defaulted)]
    if drawn[split:]:
        parts += ["*", *(each.text for each in drawn[split:])]
    if options.framework == "mcp" and "splat" not in options.without and draw(st.integers(0, 15)) == 15:
        parts.append("**extra: int")
    return ", ".join(parts)


@st.composite
def _with_context(draw: Draw, options: Options, plain: list[str]) -> list[str]:
    """Put a context parameter between others."""
    forms = {"Context": "Context", "Context | None": "Context | None", "quoted Context": "'Context'"}
    offered = options.offered(forms)
    if not offered or draw(st.integers(0, 3)) != 3:
        return plain
    name = draw(st.sampled_from(["ctx", "context", "c", "request"]))
    place = draw(st.integers(0, len(plain)))
    return [*plain[:place], f"{name}: {draw(st.sampled_from(offered))}", *plain[place:]]


# ---------------------------------------------------------------- docstrings

LAYOUTS = {
    "none": "",
    "one line": '"""Read a file."""',
    "single quotes": "'Read a file.'",
    "comment before": '# a remark\n    """Read a file."""',
    "blanks around": '"""  Read a file.   """',
    "trailing lines": '"""Read a file.\n\n    """',
    "first line empty": '"""\n    Read a file.\n\n    More of it.\n    """',
    "several lines": '"""Read a file.\n\n    More of it,\n      indented.\n    """',
    "raw": 'r"""Read \\d+ files.\\n"""',
    "escapes": '"""Read\\ta \\"file\\".\\nNext \\u00e9 \\x41 \\\n    line."""',
    "unicode": '"""Größe – 文件 🎉."""',
    "tabs": '"""Read.\n\n\tTabbed.\n    \tBoth.\n    """',
    "implicit concatenation": '"Read " "a file."',
    "parenthesised": '("Read "\n     "a file.")',
    "f-string": 'f"""Read a file."""',
    "bytes": 'b"""Read a file."""',
    "second statement": 'pass\n    """Read a file."""',
    "empty": '""""""',
    "only blanks": '"""   """',
    "Args": '"""Read a file.\n\n    Args:\n        path: Where it is.\n        limit: How much,\n            at most.\n'
    '    """',
    "Args typed": '"""Read.\n\n    Args:\n        path (str): Where: there.\n'
    "        query (list[str], optional): What.\n"
    '    """',
    "Args and Returns": '"""Read a file.\n\n    Args:\n        path: Where it is.\n\n'
    '    Returns:\n        The text.\n    """',
    "Returns": '"""Read a file.\n\n    Returns:\n        The text.\n    """',
    "Args unknown": '"""Read a file.\n\n    Args:\n        other: Nothing of ours.\n    """',
    "text after Args": '"""Read.\n\n    Args:\n        path: Where.\n\n    After all that.\n    """',
    "Args empty": '"""Read.\n\n    Args:\n    """',
    "Example": '"""Read.\n\n    Example:\n        >>> read("x")\n    """',
    "Raises and Note": '"""Read.\n\n    Raises:\n        ValueError: if bad\n\n    Note:\n        Slow.\n    """',
    "sphinx": '"""Read.\n\n    :param path: Where it is.\n    :returns: The text.\n    """',
    "numpy": '"""Read.\n\n    Parameters\n    ----------\n    path : str\n        Where it is.\n    """',
    "bullets": '"""Read.\n\n    - one: two\n    - three\n    """',
    "colon": '"""Usage: read it.\n\n    Args: none\n    """',
    "Args first": '"""\n    Args:\n        path: Where it is.\n    """',
    "Parameters": '"""Read.\n\n    Parameters:\n        path: Where it is.\n    """',
    "Args with blank lines": '"""Read.\n\n    Args:\n        path: One.\n\n        limit: Two.\n    """',
    "Args bulleted": '"""Read.\n\n    Args:\n        - path: One.\n        * limit: Two.\n    """',
    "return annotated": '"""Read.\n\n    Returns:\n        str: The text.\n    """',
    "CRLF": '"""Read.\\r\\n\\r\\n    More."""',
    "code fence": '"""Read.\n\n    ```python\n    Args:\n        path: no\n    ```\n    """',
    "Args indented text": '"""Read.\n\n    Args:\n      path: two blanks\n      limit:\n        below\n    """',
}


def docstrings(options: Options) -> st.SearchStrategy[str]:
    """Draw a docstring with its quotes, indented by four; empty for none."""
    return st.sampled_from(options.offered(LAYOUTS))


# ---------------------------------------------------------------- decorator arguments

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


# ---------------------------------------------------------------- functions

SERIALIZABLE = frozenset({" -> str", " -> int", " -> list[str]", " -> dict[str, int]", " -> bool", " -> float"})
RETURNS = {
    "none": "",
    "None": " -> None",
    "str": " -> str",
    "int": " -> int",
    "bool": " -> bool",
    "bytes": " -> bytes",
    "list": " -> list[str]",
    "bare list": " -> list",
    "dict": " -> dict[str, int]",
    "dict of Any": " -> dict[str, Any]",
    "bare dict": " -> dict",
    "dict by int": " -> dict[int, str]",
    "Any": " -> Any",
    "union": " -> int | str",
    "optional": " -> str | None",
    "Optional": " -> Optional[list[int]]",
    "tuple": " -> tuple[int, str]",
    "CallToolResult": " -> CallToolResult",
    "Annotated CallToolResult": " -> Annotated[CallToolResult, dict[str, int]]",
    "TextContent": " -> TextContent",
    "list of TextContent": " -> list[TextContent]",
    "content or str": " -> list[TextContent | ImageContent] | str",
    "Image": " -> Image",
    "list of Image": " -> list[Image | str]",
    "quoted": " -> 'list[str]'",
    "Annotated": " -> Annotated[int, Field(description='D', ge=1)]",
    "set": " -> set[int]",
    "datetime": " -> datetime",
    "Literal": " -> Literal['a', 'b']",
    "object": " -> object",
}


@st.composite
def returns(draw: Draw, module: Module) -> str:
    """Draw a return annotation with its arrow, or nothing."""
    forms = st.sampled_from(module.options.offered(RETURNS))
    own = [f" -> {form.format(kind.text)}" for kind in module.kinds for form in ("{}", "list[{}]", "{} | None")]
    return draw(st.one_of(forms, st.sampled_from(own)) if own else forms)


def define(name: str, signature: str, docstring: str = "", result: str = "", *, asynchronous: bool = False) -> str:
    """Write a function."""
    body = f"    {docstring}\n    return None" if docstring else "    return None"
    return f"{'async ' if asynchronous else ''}def {name}({signature}){result}:\n{body}\n"


# ---------------------------------------------------------------- registrations


def _decorator(each: Function) -> str:
    return f"@server.tool({', '.join(each.arguments)})\n{each.text}"


def _called(each: Function) -> str:
    return f"{each.text}server.tool({', '.join(each.arguments)})({each.name})\n"


def _added(each: Function) -> str:
    return f"{each.text}server.add_tool({', '.join([each.name, *each.arguments])})\n"


def _in_register(each: Function) -> str:
    body = _indented(_decorator(each).replace("@server", "@target"))
    return f"def register_{each.name}(target):\n{body}\nregister_{each.name}(server)\n"


def _own_decorator(each: Function) -> str:
    return (
        "def traced(fn):\n    @functools.wraps(fn)\n"
        "    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n"
        f"    return server.tool({', '.join(each.arguments)})(inner)\n@traced\n{each.text}"
    )


def _own_factory(each: Function) -> str:
    return (
        "def registered(**options):\n    def take(fn):\n        @functools.wraps(fn)\n"
        "        async def inner(*args, **kwargs):\n            return fn(*args, **kwargs)\n"
        "        server.tool(**options)(inner)\n        return fn\n    return take\n"
        f"@registered({', '.join(each.arguments)})\n{each.text}"
    )


def _wrapped_inside(each: Function) -> str:
    return (
        "def logged(fn):\n    @functools.wraps(fn)\n"
        "    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n"
        f"    return inner\n@server.tool({', '.join(each.arguments)})\n@logged\n{each.text}"
    )


def _looped(each: Function) -> str:
    more = "" if any(part.startswith("name=") for part in each.arguments) else " ping"
    loop = f"for each in ({each.name},{more}):\n    server.tool({', '.join(each.arguments)})(each)\n"
    return f"{each.text}def ping():\n    pass\n{loop}"


def _looped_over_pairs(each: Function) -> str:
    pair = f"({each.name}, dict({', '.join(each.arguments)}))"
    return f"{each.text}for fn, options in [{pair}]:\n    server.tool(**options)(fn)\n"


def _method(each: Function) -> str:
    text = re.sub(r"^((?:async )?def \w+\()", r"\1self, ", each.text).replace("(self, )", "(self)")
    return f"class Holder:\n{_indented(text)}\nserver.tool({', '.join(each.arguments)})(Holder().{each.name})\n"


def _conditional(each: Function) -> str:
    return f"ENABLED = True\nif ENABLED:\n{_indented(_decorator(each))}"


def _partial(each: Function) -> str:
    return f"{each.text}add = functools.partial(server.tool, {', '.join(each.arguments)})\nadd()({each.name})\n"


FORMS = {
    "decorator": _decorator,
    "called": _called,
    "register function": _in_register,
    "own decorator": _own_decorator,
    "own factory": _own_factory,
    "wrapped inside": _wrapped_inside,
    "loop": _looped,
    "loop over pairs": _looped_over_pairs,
    "method": _method,
    "condition": _conditional,
    "partial": _partial,
}


def _indented(text: str) -> str:
    """Indent code by four, but not the inner lines of its strings, whose text would change."""
    lines, inside = [], False
    for line in text.splitlines():
        lines.append(line if inside or not line else f"    {line}")
        inside ^= (line.count('"""') + line.count("'''")) % 2 == 1
    return "\n".join(lines) + "\n"


BEYOND_PLAIN = frozenset(
    [
        *("f-string with a spec", "slice", "constr", "conint", "Enum call", "AliasChoices", "partial", "conditional"),
        *("Config class", "alias_generator", "join over comprehension", "loop over pairs", "splat", "merged"),
        "Annotated CallToolResult",
    ]
)
"""Constructs that need not be readable, as long as the reading says so."""


def registrations(options: Options) -> st.SearchStrategy[Callable[[Function], str]]:
    """Draw the way in which a function becomes a tool."""
    forms = FORMS | ({"add_tool": _added} if options.framework == "mcp" else {})
    return st.sampled_from(options.offered(forms))


# ---------------------------------------------------------------- modules


def whole(module: Module, body: str) -> str:
    """Put a module together: imports that are needed, the server, definitions, tools."""
    below = "\n".join([*module.blocks, body])
    imports = [
        f"from {origin} import {', '.join(used)}\n"
        for origin, names in MODULES.items()
        if (used := [name for name in names.split() if re.search(rf"(?<![\w.]){name}\b", below)])
    ]
    imports += [f"import {name}\n" for name in WHOLE if re.search(rf"(?<![\w.]){name}\.", below)]
    if "Context" in below:
        imports.append(CONTEXT[module.options.framework] + "\n")
    if re.search(r"(?<!\w)Image\b", below):
        origin = "mcp.server.mcpserver" if module.options.framework == "mcp" else "fastmcp.utilities.types"
        imports.append(f"from {origin} import Image\n")
    future = "from __future__ import annotations\n" if module.future else ""
    return f"{future}{''.join(imports)}{SERVER[module.options.framework]}{below}"
