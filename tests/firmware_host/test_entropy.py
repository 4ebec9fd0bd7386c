"""Chance is unpredictable: seeds and nonces use all their bits, and a table's random sources are the system's."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random, SystemRandom
from typing import Any
from urllib.request import Request, urlopen

import pytest

from engine.chance import SECRET_BYTES, Chance
from engine.referee import Referee
from firmware_host.app.daemon import Daemon
from firmware_host.core import maps
from firmware_host.core.settings import settle
from firmware_host.records import chain, promise
from firmware_host.records.chain import read_telling
from firmware_host.records.journal import FILE, Journal, SavedAct, SavedGame
from firmware_host.records.promise import Opening
from firmware_host.seats.players import BotPlayer
from games.sniper_elite import GAME
from games.sniper_elite.rules.words import SEATS
from tests.firmware_host.saved import saved_acts
from tests.patience import PATIENCE, until

OPENINGS = 128
GUESSES = 200
"""Seeds of a weak source that an attacker would try."""
ACTS = 20


# --- promises ---------------------------------------------------------------------------------------------------


def openings(chance: Chance) -> list[Opening]:
    return [promise.new_opening(chance, "toy", "first", "abc", {}) for _ in range(OPENINGS)]


@pytest.mark.parametrize("source", [SystemRandom(), Random(5)], ids=["system", "seeded"])
def test_every_bit_of_seed_and_nonce_varies_without_repeats(source: Random) -> None:
    found = openings(Chance(source))
    for digits in ([it.seed for it in found], [it.nonce for it in found]):
        numbers = [int(it, 16) for it in digits]
        ever = always = numbers[0]
        for number in numbers:
            ever, always = ever | number, always & number
        assert (ever, always) == ((1 << 256) - 1, 0)
    secrets = [secret for it in found for secret in (it.seed, it.nonce)]
    assert len({*secrets, *(it.promise for it in found)}) == 3 * OPENINGS


def test_bits_of_seed_and_nonce_are_independent() -> None:
    """Two bits that are always equal, or always different, would halve the possibilities."""
    found = openings(Chance(SystemRandom()))
    rows = [f"{int(it.seed + it.nonce, 16):0512b}" for it in found]
    columns = ["".join(row[bit] for row in rows) for bit in range(512)]
    plain = [column if column[0] == "0" else column.translate({48: "1", 49: "0"}) for column in columns]
    assert len(set(plain)) == 512


# --- a running table --------------------------------------------------------------------------------------------


class Running:
    """`sniperboard run --simulate` on a new state folder, with fast bots at both seats."""

    def __init__(self, state: Path) -> None:
        self.state = state
        command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
        command += ["--bot-pause-ms", "100", "--state", str(state)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in self._process.stdout)))
        self._address = found[0]

    def ask(self, path: str, **body: Any) -> Any:
        """Send a page's request, or a command if there is a body."""
        data = json.dumps(body).encode() if body else None
        headers = {"Content-Type": "application/json", "Origin": self._address}
        with urlopen(Request(f"{self._address}/api/{path}", data, headers), timeout=PATIENCE) as answer:
            return json.load(answer)

    def play(self) -> None:
        """Seat two bots, start a game, and wait for some acts."""
        for seat in SEATS:
            self.ask("bot", seat=seat, bot="random")
        self.ask("start", map="launch-facility", options={"random_setup": True})
        self.promised = self.ask("lobby")["sealed"]["promise"]
        until(lambda: len(self.acts()) > ACTS)

    def acts(self) -> list[SavedAct]:
        with closing(Journal.open_read_only(self.state / FILE)) as journal:
            return saved_acts(journal, 1)

    def saved(self) -> SavedGame:
        with closing(Journal.open_read_only(self.state / FILE)) as journal:
            return journal.games()[0]

    @property
    def opening(self) -> Opening:
        found = promise.read_opening(self.acts()[0].command)
        assert found is not None
        return found

    def stop(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Running]]:
    """Two tables with a game each."""
    running = [Running(tmp_path_factory.mktemp("table") / "state") for _ in range(2)]
    try:
        for table in running:
            table.play()
        yield running
    finally:
        for table in running:
            table.stop()


def test_two_tables_promise_different_unpredictable_games(tables: list[Running]) -> None:
    found = [table.opening for table in tables]
    assert [it.promise for it in found] == [table.promised for table in tables]
    secrets = {secret for it in found for secret in (it.seed, it.nonce)}
    assert len(secrets) == 4
    assert not secrets & guesses()


def guesses() -> set[str]:
    """Return what weak sources start with."""
    found = set()
    for seed in (*range(GUESSES), *map(str, range(GUESSES))):
        random = Random(seed)
        found |= {random.randbytes(SECRET_BYTES).hex() for _ in range(4)}
    return found


def test_luck_of_bots_is_unpredictable(tables: list[Running]) -> None:
    for table in tables:
        saved, acts = table.saved(), table.acts()
        assert not [seed for seed in range(GUESSES) if foretold(saved, acts, Chance(Random(seed)))]


def test_no_two_random_sources_of_two_tables_start_alike(tmp_path: Path) -> None:
    """A weak source gives the same values to every table, whatever its seed."""
    secrets: set[bytes] = set()
    for name in ("one", "two"):
        settings = settle({"state": str(tmp_path / name), "host": "127.0.0.1", "port": 0})
        daemon = Daemon(settings, time.monotonic)
        try:
            daemon.start()
            secrets |= daemon._loop.call(lambda table: {table.chance.secret(), table.players._luck.secret()})
        finally:
            daemon.stop()
    assert len(secrets) == 4


def foretold(saved: SavedGame, acts: list[SavedAct], luck: Chance) -> bool:
    """Return whether bots with this luck would have acted as those of the table did."""
    board = maps.load(saved.map)
    blank = GAME.blank(board, GAME.read_options(saved.options))
    referee = Referee(GAME, blank)
    players = {seat: BotPlayer("random", GAME, seat, blank[seat], luck) for seat in SEATS}
    referee.tell(read_telling(GAME, acts[0].telling))
    for act in acts[1 : ACTS + 1]:
        if chain.json_text(players[act.seat].ask(referee)) != chain.json_text(act.command):
            return False
        referee.tell(read_telling(GAME, act.telling))
    return True
