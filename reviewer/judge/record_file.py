"""The file of `--record`: insisted on before anything is asked, written when all is answered."""

from pathlib import Path

from pydantic import BaseModel

from reviewer.files.discovery import CannotReviewError
from reviewer.judge.requests import Notify


def require_writable(file: Path) -> None:
    """Raise CannotReviewError if a file cannot be written: verdicts cost money, so that is told before they are asked for."""
    try:
        file.open("a").close()
    except OSError as error:
        raise CannotReviewError(_describe_unwritable(file, error)) from None


def write_record(file: Path, document: BaseModel, tell: Notify) -> None:
    """Write a document. What goes wrong is told and not raised: the review is made by then."""
    try:
        file.write_text(document.model_dump_json(indent=1) + "\n", "utf-8")
    except OSError as error:
        tell(_describe_unwritable(file, error))


def _describe_unwritable(file: Path, error: OSError) -> str:
    return f"--record {file}: cannot be written: {(error.strerror or str(error)).lower()}"
