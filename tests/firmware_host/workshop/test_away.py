"""The doctor's findings for a portable table: where the games are, the network, the power button."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.workshop import checks
from firmware_host.workshop.checks import BAD, GOOD, ODD, Finding, read_mounts
from firmware_host.workshop.doctor import examine
from hardware import drivers
from tests.firmware_host.workshop.test_doctor import machine, put, settings
from tools import power

ROOT = Path(__file__).resolve().parents[3]
CARD = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
OVERLAY = "overlayroot / overlay rw,relatime,lowerdir=/media/root-ro 0 0\n"
GAMES = "/dev/mmcblk0p3 {state} ext4 rw,noatime 0 0\n"


def look(what: str, root: Path, **chosen: object) -> Finding | None:
    """Return the only finding of this kind, or None."""
    found = [
        one for one in examine(machine(root, superuser=True), settings(root / "state", **chosen)) if one.what == what
    ]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("lines", "state", "words"),
    [
        (CARD, None, ""),
        (OVERLAY + GAMES, GOOD, "the root is read-only, and the games are stored on /dev/mmcblk0p3 (ext4)"),
        ("/dev/mmcblk0p2 / ext4 ro 0 0\n" + GAMES, GOOD, "the root is read-only"),
        (OVERLAY, BAD, "every game is lost when the power goes"),
        (OVERLAY + GAMES + "overlay {state} overlay rw 0 0\n", BAD, "every game is lost"),
        (CARD + "tmpfs {state} tmpfs rw 0 0\n", BAD, "every game is lost"),
        ("/dev/mmcblk0p2 / ext4 ro 0 0\n", BAD, "no game can be saved"),
        (OVERLAY + GAMES.replace("noatime", "nobarrier"), ODD, "may lose what was just written (nobarrier)"),
        (CARD + "/dev/sda1 {state}/other tmpfs rw 0 0\n", None, ""),
        ("not a mount\n\n", None, ""),
    ],
)
def test_doctor_checks_where_games_are_stored(tmp_path: Path, lines: str, state: str | None, words: str) -> None:
    put(tmp_path, "etc/overlayroot.conf")
    put(tmp_path, "proc/self/mounts", lines.format(state=tmp_path / "state"))
    found = look("games", tmp_path)
    assert (found and found.state) == state
    assert words in (found.found if found else "")


NETWORKS = "/dev/mmcblk0p3 /etc/NetworkManager/system-connections ext4 rw,noatime 0 0\n"


@pytest.mark.parametrize(
    ("lines", "hotspot", "state"),
    [
        (CARD, True, None),
        (OVERLAY + GAMES, True, ODD),
        (OVERLAY + GAMES, False, None),
        (OVERLAY + GAMES + NETWORKS, True, GOOD),
        ("/dev/mmcblk0p2 / ext4 ro 0 0\n" + GAMES, True, ODD),
    ],
)
def test_doctor_checks_whether_wifi_is_remembered(tmp_path: Path, lines: str, hotspot: bool, state: str | None) -> None:
    put(tmp_path, "etc/overlayroot.conf")
    put(tmp_path, "proc/self/mounts", lines.format(state=tmp_path / "state"))
    found = look("Wi-Fi", tmp_path, hotspot=hotspot)
    assert (found and found.state) == state
    assert found is None or state == GOOD or "forgotten at the next start" in found.found


def test_travelling_guide_names_the_folders_that_doctor_checks() -> None:
    recipe = (ROOT / "docs/travelling.md").read_text("utf-8")
    for line in (
        "/srv/sniperboard/games /var/lib/private/sniperboard none bind",
        f"/srv/sniperboard/networks {checks.NETWORKS} none bind",
    ):
        assert line in recipe


def test_container_root_is_not_reported(tmp_path: Path) -> None:
    put(tmp_path, "proc/self/mounts", OVERLAY)
    assert look("games", tmp_path) is None
    put(tmp_path, "proc/self/mounts", f"{OVERLAY}tmpfs {tmp_path} tmpfs rw 0 0\n")
    found = look("games", tmp_path)
    assert found is not None and found.state == BAD


def test_mount_point_with_spaces_is_decoded() -> None:
    (found,) = read_mounts("/dev/sda1 /media/my\\040games ext4 rw 0 0\n")
    assert found.place == Path("/media/my games")


def test_doctor_checks_network_packages(tmp_path: Path) -> None:
    assert look("network", tmp_path) is None
    found = look("network", tmp_path, hotspot=True)
    assert found is not None and (found.state, "NetworkManager" in found.found) == (BAD, True)
    for path in ("usr/bin/nmcli", "usr/sbin/dnsmasq", "etc/polkit-1/rules.d/50-sniperboard.rules"):
        put(tmp_path, path)
    found = look("network", tmp_path, hotspot=True)
    assert found is not None and found.state == ODD
    found = look("network", tmp_path, hotspot=True, second_port=80)
    assert found is not None and found.state == GOOD


def test_no_driver_uses_power_button_pins_by_default() -> None:
    # Only GPIO 3 starts a Pi that is switched off, and only GPIO 2 and 3 are the I2C bus that every Pi has.
    for name in set(drivers.names()) - {"mcp23017"}:
        kind = drivers.find(name)
        pins = kind.pins({option.name: option.default for option in kind.options})
        assert not {power.BUTTON, power.LIGHT} & pins, name


@pytest.mark.parametrize(
    ("board", "lines", "state", "words"),
    [
        ("reed_matrix", "\n".join(power.LINES), GOOD, "GPIO 3, 2"),
        ("reed_matrix", "dtoverlay=gpio-shutdown,gpio_pin=5,active_low=1", BAD, "GPIO 5 (reed_matrix)"),
        ("reed_matrix", "dtoverlay=gpio-led,label=x", BAD, "GPIO 19 (reed_matrix)"),
        ("reed_matrix", "#dtoverlay=gpio-shutdown,gpio_pin=5", None, ""),
        ("mcp23017", "\n".join(power.LINES), BAD, "GPIO 3 (mcp23017)"),
    ],
)
def test_pin_conflict_of_power_button_is_reported(
    tmp_path: Path, board: str, lines: str, state: str | None, words: str
) -> None:
    put(tmp_path, "boot/firmware/config.txt", f"dtparam=spi=on\n{lines}\n")
    found = look("power button", tmp_path, board=board, lamps="none")
    assert (found and found.state) == state
    assert words in (found.found if found else "")
