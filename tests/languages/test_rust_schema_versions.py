"""What cannot be read of a Rust type's schema, and what each release of schemars makes of the rest."""

from test_rust_schema import document, schema_of


class TestHoles:
    def test_a_type_from_elsewhere(self, tmp_path):
        schema = schema_of(tmp_path, "struct Args { /** Said. */ it: other::Thing, ok: bool }")
        (hole,) = schema.holes
        assert (hole.path, hole.opaque.span.line) == ("properties.it", 3)
        assert schema.document["properties"] == {"it": {"description": "Said."}, "ok": {"type": "boolean"}}

    def test_a_transformed_schema(self, tmp_path):
        schema = schema_of(tmp_path, "struct Args { #[schemars(transform = odd)] it: bool }")
        assert [hole.path for hole in schema.holes] == ["properties.it"]

    def test_a_schema_that_is_written_by_hand(self, tmp_path):
        source = "struct Args;\nimpl JsonSchema for Args { fn json_schema(g: &mut G) -> Schema { %s } }"
        assert schema_of(tmp_path, source % "compute(g)").holes[0].path == ""
        assert document(tmp_path, source % 'json_schema!({"type": "object"})')["type"] == "object"

    def test_a_type_within_itself_ends(self, tmp_path):
        schema = schema_of(tmp_path, "type Args = Vec<Args>;\nstruct B(Box<B>);")
        assert schema.holes
        assert schema_of(tmp_path, "struct Args(Box<Args>);").document is not None


class TestVersions:
    SOURCE = "/// Told.\nstruct Args { it: Option<bool>, part: Option<Part> }\nstruct Part;"

    def test_the_root_is_named_before_1_8(self, tmp_path):
        found = document(tmp_path, self.SOURCE, version="1.5")
        assert (found["title"], found["description"]) == ("Args", "Told.")
        assert "title" not in document(tmp_path, self.SOURCE, version="1.8")

    def test_null_is_a_keyword_before_0_17(self, tmp_path):
        found = document(tmp_path, self.SOURCE, version="0.12")
        assert found["properties"]["it"] == {"type": "boolean", "nullable": True}
        assert found["properties"]["part"]["anyOf"][1] == {"const": None, "nullable": True}

    def test_draft_7_before_0_9(self, tmp_path):
        found = document(tmp_path, self.SOURCE, version="0.8")
        assert found["$schema"].startswith("http://json-schema.org/draft-07")
        assert list(found["definitions"]) == ["Part"]

    def test_the_lock_file_tells_before_the_manifest(self, tmp_path):
        (tmp_path / "Cargo.lock").write_text('[[package]]\nname = "rmcp"\nversion = "1.9.2"\n')
        assert "title" not in document(tmp_path, self.SOURCE, version="1")


class TestSchemarsBefore1:
    """What rmcp before 0.3 sends."""

    def test_null_stands_beside_a_reference(self, tmp_path):
        found = document(
            tmp_path,
            "struct Args { a: Option<Bed>, b: Option<u8>, c: Option<Value> }\nstruct Bed { row: i8 }",
            version="0.2",
        )
        assert found["properties"] == {
            "a": {"$ref": "#/definitions/Bed", "nullable": True},
            "b": {"type": "integer", "format": "uint8", "minimum": 0, "nullable": True},
            "c": {"nullable": True},
        }
        assert found["definitions"]["Bed"]["properties"] == {"row": {"type": "integer", "format": "int8"}}

    def test_names_that_must_be_given_are_sorted_and_lines_joined(self, tmp_path):
        found = document(
            tmp_path, "/// One,\n/// two.\n///\n/// Three.\nstruct Args { b: u32, a: (u8, bool) }", version="0.2"
        )
        assert (found["required"], found["description"]) == (["a", "b"], "One, two.\n\nThree.")
        assert [each["type"] for each in found["properties"]["a"]["items"]] == ["integer", "boolean"]

    def test_titles_of_generic_types(self, tmp_path):
        found = document(tmp_path, "struct Page<T> { of: T }", "Page<Vec<String>>", version="0.2")
        assert found["title"] == "Page_for_Array_of_String"

    def test_variants_without_const(self, tmp_path):
        enum = '#[serde(tag = "kind")] enum Which { One, Two(Bed) }\nstruct Bed { row: u32 }'
        found = document(tmp_path, f"struct Args {{ which: Which }}\n{enum}", version="0.2")["definitions"]["Which"]
        one, two = found["oneOf"]
        assert one["properties"] == {"kind": {"type": "string", "enum": ["One"]}}
        assert list(two["properties"]) == ["kind", "row"]
