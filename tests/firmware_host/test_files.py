"""No pipe, device or large file in place of a file that the table reads stops a start or fills the memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_host.admin import pin
from firmware_host.admin.certificate import CertificateError, authority_der, tls_context
from firmware_host.board import fault_script, sensor_health, wiring
from firmware_host.core import maps
from firmware_host.core.hang_note import HangNote
from firmware_host.core.settings import ConfigError, read_file, settle
from firmware_host.mqtt.options import mqtt_options
from firmware_host.records.journal import Journal, JournalError
from firmware_host.seats.drafts import Drafts
from hardware.files import LARGEST_FILE, new_file, replace_file
from hardware.ports import HardwareFault
from hardware.simulated import SimulatedBoard

BROKER = {"mqtt_broker": "localhost", "mqtt_user": "club", "mqtt_tls": True}
READERS: dict[str, tuple[str, Callable[[Path], object], type[Exception] | tuple[()]]] = {
    "settings": ("settings.toml", read_file, ConfigError),
    "wiring": ("wiring.toml", lambda path: wiring.of_board(maps.load("launch-facility"), path), wiring.WiringError),
    "faults": ("faults.jsonl", lambda path: fault_script.read_script(path, {}, 4), ConfigError),
    "sensor health": (sensor_health.FILE, sensor_health.read_records, ()),
    "places": ("places.json", lambda path: SimulatedBoard(4, (), time.monotonic, path), HardwareFault),
    "certificate": ("own.pem", tls_context, CertificateError),
    "authority": ("https-authority.pem", lambda path: authority_der(path.parent), ()),
    "broker's authority": ("ca.pem", lambda path: mqtt_options(settle(BROKER, {"mqtt_ca": str(path)})), ConfigError),
    "password": ("word", lambda path: mqtt_options(settle(BROKER, {"mqtt_password": str(path)})), ConfigError),
    "admin PIN": (pin.FILE, lambda path: pin.read_pin(path.parent), ()),
    "attempts": (pin.TRIES, lambda path: pin.read_attempts(path.parent, "00"), ()),
    "note of a hang": ("hung", lambda path: HangNote.read(path, lambda file: None), None),
    "plans": ("plan.json", lambda path: Drafts(path.parent).close(), ()),
    "log of the journal": ("games.sqlite-wal", lambda path: Journal(path.with_name("games.sqlite")), JournalError),
    "rollback": ("games.sqlite-journal", lambda path: Journal(path.with_name("games.sqlite")), JournalError),
}
"""What is read -> the name of its file, its reader, and the error that it raises for what is no file."""


DEEP = b"[" * 100_000 + b"]" * 100_000
BROKEN_JSON = {
    "deep": DEEP,
    "deep value of a sensor": b'{"1": {"raw": 0, "more": %b}}' % DEEP,
    "deep plan": b'{"moment": "a", "draft": {"more": %b}}' % DEEP,
    "deep place": b'{"a": %b}' % DEEP,
    "no text in a plan": b'{"moment": "\xff", "draft": {}}',
    "no text in a name": b'{"\xff": 1}',
    "cut": b'{"moment": "a", "dra',
    "zeros": bytes(64),
    "empty": b"",
}
JSON_READERS = ("sensor health", "places", "admin PIN", "attempts", "plans")

SQLITES = {"log of the journal", "rollback"}
"""Files that SQLite reads in parts."""


def try_all(folder: Path) -> None:
    """Print for each file in its folder whether it was read or refused."""
    for what, (name, read, error) in READERS.items():
        if os.path.lexists(folder / what / name):
            try:
                read(folder / what / name)
            except error:
                print(what, "refused", flush=True)
            else:
                print(what, "read", flush=True)


APART = """
import resource, sys
from pathlib import Path
from tests.firmware_host.test_files import try_all

resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try_all(Path(sys.argv[1]))
"""


def put(path: Path, kind: str) -> None:
    path.parent.mkdir(mode=0o700)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(2 << 30)


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_what_is_no_small_file_is_neither_waited_for_nor_read_whole(kind: str, tmp_path: Path) -> None:
    checked = [what for what in READERS if kind != "large" or what not in SQLITES]
    for what in checked:
        put(tmp_path / what / READERS[what][0], kind)
    command = [sys.executable, "-c", APART, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.splitlines() == [f"{what} {'refused' if READERS[what][2] else 'read'}" for what in checked]


@pytest.mark.parametrize("content", BROKEN_JSON.values(), ids=BROKEN_JSON)
@pytest.mark.parametrize("what", JSON_READERS)
def test_damaged_json_is_read_as_nothing_or_refused(what: str, content: bytes, tmp_path: Path) -> None:
    name, read, error = READERS[what]
    (tmp_path / name).write_bytes(content)
    with suppress(*([error] if isinstance(error, type) else [])):
        read(tmp_path / name)


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_draft_replaces_what_is_in_its_place(kind: str, tmp_path: Path) -> None:
    draft, other = tmp_path / "draft", tmp_path / "other"
    other.write_bytes(b"kept")
    if kind == "pipe":
        os.mkfifo(draft)
    else:
        draft.symlink_to(other)
    with new_file(draft) as file:
        file.write(b"new")
    assert (draft.read_bytes(), other.read_bytes()) == (b"new", b"kept")


def test_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"#" * LARGEST_FILE)
    assert read_file(path) == {}
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(ConfigError, match="File too large"):
        read_file(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can write for another user")
def test_root_writes_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    """The service's user could not read what a command of root has left."""
    os.chown(tmp_path, 4711, 4712)
    replace_file(tmp_path / "found.json", b"{}")
    found = (tmp_path / "found.json").stat()
    assert (found.st_uid, found.st_gid) == (4711, 4712)
