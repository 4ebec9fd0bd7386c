"""The facts published of a picture, the news in it, and what is read of other tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import games
from firmware_host.core.mqtt_checks import mqtt_faults
from firmware_host.core.settings import ConfigError, settle
from firmware_host.mqtt.club import MOST_TABLES, Club
from firmware_host.mqtt.facts import PublicLog, TableFacts, discovery, table_facts
from firmware_host.mqtt.messages import Topics
from firmware_host.mqtt.options import LONGEST_PASSWORD, mqtt_options
from firmware_host.table.interruption import ReplayStep
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import latest

FACTS = TableFacts("Den", "Chess", "lobby", url="http://den:8000/table")


def picture(evening: Evening) -> dict[str, Any]:
    """Return the public picture."""
    evening.table.publish()
    found: dict[str, Any] = json.loads(latest(evening.table.followers, "table")[1])
    return found


def test_facts_of_table_are_public_and_name_no_one(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start()
    facts = table_facts(picture(evening), "Den", "http://den:8000/table")
    assert (facts.stage, facts.to_act, facts.round, facts.paused) == ("playing", ["sniper"], 1, False)
    assert facts.countdown is not None
    assert facts.board_says
    evening.table.session.pause(True, "Ada's phone")
    said = msgspec.json.encode(table_facts(picture(evening), "Den", ""), enc_hook=str)
    assert b'"paused":true' in said
    assert b"Ada" not in said
    evening.table.close()


def test_facts_describe_current_game_during_replay(tmp_path: Path) -> None:
    evening, past = Evening(tmp_path), games.find("stalingrad")
    before = table_facts(picture(evening), "Den", "")
    evening.table.session.replay(ReplayStep(past, "", "", past.title, (), {"game": 1, "step": 1}))
    shown = picture(evening)
    assert shown["game"] == past.name
    facts = table_facts(shown, "Den", "")
    assert (facts.game, facts.stage) == (before.game, "lobby")
    assert facts.game != past.title
    evening.table.close()


def line(number: int, sentence: str) -> dict[str, Any]:
    return {"n": number, "type": "moved", "sentence": sentence, "public": True}


def shown(*sentences: str, promise: str = "one", begin: int = 0, seal: str = "") -> dict[str, Any]:
    log = [line(number, sentence) for number, sentence in enumerate(sentences, begin)]
    sealed = {"promise": promise, "seal": seal}
    return {"sealed": sealed, "log": log, "game": "sniper-elite", "replay": None}


def test_each_event_is_news_once() -> None:
    log = PublicLog()

    def news(seen: dict[str, Any]) -> list[str]:
        return [one.sentence for one in log.news(seen)]

    assert news({"sealed": None, "log": [], "game": "sniper-elite", "replay": None}) == []
    assert news(shown("a", "b")) == ["a", "b"]
    assert news(shown("a", "b", seal="later")) == []
    assert news(shown("a")) == []
    assert news(shown("a", "c")) == ["c"]
    assert news(shown("a", "d", "e")) == ["d", "e"]
    assert news(shown("e", "f", begin=2)) == ["f"]
    assert news(shown("a", promise="two")) == ["a"]


@pytest.mark.parametrize("kind", ["all/#", "one+", "no\0thing", "\ud800", "x" * 70_000])
def test_kind_of_event_becomes_one_part_of_a_topic(kind: str) -> None:
    [news] = PublicLog().news(shown("a") | {"log": [line(0, "a") | {"type": kind}]})
    assert re.fullmatch(r"p/den/event/[a-z_]{1,40}", f"{Topics('p', 'den').event}/{news.event_type}")


def test_club_keeps_only_valid_messages() -> None:
    club = Club()
    good = msgspec.json.encode(FACTS)
    for payload in (b"", b"{", b"[]", b"{}", b"\xff", good[:-1], b"x" * 100_000, good.replace(b"lobby", b"heaven")):
        club.receive("den", "state", payload)
    club.receive("den", "availability", b"online")
    assert club.tables() == []
    club.receive("den", "state", good)
    assert club.tables() == [{"table": "den", "online": True, **msgspec.to_builtins(FACTS)}]
    for url in ("javascript:alert(1)", "//den", "http://a b"):
        club.receive("den", "state", msgspec.json.encode(msgspec.structs.replace(FACTS, url=url)))
        assert club.tables()[0]["url"] == ""
    for name in ("", "a/b", "#", "x" * 41):
        club.receive(name, "state", good)
    assert len(club.tables()) == 1
    for number in range(2 * MOST_TABLES):
        club.receive(f"t{number}", "state", good)
    assert len(club.tables()) == MOST_TABLES
    club.receive("den", "availability", b"offline")
    club.receive("den", "state", b"")
    assert "den" not in {one["table"] for one in club.tables()}
    club.forget()
    assert club.tables() == []


def test_home_assistant_gets_nothing_without_prefix() -> None:
    assert [*discovery("", Topics("sniperboard", "den"), "Den")] == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("mqtt_broker", "mqtt://den", "mqtt_broker: 'mqtt://den' is not a host"),
        ("mqtt_broker", "homeassistant..local", "Each part between dots has 1 to 63 letters"),
        ("mqtt_broker", ".local", "Each part between dots has 1 to 63 letters"),
        ("mqtt_broker", f"{'a' * 64}.local", "Each part between dots has 1 to 63 letters"),
        ("mqtt_prefix", "a/#", "mqtt_prefix: 'a/#' is not a topic prefix"),
        ("mqtt_prefix", "", "mqtt_prefix: the prefix is empty"),
        ("mqtt_discovery", "/x", "mqtt_discovery: '/x' is not a topic prefix"),
        ("mqtt_table", "a/b", "mqtt_table: 'a/b' is not an ID"),
        ("mqtt_name", "n" * 81, "mqtt_name: the name is too long"),
        ("mqtt_ca", "ca.pem", "mqtt_ca: a certificate needs TLS"),
        ("mqtt_password", "secret", "mqtt_password: a password needs a user"),
        ("mqtt_port", 70000, "mqtt_port: 70000 is not between"),
    ],
)
def test_invalid_setting_is_reported(name: str, value: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace("(", "\\(")):
        settle({"mqtt_broker": "den"} | {name: value})


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (None, {"mqtt_user": "u", "mqtt_password": "file"}, "cannot be read"),
        (b"", {"mqtt_user": "u", "mqtt_password": "file"}, "is empty"),
        (
            b"\xff\xfe",
            {"mqtt_user": "u", "mqtt_password": "file"},
            "is not text in UTF-8, but UTF-16: save it as UTF-8",
        ),
        (
            b"x" * (LONGEST_PASSWORD + 1),
            {"mqtt_user": "u", "mqtt_password": "file"},
            "has a first line of more than 1024 characters",
        ),
        (None, {"mqtt_tls": True, "mqtt_ca": "file"}, "cannot be read"),
        (b"rubbish", {"mqtt_tls": True, "mqtt_ca": "file"}, "contains no certificate"),
    ],
)
def test_unusable_file_is_reported(tmp_path: Path, content: bytes | None, more: dict[str, Any], words: str) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    named = {key: str(path) if value == "file" else value for key, value in more.items()}
    with pytest.raises(ConfigError, match=words):
        mqtt_options(settle({"mqtt_broker": "den"} | named))


def test_other_settings_are_ignored_without_broker() -> None:
    assert mqtt_options(settle({"mqtt_prefix": "#"})) is None
    assert [*mqtt_faults({"mqtt_broker": ""})] == []


@pytest.mark.parametrize(
    ("content", "password"),
    [
        (b"x" * LONGEST_PASSWORD + b"\r\n", "x" * LONGEST_PASSWORD),
        ("open sesame".encode("utf-8-sig"), "open sesame"),
    ],
)
def test_password_is_first_line_of_file(tmp_path: Path, content: bytes, password: str) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content)
    options = mqtt_options(settle({"mqtt_broker": "den", "mqtt_user": "u", "mqtt_password": str(path)}))
    assert options is not None
    assert options.password == password


def test_password_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("open sesame\nand more")
    options = mqtt_options(settle({"mqtt_broker": "den", "mqtt_user": "u", "mqtt_password": str(path)}))
    assert options is not None
    assert options.password == "open sesame"
    assert "sesame" not in repr(options)
    assert (options.port, options.where) == (1883, "den:1883")


@pytest.mark.parametrize("secret", ["open sesame", 13572468])
def test_password_in_place_of_its_file_is_not_repeated(secret: object) -> None:
    with pytest.raises(ConfigError) as caught:
        mqtt_options(settle({"mqtt_broker": "den", "mqtt_user": "u", "mqtt_password": secret}))
    assert str(secret) not in str(caught.value)


def test_table_without_broker_does_not_import_library() -> None:
    asked = "import sys, firmware_host.app.daemon; print('paho' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "False\n"
