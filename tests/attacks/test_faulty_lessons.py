"""A stranger opens a lesson that ends the table, while people play another game."""

from __future__ import annotations

from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from firmware_host.app import cli
from tests.attacks.target import Target

STRANGER = "127.0.0.7"


def test_lesson_that_ends_the_table_does_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when it uses all memory: no trace is left. Each request for it ended the table again."""
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path)]) == 0
    code = tmp_path / "lost-city" / "games" / "lost_city" / "game.py"
    begin = "    def completed(self, view: Picture, chance: Chance) -> Position:\n"
    source = code.read_text("utf-8")
    assert begin in source
    code.write_text(source.replace(begin, f"{begin}        __import__('os')._exit(9)\n"), "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lost-city"))
    target = Target(tmp_path)
    try:
        ends = 0
        for _ in range(3):
            with suppress(OSError, HTTPException):
                assert target.ask("GET", "/learn/lost-city/seeker", address=STRANGER)[0] == 404
                break
            target.daemon.end()
            ends += 1
            target.daemon.start()
        assert ends == 1
        target.plays_on()
    finally:
        target.close()
