"""TOML from a file that anyone may have written: a document, or a readable `ValueError`, however deep it is nested."""

from __future__ import annotations

import tomllib
from typing import Any


def parse(text: str) -> dict[str, Any]:
    """Return the document. Raises `ValueError`; its message continues after the file's name."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("too deeply nested TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML ({error})") from error
