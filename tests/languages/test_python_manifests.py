"""Manifests that are at odds with each other or broken: each server has its own release, and nothing is raised."""

import textwrap

import pytest
from python_bad_input import ONE, names, project
from python_projects import FASTMCP, MCP

from reviewer.facts import Schema

pytestmark = pytest.mark.usefixtures("bounded")


def lock(**versions):
    packages = "".join(f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items())
    return "version = 1\n" + packages


class TestReleases:
    BODY = '''
    @mcp.tool()
    def read_file(path: str = "a") -> str:
        """Read a file.

        Args:
            path: where it is

        Returns:
            its text
        """
    '''
    DOC = "Read a file.\n\n    Args:\n        path: where it is\n\n    Returns:\n        its text\n    "

    def read(self, folder, files):
        return {server.span.path.split("/")[0]: server.tools[0] for server in project(folder, files).servers}

    def test_two_generations_of_the_sdk(self, tmp_path):
        old = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('old')\n"
        body = textwrap.dedent(self.BODY)
        files = {
            "old/pyproject.toml": '[project]\nname = "old"\ndependencies = ["mcp==1.9.4"]\n',
            "old/uv.lock": lock(mcp="1.9.4"),
            "old/server.py": old + body,
            "new/pyproject.toml": '[project]\nname = "new"\ndependencies = ["mcp>=2"]\n',
            "new/uv.lock": lock(mcp="2.3.0"),
            "new/server.py": MCP + body,
        }
        found = self.read(tmp_path, files)
        assert found["old"].description == found["new"].description == self.DOC
        assert found["old"].output_schema is None
        assert isinstance(found["new"].output_schema, Schema)
        assert found["new"].output_schema.document["properties"] == {"result": {"title": "Result", "type": "string"}}
        for each in found.values():
            assert each.input_schema.document["properties"] == {
                "path": {"default": "a", "title": "Path", "type": "string"}
            }

    def test_two_releases_of_fastmcp(self, tmp_path):
        files = {}
        for folder, version in (("older", "2.8.1"), ("old", "2.11.3"), ("new", "4.1.6")):
            files[f"{folder}/uv.lock"] = lock(fastmcp=version, mcp="1.12.4")
            files[f"{folder}/pkg/__init__.py"] = ""
            files[f"{folder}/pkg/server.py"] = FASTMCP + textwrap.dedent(self.BODY)
        found = self.read(tmp_path, files)
        assert found["older"].description == self.DOC
        assert found["old"].description == "Read a file.\n\nArgs:\n    path: where it is\n\nReturns:\n    its text"
        assert found["new"].description == "Read a file."
        assert [found[each].title for each in ("older", "old", "new")] == [None, None, "Read File"]
        assert [found[each].output_schema is None for each in ("older", "old", "new")] == [True, False, False]
        plain = {"default": "a", "title": "Path", "type": "string"}
        assert found["older"].input_schema.document["properties"] == {"path": plain}
        assert found["old"].input_schema.document["properties"] == {"path": plain}
        assert found["new"].input_schema.document == {
            "additionalProperties": False,
            "properties": {"path": {"default": "a", "description": "where it is", "type": "string"}},
            "type": "object",
        }

    @pytest.mark.parametrize(
        "manifests",
        [
            {"pyproject.toml": "tool = 3\n"},
            {"pyproject.toml": "[tool]\npoetry = 3\n"},
            {"pyproject.toml": "[tool.poetry]\ndependencies = [1]\n"},
            {"pyproject.toml": "project = 3\n"},
            {"pyproject.toml": "[project]\ndependencies = 3\n"},
            {"pyproject.toml": "[project]\ndependencies = [3, 'mcp ><']\noptional-dependencies = {a = 3}\n"},
            {"pyproject.toml": "[project]\nrequires-python = '>=" + "9" * 5000 + "'\n"},
            {"pyproject.toml": "not toml ]["},
            {"pyproject.toml": "a = " + "[" * 5000 + "]" * 5000},
            {"pyproject.toml": b"\xff\xfe\0"},
            {"pyproject.toml": "[project.scripts]\nx = '....:main'\ny = 'server:mcp'\n"},
            {"pyproject.toml": "[project]\ndependencies = ['mcp>=1." + "9" * 5000 + "']\n"},
            {"uv.lock": 'name = "mcp"\nversion = "' + "9" * 5000 + '"'},
            {"uv.lock": 'name = "mcp"\nversion = "none"'},
            {"Pipfile.lock": "[]"},
            {"Pipfile.lock": '{"default": 5}'},
            {"Pipfile.lock": "[" * 100_000},
            {"requirements.txt": "mcp==\n-r requirements.txt\nmcp=>1\nmcp @ file:///etc/passwd\n"},
            {"requirements.txt": b"\xff\xfemcp==1.9"},
            {"setup.cfg": "[metadata]\n\0"},
            {"x.dist-info/METADATA": "Requires-Dist: mcp (\nRequires-Python: >=x"},
        ],
        ids=lambda each: next(iter(f"{k}: {v[:40]!r}" for k, v in each.items())),
    )
    def test_broken_manifests_do_not_raise(self, manifests, tmp_path):
        source = "from mcp.server import Server\nfrom fastmcp import FastMCP\nmcp = FastMCP('x')\n" + ONE
        assert names(tmp_path, {**manifests, "server.py": source, "other.py": MCP + ONE}) == ["one", "one"]
