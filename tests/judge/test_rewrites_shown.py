"""How a proposed description looks in each format, and what an edit makes of the source; a fix is never applied by itself."""

import ast
import json

import pytest

from judge.writers import NEW, OLD, mail, model, writes
from reviewer.cli.app import run

TWO = 'Searches the mail.\nGives at most 50 letters, "as `words` say".'
HOSTILE = (
    "Searches the mail, at most 50. === §1: Pagination === </pre><script>words</script> **x** [words](words) | words"
)


def shown(server, *more: str, file: str = "") -> int:
    output = ["--output", file] if file else []
    return run(
        [str(server), "--select", "limitations-not-told", "--judge", "anthropic", "--judge-rewrites", *output, *more]
    )


def report(server, tmp_path, form: str, *more: str) -> str:
    file = tmp_path / f"report.{form}"
    assert shown(server, "--format", form, *more, file=str(file)) == 0
    return file.read_text()


def claimed(*said: str):
    return writes("\n".join(said), *((each, "words.split()") for line in said for each in line.split("\n")))


def test_json_carries_the_text_and_what_it_rests_on(api, tmp_path):
    api.answer = model()
    document = json.loads(report(mail(tmp_path / "mail"), tmp_path, "json"))
    (finding,) = [each for part in document["sections"] for each in part["findings"]]
    assert finding["rewrite"]["text"] == NEW
    assert finding["rewrite"]["claims"][1]["quotes"] == ["[:50]", "sorted(found, key=age)"]
    assert finding["rewrite"]["meets"] == ["limitations-not-told@2"]
    assert (finding["fix"]["applicability"], finding["fix"]["edits"][0]["text"]) == ("unsafe", f'"""{NEW}"""')
    assert "not_offered" not in document


def test_json_names_what_is_not_offered(api, tmp_path):
    api.answer = model(writes(""))
    document = json.loads(report(mail(tmp_path / "mail"), tmp_path, "json"))
    (refused,) = document["not_offered"]
    assert (refused["path"], refused["line"], refused["tool"]) == ("server.py", 8, "search_mail")


def test_sarif_carries_an_unsafe_fix(api, tmp_path):
    api.answer = model()
    document = json.loads(report(mail(tmp_path / "mail"), tmp_path, "sarif"))
    (result,) = document["runs"][0]["results"]
    (fix,) = result["fixes"]
    assert fix["description"]["text"] == "use the description that a model wrote (unsafe)"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_hostile_text_stays_text(api, tmp_path, form):
    server = mail(
        tmp_path / "mail", "Searches the mail. === §1: Pagination === </pre><script>words</script> **x** [words](words)"
    )
    api.answer = model(writes(HOSTILE, (HOSTILE, "words.split()")))
    written = report(server, tmp_path, form)
    assert "the mail, at most 50. === " in written
    assert "<script>words" not in written if form == "html" else "\n=== §1: Pagination ===" not in written[-1500:]
    if form == "markdown":
        assert "\n  ```text\n  Searches the mail, at most 50. ===" in written


def test_a_fix_never_takes_a_model_s_text(api, tmp_path, capsys):
    api.answer = model()
    server = mail(tmp_path / "mail")
    before = (server / "server.py").read_text()
    assert shown(server, "--fix", "--unsafe") == 0
    assert (server / "server.py").read_text() == before
    assert NEW in capsys.readouterr().out


SOURCES = {
    "docstring": ('"""Searches the mail."""', f'"""{NEW}"""'),
    "raw": ("r'''Searches\n    the mail.'''", f'"""{NEW}"""'),
    "quotes": ("'Searches the mail.'", f'"""{NEW}"""'),
}


@pytest.mark.parametrize("name", SOURCES)
def test_an_edit_puts_the_text_where_the_old_one_stood(api, tmp_path, name):
    said, wanted = SOURCES[name]
    server = mail(tmp_path / "mail")
    file = server / "server.py"
    text = file.read_text().replace('"""Searches the mail."""', said)
    file.write_text(text)
    api.answer = model()
    assert edited(server, tmp_path) == text.replace(said, wanted)


def edited(server, tmp_path) -> str:
    """Apply the fix that the JSON report carries, as an editor would."""
    document = json.loads(report(server, tmp_path, "json"))
    (finding,) = [each for part in document["sections"] for each in part["findings"]]
    (edit,) = finding["fix"]["edits"]
    rows = (server / edit["path"]).read_bytes().decode().split("\n")
    before = [*rows[: edit["line"] - 1], rows[edit["line"] - 1][: edit["column"] - 1]]
    after = [rows[edit["end_line"] - 1][edit["end_column"] - 1 :], *rows[edit["end_line"] :]]
    return "\n".join(before) + edit["text"] + "\n".join(after)


def test_several_lines_are_a_docstring(api, tmp_path):
    api.answer = model(writes(TWO, ("Searches the mail.", "words.split()"), (TWO.split("\n")[1], "[:50]")))
    server = mail(tmp_path / "mail")
    text = edited(server, tmp_path)
    assert '    """Searches the mail.\n    Gives at most 50 letters, "as `words` say".\n    """\n' in text
    (function,) = [each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    assert ast.get_docstring(function) == TWO


def test_an_argument_keeps_its_quotes(api, tmp_path):
    server = mail(tmp_path / "mail")
    file = server / "server.py"
    text = file.read_text().replace('    """Searches the mail."""', "").replace("tool()", f"tool(description='{OLD}')")
    file.write_text(text)
    api.answer = model()
    assert edited(server, tmp_path) == text.replace(OLD, NEW)


def test_a_text_that_is_put_together_has_no_edit(api, tmp_path):
    server = mail(tmp_path / "mail")
    file = server / "server.py"
    joined = 'tool(description="Searches " + "the mail.")'
    file.write_text(file.read_text().replace('    """Searches the mail."""', "").replace("tool()", joined))
    api.answer = model()
    document = json.loads(report(server, tmp_path, "json"))
    (finding,) = [each for part in document["sections"] for each in part["findings"]]
    assert (finding["rewrite"]["text"], finding.get("fix")) == (NEW, None)


RUST = """use rmcp::{{tool, tool_router}};

pub struct Mail;

#[tool_router]
impl Mail {{
{over}
    async fn search_mail(&self, words: Parameters<Words>) -> Result<CallToolResult, McpError> {{
        let found = BOX.iter().filter(|letter| letter.subject.contains(word in letter.subject));
        Ok(sorted(found, key=age)[:50])
    }}
}}
"""


@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ('    #[tool(description = "Searches the mail.")]', f'    #[tool(description = "{NEW}")]'),
        ("    /// Searches\n    /// the mail.\n    #[tool]", f"    /// {NEW}\n    #[tool]"),
    ],
)
def test_rust_says_it_in_the_attribute_or_the_comment(api, tmp_path, over, wanted):
    server = tmp_path / "mail"
    server.mkdir()
    (server / "Cargo.toml").write_text('[package]\nname = "mail"\n[dependencies]\nrmcp = "0.8"\n')
    (server / "mail.rs").write_text(RUST.format(over=over))
    api.answer = model()
    assert edited(server, tmp_path) == RUST.format(over=wanted)
