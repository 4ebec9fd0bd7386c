"""Commands by MQTT: the same rights as on the admin page. Each command contains the admin PIN.

A thread carries them out one after another, because checking a PIN takes time. Answers never contain the PIN.
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

LARGEST_COMMAND = 4 * 1024
"""Bytes of a command."""
MOST_WAITING = 4
"""Commands that may wait. Further ones are refused as busy."""
LONGEST_ID = 40
UNREADABLE = Text("A command is a JSON object with `pin` and `do`. See docs/mqtt.md.")
RETAINED = Text("Retained commands are not carried out, because the broker would repeat them at each start.")

Command = Callable[[TableInterface, Mapping[str, Any], Requester], None]

log = logging.getLogger("firmware_host")


def _set(table: TableInterface, command: Mapping[str, Any], admin: Requester) -> None:
    choices = command.get("choices")
    if not isinstance(choices, dict):
        raise UserError("not-understood", Text("The command set takes `choices`: an object of settings by name."))
    table.admin.change_settings(choices, admin)


COMMANDS: Mapping[str, Command] = {
    "set": _set,
    "pause": lambda table, _, admin: table.pause(True, admin),
    "resume": lambda table, _, admin: table.pause(False, admin),
    "start": lambda table, _, admin: table.start({}, admin),
    "put-away": lambda table, _, admin: table.abandon(admin),
    "shut-down": lambda table, command, admin: table.admin.shut_down(command.get("power_off") is True, admin),
}
"""The function for each command, which is called after the PIN was checked."""


class CommandQueue:
    """Carries out commands for `table`. Any thread may call `take`. `answer` is called with each answer, on the queue's
    thread, or on that of `take` if too many commands wait. `say` translates sentences.
    """

    def __init__(self, table: TableInterface, answer: Callable[[bytes], None], say: Translate = str) -> None:
        self._table, self._answer, self._say = table, answer, say
        self._waiting: queue.Queue[tuple[bytes, bool] | None] = queue.Queue(MOST_WAITING)
        self._key = ""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt-commands", daemon=True)

    def start(self) -> None:
        """Start carrying out commands."""
        self._thread.start()

    def stop(self) -> None:
        """Start no more commands. Waiting ones are dropped without an answer. A running one is finished and answered,
        but not awaited.
        """
        self._stopped.set()
        with suppress(queue.Full):  # the thread will find a command and check `_stopped`
            self._waiting.put_nowait(None)

    def take(self, payload: bytes, retained: bool) -> None:
        """Add a command, or answer that the table is busy."""
        try:
            self._waiting.put_nowait((payload, retained))
        except queue.Full:
            # Answer without the command's ID, because the payload is not parsed.
            self._answer(self._refusal("", UserError("busy", BUSY)))

    def _run(self) -> None:
        while (waiting := self._waiting.get()) is not None and not self._stopped.is_set():
            self._answer(self._carried_out(*waiting))

    def _carried_out(self, payload: bytes, retained: bool) -> bytes:
        name = ""
        try:
            command = _read(payload)
            id_ = command.get("id")
            name = id_[:LONGEST_ID] if isinstance(id_, str) else ""
            # Checked after the ID is read, so that the answer names it.
            if retained:
                raise UserError("stale", RETAINED)
            self._do(command)
        except UserError as error:
            return self._refusal(name, error)
        except Exception as error:  # any error: the next command must still be carried out
            log.error("A command by MQTT failed: %s", type(error).__name__)
            return self._refusal(name, UserError("broken", Text("Something went wrong at the table. See its log.")))
        return msgspec.json.encode({"id": name, "ok": True})

    def _do(self, request: Mapping[str, Any]) -> None:
        """Carry out a command. Raises `UserError`. The PIN is checked first, so that others learn nothing."""
        pin = request.get("pin")
        # Renew the last key, so that a command drops no device's key. Anyone may publish, so the requester has no
        # address, and wrong PINs count with those of strangers.
        given = pin if isinstance(pin, str) else ""
        self._key = self._table.admin.access.sign_in(given, Requester(admin_key=self._key))
        do = request.get("do")
        command = COMMANDS.get(do) if isinstance(do, str) else None
        if command is None:
            raise UserError("not-understood", Text("A command does one of these: {names}.", names=and_list(COMMANDS)))
        command(self._table, request, Requester(admin_key=self._key))
        log.info("Command by MQTT: %s.", do)

    def _refusal(self, name: str, error: UserError) -> bytes:
        sentence = self._say(error.sentence) if isinstance(error.sentence, Text) else error.sentence
        return msgspec.json.encode({"id": name, "ok": False, "code": error.code, "sentence": sentence})


def _read(payload: bytes) -> dict[str, Any]:
    try:
        command = decode(payload, LARGEST_COMMAND)
    except Malformed:
        command = None
    if not isinstance(command, dict):
        raise UserError("not-understood", UNREADABLE)
    return command
