"""What the settings say of the broker, with the files that they name read."""

from __future__ import annotations

import importlib.util
import re
import socket
import ssl
from pathlib import Path

from msgspec import Struct

from firmware_host.core.mqtt_checks import LONGEST_NAME
from firmware_host.core.settings import ConfigError, Settings

PLAIN_PORT, TLS_PORT = 1883, 8883
LONGEST_PASSWORD = 1024
"""Characters."""


class MqttOptions(Struct, frozen=True):
    """The broker and how it is talked to. `table` is this table's id there, `title` its name as people read it.

    `tls` is None for a line that is not encrypted; topics begin with `prefix`, and those for Home Assistant with
    `discovery`, which may be empty for none.
    """

    host: str
    port: int
    tls: ssl.SSLContext | None
    user: str
    password: str
    prefix: str
    table: str
    title: str
    discovery: str
    commands: bool

    def __repr__(self) -> str:
        """Without the password."""
        return f"MqttOptions({self.where}, {self.prefix}/{self.table})"

    @property
    def where(self) -> str:
        """The broker as people write it."""
        return f"{self.host}:{self.port}"


def mqtt_options(settings: Settings) -> MqttOptions | None:
    """What the settings say of MQTT, None where they name no broker. Raises `ConfigError`."""
    if not settings.mqtt_broker:
        return None
    if importlib.util.find_spec("paho") is None:
        raise ConfigError(
            ["mqtt_broker: MQTT needs the package paho-mqtt, which is not here. Install the extra mqtt (docs/mqtt.md)."]
        )
    table = settings.mqtt_table or _machine()
    return MqttOptions(
        host=settings.mqtt_broker,
        port=settings.mqtt_port or (TLS_PORT if settings.mqtt_tls else PLAIN_PORT),
        tls=_tls(settings.mqtt_ca) if settings.mqtt_tls else None,
        user=settings.mqtt_user,
        password=_password(settings.mqtt_password),
        prefix=settings.mqtt_prefix,
        table=table,
        title=settings.mqtt_name or table,
        discovery=settings.mqtt_discovery,
        commands=settings.mqtt_commands,
    )


def _machine() -> str:
    """The name of this machine, as it may stand in a topic."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", socket.gethostname().partition(".")[0])[:LONGEST_NAME] or "table"


def _tls(authority: str) -> ssl.SSLContext:
    """What trusts the certificates of this file, or those that the system trusts. Raises `ConfigError`."""
    try:
        return ssl.create_default_context(cafile=authority or None)
    except ssl.SSLError:
        why = "holds no certificate in PEM"
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
    raise ConfigError([f"mqtt_ca: {authority} {why}. Name the file of the authority that signed for your broker."])


def _password(path: str) -> str:
    """The first line of this file; nothing without a file. Raises `ConfigError`."""
    if not path:
        return ""
    try:
        with Path(path).open(encoding="utf-8-sig") as file:  # some editors begin a file with a byte order mark
            found = file.readline(LONGEST_PASSWORD + 1).rstrip("\r\n")
    except OSError as error:
        raise ConfigError(
            [f"mqtt_password: {path} cannot be read ({error.strerror}). Name the password's file."]
        ) from error
    except ValueError:
        raise ConfigError([f"mqtt_password: {path} holds no text. Write the password alone into it."]) from None
    if not found:
        raise ConfigError([f"mqtt_password: {path} is empty. Write the password alone into it."])
    if len(found) > LONGEST_PASSWORD:
        raise ConfigError(
            [
                f"mqtt_password: the first line of {path} is longer than {LONGEST_PASSWORD} characters. "
                "Write the password alone into it."
            ]
        )
    return found
