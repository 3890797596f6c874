"""Files of answers that others wrote → documents of a known form, or one line that says what is wrong."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular

LARGEST = 64 * 2**20
"""Bytes. No file of answers is larger."""

Document = TypeVar("Document", bound=BaseModel)


def read_document(kind: type[Document], file: Path) -> Document:
    """Read a JSON file. Raises CannotReviewError if it cannot be read, is cut off, or has another form or version."""
    try:
        if not file.is_file():
            raise CannotReviewError(f"{file}: {'not a file' if file.exists() else 'no such file'}")
        return kind.model_validate_json(read_regular(file, LARGEST))
    except TooLargeError:
        raise CannotReviewError(f"{file}: larger than {LARGEST // 2**20} MB") from None
    except OSError as error:
        raise CannotReviewError(f"{file}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValidationError as error:
        raise CannotReviewError(f"{file}: {_describe_wrong(error)}") from None


def _describe_wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return f"not JSON, or not all of it: {first['msg'].removeprefix('Invalid JSON: ')}"
    if first["loc"] == ("version",):
        return "unsupported version; this release reads version 1"
    place = ".".join(map(str, first["loc"])) or "the document"
    return f"unexpected structure ({place}: {first['msg'].lower()})"
