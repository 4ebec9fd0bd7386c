"""`python -m tests.games.remake` updates the results in the recorded games.

Review the diff before you commit it.
"""

from __future__ import annotations

from pathlib import Path

from tests.games.playthrough import files, remade


def main() -> None:
    """Update every `.game` file, and print the names of those that have changed."""
    for file in files():
        _write(file, remade(file.read_text("utf-8")))


def _write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
        print(f"remade {file.name}")


if __name__ == "__main__":
    main()
