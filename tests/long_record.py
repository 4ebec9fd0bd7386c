"""Records of long, legal games: random games in which the defenders mark spaces many times."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.game import Command
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.records import chain, record
from firmware_host.records.chain import ChainEntry, GameHeader, written
from firmware_host.records.record import Record
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import Mark, Unmark
from tests.games.random_play import RandomGame

MAP = "submarine-pens"
DEALT = {"random_setup": True}


class _Written:
    """A record that grows act by act."""

    def __init__(self, seed: int, started: float) -> None:
        board = maps.load(MAP)
        self.options = msgspec.to_builtins(GAME.read_options(DEALT))
        self.hand = RandomGame(GAME, board, seed, DEALT)
        self.header = GameHeader(started, GAME.name, MAP, board.source, self.options)
        self.entries: list[ChainEntry] = []
        self.add("start", "", None, written(self.hand.opening))

    @property
    def referee(self) -> Referee:
        return self.hand.referee

    def add(self, kind: Any, seat: str, command: Any, telling: list[Any]) -> None:
        before = self.entries[-1].hash if self.entries else chain.hash_before_first(self.header)
        at = self.header.started + len(self.entries)
        link = chain.link(before, at, kind, seat, chain.json_text(command), chain.json_text(telling))
        self.entries.append(ChainEntry(at, kind, seat, command, telling, link))

    def act(self, seat: str, command: Command) -> None:
        telling = self.referee.submit(seat, command, self.hand.chance)
        self.add("act", seat, msgspec.to_builtins(command), written(telling))


def long_record(acts: int, seed: int = 3, started: float = 1e9) -> Record:
    """Return the record of a finished game of about `acts` acts."""
    game = _Written(seed, started)
    while game.referee.to_act:
        if len(game.entries) < acts and "defenders" in game.referee.to_act:
            legal = game.referee.legal("defenders")
            marking = next((one for one in legal if isinstance(one, Mark | Unmark)), None)
            if marking is not None:
                game.act("defenders", marking)
                continue
        seat = game.hand.random.choice(game.referee.to_act)
        game.act(seat, game.hand.choose(seat))
    return record.record_of(game.header, game.entries)
