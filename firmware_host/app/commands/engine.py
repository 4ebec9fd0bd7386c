"""`sniperboard engine`: run the rules engine on standard input and output (board-engine/1)."""

from __future__ import annotations

import argparse
from typing import Any


def add_command(commands: Any) -> None:
    """Add `engine`."""
    what = "run the rules engine on stdin and stdout (board-engine/1)"
    commands.add_parser("engine", help=what).set_defaults(run=_run)


def _run(_: argparse.Namespace) -> int:
    from firmware_host.protocols.engine import answers
    from firmware_host.protocols.lines import serve_stdio

    return serve_stdio(answers)
