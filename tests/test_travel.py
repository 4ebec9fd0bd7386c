"""What an installation sets up for starts without a screen and away from home, and what that is allowed to do."""

from __future__ import annotations

import json
import re
import stat
import subprocess
from pathlib import Path

import playwright
import pytest

from firmware_host.network.keeper import ADDRESS
from firmware_host.network.machine import UNIT
from firmware_host.network.manager import HOTSPOT
from tools import network, power, system
from tools.errors import ToolError
from tools.install import InstallPaths as Places
from tools.install import Travel, install_steps, uninstall_steps
from tools.network import label_text, random_password, ssid

ROOT = Path(__file__).resolve().parent.parent
SYSTEMD = ROOT / "systemd"
NODE = Path(playwright.__file__).parent / "driver" / "node"


def run_steps(folder: Path, password: str | None = None) -> None:
    for step in network.install_steps(ROOT, folder, password):
        if not step.is_so():
            step.do()
        assert step.is_so(), step.what


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    run_steps(tmp_path)
    return tmp_path


def test_password_is_generated_once_stored_for_root_and_shown(installed: Path) -> None:
    profile = network.Places(installed).profile
    assert stat.S_IMODE(profile.stat().st_mode) == 0o600
    before = profile.read_text("utf-8")
    password = re.search(r"^psk=(.*)$", before, re.MULTILINE)
    assert password is not None and network.PASSWORD.fullmatch(password[1])
    assert password[1] in label_text(installed) and ssid(installed) in label_text(installed)
    assert "SSID" not in before and "PASSWORD" not in before
    run_steps(installed)
    assert profile.read_text("utf-8") == before
    assert len({random_password() for _ in range(50)}) == 50


def test_profile_and_host_names_match_the_table_settings(installed: Path) -> None:
    places = network.Places(installed)
    profile = places.profile.read_text("utf-8")
    assert f"uuid={HOTSPOT}\n" in profile and f"address1={ADDRESS}/24\n" in profile and "autoconnect=false\n" in profile
    assert f"address=/#/{ADDRESS}\n" in places.names.read_text("utf-8")
    assert places.unit.name == UNIT.format(change="")
    assert str(places.script) in places.unit.read_text("utf-8")
    assert places.script.stat().st_mode & 0o111


@pytest.mark.parametrize("password", ["short", "with a blank", "x" * 64, "żółte-hasło"])
def test_invalid_password_is_rejected_before_any_change(tmp_path: Path, password: str) -> None:
    with pytest.raises(ToolError, match="8 to 63"):
        run_steps(tmp_path, password)
    assert list(tmp_path.iterdir()) == []


def test_own_password_is_written_to_the_profile(tmp_path: Path) -> None:
    run_steps(tmp_path, "back\\slash:1")
    assert "\npsk=back\\\\slash:1\n" in network.Places(tmp_path).profile.read_text("utf-8")


def test_uninstalling_removes_everything(installed: Path) -> None:
    for step in uninstall_steps(Places(installed)):
        if not step.is_so():
            step.do()
    assert [path for path in installed.rglob("*") if path.is_file()] == [installed / "etc/machine-id"]


def test_parts_are_optional(tmp_path: Path) -> None:
    def what(travel: Travel | None) -> str:
        return " ".join(step.what for step in install_steps(ROOT, Places(tmp_path), "simulated", 8000, travel=travel))

    assert "polkit" not in what(None)
    assert "polkit" in what(Travel(hotspot=True))
    with pytest.raises(ToolError, match=r"no config\.txt"):
        what(Travel(button=True))


# --- the rights -------------------------------------------------------------------------------------------------

NETWORK = "org.freedesktop.NetworkManager."
UNITS = "org.freedesktop.systemd1.manage-units"
ASKED = [
    ("sniperboard", NETWORK + "network-control", {}, "yes"),
    ("sniperboard", NETWORK + "settings.modify.system", {}, "yes"),
    ("sniperboard", NETWORK + "wifi.share.protected", {}, "yes"),
    ("sniperboard", NETWORK + "wifi.share.open", {}, None),
    ("sniperboard", NETWORK + "settings.modify.global-dns", {}, None),
    ("sniperboard", UNITS, {"unit": "sniperboard-machine@name-attic-2.service", "verb": "start"}, "yes"),
    ("sniperboard", UNITS, {"unit": "sniperboard-machine@country-PL.service", "verb": "start"}, "yes"),
    ("sniperboard", UNITS, {"unit": "sniperboard-machine@country-PL.service", "verb": "stop"}, None),
    ("sniperboard", UNITS, {"unit": "sniperboard-machine@name-a b.service", "verb": "start"}, None),
    ("sniperboard", UNITS, {"unit": "sniperboard-machine@name-a.service.x.service", "verb": "start"}, None),
    ("sniperboard", UNITS, {"unit": "ssh.service", "verb": "start"}, None),
    ("sniperboard", "org.freedesktop.login1.power-off", {}, None),
    ("other", NETWORK + "network-control", {}, None),
    ("other", UNITS, {"unit": "sniperboard-machine@country-PL.service", "verb": "start"}, None),
]
SHIM = """
let rule;
const polkit = { Result: { YES: "yes", NOT_HANDLED: null }, addRule: (it) => { rule = it; } };
%s
const asked = %s;
const answer = ([user, id, details]) => rule({ id, lookup: (name) => details[name] }, { user });
console.log(JSON.stringify(asked.map(answer)));
"""


def test_only_the_tables_user_gets_the_rights_it_needs() -> None:
    rules = (SYSTEMD / "50-sniperboard.rules").read_text("utf-8")
    done = subprocess.run([NODE, "-e", SHIM % (rules, json.dumps(ASKED))], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [answer for *_, answer in ASKED]


@pytest.fixture
def machine_script(tmp_path: Path) -> Path:
    """The script, with stand-ins that record how they were called."""
    for name in ("hostnamectl", "systemctl", "raspi-config"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(f'#!/bin/sh\necho "{name} $@" >> {tmp_path}/called\n')
        tool.chmod(0o755)
    (tmp_path / "hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n::1 localhost\n")
    return tmp_path


def run(folder: Path, *words: str) -> int:
    environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "MACHINE_HOSTS": str(folder / "hosts")}
    return subprocess.run(["sh", SYSTEMD / "machine-wish", *words], env=environment, capture_output=True).returncode


def test_machine_gets_its_name_and_country(machine_script: Path) -> None:
    assert run(machine_script, "name-attic-2") == run(machine_script, "country-PL") == 0
    assert (machine_script / "called").read_text().splitlines() == [
        "hostnamectl set-hostname attic-2",
        "systemctl try-restart avahi-daemon.service",
        "raspi-config nonint do_wifi_country PL",
    ]
    assert (machine_script / "hosts").read_text() == "127.0.0.1\tlocalhost\n127.0.1.1\tattic-2\n::1 localhost\n"


@pytest.mark.parametrize(
    "words", [(), ("name-",), ("name-A",), ("name--a",), ("name-a;id",), ("name-$(id)",), ("name-" + "a" * 64,),
              ("name-a\n",), ("country-pl",), ("country-POL",), ("reboot",), ("name-a", "b")]
)  # fmt: skip
def test_root_does_nothing_else_for_the_table(machine_script: Path, words: tuple[str, ...]) -> None:
    before = (machine_script / "hosts").read_text()
    assert run(machine_script, *words) == 2
    assert not (machine_script / "called").exists()
    assert (machine_script / "hosts").read_text() == before


def test_service_waits_for_no_network_and_may_use_port_80() -> None:
    unit = (SYSTEMD / "sniperboard.service").read_text("utf-8")
    assert "network-online" not in unit
    assert "\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n" in unit
    assert "\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n" in unit


# --- the power button, and a read-only root --------------------------------------------------------------------------


def test_power_button_is_added_once_and_removed_again(tmp_path: Path) -> None:
    config = tmp_path / "boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    before = "dtparam=audio=on\n[pi4]\narm_boost=1\n"
    config.write_text(before)
    for _ in range(2):
        step = power.install_step(tmp_path)
        if not step.is_so():
            step.do()
    text = config.read_text()
    assert text.startswith(before)
    assert text.count("gpio-shutdown") == text.count("gpio-led") == 1
    assert text.index("[all]") < text.index("gpio-shutdown"), "the previous section may apply to only one model"
    config.write_text(text + "dtparam=watchdog=on\n")
    (step,) = power.uninstall_steps(tmp_path)
    step.do()
    assert step.is_so()
    assert config.read_text() == before + "dtparam=watchdog=on\n"
    assert power.uninstall_steps(tmp_path) == []


def test_nothing_is_installed_into_a_memory_overlay(tmp_path: Path) -> None:
    mounts, config = tmp_path / "mounts", tmp_path / "overlayroot.conf"
    mounts.write_text("overlayroot / overlay rw 0 0\n")
    system.check_root(mounts, config)
    config.touch()
    with pytest.raises(ToolError, match="lost at the next start"):
        system.check_root(mounts, config)
    mounts.write_text("/dev/mmcblk0p2 / ext4 rw 0 0\n")
    system.check_root(mounts, config)
