"""DEF, INTEL and ACT: actions of the squads in the defenders' turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.chance import Chance
from engine.events import Told
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import noise
from games.sniper_elite.rules.map_acts import ATTACKS, acts_of
from games.sniper_elite.rules.mines import ended_on
from games.sniper_elite.rules.movement import reachable, unit_moves
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, simple_rule, to_all
from games.sniper_elite.rules.specialists import SPECIALISTS, check_special_attack, strike, uses
from games.sniper_elite.rules.words import (
    ACTION_WORDS,
    DEFENDERS,
    KIND_WORDS,
    SQUAD_OF,
    SQUAD_WORDS,
    SQUADS,
    UNITS,
    called,
    is_officer,
    officer_of,
    squad_of,
)

GATHERED = Text("gathered intel")
DISMISSALS = {unit: c.Dismiss(unit) for unit in UNITS}


def _can(view: Picture, unit: str, action: str) -> bool:
    """Return whether turn and cubes allow a unit to take `action` (MP-DEF-02, MP-DEF-04, MP-SPEC-18, R-86)."""
    done = view.done.get(unit, ())
    # Each unit can take each action once per turn. A scouted unit takes none.
    return view.squads[SQUAD_OF[unit]].left > 0 and action not in done and "scout" not in done


def _why_busy(view: Picture, unit: str, action: str) -> Refused | None:
    """Return why turn and cubes don't allow a unit to take `action`, or None."""
    if _can(view, unit, action):
        return None
    squad = squad_of(unit)
    if view.squads[squad].left == 0 and view.squads[squad].intel:
        text = Text("The {squad} squad gathered intel; that was its whole turn.")
        return Refused("MP-DEF-02", text, GATHERED, squad=SQUAD_WORDS[squad])
    if view.squads[squad].left == 0:
        text = Text("The {squad} squad has used both its actions.")
        return Refused("MP-DEF-02", text, Text("no actions left"), squad=SQUAD_WORDS[squad])
    if "scout" in view.acts_done(unit):
        text = Text("{unit} went with the Scout and takes no action this turn.")
        return Refused("MP-SPEC-18", text, Text("went with the Scout"), unit=called(unit))
    text = Text("{unit} has done that already this turn: {deed}.")
    return Refused("MP-DEF-04", text, Text("done this turn"), unit=called(unit), deed=ACTION_WORDS[action])


def _why_unable(view: Picture, unit: str, action: str) -> Refused | None:
    """Return why a unit on the board can't act now, or None; off the board it never can (MP-ACT-20)."""
    if view.units[unit] is None:
        return Refused("MP-ACT-20", Text("{unit} is off the board."), Text("off the board"), unit=called(unit))
    return _why_busy(view, unit, action)


def _require_able(view: Picture, unit: str, action: str) -> None:
    if (why := _why_unable(view, unit, action)) is not None:
        raise why


def able_units(view: Picture, action: str) -> list[tuple[str, str]]:
    """Return the units that can take `action` now, with their spaces."""
    standing = view.units
    return [(unit, space) for unit in UNITS if (space := standing[unit]) is not None and _can(view, unit, action)]


def _offer(view: Picture, action: str, acts: Mapping[tuple[str, str], Iterable[Command]]) -> list[Command]:
    """Return the acts of all units that can take `action` now, from a table by unit and space."""
    return [act for place in able_units(view, action) for act in acts[place]]


# --- move (MP-ACT-01..05) ---------------------------------------------------------------------------------------


def _offer_moves(view: Picture) -> Iterable[c.MoveUnit]:
    return [move for unit, _ in able_units(view, "move") for move in unit_moves(view, unit)]


def _check_move(view: Picture, command: c.MoveUnit) -> c.MoveUnit:
    _require_able(view, command.unit, "move")
    to, space = command.to, view.map.spaces[command.to]
    if to == view.units[command.unit]:
        raise Refused("MP-ACT-01", Text("{unit} stands on {to} already."), unit=called(command.unit), to=to)
    if not space.enterable:
        raise Refused("MP-ACT-04", Text("Nobody can enter {to}: it is {kind}."), to=to, kind=KIND_WORDS[space.kind])
    if all(move.to != to for move in reachable(view, command.unit)):
        raise _out_of_reach(view, command)
    # Last, because a unit on a space that is out of reach is not the reason.
    if (other := view.unit_on(to)) is not None:
        text = Text("{unit} stands on {to}; you may pass there but not stop.")
        raise Refused("MP-ACT-02", text, unit=called(other), to=to)
    return command


def _out_of_reach(view: Picture, command: c.MoveUnit) -> Refused:
    start, to = str(view.units[command.unit]), command.to
    # Find the most specific reason: difficult terrain, then walls, then distance.
    if to in view.map.walk[start]:
        text = Text("At this table a unit that was deployed this turn does not enter difficult terrain: not {to}.")
        return Refused("MP-ACT-03", text, to=to)
    if _within_two(view.map.walk, start, to):
        text = Text("A move that enters difficult terrain goes one space: not {start} to {to}.")
        return Refused("MP-ACT-03", text, start=start, to=to)
    # Spaces that touch without a walkable step are separated by walls or water.
    if _within_two(view.map.adjacent, start, to):
        return Refused("MP-ACT-04", Text("Walls or water lie between {start} and {to}."), start=start, to=to)
    text = Text("A move goes up to two spaces; from {start} it is farther to {to}.")
    return Refused("MP-ACT-01", text, start=start, to=to)


def _within_two(steps: dict[str, tuple[str, ...]], start: str, goal: str) -> bool:
    return any(space == goal or goal in steps[space] for space in steps[start])


def _move(truth: Picture, command: c.MoveUnit, chance: Chance) -> Iterator[Told]:
    yield to_all(events.Moved(command.unit, str(truth.units[command.unit]), command.to))
    yield from ended_on(truth, command.unit, command.to)


# --- attack (MP-ACT-06, MP-ACT-07) ------------------------------------------------------------------------------


def _offer_attacks(view: Picture) -> Iterable[c.Attack]:
    able = [unit for unit, _ in able_units(view, "attack")]
    # Specialist attacks belong to the officer.
    special = [attack for unit in able if is_officer(unit) for attack in uses(view, squad_of(unit), c.Attack)]
    return [*(ATTACKS[unit] for unit in able), *special]


def _check_attack(view: Picture, command: c.Attack) -> c.Attack:
    if command.use is None and (command.space is not None or command.draw is not None):
        raise Refused("MP-ACT-06", Text("An attack hits the unit's own space, without a draw."))
    _require_able(view, command.unit, "attack")
    return command if command.use is None else check_special_attack(view, command)


def _attack(truth: Picture, command: c.Attack, chance: Chance) -> Iterable[Told]:
    if command.use is not None:
        return SPECIALISTS[command.use].effect(truth, command, chance)
    return strike(truth, command.unit, str(truth.units[command.unit]))


# --- spot (MP-ACT-08, MP-ACT-09) --------------------------------------------------------------------------------


def _check_spot(view: Picture, command: c.Spot) -> c.Spot:
    _require_able(view, command.unit, "spot")
    start = str(view.units[command.unit])
    if command not in acts_of(view.map).spots[command.unit, start]:
        raise Refused("MP-ACT-08", Text("Spot a space next to {start} that can be entered."), start=start)
    return command


def _spot(truth: Picture, command: c.Spot, chance: Chance) -> Iterator[Told]:
    # Only the referee's picture knows the sniper's space; the answer is public.
    spotted = truth.mine.space == command.space
    yield to_all(events.Spotted(command.unit, command.space, spotted))
    if spotted:
        yield to_all(events.Revealed(command.space, "spot"))
        yield from noise(truth)


# --- sweep (MP-ACT-10..12, R-49) --------------------------------------------------------------------------------


def _check_sweep(view: Picture, command: c.Sweep) -> c.Sweep:
    _require_able(view, command.unit, "sweep")
    here = str(view.units[command.unit])
    if command in acts_of(view.map).sweeps[command.unit, here]:
        return command
    around = acts_of(view.map).sweepable(here)
    for space in command.spaces:
        if space not in view.map.adjacent[here]:
            text = Text("A sweep covers spaces next to {here}; {space} isn't one.")
            raise Refused("MP-ACT-10", text, here=here, space=space)
        if space not in around:
            text = Text("A sweep covers spaces of one kind; {space} is not of the same kind as {here}.")
            raise Refused("MP-ACT-12", text, space=space, here=here)
    # A unit with a single neighbour of its kind sweeps only that one.
    number = min(2, len(around))
    if len(set(command.spaces)) != len(command.spaces) or len(command.spaces) != number:
        text = Text("Name {number} space beside {unit}.", "Name {number} different spaces beside {unit}.")
        raise Refused("MP-ACT-10", text, number=number, unit=called(command.unit))
    # Return the spaces in the order that `offers` uses.
    return c.Sweep(command.unit, tuple(space for space in around if space in command.spaces))


def _sweep(truth: Picture, command: c.Sweep, chance: Chance) -> Iterator[Told]:
    # The answer says whether, not where, so nothing is revealed (MP-ACT-11).
    hit = truth.mine.space in (truth.units[command.unit], *command.spaces)
    yield to_all(events.Swept(command.unit, command.spaces, hit))


# --- deploy and dismiss (MP-ACT-13..18) -------------------------------------------------------------------------


def officer_home(view: Picture, squad: str) -> str | None:
    """Return the space of a squad's officer if it is in its own sector (MP-ACT-15, MP-INTEL-01)."""
    space = view.officer_at(squad)
    return space if space is not None and view.sector_of(space) == squad else None


def entry_spaces(view: Picture, unit: str) -> tuple[str, ...]:
    """Return where a unit can enter the board, including occupied spaces (MP-ACT-13, MP-ACT-15)."""
    if is_officer(unit):
        return (view.sites.starts[unit],)
    home = officer_home(view, squad_of(unit))
    return () if home is None else view.map.matching[home]


def _deployable(view: Picture, unit: str) -> list[str]:
    occupied = view.units.values()
    return [space for space in entry_spaces(view, unit) if space not in occupied]


def _why_not_deployable(view: Picture, unit: str) -> Refused | None:
    """Return why a unit can't be deployed anywhere now, or None."""
    if view.units[unit] is not None:
        return Refused("MP-ACT-20", Text("{unit} is on the board already."), Text("on the board"), unit=called(unit))
    if "dismiss" in view.acts_done(unit):
        text = Text("{unit} was dismissed and can come back next turn at the earliest.")
        return Refused("MP-ACT-18", text, Text("left this turn"), unit=called(unit))
    return _why_busy(view, unit, "deploy")


def _offer_deployments(view: Picture) -> Iterable[c.Deploy]:
    absent = [unit for unit in UNITS if view.units[unit] is None and _why_not_deployable(view, unit) is None]
    return [c.Deploy(unit, space) for unit in absent for space in _deployable(view, unit)]


def _check_deployment(view: Picture, command: c.Deploy) -> c.Deploy:
    if (why := _why_not_deployable(view, command.unit)) is not None:
        raise why
    if command.space not in _deployable(view, command.unit):
        raise _wrong_space(view, command)
    return command


def _wrong_space(view: Picture, command: c.Deploy) -> Refused:
    squad = squad_of(command.unit)
    if not is_officer(command.unit):
        if officer_home(view, squad) is None:
            text = Text("{unit} is not on the board in its own sector.")
            return Refused("MP-ACT-15", text, unit=called(officer_of(squad)))
        text = Text("Deploy next to the officer, on a free space of the same kind; {space} isn't one.")
        return Refused("MP-ACT-15", text, space=command.space)
    start = view.sites.starts[command.unit]
    if command.space != start:
        text = Text("{unit} comes back to {start} only.")
        return Refused("MP-ACT-13", text, unit=called(command.unit), start=start)
    there = called(str(view.unit_on(start)))
    return Refused("MP-ACT-14", Text("{unit} stands on {start} and has to be moved first."), unit=there, start=start)


# --- intel (MP-INTEL-01..06) ------------------------------------------------------------------------------------


def _no_intel(view: Picture, command: c.GatherIntel) -> Refused | None:
    """Return why a squad can't gather intel now, or None."""
    squad = command.squad
    # If the squad has already asked, give that reason first, even if others apply.
    already = GATHERED if view.squads[squad].intel else None
    if "C" in view.options.experienced_defenders and view.round <= 2:
        text = Text("At this table no intel is gathered in the first two turns.")
        return Refused("MP-DIFF-07", text, Text("not in the first two turns"))
    if "D" in view.options.experienced_defenders and any(turn.intel for turn in view.squads.values()):
        text = Text("At this table only one squad a turn gathers intel.")
        return Refused("MP-DIFF-08", text, already or Text("another squad has asked this turn"))
    if view.squads[squad].left < 2:
        text = Text("The {squad} squad needs both its actions for intel.")
        return Refused("MP-INTEL-02", text, already or Text("takes both actions"), squad=SQUAD_WORDS[squad])
    if officer_home(view, squad) is None:
        text = Text("The {squad} officer is not on the board in the {squad} sector.")
        return Refused("MP-INTEL-01", text, Text("its officer is not in its sector"), squad=SQUAD_WORDS[squad])
    return None


def _intel(truth: Picture, command: c.GatherIntel, chance: Chance) -> Iterator[Told]:
    here = truth.mine.space
    # A sniper who is off the board is in no sector.
    yield to_all(events.Intel(command.squad, here is not None and truth.sector_of(here) == command.squad))


# --- the end of the turn ----------------------------------------------------------------------------------------


def _end(truth: Picture, command: c.EndDefendersTurn, chance: Chance) -> Iterator[Told]:
    """Advance all six cubes, used or not, and remove the sniper miniature (MP-DEF-06, R-85, MP-TURN-04)."""
    yield to_all(events.TurnEnded(DEFENDERS))
    yield to_all(events.Countdown(truth.countdown - 1))
    if truth.miniature is not None:
        yield to_all(events.MiniatureRemoved())


RULES = [
    Rule(c.MoveUnit, _offer_moves, _check_move, _move),
    Rule(c.Attack, _offer_attacks, _check_attack, _attack),
    Rule(c.Spot, lambda view: _offer(view, "spot", acts_of(view.map).spots), _check_spot, _spot),
    Rule(c.Sweep, lambda view: _offer(view, "sweep", acts_of(view.map).sweeps), _check_sweep, _sweep),
    Rule(
        c.Deploy,
        _offer_deployments,
        _check_deployment,
        lambda truth, command, chance: [to_all(events.Deployed(command.unit, command.space))],
    ),
    simple_rule(
        c.Dismiss,
        lambda view: DISMISSALS.values(),
        lambda view, command: _why_unable(view, command.unit, "dismiss"),
        lambda truth, command, chance: [to_all(events.Dismissed(command.unit))],
    ),
    simple_rule(c.GatherIntel, lambda view: map(c.GatherIntel, SQUADS), _no_intel, _intel),
    simple_rule(c.EndDefendersTurn, lambda view: [c.EndDefendersTurn()], lambda view, command: None, _end),
]
