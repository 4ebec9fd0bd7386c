"""Puzzles about positions: the questions, their choices, and why an answer is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from engine.game import Command, Posed
from engine.text import Text, and_list, comma_list, dash_list
from games.sniper_elite.rules import commands
from games.sniper_elite.rules.odds import Odds, hits, misfires, odds_of_draws, reveals
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.shooting import steadiness, targets
from games.sniper_elite.rules.words import DEFENDERS, TOKEN_WORDS, called

SHOT: Final = Text("Hit {unit} at distance {distance}. The bag has: {tokens}. How many tokens give the best chance?")


def puzzle(view: Picture, kind: str, about: Mapping[str, Any]) -> Posed:
    """Return a question. Raises `KeyError` for an unknown kind."""
    return KINDS[kind](view, about)


def _where(view: Picture, about: Mapping[str, Any]) -> Posed:
    number = len(about["possible"])
    why = Text(
        "Only {number} space fits everything that was heard and answered.",
        "{number} spaces fit everything that was heard and answered.",
        number=number,
    )
    return Posed(Text("Where can the sniper be? Mark every possible space."), why, offered=view.map.enterable)


def _heard(view: Picture, about: Mapping[str, Any]) -> Posed:
    question = Text("You move noisily: {path}. Who hears it? Mark their spaces.", path=dash_list(about["path"]))
    why = Text("A noisy move is heard on all spaces next to it, also next to its start.")
    standing = tuple(space for space in view.units.values() if space is not None)
    return Posed(question, why, offered=standing, path=(str(view.mine.space), *about["path"]))


def _shot(view: Picture, about: Mapping[str, Any]) -> Posed:
    unit, quiet = about["target"], about["quiet"]
    text = SHOT
    if quiet:
        text = Text(
            "Hit {unit} at distance {distance} without being revealed. The bag has: {tokens}. How many tokens give the "
            "best chance?"
        )
    return shot_question(text, unit, targets(view)[unit], view.bag, shot_chances(view, unit, quiet=quiet))


def shot_question(text: Text, unit: str, distance: int, bag: Tokens, chances: Mapping[int, Fraction]) -> Posed:
    """Return the question how many tokens give the best of these chances, number of tokens -> chance."""
    tokens = [Text("{number} {token}", number=bag[token], token=TOKEN_WORDS[token]) for token in bag if bag[token]]
    shares = [Text("{draw}: {share} %", draw=draw, share=round(100 * chance)) for draw, chance in chances.items()]
    why = Text("The chances, by the number of tokens: {shares}.", shares=comma_list(shares))
    question = text.with_(unit=called(unit), distance=distance, tokens=comma_list(tokens))
    return Posed(question, why, choices={str(draw): Text(str(draw)) for draw in chances})


def shot_chances(view: Picture, unit: str, *, quiet: bool) -> dict[int, Fraction]:
    """Return number of tokens -> the exact chance of a hit; with `quiet`, of one that doesn't reveal the sniper."""
    need, steady = targets(view)[unit], steadiness(view)

    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        hit = hits(drawn, need, steady) and not (quiet and reveals(drawn))
        return hit, misfires(drawn, steady), False

    def chance(draw: int) -> Odds:
        return odds_of_draws(view.bag, draw, outcome)

    return {draw: chance(draw).hit for draw in range(need, sum(view.bag.values()) + 1)}


def _reach(view: Picture, about: Mapping[str, Any]) -> Posed:
    turns = about["turns"]
    question = Text(
        "Reach {space} in {turns} turns, without anyone hearing you. The defenders stay where they are. "
        "Mark where each turn before the last one ends.",
        space=about["space"],
        turns=turns,
    )
    why = Text("From there, each move is one space, or has no unit next to it.")
    return Posed(question, why, offered=view.map.enterable)


def _catch(view: Picture, about: Mapping[str, Any]) -> Posed:
    question = Text(
        "The sniper is on a marked space. Find it for certain with two actions, without specialists. Which is first?"
    )
    choices = {str(n): label(commands.read_command(DEFENDERS, raw)) for n, raw in enumerate(about["choices"], 1)}
    first, second = (label(commands.read_command(DEFENDERS, raw)) for raw in about["line"])
    why = Text("For example: {first}, then {second}.", first=first, second=second)
    return Posed(question, why, choices=choices)


def label(command: Command) -> Text:
    """Return an action of a unit as a short text."""
    match command:
        case commands.MoveUnit():
            return Text("{unit} moves to {space}", unit=called(command.unit), space=command.to)
        case commands.Spot():
            return Text("{unit} spots {space}", unit=called(command.unit), space=command.space)
        case commands.Sweep():
            return Text("{unit} sweeps {spaces}", unit=called(command.unit), spaces=and_list(command.spaces))
        case commands.Attack():
            return Text("{unit} attacks", unit=called(command.unit))
    raise KeyError(type(command).__name__)


KINDS: Final[Mapping[str, Callable[[Picture, Mapping[str, Any]], Posed]]] = {
    "where": _where,
    "heard": _heard,
    "shot": _shot,
    "reach": _reach,
    "catch": _catch,
}
