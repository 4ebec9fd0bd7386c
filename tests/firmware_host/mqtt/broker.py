"""A real Mosquitto for tests, on a port of its own, and a client that listens to it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tests.patience import PATIENCE, reserved_port, until

HOME = "127.0.0.1"
USER, PASSWORD = "table", "correct horse"


def program(name: str) -> str:
    """Return the path of a program of Mosquitto. `make test` checks that it is installed."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found is not None, f"{name} is not here: install Debian's package mosquitto"
    return found


class Broker:
    """Mosquitto with its files in `folder`. It has no persistence, so a restart forgets everything."""

    def __init__(self, folder: Path, *, password: bool = False, tls: Path | None = None, more: str = "") -> None:
        """`tls` is a PEM file with key and certificate."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._tls = folder, tls
        self._reserved = ExitStack()
        self.port = self._reserved.enter_context(reserved_port())
        lines = [f"listener {self.port} {HOME}", "persistence false", "user root", "log_dest stderr", more]
        lines += [f"log_type {kind}" for kind in ("error", "warning", "notice", "information", "subscribe")]
        if password:
            users = folder / "users"
            subprocess.run([program("mosquitto_passwd"), "-c", "-b", str(users), USER, PASSWORD], check=True)
            lines += ["allow_anonymous false", f"password_file {users}"]
        else:
            lines.append("allow_anonymous true")
        if tls is not None:
            lines += [f"certfile {tls}", f"keyfile {tls}"]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Run, and return once it listens."""
        log = (self._folder / "log").open("ab")
        command = [program("mosquitto"), "-c", str(self._folder / "mosquitto.conf")]
        self._process = process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        until(lambda: self._listens(process))

    def _listens(self, process: subprocess.Popen[bytes]) -> bool:
        assert process.poll() is None, (self._folder / "log").read_text()
        with suppress(ConnectionRefusedError):
            socket.create_connection((HOME, self.port), timeout=PATIENCE).close()
            return True
        return False

    def subscriptions(self, client: str) -> set[str]:
        """Return the topics that this client has ever subscribed to. The log has a line `time: client qos topic` for
        each.
        """
        lines = [line.split(maxsplit=3) for line in (self._folder / "log").read_text().splitlines()]
        return {line[3] for line in lines if len(line) == 4 and line[1] == client and line[2] in ("0", "1", "2")}

    def kill(self) -> None:
        """Kill the broker, as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """Kill the broker for good."""
        self.kill()
        self._reserved.close()


class Ear:
    """A client that listens to everything that is published, and can publish."""

    def __init__(self, port: int, topic: str = "#", *, user: str = "", ca: Path | None = None) -> None:
        self._topic, self._news = topic, threading.Condition()
        self.heard: list[tuple[str, bytes, bool]] = []
        """Topic, payload, and whether it was retained before."""
        self._ready = False
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if user:
            self._client.username_pw_set(user, PASSWORD)
        if ca is not None:
            self._client.tls_set(str(ca))
        self._client.on_connect = lambda *_: self._client.subscribe(self._topic, qos=1)
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._message
        self._client.connect(HOME, port, clean_start=True)
        self._client.loop_start()
        with self._news:
            assert self._news.wait_for(lambda: self._ready, PATIENCE)

    def _subscribed(self, *_: Any) -> None:
        with self._news:
            self._ready = True
            self._news.notify_all()

    def _message(self, _: Any, __: Any, message: paho.MQTTMessage) -> None:
        with self._news:
            self.heard.append((message.topic, bytes(message.payload), message.retain))
            self._news.notify_all()

    def say(self, topic: str, payload: Any, *, retain: bool = False) -> None:
        """Publish something: bytes as they are, anything else as JSON."""
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self._client.publish(topic, content, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def until(self, found: Callable[[list[tuple[str, bytes, bool]]], Any]) -> Any:
        """Wait until `found` finds something in the messages so far, and return it."""
        with self._news:
            result = self._news.wait_for(lambda: found(self.heard), PATIENCE)
        assert result, f"not among {[topic for topic, _, _ in self.heard]}"
        return result

    def last(self, topic: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """Wait until the last payload of a topic fits, and return it: decoded JSON, or text."""

        def look(heard: list[tuple[str, bytes, bool]]) -> Any:
            said = [payload for name, payload, _ in heard if name == topic]
            return (True, decoded(said[-1])) if said and fits(decoded(said[-1])) else None

        return self.until(look)[1]

    def all(self, topic: str) -> list[Any]:
        """Return every payload of a topic so far."""
        with self._news:
            return [decoded(payload) for name, payload, _ in self.heard if name == topic]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def decoded(payload: bytes) -> Any:
    """Return decoded JSON, or the text if it is not JSON."""
    try:
        return json.loads(payload)
    except ValueError:
        return payload.decode()
