"""Games played to their end at a showroom's table, for tests of finished games."""

from __future__ import annotations

from tools.showroom import SeatedPlayers

ORDER = ("return-objective", "choose-loadout", "choose-entry", "move", "end-turn")


def play_out(company: SeatedPlayers) -> None:
    """Play a game in which the sniper walks until time has run out."""
    if not company.keys:
        company.sit_down()
    company.start(random_setup=True)
    walk_to_the_end(company)


def walk_to_the_end(company: SeatedPlayers) -> None:
    """Continue the current game until it is over. The defenders end each turn at once: their moves take time."""
    while not company.picture("sniper")["view"]["over"]:
        for seat in company.keys:
            for act in ("end-turn",) if seat == "defenders" else ORDER:
                while choices := company.legal(seat, act):
                    company.act(seat, choices[0])
