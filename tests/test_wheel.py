"""The wheel and the source archive are complete, and both run a table in an environment that was empty.

By day the test environment lends the packages that the wheel needs; at night pip fetches them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.depth import DEPTH
from tools.install import packages

ROOT = Path(__file__).resolve().parent.parent
APART = ("tests/", "tools/")
"""Folders that are only in the source archive."""
MADE = ("__pycache__", "web_panel/site")
"""Generated content of these folders, which is not part of the project."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
ANSWERS = ("", "table", "rules", "api/health", "maps/launch-facility.svg", "games/stalingrad/static/style.css")
"""One address for each kind of data that the table ships."""
OF_THE_SOURCE = (
    "Makefile",
    "mkdocs.yml",
    "requirements.lock",
    "tools/bootstrap.py",
    "lab/levels.py",
    "maker/mapping/sight.py",
    "tests/conftest.py",
    "docs/index.md",
)
PAGE = "web_panel/site/one.html"

pytestmark = pytest.mark.long


def build(project: Path, out: Path, *kinds: str) -> None:
    """Build these kinds of archives of the project in a folder."""
    chosen = [word for kind in kinds for word in ("-t", kind)]
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out), *chosen]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def contents(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel without its own list of them."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def is_of_the_project(path: Path) -> bool:
    """Return whether a file belongs into a wheel."""
    return path.is_file() and not any(made in path.relative_to(ROOT).as_posix() for made in MADE)


def archives(folder: Path) -> tuple[Path, Path, Path]:
    """The wheel of the project, the folder of its unpacked source archive, and the wheel built from that.

    One page of a manual is put into the source before its wheel is built.
    """
    build(ROOT, folder / "first", "wheel", "sdist")
    (source,) = (folder / "first").glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    unpacked = folder / source.name.removesuffix(".tar.gz")
    page = unpacked / PAGE
    page.parent.mkdir(exist_ok=True)
    page.write_text("built", "utf-8")
    build(unpacked, folder / "second", "wheel")
    (first,), (second,) = ((folder / name).glob("*.whl") for name in ("first", "second"))
    return first, unpacked, second


def install(wheel: Path, folder: Path) -> None:
    """Return an environment with only this wheel in it."""
    venv.create(folder, symlinks=True)
    alone = [] if DEPTH > 1 else ["--no-deps", "--no-index", "--no-compile"]
    command = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", *alone, str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if DEPTH == 1:
        (inside,) = folder.glob("lib/python*/site-packages")
        (inside / "lent.pth").write_text(sysconfig.get_path("purelib"), "utf-8")


def output_of(command: Path, where: Path, *words: str) -> str:
    """Return what a program prints that is started in an empty folder."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run([str(command), *words], cwd=where, env=outside, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def table(command: Path, where: Path) -> Iterator[str]:
    """Yield the address of a table that a command runs in an empty folder. It must exit with 0 on an interrupt."""
    words = [str(command), "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
    running = subprocess.Popen(words, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert running.stdout is not None
    output = ""
    try:
        for line in running.stdout:
            output += line
            if found := ADDRESS.search(line):
                yield found[0]
                break
        else:
            pytest.fail(f"the table never opened: {output}")
    finally:
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate()
    assert running.returncode == 0, output + rest


def test_complete_archives_run_a_table_in_an_empty_environment(tmp_path: Path) -> None:
    first, unpacked, second = archives(tmp_path)
    files = contents(first)
    wanted = [path for package in packages(ROOT) for path in (ROOT / package).rglob("*") if is_of_the_project(path)]
    assert [name for path in wanted if (name := path.relative_to(ROOT).as_posix()) not in files] == []
    assert [name for name in files if name.startswith(APART)] == []
    assert contents(second) == files | {PAGE: b"built"}, "the source archive builds a different wheel"
    for name in OF_THE_SOURCE:
        assert (unpacked / name).is_file(), f"{name} is not in the source archive"

    environment, empty = tmp_path / "environment", tmp_path / "empty"
    empty.mkdir()
    install(second, environment)
    python, command = environment / "bin/python", environment / "bin/sniperboard"
    where = output_of(python, empty, "-c", "import web_panel; print(web_panel.__file__)")
    assert where.startswith(str(environment)), "the project's own folder would hide what is missing"
    assert re.fullmatch(r"sniperboard \d+\.\d+\.\d+\n", output_of(command, empty, "--version"))
    assert "MP-MOVE-03" in output_of(command, empty, "rules", "MP-MOVE-03")
    assert (environment / "share/man/man1/sniperboard.1").is_file()
    with table(command, empty) as address:
        for path in ANSWERS:
            with urlopen(address + path) as answer:
                assert answer.status == 200, path
                assert len(answer.read()) > 100, path
