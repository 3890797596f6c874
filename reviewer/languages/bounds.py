"""What makes the work on a file grow with the square of its size: nodes that nest, and comments or continued lines in a row.

Such a file is not read, and named. Where the bounds lie was measured on 13,000 files of Python and 20,000 of Rust, of servers and
of other public projects.
"""

from tree_sitter import Node

DEEP = 100
"""Nodes within nodes. Of the files of Python one nests deeper than 60, a test of a formatter; of those of Rust 9 nest deeper than
100, the deepest, a chain of calls, 426."""

MOST_BELOW = 50_000_000
"""How far all nodes of a file lie below `DEEP` together: a chain of some 5,000 nodes, or 50 of 700. The most that people
wrote were 480,000. Going from a node to its parent takes a time that grows with its depth: some 10 ns for each node around it."""

MOST_RESCANNED = 100_000_000
"""Bytes of comments and continued lines that the parser goes over again, which takes about 1 s. The most in a file that people
wrote were 260,000."""


def is_nested_too_deeply(root: Node) -> bool:
    """Return whether too many nodes of a tree lie too deep. That of a megabyte of source takes some 30 ms."""
    cursor, depth, below = root.walk(), 0, 0
    while True:
        if cursor.goto_first_child():
            depth += 1
        else:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return below > MOST_BELOW
                depth -= 1
        if depth > DEEP:
            below += depth - DEEP


def is_rescanned_too_often(data: bytes) -> bool:
    """Return whether parsing a file of Python would go over too many bytes of comments and continued lines again.

    After each comment, and each line of nothing but a backslash, the parser looks for what follows, and goes over all of them.
    """
    if (data.count(b"#") + data.count(b"\\")) * len(data) < MOST_RESCANNED:
        return False
    rescanned = run = 0
    for line in data.splitlines(keepends=True):
        text = line.strip()
        rescanned += len(line) * run
        if text.startswith(b"#") or text == b"\\":
            run += 1
        elif text:
            run = 0
    return rescanned > MOST_RESCANNED
