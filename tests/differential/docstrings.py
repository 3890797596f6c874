"""Strategies for docstrings in all their layouts."""

from hypothesis import strategies as st

from differential.modules import Options

LAYOUTS = {
    "none": "",
    "one line": '"""Read a file."""',
    "single quotes": "'Read a file.'",
    "comment before": '# a remark\n    """Read a file."""',
    "blanks around": '"""  Read a file.   """',
    "trailing lines": '"""Read a file.\n\n    """',
    "first line empty": '"""\n    Read a file.\n\n    More of it.\n    """',
    "several lines": '"""Read a file.\n\n    More of it,\n      indented.\n    """',
    "raw": 'r"""Read \\d+ files.\\n"""',
    "escapes": '"""Read\\ta \\"file\\".\\nNext \\u00e9 \\x41 \\\n    line."""',
    "unicode": '"""Größe – 文件 🎉."""',
    "tabs": '"""Read.\n\n\tTabbed.\n    \tBoth.\n    """',
    "implicit concatenation": '"Read " "a file."',
    "parenthesised": '("Read "\n     "a file.")',
    "f-string": 'f"""Read a file."""',
    "bytes": 'b"""Read a file."""',
    "second statement": 'pass\n    """Read a file."""',
    "empty": '""""""',
    "only blanks": '"""   """',
    "Args": '"""Read a file.\n\n    Args:\n        path: Where it is.\n        limit: How much,\n            at most.\n'
    '    """',
    "Args typed": '"""Read.\n\n    Args:\n        path (str): Where: there.\n'
    "        query (list[str], optional): What.\n"
    '    """',
    "Args and Returns": '"""Read a file.\n\n    Args:\n        path: Where it is.\n\n'
    '    Returns:\n        The text.\n    """',
    "Returns": '"""Read a file.\n\n    Returns:\n        The text.\n    """',
    "Args unknown": '"""Read a file.\n\n    Args:\n        other: Nothing of ours.\n    """',
    "text after Args": '"""Read.\n\n    Args:\n        path: Where.\n\n    After all that.\n    """',
    "Args empty": '"""Read.\n\n    Args:\n    """',
    "Example": '"""Read.\n\n    Example:\n        >>> read("x")\n    """',
    "Raises and Note": '"""Read.\n\n    Raises:\n        ValueError: if bad\n\n    Note:\n        Slow.\n    """',
    "sphinx": '"""Read.\n\n    :param path: Where it is.\n    :returns: The text.\n    """',
    "numpy": '"""Read.\n\n    Parameters\n    ----------\n    path : str\n        Where it is.\n    """',
    "bullets": '"""Read.\n\n    - one: two\n    - three\n    """',
    "colon": '"""Usage: read it.\n\n    Args: none\n    """',
    "Args first": '"""\n    Args:\n        path: Where it is.\n    """',
    "Parameters": '"""Read.\n\n    Parameters:\n        path: Where it is.\n    """',
    "Args with blank lines": '"""Read.\n\n    Args:\n        path: One.\n\n        limit: Two.\n    """',
    "Args bulleted": '"""Read.\n\n    Args:\n        - path: One.\n        * limit: Two.\n    """',
    "return annotated": '"""Read.\n\n    Returns:\n        str: The text.\n    """',
    "CRLF": '"""Read.\\r\\n\\r\\n    More."""',
    "code fence": '"""Read.\n\n    ```python\n    Args:\n        path: no\n    ```\n    """',
    "Args indented text": '"""Read.\n\n    Args:\n      path: two blanks\n      limit:\n        below\n    """',
}


def docstrings(options: Options) -> st.SearchStrategy[str]:
    """Draw a docstring with its quotes, indented by four; empty for none."""
    return st.sampled_from(options.offered(LAYOUTS))
