"""A SARIF report → GitHub's code scanning."""

import base64
import gzip

from reviewer.files import CannotReviewError
from reviewer.github.client import Client

MOST_BYTES = 10 * 2**20
"""What code scanning takes, compressed."""


def upload(client: Client, repository: str, commit: str, ref: str, sarif: str) -> str:
    """Upload a report of a commit, and tell what was done. It may be done twice: the later one holds."""
    packed = gzip.compress(sarif.encode(), mtime=0)
    if len(packed) > MOST_BYTES:
        raise CannotReviewError(
            f"the SARIF report is larger than the {MOST_BYTES // 2**20} MB that code scanning takes"
        )
    body = {"commit_sha": commit, "ref": ref, "sarif": base64.b64encode(packed).decode()}
    client.call("POST", f"/repos/{repository}/code-scanning/sarifs", body)
    return "SARIF uploaded"
