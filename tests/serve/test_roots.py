"""Paths that clients name: below a root once every link is followed, or refused."""

import os

import pytest

pytest.importorskip("mcp.server")

from reviewer import CannotReviewError
from reviewer.serve.refusals import RefusalError
from reviewer.serve.roots import resolve_roots

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path):
    (tmp_path / "open" / "server").mkdir(parents=True)
    (tmp_path / "open-too").mkdir()
    (tmp_path / "closed").mkdir()
    return tmp_path / "open"


@pytest.mark.parametrize("named", [".", "server", "server/..", "./server/../server", "nowhere", "server/app.py", ""])
def test_what_lies_below_is_found(root, named):
    place = resolve_roots([root]).place(named)
    assert place.path == (root / named).resolve()
    assert (place.root, place.named) == (root.resolve(), named)


def test_absolute_path_below_is_found(root):
    assert resolve_roots([root]).place(str(root / "server")).path == (root / "server").resolve()


@pytest.mark.parametrize(
    "named",
    ["..", "../closed", "../open-too", "server/../../closed", "/", "/etc/passwd", "../nowhere", "a\0b", "~/x/../../.."],
)
def test_what_lies_outside_is_refused_whether_it_is_there_or_not(root, named):
    with pytest.raises(RefusalError) as refused:
        resolve_roots([root]).place(named)
    assert refused.value.code == "path_outside_roots"
    assert refused.value.message == "the path lies outside of the folders that this server may read"
    assert str(root.parent) not in refused.value.text


@pytest.mark.parametrize("link", ["out", "server/out", "chain"])
def test_link_that_leads_out_is_refused(root, link):
    (root / "out").symlink_to(root.parent / "closed")
    (root / "server" / "out").symlink_to("../../closed")
    (root / "chain").symlink_to("out")
    for named in (link, f"{link}/app.py", f"{link}/../open-too"):
        with pytest.raises(RefusalError):
            resolve_roots([root]).place(named)


def test_link_that_stays_within_is_followed(root):
    (root / "in").symlink_to("server")
    assert resolve_roots([root]).place("in").path == (root / "server").resolve()


def test_root_that_is_a_link(root):
    (root.parent / "link").symlink_to("open")
    assert resolve_roots([root.parent / "link"]).place("server").path == (root / "server").resolve()


def test_the_first_root_that_has_it(root):
    other = root.parent / "open-too"
    (other / "deep").mkdir()
    both = resolve_roots([root, other])
    assert both.place("deep").path == (other / "deep").resolve()
    assert both.place("server").path == (root / "server").resolve()
    assert both.place("../open-too/deep").path == (other / "deep").resolve()


def test_the_current_folder_if_none_is_named(root, monkeypatch):
    monkeypatch.chdir(root)
    assert resolve_roots([]).folders == (root.resolve(),)
    assert os.path.isabs(resolve_roots([]).folders[0])


def test_root_that_is_not_there(tmp_path):
    with pytest.raises(CannotReviewError, match="nowhere: no folder there"):
        resolve_roots([tmp_path / "nowhere"])
