"""A prepared SD card: what `make card` writes to it, and what the first start does with that."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from configparser import ConfigParser
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from tools.card import IMAGE, OURS, PROJECT, ROOT, main
from tools.manual_hook import PAGES, PICTURES

CONFIG = "dtparam=audio=on\n"
COMMAND = "console=tty1 root=PARTUUID=1-02 rootwait quiet\n"


def fresh(folder: Path) -> Path:
    """Return the boot partition of Raspberry Pi OS with cloud-init, as freshly written."""
    boot = folder / "bootfs"
    boot.mkdir()
    (boot / "config.txt").write_text(CONFIG)
    (boot / "cmdline.txt").write_text(COMMAND)
    (boot / "user-data").write_text("#cloud-config\n")
    return boot


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh card, to which a few files of the project are written: packing all of them takes a second."""
    monkeypatch.setattr("tools.card.PROJECT", ("systemd",))
    return fresh(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card with the whole project."""
    card = fresh(tmp_path_factory.mktemp("card"))
    write(card, "--board", "simulated")
    return card


def write(card: Path, *options: str) -> None:
    assert main([str(card), "--online", "--", *options]) == 0


def test_card_gets_project_and_first_start_but_no_local_data(whole: Path) -> None:
    with tarfile.open(whole / "sniperboard/project.tar.gz") as packed:
        names = packed.getnames()
        assert {entry.uname for entry in packed.getmembers()} == {"root"}
    assert set(PROJECT) <= set(names)
    assert {"tools/bootstrap.py", "systemd/sniperboard.service", "firmware_host/app/cli.py"} <= set(names)
    assert [name for name in names if "__pycache__" in name or "/." in name or name.startswith("tests")] == []
    manual = {path.relative_to(ROOT).as_posix() for what in (*PAGES, *PICTURES) for path in ROOT.glob(what)}
    assert manual
    assert manual - {*names} == set()
    assert (whole / "sniperboard/options").read_text() == "--board simulated\n"
    assert (whole / "cmdline.txt").read_text() == COMMAND, "cloud-init must be the only start script"


def test_table_starts_from_what_is_on_card(whole: Path) -> None:
    source, built, program = (whole.parent / name for name in ("source", "built", "program"))
    source.mkdir()
    subprocess.run(["tar", "-xzf", str(whole / "sniperboard/project.tar.gz"), "-C", str(source)], check=True)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(build, cwd=source, check=True)
    (wheel,) = built.iterdir()
    with ZipFile(wheel) as files:
        files.extractall(program)
    # -S keeps this project out of the way.
    paths = os.pathsep.join((str(program), sysconfig.get_path("purelib")))
    command = [sys.executable, "-S", "-m", "firmware_host", "config"]
    subprocess.run(command, cwd=whole, env={**os.environ, "PYTHONPATH": paths}, check=True, stdout=subprocess.DEVNULL)


def test_edits_on_card_are_kept(card: Path) -> None:
    write(card)
    mine = (card / "user-data").read_text("utf-8").replace("hostname: sniperboard", "hostname: attic")
    (card / "user-data").write_text(mine, "utf-8")
    write(card)
    assert (card / "user-data").read_text("utf-8") == mine


def test_without_cloud_init_kernel_command_line_runs_script_once(card: Path) -> None:
    (card / "user-data").unlink()
    for _ in range(2):
        write(card)
    line = (card / "cmdline.txt").read_text()
    assert line.startswith(COMMAND.strip()) and line.count("\n") == 1
    assert line.count("systemd.run=/boot/firmware/firstrun.sh") == 1
    assert (card / "firstrun.sh").exists() and not (card / "user-data").exists()


def test_other_folder_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--online"]) == 1
    assert "not the boot partition of Raspberry Pi OS" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_cloud_init_settings_are_parsed_as_intended() -> None:
    text = (IMAGE / "user-data").read_text("utf-8")
    assert text.startswith("#cloud-config\n")
    meant = yaml.safe_load(text)
    (secret,) = meant["write_files"]
    assert (secret["permissions"], secret["content"]) == ("0600", "make-one-up")
    assert f"secret=${{SNIPERBOARD_SECRET:-{secret['path']}}}" in (IMAGE / "first-start.sh").read_text("utf-8")
    assert meant["runcmd"][-1] == ["systemctl", "enable", "--now", "sniperboard-first-start.service"]
    assert meant["runcmd"][-2][1] == f"/boot/firmware/{OURS}/first-start.service"
    assert f"/boot/firmware/{OURS}/first-start.sh" in (IMAGE / "first-start.service").read_text("utf-8")
    assert not meant["ssh_pwauth"] and meant["users"][0]["lock_passwd"]
    assert sum(line.strip().startswith(("# 1.", "# 2.", "# 3.")) for line in text.splitlines()) == 3
    assert yaml.safe_load((IMAGE / "network-config").read_text("utf-8"))["network"]["version"] == 2


@pytest.mark.skipif(shutil.which("cloud-init") is None, reason="this machine has no cloud-init (Debian's package)")
def test_cloud_init_accepts_the_settings() -> None:
    done = subprocess.run(
        ["cloud-init", "schema", "--config-file", IMAGE / "user-data"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


# --- the scripts ------------------------------------------------------------------------------------------------


class FirstStart:
    """A first start from `card`. Stand-ins for the programs it calls record how they were called."""

    def __init__(self, card: Path, password: str) -> None:
        self.card, self.folder = card, card.parent
        self.secret = self.folder / "secret"
        self.secret.write_text(password)
        for name, code in (
            ("python3", "exit $(cat {0}/code 2>/dev/null || echo 0)"),
            ("systemctl", ""),
            ("raspi-config", ""),
        ):
            tool = self.folder / "bin" / name
            tool.parent.mkdir(exist_ok=True)
            said = f'echo "{name} $@ $PIP_NO_INDEX" >> {self.folder}/called'
            tool.write_text(f"#!/bin/sh\n{said}\n{code.format(self.folder)}\n")
            tool.chmod(0o755)

    def run(self, script: str) -> int:
        environment = {
            "PATH": f"{self.folder}/bin:/usr/bin:/bin",
            "SNIPERBOARD_CARD": str(self.card / "sniperboard"),
            "SNIPERBOARD_SOURCE": str(self.folder / "source"),
            "SNIPERBOARD_SECRET": str(self.secret),
            "SNIPERBOARD_BOOT": str(self.card),
            "SNIPERBOARD_ETC": str(self.folder / "etc"),
        }
        return subprocess.run(["sh", script], env=environment, capture_output=True).returncode

    @property
    def called(self) -> str:
        return (self.folder / "called").read_text()

    @property
    def log(self) -> str:
        return (self.card / "sniperboard/first-start.log").read_text()


@pytest.mark.parametrize(("password", "given"), [("my-own-word", True), ("make-one-up", False)])
def test_first_start_installs_with_chosen_options(card: Path, password: str, given: bool) -> None:
    write(card, "--power-button")
    (card / "sniperboard/wheels").mkdir()
    start = FirstStart(card, password)
    assert start.run(str(card / "sniperboard/first-start.sh")) == 0
    install = start.called.splitlines()[0]
    assert install.startswith(f"python3 {start.folder}/source/tools/bootstrap.py install --hotspot")
    assert (f"--hotspot-password {start.secret}" in install) == given
    assert install.endswith("--power-button 1"), "the packages on the card are enough"
    assert password not in install
    assert "The table is installed." in start.log
    assert not start.secret.exists()


def test_extra_is_fetched_from_the_network(card: Path) -> None:
    write(card, "--with", "gpio")
    (card / "sniperboard/wheels").mkdir()
    start = FirstStart(card, "my-own-word")
    assert start.run(str(card / "sniperboard/first-start.sh")) == 0
    assert start.called.splitlines()[0].endswith("--with gpio "), "the index may be used"


@pytest.mark.parametrize("broken", ["project", "install"])
def test_failed_first_start_is_reported_on_card_and_retried(card: Path, broken: str) -> None:
    write(card)
    start = FirstStart(card, "my-own-word")
    if broken == "project":
        (card / "sniperboard/project.tar.gz").write_bytes(b"half")
    else:
        (start.folder / "code").write_text("1")
    assert start.run(str(card / "sniperboard/first-start.sh")) == 1
    assert "could not be installed" in start.log
    assert start.secret.exists()
    if broken == "project":
        shutil.copyfile(card / "sniperboard/first-start.sh", card / "again.sh")
        write(card)
    else:
        (start.folder / "code").unlink()
    assert start.run(str(card / "sniperboard/first-start.sh")) == 0


def test_first_start_waits_for_network_and_is_tried_again() -> None:
    unit = ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read(IMAGE / "first-start.service", "utf-8")
    assert "network-online.target" in unit["Unit"]["Wants"].split(), "without it, nothing waits for a network"
    assert "network-online.target" in unit["Unit"]["After"].split()
    service = unit["Service"]
    assert (service["Type"], service["Restart"], service["RestartSec"]) == ("oneshot", "on-failure", "1min")
    limit = unit["Unit"]["StartLimitBurst"], unit["Unit"]["StartLimitIntervalSec"]
    assert limit == ("10", "1h"), "the log says so"
    assert "after a minute, ten times in all" in (IMAGE / "first-start.sh").read_text("utf-8")


def test_debian_12_script_runs_once_and_leaves_no_password(card: Path) -> None:
    (card / "user-data").unlink()
    write(card)
    script = card / "firstrun.sh"
    script.write_text(script.read_text("utf-8").replace("PASSWORD=make-one-up", "PASSWORD=my-own-word"), "utf-8")
    start = FirstStart(card, "")
    (start.folder / "etc/systemd/system").mkdir(parents=True)
    assert start.run(str(script)) == 0
    assert "raspi-config nonint do_wifi_country PL" in start.called
    assert "systemctl enable sniperboard-first-start.service" in start.called
    unit = start.folder / "etc/systemd/system/sniperboard-first-start.service"
    assert unit.read_bytes() == (IMAGE / "first-start.service").read_bytes()
    secret = start.folder / "etc/sniperboard/hotspot-password"
    assert secret.read_text() == "my-own-word\n" and secret.stat().st_mode & 0o077 == 0
    assert not script.exists()
    assert (card / "cmdline.txt").read_text() == COMMAND
