"""`make` when something is missing, old, stale, full or locked: it repairs, or prints one clear sentence.

The interpreter, pip and apt-get are stand-in scripts, so that nothing is fetched or installed.
"""

from __future__ import annotations

import ast
import errno
import fcntl
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import bootstrap, errors, pi, system, targets
from tools.environment import PLAY, TEST, Environment, Stamp, expected_stamp, prepare, read_stamp, state_of
from tools.errors import ToolError
from tools.targets import TARGETS

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534

Script = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """Make files readable by every account, as is usual; one of these accounts is `NOBODY`."""
    mask = os.umask(0o022)
    yield
    os.umask(mask)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Put a shell script into a folder of stand-ins: script(name, text)."""

    def put(name: str, text: str) -> Path:
        file = tmp_path / "stand-ins" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        file.chmod(0o755)
        return file

    return put


@pytest.fixture
def only_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Find only stand-ins for programs, as root. Return their folder."""
    place = tmp_path / "stand-ins"
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(system, "ELSEWHERE", str(tmp_path / "none"))
    return place


@pytest.fixture
def project() -> Iterator[Path]:
    """A world-readable project folder with all files that determine the environment."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        root = Path(place, "project")
        root.mkdir()
        for name in (*TEST.locks, "pyproject.toml"):
            (root / name).write_text(f"# {name}\n", "utf-8")
        yield root


def make_environment(project: Path, stamp: Stamp | None, python: str = "exit 99") -> Environment:
    """Make an environment whose interpreter is the shell script `python`, which also records its calls in `said`."""
    here = Environment(project)
    here.python.parent.mkdir(parents=True)
    for file in (here.python, here.command):
        file.write_text(f'#!/bin/sh\necho "$@" >> "{here.folder}/said"\n{python}\n', "utf-8")
        file.chmod(0o755)
    if stamp is not None:
        here.stamp.write_text(json.dumps(vars(stamp)), "utf-8")
    return here


def calls_of(here: Environment) -> list[str]:
    """Return the calls of the stand-in interpreter, one per line."""
    file = here.folder / "said"
    return file.read_text("utf-8").splitlines() if file.exists() else []


class TestOldPython:
    def test_parses_bootstrap_script(self) -> None:
        ast.parse((ROOT / "tools" / "bootstrap.py").read_text("utf-8"), feature_version=(3, 6))

    def test_gets_required_version_with_instructions(self, tmp_path: Path) -> None:
        done = as_python_3_9(tmp_path)
        assert done.returncode == 1
        assert done.stderr == (
            "Python 3.11 or newer is needed and this one is 3.9: install it (Debian 12 and newer have it as python3) "
            "and start again, or name the one to use, for example `make play PYTHON=/opt/python3.12/bin/python3`.\n"
        )

    def test_hands_over_to_newer_python_on_path(self, script: Script) -> None:
        script("python3.13", "exit 127")  # a version manager's stand-in for a version that is not installed
        newer = script("python3.12", '[ "$1" = -c ] && echo 3 12 || echo "handed on: $2 $3 $4"')
        done = as_python_3_9(newer.parent)
        assert (done.returncode, done.stdout) == (0, "handed on: play --port 8099\n")

    def test_ignores_misleading_program_name(self, script: Script) -> None:
        assert bootstrap.version_of(str(script("python3.13", "echo 3 9"))) == (3, 9)
        assert bootstrap.version_of(str(script("python3.12", "echo no such version"))) is None
        assert bootstrap.version_of(str(script("python3.11", "true"))) is None
        assert bootstrap.new_enough({"python3.13": (3, 9), "python3.11": (3, 11)}.get) == "python3.11"
        assert bootstrap.version_of(sys.executable) == sys.version_info[:2]


def as_python_3_9(path: Path) -> subprocess.CompletedProcess[str]:
    """Run `make play` as an interpreter that reports version 3.9, with only `path` on the PATH."""
    pretend = (
        "import sys, runpy; sys.version_info = (3, 9, 2); sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-c", pretend, str(ROOT / "tools" / "bootstrap.py"), "play", "--port", "8099"]
    return subprocess.run(
        command, env={"PATH": f"{path}"}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


class TestExistingEnvironment:
    def test_ready_environment_is_unchanged(self, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
        here = make_environment(project, expected_stamp(project))
        assert prepare(project, PLAY).folder == here.folder
        assert prepare(project, TEST).folder == here.folder
        assert (capfd.readouterr().out, calls_of(here)) == ("", [])

    def test_is_ready_in_read_only_folder(self, project: Path) -> None:
        make_environment(project, expected_stamp(project))
        with read_only(project):
            prepare(project, PLAY)

    def test_is_updated_when_lock_file_changes(self, project: Path) -> None:
        here = make_environment(project, expected_stamp(project), "exit 0")
        (project / "requirements.lock").write_text("click==8.0\n", "utf-8")
        prepare(project, PLAY)
        packages, itself = calls_of(here)
        assert packages.endswith(f"install --only-binary=:all: -r {project}/requirements.lock")
        assert itself.endswith(f"install --quiet --no-deps --no-build-isolation --editable {project}")
        assert state_of(read_stamp(here), expected_stamp(project), PLAY)[0] == "ready"
        assert state_of(read_stamp(here), expected_stamp(project), TEST)[0] == "behind"

    def test_gets_test_packages_without_being_recreated(self, project: Path) -> None:
        stamp = expected_stamp(project)
        here = make_environment(project, Stamp(stamp.python, stamp.folder, {"play": stamp.layers["play"]}), "exit 0")
        prepare(project, TEST)
        assert " ".join(["--no-compile", *(f"-r {project}/{name}" for name in TEST.locks)]) in calls_of(here)[0]
        assert read_stamp(here) == stamp

    def test_survives_update_without_network(self, project: Path) -> None:
        no_network = 'while [ "$1" != --log ]; do shift; done; echo "NewConnectionError(...)" > "$2"; exit 1'
        before = Stamp(expected_stamp(project).python, str(project), {"play": "of an older lock file"})
        here = make_environment(project, before, no_network)
        with pytest.raises(
            ToolError, match="could not be downloaded: connect this machine to the internet and start again"
        ):
            prepare(project, PLAY)
        assert read_stamp(here) == before

    def test_is_rebuilt_after_interrupted_installation(self, project: Path) -> None:
        here = make_environment(project, Stamp(expected_stamp(project).python, str(project), {"play": "old"}), "exit 1")
        with pytest.raises(ToolError, match=r"pip could not install the packages: .*/\.venv/pip\.log says why"):
            prepare(project, PLAY)
        assert state_of(read_stamp(here), expected_stamp(project), PLAY) == ("unfit", "it was never finished")

    @pytest.mark.parametrize("text", ["", "{", "[]", '{"python": "3.11"}', '{"python": 3, "folder": 4, "layers": 5}'])
    def test_is_recreated_when_stamp_is_invalid(self, project: Path, text: str) -> None:
        here = make_environment(project, None)
        here.stamp.write_text(text, "utf-8")
        assert read_stamp(here) is None

    def test_is_recreated_when_python_is_gone(self, project: Path) -> None:
        here = make_environment(project, expected_stamp(project))
        here.python.unlink()
        here.python.symlink_to("/no/such/python3")
        assert read_stamp(here) is None

    def test_is_recreated_when_folder_moved(self, project: Path) -> None:
        make_environment(project, expected_stamp(project))
        moved = project.rename(project.with_name("moved"))
        verdict = state_of(read_stamp(Environment(moved)), expected_stamp(moved), PLAY)
        assert verdict == ("unfit", f"it was made in {project}")

    def test_is_recreated_for_another_python(self, project: Path) -> None:
        stamp = expected_stamp(project)
        verdict = state_of(Stamp("3.10", stamp.folder, stamp.layers), stamp, PLAY)
        assert verdict == ("unfit", "it was made with Python 3.10")

    def test_waits_for_another_make(self, project: Path) -> None:
        make_environment(project, Stamp(expected_stamp(project).python, str(project), {}), "exit 0")
        handle = os.open(project, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        second = subprocess.Popen(
            [sys.executable, "-c", PREPARE, str(project)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        with second:
            assert second.stdout is not None
            assert second.stdout.readline() == "Another make is preparing the environment: waiting for it.\n"
            os.close(handle)
            assert second.wait(60) == 0


PREPARE = "import sys, pathlib; from tools.environment import PLAY, prepare; prepare(pathlib.Path(sys.argv[1]), PLAY)"


class TestFolder:
    def test_read_only_folder_is_reported_with_remedy(self, project: Path) -> None:
        with read_only(project), pytest.raises(ToolError) as error:
            prepare(project, PLAY)
        assert str(error.value) == (
            f"No write access to {project}: put the project into a folder of your own and start again there, "
            f'or make this one yours with `sudo chown -R "$USER" "{project}"`.'
        )

    def test_missing_lock_file_is_reported(self, project: Path) -> None:
        (project / "requirements.lock").unlink()
        with pytest.raises(ToolError, match=r"requirements\.lock cannot be read .*: download the project again"):
            prepare(project, PLAY)

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
    def test_full_disk_is_reported(self, number: int) -> None:
        sentence = errors.from_os_error(OSError(number, "full"), Path("/srv/game"))
        assert sentence == "The disk that holds /srv/game is full: make room there and start again."

    def test_low_disk_space_is_reported_before_any_work(self) -> None:
        assert errors.too_little_room(Path("/srv/game"), 31, 200) == (
            "The environment needs about 200 MB and the disk that holds /srv/game has 31 MB left: "
            "make room there and start again."
        )


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make `folder` read-only within the block. Root, who can always write, becomes `NOBODY` meanwhile."""
    root = os.geteuid() == 0
    folder.chmod(0o555)
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


class TestPipLog:
    @pytest.mark.parametrize(
        ("log", "sentence"),
        [
            ("OSError: [Errno 28] No space left on device", "The disk that holds /srv/game is full"),
            ("[SSL] certificate is not yet valid", "is not valid at this machine's date: set the clock"),
            ("NameResolutionError(...)\nNo matching distribution found for click==8", "connect this machine"),
            ("(from versions: none)\nNo matching distribution found for lgpio", "no ready-made package of lgpio"),
            ("(from versions: 1.0)\nNo matching distribution found for numpy==2", "no ready-made package of numpy==2"),
            ("something new", "/srv/game/.venv/pip.log says why"),
        ],
    )
    def test_failure_is_reported_in_a_sentence(self, log: str, sentence: str) -> None:
        message = errors.from_pip(log, Path("/srv/game/.venv/pip.log"), Path("/srv/game"))
        assert sentence in message
        assert "\n" not in message


class TestMissingSystemPackages:
    def test_32_bit_system_is_named_before_anything_is_made(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            pi, "this_machine", lambda: pi.Computer("Raspberry Pi 3 Model B", "32-bit programs", (3, 11))
        )
        with pytest.raises(ToolError, match="This is a 32-bit system"):
            prepare(project, PLAY)
        assert not (project / ".venv").exists()

    def test_missing_venv_is_reported_with_exact_command(self, project: Path) -> None:
        (project / "sitecustomize.py").write_text(
            "import sys\nsys.modules['ensurepip'] = None\nsys.executable = '/usr/bin/python3'\n", "utf-8"
        )
        empty = project / "bin"
        empty.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", PREPARE, str(project)],
            env={"PATH": str(empty), "PYTHONPATH": f"{project}:{ROOT}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        assert (
            "/usr/bin/python3 cannot create environments because its module venv or ensurepip is missing: "
            f"install Debian's package python{version}-venv with this command and start again.\n"
            f"    sudo apt-get update && sudo apt-get install -y --no-install-recommends python{version}-venv\n"
        ) in done.stderr

    @pytest.mark.usefixtures("only_scripts")
    def test_user_without_rights_gets_the_command(self, monkeypatch: pytest.MonkeyPatch, script: Script) -> None:
        script("apt-get", "exit 99")
        script("sudo", "exit 1")  # sudo would ask for a password
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        with pytest.raises(ToolError) as error:
            system.need("chromium", "The browser test needs Chromium, which is not installed")
        assert str(error.value) == (
            "The browser test needs Chromium, which is not installed: "
            "install Debian's package chromium with this command and start again.\n"
            "    sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium"
        )

    @pytest.mark.usefixtures("only_scripts")
    @pytest.mark.parametrize(("user", "first"), [(0, "env"), (1000, "sudo")])
    def test_user_with_rights_gets_the_package_installed(
        self, monkeypatch: pytest.MonkeyPatch, script: Script, tmp_path: Path, user: int, first: str
    ) -> None:
        for name in ("apt-get", "env", "sudo"):
            script(name, f'echo "{name} $@" >> "{tmp_path}/said"')
        monkeypatch.setattr(os, "geteuid", lambda: user)
        system.need("chromium", "The browser test needs Chromium, which is not installed")
        lines = [line for line in (tmp_path / "said").read_text("utf-8").splitlines() if line != "sudo -n true"]
        assert [line.split()[0] for line in lines] == [first, first]
        assert lines[0].endswith(" update")
        assert lines[1].endswith(" install -y --no-install-recommends chromium")

    @pytest.mark.usefixtures("only_scripts")
    def test_only_one_package_is_installed_at_a_time(self, script: Script, tmp_path: Path) -> None:
        script("apt-get", "")
        script("env", f'PATH=/usr/bin:/bin; mkdir "{tmp_path}/busy" && rmdir "{tmp_path}/busy"')
        with ThreadPoolExecutor(8) as many:
            list(many.map(system.need, ["chromium"] * 8, ["It is missing"] * 8))

    @pytest.mark.usefixtures("only_scripts")
    def test_failed_installation_is_reported(self, script: Script) -> None:
        script("apt-get", "")
        script("env", "exit 100")
        with pytest.raises(ToolError, match=r"`env .*apt-get.* update` failed: install Debian's package chromium with"):
            system.need("chromium", "The browser test needs Chromium, which is not installed")

    def test_small_chromium_is_preferred_for_installation(self, script: Script, only_scripts: Path) -> None:
        installs = f"""case "$@" in
            *headless-shell) exit 100 ;;
            *chromium) {shutil.which("ln", path=os.defpath)} -s "{sys.executable}" "{only_scripts}/chromium" ;;
        esac"""
        for name, body in (("apt-get", ""), ("env", installs)):
            script(name, body)
        assert system.find_browser() is None
        system.need_browser()
        assert system.find_browser() == str(only_scripts / "chromium")

    def test_installed_small_chromium_is_preferred(self, script: Script, only_scripts: Path) -> None:
        for name in ("chromium", "chromium-headless-shell"):
            script(name, "exit 99")
            system.need_browser()
            assert system.find_browser() == str(only_scripts / name)


def imported_by(file: Path) -> list[str]:
    """Return the modules that a file imports anywhere."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            inside = node.module == "tools"
            names += [f"tools.{name.name}" for name in node.names] if inside else [node.module or ""]
        names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
    return names


@pytest.mark.parametrize(
    "room, flags, fits", [(4 << 30, 0, True), (64 << 20, 0, False), (4 << 30, os.ST_NOEXEC, False)]
)
def test_tests_use_memory_with_room_for_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, room: int, flags: int, fits: bool
) -> None:
    monkeypatch.setattr(system, "MEMORY", tmp_path)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=room >> 12, f_frsize=1 << 12, f_flag=flags))
    assert system.folder_in_memory() == (tmp_path if fits else None)
    monkeypatch.undo()
    monkeypatch.setattr(system, "MEMORY", tmp_path / "missing")
    assert system.folder_in_memory() is None


class TestMake:
    def test_offers_existing_targets(self) -> None:
        rule = re.search(r"^((?:\w+ )*\w+):$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert rule is not None
        assert set(rule[1].split()) == TARGETS.keys()

    def test_explains_each_target(self) -> None:
        done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert all(f"  {name} " in done.stdout for name in TARGETS)
        assert all(target.__doc__ for target in TARGETS.values())

    def test_reports_missing_python(self) -> None:
        done = subprocess.run(
            ["make", "-s", "setup", "PYTHON=python-of-nowhere"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert done.stderr.startswith("There is no python-of-nowhere here: install Python 3.11 or newer")

    def test_lists_targets_for_unknown_target(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert bootstrap.main(["paly"]) == 2
        assert capsys.readouterr().err.startswith("There is no target paly: choose one of play, test, setup")

    def test_needs_only_the_standard_library(self) -> None:
        waiting, seen = ["bootstrap"], set[str]()
        while waiting:
            module = waiting.pop()
            seen.add(module)
            names = imported_by(ROOT / "tools" / f"{module}.py")
            assert all(name.partition(".")[0] in {*sys.stdlib_module_names, "tools"} for name in names), module
            ours = {name.split(".")[1] for name in names if name.startswith("tools.")}
            waiting += [name for name in ours - seen if (ROOT / "tools" / f"{name}.py").exists()]
        assert {"bootstrap", "environment", "system"} <= seen


class TestKeepsRunning:
    """`make play` restarts a table that stopped by itself."""

    @staticmethod
    def run(folder: Path, codes: list[int], seconds: float) -> tuple[int, int]:
        """Return the exit code for a table that ends with these codes in turn, and how often it was started."""
        table = folder / "table.py"
        table.write_text(
            "import os, pathlib, signal\n"
            f"count = pathlib.Path({str(folder / 'count')!r})\n"
            "number = len(count.read_text()) if count.exists() else 0\n"
            "count.write_text('x' * (number + 1))\n"
            f"code = {codes!r}[number]\n"
            "os.kill(os.getpid(), -code) if code < 0 else os._exit(code)\n"
        )
        now = itertools.count(0.0, seconds)
        code = targets.keep_running([sys.executable, str(table)], lambda: next(now))
        return code, len((folder / "count").read_text())

    def test_after_hung_game(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(tmp_path, [-signal.SIGALRM, 70, 0], 1.0) == (0, 3)
        assert capsys.readouterr().err.count("It starts again; a game that hung is closed.") == 2

    def test_but_not_forever(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(tmp_path, [70] * 9, 1.0) == (70, 3)
        assert "Remove the game that was named last" in capsys.readouterr().err

    def test_without_limit_while_table_was_playable(self, tmp_path: Path) -> None:
        assert self.run(tmp_path, [70] * 6 + [0], 61.0) == (0, 7)

    @pytest.mark.parametrize("code", [0, 2, 4, 10])
    def test_and_exits_with_any_other_code(self, tmp_path: Path, code: int) -> None:
        assert self.run(tmp_path, [code], 1.0) == (code, 1)
