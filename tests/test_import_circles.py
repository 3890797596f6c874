"""No module imports itself by way of others: not as it is loaded, not in a function, not for types alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "evals" / "structure"))

from circles import PACKAGE, circles, imports


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]


def test_modules_import_each_other_in_no_circle():
    """What a part needs of the whole is an abstract class that both import, as `Evaluator`."""
    assert circles(imports(PACKAGE)) == []
