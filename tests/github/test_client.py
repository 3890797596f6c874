"""What is done when GitHub limits, fails, hangs, refuses, or answers with something else."""

import pytest

from reviewer.files.discovery import CannotReviewError
from reviewer.github.client import Client, RefusedError, UnreachableError
from tests.github.loopback import does_and_hangs, fails, hangs, no_json

PULL = "/repos/o/r/pulls/7"


def test_an_answer(client):
    assert client.call("GET", PULL)["number"] == 7


def test_all_pages_are_read(github, client):
    for number in range(250):
        github.say(str(number))
    assert len(list(client.iter_entries("/repos/o/r/issues/7/comments"))) == 250


def test_a_list_that_goes_on_elsewhere_is_not_followed(github, client):
    def astray(handler):
        handler.send(200, [], link='<https://elsewhere.example/?page=2>; rel="next"')
        return True

    github.mishaps = [astray]
    with pytest.raises(UnreachableError, match="another host"):
        list(client.iter_entries("/repos/o/r/issues/7/comments"))


@pytest.mark.parametrize(
    ("mishap", "least", "most"),
    [
        (fails(429, retry_after="17"), 17, 17),
        (fails(403, "You have exceeded a secondary rate limit", retry_after="31"), 31, 31),
        (fails(403, "You have exceeded a secondary rate limit. Please wait"), 60, 60),
        (fails(403, "API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1800000040"), 40, 42),
        (fails(500), 0.5, 1),
        (fails(503, retry_after="5"), 5, 5),
        (hangs, 0.5, 1),
    ],
)
def test_a_call_is_made_again_after_a_wait(github, client, passing, mishap, least, most):
    github.mishaps = [mishap]
    assert client.call("GET", PULL)["number"] == 7
    assert len(passing.slept) == 1
    assert least <= passing.slept[0] <= most


def test_graphql_says_its_limit_in_an_answer_that_looks_well(github, client, passing):
    def limited(handler):
        reset = {"x_ratelimit_reset": "1800000025"}
        handler.send(200, {"errors": [{"type": "RATE_LIMITED", "message": "limit"}]}, **reset)
        return True

    github.mishaps = [limited]
    assert client.fetch_login() == "github-actions[bot]"
    assert 25 <= passing.slept[0] <= 27


@pytest.mark.slow
def test_a_minute_of_failures_is_waited_out(github, client, passing):
    started = passing.at
    github.before = lambda *_: fails(500) if passing.at < started + 60 else None
    assert client.call("GET", PULL)["number"] == 7
    assert passing.at - started < 150


@pytest.mark.slow
def test_failures_without_end_are_given_up_in_bounded_time(github, client, passing):
    started = passing.at
    github.before = lambda *_: fails(502)
    with pytest.raises(UnreachableError, match="answers 502"):
        client.call("GET", PULL)
    assert passing.at - started <= 300


def test_a_limit_longer_than_the_patience_is_not_waited_for(github, client, passing):
    github.mishaps = [fails(429, retry_after="3600")]
    with pytest.raises(UnreachableError, match="3600 s"):
        client.call("GET", PULL)
    assert passing.slept == []


def test_nobody_there(passing, client):
    nobody = Client("http://127.0.0.1:9", "right", clock=client.clock)
    with nobody, pytest.raises(UnreachableError, match="no connection"):
        nobody.call("GET", PULL)


@pytest.mark.parametrize("answer", [no_json], ids=["no_json"])
def test_an_answer_that_is_no_json(github, client, answer):
    github.mishaps = [answer]
    with pytest.raises(UnreachableError, match="not return JSON"):
        client.call("GET", PULL)


@pytest.mark.slow
def test_a_call_that_came_through_is_not_made_again(github, client):
    github.mishaps = [does_and_hangs]
    client.call("POST", "/repos/o/r/issues/7/comments", {"body": "x"}, lambda: True if github.comments else None)
    assert len(github.comments) == 1


def test_refusals_are_not_repeated(github, client, passing):
    github.may_write = False
    with pytest.raises(RefusedError, match="403: Resource not accessible") as refused:
        client.call("POST", "/repos/o/r/issues/7/comments", {"body": "x"})
    assert refused.value.status == 403
    assert passing.slept == []


def test_what_github_says_stays_on_one_line(github, client):
    github.mishaps = [fails(418, "no\n::error::forged\x1b[2K")]
    with pytest.raises(RefusedError) as refused:
        client.call("GET", PULL)
    assert str(refused.value).isprintable()


def test_an_expired_token(github, client):
    stale = Client(github.url, "expired", clock=client.clock)
    with stale:
        for ask in (lambda: stale.call("GET", PULL), stale.fetch_login):
            with pytest.raises(RefusedError, match="wrong or has expired"):
                ask()


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "ü"])
def test_a_token_that_is_none(github, token):
    with pytest.raises(CannotReviewError, match="GITHUB_TOKEN"):
        Client(github.url, token)


def test_a_token_is_sent_over_https_only():
    with pytest.raises(CannotReviewError, match="https"):
        Client("http://api.example.com", "right")
    assert "right" not in repr(Client("https://api.example.com/v3", "right"))


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://git.example.com/api/v3/", "https://git.example.com/api/graphql"),
    ],
)
def test_graphql_is_found_beside_the_api(api, graphql):
    assert Client(api, "right").graphql == graphql


def test_a_redirect_is_not_followed_with_the_token(github, client):
    github.mishaps = [fails(302, location="https://elsewhere.example/")]
    with pytest.raises(RefusedError, match="302"):
        client.call("GET", PULL)


def test_who_may_not_be_asked_is_the_bot_of_actions(github, client):
    github.mishaps = [fails(403, "Resource not accessible by integration")]
    assert client.fetch_login() == "github-actions[bot]"
    github.login = "somebody"
    for mishaps in ([], [fails(403, "Resource not accessible by personal access token")]):
        github.mishaps = mishaps
        assert client.fetch_login() == "somebody"


def test_an_answer_without_end(github, client, monkeypatch):
    monkeypatch.setattr("reviewer.github.client.MOST_BYTES", 10)
    with pytest.raises(UnreachableError, match="no end"):
        client.call("GET", PULL)
