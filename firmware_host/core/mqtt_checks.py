"""Checks of the MQTT settings that do not need the machine. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

TOPIC = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
NAME = re.compile(r"[A-Za-z0-9_-]+")
LONGEST_TOPIC, LONGEST_NAME, LONGEST_TITLE = 100, 40, 80
"""Maximum characters of a topic prefix, of a table's ID, and of a table's name on screens."""


def mqtt_faults(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with these settings, a sentence each; nothing if no broker is set."""
    broker = values["mqtt_broker"]
    if not broker:
        return
    if "/" in broker or any(sign.isspace() for sign in broker):
        yield f"mqtt_broker: {broker!r} is not a host. Write only its name or address; see mqtt_port and mqtt_tls."
    elif not _is_name(broker):
        yield (
            f"mqtt_broker: {broker!r} is not a host. Each part between dots has 1 to 63 letters, for example "
            "homeassistant.local. Or write the address."
        )
    for name in ("mqtt_prefix", "mqtt_discovery"):
        if (value := values[name]) and not _fits(TOPIC, value, LONGEST_TOPIC):
            yield (
                f"{name}: {value!r} is not a topic prefix. Use letters, digits, - and _, separated by slashes, "
                f"at most {LONGEST_TOPIC} characters."
            )
    if not values["mqtt_prefix"]:
        yield "mqtt_prefix: the prefix is empty. Remove the setting to use sniperboard."
    if (table := values["mqtt_table"]) and not _fits(NAME, table, LONGEST_NAME):
        yield f"mqtt_table: {table!r} is not an ID. Use letters, digits, - and _, at most {LONGEST_NAME} characters."
    if len(values["mqtt_name"]) > LONGEST_TITLE:
        yield f"mqtt_name: the name is too long. Use at most {LONGEST_TITLE} characters."
    if values["mqtt_ca"] and not values["mqtt_tls"]:
        yield "mqtt_ca: a certificate needs TLS. Set mqtt_tls = true, or leave it empty."
    if values["mqtt_password"] and not values["mqtt_user"]:
        yield "mqtt_password: a password needs a user. Set mqtt_user, or leave it empty."


def _is_name(broker: str) -> bool:
    """Return whether the system can look up a host of this name; for others it raises an unexpected error."""
    try:
        broker.encode("idna")
    except UnicodeError:
        return False
    return True


def _fits(pattern: re.Pattern[str], value: str, longest: int) -> bool:
    return len(value) <= longest and pattern.fullmatch(value) is not None
