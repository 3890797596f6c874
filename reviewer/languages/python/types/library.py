"""Types from outside the project that may be rebuilt, by name: of the standard library, pydantic, and the frameworks."""

from typing import Any, Union, get_args, get_origin

from reviewer.schema.python.stand_ins import Answer, Content, InputRequired

LIBRARY = {
    "builtins": "str int float bool bytes bytearray complex list dict tuple set frozenset object type",
    "typing": "Any Optional Union List Dict Tuple Set FrozenSet Sequence Mapping MutableMapping Iterable Literal Annotated Type"
    " Callable Hashable Text Required NotRequired Deque Collection MutableSequence Iterator OrderedDict DefaultDict ReadOnly"
    " Generic AnyStr AbstractSet MutableSet LiteralString Pattern Counter Never NoReturn",
    "collections.abc": "Sequence Mapping MutableMapping Iterable Callable Hashable Collection MutableSequence Set Iterator"
    " MutableSet",
    "collections": "OrderedDict defaultdict deque Counter",
    "datetime": "datetime date time timedelta",
    "uuid": "UUID UUID1 UUID3 UUID4 UUID5",
    "pathlib": "Path PurePath PosixPath PurePosixPath",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "ipaddress": "IPv4Address IPv6Address IPv4Network IPv6Network IPv4Interface IPv6Interface",
    "re": "Pattern",
    "types": "NoneType",
    "pydantic": "AnyUrl AnyHttpUrl HttpUrl FileUrl SecretStr SecretBytes Json PositiveInt NegativeInt NonNegativeInt"
    " NonPositiveInt PositiveFloat NegativeFloat NonNegativeFloat NonPositiveFloat StrictStr StrictInt StrictBool StrictFloat"
    " FilePath DirectoryPath NewPath UUID1 UUID3 UUID4 UUID5 Base64Str Base64Bytes AwareDatetime NaiveDatetime PastDate"
    " FutureDate PastDatetime FutureDatetime ByteSize JsonValue FiniteFloat WebsocketUrl FtpUrl PostgresDsn RedisDsn MongoDsn"
    " MySQLDsn StrictBytes BaseModel SerializeAsAny InstanceOf",
}
ALIASES = {"typing_extensions": "typing", "pydantic.types": "pydantic", "pydantic.networks": "pydantic"}
EXTENDED = frozenset({"Required", "NotRequired", "ReadOnly"})
"""Names that only `typing_extensions` has on every supported Python."""
# pydantic's functions that make a type. They are called as the code calls them, so only these.
CONSTRAINED = frozenset({"constr", "conint", "confloat", "conlist", "conset", "condecimal", "conbytes", "confrozenset"})
MARKERS: dict[str, type] = {
    **dict.fromkeys(
        "TextContent ImageContent AudioContent EmbeddedResource ResourceLink ContentBlock Content Image Audio File".split(),
        Content,
    ),
    **dict.fromkeys(("CallToolResult", "ToolResult", "CreateTaskResult"), Answer),
    "InputRequiredResult": InputRequired,
    "Context": dict,
}
"""Types of the frameworks that decide whether there is an output schema, and the context of one that another asks clients for:
an object without fields (mcp 1.30 under fastmcp 2.14)."""
NOT_SHOWN = frozenset(
    "default default_factory repr init init_var kw_only frozen exclude validate_default alias_priority exclude_if".split()
)
"""Keywords of `Field(...)` that a schema does not show."""
# Metadata that pydantic and the frameworks leave out of a schema; any other may change it, so the schema is unknown.
WITHOUT_SCHEMA = frozenset(
    "BeforeValidator AfterValidator PlainSerializer Depends SkipValidation Strict Resolve FailFast Doc AllowInfNan".split()
)
VALUES = frozenset(
    "datetime.date datetime.datetime datetime.time datetime.timedelta decimal.Decimal pathlib.Path pathlib.PurePath "
    "uuid.UUID".split()
)
"""Types of which a default may be made: what they are called with is all that the object depends on."""


def flatten_unions(members: tuple[Any, ...]) -> tuple[Any, ...]:
    """Take unions inside a union apart: `typing` remembers the order in which it first met the same inner one."""
    return tuple(each for one in members for each in (get_args(one) if get_origin(one) is Union else (one,)))
