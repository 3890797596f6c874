"""Nothing of what is read runs, and neither the machine's files nor its settings show in the result."""

import os
import signal
import subprocess
import sys
import time

import pytest
from python_bad_input import ONE, described, names, write
from python_projects import MCP

from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.render import catalog
from reviewer.source import Opaque, Text

pytestmark = pytest.mark.usefixtures("bounded")


class TestFilesThatCodeReads:
    READS = (
        "(HERE / {0}).read_text()",
        "open(HERE / {0}).read()",
        "open(os.path.join(os.path.dirname(__file__), {0})).read()",
        "HERE.joinpath({0}).read_text(encoding='utf-8')",
        "(HERE / {0}).open().read()",
    )
    SECRET = "secret of the machine"

    def read(self, folder, expression):
        before = "import json, os, pathlib\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
        found = described(folder, expression, before)
        assert not isinstance(found, Text) or self.SECRET not in found
        return found

    @pytest.mark.parametrize("reads", READS)
    def test_file_in_the_tree(self, reads, tmp_path):
        (tmp_path / "text.txt").write_text("Right.")
        assert self.read(tmp_path, reads.format("'text.txt'")) == "Right."

    @pytest.mark.parametrize("reads", READS)
    @pytest.mark.parametrize(
        "place",
        ["../../../../../../../etc/passwd", "../secret.txt", "/etc/passwd", "{outside}", "inner/../../secret.txt"],
    )
    def test_file_outside_the_tree_is_unreadable(self, reads, place, tmp_path):
        root = tmp_path / "root"
        (root / "inner").mkdir(parents=True)
        (tmp_path / "secret.txt").write_text(self.SECRET)
        place = place.format(outside=tmp_path / "secret.txt")
        assert isinstance(self.read(root, reads.format(repr(place))), Opaque)

    @pytest.mark.parametrize(
        "expression",
        [
            "open('/etc/passwd').read()",
            "Path('/etc/passwd').read_text()",
            "Path.home().joinpath('.bashrc').read_text()",
            "Path('~/.bashrc').expanduser().read_text()",
            "Path.cwd().joinpath('server.py').read_text()",
            "Path('server.py').read_text()",
            "open('server.py').read()",
            "(HERE.parent.parent.parent.parent / 'etc/passwd').read_text()",
            "(HERE / 'etc' / '..' / '..' / 'secret.txt').read_text()",
            "os.popen('echo x').read()",
            "os.environ['HOME']",
            "os.path.expandvars('$HOME')",
            "os.path.expanduser('~')",
            "os.listdir(HERE)[0]",
            "next(HERE.iterdir()).read_text()",
            "next(HERE.glob('*.txt')).read_text()",
        ],
    )
    def test_what_lies_on_the_machine_is_unreadable(self, expression, tmp_path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "secret.txt").write_text(self.SECRET)
        assert isinstance(self.read(root, expression), Opaque)

    @pytest.mark.parametrize("reads", READS)
    def test_links_out_of_the_tree_are_not_followed(self, reads, tmp_path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "secret.txt").write_text(self.SECRET)
        (root / "link.txt").symlink_to(tmp_path / "folder" / "secret.txt")
        (root / "inner").symlink_to(tmp_path / "folder")
        (root / "code.py").symlink_to(tmp_path / "folder" / "secret.txt")
        (root / "loop.txt").symlink_to(root / "loop.txt")
        for place in ("link.txt", "inner/secret.txt", "code.py", "loop.txt"):
            assert isinstance(self.read(root, reads.format(repr(place))), Opaque)

    def test_link_to_a_device_is_not_followed(self, tmp_path):
        (tmp_path / "link.txt").symlink_to("/dev/zero")
        assert isinstance(self.read(tmp_path, "(HERE / 'link.txt').read_text()"), Opaque)

    def test_pipe_is_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.txt")
        signal.alarm(30)
        assert isinstance(self.read(tmp_path, "(HERE / 'pipe.txt').read_text()"), Opaque)

    def test_file_of_two_megabytes_is_unreadable(self, tmp_path):
        (tmp_path / "big.txt").write_text("x" * 2**21)
        assert isinstance(self.read(tmp_path, "(HERE / 'big.txt').read_text()"), Opaque)

    @pytest.mark.parametrize(
        "place", [r"'a\0b'", r"'\ud800'", "'x' * 100_000", "''", "'.'", "'..'", "'missing.txt'", r"'a\nb'"]
    )
    @pytest.mark.parametrize("reads", READS)
    def test_place_that_is_none(self, reads, place, tmp_path):
        assert isinstance(self.read(tmp_path, reads.format(place)), Opaque)

    @pytest.mark.parametrize("place", [r"'a\0b'", r"'\ud800'", "'x' * 100_000"])
    def test_question_about_a_place_that_is_none(self, place, tmp_path):
        source = f"{MCP}from pathlib import Path\nif (Path(__file__).parent / {place}).exists():\n    X = 1\n{ONE}"
        assert names(tmp_path, {"server.py": source}) == ["one"]

    @pytest.mark.parametrize(
        "content", [b"\xff\xfe", b"\0" * 10, b"[" * 200_000, b"[" * 900 + b"]" * 900, b"", b"9" * 6000, b'"\\ud800"']
    )
    @pytest.mark.parametrize("form", ["json.loads((HERE / 'x.json').read_text())", "json.load(open(HERE / 'x.json'))"])
    def test_json_that_is_none(self, content, form, tmp_path):
        (tmp_path / "x.json").write_bytes(content)
        self.read(tmp_path, f"str({form})")


class TestEnvironment:
    SOURCE = """
    import os, sys, getpass, platform, socket, time, random, uuid, datetime
    from pathlib import Path
    from typing import Literal
    from pydantic import Field
    from pydantic_settings import BaseSettings
    from fastmcp import FastMCP

    class Settings(BaseSettings):
        name: str = "default"
        write: bool = False

    settings = Settings()
    mcp = FastMCP(os.getenv("NAME", "demo"))

    @mcp.tool(description=os.getenv("NAME", "default"))
    def one(x: int = int(os.getenv("LIMIT", "5"))): ...

    @mcp.tool(description=os.environ["NAME"])
    def two(x: str = os.environ.get("NAME", "a")): ...

    @mcp.tool(description=settings.name)
    def three(x: str = Field(settings.name)): ...

    @mcp.tool(description=os.path.expandvars("$NAME") + os.path.expanduser("~") + str(Path.home()) + os.getcwd())
    def four(x: str = sys.argv[0]): ...

    @mcp.tool(description=f"{sys.version} {platform.node()} {getpass.getuser()} {socket.gethostname()} {os.getpid()}")
    def five(): ...

    @mcp.tool(description=f"{time.time()} {random.random()} {uuid.uuid4()} {datetime.datetime.now()}")
    def six(): ...

    if os.getenv("WRITE") or settings.write or "WRITE" in os.environ:
        @mcp.tool
        def seven(): ...

    if os.path.exists("marker") or Path("marker").exists():
        @mcp.tool
        def eight(): ...
    """

    def test_what_is_set_does_not_change_the_reading(self, tmp_path, monkeypatch):
        root = tmp_path / "root"
        write(root, {"server.py": self.SOURCE})
        for name in ("NAME", "WRITE", "LIMIT"):
            monkeypatch.delenv(name, raising=False)
        before = catalog.render_json([catalog.build_catalog_v1(read(discover_files(root)))])
        values = {
            "NAME": "chosen",
            "WRITE": "1",
            "LIMIT": "77",
            "HOME": "/chosen",
            "USER": "chosen",
            "FASTMCP_NAME": "chosen",
        }
        for name, value in {**values, "MCP_NAME": "chosen", "SETTINGS_NAME": "chosen", "PYTHONPATH": "chosen"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["chosen"])
        (tmp_path / "marker").write_text("")
        monkeypatch.chdir(tmp_path)
        after = catalog.render_json([catalog.build_catalog_v1(read(discover_files(root)))])
        assert after == before
        assert "chosen" not in str(after)
        assert "eight" in str(after)

    def test_two_readings_are_the_same(self, tmp_path):
        write(tmp_path, {"server.py": self.SOURCE})
        assert catalog.render_json([catalog.build_catalog_v1(read(discover_files(tmp_path)))]) == catalog.render_json(
            [catalog.build_catalog_v1(read(discover_files(tmp_path)))]
        )

    @pytest.mark.slow
    def test_two_processes_read_the_same(self, tmp_path):
        write(
            tmp_path,
            {"server.py": self.SOURCE + "\n    @mcp.tool(description=str({'a', 'b', 'c'}))\n    def nine(): ...\n"},
        )
        code = (
            "import sys, pathlib; from reviewer.files.discovery import discover_files; from reviewer.languages import read;"
            "from reviewer.render import catalog; print(catalog.render_json([catalog.build_catalog_v1(read(discover_files(pathlib.Path(sys.argv[1]))))]))"
        )
        shown = [
            subprocess.run(
                [sys.executable, "-c", code, str(tmp_path)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]
        assert shown[0] == shown[1]


RUNS = "__import__('os').system('touch marker')"
"""What leaves a file behind where it runs; it would run in the folder that the test changes to."""
RUNNING = {
    "module body": f"open('marker', 'w').write('x')\n{RUNS}\nimport os\nos.system('touch marker')\n"
    f'exec(\'{RUNS[:0]}open("marker", "w")\')',
    "eval": "eval(\"open('marker', 'w')\")\ncompile(\"open('marker', 'w')\", 'x', 'exec')\n"
    "exec(\"open('marker', 'w')\")",
    "subprocess": "import subprocess\nsubprocess.run(['touch', 'marker'])\n"
    "subprocess.check_output('touch marker', shell=True)",
    "pathlib": "from pathlib import Path\nPath('marker').touch()\nPath('marker').write_text('x')\n"
    "(Path(__file__).parent / 'marker').write_text('x')\n(Path(__file__).parent / 'marker').open('w')\n"
    "(Path(__file__).parent / 'marker').mkdir()\n(Path(__file__).parent / 'server.py').unlink()",
    "annotation as text": f'@mcp.tool()\ndef two(x: "{RUNS}"): ...',
    "annotation inside a type": f"from typing import Optional\n@mcp.tool()\n"
    f'def two(x: list["{RUNS}"], y: Optional["{RUNS}"]): ...',
    "annotation that calls": f"@mcp.tool()\ndef two(x: {RUNS}, y: list[{RUNS}]) -> {RUNS}: ...",
    "future annotation": f"@mcp.tool()\ndef two(x: 'list[{RUNS.replace(chr(39), chr(34))}]'): ...",
    "field of a model": f'from pydantic import BaseModel\nclass M(BaseModel):\n    x: "{RUNS}"\n'
    f'    y: list["{RUNS}"] = []\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "created model": f"from pydantic import create_model\n"
    f'M = create_model("M", x=("{RUNS}", ...), y=(list["{RUNS}"], ...))\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "name of a created model": f'from pydantic import create_model\nM = create_model("{RUNS}", x=(int, ...))\n'
    "@mcp.tool()\ndef two(x: M, y: list[M]): ...",
    "typed dict": f'from typing import TypedDict\nM = TypedDict("M", {{"x": "{RUNS}", "y": list["{RUNS}"]}})\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "named tuple": f'from typing import NamedTuple\nM = NamedTuple("M", [("x", "{RUNS}")])\nclass N(NamedTuple):\n'
    f'    x: "{RUNS}"\n@mcp.tool()\ndef two(x: M, y: N): ...',
    "dataclass": f'from dataclasses import dataclass, field, make_dataclass\n@dataclass\nclass M:\n    x: "{RUNS}"\n'
    f'    y: int = field(default_factory=lambda: {RUNS})\nN = make_dataclass("N", [("x", "{RUNS}")])\n'
    "@mcp.tool()\ndef two(x: M, y: N): ...",
    "type variable": f'from typing import TypeVar, NewType\nT = TypeVar("T", bound="{RUNS}")\n'
    f'U = TypeVar("{RUNS}", "{RUNS}", int)\n'
    f'N = NewType("N", "{RUNS}")\n@mcp.tool()\ndef two(x: T, y: U, z: N): ...',
    "type alias": f'type A = "{RUNS}"\ntype B[T] = list["{RUNS}"]\n@mcp.tool()\ndef two(x: A, y: B[int]): ...',
    "literal and metadata": "from typing import Annotated, Literal\n"
    "from pydantic import Field, BeforeValidator, WithJsonSchema\n"
    f'@mcp.tool()\ndef two(x: Literal["{RUNS}"], y: Annotated["{RUNS}", Field(description="{RUNS}")],'
    f' z: Annotated[int, BeforeValidator(lambda x: {RUNS})], w: Annotated[int, WithJsonSchema({{"x": {RUNS}}})]): ...',
    "validators": f"from pydantic import BaseModel, field_validator, model_validator, computed_field, "
    f"field_serializer\n"
    f"class M(BaseModel):\n    x: int = 1\n    @field_validator('x', mode='before')\n"
    f"    def a(cls, v):\n        {RUNS}\n"
    f"    @model_validator(mode='before')\n    def b(cls, v):\n        {RUNS}\n"
    f"    @field_serializer('x')\n    def c(self, v):\n        {RUNS}\n"
    f"    @computed_field\n    @property\n    def d(self) -> int:\n        {RUNS}\n"
    "@mcp.tool()\ndef two(x: M = M(x=2)) -> M: ...",
    "default factory": "from pydantic import BaseModel, Field\ndef make():\n    open('marker', 'w')\n"
    "    return 1\nclass M(BaseModel):\n"
    f"    x: int = Field(default_factory=make)\n    y: int = Field(default_factory=lambda: {RUNS})\n"
    "@mcp.tool()\ndef two(x: M = M(), y: int = Field(default_factory=make)): ...",
    "schema extra": "from pydantic import BaseModel, ConfigDict, Field\ndef extra(schema):\n    open('marker', 'w')\n"
    "class M(BaseModel):\n    model_config = ConfigDict(json_schema_extra=extra, title='x')\n"
    "    x: int = Field(1, json_schema_extra=extra)\n"
    "    def __get_pydantic_json_schema__(self, *a): open('marker', 'w')\n"
    "    def __get_pydantic_core_schema__(self, *a): open('marker', 'w')\n"
    "    def __init_subclass__(cls): open('marker', 'w')\n"
    "    def model_post_init(self, c): open('marker', 'w')\n@mcp.tool()\ndef two(x: M): ...",
    "metaclass": f"class Meta(type):\n    def __new__(m, *a):\n        {RUNS}\n"
    f"    def __getattr__(c, n):\n        {RUNS}\n"
    f"class M(metaclass=Meta):\n    x = {RUNS}\n    def __class_getitem__(cls, i):\n        {RUNS}\n"
    "@mcp.tool()\ndef two(x: M, y: M[int]): ...",
    "enumeration": f"import enum\nclass E(enum.Enum):\n    A = {RUNS}\n    @classmethod\n"
    f"    def _missing_(cls, v):\n        {RUNS}\n"
    "    def __str__(self): open('marker', 'w')\n@mcp.tool(description=f'{E.A}')\ndef two(x: E = E('b')): ...",
    "decorator and default": f"def d(f):\n    open('marker', 'w')\n    return f\n@mcp.tool()\n@d\n"
    f"def two(x=open('marker', 'w'), y={RUNS}):\n"
    f"    {RUNS}",
    "description": f"class T:\n    def __format__(self, s): open('marker', 'w')\n"
    f"    def __str__(self): {RUNS}\n    __repr__ = __str__\n"
    f"@mcp.tool(description=f'{{T():x}} {{T()}} {{T()!r}} {{{RUNS}}}'.format(T()))\ndef two(): ...",
    "format reaches into objects": "@mcp.tool(description='{0.__globals__[os]}'.format(print))\ndef two(): ...",
    "import by name": "import importlib\nimportlib.import_module('hostile')\n__import__('hostile')\n"
    "from hostile import *\nimport hostile.x",
    "import hook": "import sys\nsys.path.insert(0, '.')\nimport antigravity, hostile\nsys.meta_path.append(1)",
    "unpickling": "import pickle, yaml, marshal\npickle.loads(b\"cos\\nsystem\\n(S'touch marker'\\ntR.\")\n"
    "yaml.load(\"!!python/object/apply:os.system ['touch marker']\", Loader=yaml.Loader)",
    "context manager": f"class C:\n    def __enter__(self): {RUNS}\n"
    f"    def __exit__(self, *a): {RUNS}\nwith C() as c: pass\n"
    "with open('marker', 'w') as f: f.write('x')",
    "lifespan and handlers": f"import atexit, signal, threading\natexit.register(lambda: {RUNS})\n"
    f"threading.Thread(target=lambda: {RUNS}).start()\n@mcp.on_event('startup')\ndef s(): {RUNS}\nmcp.run()",
    "main": f"if __name__ == '__main__':\n    {RUNS}\n    mcp.run()",
}


@pytest.mark.parametrize("source", RUNNING.values(), ids=RUNNING.keys())
def test_nothing_of_it_runs(source, tmp_path, monkeypatch, capfd):
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(str(root))
    loaded = set(sys.modules)
    hostile = "open('marker', 'w')\nX = 1\nimport mcp\n"
    files = {
        "server.py": MCP + ONE + source + "\n",
        "hostile.py": hostile,
        "sitecustomize.py": hostile,
        "pydantic_x.py": hostile,
    }
    assert "one" in names(root, files)
    time.sleep(0.01)
    assert sorted(each.name for each in root.iterdir()) == sorted(files)
    assert not {"hostile", "server", "antigravity", "sitecustomize_x", "pydantic_x"} & (set(sys.modules) - loaded)
    assert capfd.readouterr() == ("", "")
