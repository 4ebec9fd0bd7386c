"""A model of a WLED controller: it receives DDP on a UDP port and says at /json/info how it is.

It models what is documented (kno.wled.ge), not time: `time_out` stands for the 2.5 s after which it shows its own
effect.
"""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.patience import PATIENCE

HEADER_BYTES = 10
FENCE = b"."
"""A packet of the model itself, which is answered by a count."""
EFFECT = (255, 160, 0)
"""What each LED shows without a picture from the network: WLED's first colour."""


class WledController:
    """A controller with `leds` LEDs at an `address` of this computer. `ports` are its UDP and TCP port, any if 0.

    Set `receives` to False for the switch "Receive UDP realtime", and `answer` for what /json/info sends instead.
    """

    def __init__(self, leds: int, address: str = "127.0.0.1", ports: tuple[int, int] = (0, 0)) -> None:
        self.leds, self._address = leds, address
        self.receives = True
        self.answer: bytes | None = None
        self.live = False
        self.shown: list[tuple[int, ...]] = [EFFECT] * leds
        self.packets = self._fences = 0
        self._waiting = bytearray(3 * leds)
        self._news = threading.Condition()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((address, ports[0]))
        self._pages = ThreadingHTTPServer((address, ports[1]), self._handler())
        self.ports: tuple[int, int] = (self._socket.getsockname()[1], self._pages.server_address[1])
        for work in (self._listen, lambda: self._pages.serve_forever(0.01)):
            threading.Thread(target=work, name="wled model", daemon=True).start()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        controller = self

        class Pages(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = controller.answer
                if body is None:
                    leds = {"count": controller.leds, "rgbw": False}
                    body = json.dumps({"ver": "0.15.0", "leds": leds, "live": controller.live}).encode()
                self.send_response(200 if self.path == "/json/info" else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        return Pages

    def _listen(self) -> None:
        while packet := self._socket.recv(2048):
            with self._news:
                if packet == FENCE:
                    self._fences += 1
                else:
                    self.packets += 1
                    self._take(packet)
                self._news.notify_all()
        self._socket.close()

    def _take(self, packet: bytes) -> None:
        flags, _, kind, output = packet[:4]
        start, length = int.from_bytes(packet[4:8]), int.from_bytes(packet[8:10])
        if not self.receives or flags & 0xC0 != 0x40 or kind != 0x0B or output != 1:
            return
        self._waiting[start : start + length] = packet[HEADER_BYTES : HEADER_BYTES + length]
        del self._waiting[3 * self.leds :]
        if flags & 1:
            self.live = True
            self.shown = [tuple(self._waiting[lamp : lamp + 3]) for lamp in range(0, 3 * self.leds, 3)]

    def wait_for(self, packets: int) -> bool:
        """Wait until this many packets have arrived. Return whether that took less than ten seconds."""
        with self._news:
            return self._news.wait_for(lambda: self.packets >= packets, PATIENCE)

    def settle(self) -> None:
        """Wait until everything sent so far has arrived."""
        with self._news:
            wanted = self._fences + 1
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(FENCE, (self._address, self.ports[0]))
        with self._news:
            assert self._news.wait_for(lambda: self._fences >= wanted, PATIENCE), "the controller is off"

    def time_out(self) -> None:
        """Show its own effect, as after a pause."""
        with self._news:
            self.live, self.shown = False, [EFFECT] * self.leds

    def close(self) -> None:
        """Switch it off."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", (self._address, self.ports[0]))
        self._pages.shutdown()
        self._pages.server_close()
