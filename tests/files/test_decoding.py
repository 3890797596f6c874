"""What Python runs is what is read: encodings, ends of lines and letters that stand for others; else the file is named."""

import json

import pytest

from reviewer.cli.app import run
from reviewer.files.decoding import ALIKE, IllegibleError, decode_source
from reviewer.files.discovery import discover_files
from reviewer.languages import read

HEAD = """from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def see(name: str) -> str:
    \"\"\"Read the note of that name.\"\"\"
    return name


"""
HIDDEN = "@mcp.tool()\ndef run(code: str) -> str:\n    return str(eval(code))\n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.fixture
def reviewed(tmp_path, capsys):
    """Review files by their names; give the exit code, the verdict, the tools and what was not reviewed, with its reason."""

    def review(**files):
        for name, data in files.items():
            (tmp_path / f"{name}.py").write_bytes(data if isinstance(data, bytes) else data.encode())
        code = run([str(tmp_path), "--format", "json", "--isolated"])
        report = json.loads(capsys.readouterr().out)
        tools = [tool.name for server in read(discover_files(tmp_path)).servers for tool in server.tools]
        gaps = {each["path"]: each["reason"] for each in report.get("not_reviewed", ())}
        return code, report["summary"]["verdict"], tools, gaps

    return review


READ = {
    "wide letters": HEAD + HIDDEN.replace("tool", "ｔｏｏｌ").replace("eval", "ｅval"),
    "letters of mathematics": HEAD + HIDDEN.replace("@mcp", "@𝐦𝐜𝐩").replace("def run", "def 𝓇un"),
    "an import in wide letters": (HEAD + HIDDEN).replace("from mcp.server.fastmcp", "from ｍcp.server.ｆastmcp"),
    "carriage returns behind a comment": HEAD + "# note\r" + HIDDEN.replace("\n", "\r"),
    "two carriage returns": HEAD + "# note\r\r\n" + HIDDEN,
    "a carriage return before the declaration": "#\r# coding: latin-1\r" + HEAD + HIDDEN,
    "latin-1": b"# coding: latin-1\n" + (HEAD + HIDDEN).replace("note", "caf\xe9").encode("latin-1"),
    "a code page": b"#!/usr/bin/python\n# vim: set fileencoding=cp1251 :\n" + (HEAD + HIDDEN).replace("note", "слово").encode("cp1251"),
    "UTF-8 by another name": "# coding: UTF_8-unix\n" + HEAD + HIDDEN,
    "a declaration in the third line": "\n\n# coding: utf-7\n" + HEAD + HIDDEN,
    "a declaration behind code": "x = 1  #\n# coding: utf-7\n" + HEAD + HIDDEN,
    "a declaration in code": "x = 'coding: utf-7'\n" + HEAD + HIDDEN,
    "a mark": b"\xef\xbb\xbf# coding: utf-8\n" + (HEAD + HIDDEN).encode(),
}  # fmt: skip


@pytest.mark.parametrize("source", READ.values(), ids=READ)
def test_a_tool_that_python_runs_is_read(reviewed, source):
    code, verdict, tools, gaps = reviewed(server=source)
    assert (tools, gaps) == (["see", "run"], {})
    assert verdict != "INCOMPLETE"
    assert code in (0, 1)


def escaped(source):
    return source.replace("\n", "\\n")


NAMED = {
    "escapes": ("# coding: unicode_escape\n" + HEAD + "#\\n" + escaped(HIDDEN), "unicode_escape"),
    "raw escapes": ("# coding: raw_unicode_escape\n" + HEAD + "#\\u000a" + HIDDEN.replace("\n", "\\u000a"), "raw_unicode_escape"),
    "utf-7": ("# -*- coding: utf-7 -*-\n" + HEAD + "# +AAo-" + HIDDEN.replace("\n", "+AAo-"), "utf-7"),
    "in the second line": ("#!/usr/bin/python\n#coding=utf_7\n" + HEAD, "utf_7"),
    "behind a blank line": ("  \f\n \t# coding: hz\n" + HEAD, "hz"),
    "behind a carriage return": ("#\r# coding: iso2022_jp\n" + HEAD, "iso2022_jp"),
    "behind a line of Windows": ("\r\n# coding: utf-7\r\n" + HEAD, "utf-7"),
    "a name nobody knows": ("# coding: " + "x" * 90 + "\n" + HEAD, "x" * 29 + "…"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "encoding"), NAMED.values(), ids=NAMED)
def test_an_encoding_in_which_plain_text_may_spell_code_is_named(reviewed, source, encoding):
    code, verdict, tools, gaps = reviewed(good=HEAD, server=source)
    assert (code, verdict, tools) == (2, "INCOMPLETE", ["see"])
    assert gaps == {"server.py": f"it declares the encoding `{encoding}`, which can hide code; save it as UTF-8"}


ELSEWHERE = {
    "a pointer": POINTER,
    "a pointer behind a blank": "\n  " + POINTER.replace("\n", "\r\n"),
    "an old pointer": POINTER.replace("git-lfs", "hawser"),
    "a code page that it is not in": b"# coding: cp1252\n# \x81\n",
    "git-crypt": b"\0GITCRYPT\0\x12\xff\xfe",
    "NUL": "x = 1\0 + '''\n",
    "a code page for wide letters": b"# coding: utf-16\n" + "ｍｃｐ".encode("gbk"),
}


@pytest.mark.parametrize("data", ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_run_instead_may_be_anything(reviewed, data):
    code, verdict, tools, gaps = reviewed(good=HEAD, server=data)
    assert (code, verdict, tools, list(gaps)) == (2, "INCOMPLETE", ["see"], ["server.py"])


def test_a_rust_file_that_is_stored_elsewhere(tmp_path, capsys):
    (tmp_path / "good.py").write_text(HEAD)
    (tmp_path / "lib.rs").write_text(POINTER)
    assert run([str(tmp_path)]) == 2
    assert "Verdict: INCOMPLETE" in capsys.readouterr().out


def test_the_names_that_are_known_are_those_in_which_ascii_is_ascii():
    plain = bytes(range(128))
    assert {each for each in ALIKE if plain.decode(each) != plain.decode("ascii")} == set()


@pytest.mark.parametrize("name", ["utf-7", "hz", "iso2022_kr", "unicode-escape", "idna", "rot13", "cp037", "utf-16"])
def test_no_other_encoding_is_tried(name):
    with pytest.raises(IllegibleError, match="declares the encoding") as raised:
        decode_source(f"# coding: {name}\n".encode(), python=True)
    assert raised.value.hides


def test_rust_knows_no_declarations_and_ends_lines_with_line_feeds_alone():
    assert decode_source(b"# coding: utf-7\r//\n", python=False) == b"# coding: utf-7\r//\n"


def test_texts_and_comments_keep_their_letters(tmp_path):
    (tmp_path / "server.py").write_text(
        HEAD.replace("Read the", "Ｒead ﬁve:") + HIDDEN.replace("tool", "ｔｏｏｌ") + "# ｔｏｏｌ\n"
    )
    tree = discover_files(tmp_path)
    server = read(tree).servers[0]
    assert server.tools[0].description == "Ｒead ﬁve: note of that name."
    assert tree.sources["server.py"].data.decode().endswith("# ｔｏｏｌ\n")


def test_a_sign_that_rust_takes_for_a_letter(tmp_path):
    (tmp_path / "lib.rs").write_text("struct \u212and { body: &'static str } // \u212a\n")
    tree = discover_files(tmp_path)
    read(tree)
    assert tree.sources["lib.rs"].data.decode() == "struct Knd { body: &'static str } // \u212a\n"


def test_a_name_that_takes_too_long_to_spell_out_is_named(reviewed):
    marks = "\u0315\u0300" * 3_000
    code, verdict, _, gaps = reviewed(server=HEAD + f"a{marks} = 1\n")
    assert (code, verdict) == (2, "INCOMPLETE")
    assert "6001 letters" in gaps["server.py"]


PRINTS = HEAD.replace("    return name", "    print(name)\n    return name") + "mcp.run()\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [PRINTS.replace("print", "ｐrint"), PRINTS.replace("\n", "\r"), b"# coding: latin-1\n# \xe9\n" + PRINTS.encode()],
    ids=["wide letters", "carriage returns", "latin-1"],
)
def test_a_file_that_does_not_hold_what_was_read_is_not_edited(tmp_path, capsys, data):
    file = tmp_path / "server.py"
    for text, fixed in ((PRINTS.encode(), True), (data if isinstance(data, bytes) else data.encode(), False)):
        file.write_bytes(text)
        run([str(file), "--fix", "--unsafe", "--select", "prints-to-stdout"])
        assert (file.read_bytes() != text) == fixed, capsys.readouterr()
