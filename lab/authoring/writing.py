"""Writes files of an author, completely or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path


def replace_text(path: Path, text: str) -> None:
    """Replace the text of a file. If it cannot be written, for example on a full disk, the old one stays. Raises
    `OSError`.
    """
    target = path.resolve()  # a link stays a link
    draft = target.with_name(f".{target.name}.new")
    try:
        draft.write_text(text, "utf-8")
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
