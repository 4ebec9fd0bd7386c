"""What a seat knows of its acts before it makes them, from its own picture alone: what they give away, the odds, and
why something cannot be done now. A reason is that of the `Refused` which `check` raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.cards import EVERY_CARD, barred
from games.sniper_elite.rules.commands import (
    Ability,
    Attack,
    Deploy,
    Dismiss,
    GatherIntel,
    Move,
    MoveUnit,
    Save,
    Shoot,
    ShootSecond,
    Spot,
    Sweep,
)
from games.sniper_elite.rules.movement import alerted, barking, silent_length
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.odds import Odds, odds, odds_of_second, silenced
from games.sniper_elite.rules.outlook import outlook
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.reach import step_kind
from games.sniper_elite.rules.shooting import blast, steadiness, targets
from games.sniper_elite.rules.specialists import OFFICER_OFF, SPECIALISTS
from games.sniper_elite.rules.squads import homes
from games.sniper_elite.rules.words import MARKS, SQUADS, UNITS, squad_of

DEEDS: Final = ("move", "spot", "sweep", "attack", "deploy", "dismiss")
"""What a unit can do by itself."""
NO_SPACE: Final = Text("no space for it")
NOT_NOW: Final = Text("not possible now")

Reason = dict[str, Any] | None
"""`{"why": Text, "rule": str}`, or None for what can be done."""
Refusing = Callable[[Command], Refused]
"""Why a command that is not legal is refused."""


# --- the sniper -------------------------------------------------------------------------------------------------


def of_sniper(view: Picture, legal: Sequence[Command], late: Refused | None = None) -> dict[str, Any]:
    """Moves with the units and dogs that notice them, targets with line and odds, cards with why they cannot be played,
    or what playing them would do `now`, and whether they would be `wasted`.

    With gear in use a move also has the kind of each of its steps (`steps`).

    Probabilities are floats for the screen with the exact fraction beside them. `blast` are the units that the Trench
    Gun would hit here; `late` is why no card at all can be played now.
    """
    shown = view.mine.space is not None and view.active == "trench-gun"
    return {
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, distance, legal) for unit, distance in targets(view).items()] if legal else [],
        "cards": [_card(view, card, late, legal) for card in dict.fromkeys(view.mine.hand)],
        "blast": blast(view, str(view.mine.space)) if shown else (),
    }


def _move(view: Picture, command: Move) -> dict[str, Any]:
    start = view.mine.space
    heard = alerted(view, start, command.path)
    geared = {"steps": _steps(view, start, command.path)} if view.active in GEAR else {}
    return {
        **geared,
        "path": command.path,
        "noisy": len(command.path) > silent_length(view),
        "alerts": heard,
        "barks": barking(view, start, command.path),
    }


def _steps(view: Picture, start: str | None, path: Sequence[str]) -> list[str]:
    """How each space of a movement is come to: `walk`, `climb` or `dive`; the step from the arrow walks (EN-X-02)."""
    before = [start, *path[:-1]]
    kinds = (
        "walk" if here is None else step_kind(view.map, view.active, here, space)
        for here, space in zip(before, path, strict=True)
    )
    return [kind for kind in kinds if kind is not None]


def _card(view: Picture, card: str, late: Refused | None, legal: Sequence[Command]) -> dict[str, Any]:
    found = {"card": card, "title": EVERY_CARD[card].title}
    why = late or barred(view, card)
    if why is not None:
        return {**found, "why": why.sentence, "rule": why.rule}
    now = outlook(view, card, legal)
    return {**found, "why": None, "rule": None, **({} if now is None else {"now": now.now, "wasted": now.wasted})}


def _shot(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> dict[str, Any]:
    here, there = str(view.mine.space), str(view.units[unit])
    sight = view.map.sight(here, there)
    return {
        "target": unit,
        "space": there,
        "distance": distance,
        "line": None if sight is None else sight.line,
        "through": () if sight is None else sight.through,
        "odds": [{"draw": draw, **_written(chances)} for draw, chances in _draws(view, unit, distance, legal)],
    }


def _draws(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> list[tuple[int, Odds]]:
    if ShootSecond(unit) in legal:
        assert view.second is not None and view.drawn is not None, "the first shot was drawn, the second announced"
        bag = silenced(view.bag) if view.active == "silenced-ammo" else view.bag
        spoilt = not view.options.stands("R-26")
        return [(view.second, odds_of_second(bag, view.drawn, view.second, distance, spoilt, steadiness(view)))]
    shots = [command for command in legal if isinstance(command, Shoot) and command.target == unit]
    bag = silenced(view.bag) if view.active == "silenced-ammo" else view.bag
    return [
        (draw, odds(bag, draw, distance, steadiness(view)))
        for draw in dict.fromkeys(shot.draw for shot in shots)
        if draw is not None
    ]


def _written(chances: Odds) -> dict[str, Any]:
    exact = {"hit": chances.hit, "misfire": chances.misfire, "reveal": chances.reveal}
    floats = {name: float(value) for name, value in exact.items()}
    return {**floats, "exact": {name: str(value) for name, value in exact.items()}}


# --- the defenders ----------------------------------------------------------------------------------------------


def of_defenders(view: Picture, legal: Sequence[Command], late: Refused | None, refusal: Refusing) -> dict[str, Any]:
    """Why each unit's deeds, each squad's intel and each squad's specialist are not possible.

    A deed that is possible is left out of its unit's; null is intel, or a specialist, that can be used.

    `late` is why no squad can act at all now. `marks` counts the tracking cubes that are left.
    """
    possible = {button for command in legal if (button := _button(command)) is not None}

    def reason(button: tuple[str, str], example: Callable[[], Command], words: Text) -> Reason:
        if button in possible:
            return None
        if late is not None:
            return {"why": late.sentence, "rule": late.rule}
        refused = refusal(example())
        return {"why": refused.brief or words, "rule": refused.rule}

    def specialist(squad: str) -> Reason:
        found = reason(("use", squad), partial(SPECIALISTS[view.specialists[squad].card].example, view, squad), NOT_NOW)
        if found is not None and late is None and view.officer_at(squad) is None:
            return {**found, "why": OFFICER_OFF}  # the check of an aimed attack says it of the officer itself
        return found

    return {
        "units": {
            unit: {
                deed: found
                for deed in _deeds(view, unit)
                if (found := reason((deed, unit), partial(_deed, view, unit, deed), NO_SPACE)) is not None
            }
            for unit in UNITS
        },
        "intel": {squad: reason(("intel", squad), partial(GatherIntel, squad), NOT_NOW) for squad in SQUADS},
        "specialists": {squad: specialist(squad) for squad in view.specialists},
        "marks": MARKS - len(view.marks),
    }


def _deeds(view: Picture, unit: str) -> tuple[str, ...]:
    """What a unit could do where it is: a unit off the board is deployed, and does all else on it."""
    return ("deploy",) if view.units[unit] is None else tuple(deed for deed in DEEDS if deed != "deploy")


def _button(command: Command) -> tuple[str, str] | None:
    """What a command does, and the unit or squad that does it; None for what no unit or squad does."""
    match command:
        case GatherIntel(squad):
            return "intel", squad
        case Ability(squad):
            return "use", squad
        case Attack(unit, use=str()) | Save(unit):
            return "use", squad_of(unit)
        case MoveUnit(unit) | Spot(unit) | Sweep(unit) | Attack(unit) | Deploy(unit) | Dismiss(unit):
            return str(type(command).__struct_config__.tag), unit
    return None


def _deed(view: Picture, unit: str, deed: str) -> Command:
    """A command that stands for all of a unit's deed, where none of them is legal: it comes closest to being so."""
    here = view.units[unit] or next(iter(view.map.spaces))
    match deed:
        case "move":
            return MoveUnit(unit, next(iter(view.map.walk[here] or view.map.adjacent[here]), here))
        case "spot":
            return Spot(unit, here)
        case "sweep":
            return Sweep(unit, ())
        case "deploy":
            return Deploy(unit, next(iter(homes(view, unit)), here))
    return Attack(unit) if deed == "attack" else Dismiss(unit)
