"""Extra files of an installation: the man page, the shell completions, and the manual.

They are in the folder of a version, so that they are replaced together with it; links point to them. The table runs
without them: if one cannot be made, the installation reports it and continues.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from tools.errors import last_line

COMPLETIONS = {
    "bash": "share/bash-completion/completions/sniperboard",
    "zsh": "share/zsh/site-functions/_sniperboard",
}
"""Shell -> its file, relative to a version's folder and to /usr/local."""
SHARED = ("share/man/man1/sniperboard.1", *COMPLETIONS.values())
"""All files that get a link. The man page comes with the program."""
LOCK = "requirements-docs.lock"
SITE = "web_panel/site"


def complete_words(program: Path) -> None:
    """Write the shell completions that the installed command prints."""
    for shell, name in COMPLETIONS.items():
        done = _run([str(program / "bin/sniperboard"), "completion", shell])
        # The table also works without completions.
        if done.returncode != 0:
            print(f"  {shell} can't complete the command: {last_line(done.stderr)}", flush=True)
            continue
        file = program / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(done.stdout, "utf-8")


def add_manual(source: Path, program: Path) -> None:
    """Build the manual into an installed program, unless the project already has it."""
    if (source / SITE / "index.html").is_file():
        return
    python = str(program / "bin/python")
    print("  building the manual, which the table serves at /docs", flush=True)
    with tempfile.TemporaryDirectory() as place:
        # MkDocs' other requirements are among the program's own packages, or in this lock file.
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        done = _run([*pip, "--no-deps", "--only-binary=:all:", "--target", place, "-r", str(source / LOCK)])
        if done.returncode == 0:
            # Run this in another folder: in the project's folder, Python would find the project's own package.
            asked = _run([python, "-c", "import web_panel; print(web_panel.__path__[0])"], cwd=Path(place))
            command = [python, "-m", "tools.manual", str(Path(asked.stdout.strip(), "site"))]
            done = _run(command, cwd=source, path=place)
    if done.returncode != 0:
        print(
            f"  the manual was not built ({last_line(done.stderr)}); the table's page /docs says how to get it",
            flush=True,
        )


def _run(command: list[str], cwd: Path | None = None, path: str = "") -> subprocess.CompletedProcess[str]:
    # Root must not leave bytecode in the user's project folder.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
