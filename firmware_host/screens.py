"""Pictures as the screens get them: a viewer's own picture of the game, dressed with what a screen shows beside it.

Everything is made from that viewer's picture and from public facts; the truth never comes here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import bots
from engine.game import TABLE, Game
from engine.map import Map
from engine.referee import Referee
from engine.said import Said
from engine.told import Event
from firmware_host.seats.claims import Claim, Claims

LOG_LENGTH = 120
"""The newest sentences that a screen gets."""


def seats(game: Game, claims: Claims, troubles: Mapping[str, str], acted: Mapping[str, str | None]) -> dict[str, Any]:
    """Who sits where, what became of it where a bot has failed, and who acted there last (a device, or None for
    somebody at the board), where all may see that; public.
    """
    return {
        seat: {
            "taken": bool(claims.taken(seat)),
            "devices": [_device(claim) for claim in claims.taken(seat)],
            "trouble": troubles.get(seat),
            "acted": {"device": acted[seat]} if seat in acted else None,
        }
        for seat in game.seats
    }


def _device(claim: Claim) -> dict[str, Any]:
    """Who leads what; `returns` tells that somebody left the seat to a bot and may come back with the PIN."""
    bot = claim.bot or None
    return {"device": claim.device, "squads": claim.squads, "bot": bot, "returns": bool(claim.bot and claim.pin)}


def bots_for(game: Game) -> dict[str, Any]:
    """The bots that can take each seat, with a line about each; those made for this game first."""
    return {
        seat: [{"name": name, "about": Said(bots.about(name))} for name in bots.ranked(game, seat)]
        for seat in game.seats
    }


def of_viewer(referee: Referee, viewer: str) -> dict[str, Any]:
    """The game as `viewer` knows it, what that seat may do, and the newest sentences it was told."""
    game, view = referee.game, referee.pictures[viewer]
    playing = viewer != TABLE
    return {
        "view": game.view(view),
        "legal": game.legal(view, viewer) if playing else [],
        "outlook": game.outlook(view, viewer) if playing else {},
        "log": _log(game, referee.told[viewer]),
    }


NO_GAME: Mapping[str, Any] = {"view": None, "legal": [], "outlook": {}, "log": [], "possible": None}


def _log(game: Game, told: Sequence[Event]) -> list[dict[str, Any]]:
    first = max(0, len(told) - LOG_LENGTH)
    return [
        {
            "n": number,
            "type": type(event).__struct_config__.tag,
            "sentence": game.sentence(event),
            **_drawn(game, event),
        }
        for number, event in enumerate(told[first:], first)
    ]


def _drawn(game: Game, event: Event) -> dict[str, Any]:
    """The tokens that came out of the bag, to be shown one by one."""
    tokens = game.drawn(event)
    return {"tokens": dict(tokens)} if tokens else {}


def of_board(board: Map, miniatures: Sequence[dict[str, Any]], lamps: Mapping[str, str]) -> dict[str, Any]:
    """The simulated board: where its miniatures stand, and the colour of each lamp as six hexadecimal digits."""
    return {"viewer": "board", "map": board.slug, "miniatures": miniatures, "lamps": lamps}


def plain(value: Any) -> Any:
    """A value as JSON-ready data, with everything that is said in it as it is."""
    return msgspec.to_builtins(value, builtin_types=(Said,))
