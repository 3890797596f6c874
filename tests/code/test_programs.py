"""The table of programs that hand their words on, and how a command is read by it."""

import pytest

from reviewer.behaviour.effects.interpreters import Word, iter_handed_words, iter_loose_words, load_programs


def words(line):
    """Return the words of a command: `?` is one that is not known, `*` any number of them."""
    unknown = {"?": Word(None), "*": Word(None, many=True)}
    return [unknown.get(each, Word(each, each)) for each in line.split()]


def read(line):
    """Return what is handed on of a command."""
    return [(each.sink, each.by, line.split()[each.words]) for each in iter_handed_words(words(line))]


def test_every_program_is_known_with_its_manual():
    found = {id(each): each for programs in load_programs().values() for each in programs}.values()
    assert all(each.source.startswith("https://") for each in found)
    assert all((each.hands == "takes") is bool(each.option and each.does) for each in found)


@pytest.mark.parametrize(
    ("line", "sink", "by", "text"),
    [
        ("sh -c ?", "command line", "sh", "?"),
        ("/bin/bash -lc ? _ x", "command line", "bash", "?"),
        ("cmd.exe /C dir ?", "command line", "cmd", "dir ?"),
        ("pwsh -NoProfile -Command Get-Item ?", "command line", "pwsh", "Get-Item ?"),
        ("adb -s ? shell pm clear ?", "command line", "adb shell", "pm clear ?"),
        ("ssh -i key -o BatchMode=yes ? uptime", "command line", "ssh", "uptime"),
        ("docker exec -it -u root ? sh -c ?", "command line", "sh", "?"),
        ("docker compose -f x.yaml exec ? psql -U kiln -c ?", "statement", "psql", "?"),
        ("kubectl -n ? exec ? -c main -- env LANG=C bash -c ?", "command line", "bash", "?"),
        ("sudo -u ? timeout 5 su ? -c ?", "command line", "su", "?"),
        ("find ? -name x -exec sh -c ? {} +", "command line", "sh", "?"),
        ("tar xf ? --to-command ?", "command line", "tar", "?"),
        ("osascript -l JavaScript -e ?", "code", "osascript", "?"),
        ("awk -F : ? names", "code", "awk", "?"),
        ("sqlite3 -readonly ? ?", "statement", "sqlite3", "?"),
    ],
)
def test_what_is_handed_on(line, sink, by, text):
    assert read(line) == [(sink, by, text.split())]


@pytest.mark.parametrize(
    "line",
    [
        "", "?", "adb install ?", "adb * shell ?", "ssh * ? ?", "ssh ?", "docker run ? ?", "docker ps ?", "kubectl get ?",
        "sh ?", "git log ?", "find ? -name ?", "python ? -m ?", "sudo", "psql ?",
    ],
)  # fmt: skip
def test_nothing_is_handed_on(line):
    assert read(line) == []


@pytest.mark.parametrize(
    ("line", "by", "places"),
    [
        ("git clone ? ?", "git clone", [3]),
        ("git clone ?", "git clone", []),
        ("git -C ? diff --stat main ?", "git diff", [6]),
        ("sudo git log -n ? ?", "git log", [5]),
        ("docker run --rm ? curl ? ?", "curl", [5, 6]),
        ("curl -s ?", "curl", []),
        ("ssh -p ? ? uptime", "ssh", [3]),
        ("ssh ?", "ssh", []),
        ("tar xf ?", "tar", []),
        ("tar xf all.tar ?", "tar", [3]),
        ("rg --json ? /srv", "rg", [2]),
        ("git diff -- ?", "git diff", []),
        ("git show --format ? --end-of-options ?", "git show", []),
        ("git log * ?", "git log", []),
        ("git status ?", "", []),
        ("rg -e ? -- ?", "rg", []),
        ("find ? -name ?", "find", [1]),
        ("go build ? ?", "go build", [2]),
    ],
)
def test_what_may_be_an_option(line, by, places):
    assert [(each.by, each.place) for each in iter_loose_words(words(line))] == [(by, each) for each in places]
