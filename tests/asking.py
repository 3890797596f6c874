"""Runs the command here, for tests of its options."""

from reviewer.cli.app import run


def asker(capsys):
    """Return what runs the command, and returns its exit code, its output and what it told."""

    def asked(*arguments):
        code = run([*map(str, arguments)])
        written = capsys.readouterr()
        return code, written.out, written.err

    return asked
