"""Find a game in a working folder, without installing it, and write its files."""

from __future__ import annotations

from pathlib import Path

import games
from engine.refusal import NotUnderstood, no_such
from maker.output_files import replace_file


def games_here(folder: Path) -> None:
    """Let Python find the games in `folder`, if it has any."""
    here = (folder / "games").resolve()
    known = {Path(place).resolve() for place in games.__path__}
    if here.is_dir() and here not in known:
        games.__path__.append(str(here))


def put_on_path(name: str, folder: Path) -> None:
    """Make sure that the game called `name` is found, in `folder` or installed. Raises `NotUnderstood`."""
    games_here(folder)
    if name in games.names():
        return
    if wrong := [one for one in games.misnamed() if one in (name, games.folder(name))]:
        raise NotUnderstood(
            f"The folder {wrong[0]} cannot be a game: use small letters, digits and single underscores. Rename it."
        )
    raise NotUnderstood(f"{no_such('game', name, games.names())} Start in the folder that contains games/.")


def replace_text(path: Path, text: str) -> None:
    """Replace the text of an author's file; for a link, of the file that it points to. Raises `OSError`."""
    replace_file(path.resolve(), text.encode())
