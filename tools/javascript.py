"""Check the JavaScript for `make check`: ESLint, Prettier and TypeScript's checker.

npm installs them into node_modules, at the versions in package-lock.json, when `make check` first needs them and again
when the lock file changes. Playing and testing need neither them nor Node.js.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from tools.environment import say
from tools.errors import ToolError
from tools.system import run_captured

SOURCES = ("web_panel/static/**/*.js", "games/*/screens/*.js", "tests/web_panel/*.js", "eslint.config.js")
LOCKS = ("package.json", "package-lock.json")
OLDEST_NODE = (20, 19)
STAMP = Path("node_modules") / ".installed"
"""Contains the digest of the lock files that node_modules was made from. It is written last."""
OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT")


def check(root: Path) -> int:
    """Check the JavaScript of the project in `root`; return the exit code. Raises `ToolError`."""
    install(root)
    commands = (
        ["eslint", "--max-warnings", "0", *cached("eslint"), "."],
        ["prettier", "--check", "--log-level", "warn", *cached("prettier"), *SOURCES],
        ["tsc", "--project", "tsconfig.json"],
    )
    tools = root / "node_modules" / ".bin"
    # Run all three, so that one run reports every problem.
    return max(subprocess.run([tools / name, *words], cwd=root, check=False).returncode for name, *words in commands)


def cached(tool: str) -> tuple[str, ...]:
    """Return the options with which a tool checks only files that have changed, or all after a change of its rules."""
    return "--cache", "--cache-strategy", "content", "--cache-location", f"node_modules/.cache/{tool}.json"


def lock_digest(root: Path) -> str:
    return hashlib.sha256(b"".join((root / name).read_bytes() for name in LOCKS)).hexdigest()


def is_installed(root: Path) -> bool:
    stamp = root / STAMP
    return stamp.is_file() and stamp.read_text("utf-8") == lock_digest(root)


def install(root: Path) -> None:
    """Install the tools in `root` unless they are up to date. Raises `ToolError`."""
    need_node()
    if is_installed(root):
        return
    say("Installing the JavaScript tools of package-lock.json.")
    # No install scripts: packages must not run code on this machine when they are installed.
    code, said = run_captured(["npm", "ci", "--prefix", str(root), "--ignore-scripts", "--no-audit", "--no-fund"])
    if code != 0:
        raise ToolError(from_npm(said))
    (root / STAMP).write_text(lock_digest(root), "utf-8")


def need_node() -> None:
    """Make sure that Node.js and npm are installed. Raises `ToolError`."""
    oldest = ".".join(map(str, OLDEST_NODE))
    advice = f"Install Node.js {oldest} or newer with npm (on Debian 13: sudo apt-get install -y nodejs npm)."
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise ToolError(f"The JavaScript cannot be checked, because Node.js is not installed. {advice}")
    _, said = run_captured(["node", "--version"])
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_NODE:
        raise ToolError(f"The JavaScript cannot be checked, because Node.js is too old: {said.strip()}. {advice}")


def from_npm(said: str) -> str:
    """Return the message for a failed installation, from npm's output."""
    if OFFLINE.search(said):
        return "The JavaScript tools could not be downloaded: connect this machine to the internet and start again."
    return f"npm could not install the JavaScript tools:\n{said.strip()}"
