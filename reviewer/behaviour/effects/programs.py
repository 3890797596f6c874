"""Commands of the system: which of them surely change something, or take their time, by their words."""

from itertools import pairwise

from reviewer.text.patterns import pattern

ALONE = frozenset(
    "rm rmdir unlink shred mv cp mkdir touch chmod chown chgrp ln tee truncate dd mkfs kill pkill killall shutdown reboot "
    "mount umount useradd userdel passwd crontab rsync scp patch".split()
)
"""Programs that change something whatever they are told."""

WITH = {
    "git": "commit push merge rebase reset checkout switch restore add rm mv clean clone pull cherry-pick revert apply am init",
    "kubectl": "apply delete create edit patch replace scale drain cordon uncordon label annotate taint rollout cp run",
    "helm": "install upgrade uninstall delete rollback",
    "docker": "run rm rmi stop kill restart start build push prune create rename",
    "systemctl": "start stop restart reload enable disable mask unmask",
    "pip": "install uninstall", "pip3": "install uninstall", "uv": "add remove sync",
    "npm": "install uninstall publish ci update", "yarn": "add remove install publish", "cargo": "install publish add remove",
    "apt": "install remove purge upgrade", "apt-get": "install remove purge upgrade", "brew": "install uninstall upgrade",
    "terraform": "apply destroy import taint", "sed": "-i", "find": "-delete", "gh": "create merge close delete edit",
    "conda": "install remove create", "dnf": "install remove", "yum": "install remove", "poetry": "add remove install publish",
}  # fmt: skip
"""Programs with the words by which they change something."""

LONG = pattern(
    r"^(?:make|cmake --build|cargo (?:build|test|bench|install|clippy)|(?:npm|pnpm|yarn) (?:install|ci|test|run)|pip3? install"
    r"|docker (?:build|pull|push)|pytest|tox|nox|ffmpeg|terraform (?:apply|plan|destroy)|mvn|gradle|\./gradlew"
    r"|bazel (?:build|test)|go (?:build|test)|apt(?:-get)? install|git clone|rsync|pg_dump|pg_restore|ansible-playbook)\b"
)
"""Commands that take their time, whatever they are given."""

QUICK = frozenset("kill taskkill hostname uname whoami id which where pwd true tty date".split())
"""Programs that return immediately whatever their arguments, so that no timeout is required."""

QUICK_WITH = {
    "git": "rev-parse ls-files show config branch symbolic-ref cat-file show-ref describe tag merge-base hash-object",
}
"""Programs with the words by which they only look at what lies on this machine."""

# Programs that run the command behind them: what counts is the word after these.
BEFORE = frozenset("sudo env nice nohup time timeout xargs".split())
# Their argument is a command line, whose first word is the program.
SHELLS = frozenset("sh bash zsh dash cmd powershell pwsh /bin/sh /bin/bash".split())

ABOUT_ITSELF = frozenset("--version -version -v -V version --help -h".split())
"""What a program that is told nothing else says of itself for, and ends: its version, how to use it."""


def asks_about_itself(words: tuple[object, ...]) -> bool:
    """Return whether a program is asked for its version alone, or how to use it: `tool -v`."""
    return len(words) == 2 and words[1] in ABOUT_ITSELF


def is_quick(words: tuple[str, ...]) -> bool:
    """Return whether a command, as far as it is written, ends at once: it asks this machine, or a program about itself."""
    if words[1:] and all(word in ABOUT_ITSELF for word in words[1:]):
        return True
    program = words[0].rpartition("/")[2] if words else ""
    told = pairwise(words)
    plain = [word for before, word in told if not word.startswith("-") and before not in ("-C", "-c")]
    return program in QUICK or (bool(plain) and plain[0] in QUICK_WITH.get(program, "").split())


def must_change(words: tuple[str, ...]) -> bool:
    """Return whether a command certainly changes something, as far as it is written out."""
    rest = [word for word in words if word not in BEFORE]
    if not rest:
        return False
    program = rest[0].rpartition("/")[2]
    if program in ALONE:
        return True
    if program in SHELLS:
        return len(rest) > 2 and must_change(tuple(" ".join(rest[2:]).split()))
    asked = WITH.get(program, "").split()
    if program == "git" and "--dry-run" in rest:
        return False
    plain = [word for word in rest[1:] if not word.startswith("-") or word in asked]
    return any(word in asked for word in (plain[:2] if program in ("gh", "docker") else plain[:1] or rest[1:2]))
