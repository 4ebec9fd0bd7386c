"""What can be wrong with the settings of MQTT without looking at the machine. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

TOPIC = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
NAME = re.compile(r"[A-Za-z0-9_-]+")
LONGEST_TOPIC, LONGEST_NAME, LONGEST_TITLE = 100, 40, 80
"""Characters of a topic's beginning, of a table's id, and of a table's name as people read it."""


def mqtt_faults(values: Mapping[str, Any]) -> list[str]:
    """What is wrong with these settings, a sentence each; nothing where no broker is set."""
    return list(_faults(values)) if values["mqtt_broker"] else []


def _faults(values: Mapping[str, Any]) -> Iterator[str]:
    broker = values["mqtt_broker"]
    if "/" in broker or any(sign.isspace() for sign in broker):
        yield f"mqtt_broker: {broker!r} is no host. Write name or address alone; mqtt_port and mqtt_tls say the rest."
    elif not _is_name(broker):
        yield (
            f"mqtt_broker: {broker!r} is no host. Between its dots a name has 1 to 63 letters; write it as in "
            "homeassistant.local, or write the address."
        )
    for name in ("mqtt_prefix", "mqtt_discovery"):
        if (value := values[name]) and not _fits(TOPIC, value, LONGEST_TOPIC):
            yield (
                f"{name}: {value!r} is no beginning of a topic. Use letters, digits, - and _, parted by slashes, "
                f"{LONGEST_TOPIC} characters at most."
            )
    if not values["mqtt_prefix"]:
        yield "mqtt_prefix: topics begin with something. Leave it out for sniperboard."
    if (table := values["mqtt_table"]) and not _fits(NAME, table, LONGEST_NAME):
        yield f"mqtt_table: {table!r} is no id. Use letters, digits, - and _, {LONGEST_NAME} characters at most."
    if len(values["mqtt_name"]) > LONGEST_TITLE:
        yield f"mqtt_name: a name has {LONGEST_TITLE} characters at most."
    if values["mqtt_ca"] and not values["mqtt_tls"]:
        yield "mqtt_ca: certificates are looked at with TLS only. Set mqtt_tls = true, or leave it empty."
    if values["mqtt_password"] and not values["mqtt_user"]:
        yield "mqtt_password: a password belongs to a user. Set mqtt_user, or leave it empty."


def _is_name(broker: str) -> bool:
    """Whether the system can look for a host of this name; it fails in an odd way for others."""
    try:
        broker.encode("idna")
    except UnicodeError:
        return False
    return True


def _fits(pattern: re.Pattern[str], value: str, longest: int) -> bool:
    return len(value) <= longest and pattern.fullmatch(value) is not None
