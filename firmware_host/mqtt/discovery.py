"""Messages with which Home Assistant finds the table: a retained one for each entity. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from engine.events import Event
from firmware_host.core import installed
from firmware_host.mqtt.messages import OFFLINE, ONLINE, Message, Topics, event_name

ENTITIES: Mapping[str, tuple[str, str, str, str, Mapping[str, str]]] = {
    "to_act": ("sensor", "To act", "{{ value_json.to_act | join(', ') }}", "mdi:account-arrow-right", {}),
    "round": ("sensor", "Round", "{{ value_json.round }}", "mdi:counter", {}),
    "countdown": ("sensor", "Countdown", "{{ value_json.countdown }}", "mdi:timer-sand", {}),
    "game": ("sensor", "Game", "{{ value_json.game }}", "mdi:chess-knight", {}),
    "stage": ("sensor", "Stage", "{{ value_json.stage }}", "mdi:flag-checkered", {}),
    # The state of an entity has at most 255 characters.
    "sentence": ("sensor", "Last news", "{{ value_json.sentence[:255] }}", "mdi:message-text", {}),
    "board": ("sensor", "Board", "{{ value_json.board_says[:255] }}", "mdi:grid", {}),
    "running": (
        "binary_sensor",
        "Game running",
        "{{ 'ON' if value_json.stage == 'playing' else 'OFF' }}",
        "mdi:play",
        {},
    ),
    "paused": ("binary_sensor", "Time-out", "{{ 'ON' if value_json.paused else 'OFF' }}", "mdi:pause", {}),
    "trouble": (
        "binary_sensor",
        "Trouble",
        "{{ 'ON' if value_json.trouble else 'OFF' }}",
        "mdi:alert",
        {"device_class": "problem"},
    ),
}
"""Entity -> its kind, name, template, icon, and further properties."""
EVENT_ENTITY = "happening"
"""The entity that reports events."""


def discovery(prefix: str, topics: Topics, title: str) -> Iterator[Message]:
    """Yield the messages for Home Assistant, which listens below `prefix`; none without a prefix."""
    if not prefix:
        return
    for entity, (kind, name, template, icon, more) in ENTITIES.items():
        facts = {"name": name, "icon": icon, "state_topic": topics.state, "value_template": template, **more}
        yield _message(prefix, kind, entity, facts, topics, title)
    event = {"name": "Happening", "icon": "mdi:bullhorn", "state_topic": topics.event, "event_types": event_types()}
    yield _message(prefix, "event", EVENT_ENTITY, event, topics, title)


def _message(prefix: str, kind: str, entity: str, facts: Mapping[str, Any], topics: Topics, title: str) -> Message:
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
    return Message(topic, msgspec.json.encode({**facts, **shared}), retained=True)


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
    return [found for child in kind.__subclasses__() for found in (child, *_subclasses(child))]
