"""Games played to their end at a showroom's table, for tests of finished games."""

from __future__ import annotations

from random import Random
from secrets import token_hex

import msgspec

from firmware_host.table.table import Table
from tools.showroom import PIN, SeatedPlayers, Showroom

ORDER = ("return-objective", "choose-loadout", "choose-entry", "move", "end-turn")


def play_out(company: SeatedPlayers) -> None:
    """Play a game in which the sniper walks until time has run out."""
    if not company.keys:
        company.sit_down()
    company.start(random_setup=True)
    walk_to_the_end(company)


def walk_to_the_end(company: SeatedPlayers) -> None:
    """Continue the current game until it is over. The defenders end each turn at once: their moves take time.

    All acts are made in one turn of the loop, and published together: that takes a fifth of the time.
    """

    def walk(table: Table) -> None:
        play = table.session.play
        assert play is not None
        while seats := play.referee.to_act:
            seat, order = seats[0], ("end-turn",) if seats[0] == "defenders" else ORDER
            legal = [msgspec.to_builtins(command) for command in play.referee.legal(seat)]
            action = next(it for kind in order for it in legal if it["type"] == kind)
            table.submit(company.keys[seat], action, table._viewers.revision(seat), token_hex())

    company.set_up()
    company.room.loop.call(walk)
    company.set_up()


def lose_alone(room: Showroom) -> None:
    """Play a solo game on the chosen map until the sniper, who always walks far and noisily, is wounded twice."""
    company, chance = room.company, Random(2)
    company.keys["sniper"] = room.interface.claim("sniper", PIN, "Ada")
    company.start()
    while not (picture := company.picture("sniper"))["view"]["over"]:
        legal = picture["legal"]
        moves = [act for act in legal if act["type"] == "move"]
        far = [act for act in moves if len(act["path"]) > 2] or moves
        rest = [act for act in legal if act["type"] == "end-turn"] or legal
        company.act("sniper", chance.choice(far or rest))
