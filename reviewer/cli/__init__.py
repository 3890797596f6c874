"""The command line: its commands, their options, and what they print.

`app` has the commands; each `*_options` module has the options of one subject; `streams` alone writes to the standard streams.
"""


def main() -> None:
    """Run the command and leave with its exit code: 0, 1 for findings at or over `--fail-on`, 2 could not review."""
    from reviewer.cli.app import main as run  # as late as that, so that importing a part of the package loads no more

    run()
