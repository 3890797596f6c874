"""Plans on the disk."""

import logging
from pathlib import Path

logger = logging.getLogger(__name__)


class Plans:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        return sorted(path.stem for path in self._folder.glob("*.plan"))

    def read(self, name: str) -> str:
        logger.debug("reading %s", name)
        return self._path(name).read_text("utf-8")

    def save(self, name: str, text: str) -> None:
        self._path(name).write_text(text, "utf-8")

    def delete(self, name: str) -> None:
        self._path(name).unlink()

    def _path(self, name: str) -> Path:
        path = (self._folder / f"{name}.plan").resolve()
        if path.parent != self._folder.resolve():
            raise ValueError("a plan lies in the folder of plans")
        return path
