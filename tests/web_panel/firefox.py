"""A headless Firefox, driven by WebDriver BiDi over its own socket.

Playwright needs its own build of Firefox, and Debian has no driver for its Firefox; but every Firefox supports BiDi.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tools.tour import KNOWN

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"BiDi listening on ws://127\.0\.0\.1:(\d+)")
TEXT, CONTINUED, LAST, MASKED = 1, 0, 0x80, 0x80


class Socket:
    """A web socket to this machine (RFC 6455), as far as BiDi needs it: text messages in both directions."""

    def __init__(self, port: int, path: str) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self._line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._read(1)
        assert b" 101 " in head, head

    def send(self, text: str) -> None:
        data, mask = text.encode(), os.urandom(4)
        if len(data) < 126:
            size = bytes([MASKED | len(data)])
        elif len(data) < 1 << 16:
            size = bytes([MASKED | 126]) + struct.pack(">H", len(data))
        else:
            size = bytes([MASKED | 127]) + struct.pack(">Q", len(data))
        veiled = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        self._line.sendall(bytes([LAST | TEXT]) + size + mask + veiled)

    def receive(self) -> str:
        """Return the next text message; other messages are ignored."""
        text = b""
        while True:
            first, size = self._read(2)
            if size in (126, 127):
                (size,) = struct.unpack(">H", self._read(2)) if size == 126 else struct.unpack(">Q", self._read(8))
            data = self._read(size)
            if first & 0x0F in (TEXT, CONTINUED):
                text += data
                if first & LAST:
                    return text.decode()

    def close(self) -> None:
        self._line.close()

    def _read(self, number: int) -> bytes:
        data = b""
        while len(data) < number:
            more = self._line.recv(number - len(data))
            assert more, "Firefox closed the connection"
            data += more
        return data


class Firefox:
    """One window of a new Firefox, of a person who has been here before; `faults` are the errors of its pages."""

    def __init__(self, profile: Path, size: tuple[int, int]) -> None:
        assert FIREFOX is not None
        command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self._numbers = itertools.count(1)
        self.faults: list[str] = []
        self._socket = Socket(self._port(), "/session")
        self.asks("session.new", capabilities={})
        self.asks("session.subscribe", events=["log.entryAdded"])
        self.asks("script.addPreloadScript", functionDeclaration=f"() => {{ {KNOWN} }}")
        self._context = self.asks("browsingContext.getTree")["contexts"][0]["context"]
        width, height = size
        self.asks("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def _port(self) -> int:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := LISTENS.search(line):
                return int(found[1])
        raise AssertionError("Firefox printed no port")

    def asks(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a BiDi command and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.receive())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.faults.append(answer["params"]["text"])
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                result: dict[str, Any] = answer["result"]
                return result

    def cookie(self, name: str, value: str) -> None:
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": "127.0.0.1"}
        self.asks("storage.setCookie", cookie=cookie)

    def go(self, address: str) -> None:
        self.asks("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression on the page, or of the promise that it returns, as plain data."""
        script = f"(async () => JSON.stringify(await ({expression})))()"
        target = {"context": self._context}
        found = self.asks("script.evaluate", expression=script, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def until(self, expression: str) -> None:
        """Wait until an expression is true on the page."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"

    def press(self, testid: str) -> None:
        """Press an enabled control."""
        control = f"document.querySelector('[data-testid=\"{testid}\"]:not(:disabled)')"
        self.until(control)
        self.evaluate(f"{control}.click()")

    def draw(self, points: list[list[float]]) -> None:
        """Drag a finger over the screen from point to point."""
        (x, y), *rest = ([round(part) for part in point] for point in points)
        acts: list[dict[str, Any]] = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        acts += [{"type": "pointerMove", "x": x, "y": y, "duration": 100} for x, y in rest]
        acts += [{"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": acts}
        self.asks("input.performActions", context=self._context, actions=[finger])

    def close(self) -> None:
        """Close the window."""
        self._socket.close()
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)
