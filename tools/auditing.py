"""`make audit`: what is publicly known of weaknesses in the locked packages, asked by pip-audit in a place of its own.

A package that nobody could be asked about is a failure too. It is no part of `make test`: a list that changes every
day, and an internet that may be away, must not decide whether a change is good.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from tools.environment import overhear, say
from tools.lock import fresh_pip
from tools.sorry import Sorry

LOCKS = ("requirements.lock", "requirements-test.lock")


def audit(root: Path, words: list[str]) -> int:
    """Ask about all; `words` are handed on to pip-audit. Its exit code. Raises Sorry where it cannot be had."""
    with tempfile.TemporaryDirectory() as place:
        pip = fresh_pip(Path(place, "environment"))
        say("Fetching pip-audit.")
        code, said = overhear([*pip, "install", "--quiet", "pip-audit"])
        if code != 0:
            raise Sorry(
                f"pip-audit cannot be had: {said.strip().splitlines()[-1] if said.strip() else 'pip says nothing'}"
            )
        pins = Path(place, "pins.txt")
        pins.write_text("\n".join(plain((root / name).read_text("utf-8")) for name in LOCKS), "utf-8")
        command = [pip[0], "-m", "pip_audit", "--strict", "--no-deps", "--disable-pip", "-r", str(pins), *words]
        return subprocess.run(command, check=False).returncode


def plain(text: str) -> str:
    """The pins of a lock file without their markers: a weakness is one on every machine."""
    return "\n".join(line.partition(" ; ")[0] for line in text.splitlines() if not line.startswith("#"))
