"""The environment in `.venv`: what it was made from, whether it is up to date, and how to update it.

The stamp in `.venv` is written last. If it is missing (interrupted) or names another Python or another folder (moved),
the environment is created again. If only a lock file has changed, it is updated. `system.py` handles the packages of
the operating system, `errors.py` contains the messages.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools import errors, pi, system
from tools.errors import ToolError

State = Literal["ready", "behind", "unfit"]


@dataclass(frozen=True)
class Layer:
    """A part of the environment.

    `locks` are its lock files, `within` the layers that it contains, `room_mb` the disk space in MB that it needs.
    """

    name: str
    locks: tuple[str, ...]
    within: tuple[str, ...]
    room_mb: int


PLAY = Layer("play", ("requirements.lock",), ("play",), 200)
DOCS = Layer("docs", ("requirements.lock", "requirements-docs.lock"), ("play", "docs"), 400)
TEST = Layer(
    "test", ("requirements.lock", "requirements-docs.lock", "requirements-test.lock"), ("play", "docs", "test"), 800
)
LAYERS = {layer.name: layer for layer in (PLAY, DOCS, TEST)}


@dataclass(frozen=True)
class Stamp:
    """What an environment was made from. `layers` is layer name -> digest of its lock files and pyproject.toml."""

    python: str
    folder: str
    layers: dict[str, str]


class Environment:
    """The paths of the environment of the project in `root`."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, root / ".venv"
        self.python = self.folder / "bin" / "python"
        self.command = self.folder / "bin" / "sniperboard"
        self.stamp = self.folder / "stamp.json"
        self.log = self.folder / "pip.log"
        """pip's last log."""


def state_of(found: Stamp | None, wanted: Stamp, layer: Layer) -> tuple[State, str]:
    """Return the state of an environment with the stamp `found`, and why it is not ready for `layer`."""
    if found is None:
        return "unfit", "it was never finished"
    if found.folder != wanted.folder:
        return "unfit", f"it was made in {found.folder}"
    if found.python != wanted.python:
        return "unfit", f"it was made with Python {found.python}"
    if found.layers.get(layer.name) != wanted.layers[layer.name]:
        return "behind", "its packages are not those of the lock file"
    return "ready", ""


def prepare(root: Path, layer: Layer) -> Environment:
    """Return the environment of the project in `root`; create or update it first if needed. Raises `ToolError`."""
    here = Environment(root)
    wanted = expected_stamp(root)
    if state_of(read_stamp(here), wanted, layer)[0] == "ready":
        return here
    try:
        pi.check(pi.this_machine())  # check this before the packages, which take minutes
        with locked(root):
            create_or_update(here, wanted, layer)
    except OSError as error:
        raise ToolError(errors.from_os_error(error, root)) from error
    return here


def expected_stamp(root: Path) -> Stamp:
    """Return the stamp of an up-to-date environment for this Python and the files in `root`."""
    digests = {layer.name: digest(root, layer) for layer in LAYERS.values()}
    return Stamp(f"{sys.version_info[0]}.{sys.version_info[1]}", str(root), digests)


def digest(root: Path, layer: Layer) -> str:
    """Return a digest of the files that determine the content of `layer`. Raises `ToolError` if one is missing."""
    whole = hashlib.sha256()
    for name in (*layer.locks, "pyproject.toml"):
        try:
            # The zero byte separates files, so that moving text between them changes the digest.
            whole.update((root / name).read_bytes() + b"\0")
        except OSError as error:
            raise ToolError(f"{root / name} cannot be read ({error.strerror}): download the project again.") from error
    return whole.hexdigest()


def read_stamp(here: Environment) -> Stamp | None:
    """Return the stamp of the existing environment.

    Return None if the stamp is missing or unreadable, or if the environment has no interpreter.
    """
    if not (os.access(here.python, os.X_OK) and os.access(here.command, os.X_OK)):
        return None
    try:
        said = json.loads(here.stamp.read_text("utf-8"))
        return Stamp(str(said["python"]), str(said["folder"]), dict(said["layers"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Wait until no other `make` works on the same environment."""
    # Lock the folder itself, so that no lock file remains.
    handle = os.open(root, os.O_RDONLY)
    try:
        try:
            # Try without waiting first, so that a message can explain the wait.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another make is preparing the environment: waiting for it.")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def create_or_update(here: Environment, wanted: Stamp, layer: Layer) -> None:
    """Create or update the environment for `layer`. Raises `ToolError`, `OSError`."""
    # Look again: another `make` may have finished while this one waited for the lock.
    found = read_stamp(here)
    state, why = state_of(found, wanted, layer)
    if state == "ready":
        return
    need_room(here.root, layer)
    if found is None or state == "unfit":
        recreate(here, why)
        found = Stamp(wanted.python, wanted.folder, {})
    install_packages(here, found, layer)
    layers = found.layers | {name: wanted.layers[name] for name in layer.within}
    write_stamp(here, Stamp(wanted.python, wanted.folder, layers))
    say(f"The environment is ready in {here.folder}.")


def need_room(root: Path, layer: Layer) -> None:
    """Check that the folder is writable and that the disk has room, before anything is changed."""
    # Fails if the folder is not writable.
    with tempfile.TemporaryFile(dir=root):
        free_mb = shutil.disk_usage(root).free // 2**20
    if free_mb < layer.room_mb:
        raise ToolError(errors.too_little_room(root, free_mb, layer.room_mb))


def recreate(here: Environment, why: str) -> None:
    """Create an empty environment; remove an existing one first."""
    system.need_venv()
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    again = f" again, because {why}" if here.folder.exists() else ""
    say(f"Making the environment in {here.folder} with Python {version}{again}.")
    here.stamp.unlink(missing_ok=True)
    code, said = system.run_captured([sys.executable, "-m", "venv", "--clear", str(here.folder)])
    if code != 0:
        raise ToolError(errors.from_venv(said, here.folder))


def install_packages(here: Environment, found: Stamp, layer: Layer) -> None:
    """Install the locked packages and the project itself. No stamp exists while packages change."""
    here.stamp.unlink(missing_ok=True)
    here.log.unlink(missing_ok=True)
    locks = [word for name in layer.locks for word in ("-r", str(here.root / name))]
    say("Installing the packages of " + " and ".join(layer.locks) + ".")
    # The tests import only a fifth of their packages, which Python compiles on import. Compiling all takes longer.
    how = ("--no-compile",) if layer is TEST else ()
    # Wheels only, so that nothing is built and no compiler is needed.
    if pip(here, "install", "--only-binary=:all:", *how, *locks) != 0:
        log = read_log(here)
        if errors.is_offline(log) and found.layers:
            # pip downloads everything before it changes anything, so the old environment is still complete
            write_stamp(here, found)
        raise ToolError(errors.from_pip(log, here.log, here.root))
    # The build backend is among the locked packages, so pip need not download one.
    if pip(here, "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", str(here.root)) != 0:
        raise ToolError(errors.from_pip(read_log(here), here.log, here.root))


def pip(here: Environment, *words: str) -> int:
    """Run the environment's pip with visible output; return its exit code."""
    command = [str(here.python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--log", str(here.log)]
    return subprocess.run([*command, *words], stdin=subprocess.DEVNULL, check=False).returncode


def read_log(here: Environment) -> str:
    """Return pip's log, or as much of it as can be read."""
    return here.log.read_text("utf-8", "replace") if here.log.exists() else ""


def write_stamp(here: Environment, stamp: Stamp) -> None:
    draft = here.stamp.with_suffix(".new")
    draft.write_text(json.dumps(vars(stamp), indent=1) + "\n", "utf-8")
    # Renaming is atomic: a reader sees the old or the new stamp, never half of one.
    draft.replace(here.stamp)


def say(sentence: str) -> None:
    print(sentence, flush=True)
