"""Lists of words that rules look for: one text file each, words or phrases a line, `#` before a remark."""

from importlib.resources import files

from reviewer.caching import cache


@cache
def load_lexicon(name: str) -> frozenset[str]:
    """Return the entries of a list, by the name of its file."""
    text = files(__package__).joinpath(f"{name}.txt").read_text("utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)
