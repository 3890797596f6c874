"""The schemas that Rust types come to, as schemars makes them and rmcp sends them."""

import json
import textwrap

import pytest

from reviewer.files.discovery import discover_files
from reviewer.languages.rust import read

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(folder, declarations, type_="Args", version=None):
    given = f'[dependencies]\nrmcp = "{version}"\n' if version else ""
    (folder / "Cargo.toml").write_text(f'[package]\nname = "shelf"\n{given}')
    router = f"#[tool_router]\nimpl S {{ #[tool] fn f(&self, p: Parameters<{type_}>) {{}} }}\n"
    (folder / "main.rs").write_text(router + textwrap.dedent(declarations))
    return read(discover_files(folder)).servers[0].tools[0].input_schema


def document(folder, declarations, type_="Args", version=None):
    schema = schema_of(folder, declarations, type_, version)
    assert schema.holes == ()
    return json.loads(json.dumps(schema.document))


def field(folder, type_, over="", rest=""):
    found = document(folder, f"struct Args {{ {over} pub it: {type_} }}\n{rest}")
    return found["properties"]["it"]


class TestScalarsAndContainers:
    @pytest.mark.parametrize(
        ("type_", "schema"),
        [
            ("String", {"type": "string"}),
            ("&'a str", {"type": "string"}),
            ("std::path::PathBuf", {"type": "string"}),
            ("bool", {"type": "boolean"}),
            ("char", {"type": "string", "minLength": 1, "maxLength": 1}),
            ("i64", {"type": "integer", "format": "int64"}),
            ("u8", {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}),
            ("usize", {"type": "integer", "format": "uint", "minimum": 0}),
            ("f32", {"type": "number", "format": "float"}),
            ("std::num::NonZeroU32", {"type": "integer", "format": "uint32", "minimum": 1}),
            ("Option<bool>", {"type": ["boolean", "null"]}),
            ("Option<Option<String>>", {"type": ["string", "null"]}),
            ("Option<serde_json::Value>", True),
            ("Vec<String>", {"type": "array", "items": {"type": "string"}}),
            ("Option<Vec<bool>>", {"type": ["array", "null"], "items": {"type": "boolean"}}),
            ("HashSet<bool>", {"type": "array", "uniqueItems": True, "items": {"type": "boolean"}}),
            ("[bool; 2]", {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2}),
            ("HashMap<String, bool>", {"type": "object", "additionalProperties": {"type": "boolean"}}),
            (
                "BTreeMap<i32, bool>",
                {
                    "type": "object",
                    "patternProperties": {r"^-?\d+$": {"type": "boolean"}},
                    "additionalProperties": False,
                },
            ),
            ("serde_json::Value", True),
            ("serde_json::Map<String, Value>", {"type": "object", "additionalProperties": True}),
            ("Box<Arc<str>>", {"type": "string"}),
            ("()", {"type": "null"}),
            (
                "(bool, String)",
                {
                    "type": "array",
                    "prefixItems": [{"type": "boolean"}, {"type": "string"}],
                    "minItems": 2,
                    "maxItems": 2,
                },
            ),
            ("uuid::Uuid", {"type": "string", "format": "uuid"}),
            ("Alias", {"type": ["string", "null"]}),
        ],
    )
    def test_types(self, tmp_path, type_, schema):
        assert field(tmp_path, type_, rest="type Alias = Option<String>;") == schema


class TestStructs:
    def test_root(self, tmp_path):
        found = document(
            tmp_path,
            """
            /// Left out at the root.
            struct Args {
                /// What to
                ///   seek.
                ///
                /// More.
                seek: String,
                /// # Head
                /// Body
                at_most: Option<u32>,
                r#match: bool,
            }
            """,
        )
        assert found == {
            "$schema": DIALECT,
            "type": "object",
            "properties": {
                "seek": {"type": "string", "description": "What to\n  seek.\n\nMore."},
                "at_most": {
                    "type": ["integer", "null"],
                    "format": "uint32",
                    "minimum": 0,
                    "title": "Head",
                    "description": "Body",
                },
                "match": {"type": "boolean"},
            },
            "required": ["seek", "match"],
        }

    @pytest.mark.parametrize(
        ("case", "name"),
        [
            ("camelCase", "bookTitle"),
            ("PascalCase", "BookTitle"),
            ("kebab-case", "book-title"),
            ("SCREAMING_SNAKE_CASE", "BOOK_TITLE"),
            ("snake_case", "book_title"),
        ],
    )
    def test_cases(self, tmp_path, case, name):
        found = document(tmp_path, f'#[serde(rename_all = "{case}")]\nstruct Args {{ book_title: bool }}')
        assert list(found["properties"]) == found["required"] == [name]

    def test_renames_skips_and_unknown_fields(self, tmp_path):
        found = document(
            tmp_path,
            """
            #[serde(deny_unknown_fields)]
            struct Args {
                #[serde(rename = "type")] kind: bool,
                #[serde(rename(deserialize = "in", serialize = "out"))] both: bool,
                #[schemars(rename = "mine")] #[serde(rename = "theirs")] own: bool,
                #[serde(skip)] hidden: bool,
                #[serde(skip_serializing)] written: bool,
            }
            """,
        )
        assert found["required"] == ["type", "in", "mine", "written"]
        assert found["properties"]["written"]["writeOnly"]
        assert found["additionalProperties"] is False

    def test_references_and_recursion(self, tmp_path):
        found = document(
            tmp_path,
            """
            struct Args { /** Its own. */ one: Part, maybe: Option<Part>, many: Vec<Args>, wrapped: Id }
            /// Kept here.
            struct Part { x: bool }
            struct Id(String);
            """,
        )
        part = {
            "type": "object",
            "properties": {"x": {"type": "boolean"}},
            "required": ["x"],
            "description": "Kept here.",
        }
        assert found["$defs"]["Part"] == part
        assert found["$defs"]["Id"] == {"type": "string"}
        assert found["properties"]["one"] == {"$ref": "#/$defs/Part", "description": "Its own."}
        assert found["properties"]["maybe"] == {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}
        assert found["properties"]["many"]["items"] == {"$ref": "#/$defs/Args"}
        assert "many" in found["$defs"]["Args"]["properties"]

    def test_generics_stand_for_their_arguments(self, tmp_path):
        found = document(tmp_path, "struct Page<T> { items: Vec<T>, next: Option<T> }", "Page<bool>")
        assert found["properties"]["items"]["items"] == {"type": "boolean"}
        assert found["properties"]["next"] == {"type": ["boolean", "null"]}

    def test_flattened(self, tmp_path):
        found = document(
            tmp_path,
            """
            struct Args { q: bool, #[serde(flatten)] page: Page, #[serde(flatten)] rest: HashMap<String, Value> }
            struct Page { limit: u64, cursor: Option<String> }
            """,
        )
        assert list(found["properties"]) == ["q", "limit", "cursor"]
        assert found["required"] == ["q", "limit"]
        assert found["additionalProperties"] is True

    def test_bounds(self, tmp_path):
        assert field(tmp_path, "u32", "#[schemars(range(min = 1, max = MOST))]", "const MOST: u32 = 9;") == {
            "type": "integer",
            "format": "uint32",
            "minimum": 1,
            "maximum": 9,
        }
        assert field(tmp_path, "Vec<bool>", "#[schemars(length(max = 5))]")["maxItems"] == 5
        assert field(tmp_path, "String", '#[validate(length(equal = 5), regex(pattern = "^a"))]') == {
            "type": "string",
            "minLength": 5,
            "maxLength": 5,
            "pattern": "^a",
        }

    def test_a_schema_of_another_type_or_function(self, tmp_path):
        assert field(tmp_path, "Odd", '#[schemars(with = "Option<bool>")]') == {"type": ["boolean", "null"]}
        assert field(
            tmp_path,
            "Odd",
            '#[schemars(schema_with = "odd")]',
            'fn odd(_: &mut G) -> Schema { json_schema!({"type": "integer"}) }',
        ) == {"type": "integer"}


class TestDefaults:
    @pytest.mark.parametrize(
        ("type_", "over", "value"),
        [
            ("bool", "#[serde(default)]", False),
            ("String", "#[serde(default)]", ""),
            ("Vec<u8>", "#[serde(default)]", []),
            ("Option<u8>", "#[serde(default)]", None),
            ("u32", '#[serde(default = "few")]', 3),
            ("Mode", "#[serde(default)]", "slow-one"),
            ("Part", "#[serde(default)]", {"a": 0}),
            ("Depth", "#[serde(default)]", "very-deep"),
            ("Depth", '#[serde(default = "deep")]', "very-deep"),
            ("Wish", "#[serde(default)]", {"loud": True, "depth": "shallow", "words": [], "part": {"a": 0}}),
            ("Vec<u8>", '#[serde(default = "none")]', []),
        ],
    )
    def test_values(self, tmp_path, type_, over, value):
        rest = """
            fn few() -> u32 { 3 }
            #[derive(Default, Serialize)] #[serde(rename_all = "kebab-case")] enum Mode { Fast, #[default] SlowOne }
            #[derive(Default, Serialize)] struct Part { a: i64 }
            #[derive(Serialize)] #[serde(rename_all = "kebab-case")] enum Depth { Shallow, VeryDeep }
            impl Default for Depth { fn default() -> Self { Self::VeryDeep } }
            fn deep() -> Depth { Depth::VeryDeep }
            fn none() -> Vec<u8> { Vec::new() }
            #[derive(Serialize)] struct Wish { loud: bool, depth: Depth, words: Vec<String>, part: Part }
            impl Default for Wish {
                fn default() -> Self {
                    Self { loud: true, depth: Depth::Shallow, words: Vec::new(), part: Part::default() }
                }
            }
        """
        assert field(tmp_path, type_, over, rest)["default"] == value

    def test_a_type_that_is_not_serialized_has_none(self, tmp_path):
        found = document(
            tmp_path, "struct Args { #[serde(default)] it: Part }\n#[derive(Default)] struct Part { a: i64 }"
        )
        assert found["properties"]["it"] == {"$ref": "#/$defs/Part"}
        assert "required" not in found

    def test_of_the_whole_struct(self, tmp_path):
        found = document(
            tmp_path,
            """
            #[serde(default)]
            struct Args { a: i64, b: String }
            impl Default for Args { fn default() -> Self { Self { a: 7, b: "x".into() } } }
            """,
        )
        assert [part["default"] for part in found["properties"].values()] == [7, "x"]

    @pytest.mark.parametrize(
        "made",
        [
            "Self::of(3)",
            "Self { a: clock() }",
            "Self { ..Self::of(3) }",
            "Self::default()",
            "{ let it = Self { a: 1 }; it }",
        ],
    )
    def test_one_that_is_written_by_hand_and_made_by_code_is_a_hole(self, tmp_path, made):
        rest = f"#[derive(Serialize)] struct Part {{ a: i64 }}\nimpl Default for Part {{ fn default() -> Self {{ {made} }} }}"
        schema = schema_of(tmp_path, f"struct Args {{ #[serde(default)] it: Part }}\n{rest}")
        assert [hole.path for hole in schema.holes] == ["properties.it.default"]

    def test_one_that_a_run_gives_is_a_hole(self, tmp_path):
        schema = schema_of(tmp_path, 'struct Args { #[serde(default = "now")] it: u32 }\nfn now() -> u32 { clock() }')
        assert [hole.path for hole in schema.holes] == ["properties.it.default"]
        assert schema.document["properties"]["it"] == {"type": "integer", "format": "uint32", "minimum": 0}


class TestEnums:
    def test_names(self, tmp_path):
        rest = '/// How.\n#[serde(rename_all = "snake_case")]\nenum Mode { VeryFast, #[serde(rename = "s")] Slow, #[serde(skip)] Not }'
        found = document(tmp_path, f"struct Args {{ it: Mode }}\n{rest}")
        assert found["$defs"]["Mode"] == {"type": "string", "enum": ["very_fast", "s"], "description": "How."}

    def test_documented_names(self, tmp_path):
        found = document(tmp_path, "struct Args { it: Mode }\nenum Mode { A, /// Bee.\n B }")
        assert found["$defs"]["Mode"] == {
            "oneOf": [{"type": "string", "enum": ["A"]}, {"type": "string", "const": "B", "description": "Bee."}]
        }

    @pytest.mark.parametrize(
        ("over", "variants"),
        [
            (
                "",
                [
                    {"type": "string", "enum": ["A"]},
                    {
                        "type": "object",
                        "properties": {"B": {"type": "boolean"}},
                        "required": ["B"],
                        "additionalProperties": False,
                    },
                ],
            ),
            (
                '#[serde(tag = "t", content = "c")]',
                [
                    {"type": "object", "properties": {"t": {"type": "string", "const": "A"}}, "required": ["t"]},
                    {
                        "type": "object",
                        "properties": {"t": {"type": "string", "const": "B"}, "c": {"type": "boolean"}},
                        "required": ["t", "c"],
                    },
                ],
            ),
        ],
    )
    def test_tags(self, tmp_path, over, variants):
        found = document(tmp_path, f"struct Args {{ it: E }}\n{over}\nenum E {{ A, B(bool) }}")
        assert found["$defs"]["E"] == {"oneOf": variants}

    def test_untagged(self, tmp_path):
        found = document(tmp_path, "struct Args { it: E }\n#[serde(untagged)]\nenum E { A(bool), B { n: bool } }")
        assert found["$defs"]["E"]["anyOf"][0] == {"type": "boolean"}

    def test_a_flattened_enum_of_actions(self, tmp_path):
        found = document(
            tmp_path,
            """
            struct Args { #[serde(flatten)] act: Act, dry: bool }
            #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
            enum Act { /// All.
                ListAll { most: Option<bool> }, Help }
            """,
        )
        assert found["type"] == "object"
        assert list(found["properties"]) == ["dry"]
        assert found["oneOf"] == [
            {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "const": "list_all"},
                    "most": {"type": ["boolean", "null"]},
                },
                "required": ["action"],
                "description": "All.",
            },
            {"type": "object", "properties": {"action": {"type": "string", "const": "help"}}, "required": ["action"]},
        ]
