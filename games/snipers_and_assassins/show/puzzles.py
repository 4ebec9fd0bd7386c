"""Puzzles about ranges and ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Posed
from engine.text import Text
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.assassin import goal
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import called
from games.snipers_and_assassins.show.standing import turns_to_go

MOST_TURNS = 8


def puzzle(view: Picture, kind: str, about: Mapping[str, Any]) -> Posed:
    """Return the question which markers are in range (`shot`), or how far it is to the Target (`reach`)."""
    if kind == "shot":
        question = Text(
            "Your Sniper stands on {space} and shoots up to {range} spaces. Mark the spaces of all markers that it can "
            "hit without moving.",
            space=view.at(view.own("sniper")),
            range=view.shot_range(view.turn),
        )
        why = Text("Distances count like a chess king's moves. The empty row between two pathways counts, too.")
        return Posed(question, why, offered=standing(view))
    assert kind == "reach", "a game's puzzles have two kinds"
    question = Text(
        "In how many turns can the Assassin of {player} reach {space} at best, with no one in the way?",
        player=called(view.turn),
        space=str(goal(view, view.turn)),
    )
    here = view.at(view.own("assassin"))
    why = Text("From {space} it takes {turns}: each turn one jump, or up to two steps.", space=here, turns=best(view))
    return Posed(question, why, choices={str(turns): Text(str(turns)) for turns in range(1, MOST_TURNS + 1)})


def best(view: Picture) -> int:
    """Return the fewest turns of the player whose turn it is."""
    return turns_to_go(view, view.turn)


def standing(view: Picture) -> tuple[str, ...]:
    """Return the spaces of the other players' markers."""
    others = (player for seat, player in view.players.items() if seat != view.turn)
    spaces = {place for player in others for place in (player.sniper, player.assassin) if place}
    return tuple(sorted(spaces, key=places.place_of))
