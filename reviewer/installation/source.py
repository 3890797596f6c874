"""Where mcp-review itself was installed from: an index, a folder, an archive or a repository, as the installer noted it."""

import json
import shlex
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "mcp-review"


def format_requirement(extra: str) -> str:
    """Return the requirement that installs mcp-review with an extra: from where it came, which is not always the index."""
    where = _read_origin()
    url = where.get("url")
    folder = urlsplit(url).path if isinstance(url, str) and url.startswith("file:") else None
    if folder is not None and where.get("dir_info", {}).get("editable"):
        return f"-e {shlex.quote(f'{url2pathname(folder)}[{extra}]')}"
    return shlex.quote(f"{NAME}[{extra}] @ {_format_address(where)}" if isinstance(url, str) else f"{NAME}[{extra}]")


def _format_address(where: dict[str, Any]) -> str:
    """Return the address that mcp-review was installed from, with the commit of a repository and the folder in it."""
    version, below = where.get("vcs_info"), where.get("subdirectory")
    scheme = f"{version['vcs']}+" if version else ""
    commit = f"@{version['commit_id']}" if version else ""
    return f"{scheme}{where['url']}{commit}{f'#subdirectory={below}' if below else ''}"


def _read_origin() -> dict[str, Any]:
    """Return the installer's record of the origin of mcp-review (PEP 610); empty if it came from an index."""
    try:
        noted = json.loads(_find_distribution().read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _find_distribution() -> Distribution:
    return distribution(NAME)
