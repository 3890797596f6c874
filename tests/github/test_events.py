"""Which pull request an event speaks of, and that a stranger's workflow cannot name another."""

import json

import pytest

from reviewer.files.discovery import CannotReviewError
from reviewer.github.events import Pull, WorkflowRun, find_pull_of_run, has_moved_on, read_event
from tests.github.loopback import HEAD

RUN = {
    "head_sha": HEAD,
    "head_branch": "feature/x",
    "head_repository": {"id": 42, "owner": {"login": "forker"}},
    "pull_requests": [{"number": 99}],
}


@pytest.fixture
def event(tmp_path):
    def write(payload):
        file = tmp_path / "event.json"
        file.write_text(payload if isinstance(payload, str) else json.dumps(payload))
        return file

    return write


def listed(number=7, sha=HEAD, origin=42, label="forker:feature/x"):
    return {"number": number, "head": {"sha": sha, "label": label, "repo": {"id": origin} if origin else None}}


def test_a_pull_request(event):
    file = event({"number": 7, "pull_request": {"number": 7, "head": {"sha": HEAD, "repo": None}}})
    assert read_event(file, "o/r") == Pull("o/r", 7, HEAD)


def test_a_workflow_that_ended(event):
    assert read_event(event({"workflow_run": RUN}), "o/r") == WorkflowRun("o/r", HEAD, "forker", "feature/x", 42)


@pytest.mark.parametrize("payload", [{"ref": "refs/heads/main"}, {"issue": {"number": 3}}, {}])
def test_an_event_without_a_pull_request(event, payload):
    assert read_event(event(payload), "o/r") is None


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        {"pull_request": {}},
        {"pull_request": {"number": "x", "head": {"sha": HEAD}}},
        {"pull_request": {"number": 7, "head": {"sha": "main; rm -rf"}}},
        {"workflow_run": {**RUN, "head_repository": None}},
    ],
    ids=repr,
)
def test_a_payload_that_is_none(event, payload):
    with pytest.raises(CannotReviewError, match=r"event\.json: not a GitHub event"):
        read_event(event(payload), "o/r")


def test_no_payload(tmp_path):
    with pytest.raises(CannotReviewError, match="cannot be read: no such file"):
        read_event(tmp_path / "none.json", "o/r")


@pytest.mark.parametrize("repository", ["", "o", "o/r/x", "../r", "o/r?x", "o /r"])
def test_a_repository_that_is_none(event, repository):
    with pytest.raises(CannotReviewError, match="--repository"):
        read_event(event({}), repository)


def test_the_pull_request_of_a_fork_is_found_by_its_commit(github, client, event):
    run = read_event(event({"workflow_run": RUN}), "o/r")
    stale, other = listed(5, sha="b" * 40), listed(6, origin=43)
    github.pulls = [stale, other, listed(4, origin=None), listed(), listed(8, label="else:feature/x")]
    assert find_pull_of_run(client, run) == Pull("o/r", 7, HEAD)
    github.pulls = [stale, other]
    assert find_pull_of_run(client, run) is None


def test_a_branch_name_stays_within_its_query(github, client):
    run = WorkflowRun("o/r", HEAD, "forker", "x&state=all#@", 42)
    github.pulls = [listed(label="forker:x&state=all#@")]
    assert find_pull_of_run(client, run) == Pull("o/r", 7, HEAD)


def test_a_pull_request_moves_on(github, client, pull):
    assert not has_moved_on(client, pull)
    github.head = "b" * 40
    assert has_moved_on(client, pull)
    assert not has_moved_on(client, Pull("o/r", 7))
