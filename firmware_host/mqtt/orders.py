"""Commands that come by MQTT: what the house may do, each with the house PIN, by the same door as the house page.

A thread of its own takes them one after another, for a PIN takes time to check. Its answer never holds the PIN.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from engine.text import Text, and_list
from firmware_host.api.interface import TableInterface
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.core.strict import Malformed, decode
from firmware_host.seats.identity import Requester
from firmware_host.table.pacing import BUSY

LARGEST = 4 * 1024
"""Bytes of a command."""
WAITING = 4
"""Commands that wait; whoever comes later is told that the table is busy."""
LONGEST_ID = 40
UNREADABLE = Text("A command is a JSON object with `pin` and `do`; docs/mqtt.md shows some.")
STALE = Text("A retained command is not carried out: the broker would give it again at each start.")

Order = Callable[[TableInterface, Mapping[str, Any], Requester], None]

log = logging.getLogger("firmware_host")


def _set(table: TableInterface, wanted: Mapping[str, Any], house: Requester) -> None:
    choices = wanted.get("choices")
    if not isinstance(choices, dict):
        raise UserError("not-understood", Text("The command set takes `choices`: an object of settings by name."))
    table.admin.change_settings(choices, house)


def _shut_down(table: TableInterface, wanted: Mapping[str, Any], house: Requester) -> None:
    table.admin.shut_down(wanted.get("power_off") is True, house)


ORDERS: Mapping[str, Order] = {
    "set": _set,
    "pause": lambda table, _, house: table.pause(True, house),
    "resume": lambda table, _, house: table.pause(False, house),
    "start": lambda table, _, house: table.start({}, house),
    "put-away": lambda table, _, house: table.abandon(house),
    "shut-down": _shut_down,
}
"""What can be commanded -> what does it, for whoever has shown the PIN."""


class Orders:
    """Takes commands for `table` from any thread. `answer` is called with each answer, on the thread of the orders, or
    where too many wait on that of `take`; `say` is the language of its sentences.
    """

    def __init__(self, table: TableInterface, answer: Callable[[bytes], None], say: Translate = str) -> None:
        self._table, self._answer, self._say = table, answer, say
        self._waiting: queue.Queue[tuple[bytes, bool] | None] = queue.Queue(WAITING)
        self._key = ""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt-orders", daemon=True)

    def start(self) -> None:
        """Carry out what comes."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no more commands. Those that wait are dropped without an answer; one that has begun is carried out and
        answered, and is not waited for.
        """
        self._stopped.set()
        with suppress(queue.Full):  # then the thread finds a command and looks at `_stopped`
            self._waiting.put_nowait(None)

    def take(self, payload: bytes, retained: bool) -> None:
        """A command has come."""
        try:
            self._waiting.put_nowait((payload, retained))
        except queue.Full:
            self._answer(self._refusal("", UserError("busy", BUSY)))

    def _run(self) -> None:
        while (found := self._waiting.get()) is not None and not self._stopped.is_set():
            self._answer(self._carried_out(*found))

    def _carried_out(self, payload: bytes, retained: bool) -> bytes:
        name = ""
        try:
            wanted = _read(payload)
            given = wanted.get("id")
            name = given[:LONGEST_ID] if isinstance(given, str) else ""
            if retained:
                raise UserError("stale", STALE)
            self._do(wanted)
        except UserError as error:
            return self._refusal(name, error)
        except Exception as error:  # whatever it was: the next command is heard all the same
            log.error("A command by MQTT failed: %s", type(error).__name__)
            return self._refusal(name, UserError("broken", Text("Something went wrong at the table. Look at its log.")))
        return msgspec.json.encode({"id": name, "ok": True})

    def _do(self, wanted: Mapping[str, Any]) -> None:
        """Raises `UserError`. The PIN comes first: whoever does not know it learns nothing else."""
        pin = wanted.get("pin")
        # The last key is renewed, so that a command puts no device out. Anybody may publish, so this has no address:
        # wrong PINs count with those of strangers.
        self._key = self._table.admin.sign_in(pin if isinstance(pin, str) else "", Requester(admin_key=self._key))
        do = wanted.get("do")
        order = ORDERS.get(do) if isinstance(do, str) else None
        if order is None:
            raise UserError("not-understood", Text("A command does one of these: {names}.", names=and_list(ORDERS)))
        order(self._table, wanted, Requester(admin_key=self._key))
        log.info("By MQTT the house commanded: %s.", do)

    def _refusal(self, name: str, error: UserError) -> bytes:
        sentence = self._say(error.sentence) if isinstance(error.sentence, Text) else error.sentence
        return msgspec.json.encode({"id": name, "ok": False, "code": error.code, "sentence": sentence})


def _read(payload: bytes) -> dict[str, Any]:
    try:
        found = decode(payload, LARGEST)
    except Malformed:
        raise UserError("not-understood", UNREADABLE) from None
    if not isinstance(found, dict):
        raise UserError("not-understood", UNREADABLE)
    return found
