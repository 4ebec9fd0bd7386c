"""Installed versions of the program, side by side: build a new one, check it, switch in one step.

`/opt/sniperboard/releases/<id>` is a complete environment. Its `release.json` is written last, so a version without it
is incomplete. The modification times of these files only store the order in which the versions ran last, because the
clock may be wrong. `/opt/sniperboard/current` links to the version in use. The previous version stays as a fallback.
Everything is on disk before the link is moved, so that a power cut leaves either version complete.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.errors import ToolError, last_line
from tools.steps import read_text, write_text

Build = Callable[[Path], None]
"""Creates an environment at a path. After a `ToolError` the environment is unusable."""

STAMP = "release.json"
DIGEST_LENGTH = 12
"""Digits of a digest in a folder's name."""
AGAIN = "+"
"""End of the name of a folder that replaces the one in use, which is damaged or made with another Python."""


@dataclass(frozen=True)
class Release:
    """What an environment was made from: a digest of all files, the extras of pyproject.toml, the Python."""

    digest: str
    extras: tuple[str, ...]
    python: str

    @property
    def name(self) -> str:
        """The name of its folder, without `AGAIN`."""
        return "-".join((self.digest[:DIGEST_LENGTH], *self.extras))

    def __str__(self) -> str:
        extras = f" with {', '.join(self.extras)}" if self.extras else ""
        return f"version {self.digest[:DIGEST_LENGTH]}{extras} on Python {self.python}"


class Releases:
    """The versions in the program's folder."""

    def __init__(self, program: Path) -> None:
        self.program = program

    @property
    def link(self) -> Path:
        return self.program / "current"

    @property
    def command(self) -> Path:
        return self.link / "bin/sniperboard"

    def current(self) -> Release | None:
        """Return the version in use, or None if no version is complete."""
        return _read(self.link)

    @property
    def extras(self) -> tuple[str, ...]:
        """Return the extras of the version in use, also if its `release.json` is damaged."""
        return tuple(self.link.resolve().name.partition(AGAIN)[0].split("-")[1:]) if self.link.is_symlink() else ()

    def folder(self, release: Release) -> Path:
        """Return the folder of a version. Different versions have different folders, and none is built into the folder
        in use: the table runs from it, and the build can fail.
        """
        folder = self.program / "releases" / release.name
        is_other = folder.resolve() == self.link.resolve() and _read(folder) != release
        return folder.with_name(f"{release.name}{AGAIN}") if is_other else folder

    def install(self, release: Release, build: Build) -> None:
        """Build a version, check that it starts, and switch to it. Raises `ToolError` and then changes nothing."""
        folder = self.folder(release)
        self._remove_half_made()
        if _read(folder) != release:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                build(folder)
                _check(folder)
                os.sync()
                (folder / STAMP).write_text(json.dumps(asdict(release)), "utf-8")
            # Needed after Ctrl-C, too: an incomplete version must not stay.
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        self._switch(folder)

    def _remove_half_made(self) -> None:
        for path in self._all():
            if _read(path) is None and path != self.link.resolve():
                shutil.rmtree(path, ignore_errors=True)

    def _switch(self, folder: Path) -> None:
        # The rollback tries the version that ran last first, even if another was built later.
        for path in (self.link.resolve(), folder):
            if _read(path) is not None:
                latest = max(int(_order(one)) for one in self._all() if _read(one) is not None)
                os.utime(path / STAMP, (latest + 1, latest + 1))
        os.sync()
        # Renaming a new link over the old one is atomic.
        draft = self.program / "current.new"
        draft.unlink(missing_ok=True)
        draft.symlink_to(folder.relative_to(self.program))
        draft.replace(self.link)

    def _others(self) -> list[Path]:
        """Return the complete versions that are not in use, the last one used first."""
        runs = self.link.resolve()
        others = [path for path in self._all() if path != runs and _read(path) is not None]
        return sorted(others, key=_order, reverse=True)

    def go_back(self, start: Callable[[], None]) -> bool:
        """Switch to the most recently used other version that `start` can start without a `ToolError`; return whether
        there is one.
        """
        others = self._others()
        # If none starts, the cause is something else: keep the version that ran before, with its unit.
        again = others[:1] if len(others) > 1 else []
        for former in (*others, *again):
            self._switch(former)
            with suppress(ToolError):
                start()
                return True
        return False

    def store_text(self, name: str, text: str) -> None:
        """Store a text with the version in use. Raises `OSError`."""
        write_text(self.link / name, text, 0o644)

    def kept(self, name: str) -> str:
        """Return a text that is stored with the version in use; empty if there is none."""
        return read_text(self.link / name)

    def remove_old(self) -> None:
        """Remove all versions but the current and the previous one, and an environment of the former layout."""
        # Compare resolved paths, because `current` is a link.
        keep = {self.link.resolve(), *self._others()[:1]}
        for path in self._all():
            if path not in keep:
                shutil.rmtree(path, ignore_errors=True)
        if (self.program / "pyvenv.cfg").exists():
            for path in self.program.iterdir():
                if path.name not in ("releases", "current"):
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def _all(self) -> list[Path]:
        return sorted(self.program.resolve().glob("releases/*"))


def _read(folder: Path) -> Release | None:
    """Return the version in a folder; None if it is incomplete, damaged, or none of the table."""
    try:
        raw = json.loads((folder / STAMP).read_text("utf-8"))
        release = Release(str(raw["digest"]), tuple(map(str, raw["extras"])), str(raw["python"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # A flipped bit in the name of an extra would ask for one that does not exist.
    return release if folder.resolve().name.removesuffix(AGAIN) == release.name else None


def _order(folder: Path) -> float:
    return (folder / STAMP).stat().st_mtime


def _check(folder: Path) -> None:
    """Raise `ToolError` if the command of a version does not start."""
    done = subprocess.run([str(folder / "bin/sniperboard"), "config"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolError(f"The new version does not start, and is not used: {last_line(done.stderr)}")


def python_here() -> str:
    return ".".join(map(str, sys.version_info[:3]))
