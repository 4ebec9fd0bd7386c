"""Information for a seat before acting: what acts reveal, odds, and reasons for refusals.

Everything comes from the seat's own picture. A reason is the one of the `Refused` that `check` raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from engine.game import Command
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text, and_list
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.cards import EVERY_CARD, why_not_play
from games.sniper_elite.rules.map_acts import step_kind
from games.sniper_elite.rules.movement import alerted, barking, silent_length
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.odds import Odds, odds, odds_of_second, silenced
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.shooting import blast, steadiness, targets
from games.sniper_elite.rules.specialists import OFFICER_OFF, SPECIALISTS
from games.sniper_elite.rules.squads import entry_spaces
from games.sniper_elite.rules.words import MARKS, SQUADS, UNITS, called, squad_of

DEEDS: Final = ("move", "spot", "sweep", "attack", "deploy", "dismiss")  # What a unit can do on its own
NO_SPACE: Final = Text("no space for it")
NOT_NOW: Final = Text("not possible now")

POSSIBLE: Final = {"why": None, "rule": None}
Reason = Mapping[str, Any] | None  # `{"why": Text, "rule": str}`, or None if it is possible
Refusing = Callable[[Command], Refused]  # Return why a command that isn't legal is refused


# --- the sniper -------------------------------------------------------------------------------------------------


def of_sniper(view: Picture, legal: Sequence[Command], late: Refused | None = None) -> dict[str, Any]:
    """Return the legal moves, targets and cards, with what is known of each in advance.

    Moves list the units and dogs that notice them. Targets have their line and odds. A card has the reason why it can't
    be played, or what it would do `now` and whether that would be `wasted`.

    With gear in use, a move also lists the kind of each step (`steps`).

    Probabilities are floats for the screen, with the exact fraction next to them. `blast` lists the units that the
    Trench Gun would hit here. `late` is the reason why no card at all can be played now.
    """
    can_blast = view.mine.space is not None and view.active == "trench-gun"
    return {
        "moves": [_move(view, command) for command in legal if isinstance(command, c.Move)],
        "shots": [_shot_facts(view, unit, distance, legal) for unit, distance in targets(view).items()]
        if legal
        else [],
        "cards": [_card_facts(view, card, late, legal) for card in dict.fromkeys(view.mine.hand)],
        "blast": blast(view, str(view.mine.space)) if can_blast else (),
    }


def _move(view: Picture, command: c.Move) -> dict[str, Any]:
    start = view.mine.space
    alerts = alerted(view, start, command.path)
    geared = {"steps": _step_kinds(view, start, command.path)} if view.active in GEAR else {}
    return {
        **geared,
        "path": command.path,
        "noisy": len(command.path) > silent_length(view),
        "alerts": alerts,
        "barks": barking(view, start, command.path),
    }


def _step_kinds(view: Picture, start: str | None, path: Sequence[str]) -> list[str]:
    """Return how each space of a path is entered: `walk`, `climb` or `dive` (EN-X-02). The arrow counts as `walk`."""
    steps = zip([start, *path[:-1]], path, strict=True)
    # Steps outside the rules have no kind and are left out.
    kinds = ["walk" if here is None else step_kind(view.map, view.active, here, space) for here, space in steps]
    return [kind for kind in kinds if kind is not None]


def _card_facts(view: Picture, card: str, late: Refused | None, legal: Sequence[Command]) -> dict[str, Any]:
    facts = {"card": card, "title": EVERY_CARD[card].title}
    why = late or why_not_play(view, card)
    if why is not None:
        return {**facts, **why.reason}
    now = outlook(view, card, legal)
    return {**facts, **POSSIBLE, **({} if now is None else {"now": now.now, "wasted": now.wasted})}


def _shot_facts(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> dict[str, Any]:
    chances = _odds_by_draw(view, unit, distance, legal)
    return {
        **target_facts(view.map, str(view.mine.space), unit, str(view.units[unit]), distance),
        "odds": [{"draw": draw, **odds_as_json(asdict(shot_odds))} for draw, shot_odds in chances],
    }


def target_facts(board: Map, here: str, target: str, there: str, distance: int) -> dict[str, Any]:
    """Return a target, and the line of a shot at it."""
    sight = board.sight(here, there)
    line, through = (None, ()) if sight is None else (sight.line, sight.through)
    return {"target": target, "space": there, "distance": distance, "line": line, "through": through}


def _odds_by_draw(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> list[tuple[int, Odds]]:
    steady, bag = steadiness(view), silenced(view.bag) if view.active == "silenced-ammo" else view.bag
    if c.ShootSecond(unit) in legal:
        assert view.second is not None and view.drawn is not None, "the first shot was drawn, the second announced"
        spoilt = not view.options.stands("R-26")
        # The count of a second shot was announced with the first, so there is only one.
        return [(view.second, odds_of_second(bag, view.drawn, view.second, distance, spoilt, steady))]
    draws = [command.draw for command in legal if isinstance(command, c.Shoot) and command.target == unit]
    return [(draw, odds(bag, draw, distance, steady)) for draw in dict.fromkeys(draws) if draw is not None]


def odds_as_json(exact: Mapping[str, Fraction]) -> dict[str, Any]:
    """Return exact odds as floats for a screen, and as fractions."""
    return {name: float(value) for name, value in exact.items()} | {
        "exact": {name: str(it) for name, it in exact.items()}
    }


# --- what playing a card would do now (MP-LOAD-06, MP-LOAD-07) -----------------------------------------------------


class Outlook(Struct, frozen=True):
    """A sentence that says what a card would do now, and whether that is nothing."""

    now: Text
    wasted: bool = False


def outlook(view: Picture, card: str, legal: Sequence[Command]) -> Outlook | None:
    """Return the outlook of a card that can be played now, or None for a card with a choice.

    `legal` has the sniper's legal acts. A card is wasted if nothing that the sniper can still do this turn lets it have
    an effect.
    """
    match card:
        case "sound-masking":
            return _masking_outlook(view, [command for command in legal if isinstance(command, c.Move)])
        case "s-mine":
            return _mine_outlook(view)
        case "silenced-ammo" | "tommy-gun":
            return _aim_outlook(view)
        case "trench-gun":
            return _blast_outlook(view)
    sentence = Text("It changes the steps that you can make this turn; play it, and the map shows them.")
    return Outlook(sentence) if card in GEAR else None


def _masking_outlook(view: Picture, moves: Sequence[c.Move]) -> Outlook:
    long = [move for move in moves if len(move.path) > silent_length(view)]
    if not long:
        return Outlook(Text("No move that you can make now would be noisy: the card would be wasted."), wasted=True)
    # Count the moves that the card would actually silence.
    noticed = sum(bool(alerted(view, view.mine.space, move.path)) for move in long)
    if not noticed:
        return Outlook(
            Text("No unit is near enough to hear any of your moves now: the card would be wasted."), wasted=True
        )
    sentence = Text(
        "Of {long} longer moves that you can make now, {heard} would be heard.", long=len(long), heard=noticed
    )
    return Outlook(sentence)


def _mine_outlook(view: Picture) -> Outlook:
    here = str(view.mine.space)
    if here in view.mine.mines:
        return Outlook(Text("You already have a mine on {space}.", space=here))
    return Outlook(Text("The mine will lie on {space}, where you are now.", space=here))


def _aim_outlook(view: Picture) -> Outlook:
    seen = targets(view)
    if seen:
        return Outlook(Text("From here you can shoot at {units}.", units=and_list(map(called, seen))))
    if view.mine.moved:
        return Outlook(Text("From here you see nobody to shoot at: the card would be wasted."), wasted=True)
    return Outlook(Text("From here you see nobody to shoot at; move before you shoot."))


def _blast_outlook(view: Picture) -> Outlook:
    hit = () if view.mine.space is None else blast(view, view.mine.space)
    if hit:
        return Outlook(Text("From here it would hit {units}.", units=and_list(map(called, hit))))
    if view.mine.moved:
        return Outlook(Text("From here it would hit nobody: the card would be wasted."), wasted=True)
    return Outlook(Text("From here it would hit nobody; move before you shoot."))


# --- the defenders ----------------------------------------------------------------------------------------------


def of_defenders(view: Picture, legal: Sequence[Command], late: Refused | None, refusal: Refusing) -> dict[str, Any]:
    """Return why acts of units, intel of squads, and specialists aren't possible.

    Possible acts are left out of their unit's entry. Null means that intel or the specialist is possible. `late` is the
    reason why no squad can act at all now. `marks` is the number of tracking cubes left.
    """
    possible = _possible(legal)

    def reason(button: tuple[str, str], example: Callable[[], Command], words: Text) -> Reason:
        if button in possible:
            return None
        if late is not None:
            return late.reason
        refused = refusal(example())
        return {"why": refused.brief or words, "rule": refused.rule}

    # An attack by the officer is refused for the unit. The screen shows the reason of the specialist.
    def specialist(squad: str) -> Reason:
        why = reason(("use", squad), partial(SPECIALISTS[view.specialists[squad].card].example, view, squad), NOT_NOW)
        if why is not None and late is None and view.officer_at(squad) is None:
            return {**why, "why": OFFICER_OFF}  # the aimed attack's check gives this reason itself
        return why

    return {
        "units": {
            unit: {
                deed: why
                for deed in _deeds(view, unit)
                if (why := reason((deed, unit), partial(_example_of_deed, view, unit, deed), NO_SPACE)) is not None
            }
            for unit in UNITS
        },
        "intel": {squad: reason(("intel", squad), partial(c.GatherIntel, squad), NOT_NOW) for squad in SQUADS},
        "specialists": {squad: specialist(squad) for squad in view.specialists},
        "marks": MARKS - len(view.marks),
    }


def _deeds(view: Picture, unit: str) -> tuple[str, ...]:
    """Return the acts of a unit in its place: deployment off the board, everything else on it."""
    return ("deploy",) if view.units[unit] is None else tuple(deed for deed in DEEDS if deed != "deploy")


def _possible(legal: Sequence[Any]) -> set[tuple[str, str]]:
    """Return the acts among the legal commands, each with its unit or squad."""
    pairs = set[tuple[type[Command], str]]()
    for command in legal:
        # There are far fewer pairs than commands. A match statement would try one kind after the other.
        if (kind := type(command)) in _OF_UNITS and (kind is not c.Attack or command.use is None):
            pairs.add((kind, command.unit))
        elif kind in _OF_SQUADS:
            pairs.add((kind, command.squad))
        elif kind is c.Attack or kind is c.Save:
            pairs.add((c.Ability, squad_of(command.unit)))
    return {(_OF_UNITS.get(kind) or _OF_SQUADS[kind], name) for kind, name in pairs}


_OF_UNITS: Final[Mapping[type[Command], str]] = {
    kind: str(kind.__struct_config__.tag) for kind in (c.MoveUnit, c.Spot, c.Sweep, c.Attack, c.Deploy, c.Dismiss)
}
"""Commands for a unit -> what it does. An attack with an ability is the squad's."""
_OF_SQUADS: Final[Mapping[type[Command], str]] = {c.GatherIntel: "intel", c.Ability: "use"}
"""Commands for a squad -> what it does."""


def _example_of_deed(view: Picture, unit: str, deed: str) -> Command:
    """Return the command for a unit's act that comes closest to being legal."""
    # A unit off the board needs any space for the example.
    here = view.units[unit] or next(iter(view.map.spaces))
    match deed:
        case "move":
            return c.MoveUnit(unit, next(iter(view.map.walk[here] or view.map.adjacent[here]), here))
        case "spot":
            return c.Spot(unit, here)
        case "sweep":
            return c.Sweep(unit, ())
        case "deploy":
            return c.Deploy(unit, next(iter(entry_spaces(view, unit)), here))
    return c.Attack(unit) if deed == "attack" else c.Dismiss(unit)
