"""Games that are played to their end at a showroom's table, for whoever wants to look back at one."""

from __future__ import annotations

from tools.showroom import SeatedPlayers

ORDER = ("return-objective", "choose-loadout", "choose-entry", "move", "end-turn")


def play_out(company: SeatedPlayers) -> None:
    """Both sit down, the sniper walks until time has run out, and nobody looks."""
    if not company.keys:
        company.sit_down()
    company.start(random_setup=True)
    walk_to_the_end(company)


def walk_to_the_end(company: SeatedPlayers, resting: str = "") -> None:
    """From wherever the game stands. A seat that rests ends its turns at once."""
    while not company.picture("sniper")["view"]["over"]:
        for seat in company.keys:
            for act in ("end-turn",) if seat == resting else ORDER:
                while choices := company.legal(seat, act):
                    company.act(seat, choices[0])
