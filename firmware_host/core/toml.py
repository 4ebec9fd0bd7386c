"""TOML from a file that anybody may have written: a document or a `ValueError` in words, however deep it goes."""

from __future__ import annotations

import tomllib
from typing import Any


def parse(text: str) -> dict[str, Any]:
    """The document. Raises `ValueError`, whose words go on after the file's name."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("not TOML that anybody needs (nested too deeply)") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML ({error})") from error
