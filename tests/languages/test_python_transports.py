from pathlib import Path

import pytest
from python_projects import FASTMCP, OLDER, review

from reviewer.facts import Transport
from reviewer.source import Opaque


def served(root: Path, code: str, start: str = OLDER) -> list[Transport]:
    return list(review(root, f"{start}\n{code}\n").transports)


class TestKinds:
    @pytest.mark.parametrize(
        ("code", "kinds"),
        [
            ("mcp.run()", ["stdio"]),
            ("mcp.run('sse')", ["sse"]),
            ("mcp.run(transport='SSE'.lower())", ["sse"]),
            ("WAY = 'sse'\nmcp.run(transport=WAY)", ["sse"]),
            ("mcp.run(**{'transport': 'sse'})", ["sse"]),
            ("options = {'transport': 'sse', 'port': 80}\nmcp.run(**options)", ["sse"]),
            ("import threading\nthreading.Thread(target=mcp.run, kwargs={'transport': 'sse'}).start()", ["sse"]),
            ("from functools import partial\npartial(mcp.run, transport='sse')()", ["sse"]),
            ("import anyio\nanyio.run(mcp.run_sse_async)", ["sse"]),
            ("app = mcp.sse_app()", ["sse"]),
            ("mcp.run(transport='sse' if WEB else 'stdio')", ["sse", "stdio"]),
            ("import os\nmcp.run(transport=os.environ.get('WAY') or 'sse')", ["sse"]),
            ("def main(way: str = 'sse'):\n    mcp.run(transport=way)", ["sse"]),
            ("import os\nmcp.run(transport=os.environ['WAY'])", []),
            ("from mcp.client.sse import sse_client\nsse_client('https://a.example/sse')", []),
            ("# mcp.run(transport='sse')", []),
            ("print('mcp.run(transport=sse)')", []),
        ],
    )
    def test_what_is_asked_for(self, tmp_path: Path, code: str, kinds: list[str]) -> None:
        assert [each.kind for each in served(tmp_path, code)] == kinds

    def test_a_choice_is_told_from_a_fixed_one(self, tmp_path: Path) -> None:
        (fixed,) = served(tmp_path, "mcp.run(transport='sse')")
        assert not fixed.chosen
        code = "import typer\ndef main(way: str = typer.Option('sse')):\n    mcp.run(transport=way)"
        (chosen,) = served(tmp_path, code)
        assert chosen.chosen

    def test_settings(self, tmp_path: Path) -> None:
        files = {
            "settings.py": "from typing import Literal\nfrom pydantic_settings import BaseSettings\n"
            "class Settings(BaseSettings):\n    transport: Literal['stdio', 'sse'] = 'stdio'\nsettings = Settings()\n",
            "server.py": f"{OLDER}\nfrom settings import settings\nmcp.run(transport=settings.transport)\n",
        }
        assert {each.kind for each in review(tmp_path, files).transports} == {"stdio", "sse"}


class TestAuth:
    @pytest.mark.parametrize(
        ("start", "code", "auth"),
        [
            ("from mcp.server.fastmcp import FastMCP", "mcp = FastMCP('a', auth=settings())", "auth"),
            ("from mcp.server.fastmcp import FastMCP", "mcp = FastMCP('a', token_verifier=Tokens())", "token_verifier"),
            ("from mcp.server.fastmcp import FastMCP", "mcp = FastMCP('a', auth=None)", None),
        ],
    )
    def test_the_servers_arguments(self, tmp_path: Path, start: str, code: str, auth: str | None) -> None:
        (found,) = served(tmp_path, f"{code}\nmcp.run(transport='streamable-http')", start)
        assert found.auth == auth

    def test_middleware_of_another_project(self, tmp_path: Path) -> None:
        code = "from edge import GatewayMiddleware\nmcp.add_middleware(GatewayMiddleware())\nmcp.run(transport='http')"
        (found,) = served(tmp_path, code, FASTMCP)
        assert isinstance(found.auth, Opaque)

    def test_an_application_that_others_serve(self, tmp_path: Path) -> None:
        (found,) = served(tmp_path, "app = mcp.streamable_http_app()")
        assert isinstance(found.auth, Opaque)

    @pytest.mark.parametrize(
        ("code", "local"),
        [
            ("mcp.run(transport='http')", True),
            ("mcp.run(transport='http', host='localhost')", True),
            ("mcp.run(transport='http', host='0.0.0.0')", False),
            ("HOST = '0.0.0.0'\nmcp.run(transport='http', host=HOST)", False),
            ("import os\nmcp.run(transport='http', host=os.getenv('HOST', '127.0.0.1'))", True),
            ("import os\nmcp.run(transport='http', host=os.environ['HOST'])", None),
            ("import uvicorn\nuvicorn.run(mcp.http_app(), host='0.0.0.0')", False),
            ("import uvicorn\nuvicorn.run(mcp.http_app())", True),
        ],
    )
    def test_the_host(self, tmp_path: Path, code: str, local: bool | None) -> None:
        (found,) = served(tmp_path, code, FASTMCP)
        assert found.local is local
