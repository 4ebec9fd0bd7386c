"""`sniperboard hands`: recognise moves from sensor events on standard input (board-hands/1)."""

from __future__ import annotations

import argparse
from typing import Any


def add_command(commands: Any) -> None:
    """Add `hands`."""
    what = "read sensor events from stdin, write recognised moves to stdout (board-hands/1)"
    commands.add_parser("hands", help=what).set_defaults(run=_run)


def _run(_: argparse.Namespace) -> int:
    from firmware_host.protocols.lines import serve_stdio
    from firmware_host.protocols.tracking import answers

    return serve_stdio(answers)
