"""TOML that others wrote is read in a time that grows as it does, and refused in few words."""

import dataclasses
import tomllib

import pytest
from effort import at_most

from reviewer import CannotReviewError, Flags, review
from reviewer.rules import declare_option
from reviewer.text import toml
from reviewer.text.tables import fill_settings

SECONDS = 4.0
"""Far more than any of them takes on a busy machine, far less than the tens of seconds that each took."""

DOTTED = "docs." * 65
TOO_MANY = f"a key of more than {toml.MOST_PARTS} parts"


@pytest.mark.parametrize(
    "text",
    [
        'ignore = ["{}"]',
        "ignore = ['{}']",
        "{} = 1",
        "[rules]\n{} = 'error'",
        "[{}]",
        "# {}",
        "most = 0x{}",
    ],
)
def test_a_word_of_100_kilobytes(text):
    document = text.format("a" * 100_000)
    with at_most(SECONDS):
        assert toml.parse_toml(document) == tomllib.loads(document)


@pytest.mark.parametrize(
    "start", ['a = "' + '\\"' * 40_000, '"' * 80_000, "'" * 80_000, "\"'\n" * 30_000, "- " * 40_000]
)
def test_strings_without_an_end(start):
    with at_most(SECONDS), pytest.raises(ValueError, match="not valid TOML"):
        toml.parse_toml(start)


@pytest.mark.parametrize(
    "text",
    [
        f'exclude = ["{DOTTED}md"]',
        f"exclude = ['{DOTTED}md']",
        f'text = """\n{DOTTED}md\n"""',
        f"text = '''\n{DOTTED}md\n'''",
        f'text = """He said "yes"\\""" {DOTTED}md"""""\nother = 1',
        f"text = '''It's {DOTTED}md'''''\nother = 1",
        f"# {DOTTED}md\nname = 1",
        f'name = "# no comment"  # {DOTTED}md',
        f'name = \'"\'\nother = "{DOTTED}"',
        ".".join(["a"] * 64) + " = 1",
    ],
)
def test_what_only_looks_like_a_long_key(text):
    assert toml.parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTTED}md = 1",
        f"[{DOTTED}md]",
        f"[[ {DOTTED}md ]]",
        " . ".join(["a"] * 65) + " = 1",
        '"a\\"b".' * 64 + "c = 1",
        "'a b'.\t" * 64 + "c = 1",
        f'text = """\nA text."""\n{DOTTED}md = 1',
        f"text = ''\nother = {{ {DOTTED}md = 1 }}",
    ],
)
def test_keys_of_too_many_parts(text):
    with pytest.raises(ValueError, match=TOO_MANY):
        toml.parse_toml(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ignore = ['{}']", "unknown rule"),
        ("profile = '{}'", "unknown profile"),
        ("{} = 1", "unknown key"),
        ("[rules]\n{} = 'error'", "unknown rule"),
        ("[rules]\ntool-name-style = '{}'", "unknown severity"),
        ("[rules.tool-name-style]\n{} = 1", "unknown key"),
        ("[sdk]\nmcp = '{}'", "is not a version"),
        ("[sdk]\n{} = '1.2'", "unknown name"),
    ],
)
def test_a_refusal_does_not_repeat_a_long_word(tmp_path, text, said):
    (tmp_path / "mcp-review.toml").write_text(text.format("x" * 80_000))
    (tmp_path / "tools.json").write_text('[{"name": "greet"}]')
    with at_most(SECONDS), pytest.raises(CannotReviewError, match=said) as refusal:
        review(tmp_path / "tools.json", Flags(within=tmp_path))
    assert "x…`" in str(refusal.value)
    assert "x" * 61 not in str(refusal.value)
    assert str(refusal.value).count("x…`") == 1


def test_a_former_key_sets_the_option_that_has_another_name_now():
    @dataclasses.dataclass(frozen=True)
    class Options:
        lenient: bool = declare_option(False, "Whether to be lenient.", formerly="mild")

    assert fill_settings(Options, {"mild": True}) == fill_settings(Options, {"lenient": True}) == Options(lenient=True)
    with pytest.raises(ValueError, match="did you mean `lenient`"):
        fill_settings(Options, {"lenent": True})
