"""The files of a drawing that is being edited: the drawing itself, its draft, its photo and its backups.

All are written atomically. Next to `map.geojson` are `map.geojson.draft` (unsaved changes), `map.geojson.photo` (the
photo below the drawing) and `map.geojson.1.bak`, `map.geojson.2.bak`, … (earlier versions, the newest with the highest
number).
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from engine.graph.fault import MapError
from engine.text import Text
from firmware_host.core.errors import UserError
from maker.output_files import replace_file

BACKUPS = 20
BIGGEST_PHOTO = 6 << 20
BIGGEST_DRAFT = 4 << 20
PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}
"""The first bytes of a picture -> its media type."""


def media_type(picture: bytes) -> str | None:
    """Return the media type of a picture, or None if it is neither JPEG nor PNG."""
    return next((kind for start, kind in PICTURES.items() if picture.startswith(start)), None)


class Files:
    """The drawing at `path`, and its companion files."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def companion(self, what: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{what}")

    def read(self, path: Path, most: int) -> bytes | None:
        """Return a file's content, or None if there is no file. Raises `MapError`."""
        try:
            if path.stat().st_size > most:
                raise MapError(str(path), [f"the file is larger than {most >> 20} MB. Move it away first."])
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise MapError(str(path), [f"cannot be read: {error.strerror}. Check the path."]) from error

    def write(self, path: Path, content: bytes) -> None:
        """Write a file, replacing what was there. Raises `UserError`."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
        except OSError as error:
            sentence = Text("{file} cannot be written: {why}.", file=path.name, why=error.strerror or "no reason given")
            raise UserError("refused", sentence) from error

    def remove(self, path: Path) -> None:
        with suppress(OSError):
            path.unlink()

    def back_up(self, content: bytes) -> str:
        """Store content as a new backup and return its name. Raises `UserError`."""
        form = re.compile(re.escape(self.path.name) + r"\.(\d{1,9})\.bak")
        numbers = sorted(int(match[1]) for file in self.path.parent.iterdir() if (match := form.fullmatch(file.name)))
        backup = self.companion(f"{(numbers[-1] if numbers else 0) + 1}.bak")
        self.write(backup, content)
        for number in numbers[: max(0, len(numbers) + 1 - BACKUPS)]:
            self.remove(self.companion(f"{number}.bak"))
        return backup.name
