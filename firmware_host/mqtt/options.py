"""The settings for the broker, with the contents of the files that they name."""

from __future__ import annotations

import importlib.util
import re
import socket
import ssl
from pathlib import Path

from msgspec import Struct

from firmware_host.core.mqtt_checks import LONGEST_NAME
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.core.strict import NotUtf8, text_of
from hardware.files import read_regular

PLAIN_PORT, TLS_PORT = 1883, 8883
LONGEST_PASSWORD = 1024
"""Characters."""


class MqttOptions(Struct, frozen=True):
    """The broker and how to connect. `table` is this table's id there, `title` its name for people.

    `tls` is None for an unencrypted connection. Topics begin with `prefix`, those for Home Assistant with `discovery`,
    which may be empty for none.
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
        """Leave out the password."""
        return f"MqttOptions({self.where}, {self.prefix}/{self.table})"

    @property
    def where(self) -> str:
        """Host and port of the broker."""
        return f"{self.host}:{self.port}"


def mqtt_options(settings: Settings) -> MqttOptions | None:
    """Return the options for MQTT, None if no broker is set. Raises `ConfigError`."""
    if not settings.mqtt_broker:
        return None
    if importlib.util.find_spec("paho") is None:
        raise ConfigError(["mqtt_broker: MQTT needs the package paho-mqtt. Install the extra mqtt (docs/mqtt.md)."])
    table = settings.mqtt_table or _machine()
    return MqttOptions(
        host=settings.mqtt_broker,
        port=settings.mqtt_port or (TLS_PORT if settings.mqtt_tls else PLAIN_PORT),
        tls=_tls(settings.mqtt_ca) if settings.mqtt_tls else None,
        user=settings.mqtt_user,
        password=read_password(settings.mqtt_password),
        prefix=settings.mqtt_prefix,
        table=table,
        title=settings.mqtt_name or table,
        discovery=settings.mqtt_discovery,
        commands=settings.mqtt_commands,
    )


def _machine() -> str:
    """Return the name of this machine in a form that is valid in a topic."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", socket.gethostname().partition(".")[0])[:LONGEST_NAME] or "table"


def _tls(authority: str) -> ssl.SSLContext:
    """Return a context that trusts the certificates in a file, or those of the system. Raises `ConfigError`."""
    try:
        if authority:
            read_regular(Path(authority))  # OpenSSL would wait for a pipe
        return ssl.create_default_context(cafile=authority or None)
    # An `SSLError` is an `OSError`, so it has to come first.
    except ssl.SSLError:
        why = "contains no certificate in PEM format"
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
    raise ConfigError([f"mqtt_ca: {authority} {why}. Name the certificate of your broker's authority."])


def read_password(path: str) -> str:
    """Return the first line of a file; empty without a file. Raises `ConfigError`."""
    if not path:
        return ""
    try:
        password = text_of(read_regular(Path(path))).partition("\n")[0].rstrip("\r")
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
    except NotUtf8 as error:
        why = f"is {error}"
    else:
        if 0 < len(password) <= LONGEST_PASSWORD:
            return password
        why = f"has a first line of more than {LONGEST_PASSWORD} characters" if password else "is empty"
    # Without the path: people write the password there, and this message goes into a log.
    raise ConfigError(
        [f"mqtt_password: the file {why}. The setting is the path of a file that contains only the password."]
    )
