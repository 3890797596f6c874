"""The page sizes that clients of a server's lists choose, and which number the code lets through at most."""

from collections.abc import Iterator

from reviewer.facts import Part, Server, Tool
from reviewer.rules.shared.acts.argument_uses import collect_uses
from reviewer.rules.shared.lists import SIZES, VERBS, is_list
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.promises import iter_top_level
from reviewer.text.patterns import pattern


def iter_page_sizes(server: Server) -> Iterator[tuple[Tool, Part]]:
    """Yield the page sizes of what lists and searches."""
    for tool in server.tools:
        for part in iter_top_level(tool.arguments) if is_list(tool.name, VERBS) else ():
            if "_".join(split_words(part.name)) in SIZES:
                yield tool, part
                break


def find_code_cap(tool: Tool, part: Part) -> int | None:
    """Return to which number code cuts a page size down, None if it is not one number, or code only tests for what is greater.

    Where a test is all that bounds it, code refuses what is greater, and the error tells of the bound.
    """
    bounds = [each.text for read in collect_uses(tool) if read.name == part.name for each in read.caps]
    is_refused = any(COMPARED.search(str(each)) and not CUTTING.search(str(each)) for each in bounds)
    return None if is_refused else find_only_number(tool, part, "caps")


# What a bound says that is only a test.
COMPARED = pattern(r"[<>]|\bin\s+range\b|\bcontains\b")
# What gives the smaller of two numbers, or puts another in the place of one that is too large.
CUTTING = pattern(r"\b(?:min|max|clamp|sorted|islice)\b|[^=!<>]=[^=]|\belse\b|\bif\b.*\{")


def find_only_number(tool: Tool, part: Part, which: str) -> int | None:
    """Return the one number that code reads an argument with, None if there are several."""
    found = {each.value for read in collect_uses(tool) if read.name == part.name for each in getattr(read, which)}
    value = found.pop() if len(found) == 1 else None
    return value if isinstance(value, int) and value > 0 else None
