"""What the catalogs of actions of all languages share."""

from reviewer.text.patterns import pattern

NAMED = pattern(
    r"(?:^|_)(?:ACTIONS|CATALOG|OPERATIONS)$|(?:^|_)(?:actions|catalog|operations)$|(?:Actions|Catalog|Operations)$"
)
"""How a table of actions is called. Without such a name many a table has rows with a `name`."""

# What a file does in every domain: of `loans/actions.py` the folder names the domain.
WITHOUT_A_NAME = frozenset(
    "catalog catalogs actions action handlers handler dispatch dispatcher spec specs registry server main app tools "
    "mod lib src __init__ __main__".split()
)


def infer_domain(path: str) -> str:
    """Name what a file's catalog is for: the file, or its folder if the file's name says nothing."""
    *folders, name = path.rpartition(".")[0].split("/")
    telling = [part for part in (*folders, name) if part not in WITHOUT_A_NAME]
    return name if name not in WITHOUT_A_NAME or not telling else telling[-1]


def names_catalog(name: str) -> bool:
    """Return whether a variable is named for a table of actions: `ACTIONS`, `loan_actions`, `loanActions`."""
    return NAMED.search(name) is not None
