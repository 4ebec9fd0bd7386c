"""`python -m tests.games.remake` writes anew what the recorded games tell. Read the difference before it is kept."""

from __future__ import annotations

from tests.games.playthrough import files, remade


def main() -> None:
    """Remake every `.game` file and say which ones have changed."""
    for file in files():
        before = file.read_text("utf-8")
        after = remade(before)
        if after != before:
            file.write_text(after, "utf-8")
            print(f"remade {file.name}")


if __name__ == "__main__":
    main()
