"""PINs are hashed by one thread: many requests at once take no more memory than one after another."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats import pins

ASKING = """
import sys, threading
from firmware_host.seats import pins
pins.QUEUE.seconds = 120.0
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
before = peak()
def ask():
    pin = pins.hash_for("2468", [pins.new_salt()])
    assert pins.is_stored_pin(pin, pin.fresh, pins.hashed(pin, pin.fresh))
if sys.argv[1] == "together":
    threads = [threading.Thread(target=ask) for _ in range(40)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
else:
    for _ in range(40): ask()
print(peak() - before)
"""
HASH = 16 * 1024
"""KiB that one hash takes."""


def grown(how: str) -> int:
    """Return by how many KiB a process grows that hashes PINs in this way."""
    done = subprocess.run([sys.executable, "-c", ASKING, how], capture_output=True, text=True, timeout=300, check=True)
    return int(done.stdout)


def test_simultaneous_hashes_take_hardly_more_memory() -> None:
    """Threads share the allocator's arenas. In rare cases, a block of another thread is in the place of a hash, and the
    next hash gets memory elsewhere. If each request got its own memory, 40 requests would take 16 times as much: one
    block for each arena.
    """
    one = grown("one by one")
    assert one > HASH // 2, "the figure is that of hashes"
    assert grown("together") < one + 2 * HASH


def test_every_hash_is_calculated_by_same_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set[threading.Thread]()

    def scrypt(*_: object, **__: object) -> bytes:
        found.add(threading.current_thread())
        return b"\x00"

    monkeypatch.setattr("hashlib.scrypt", scrypt)
    askers = [threading.Thread(target=lambda: pins.hash_for("2468", [pins.new_salt()])) for _ in range(5)]
    for asker in askers:
        asker.start()
        asker.join()
    pins.hashed("2468", pins.new_salt())
    assert len(found) == 1
    assert found.isdisjoint({threading.current_thread(), *askers})


def test_full_queue_asks_requester_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins.QUEUE, "seconds", 0.0)
    working, done = threading.Event(), threading.Event()

    def scrypt(*_: object, **__: object) -> bytes:
        working.set()
        done.wait(60)
        return b"\x00"

    monkeypatch.setattr("hashlib.scrypt", scrypt)
    held = [pins.QUEUE.next() for _ in range(pins.MOST_WAITING - 1)]
    for queued in held:
        queued.__enter__()
    first = threading.Thread(target=lambda: pins.hash_for("2468", ["00"]))
    first.start()
    assert working.wait(60)
    with pytest.raises(UserError, match="Too many PINs") as refused:
        pins.hash_for("2468", ["00"])
    assert refused.value.code == "busy"
    done.set()
    first.join()
    for queued in held:
        queued.__exit__(None, None, None)
    assert pins.hash_for("2468", ["00"]).hashes == {"00": "00"}


def test_each_salt_is_hashed_once_and_any_text_is_possible() -> None:
    salt = pins.new_salt()
    assert list(pins.hash_for("\ud800\u0142", [salt, salt]).hashes) == [salt]
