"""What the tools write keeps the author's work, also on a full disk."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from lab.authoring.place import replace_text
from lab.authoring.recorded import Unreadable, remake


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow."""
    limits, handler = getrlimit(RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    setrlimit(RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_file_stays_if_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "one.game"
    file.write_text("mine\n")
    with full_disk(), pytest.raises(OSError, match="too large"):
        replace_text(file, "new\n")
    assert [path.name for path in tmp_path.iterdir()] == ["one.game"]
    assert file.read_text() == "mine\n"


def test_link_and_rights_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old\n")
    file.chmod(0o640)
    link.symlink_to(file)
    replace_text(link, "new\n")
    assert link.is_symlink() and file.read_text() == "new\n" and file.stat().st_mode & 0o777 == 0o640


def test_file_that_is_no_text_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "one.game"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Unreadable, match="UTF-8"):
        remake(file)
