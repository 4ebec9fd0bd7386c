"""What a game does to the process while it is imported harms neither its output nor its end."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable

import pytest

from firmware_host.core.guarded import checked_installed


def _close() -> None:
    sys.stdout.close()


def _detach() -> None:
    io.TextIOWrapper(sys.stdout.detach())  # type: ignore[attr-defined]  # in a test, it can be another object


def _replace() -> None:
    sys.stdout = None  # type: ignore[assignment]


@pytest.mark.parametrize("harm", [_close, _detach, _replace])
def test_output_can_be_used_after_a_game(harm: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    checked_installed("game", harm)
    assert not sys.stdout.isatty()
    sys.stdout.close()


LEFT = {
    "thread": "threading.Thread(target=threading.Event().wait).start()",
    "exit handler": "atexit.register(threading.Event().wait)",
}


@pytest.mark.parametrize("what", LEFT)
def test_what_a_game_has_started_does_not_keep_the_process_running(what: str) -> None:
    code = f"""
import atexit, threading
from firmware_host.app import cli
def main():
    {LEFT[what]}
    return 7
cli.main, cli.LINGER = main, 0.1
cli.entry()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 7
