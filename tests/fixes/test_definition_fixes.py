r"""What is written in files of tool definitions in the place of what was found, and what is left alone."""

import json

import pytest
import yaml

from reviewer.files.discovery import CannotReviewError
from reviewer.languages import edits as editing
from reviewer.source import Source
from tests.fixes.conftest import outcome, swapped

PLAIN = (
    '{"tools":[{"name":"put","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}]}'
)
WIDE = """{
  "tools": [
    {
      "name": "delete_note",
      "description": "Deletes a note.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "url": {
            "type": "string"
          },
          "opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}}
        },
        "required": [
          "url"
        ]
      }
    }
  ]
}
"""
BLOCK = """# ours
tools:
  - name: delete_note  # the first
    description: Deletes a note.
    inputSchema:
      type: object
      properties:
        url:
          type: string  # any
        opts: {type: object, properties: {hard: {type: boolean}}}
      required:
        - url
        - opts
      # the end
  - name: other
"""

CASES = [
    ("tools.json", PLAIN, "schema-not-valid", '"string"', '"str"', '"string"'),
    ("tools.json", PLAIN, "schema-not-valid", '["id"]', '["id","id"]', '["id"]'),
    ("tools.json", PLAIN, "required-not-defined", '["id"]', '["ghost" , "id"]', '["id"]'),
    ("tools.json", PLAIN, "required-not-defined", '["id"]', '["ghost"]', "[]"),
    ("tools.json", PLAIN, "root-schema-not-object", '"type":"object",', "", None),
    ("tools.json", PLAIN, "url-without-format", '"id":{"type":"string"}', '"url":{"type":"string"}', None),
    (
        "tools.json",
        PLAIN,
        "url-without-format",
        '"id":{"type":"string"}',
        '"url":{"title" : "x","type" : "string"}',
        None,
    ),
    ("tools.json", PLAIN, "tool-without-destructive-hint", '"put"', '"delete_note"', None),
    ("tools.json", WIDE, "url-without-format", "", "", None),
    ("tools.json", WIDE, "object-left-open", "", "", None),
    ("tools.json", WIDE, "tool-without-destructive-hint", "", "", None),
    (
        "tools.json",
        WIDE,
        "required-not-defined",
        '          "url"\n',
        '          "url",\n          "ghost"\n',
        '          "url"\n',
    ),
    ("tools.yaml", BLOCK, "schema-not-valid", "string  #", "str  #", "string  #"),
    ("tools.yaml", BLOCK, "schema-not-valid", "string  #", "'str'  #", "'string'  #"),
    ("tools.yaml", BLOCK, "schema-not-valid", "- opts\n", "- opts\n        - url\n", "- opts\n"),
    ("tools.yaml", BLOCK, "required-not-defined", "- url\n        - opts\n", "- ghost\n", None),
    ("tools.yaml", BLOCK, "required-not-defined", "- opts\n", "- optz\n", "- opts\n"),
    ("tools.yaml", BLOCK, "root-schema-not-object", "      type: object\n      properties", "      properties", None),
    ("tools.yaml", BLOCK, "url-without-format", "", "", None),
    ("tools.yaml", BLOCK, "object-left-open", "", "", None),
    ("tools.yaml", BLOCK, "tool-without-destructive-hint", "", "", None),
    (
        "tools.yaml",
        BLOCK,
        "secret-with-default",
        "opts: {",
        "token: {type: string, default: hunter22}\n        opts: {",
        None,
    ),
]
"""A file; what is put in for something of it; what stands there afterwards, or None if that is in AFTER."""

AFTER = {
    4: ('"required":["id"]}', '"required":["id"],"type":"object"}'),
    5: ('"url":{"type":"string"}', '"url":{"type":"string","format":"uri"}'),
    6: ('"type" : "string"}', '"type" : "string","format" : "uri"}'),
    7: ("}}]}", '},"annotations":{"destructiveHint":true}}]}'),
    8: ('"type": "string"\n', '"type": "string",\n            "format": "uri"\n'),
    9: ('"boolean"}}}', '"boolean"}}, "additionalProperties": false}'),
    10: (
        "        ]\n      }\n",
        '        ]\n      },\n      "annotations": {\n        "destructiveHint": true\n      }\n',
    ),
    15: ("required:\n        - ghost\n", "required: []\n"),
    17: ("        - opts\n", "        - opts\n      type: object\n"),
    18: ("string  # any\n", "string  # any\n          format: uri\n"),
    19: ("{hard: {type: boolean}}}", "{hard: {type: boolean}}, additionalProperties: false}"),
    20: ("        - opts\n", "        - opts\n    annotations:\n      destructiveHint: true\n"),
    21: (", default: hunter22}", "}"),
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_what_is_written(fix, number, ends):
    name, text, slug, old, put, after = CASES[number]
    given = swapped(text, (old, put)) if old else text
    wanted = swapped(given, (put, after) if after is not None else AFTER[number])
    assert fix(given.replace("\n", ends), slug, unsafe=True, name=name) == wanted.replace("\n", ends)


HIDDEN = [
    ("tools.json", r'{"name": "put", "description": "Puts\u200b it.", "inputSchema": {}}', r"\u200b"),
    ("tools.json", r'{"name": "put", "description": "Puts\uDB40\uDC41 it.", "inputSchema": {}}', r"\uDB40\uDC41"),
    ("tools.json", '{"name": "put", "description": "Puts\u200b it.", "inputSchema": {}}', "\u200b"),
    ("tools.json", r'{"name": "put", "description": "Puts \\u200b\u200b it: ä.", "inputSchema": {}}', r"\u200b it"),
    ("tools.json", r'{"name": "put", "annotations": {"title": "Put\u200b"}, "inputSchema": {}}', r"\u200b"),
    ("tools.json", r'{"name": "put", "inputSchema": {}, "outputSchema": {"title": "A\u200b"}}', r"\u200b"),
    ("tools.json", r'{"name": "put", "inputSchema": {"properties": {"a": {"enum": ["x\u200b", "y"]}}}}', r"\u200b"),
    ("tools.json", r'{"name": "put", "inputSchema": {"properties": {"a\u200b": {"title": "x"}}}}', r"\u200b"),
    ("tools.yaml", 'name: put\ndescription: "Puts\\u200b it."\ninputSchema: {}\n', r"\u200b"),
    ("tools.yaml", "name: put\ndescription: ä 'Puts\u200b it'\ninputSchema: {}\n", "\u200b"),
    ("tools.yaml", "name: put\ndescription: |-\n  Puts\n  \u200bit.\ninputSchema: {}\n", "\u200b"),
    ("tools.yaml", "name: put\ndescription: >\n  Puts\n  it.\u200b\n\n\ninputSchema: {}\n", "\u200b"),
]


@pytest.mark.parametrize(("name", "text", "hidden"), HIDDEN)
def test_what_hides_is_taken_out(fix, name, text, hidden):
    wanted = swapped(text, (hidden, hidden.removeprefix(r"\u200b") if hidden.endswith("it") else ""))
    assert fix(text, "hidden-characters", unsafe=True, name=name) == wanted


def test_a_backspace_is_taken_out_by_its_short_name(fix):
    text = r'{"name": "put", "description": "Puts \bit\\b.", "inputSchema": {}}'
    assert fix(text, "stray-characters", name="tools.json") == text.replace(r"\bit", "it")


SPARED = [
    (
        "a pattern",
        r'{"name": "put", "inputSchema": {"properties": {"a": {"title": "x\u200b", "pattern": "[\u200b]"}}}}',
    ),
    ("another text", r'{"name": "put", "description": "Puts\u200b it.", "title": "\ud83d\udc69\u200d\ud83d\udd2c"}'),
]


@pytest.mark.parametrize(("what", "text"), SPARED)
def test_other_texts_keep_what_they_have(fix, what, text):
    assert fix(text, "hidden-characters", unsafe=True, name="t.json") == text.replace(r"\u200b", "", 1)


ALIASES = """- name: delete_a
  inputSchema: &schema {type: object, properties: {url: {type: str}}}
- name: delete_b
  inputSchema: *schema
"""
MERGED = """- name: a
  inputSchema:
    type: object
    properties:
      one: &text {type: str}
      two: {<<: *text, title: Two}
"""
ALONE = [
    ("tools.yaml", ALIASES, "schema-not-valid"),
    ("tools.yaml", MERGED, "schema-not-valid"),
    ("tools.yaml", "name: a\ninputSchema: {type: &t str}\nx: *t\n", "schema-not-valid"),
    ("tools.yaml", "name: a\ninputSchema: {properties: {b: {type: !!str str}}}\n", "schema-not-valid"),
    ("tools.yaml", "name: a\ninputSchema: {properties: {b: {type: &t str}}}\n", "schema-not-valid"),
    ("tools.yaml", "name: a\ninputSchema:\n  properties: {b: {}}\n  x: |+\n    k\n\n", "root-schema-not-object"),
    (
        "tools.yaml",
        "name: a\ninputSchema:\n  properties: {}\n  required:\n    - b  # see there\n",
        "required-not-defined",
    ),
    ("tools.yaml", "name: a\ninputSchema:\n  required:\n  - >-  # so\n    b\n  - c # so\n", "required-not-defined"),
    ("tools.yaml", "name: a\ndescription: \u200b\ninputSchema: {}\n", "hidden-characters"),
    ("tools.yaml", "name: a\ndescription: \u200btrue\ninputSchema: {}\n", "hidden-characters"),
    ("tools.json", '{"name": "a", "inputSchema": {"type": "str", "type": "str"}}', "schema-not-valid"),
    ("tools.json", '{"name": "a", "inputSchema": {}, "inputSchema": {"type": "str"}}', "schema-not-valid"),
    (
        "tools.json",
        '{"name": "a", "inputSchema": {"type": "str"}, "input_schema": {"type": "str"}}',
        "schema-not-valid",
    ),
    ("tools.json", r'{"name": "a", "inputSchema": {"properties": {"b\u200b": {}, "b": {}}}}', "hidden-characters"),
    ("tools.json", '{"name": "delete_note", "input_schema": {}}', "tool-without-destructive-hint"),
    ("tools.json", '{"name": "delete_note", "annotations": [], "inputSchema": {}}', "tool-without-destructive-hint"),
]


@pytest.mark.parametrize(("name", "text", "slug"), ALONE)
def test_what_cannot_be_had_for_certain_is_left_alone(fix, tmp_path, name, text, slug):
    (tmp_path / name).write_text(text)
    assert not outcome(tmp_path / name, slug, unsafe=True).undone
    assert fix(text, slug, unsafe=True, name=name) == text


def test_what_no_alias_repeats_is_fixed_beside_one_that_does(fix):
    text = swapped(
        ALIASES, ("inputSchema: *schema\n", "inputSchema: {type: object, properties: {n: {type: int}}}\n  x: *schema\n")
    )
    assert fix(text, "schema-not-valid", name="t.yaml") == text.replace("int}", "integer}")


def test_beside_merged_entries_others_are_written(fix):
    text = swapped(
        MERGED,
        ("{type: str}", "{type: string}"),
        ("two: {<<: *text, title: Two}", "url:\n        <<: *text\n        title: Two"),
    )
    assert fix(text, "url-without-format", unsafe=True, name="t.yaml") == f"{text}        format: uri\n"


def test_annotations_that_are_null_become_some(fix):
    text = "name: delete_note\nannotations:\ninputSchema: {}\n"
    assert fix(text, "tool-without-destructive-hint", name="t.yaml") in (
        text,
        "name: delete_note\nannotations: {destructiveHint: true}\ninputSchema: {}\n",
    )


def test_a_contradiction_is_settled_by_the_name(fix):
    text = '{"name": "delete_note", "annotations": {"readOnlyHint": true}, "inputSchema": {}}'
    wanted = (
        '{"name": "delete_note", "annotations": {"readOnlyHint": false, "destructiveHint": true}, "inputSchema": {}}'
    )
    assert fix(text, "destructive-not-marked", unsafe=True, name="t.json") == wanted


def test_a_line_without_an_end_stays_one(fix):
    text = "name: put\ninputSchema:\n  properties: {a: {}}"
    assert fix(text, "root-schema-not-object", name="t.yaml") == f"{text}\n  type: object"


def test_a_byte_order_mark_is_no_part_of_it(tmp_path):
    (tmp_path / "t.json").write_bytes(b"\xef\xbb\xbf" + swapped(PLAIN, ('"string"', '"str"')).encode())
    done = outcome(tmp_path / "t.json", "schema-not-valid")
    assert list(done.files) == [("t.json", swapped(PLAIN, ('"string"', '"str"')).encode(), PLAIN.encode())]


def test_a_document_says_nothing_else_afterwards():
    before, other = Source("t.json", PLAIN.encode()), Source("t.json", swapped(PLAIN, ('"put"', '"puf"')).encode())
    assert editing.holds(before, before, [])
    assert not editing.holds(before, other, [])
    assert not editing.holds(before, Source("t.json", PLAIN[:-1].encode()), [])


def test_a_file_that_is_no_list_of_tools_stays_an_error(tmp_path):
    (tmp_path / "t.json").write_text('{"a": 1}')
    with pytest.raises(CannotReviewError, match=r"t\.json: no tool definitions"):
        outcome(tmp_path / "t.json")


FAULTY = {
    "type": "object",
    "properties": {
        "url": {"type": "str", "description": "Where:\u200b 'it' # is\n\nno: \"one\"\n"},
        "ödd key": {"type": "object", "properties": {"x": {"type": ["string", "null"]}, "n": {"type": "int"}}},
    },
    "required": ["ghost", "url", "url", "ödd kez"],
}
TOOLS = {"tools": [{"name": f"delete_{name}", "description": "Deletes it.\n", "inputSchema": FAULTY} for name in "ab"]}


class Apart(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


SHAPES = {
    **{
        f"{indent} {ascii}.json": (
            lambda indent=indent, ascii=ascii: json.dumps(TOOLS, indent=indent, ensure_ascii=ascii)
        )
        for indent in (None, 1, "\t")
        for ascii in (True, False)
    },
    "minified.json": lambda: json.dumps(TOOLS, separators=(",", ":")),
    **{
        f"{flow} {style} {width}.yaml": (
            lambda flow=flow, style=style, width=width: yaml.dump(
                TOOLS,
                Dumper=Apart,
                default_flow_style=flow,
                default_style=style,
                width=width,
                allow_unicode=width > 40,
                sort_keys=False,
            )
        )
        for flow in (True, False, None)
        for style in (None, '"', "'")
        for width in (40, 1000)
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_the_layout_the_same_is_said_afterwards(fix, shape):
    slugs = (
        "schema-not-valid",
        "required-not-defined",
        "object-left-open",
        "hidden-characters",
        "tool-without-destructive-hint",
    )
    text = fix(SHAPES[shape](), *slugs, unsafe=True, name=shape.replace(" ", "-"))
    said = json.loads(text) if shape.endswith(".json") else yaml.safe_load(text)
    odd = {
        "type": "object",
        "properties": {"x": {"type": ["string", "null"]}, "n": {"type": "integer"}},
        "additionalProperties": False,
    }
    url = {"type": "string", "description": "Where: 'it' # is\n\nno: \"one\"\n"}
    wanted = {"type": "object", "properties": {"url": url, "ödd key": odd}, "required": ["url", "ödd key"]}
    hints = {"destructiveHint": True}
    assert said == {"tools": [{**tool, "inputSchema": wanted, "annotations": hints} for tool in TOOLS["tools"]]}
