"""Steps of an installation: a description, whether the step is already done, and how to do it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.errors import ToolError


@dataclass(frozen=True)
class InstallStep:
    """One step: its description, whether it is already done, and how to do it."""

    what: str
    is_so: Callable[[], bool]
    do: Callable[[], object]


def file(path: Path, text: str, mode: int = 0o644) -> InstallStep:
    """Return a step that writes a file with this text."""
    return InstallStep(str(path), lambda: read_text(path) == text, lambda: write_text(path, text, mode))


def link(path: Path, target: Path, what: str) -> InstallStep:
    """Return a step that creates a link to `target`. `what` describes its purpose."""

    def put() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # An old link may be broken, so remove it without following it.
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return InstallStep(f"{path}, {what}", lambda: path.is_symlink() and path.readlink() == target, put)


def absent(path: Path) -> InstallStep:
    def remove() -> None:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    return InstallStep(f"no {path}", lambda: not os.path.lexists(path), remove)


def account(kind: Literal["group", "passwd"], name: str, command: Sequence[str]) -> InstallStep:
    """Return a step that runs `command` with the name of a group or user that does not exist yet."""

    def is_so() -> bool:
        return any(line.startswith(f"{name}:") for line in read_text(Path("/etc", kind)).splitlines())

    what = "group" if kind == "group" else "user"
    return InstallStep(f"the {what} {name}", is_so, lambda: run([*command, name]))


def run(command: Sequence[str]) -> str:
    """Run a command without input, and return its output. Raises `ToolError` with the output if it fails."""
    done = subprocess.run(list(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolError(f"`{' '.join(command)}` failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def read_text(path: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write_text(path: Path, text: str, mode: int) -> None:
    """Write a file atomically, so that a power cut leaves the old or the new text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as new:
        new.write(text)
        new.flush()
        os.fsync(new.fileno())
    # The umask may have removed bits when the file was created.
    draft.chmod(mode)
    draft.replace(path)
