"""`python -m tests.games.remake` writes anew what the recorded games tell, and what is counted.

Read the difference before it is kept.
"""

from __future__ import annotations

from pathlib import Path

from tests.games.playthrough import files, remade
from tests.games.sniper_elite import counts


def main() -> None:
    """Remake every `.game` file and the counts, and say which ones have changed."""
    for file in files():
        _write(file, remade(file.read_text("utf-8")))
    _write(counts.FILE, counts.recounted())


def _write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
        print(f"remade {file.name}")


if __name__ == "__main__":
    main()
