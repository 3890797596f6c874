"""What a report is about: what was named, the repository and commit that it was read from, and the time.

Git is not run for it: the few files that say so are read as text, and of a checkout that may be a stranger's nothing is taken
that is not plainly the address of a repository or the name of a commit.
"""

import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from reviewer.failures import CannotReviewError
from reviewer.files.storage import UNREADABLE, Disk
from reviewer.records import dataclass
from reviewer.text.patterns import pattern


class AddressForm(NamedTuple):
    """How a host addresses things below the address of a repository."""

    line: str
    commit: str = "commit/{commit}"


FORMS = {
    "github.com": AddressForm("blob/{commit}/{path}#L{line}"),
    "gitlab.com": AddressForm("-/blob/{commit}/{path}#L{line}", "-/commit/{commit}"),
    "bitbucket.org": AddressForm("src/{commit}/{path}#lines-{line}", "commits/{commit}"),
    "codeberg.org": AddressForm("src/commit/{commit}/{path}#L{line}"),
}
"""The known hosts of code, each with its form."""

MOST = 2**24
"""Bytes of a file of git's: the packed refs of a repository with 100,000 tags have less."""

LONGEST = 300
"""Characters of a remote, and of a path that is linked: encoded it is three times as long, and a report has thousands."""

REMOTE = "origin"
"""The remote that a clone makes."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What was reviewed, and when.

    `named` is what the caller named. `repository` is its address without scheme and credentials, as in `github.com/owner/name`,
    and `commit` the one that is checked out, in full; either is empty if it is not known. `form` is that of the host, None if it
    is not known.
    """

    named: tuple[str, ...]
    time: datetime
    repository: str = ""
    commit: str = ""
    form: AddressForm | None = None

    @property
    def home(self) -> str | None:
        """The address of the repository for a browser, None if its host is not known."""
        return f"https://{self.repository}" if self.form is not None else None

    @property
    def commit_link(self) -> str | None:
        """The address of the commit, None if it is not known."""
        if self.form is None or not self.commit:
            return None
        return f"{self.home}/{self.form.commit.format(commit=self.commit)}"

    @property
    def moment(self) -> str:
        """The time to the minute, in UTC."""
        return f"{self.time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"

    def link(self, path: str, line: int) -> str | None:
        """Return the address of a line of a file, named from the top of the repository; None if it is not known."""
        if self.form is None or not self.commit or len(path) > LONGEST:
            return None
        quoted = quote(path.encode("utf-8", "replace"))
        return f"{self.home}/{self.form.line.format(commit=self.commit, path=quoted, line=line)}"


def find_provenance(named: Sequence[str], folder: Path | None) -> Provenance:
    """Return where `folder` comes from: nothing is known of the repository if it is None or in none.

    Raises CannotReviewError if SOURCE_DATE_EPOCH is set and is no time.
    """
    repository, commit = _find_checkout(folder) if folder is not None else ("", "")
    host = repository.partition("/")[0]
    return Provenance(tuple(named), get_time(), repository, commit, _choose_address_forms(os.environ).get(host))


def get_time() -> datetime:
    """Return the time of SOURCE_DATE_EPOCH (seconds since 1970), which makes two reports equal, or else the clock's."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(given), UTC)
    except (ValueError, OverflowError, OSError):
        raise CannotReviewError(f"SOURCE_DATE_EPOCH: {given[:40]} is no number of seconds since 1970") from None


def _choose_address_forms(variables: Mapping[str, str]) -> dict[str, AddressForm]:
    """Return how hosts address lines; a job of CI says which product the host is that it runs on."""
    forms = dict(FORMS)
    of_actions = "codeberg.org" if variables.get("GITEA_ACTIONS") or variables.get("FORGEJO_ACTIONS") else "github.com"
    for variable, alike in (("GITHUB_SERVER_URL", of_actions), ("CI_SERVER_URL", "gitlab.com")):
        if host := _parse_host(variables.get(variable, "")):
            forms.setdefault(host, FORMS[alike])
    return forms


def _parse_host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _find_checkout(folder: Path) -> tuple[str, str]:
    """Return the address of the repository around a folder and its checked-out commit."""
    resolved = folder.resolve()
    top = next((each for each in (resolved, *resolved.parents) if (each / ".git").exists()), None)
    if top is None:
        return "", ""
    own = top / ".git"
    if not own.is_dir():  # a worktree or a submodule, whose files lie elsewhere
        elsewhere = re.fullmatch(r"gitdir: ([^\0\n]+)\n?", _read_text(top, ".git"))
        if elsewhere is None:
            return "", ""
        own = top / elsewhere[1]
    shared = own / _read_text(own, "commondir").strip()
    return _read_repository(_read_text(shared, "config")), _read_commit(own, shared)


def _read_text(folder: Path, name: str) -> str:
    try:
        return "" if "\0" in str(folder) else Disk(folder).find_text(name, MOST) or ""
    except UNREADABLE:
        return ""


def _read_commit(own: Path, shared: Path) -> str:
    head = _read_text(own, "HEAD").strip()
    ref = head.removeprefix("ref:").strip()
    if ref != head:
        packed = re.search(rf"^(\S+) {re.escape(ref)}$", _read_text(shared, "packed-refs"), re.MULTILINE)
        loose = (_read_text(each, ref).strip() for each in (own, shared))
        head = next(filter(None, loose), packed[1] if packed else "")
    return head if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", head) else ""


_SECTION = pattern(r'\[remote "([^"]*)"\]')
"""A remote as git itself writes it, read without running git."""

_URL = pattern(r"url\s*=\s*(\S+)")
"""The first address of a remote is what git fetches from."""


def _read_repository(config: str) -> str:
    """Return the address of the remote, by git's configuration of the repository."""
    addresses: dict[str, str] = {}
    remote: str | None = None
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            section = _SECTION.fullmatch(line)
            remote = section[1] if section else None
        elif remote is not None and (url := _URL.fullmatch(line)):
            addresses.setdefault(remote, url[1])
    only = next(iter(addresses.values()), "") if len(addresses) == 1 else ""
    return parse_remote(addresses.get(REMOTE, only))


_REMOTE = pattern(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[A-Za-z0-9.-]+)(?::[0-9]+)?/"
    r"|(?:[A-Za-z0-9._-]+@)?(?P<other>[A-Za-z0-9.-]{2,}):(?!/))"  # the second as in git@HOST:OWNER/NAME
    r"(?P<path>(?!\.{1,2}/)[A-Za-z0-9_.~-]+(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9_.~-]+)+)/?"
)


def parse_remote(remote: str) -> str:
    """Return the address of a remote as `host/owner/name`, without its credentials; empty for what is not plainly one."""
    found = _REMOTE.fullmatch(remote) if len(remote) <= LONGEST else None
    if found is None:
        return ""
    return f"{(found['host'] or found['other']).lower()}/{found['path'].removesuffix('.git')}"
