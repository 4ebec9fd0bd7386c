"""Text files of every kind as Windows editors save them: with a byte order mark, other line ends, or in UTF-16."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import fault_script, wiring
from firmware_host.core import data_files, maps, settings
from firmware_host.core.data_files import LessonFile
from firmware_host.core.strict import NotUtf8, strip_bom
from firmware_host.mqtt.options import read_password

BOARD = maps.load("launch-facility")
LESSON = """title = "Łódź"
about = "a"
seat = "b"
done = "c"
[position]
[[step]]
say = "d"
accepts = []
"""
Reader = Callable[[Path], Any]
KINDS: dict[str, tuple[str, str, Reader]] = {
    "settings": ("a.toml", '[sniperboard]\nmap = "Łódź"\n', settings.read_file),
    "wiring": (
        "a.toml",
        wiring.wiring_text(wiring.default_wiring(BOARD)),
        lambda path: wiring.read_wiring(path, BOARD),
    ),
    "names": ("a.toml", "[names]\n", lambda path: maps.read_names(path, BOARD)),
    "lesson": ("a.toml", LESSON, lambda path: data_files.decoded(path.read_bytes(), path.name, LessonFile)),
    "faults": ("a.jsonl", '{"seed": 7}\n', lambda path: fault_script.read_script(path, {}, 9)),
    "faults in TOML": ("a.toml", "seed = 7\n", lambda path: fault_script.read_script(path, {}, 9)),
    "password": ("a", "Łódź\n", lambda path: read_password(str(path))),
    "words": ("a.po", 'msgid "a"\nmsgstr "Łódź"\n', lambda path: strip_bom(path.read_bytes()).replace(b"\r", b"")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_byte_order_mark_and_line_ends_change_nothing(tmp_path: Path, kind: str) -> None:
    name, text, read = KINDS[kind]
    (tmp_path / name).write_bytes(text.encode())
    plain = read(tmp_path / name)
    (tmp_path / name).write_bytes(BOM_UTF8 + text.replace("\n", "\r\n").encode())
    assert read(tmp_path / name) == plain


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", KINDS)
def test_utf_16_is_refused_with_the_remedy(tmp_path: Path, kind: str, encoding: str) -> None:
    name, text, read = KINDS[kind]
    (tmp_path / name).write_bytes(text.encode(encoding))
    with pytest.raises(Exception, match="not text in UTF-8, but UTF-16: save it as UTF-8") as refused:
        read(tmp_path / name)
    assert "line" not in str(refused.value)
    assert isinstance(refused.value, NotUtf8) or str(refused.value).endswith(".")
