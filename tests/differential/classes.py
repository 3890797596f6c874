"""Strategies for classes and aliases that a module defines: enumerations, models, dataclasses and more."""

from hypothesis import strategies as st

from differential.kinds import annotated, field_default, types
from differential.modules import Draw, Kind, Module

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
        "Field default": f" = Field({draw(field_default(options, kind, draw(st.booleans())))})",
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
