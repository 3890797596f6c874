"""Types of the language and of libraries whose schemas schemars knows, as it writes them."""

from reviewer.code.primitives import INTEGERS
from reviewer.facts import Json


def _build_integer(name: str, low: int | None, high: int | None = None) -> Json:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", "format": name, **{key: value for key, value in bounds.items() if value is not None}}


def _build_string(form: str | None = None) -> Json:
    return {"type": "string", "format": form} if form is not None else {"type": "string"}


SCALARS: dict[str, Json] = {
    "i8": _build_integer("int8", -128, 127),
    "i16": _build_integer("int16", -32768, 32767),
    "i32": _build_integer("int32", None),
    "i64": _build_integer("int64", None),
    "i128": _build_integer("int128", None),
    "isize": _build_integer("int", None),
    "u8": _build_integer("uint8", 0, 255),
    "u16": _build_integer("uint16", 0, 65535),
    "u32": _build_integer("uint32", 0),
    "u64": _build_integer("uint64", 0),
    "u128": _build_integer("uint128", 0),
    "usize": _build_integer("uint", 0),
    "f32": {"type": "number", "format": "float"},
    "f64": {"type": "number", "format": "double"},
    "bool": {"type": "boolean"},
    "char": {"type": "string", "minLength": 1, "maxLength": 1},
    "str": _build_string(),
    "String": _build_string(),
}
KNOWN: dict[str, Json] = {
    **{f"NonZero{name.capitalize()}": {**SCALARS[name], "minimum": 1} for name in INTEGERS if name.startswith("u")},
    "Path": _build_string(),
    "PathBuf": _build_string(),
    "IpAddr": _build_string("ip"),
    "Ipv4Addr": _build_string("ipv4"),
    "Ipv6Addr": _build_string("ipv6"),
    "Uuid": _build_string("uuid"),
    "Url": _build_string("uri"),
    "DateTime": _build_string("date-time"),
    "NaiveDate": _build_string("date"),
    "NaiveDateTime": _build_string("partial-date-time"),
    "NaiveTime": _build_string("partial-time"),
    "JsonObject": {"type": "object", "additionalProperties": True},
    "CompactString": _build_string(),
    "SmolStr": _build_string(),
}
# Types whose schema is that of what they hold, as serde writes nothing for them; `Parameters` and `Json` are rmcp's.
TRANSPARENT = frozenset("Box Rc Arc RefCell Cell Mutex RwLock Cow Parameters Json Wrapping Reverse".split())
# Types that serde writes as an array in order.
LISTS = frozenset("Vec VecDeque LinkedList SmallVec ArrayVec BinaryHeap".split())
# Types that serde writes as an array, and schemars marks with `uniqueItems`.
SETS = frozenset("HashSet BTreeSet IndexSet".split())
# Maps, which schemars names alike whichever type they are.
MAPS = frozenset("HashMap BTreeMap IndexMap Map DashMap".split())
# Generic types with a schema of their own, which are not looked up in the project.
GENERIC = TRANSPARENT | LISTS | SETS | MAPS | {"Option"}
