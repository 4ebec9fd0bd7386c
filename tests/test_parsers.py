"""For any input from outside, each parser returns a value or raises its own error with a sentence.

Every parser gets noise, and valid input that was tampered with: bytes flipped, dropped and doubled; parts removed,
renamed, swapped, or replaced by unexpected values.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import tomlkit

from engine.chance import Chance
from engine.graph import compiled
from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.board import fault_script, sensor_health, wiring
from firmware_host.board.wiring import WiringError
from firmware_host.core import maps
from firmware_host.core.settings import ConfigError, read_file, settle
from firmware_host.play.game import TableGame
from firmware_host.protocols.engine import EngineServer
from firmware_host.protocols.tracking import TrackingServer
from firmware_host.records import chain, record
from firmware_host.records.journal import Journal
from firmware_host.records.recheck import recheck
from firmware_host.records.record import RecordError
from games.sniper_elite import GAME
from hardware.link import frames, messages
from maker.mapping import drawings
from tests.depth import seeds
from tests.engine.graph.drawings import board as drawn
from tests.games.random_play import RandomGame

BOARD = maps.load("launch-facility")
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 0.5, -1e300, 10**30, "", "R4", "\x00", "\ud7ff", "a" * 5000, [], {}, [[]], {"": []},
    ["R4", "R4"],
)  # fmt: skip


@dataclass(frozen=True)
class Parser:
    """A parser, the errors it may raise, and an input that it accepts; `form` says how the input is tampered with."""

    read: Callable[[bytes], object]
    raises: tuple[type[Exception], ...]
    good: bytes
    form: str = "bytes"
    rounds: int = 200


# --- tampering ------------------------------------------------------------------------------------------------------


def noise(chance: Random) -> bytes:
    """Return any bytes."""
    return chance.randbytes(chance.choice((0, 1, 7, 80, 600)))


def changed_bytes(good: bytes, chance: Random) -> bytes:
    """Return the bytes with a few flipped, dropped, doubled or inserted."""
    data = bytearray(good)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        what = chance.choice(("flip", "drop", "double", "put", "cut"))
        if what == "put":
            data[at:at] = chance.choice((b"\0", b"{", b"]", b'"', b"\xff", b"\xc3", b"9" * 40, b"[" * 4000))
        elif what == "cut":
            del data[at : at + chance.randint(1, 200)]
        elif at < len(data):
            data[at : at + 1] = {"flip": bytes([data[at] ^ 1 << chance.randrange(8)]), "drop": b""}.get(
                what, data[at : at + 1] * 2
            )
    return bytes(data)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every container in a document with a key or an index into it."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in list(keys):
        yield value, key
        yield from places(value[key])


def changed_document(document: Any, chance: Random) -> Any:
    """Return a document with a few parts exchanged, removed, doubled or renamed."""
    document = copy.deepcopy(document)
    for _ in range(chance.randint(1, 3)):
        found = list(places(document))
        if not found:
            return chance.choice(ODD)
        holder, key = chance.choice(found)
        other, its = chance.choice(found)
        what = chance.choice(("odd", "odd", "swap", "gone", "new"))
        if what == "odd":
            holder[key] = copy.deepcopy(chance.choice(ODD))
        elif what == "swap":
            holder[key] = copy.deepcopy(other[its])
        elif what == "gone":
            del holder[key]
        elif isinstance(holder, dict):
            holder[chance.choice(("", "type", "Ω", str(key) + "s"))] = holder.pop(key)
        else:
            holder.insert(0, copy.deepcopy(other[its]))
    return document


def tampered(parser: Parser, chance: Random) -> bytes:
    """Return something made by tampering with an input that the parser accepts."""
    if parser.form == "bytes" or (parser.form != "sealed" and chance.random() < 0.3):
        return noise(chance) if chance.random() < 0.2 else changed_bytes(parser.good, chance)
    if parser.form == "toml":
        changed = changed_document(tomllib.loads(parser.good.decode()), chance)
        return _toml(changed)
    if parser.form == "lines":
        lines = [json.loads(line) for line in parser.good.splitlines()]
        return b"\n".join(json.dumps(line).encode() for line in changed_document(lines, chance) or ())
    return json.dumps(changed_document(json.loads(parser.good), chance)).encode()


def _toml(document: Any) -> bytes:
    try:
        return tomlkit.dumps(document).encode("utf-8", "replace")
    except (TypeError, ValueError, AttributeError):  # TOML has no such value
        return b"= " + repr(document).encode("utf-8", "replace")


# --- the parsers ------------------------------------------------------------------------------------------------


def from_file(folder: Path, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return a parser that reads from a file."""

    def of(data: bytes) -> object:
        path = folder / name
        path.write_bytes(data)
        return read(path)

    return of


def a_record(folder: Path) -> bytes:
    """Return a short game."""
    journal = Journal(folder / "games.sqlite")
    play = TableGame.begin(GAME, BOARD, GAME.read_options({"random_setup": True}), journal, Chance(Random(5)))
    hand = RandomGame(GAME, BOARD, 5)
    hand.referee = play.referee
    for _ in range(25):
        seat = play.referee.to_act[0]
        play.act(seat, hand.choose(seat))
    play.put_away()
    (game,) = journal.games()
    found = record.record_of(game, journal.entries(1))
    journal.close()
    return record.record_bytes(found)


def import_record(data: bytes) -> object:
    """Check a record as an import does."""
    return recheck(record.read_record(data), BOARD)


def import_with_new_chain(data: bytes) -> object:
    """Do the same with a tampered record whose hash chain was recomputed."""
    document = json.loads(data)
    try:
        header = msgspec.convert({**document, "hash": ""}, chain.GameHeader)
        before = document["hash"] = chain.hash_before_first(header)
        for entry in document["entries"]:
            entry["hash"] = before = chain.link(
                before,
                entry["at"],
                entry["kind"],
                entry["seat"],
                chain.json_text(entry["command"]),
                chain.json_text(entry["telling"]),
            )
    except (msgspec.ValidationError, KeyError, TypeError):
        return None  # no chain can be computed over this
    return import_record(json.dumps(document).encode())


def parse_frames(data: bytes) -> object:
    """Parse the frames of a board."""
    return [messages.parse_message(body, 16) for body in frames.FrameReader().feed(data)]


def conversation(make_server: Callable[[], Any]) -> Callable[[bytes], object]:
    """Talk to a protocol server line by line. Each answer is JSON."""

    def of(data: bytes) -> object:
        speaker = make_server()
        said: list[Any] = []
        for line in data.split(b"\n"):
            answer = speaker.answer(line)
            said += [json.loads(one) for one in (answer if isinstance(answer, list) else [answer])]
        faults = [one for one in said if isinstance(error := one.get("error"), dict) and error["code"] == "internal"]
        assert not faults
        return said

    return of


def parsers(folder: Path) -> dict[str, Parser]:
    """Return all parsers."""
    sensors = {space: number for number, space in enumerate(BOARD.enterable)}
    drawing = json.dumps(drawn().document()).encode()
    there = maps.drawing_of("launch-facility").parent
    hands = b"""{"map":"launch-facility","position":{"round":1,"turn":"defenders"},"settings":{"rest_ms":80}}
{"t":10,"space":"R4","down":false}
{"t":400,"space":"R5","down":true}
{"t":900,"pick":{"space":"R5"}}
{"t":950,"act":{"seat":"defenders","action":{"type":"end-turn"}}}
{"t":2000}"""
    engine = b"""{"do":"hello","id":1}
{"do":"new","id":2,"game":"sniper-elite","map":"launch-facility","options":{"random_setup":true},"seed":3}
{"do":"legal","id":3,"seat":"sniper"}
{"do":"sight","id":4,"from":"R1","to":"R5"}"""
    settings = b"""[sniperboard]
port = 8080
brightness = 0.5
palette = "night"
quiet_from = "22:30"
quiet_to = "07:00"

[board_link]
current_limit_ma = 2000
"""
    faults = b"""seed = 7
[[fault]]
kind = "weak"
space = "R4"
every = [500, 2000]
length = [3, 90]
at = 100
until = 9000
chance = 0.5
"""
    game = a_record(folder)
    return {
        "a drawing": Parser(lambda data: drawings.survey_file(data, "x", "loose"), (MapError,), drawing, "json", 60),
        "a compiled map": Parser(
            lambda data: compiled.load(data, "x"), (MapError,), (there / "compiled.json").read_bytes(), "json", 8
        ),
        "settings": Parser(
            from_file(folder, "s.toml", lambda path: settle(read_file(path))), (ConfigError,), settings, "toml"
        ),
        "faults": Parser(
            from_file(folder, "f.toml", lambda path: fault_script.read_script(path, sensors, 144)),
            (ConfigError,),
            faults,
            "toml",
        ),
        "faults as lines": Parser(
            from_file(folder, "f.jsonl", lambda path: fault_script.read_script(path, sensors, 144)),
            (ConfigError,),
            b'{"seed":7}\n{"kind":"dead","space":"R12","at":60000}\n{"kind":"weak","every":[500,2000],"length":[3,90]}',
            "lines",
        ),
        "a wiring": Parser(
            from_file(folder, "w.toml", lambda path: wiring.read_wiring(path, BOARD)),
            (WiringError,),
            wiring.wiring_text(wiring.default_wiring(BOARD)).encode(),
            "toml",
            40,
        ),
        "health": Parser(
            from_file(folder, "h.json", sensor_health.read_records), (), b'{"3":{"raw":5,"bounce_ms":1.5}}', "json"
        ),
        "a record": Parser(import_record, (RecordError,), game, "json", 60),
        "a record, sealed": Parser(import_with_new_chain, (RecordError, RuleError), game, "sealed", 150),
        "frames": Parser(
            parse_frames,
            (),
            frames.frame(b"H\x00" + bytes((1, 16, 0, 16, 0)) + bytes(8) + b"2.1")
            + frames.frame(b"S\x01" + bytes(8))
            + frames.frame(b"A\x01\x02")
            + frames.frame(b"E\x01\x05low"),
            "bytes",
            2000,
        ),
        "board-hands/1": Parser(conversation(TrackingServer), (), hands, "lines", 60),
        "board-engine/1": Parser(conversation(EngineServer), (), engine, "lines", 60),
    }


@pytest.fixture(scope="module")
def accepted_inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Parser]:
    return parsers(tmp_path_factory.mktemp("parsers"))


NAMES = (
    "a drawing", "a compiled map", "settings", "faults", "faults as lines", "a wiring", "health", "a record",
    "a record, sealed", "frames", "board-hands/1", "board-engine/1",
)  # fmt: skip


def test_every_parser_is_tested(accepted_inputs: dict[str, Parser]) -> None:
    assert set(accepted_inputs) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_valid_input_is_accepted(accepted_inputs: dict[str, Parser], name: str) -> None:
    assert accepted_inputs[name].read(accepted_inputs[name].good) is not None


@pytest.mark.parametrize("name", NAMES)
def test_tampered_input_is_accepted_or_refused_with_a_sentence(accepted_inputs: dict[str, Parser], name: str) -> None:
    parser = accepted_inputs[name]
    for seed in seeds(parser.rounds):
        data = tampered(parser, Random(f"{name} {seed}"))
        try:
            parser.read(data)
        except parser.raises as error:
            assert str(error).strip(), data
