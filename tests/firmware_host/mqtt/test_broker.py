"""A whole table at a real Mosquitto: what it publishes, which commands it follows, and what it does if the broker
vanishes.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

import games
from engine.text import Text
from firmware_host.admin import certificate, pin
from firmware_host.admin.access import MOST_KEYS
from firmware_host.app.commands.doctor import why_no_broker
from firmware_host.app.daemon import Daemon
from firmware_host.core.errors import UserError
from firmware_host.core.settings import Settings, settle
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.seats.lockout import FREE_TRIES
from tests.firmware_host.mqtt.broker import HOME, PASSWORD, USER, Broker, Ear
from tests.firmware_host.mqtt.test_connection import answering, granting
from tests.patience import PATIENCE, until
from web_panel.language import language

OWN = "sniperboard/den"
STATE, EVENT, COMMAND, ANSWER = (f"{OWN}/{name}" for name in ("state", "event", "command", "answer"))
PIN = "135790"
WRONG_PIN = Text("That is not the admin PIN.")
PHONE = Requester(address="192.168.1.7")


def settings(folder: Path, port: int, **more: Any) -> Settings:
    state = folder / "state"
    state.mkdir(0o700, exist_ok=True)
    return settle(
        {"state": str(state), "host": HOME, "port": 0, "mqtt_broker": HOME, "mqtt_port": port, "mqtt_table": "den"}
        | {"mqtt_name": "The den"}
        | more
    )


@contextmanager
def table(found: Settings) -> Iterator[Daemon]:
    """A table that is open."""
    daemon = Daemon(found, time.monotonic)
    try:
        daemon.start()
        yield daemon
    finally:
        daemon.stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    running = Broker(tmp_path / "broker")
    yield running
    running.close()


@pytest.fixture
def ear(broker: Broker) -> Iterator[Ear]:
    listening = Ear(broker.port)
    yield listening
    listening.close()


def play(daemon: Daemon) -> None:
    """Let bots play from now on."""
    interface = daemon._loop
    interface.call(lambda it: [it.seating.seat_bot(seat.name, bot_of(it, seat.name)) for seat in it.session.seats])
    interface.call(lambda it: setattr(it.players, "pause", 0.0))
    interface.call(lambda it: it.start({}))


def bot_of(it: Any, seat: str) -> str:
    name: str = it.snapshot.front["bots"][seat][0]["name"]
    return name


def state(daemon: Daemon) -> Any:
    assert daemon._mqtt is not None
    return daemon._mqtt.state


def test_every_game_is_published_in_the_language_of_the_table(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with table(settings(tmp_path, broker.port, language="pl")) as daemon:
        for name in games.names():
            daemon._loop.call(lambda it, name=name: it.choose({"game": name}))
            title = language("pl", "").say(Text(games.find(name).title))
            ear.last(STATE, lambda it, title=title: it["game"] == title)


def test_game_is_published_as_it_goes_and_so_is_end(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with table(settings(tmp_path, broker.port)) as daemon:
        first = ear.last(STATE)
        assert (first["name"], first["stage"], first["to_act"]) == ("The den", "lobby", [])
        assert first["url"] == f"{daemon.addresses[0]}table"
        assert ear.last(f"{OWN}/availability") == "online"
        play(daemon)
        later = ear.last(STATE, lambda it: it["stage"] != "lobby" and it["round"] > 2)
        assert later["game"] == games.find("sniper-elite").title
        ended = ear.last(EVENT, lambda it: it["event_type"] == "turn-ended")
        assert ended["sentence"]
        ear.last(f"{EVENT}/turn-ended")
        told = ear.all(EVENT)
        assert [one["number"] for one in told] == list(range(len(told)))
    assert ear.last(f"{OWN}/availability", lambda it: it == "offline")
    late = Ear(broker.port)
    late.last(STATE)
    assert all(retained for _, _, retained in late.heard)
    assert not late.all(EVENT)
    late.close()


def test_home_assistant_finds_every_entity_on_published_topics(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with table(settings(tmp_path, broker.port)):
        facts = ear.last(STATE)
        found = ear.last("homeassistant/event/sniperboard-den/happening/config")
        assert {"shot", "turn-ended", "killed"} <= set(found["event_types"])
        assert found["state_topic"] == EVENT
        assert found["default_entity_id"] == "event.sniperboard_den_happening"
        configs = [json.loads(said) for topic, said, _ in ear.heard if topic.startswith("homeassistant/sensor/")]
        assert {one["state_topic"] for one in configs} == {STATE}
        assert {one["availability_topic"] for one in configs} == {f"{OWN}/availability"}
        names = [one["unique_id"] for one in configs]
        assert len(names) == len(set(names))
        assert all(one["default_entity_id"].startswith("sensor.sniperboard_den_") for one in configs)
        assert all(name in facts for name in ("to_act", "round", "countdown", "game", "stage", "sentence"))


def test_broker_restarted_during_game_is_reported_and_gets_everything_again(
    tmp_path: Path, broker: Broker, ear: Ear
) -> None:
    with table(settings(tmp_path, broker.port)) as daemon:
        play(daemon)
        ear.last(STATE, lambda it: it["stage"] == "playing")
        until(lambda: state(daemon).connected)
        broker.kill()
        fault = until(lambda: state(daemon).fault)
        assert f"{HOME}:{broker.port}" in fault
        before = daemon._loop.call(lambda it: it.journal.commits)
        until(lambda: daemon._loop.call(lambda it: it.journal.commits > before or it.session.name == "over"))
        broker.start()
        until(lambda: state(daemon).connected)
        again = Ear(broker.port)
        assert again.last(STATE)["stage"] in ("playing", "over")
        assert again.last(f"{OWN}/availability") == "online"
        again.last("homeassistant/event/sniperboard-den/happening/config")
        again.close()
        assert state(daemon).fault is None


def test_admin_page_shows_connection_but_not_user(tmp_path: Path, broker: Broker) -> None:
    found = settings(tmp_path, broker.port, mqtt_user="ada")
    pin.write_pin(Path(found.state), PIN)
    with table(found) as daemon:
        until(lambda: state(daemon).connected)
        key = daemon.admin_access.sign_in(PIN, ANONYMOUS)
        where = f"{HOME}:{broker.port}"
        assert broker_facts(daemon, key) == {"where": where, "connected": True, "fault": None}
        broker.kill()
        fault = until(lambda: broker_facts(daemon, key)["fault"])
        assert where in fault
        asked = Request(f"{daemon.addresses[0]}api/house/report.txt", headers={"Cookie": f"sniperboard-house={key}"})
        report = urlopen(asked).read().decode()
        assert "mqtt_user = (set)" in report
        assert "ada" not in report


def broker_facts(daemon: Daemon, key: str) -> Any:
    """Return the broker facts of the admin page."""
    asked = Request(f"{daemon.addresses[0]}api/house", headers={"Cookie": f"sniperboard-house={key}"})
    return json.load(urlopen(asked))["broker"]


def test_broker_announces_that_table_died(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with table(settings(tmp_path, broker.port)) as daemon:
        ear.last(f"{OWN}/availability", lambda it: it == "online")
        line = daemon._mqtt and daemon._mqtt._connection
        assert line is not None
        line._client.socket().shutdown(2)
        ear.until(lambda heard: (f"{OWN}/availability", b"offline", False) in heard)
        ear.last(f"{OWN}/availability", lambda it: it == "online")  # reconnected by itself


def test_broker_with_password_and_certificate_can_be_used(tmp_path: Path) -> None:
    pem = certificate.ensure_file(tmp_path, [HOME, "localhost"])
    authority = tmp_path / "authority.pem"
    secret = tmp_path / "secret"
    secret.write_text(f"{PASSWORD}\n")
    authority.write_text(_authority(tmp_path))
    broker = Broker(tmp_path / "broker", password=True, tls=pem)
    right = {"mqtt_tls": True, "mqtt_ca": str(authority), "mqtt_user": USER, "mqtt_password": str(secret)}
    try:
        found = settings(tmp_path, broker.port, **right)
        with table(found) as daemon:
            ear = Ear(broker.port, user=USER, ca=authority)
            assert ear.last(STATE)["name"] == "The den"
            ear.close()
            assert why_no_broker(found) == ""
            report = "\n".join(daemon._logbook.lines)
            assert PASSWORD not in report
        wrong = tmp_path / "wrong"
        wrong.write_text("battery staple")
        assert "refuses the table" in why_no_broker(
            settings(tmp_path, broker.port, **(right | {"mqtt_password": str(wrong)}))
        )
        stranger = settings(tmp_path, broker.port, **(right | {"mqtt_ca": ""}))
        assert "cannot be trusted" in why_no_broker(stranger)
        assert why_no_broker(settings(tmp_path, broker.port))  # plain text to a TLS port
    finally:
        broker.close()


def _authority(folder: Path) -> str:
    return ssl.DER_cert_to_PEM_cert(certificate.authority_der(folder))


# --- commands ---------------------------------------------------------------------------------------------------


@contextmanager
def obeying(folder: Path, broker: Broker, **more: Any) -> Iterator[Daemon]:
    found = settings(folder, broker.port, mqtt_commands=True, **more)
    pin.write_pin(Path(found.state), PIN)
    with table(found) as daemon:
        # Before, the broker would pass no command on.
        until(lambda: COMMAND in broker.subscriptions("sniperboard-den"))
        yield daemon


def send_command(ear: Ear, name: str, **command: Any) -> Any:
    """Return the answer to a command."""
    ear.say(COMMAND, {"id": name, **command})
    return ear.last(ANSWER, lambda it: it["id"] == name)


def choice(daemon: Daemon, name: str) -> Any:
    return daemon._loop.call(lambda it: getattr(it.choices.settings, name))


def test_command_with_admin_pin_has_rights_of_admin_page(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with obeying(tmp_path, broker) as daemon:
        ear.last(STATE)
        wanted = {"do": "set", "choices": {"brightness": 0.25, "sound": False}}
        assert send_command(ear, "none", **wanted)["code"] == "not-understood"
        assert send_command(ear, "wrong", pin="246802", **wanted)["code"] == "wrong-pin"
        assert choice(daemon, "brightness") == 1.0
        assert daemon.admin_access.wrong_pins == 1
        assert send_command(ear, "right", pin=PIN, **wanted) == {"id": "right", "ok": True}
        assert (choice(daemon, "brightness"), choice(daemon, "sound")) == (0.25, False)
        play(daemon)
        assert send_command(ear, "pause", pin=PIN, do="pause")["ok"] or daemon._loop.call(
            lambda it: not it.session.running
        )
        assert send_command(ear, "away", pin=PIN, do="put-away")["ok"]
        ear.last(STATE, lambda it: it["stage"] == "lobby")
        assert (
            "set, pause, resume, start, put-away and shut-down"
            in send_command(ear, "odd", pin=PIN, do="fly")["sentence"]
        )
        assert send_command(ear, "end", pin=PIN, do="shut-down")["ok"]
        assert daemon.ended.wait(PATIENCE)
        assert PIN not in "\n".join(daemon._logbook.lines)
    assert all(PIN.encode() not in said for topic, said, _ in ear.heard if topic != COMMAND)


def test_wrong_pins_lock_out_right_one_too(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with obeying(tmp_path, broker) as daemon:
        codes = [send_command(ear, str(number), pin="246802", do="pause")["code"] for number in range(8)]
        assert codes[0] == "wrong-pin"
        assert codes[-1] == "locked"
        assert send_command(ear, "right", pin=PIN, do="pause")["code"] == "locked"
        assert daemon.admin_access.wrong_pins == codes.count("wrong-pin")


def test_wrong_pins_by_mqtt_and_on_page_are_counted_together(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with obeying(tmp_path, broker) as daemon:
        phone = Requester(address="192.168.1.7", admin_key=daemon.admin_access.sign_in(PIN, PHONE))
        for number in range(MOST_KEYS + 1):
            assert send_command(ear, f"right {number}", pin=PIN, do="set", choices={})["ok"]
        assert daemon.admin_access.is_valid(phone.admin_key)  # all commands together hold one key
        for number in range(FREE_TRIES - 1):
            assert send_command(ear, f"wrong {number}", pin="246802", do="pause")["code"] == "wrong-pin"
        with pytest.raises(UserError, match="not the admin PIN"):
            daemon.admin_access.sign_in("246802", PHONE)
        assert send_command(ear, "late", pin="246802", do="pause")["code"] == "locked"
        with pytest.raises(UserError, match="Too many wrong PINs"):
            daemon.admin_access.sign_in(PIN, PHONE)
        assert daemon.admin_access.sign_in(PIN, phone) == phone.admin_key  # a known device waits for no one


def test_answer_is_in_language_of_table(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    with obeying(tmp_path, broker, language="pl"):
        said = send_command(ear, "wrong", pin="246802", do="pause")["sentence"]
    assert said == language("pl").say(WRONG_PIN)
    assert said != str(WRONG_PIN)


def test_admin_page_reports_refused_subscription(tmp_path: Path) -> None:
    with (
        answering(granting(1, 1, 0x87)) as port,
        table(settings(tmp_path, port, mqtt_commands=True)) as daemon,
    ):
        fault = until(lambda: state(daemon).fault)
        assert f"does not let the table subscribe to {COMMAND} (Not authorized)" in fault
        assert state(daemon).connected


def test_retained_command_and_garbage_are_refused(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    ear.say(COMMAND, {"id": "old", "pin": PIN, "do": "shut-down"}, retain=True)
    with obeying(tmp_path, broker) as daemon:
        assert ear.last(ANSWER)["code"] == "stale"
        for garbage in (b"", b"{", b"[]", b"\xff\xfe", b"[" * 5000, b"1e999"):
            before = len(ear.all(ANSWER))
            ear.say(COMMAND, garbage)
            ear.until(lambda heard, before=before: len([it for it in heard if it[0] == ANSWER]) > before)
            assert ear.all(ANSWER)[-1]["code"] == "not-understood"
        assert not daemon.ended.is_set()


@pytest.mark.parametrize("commands", [True, False])
def test_table_subscribes_to_commands_only_with_setting(
    tmp_path: Path, broker: Broker, ear: Ear, commands: bool
) -> None:
    with table(settings(tmp_path, broker.port, mqtt_commands=commands)):
        ear.last(f"{OWN}/availability", lambda it: it == "online")  # published after all subscriptions were confirmed
        assert f"{OWN.partition('/')[0]}/+/state" in broker.subscriptions("sniperboard-den")
        assert (COMMAND in broker.subscriptions("sniperboard-den")) == commands


# --- a club -----------------------------------------------------------------------------------------------------


def test_page_of_any_table_shows_all_of_them(tmp_path: Path, broker: Broker, ear: Ear) -> None:
    (tmp_path / "attic").mkdir()
    here = settings(tmp_path, broker.port)
    there = settings(tmp_path / "attic", broker.port, mqtt_table="attic", mqtt_name="Attic")

    def club(daemon: Daemon) -> Any:
        return json.load(urlopen(f"{daemon.addresses[0]}api/club"))["tables"]

    with table(here) as daemon:
        with table(there):
            until(lambda: [one["name"] for one in club(daemon)] == ["Attic", "The den"])
            until(lambda: all(one["online"] for one in club(daemon)))
        until(lambda: [one["online"] for one in club(daemon)] == [False, True])
        ear.say("sniperboard/attic/state", b"x" * 200_000, retain=True)
        ear.say("sniperboard/evil/state", {"name": "x", "game": "y", "stage": "lobby", "url": "javascript:alert(1)"})
        evil = until(lambda: [one for one in club(daemon) if one["table"] == "evil"])
        assert evil[0]["url"] == ""
        assert state(daemon).connected
