"""The command `sniperboard` on terminals with few characters, and with readers that close the pipe early."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.app import cli
from tests.engine.graph.drawings import board
from tests.firmware_host.test_maps import written

COMMAND = [sys.executable, "-m", "firmware_host"]


def polish(folder: Path) -> Path:
    """Return a drawing whose name has letters that few old terminals can display."""
    sheet = board()
    sheet.members["name"] = "Zażółć"
    return written(sheet, folder / "polish.geojson")


def printed(*words: object, encoding: str) -> str:
    """Return what a command prints in this encoding."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode(encoding)


def test_characters_missing_in_terminal_are_escaped(tmp_path: Path) -> None:
    assert "Za\\u017c\\xf3\\u0142\\u0107: 24 spaces" in printed("map", "check", polish(tmp_path), encoding="ascii")
    assert "Za\\u017có\\u0142\\u0107: 24 spaces" in printed("map", "check", polish(tmp_path), encoding="latin-1")
    assert "Zażółć: 24 spaces" in printed("map", "check", polish(tmp_path), encoding="utf-8")


def test_help_of_a_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.parser("hw").parse_args(["hw", "scan", "--help"])
    assert "\n\nShow the state of all sensors live.\n\n" in capsys.readouterr().out


def test_drawing_on_limited_terminal_keeps_name(tmp_path: Path) -> None:
    assert "<title>Za&#380;&#243;&#322;&#263;</title>" in printed("map", "render", polish(tmp_path), encoding="ascii")


LONG_AND_SHORT = [("rules", "--search", "the"), ("rules",)]
"""A command that fills the buffer of its output, and one whose output is written at the end."""


@pytest.mark.parametrize("words", LONG_AND_SHORT)
def test_closed_pipe_is_no_error(words: tuple[str, ...]) -> None:
    heard, said = os.pipe()
    os.close(heard)
    with open(said, "wb") as pipe:
        done = subprocess.run([*COMMAND, *words], stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.stderr, done.returncode) == (b"", 141)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", LONG_AND_SHORT)
def test_full_disk_is_reported(words: tuple[str, ...], unbuffered: str) -> None:
    around = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, check=False, env=around)
    said = b"The output cannot be written: No space left on device. Send it to a disk with room.\n"
    assert (done.stderr, done.returncode) == (said, 74)
