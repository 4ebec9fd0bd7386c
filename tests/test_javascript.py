"""The JavaScript tools of `make check`: installed when needed, with one clear sentence where that fails.

`node` and `npm` are stand-in scripts, so that nothing is fetched.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools import javascript
from tools.errors import ToolError

ROOT = Path(__file__).resolve().parent.parent
NPM = """echo "$@" >> "$(dirname "$0")/calls"; mkdir -p "$3/node_modules" """


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with lock files. Only stand-ins and the shell's own programs are on the PATH."""
    for name in javascript.LOCKS:
        (tmp_path / name).write_text("{}", "utf-8")
    (tmp_path / "stand-ins").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "stand-ins"))
    return tmp_path


def stand_in(project: Path, name: str, text: str) -> None:
    file = project / "stand-ins" / name
    file.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{text}\n", "utf-8")
    file.chmod(0o755)


def test_missing_node_is_one_sentence_with_the_command(project: Path) -> None:
    with pytest.raises(ToolError, match=r"Node\.js is not installed\. .*apt-get install -y nodejs npm"):
        javascript.install(project)


def test_old_node_is_named_with_its_version(project: Path) -> None:
    stand_in(project, "node", "echo v18.19.1")
    stand_in(project, "npm", NPM)
    with pytest.raises(ToolError, match=r"too old: v18\.19\.1\. Install Node\.js 20\.19"):
        javascript.install(project)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("npm error code ENOTFOUND", "connect this machine to the internet"),
        ("npm error The lock file is broken", "npm could not install the JavaScript tools:\nnpm error The lock file"),
    ],
)
def test_failed_installation_says_why(project: Path, said: str, message: str) -> None:
    stand_in(project, "node", "echo v24.0.0")
    stand_in(project, "npm", f'echo "{said}"; exit 1')
    with pytest.raises(ToolError, match=re.escape(message)):
        javascript.install(project)
    assert not (project / javascript.STAMP).exists()


def test_tools_are_installed_once_for_each_lock_file(project: Path) -> None:
    stand_in(project, "node", "echo v20.19.2")
    stand_in(project, "npm", NPM)
    for content in ("{}", "{}", '{"changed": true}'):
        (project / "package-lock.json").write_text(content, "utf-8")
        javascript.install(project)
    calls = (project / "stand-ins" / "calls").read_text("utf-8").splitlines()
    assert calls == [f"ci --prefix {project} --ignore-scripts --no-audit --no-fund"] * 2


def test_versions_are_exact_and_the_lock_names_no_registry() -> None:
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    lock = (ROOT / "package-lock.json").read_text("utf-8")
    locked = json.loads(lock)["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert '"resolved"' not in lock
