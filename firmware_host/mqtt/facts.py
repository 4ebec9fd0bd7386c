"""What is published: the facts of a table, made from the public picture only, and messages with which Home Assistant
finds it. Pure.

Names of people and devices are never published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from engine.events import Event
from engine.text import Text
from firmware_host.core import installed
from firmware_host.mqtt.messages import OFFLINE, ONLINE, MqttMessage, Topics, event_name

LONGEST, MOST = 400, 12
"""Characters of a sentence, and sentences or seats in a list."""
Words = Annotated[str, Meta(max_length=LONGEST)]
Number = Annotated[int, Meta(ge=-9999, le=9999)]


class TableFacts(Struct, frozen=True):
    """The state of a table as JSON. `to_act` are the titles of seats.

    `round` and `countdown` are None if the game has none. `board` is the state of the board in a word, `board_says` in
    a sentence. `trouble` are problems to fix. `sentence` is the latest public one, `outcome` says who has won and why,
    and `url` is the address of the table's TV page; each may be empty.
    """

    name: Words
    game: Words
    stage: Literal["lobby", "playing", "over"]
    to_act: Annotated[list[Words], Meta(max_length=MOST)] = []
    round: Number | None = None
    countdown: Number | None = None
    paused: bool = False
    board: Words = ""
    board_says: Words = ""
    trouble: Annotated[list[Words], Meta(max_length=MOST)] = []
    sentence: Words = ""
    outcome: Words = ""
    url: Words = ""


class Happening(Struct, frozen=True):
    """A public event as JSON: its kind, the game, the sentence, and its number in the game."""

    event_type: str
    game: str
    sentence: str
    number: int


def table_facts(picture: Mapping[str, Any], name: str, url: str) -> TableFacts:
    """Return the facts in the public picture. `name` and `url` are the table's."""
    board, public, log = picture["board"], picture.get("public") or {}, picture["log"]
    paused = picture["paused"] is not None
    progress = public.get("progress") or {}
    playing = picture["stage"] == "playing"
    acting = [picture["seats"][seat]["title"] for seat in public.get("to_act", ()) if seat in picture["seats"]]
    return TableFacts(
        name=name,
        game=_game_on_table(picture),
        stage=picture["stage"],
        to_act=_shortened(acting) if playing else [],
        round=progress.get("round"),
        countdown=progress.get("countdown"),
        paused=paused,
        board=board["state"],
        # During a pause the sentence contains the name of a device.
        board_says="" if paused else board["sentence"][:LONGEST],
        trouble=_shortened(
            [sentence for sentence in (picture["halted"], *picture["cares"], *board["ills"]) if sentence]
        ),
        sentence=log[-1]["sentence"][:LONGEST] if log else "",
        outcome=(public.get("outcome") or "")[:LONGEST],
        url=url[:LONGEST],
    )


def _game_on_table(picture: Mapping[str, Any]) -> Text:
    """Return the title of the game on the table, or of the chosen one in the lobby or while a past game is viewed."""
    return Text(installed.find(picture["game"] if picture["replay"] is None else picture["selection"]["game"]).title)


def _shortened(sentences: Sequence[str]) -> list[str]:
    return [sentence[:LONGEST] for sentence in sentences[:MOST]]


class PublicLog:
    """The public events so far, to find new ones. Not thread-safe."""

    def __init__(self) -> None:
        self._game: Any = None
        self._known: dict[int, str] = {}

    def news(self, picture: Mapping[str, Any]) -> list[Happening]:
        """Return the events in `picture` that were not in the one before; all of them if it is another game.

        Events that were taken back are forgotten, so that they are new if they happen again.
        """
        # The game's commitment identifies it: it is public, and different for every game.
        game = (picture["sealed"] or {}).get("promise")
        lines = {line["n"]: line for line in picture["log"]}
        before = self._known if game == self._game else {}
        sentences = {number: line["sentence"] for number, line in lines.items()}
        # Report all events from the first different line on: an act was taken back, and another one made.
        begin = next((number for number, sentence in sentences.items() if before.get(number) != sentence), None)
        oldest_new = max(before, default=-1) + 1 if begin is None else begin
        self._game, self._known = game, sentences
        title = _game_on_table(picture) if lines else ""
        return [
            Happening(event_name(line["type"]), title, line["sentence"][:LONGEST], number)
            for number, line in lines.items()
            if number >= oldest_new
        ]


Entity = tuple[str, str, str, str, Mapping[str, str]]
"""Kind, name, template, icon, and further properties."""


def _binary(name: str, condition: str, icon: str, **more: str) -> Entity:
    return "binary_sensor", name, f"{{{{ 'ON' if value_json.{condition} else 'OFF' }}}}", icon, more


ENTITIES: Mapping[str, Entity] = {
    "to_act": ("sensor", "To act", "{{ value_json.to_act | join(', ') }}", "mdi:account-arrow-right", {}),
    "round": ("sensor", "Round", "{{ value_json.round }}", "mdi:counter", {}),
    "countdown": ("sensor", "Countdown", "{{ value_json.countdown }}", "mdi:timer-sand", {}),
    "game": ("sensor", "Game", "{{ value_json.game }}", "mdi:chess-knight", {}),
    "stage": ("sensor", "Stage", "{{ value_json.stage }}", "mdi:flag-checkered", {}),
    # The state of an entity has at most 255 characters.
    "sentence": ("sensor", "Last news", "{{ value_json.sentence[:255] }}", "mdi:message-text", {}),
    "board": ("sensor", "Board", "{{ value_json.board_says[:255] }}", "mdi:grid", {}),
    "running": _binary("Game running", "stage == 'playing'", "mdi:play"),
    "paused": _binary("Time-out", "paused", "mdi:pause"),
    "trouble": _binary("Trouble", "trouble", "mdi:alert", device_class="problem"),
}
EVENT_ENTITY = "happening"
"""The entity that reports events."""


def discovery(prefix: str, topics: Topics, title: str) -> Iterator[MqttMessage]:
    """Yield the retained messages for Home Assistant, which listens below `prefix`; none without a prefix."""
    if not prefix:
        return
    for entity, (kind, name, template, icon, more) in ENTITIES.items():
        facts = {"name": name, "icon": icon, "state_topic": topics.state, "value_template": template, **more}
        yield _message(prefix, kind, entity, facts, topics, title)
    event = {"name": "Happening", "icon": "mdi:bullhorn", "state_topic": topics.event, "event_types": event_types()}
    yield _message(prefix, "event", EVENT_ENTITY, event, topics, title)


def _message(prefix: str, kind: str, entity: str, facts: Mapping[str, Any], topics: Topics, title: str) -> MqttMessage:
    node = f"sniperboard-{topics.table}"
    device = {"identifiers": [node], "name": title, "model": "sniperboard", "sw_version": version("sniperboard")}
    shared = {
        "unique_id": f"{node}-{entity}",
        # Home Assistant allows no hyphens in the ID of an entity.
        "default_entity_id": f"{kind}.{node}_{entity}".replace("-", "_"),
        "availability_topic": topics.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "device": device,
    }
    topic = f"{prefix}/{kind}/{node}/{entity}/config"
    return MqttMessage(topic, msgspec.json.encode({**facts, **shared}), retained=True)


def event_types() -> list[str]:
    """Return the kinds of events of all installed games, sorted, because Home Assistant needs a complete list. Only
    public events are ever published.
    """
    # The kinds of events of a game exist once it is imported.
    for name in installed.names():
        installed.find(name)
    return sorted({event_name(kind.__struct_config__.tag) for kind in _subclasses(Event) if kind.__struct_config__.tag})


def _subclasses(kind: type[Event]) -> Sequence[type[Event]]:
    """Return all subclasses of a class of events."""
    return [subclass for child in kind.__subclasses__() for subclass in (child, *_subclasses(child))]
