"""Where letters are kept."""

import sqlite3
from collections.abc import Iterable

from archive.core.errors import ToolError
from archive.letters.models import Letter


class LetterStore:
    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path)

    def letters(self, limit: int, offset: int) -> list[Letter]:
        query = "SELECT id, sender, year, scan_url, text FROM letter ORDER BY year LIMIT ? OFFSET ?"
        return self._read(self.connection.execute(query, (limit, offset)))

    def everything(self) -> list[Letter]:
        return self._read(self.connection.execute("SELECT id, sender, year, scan_url, text FROM letter ORDER BY year"))

    def letter(self, key: str) -> Letter:
        query = "SELECT id, sender, year, scan_url, text FROM letter WHERE id = ?"
        found = self._read(self.connection.execute(query, (key,)))
        if not found:
            raise ToolError("not_found", "no such letter")
        return found[0]

    def transcribe(self, key: str, language: str | None) -> Letter:
        letter = self.letter(key)
        self.connection.execute("INSERT INTO job (letter, language) VALUES (?, ?)", (key, language))
        return letter

    def delete(self, key: str) -> None:
        self.connection.execute("DELETE FROM letter WHERE id = ?", (key,))

    def _read(self, rows: Iterable[tuple[str, str, int, str, str]]) -> list[Letter]:
        names = ("id", "sender", "year", "scan_url", "text")
        return [Letter.model_validate(dict(zip(names, row, strict=True))) for row in rows]
