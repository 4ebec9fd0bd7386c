"""`make audit`: check the locked packages for known vulnerabilities, with pip-audit.

pip-audit runs in a separate environment. This check is not part of `make test`, because the list changes every day and
needs the internet. A package that was not checked is never reported as safe.

Exit codes: 0 no package is known to be vulnerable · 1 a package is · 69 not all packages could be checked.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.environment import say
from tools.errors import last_line
from tools.lock import fresh_pip
from tools.system import run_captured

LOCKS = ("requirements.lock", "requirements-docs.lock", "requirements-test.lock")
KNOWN_WEAK, UNANSWERED = 1, 69
Package = dict[str, Any]
"""pip-audit's result for a package: its `name`, then `version` and `vulns`, or a `skip_reason`."""


def audit(root: Path, words: list[str]) -> int:
    """Check all packages and print the result; return the exit code.

    `words` are options of pip-audit. Raises `ToolError` if the module `venv` is missing.
    """
    pins = [pin for name in LOCKS for pin in pins_without_markers((root / name).read_text("utf-8"))]
    with tempfile.TemporaryDirectory() as place:
        packages, why = ask_pip_audit(Path(place), pins, words)
    code, told = audit_report(packages, why, len(pins))
    print(told, file=sys.stderr if code else sys.stdout)
    return code


def pins_without_markers(text: str) -> list[str]:
    """Return the pins of a lock file without markers, because a vulnerability concerns every machine."""
    return [line.partition(" ; ")[0] for line in text.splitlines() if not line.startswith("#")]


def ask_pip_audit(place: Path, pins: list[str], words: list[str]) -> tuple[list[Package], str]:
    """Return pip-audit's answer about `pins`, and its last line of output if there is no answer."""
    pip = fresh_pip(place / "environment")
    say("Fetching pip-audit.")
    code, said = run_captured([*pip, "install", "--quiet", "pip-audit"])
    if code != 0:
        return [], last_line(said)
    wanted, found = place / "pins.txt", place / "answer.json"
    wanted.write_text("\n".join(pins), "utf-8")
    quietly = ["--progress-spinner", "off", "--format", "json", "--desc", "off", "--output", str(found)]
    # No dependency resolution: the lock files are complete.
    command = [pip[0], "-m", "pip_audit", *quietly, "--no-deps", "--disable-pip", "-r", str(wanted), *words]
    # The exit code is not used: pip-audit returns 1 both for vulnerable packages and for errors.
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        packages: list[Package] = json.loads(found.read_text("utf-8"))["dependencies"]
    except (OSError, ValueError):
        return [], last_line(done.stderr)
    return packages, ""


def audit_report(packages: list[Package], why: str, count: int) -> tuple[int, str]:
    """Return the exit code and the report for an answer about `count` packages.

    `why` says why an answer is missing.
    """
    weak = [
        f"{package['name']} {package['version']}: {one['id']}, fixed in {', '.join(one['fix_versions']) or 'none'}."
        for package in packages
        for one in package.get("vulns", ())
    ]
    skipped = [package["skip_reason"] for package in packages if "skip_reason" in package]
    # Packages that are missing from the answer count as unchecked, never as safe.
    silent = count - len(packages) + len(skipped)
    told = [*weak]
    if silent:
        why = why or (skipped[0] if skipped else "they are missing from the answer")
        told.append(
            f"The list of known vulnerabilities has no answer for {silent} of {count} packages ({why}). They may be "
            "vulnerable or not. Connect to the internet and try again."
        )
    code = KNOWN_WEAK if weak else UNANSWERED if silent else 0
    return code, "\n".join(told) or f"No vulnerability of these {count} packages is known."
