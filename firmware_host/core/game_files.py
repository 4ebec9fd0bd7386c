"""Finds the files of a game: its folder with screens and their words, rule book and player aids, and its code."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import games
from firmware_host.core.sizes import read_code


def game_folder(name: str) -> Path:
    """Return the folder of the game called `name`. Raises `LookupError` if there is no such game."""
    if name not in games.names():
        raise LookupError(f"There is no game {name!r}.")
    try:
        spec = importlib.util.find_spec(f"games.{games.folder(name)}")
    except ValueError:  # a module that was made in memory has no folder
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"The game {name!r} has no folder.")
    return Path(next(iter(spec.submodule_search_locations)))


_BUILT_ON = re.compile(r"^\s*(?:from|import) games\.(\w+)", re.MULTILINE)


def code_files(game: str, is_wanted: Callable[[Path], bool]) -> list[Path]:
    """Return the code files of a game whose paths `is_wanted` accepts, then those of each game that they import."""
    paths, names = list[Path](), [games.folder(game)]
    for name in names:
        # Use the first entry of the path that has the game, as imports do: there can be two copies of the project.
        for folder in [it for path in games.__path__ if (it := Path(path) / name).is_dir()][:1]:
            own = sorted(file for file in folder.rglob("*.py") if is_wanted(file.relative_to(folder)))
            paths += own
            for file in own:
                # The loop also visits the games that are added here.
                names += sorted({*_BUILT_ON.findall(read_code(file).decode("utf-8", "replace"))}.difference(names))
    return paths


def modules_by_path() -> dict[str, Path]:
    """Return the modules in a game's folder whose names do not begin with the game's package.

    The game has changed the import path to get them. For modules in a package, the package's name is returned.
    """
    found, places = dict[str, Path](), tuple(f"{Path(place)}{os.sep}" for place in games.__path__)
    for name, module in [*sys.modules.items()]:
        file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
        if isinstance(file, str) and file.startswith(places) and (top := name.partition(".")[0]) != games.__name__:
            found[top] = Path(file)
    return found


def imports(game: str, module: str) -> bool:
    """Return whether a game has a module of this name and imports it without the name of the game's package."""
    folders = [it for path in games.__path__ if (it := Path(path) / games.folder(game)).is_dir()][:1]
    own = [file for folder in folders for file in folder.rglob("*.py")]
    if all(module not in (file.stem, file.parent.name) for file in own):
        return False
    pattern = re.compile(rf"^\s*(?:from|import)\s+{re.escape(module)}\b", re.MULTILINE)
    return any(pattern.search(read_code(file).decode("utf-8", "replace")) for file in own)


_LONG = rb"""(?:"{3}(?:[^\\]|\\.)*?"{3}|'{3}(?:[^\\]|\\.)*?'{3})"""
_STRING = rb"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_PROSE = re.compile(
    rb"^[ \t]*%s|(?<=\bText\()(?:\s*%s)+,?\s*|(%s|%s)|#[^\n]*" % (_LONG, _STRING, _LONG, _STRING),
    re.DOTALL | re.MULTILINE,
)
"""A docstring, the words of a sentence, a comment; or, as a group, any other string, which may contain a `#`."""


def code_digest(paths: Iterable[Path]) -> str:
    """Return a hash of the code in some files, without docstrings, comments, empty lines and the words of sentences."""
    digest = sha256()
    for path in paths:
        code = _PROSE.sub(lambda match: match[1] or b"", read_code(path))
        digest.update(b"".join(line.rstrip() + b"\n" for line in code.splitlines() if line.strip()))
    return digest.hexdigest()


SEAT = "seat"
"""The module for every seat without its own module."""


@cache
def own_screen(game: str, *pages: str) -> str | None:
    """Return the file name of the first of these pages for which a game has a module; None if it has none.

    A page is a seat, `seat`, `table`, `past`, `board` or `legend`. Pages without a module are generic, except for the
    legend, which can do without.
    """
    try:
        folder = game_folder(game) / "screens"
    except LookupError:
        return None
    return next((f"{page}.js" for page in pages if (folder / f"{page}.js").is_file()), None)
