"""A file's bytes → the text that its language's own tools run, as UTF-8, or why it is not to be had.

Python takes more for its source than UTF-8 with line feeds: other encodings, which a file declares in its first lines, and
carriage returns that stand alone. What is read here and run otherwise could hide a tool from its reviewer.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator

from reviewer.text.patterns import pattern

STORED = (
    (
        pattern(
            rb"\s*version[ \t]+(?:https://git-lfs\.github\.com/spec/v1|https://hawser\.github\.com/spec/v1"
            rb"|http://git-media\.io/v/2)\s"
        ),
        "a Git LFS pointer; fetch what it stands for with `git lfs pull`",
    ),
    (pattern(rb"\0GITCRYPT\0"), "encrypted by git-crypt; unlock it with `git-crypt unlock`"),
)
"""How a file begins of which git holds something else than what is run."""

ALIKE = frozenset(
    (
        "ascii us-ascii latin1 cp437 cp850 cp852 cp866 koi8-r koi8-u mac-roman gbk gb2312 gb18030 cp936 big5 euc-jp euc-kr cp949"
        " cp932"
    ).split()
    + [f"iso-8859-{part}" for part in range(1, 17) if part != 12]
    + [f"{prefix}125{part}" for prefix in ("cp", "windows-") for part in range(9)]
)
"""Encodings in which ASCII is ASCII, by the names that files declare. In others, as `utf-7`, plain text may spell other code."""

_NOTHING = pattern(rb"[ \t\f]*(?:#.*)?")
"""A line after which an encoding may still be declared."""
_DECLARED = pattern(rb"[ \t\f]*#.*?coding[:=][ \t]*([-.\w]+)")
"""A comment that declares the encoding, as CPython looks for it."""
_ALONE = pattern(rb"\r(?!\n)")
"""What ends a line for Python, and neither for git nor for most others."""


class IllegibleError(Exception):
    """The text of a file is not to be had. `hides` tells that it may hold any code, whatever its bytes speak of."""

    def __init__(self, reason: str, *, hides: bool) -> None:
        super().__init__(reason)
        self.hides = hides


def decode_source(data: bytes, *, python: bool) -> bytes:
    """Return the text of a source file as UTF-8 without a byte order mark. Raises IllegibleError."""
    for begin, reason in STORED:
        if begin.match(data):
            raise IllegibleError(reason, hides=True)
    text = data.removeprefix(BOM_UTF8)
    if python:
        text = _ALONE.sub(b"\n", text) if b"\r" in text else text
        text = _as_utf8(text, is_marked=text is not data and data.startswith(BOM_UTF8))
    if not text.isascii() and not _is_utf8(text):
        raise IllegibleError("not UTF-8", hides=False)
    if python and b"\0" in text:
        raise IllegibleError(
            "it contains NUL bytes, which Python releases treat differently; it was not read", hides=True
        )
    return text


def is_pointer(data: bytes) -> bool:
    """Return whether a file is a pointer of Git LFS."""
    return STORED[0][0].match(data) is not None


def _as_utf8(text: bytes, *, is_marked: bool) -> bytes:
    """Return a text of Python in UTF-8, whatever encoding it declares. Raises IllegibleError."""
    declared = next(_iter_encodings(text), None)
    if declared is None or is_marked:  # CPython refuses a byte order mark beside another encoding
        return text
    name = declared.lower().replace("_", "-")
    if name in ("utf8", "u8") or f"{name}-".startswith("utf-8-"):
        return text
    shown = declared if len(declared) <= 30 else f"{declared[:29]}…"
    if any(f"{name}-".startswith(f"{each}-") for each in ("latin-1", "iso-latin-1", "iso-8859-1")):
        name = "latin1"
    if name not in ALIKE:
        raise IllegibleError(f"it declares the encoding `{shown}`, which can hide code; save it as UTF-8", hides=True)
    if text.isascii():
        return text
    try:
        return text.decode(name).encode()
    except UnicodeDecodeError:
        raise IllegibleError(f"not valid {shown}, the encoding that it declares", hides=True) from None


def _iter_encodings(text: bytes) -> Iterator[str]:
    """Yield the encoding that the first two lines declare, if one does."""
    for line in text.split(b"\n", 2)[:2]:
        found = _DECLARED.match(line)
        if found is not None:
            yield found[1].decode("ascii")
            return
        if _NOTHING.fullmatch(line.rstrip(b"\r")) is None:
            return


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
