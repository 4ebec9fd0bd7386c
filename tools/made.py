"""Write generated files that are kept in the project: pages, pictures, icons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write(files: Mapping[Path, str | bytes]) -> int:
    """Write each file and print its path; return 0, the exit code."""
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        print(path.relative_to(ROOT))
    return 0
