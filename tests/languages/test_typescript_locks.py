"""The release of zod that a lock file says decides which schema a shape becomes."""

import json
import time

import pytest
from invocation import invoke
from test_typescript_tools import HANDLER, MCP, put, tools

from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.languages.typescript.project import locks
from reviewer.languages.typescript.project.locks import LockRequest

SERVER = f"{MCP}server.tool('read', {{ a: z.number().int() }}, {HANDLER});"
THREE, FOUR = {"type": "integer"}, {"type": "integer", "minimum": 1 - 2**53, "maximum": 2**53 - 1}


def manifest(name="app", zod="*", **more):
    return json.dumps({"name": name, "dependencies": {"zod": zod}, **more})


def npm(version):
    return json.dumps({"lockfileVersion": 3, "packages": {"node_modules/zod": {"version": version}}})


def npm_1(version):
    return json.dumps({"lockfileVersion": 1, "dependencies": {"zod": {"version": version}}})


def pnpm_9(version):
    return f"""lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      zod:
        specifier: '*'
        version: {version}(react@18.2.0)

packages:

  zod@{version}:
    resolution: {{integrity: sha512-x}}
"""


def pnpm_6(version):
    return f"""lockfileVersion: '6.0'

dependencies:
  zod:
    specifier: '*'
    version: {version}

packages:

  /zod@{version}:
    resolution: {{integrity: sha512-x}}
"""


def pnpm_5(version):
    return f"lockfileVersion: 5.4\n\nspecifiers:\n  zod: '*'\n\ndependencies:\n  zod: {version}_react@18.2.0\n"


def yarn_1(version):
    return f"""# yarn lockfile v1


"@types/node@*", "@types/node@^20":
  version "20.1.0"

zod@*, zod@^2:
  version "{version}"
  resolved "https://registry.example/zod"
  dependencies:
    version "9.9.9"
"""


def yarn_berry(version):
    return f"""# This file is generated

__metadata:
  version: 8
  cacheKey: 10

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    zod: "npm:*"

"zod@npm:*, zod@npm:^2":
  version: {version}
  resolution: "zod@npm:{version}"
"""


def bun(version):
    return f"""{{
  "lockfileVersion": 1,
  "workspaces": {{ "": {{ "name": "app", "dependencies": {{ "zod": "*", }}, }}, }},
  "packages": {{
    "zod": ["zod@{version}", "", {{}}, "sha512-,]x"],
  }}
}}
"""


def pnpm_11(version):
    return pnpm_9("1.0.0") + "---\n" + pnpm_9(version)


FORMS = {
    "package-lock.json": [npm, npm_1],
    "npm-shrinkwrap.json": [npm],
    "pnpm-lock.yaml": [pnpm_11, pnpm_9, pnpm_6, pnpm_5],
    "yarn.lock": [yarn_1, yarn_berry],
    "bun.lock": [bun],
}


def field(folder, path="server.ts"):
    (tool,) = tools(read(discover_files(folder)))
    return tool.input_schema.document["properties"]["a"]


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, forms in FORMS.items() for form in forms])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_each_form_says_the_release(tmp_path, name, form, ends):
    for version, expected in (("3.23.8", THREE), ("4.1.5", FOUR)):
        text = form(version).replace("\n", ends)
        put(tmp_path, {"server.ts": SERVER, "package.json": manifest(), name: text})
        assert field(tmp_path) == expected


WORKSPACE = {
    "package-lock.json": json.dumps(
        {
            "packages": {
                "": {},
                "packages/app": {"name": "app"},
                "node_modules/zod": {"version": "4.1.5"},
                "packages/app/node_modules/zod": {"version": "3.23.8"},
            }
        }
    ),
    "pnpm-lock.yaml": """lockfileVersion: '9.0'
importers:
  .:
    devDependencies:
      zod: {specifier: '*', version: 4.1.5}
  packages/app:
    dependencies:
      zod:
        specifier: ^3.20
        version: 3.23.8
""",
    "yarn.lock": '# yarn lockfile v1\n\nzod@^3.20:\n  version "3.23.8"\n\nzod@*:\n  version "4.1.5"\n',
    "bun.lock": '{"packages": {"zod": ["zod@4.1.5"], "app/zod": ["zod@3.23.8"],},}',
}


@pytest.mark.parametrize("name", WORKSPACE)
def test_the_lock_of_a_workspace_lies_in_its_root(tmp_path, name):
    put(tmp_path, {"package.json": manifest("root"), name: WORKSPACE[name]})
    put(tmp_path, {"packages/app/server.ts": SERVER, "packages/app/package.json": manifest("app", "^3.20")})
    assert field(tmp_path) == THREE
    put(tmp_path, {"packages/app/package.json": manifest("other")})
    (tmp_path / "packages" / "app").rename(tmp_path / "packages" / "other")
    assert field(tmp_path) == FOUR


def test_of_several_the_one_of_the_package_manager_holds(tmp_path):
    files = {"server.ts": SERVER, "package-lock.json": npm("4.1.5"), "pnpm-lock.yaml": pnpm_9("3.23.8")}
    put(tmp_path, {**files, "package.json": manifest()})
    assert field(tmp_path) == FOUR
    put(tmp_path, {"package.json": manifest(packageManager="pnpm@9.1.0+sha512.x")})
    assert field(tmp_path) == THREE
    put(tmp_path, {"package.json": manifest(packageManager=["pnpm"])})
    assert field(tmp_path) == FOUR


UNSAID = {
    "pnpm-lock.yaml": pnpm_9("link:../zod4"),
    "yarn.lock": yarn_berry("0.0.0-use.local"),
    "package-lock.json": json.dumps({"packages": {"node_modules/zod": {"resolved": "zod4", "link": True}}}),
    "bun.lock": '{"packages": {"zod": ["zod@workspace:zod4"]}}',
}


@pytest.mark.parametrize("name", UNSAID)
def test_what_lies_in_the_project_has_the_release_of_the_range(tmp_path, name):
    put(tmp_path, {"server.ts": SERVER, "package.json": manifest(zod="^3.20"), name: UNSAID[name]})
    assert field(tmp_path) == THREE


def test_another_package_of_the_workspace_may_have_the_second_sdk(tmp_path):
    lock = {"node_modules/@modelcontextprotocol/server": {"version": "2.0.0"}, "node_modules/zod": {"version": "4.1.5"}}
    put(tmp_path, {"server.ts": SERVER, "package-lock.json": json.dumps({"packages": lock})})
    for name, expected in (("sdk", "draft-07"), ("server", "2020-12")):
        asked = {"dependencies": {f"@modelcontextprotocol/{name}": "*"}}
        put(tmp_path, {"package.json": json.dumps(asked)})
        (tool,) = tools(read(discover_files(tmp_path)))
        assert expected in tool.input_schema.document["$schema"]


BROKEN = {
    "package-lock.json": ["{", "[]", "[" * 100_000, '{"packages": ' + "[" * 100_000],
    "pnpm-lock.yaml": [
        "a: b",
        "lockfileVersion: 9\nimporters:\n  .:\n    a: [\n",
        "lockfileVersion: 9\nimporters:\n  .:\n    a: " + "[" * 100_000,
        "lockfileVersion: 9\nimporters:\n  .:\n" + "    a: b\n" * 100_000,
        "lockfileVersion: 9\nimporters:\n<<<<<<< HEAD\n  .: {}\n=======\n",
    ],
    "yarn.lock": ["<<<<<<< HEAD\n", "{}"],
    "bun.lock": ['{"packages" 1,}', "1", "/*" * 100_000],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BROKEN.items() for text in texts])
def test_one_that_cannot_be_read_is_named_once_and_the_range_holds(tmp_path, name, text):
    put(tmp_path, {"server.ts": SERVER, "package.json": manifest(zod="^3.20"), name: text})
    assert field(tmp_path) == THREE
    result = invoke(str(tmp_path), "--select", "tool-without-description")
    assert "Traceback" not in result.stderr
    told = [each for each in result.stdout.splitlines() if name in each]
    assert len(told) == 1
    assert result.returncode == 0
    assert "the lock file cannot be read, so releases are taken from package.json: " in told[0]


@pytest.mark.parametrize("name", FORMS)
def test_one_without_anything_says_nothing(tmp_path, name):
    empty = {"pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "yarn.lock": ""}.get(name, "{}")
    put(tmp_path, {"server.ts": SERVER, "package.json": manifest(zod="^3.20"), name: empty})
    tree = discover_files(tmp_path)
    (tool,) = tools(read(tree))
    assert tool.input_schema.document["properties"]["a"] == THREE
    assert tree.gaps == {}


ODD = ["- a", "? [a]\n: b", "&a [*a]", "<<: {a: 1}", "\x00", "!!python/object:os.system x", "x: " + "\t" * 9]


@pytest.mark.parametrize("part", ODD)
def test_odd_yaml_is_no_fault_of_ours(part):
    text = f"lockfileVersion: 9\nimporters:\n  .:\n    dependencies:\n      {part}\n"
    lock, told = locks.PnpmLock(text), ""
    try:
        assert lock.find_version(LockRequest("zod", "", "app", "*")) is None
    except ValueError as error:
        told = str(error)
    assert told in ("", "not valid YAML")


def test_what_is_long_takes_time_that_grows_with_it():
    """Each of these took minutes if each start of a part were tried to the end."""
    began = time.process_time()
    for text in ("/*" * 200_000, ", " * 200_000, '"\\' * 200_000, "{" + "//" * 200_000):
        with pytest.raises(ValueError):
            locks.BunLock(text)
    locks.YarnLock("# yarn lockfile v1\n" + "a: " * 100_000 + "\n" + "a:\n" * 50_000 + "  b\n" * 50_000)
    locks.PnpmLock("lockfileVersion: 9\n" + "importers:\n" * 50_000 + "packages:\n" + "  a: b\n" * 100_000)
    assert time.process_time() - began < 10
