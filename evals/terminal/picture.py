"""Draws what `mcp-review` prints on a terminal, as a picture.

    PYTHONPATH=. python evals/terminal/picture.py PATH NAME TARGET.svg

PATH is a checkout, NAME what the picture calls it. docs/terminal.svg is the package chroma-mcp 0.2.6, by this name. The picture
asks no other host for anything: its letters are those that the reader has.
"""

import argparse
import io
import os
import re
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from reviewer.config import Flags
from reviewer.pipeline import add_excerpts, read, run_rules
from reviewer.render import text

WIDTH = 112
HEIGHT = 40
FONT_FACES = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def picture(printed: str, command: str) -> str:
    """Draw a terminal with a command and what it printed, colours and all."""
    console = Console(width=WIDTH, record=True, force_terminal=True, file=io.StringIO(), highlight=False)
    console.print(Text.assemble(("$ ", "bold green"), command))
    console.print(Text.from_ansi(printed))
    drawn = FONT_FACES.sub("", console.export_svg(title="", unique_id="terminal"))
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def main(path: str, name: str, target: str) -> None:
    """Review a checkout and draw the report."""
    reading = read(Path(path))
    report = add_excerpts(run_rules(reading, Flags())[0], reading)
    screen = os.terminal_size((WIDTH, HEIGHT))
    printed = text.render(replace(report, root=Path(name)), text.Style(colour=True, details=True, screen=screen))
    Path(target).write_text(picture(printed, f"mcp-review {name}"), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for argument in ("path", "name", "target"):
        parser.add_argument(argument)
    main(**vars(parser.parse_args()))
