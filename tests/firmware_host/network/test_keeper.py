"""The table's network: its own Wi-Fi if there is no other, joining a Wi-Fi, and every way in which joining fails."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from firmware_host.core.errors import UserError
from firmware_host.network.keeper import (
    AGAIN_SECONDS,
    LONELY_SECONDS,
    LOST_SECONDS,
    NetworkKeeper,
)
from firmware_host.network.machine import MachineOwner
from firmware_host.network.manager import HOTSPOT, JoinRequest, NetworkManager, Wifi, checked_join
from tests.firmware_host.network.world import PASSWORD, World, network

HOME = JoinRequest("My: Attic", PASSWORD)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "bin")


@pytest.fixture
def hotspot_keeper(world: World) -> NetworkKeeper:
    """A table that has opened its own Wi-Fi."""
    keeper = world.keeper()
    world.passes(keeper, LOST_SECONDS)
    assert (keeper.state.mode, world["active"]) == ("hotspot", HOTSPOT)
    return keeper


def test_hotspot_opens_after_a_while_without_network(world: World) -> None:
    keeper = world.keeper()
    world.passes(keeper, LOST_SECONDS - 1)
    assert (keeper.state.mode, world["active"]) == ("looking", "")
    world.passes(keeper, 1)
    assert (keeper.state.mode, keeper.state.hotspot) == ("hotspot", "sniperboard-1a2b")
    assert keeper.state.reach == (Wifi("My: Attic", 60, "password"),), "it scans before it opens"


def test_hotspot_stays_closed_with_network_and_closes_with_cable(world: World, hotspot_keeper: NetworkKeeper) -> None:
    world.change(cable=True)
    hotspot_keeper.check_network()
    assert (hotspot_keeper.state.mode, hotspot_keeper.state.network, world["active"]) == ("connected", "", "")
    world.passes(hotspot_keeper, 10 * LOST_SECONDS)
    assert world["active"] == ""


def test_requested_wifi_is_joined_and_its_old_profile_deleted(world: World, hotspot_keeper: NetworkKeeper) -> None:
    old = {"name": HOME.name, "ssid": HOME.name, "psk": "an old password", "key-mgmt": "wpa-psk"}
    world.change(profiles={**world["profiles"], "old": old})
    hotspot_keeper.join(HOME)
    hotspot_keeper.check_network()
    assert (hotspot_keeper.state.mode, hotspot_keeper.state.network, hotspot_keeper.state.last) == (
        "connected",
        HOME.name,
        hotspot_keeper.state.last,
    )
    assert hotspot_keeper.state.last is not None and hotspot_keeper.state.last.why is None
    assert world.joined == HOME.name
    assert [one["name"] for one in world["profiles"].values()] == ["sniperboard-1a2b", HOME.name]


@pytest.mark.parametrize(
    ("request_", "air", "words"),
    [
        (JoinRequest("My: Attic", "wrong password"), {}, "password of the Wi-Fi My: Attic is wrong"),
        (JoinRequest("Elsewhere", PASSWORD), {}, "out of range"),
        (HOME, {"silent": True}, "does not answer"),
        (HOME, {"dry": True}, "gives the table no address"),
    ],
)
def test_failed_join_is_reported_and_brings_hotspot_back(
    world: World, hotspot_keeper: NetworkKeeper, request_: JoinRequest, air: dict[str, bool], words: str
) -> None:
    world.change(air=[network("My: Attic", PASSWORD, **air)])
    hotspot_keeper.join(request_)
    hotspot_keeper.check_network()
    assert hotspot_keeper.state.last is not None and hotspot_keeper.state.last.why is not None
    assert words in hotspot_keeper.state.last.why
    assert (hotspot_keeper.state.mode, world["active"]) == ("hotspot", HOTSPOT)
    assert list(world["profiles"]) == [HOTSPOT]


def test_lost_network_brings_hotspot_back(world: World, hotspot_keeper: NetworkKeeper) -> None:
    hotspot_keeper.join(HOME)
    hotspot_keeper.check_network()
    world.change(active="", air=[])
    world.passes(hotspot_keeper, LOST_SECONDS)
    assert (hotspot_keeper.state.mode, world["active"]) == ("hotspot", HOTSPOT)


def test_late_router_is_joined_unless_hotspot_is_in_use(world: World, hotspot_keeper: NetworkKeeper) -> None:
    known = {"name": HOME.name, "ssid": HOME.name, "psk": PASSWORD, "key-mgmt": "wpa-psk"}
    world.change(profiles={**world["profiles"], "known": known})
    hotspot_keeper.note_visit("10.42.0.17")
    world.passes(hotspot_keeper, 2 * LONELY_SECONDS)
    assert hotspot_keeper.state.mode == "hotspot"

    again = world.keeper()  # after a restart, with the hotspot still open
    world.passes(again, LONELY_SECONDS)
    assert (again.state.mode, world.joined) == ("looking", HOME.name)
    again.check_network()
    assert (again.state.mode, again.state.network) == ("connected", HOME.name)


def test_unused_hotspot_reopens_if_no_known_wifi_is_found(world: World, hotspot_keeper: NetworkKeeper) -> None:
    world.passes(hotspot_keeper, 2 * LONELY_SECONDS)
    assert hotspot_keeper.state.mode == "hotspot"
    world.change(profiles={**world["profiles"], "far": {"name": "Far", "ssid": "Far"}})
    hotspot_keeper.check_network()
    assert (hotspot_keeper.state.mode, world["active"]) == ("looking", "")
    world.passes(hotspot_keeper, LOST_SECONDS)
    assert (hotspot_keeper.state.mode, world["active"]) == ("hotspot", HOTSPOT)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"radio": ""}, "has no Wi-Fi"),
        ({"radio": "unavailable"}, "its country is not set"),
        ({"running": False}, "NetworkManager is not running"),
        ({"forbidden": True}, "not allowed to change the network"),
        ({"profiles": {}}, "is not set up"),
    ],
)
def test_obstacle_is_reported_once_and_checked_again(
    world: World, facts: dict[str, object], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = {name: world[name] for name in facts}
    world.change(**facts)
    keeper = world.keeper()
    with caplog.at_level(logging.WARNING, "firmware_host"):
        world.passes(keeper, LOST_SECONDS)
        world.passes(keeper, 1)
    assert keeper.state.mode == "none"
    assert words in (keeper.state.fault or "")
    assert len(caplog.records) == 1
    world.change(**before)
    world.passes(keeper, LOST_SECONDS + AGAIN_SECONDS)
    assert (keeper.state.mode, keeper.state.fault) == ("hotspot", None)


def test_missing_networkmanager_is_reported(world: World, tmp_path: Path) -> None:
    keeper = NetworkKeeper(NetworkManager(str(tmp_path / "nowhere")), world.clock)
    keeper.check_network()
    assert "has no NetworkManager" in (keeper.state.fault or "")


def test_password_is_in_no_command_line_log_or_history(
    world: World,
    hotspot_keeper: NetworkKeeper,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with caplog.at_level(logging.DEBUG):
        for password in ("a wrong password", PASSWORD):
            hotspot_keeper.join(JoinRequest(HOME.name, password))
            hotspot_keeper.check_network()
    for password in (PASSWORD, "a wrong password"):
        assert password not in str(world["calls"])
        assert password not in caplog.text
        assert password not in repr(JoinRequest(HOME.name, password))
        assert password not in repr(hotspot_keeper.state)
    assert world["profiles"][world["active"]]["psk"] == PASSWORD
    assert not (tmp_path / ".nmcli-history").exists(), "the editor of nmcli stores what it is given"


def test_each_security_type_is_joined_properly_or_refused(world: World) -> None:
    world.change(
        cable=True,
        air=[
            network("open", signal=10),
            network("three", PASSWORD, "WPA3", 90),
            network("both", PASSWORD, "WPA2 WPA3", 80),
            network("both", PASSWORD, "WPA2 WPA3", 20),
            network("firm", PASSWORD, "WPA2 802.1X", 70),
            network("old", PASSWORD, "WEP", 50),
            network("shy", PASSWORD, "WPA2", 40, hidden=True),
        ],
    )
    keeper = world.keeper()
    keeper.check_network()
    assert keeper.state.reach == (
        Wifi("three", 90, "wpa3"),
        Wifi("both", 80, "password"),
        Wifi("firm", 70, "unsuited"),
        Wifi("old", 50, "unsuited"),
        Wifi("open", 10, "open"),
    )
    for request in (JoinRequest("three", PASSWORD), JoinRequest("both", PASSWORD), JoinRequest("open")):
        keeper.join(request)
        keeper.check_network()
        assert world.joined == request.name
    keeper.join(JoinRequest("shy", PASSWORD, hidden=True))
    keeper.check_network()
    assert world.joined == "shy"
    for request in (JoinRequest("firm", PASSWORD), JoinRequest("old", PASSWORD), JoinRequest("both")):
        with pytest.raises(UserError):
            keeper.join(request)


def test_second_join_request_is_refused(world: World, hotspot_keeper: NetworkKeeper) -> None:
    hotspot_keeper.join(HOME)
    with pytest.raises(UserError, match="is joining a Wi-Fi"):
        hotspot_keeper.join(HOME)


def test_guest_is_a_device_in_open_hotspot(world: World, hotspot_keeper: NetworkKeeper) -> None:
    assert hotspot_keeper.is_guest("10.42.0.17")
    for other in ("10.42.0.1", "192.168.1.7", "127.0.0.1", "10.42.1.17", "", "::1"):
        assert not hotspot_keeper.is_guest(other)
    assert not world.keeper().is_guest("10.42.0.17")


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("", ""),
        ("x" * 33, ""),
        ("ó" * 17, ""),
        ("a\nset x y", ""),
        ("\udcff", ""),
        ("a", "short"),
        ("a", "x" * 65),
        ("a", "hasło-długie"),
        ("a", "12345678\nsave"),
    ],
)
def test_invalid_wifi_name_or_password_is_refused(name: str, password: str) -> None:
    with pytest.raises(UserError):
        checked_join(name, password, False)


def test_spaces_around_password_are_kept(world: World, hotspot_keeper: NetworkKeeper) -> None:
    """The expected key is that of IEEE 802.11, annex J.4.1."""
    key = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    world.change(air=[network("IEEE", key)])
    hotspot_keeper.join(checked_join("IEEE", key, False))
    hotspot_keeper.check_network()
    assert world.joined == "IEEE"
    hotspot_keeper.join(checked_join("IEEE", "password ", False))
    hotspot_keeper.check_network()
    assert hotspot_keeper.state.last is not None and hotspot_keeper.state.last.why is not None
    added = next(words for words in reversed(world["calls"]) if "add" in words)
    assert "password" not in str(added)


@pytest.mark.parametrize(("said", "meant"), [("Table", "table"), (" attic-2.local ", "attic-2")])
def test_host_name_is_normalized(said: str, meant: str) -> None:
    owner = MachineOwner("true")
    owner.rename(said)
    assert owner.new_name == meant


@pytest.mark.parametrize("name", ["", "-a", "a-", "a.b", "stół", "a b", "x" * 64, "localhost", "a;reboot", "$(id)"])
def test_invalid_host_name_is_refused(name: str) -> None:
    with pytest.raises(UserError):
        MachineOwner("true").rename(name)


@pytest.mark.parametrize("code", ["", "pl", "POL", "P", "P1", "P\n"])
def test_invalid_country_is_refused(code: str) -> None:
    MachineOwner("true").set_country("PL")
    with pytest.raises(UserError):
        MachineOwner("true").set_country(code)


def test_names_with_colons_and_backslashes_are_read(world: World) -> None:
    names = ["My: Net\\x", "\\", "::", '"a:b"']
    world.change(air=[network(name) for name in names])
    assert [wifi.name for wifi in NetworkManager(str(world.program)).scan()] == names
