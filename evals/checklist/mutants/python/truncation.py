"""§3 of the checklist, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

LETTER = "archive/letters/models.py"
ALBUM = "archive/albums/models.py"
TRUNCATE = "archive/core/truncate.py"
TEXT = '    text: Annotated[str, Truncated(full_action="letter.get")]'
NOTES = '    notes: Annotated[str | None, Truncated(full_action="letter.get")] = None'
ENVELOPE = """
    return {
        "_truncated": True,
        "preview": text[:PREVIEW],
        "full_action": full_action,
        "full_params": {"id": key},
    }
"""
CLINIC = """
    envelope: dict[str, Any] = {"_truncated": True}
    envelope["preview"] = text[:500]
    envelope["full_action"] = mark.full_action
    envelope["full_params"] = {"id": visit}
    return envelope
"""
BARE = "    return text[:PREVIEW]"

UNMARKED = [
    mutant("large-text-untruncated", "python_dispatch", "mark taken away", (LETTER, TEXT, "    text: str  # ⚑")),
    mutant("large-text-untruncated", "python_dispatch", "optional", (LETTER, NOTES, "    notes: str | None = None  # ⚑")),
    mutant("large-text-untruncated", "python_dispatch", "field with a description only",
           (LETTER, TEXT, '    text: str = Field(description="What the letter says")  # ⚑'),
           (LETTER, "from pydantic import BaseModel, HttpUrl", "from pydantic import BaseModel, Field, HttpUrl")),
    mutant("large-text-untruncated", "python_dispatch", "alias of the type",
           (LETTER, TEXT, "    text: Prose  # ⚑"), (LETTER, "class Letter(", "Prose = str\n\n\nclass Letter(")),
    mutant("large-text-untruncated", "python_dispatch", "annotated with something else",
           (LETTER, TEXT, '    text: Annotated[str, "truncation is for others"]  # ⚑')),
    mutant("large-text-untruncated", "python_dispatch", "inherited field",
           (LETTER, "class Deleted(BaseModel):", "class Scanned(BaseModel):\n    transcript: str  # ⚑\n\n\nclass Deleted(Scanned):")),
    mutant("large-text-untruncated", "python_dispatch", "dataclass",
           (ALBUM, '    description: Annotated[str, Truncated("album.get")] = ""', '    description: str = ""  # ⚑')),
    mutant("large-text-untruncated", "python_dispatch", "bytes", (LETTER, TEXT, "    text: bytes  # ⚑")),
    mutant("large-text-untruncated", "python_dispatch", "quoted annotation", (LETTER, TEXT, '    text: "typing.Optional[str]" = None  # ⚑'),
           (LETTER, "from typing import Annotated\n", "import typing\nfrom typing import Annotated\n")),
    mutant("large-text-untruncated", "python_fastmcp", "mark taken away",
           ("garden/models.py", 'notes: Annotated[str, Truncated("read_plant"), Field(description="What the gardener wrote")]',
            'notes: Annotated[str, Field(description="What the gardener wrote")]  # ⚑')),
    mutant("large-text-untruncated", "python_fastmcp", "without a longest", ("garden/models.py", "raw: str = Field(max_length=512)", "raw: str = Field(min_length=1)  # ⚑")),
    mutant("large-text-untruncated", "python_lowlevel", "typed dict", ("clinic/models.py", 'report: Annotated[str, truncated("find_visits")]', "report: str  # ⚑")),
    mutant("large-text-untruncated", "python_single", "dataclass", ("tasks/models.py", "description: Annotated[str, Truncated()]", "description: str  # ⚑")),
]

INCOMPLETE = [
    mutant("truncation-envelope-incomplete", "python_dispatch", "without full_params",
           (TRUNCATE, ENVELOPE, '    return {"_truncated": True, "preview": text[:PREVIEW], "full_action": full_action}  # ⚑')),
    mutant("truncation-envelope-incomplete", "python_dispatch", "without full_action", (TRUNCATE, ENVELOPE, """
    envelope = {  # ⚑
        "_truncated": True,  # ⚑
        "preview": text[:PREVIEW],
        "full_params": {"id": key},
    }
    return envelope
""")),
    mutant("truncation-envelope-incomplete", "python_dispatch", "dict call",
           (TRUNCATE, ENVELOPE, '    return dict(_truncated=True, preview=text[:PREVIEW], full_action=full_action)  # ⚑')),
    mutant("truncation-envelope-incomplete", "python_dispatch", "spread", (TRUNCATE, ENVELOPE, """
    base = {"_truncated": True, "preview": text[:PREVIEW]}  # ⚑
    return {**base, "full_params": {"id": key}}  # ⚑
""")),
    mutant("truncation-envelope-incomplete", "python_dispatch", "key in a constant", (TRUNCATE, ENVELOPE, """
    return {MARK: True, "preview": text[:PREVIEW], "full_params": {"id": key}}  # ⚑
"""), (TRUNCATE, "PREVIEW = 500", 'PREVIEW = 500\nMARK = "_truncated"')),
    mutant("truncation-envelope-incomplete", "python_dispatch", "model with an alias", (TRUNCATE, ENVELOPE, """
    return Envelope(_truncated=True, preview=text[:PREVIEW], full_action=full_action).model_dump(by_alias=True)
"""), (TRUNCATE, "def shortened(", """
class Envelope(BaseModel):  # ⚑
    truncated: bool = Field(alias="_truncated")  # ⚑
    preview: str
    full_action: str


def shortened(
""".rstrip()), (TRUNCATE, "from typing import Any\n", "from typing import Any\n\nfrom pydantic import BaseModel, Field\n")),
    mutant("truncation-envelope-incomplete", "python_lowlevel", "an assignment less", ("clinic/marks.py", CLINIC, """
    envelope: dict[str, Any] = {"_truncated": True}  # ⚑
    envelope["preview"] = text[:500]
    envelope["full_action"] = mark.full_action
    return envelope
""")),
    mutant("truncation-envelope-incomplete", "python_lowlevel", "update", ("clinic/marks.py", CLINIC, """
    envelope: dict[str, Any] = {}  # ⚑
    envelope.update(_truncated=True, preview=text[:500])  # ⚑
    envelope.setdefault("full_params", {"id": visit})
    return envelope
""")),
]

PREVIEWS = [
    mutant("preview-length", "python_dispatch", "constant", (TRUNCATE, "PREVIEW = 500", "PREVIEW = 5000"), at=((TRUNCATE, '"preview": text[:PREVIEW]'), (TRUNCATE, "return {"))),
    mutant("preview-length", "python_dispatch", "too short", (TRUNCATE, "PREVIEW = 500", "PREVIEW = 10"), at=((TRUNCATE, '"preview": text[:PREVIEW]'), (TRUNCATE, "return {"))),
    mutant("preview-length", "python_dispatch", "literal", (TRUNCATE, '"preview": text[:PREVIEW],', '"preview": text[0:1024],  # ⚑'), at=(TRUNCATE, "return {")),
    mutant("preview-length", "python_dispatch", "assigned before", (TRUNCATE, ENVELOPE, """
    shown = text[: 2 * PREVIEW]  # ⚑
    return {"_truncated": True, "preview": shown, "full_action": full_action, "full_params": {"id": key}}  # ⚑
""")),
    mutant("preview-length", "python_dispatch", "helper", (TRUNCATE, '"preview": text[:PREVIEW],', '"preview": beginning(text, 800),  # ⚑'),
           (TRUNCATE, "def shortened(", "def beginning(text: str, most: int) -> str:\n    return text[:most]\n\n\ndef shortened("), at=(TRUNCATE, "return {")),
    mutant("preview-length", "python_dispatch", "joined characters", (TRUNCATE, '"preview": text[:PREVIEW],', '"preview": "".join(islice(text, 900)),  # ⚑'),
           (TRUNCATE, "from typing import Any\n", "from itertools import islice\nfrom typing import Any\n"), at=(TRUNCATE, "return {")),
    mutant("preview-length", "python_lowlevel", "assignment", ("clinic/marks.py", 'envelope["preview"] = text[:500]', 'envelope["preview"] = text[:2000]  # ⚑'),
           at=("clinic/marks.py", '{"_truncated": True}')),
    mutant("preview-length", "python_lowlevel", "empty", ("clinic/marks.py", 'envelope["preview"] = text[:500]', 'envelope["preview"] = ""  # ⚑'),
           at=("clinic/marks.py", '{"_truncated": True}')),
]

HARMLESS = [
    harmless("large-text-untruncated", "python_dispatch", "alias that carries the mark",
             (LETTER, TEXT, "    text: Prose"), (LETTER, "class Letter(", 'Prose = Annotated[str, Truncated(full_action="letter.get")]\n\n\nclass Letter(')),
    harmless("large-text-untruncated", "python_dispatch", "bounded", (LETTER, TEXT, "    text: str = Field(max_length=2000)"),
             (LETTER, "from pydantic import BaseModel, HttpUrl", "from pydantic import BaseModel, Field, HttpUrl")),
    harmless("large-text-untruncated", "python_dispatch", "short texts", (LETTER, TEXT, TEXT + "\n    text_id: str\n    log_url: str\n    body_name: str = \"\"")),
    harmless("large-text-untruncated", "python_fastmcp", "an input",
             ("garden/server.py", "class Confirm(BaseModel):\n", "class Confirm(BaseModel):\n    notes: str = \"\"\n")),
    harmless("truncation-envelope-incomplete", "python_dispatch", "dict call, complete",
             (TRUNCATE, ENVELOPE, '    return dict(_truncated=True, preview=text[:PREVIEW], full_action=full_action, full_params={"id": key})')),
    harmless("truncation-envelope-incomplete", "python_dispatch", "looked for, not made",
             ("archive/core/respond.py", "    if isinstance(value, dict):\n        return {", '    if isinstance(value, dict) and not value.get("_truncated"):\n        return {')),
    harmless("preview-length", "python_dispatch", "preview of 200", (TRUNCATE, "PREVIEW = 500", "PREVIEW = 200")),
]

MUTANTS = [*UNMARKED, *INCOMPLETE, *PREVIEWS, *HARMLESS]
