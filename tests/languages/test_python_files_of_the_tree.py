"""Files of the tree that code reads to declare tools: their text is told, and that of no other file."""

import pytest
from python_projects import MCP, tool, tools

from reviewer.source import Opaque


def described(folder, expression, files, place="server.py"):
    """Return the description that an expression makes, beside further files."""
    source = (
        f"import importlib.resources, json, os, tomllib\nfrom pathlib import Path\n"
        f"{MCP}@mcp.tool(description={expression})\ndef read(): ..."
    )
    return tool(folder, {place: source, **files}).description


FILES = {
    "beside": "(Path(__file__).parent / 'texts' / 'read.md').read_text()",
    "with an encoding": "(Path(__file__).parent / 'texts/read.md').read_text(encoding='utf-8')",
    "resolved": "Path(__file__).resolve().parent.joinpath('texts', 'read.md').read_text()",
    "with a name": "Path(__file__).with_name('texts').joinpath('read.md').read_text()",
    "above": "(Path(__file__).parent.parent / 'demo' / 'texts' / 'read.md').read_text()",
    "by its parents": "(Path(__file__).parents[1] / 'demo' / 'texts' / 'read.md').read_text()",
    "by os": "open(os.path.join(os.path.dirname(__file__), 'texts', 'read.md')).read()",
    "by os, absolute": (
        "open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'texts', 'read.md'), encoding='utf-8').read()"
    ),
    "open of a path": "open(Path(__file__).parent / 'texts' / 'read.md').read()",
    "method open": "(Path(__file__).parent / 'texts' / 'read.md').open().read()",
    "resources of a package": "importlib.resources.files('demo').joinpath('texts/read.md').read_text()",
    "resources by operator": "(importlib.resources.files('demo') / 'texts' / 'read.md').read_text(encoding='utf-8')",
    "json": "json.loads((Path(__file__).parent / 'texts' / 'all.json').read_text())['read']",
    "json of a file": "json.load(open(Path(__file__).parent / 'texts' / 'all.json'))['read']",
    "stripped": "(Path(__file__).parent / 'texts' / 'long.md').read_text().strip()",
    "by a name": "(Path(__file__).parent / 'texts' / f'{Path(__file__).stem[:0]}read.md').read_text()",
}


@pytest.mark.parametrize("expression", FILES.values(), ids=FILES)
def test_files_of_the_tree(expression, tmp_path):
    files = {
        "demo/__init__.py": "",
        "demo/texts/read.md": "Read a file.",
        "demo/texts/long.md": "\nRead a file.\n\n",
        "demo/texts/all.json": '{"read": "Read a file."}',
    }
    assert described(tmp_path, expression, files, "demo/server.py") == "Read a file."


WITH = {
    "json": "with open(Path(__file__).parent / 'all.json') as file:\n    DATA = json.load(file)\n",
    "toml": "with open(Path(__file__).parent / 'all.toml', 'rb') as file:\n    DATA = tomllib.load(file)\n",
    "path": "with (Path(__file__).parent / 'all.json').open() as file:\n    DATA = json.loads(file.read())\n",
    "function": (
        "def load(name):\n    with open(Path(__file__).parent / name) as file:\n"
        "        return json.load(file)\nDATA = load('all.json')\n"
    ),
}


@pytest.mark.parametrize("lines", WITH.values(), ids=WITH)
def test_open_file(lines, tmp_path):
    source = f"import json, tomllib\nfrom pathlib import Path\n{lines}{MCP}"
    source += (
        "for name, text in DATA['tools'].items():\n    @mcp.tool(name=name, description=text)\n    def other(): ..."
    )
    files = {
        "server.py": source,
        "all.json": '{"tools": {"read": "Read.", "write": "Write."}}',
        "all.toml": '[tools]\nread = "Read."\nwrite = "Write."\n',
    }
    assert [(each.name, each.description) for each in tools(tmp_path, files)] == [
        ("read", "Read."),
        ("write", "Write."),
    ]


@pytest.mark.parametrize(
    "expression",
    [
        "(Path(__file__).parent / 'missing.md').read_text()",
        "(Path(__file__).parent / '..' / '..' / 'outside.md').read_text()",
        "Path('/etc/hostname').read_text()",
        "open('/etc/hostname').read()",
        "Path('read.md').read_text()",
        "json.loads((Path(__file__).parent / 'broken.json').read_text())['read']",
        "json.load(open(Path(__file__).parent / 'broken.json'))['read']",
        "importlib.resources.files('far').joinpath('read.md').read_text()",
    ],
)
def test_file_that_is_not_of_the_tree_is_not_told(expression, tmp_path):
    (tmp_path / "outside.md").write_text("Outside.")
    found = described(tmp_path / "project", expression, {"broken.json": "{", "read.md": "Read."})
    assert isinstance(found, Opaque)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'yes' if (Path(__file__).parent / 'read.md').exists() else 'no'", "yes"),
        ("'yes' if (Path(__file__).parent / 'other.md').is_file() else 'no'", "no"),
        ("Path(__file__).stem + Path(__file__).suffix", "server.py"),
        ("Path(__file__).name", "server.py"),
    ],
)
def test_path_itself(expression, value, tmp_path):
    assert described(tmp_path, expression, {"read.md": ""}) == value
