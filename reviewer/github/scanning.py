"""A SARIF report → GitHub's code scanning."""

import base64
import gzip
from pathlib import Path

from reviewer.files.discovery import CannotReviewError
from reviewer.github.client import Client

MOST_BYTES = 10 * 2**20
"""What code scanning takes, compressed."""


def pack_sarif(sarif: Path) -> str:
    """Pack a report as code scanning takes it. Raises CannotReviewError if it cannot be read, or is too large."""
    try:
        compressed = gzip.compress(sarif.read_bytes(), mtime=0)
    except OSError as error:
        raise CannotReviewError(f"{sarif}: cannot be read: {(error.strerror or '').lower()}") from None
    if len(compressed) > MOST_BYTES:
        raise CannotReviewError(f"{sarif}: larger than the {MOST_BYTES // 2**20} MB that code scanning takes")
    return base64.b64encode(compressed).decode()


def upload(client: Client, repository: str, commit: str, ref: str, sarif: str) -> str:
    """Upload a packed report of a commit, and tell what was done. It may be done twice: the later one holds."""
    client.call("POST", f"/repos/{repository}/code-scanning/sarifs", {"commit_sha": commit, "ref": ref, "sarif": sarif})
    return "SARIF uploaded"
