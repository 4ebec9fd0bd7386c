"""DEF, INTEL and ACT: what the defenders' squads do in their turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.chance import Chance
from engine.events import Told
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import noise
from games.sniper_elite.rules.commands import (
    Attack,
    Deploy,
    Dismiss,
    EndDefendersTurn,
    GatherIntel,
    MoveUnit,
    Spot,
    Sweep,
)
from games.sniper_elite.rules.map_acts import ATTACKS, acts_of
from games.sniper_elite.rules.mines import ended_on
from games.sniper_elite.rules.movement import reachable, unit_moves
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, to_all
from games.sniper_elite.rules.specialists import check_special_attack, decide_special_attack, special_attacks, strike
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
INTEL_TOOK_ALL = Text("The {squad} squad gathered intel; that was its whole turn.")
NO_CUBES = Text("The {squad} squad has used both its actions.")
SCOUTED = Text("{unit} went with the Scout and takes no action this turn.")
ON_BOARD = Text("{unit} is on the board already.")
BOTH_FOR_INTEL = Text("The {squad} squad needs both its actions for intel.")
OFFICER_AWAY = Text("The {squad} officer is not on the board in the {squad} sector.")
ONCE = Text("{unit} has done that already this turn: {deed}.")
DISMISSALS = {unit: Dismiss(unit) for unit in UNITS}
END_OF_TURN = EndDefendersTurn()


def _can(view: Picture, unit: str, action: str) -> bool:
    """Whether a unit can take `action` now, as far as turn and cubes go (MP-DEF-02, MP-DEF-04, MP-SPEC-18, R-86)."""
    done = view.done.get(unit, ())
    return view.squads[SQUAD_OF[unit]].left > 0 and action not in done and "scout" not in done


def _idle(view: Picture, unit: str, action: str) -> Refused | None:
    """Why a unit cannot take `action` now, as far as turn and cubes go."""
    if _can(view, unit, action):
        return None
    squad = squad_of(unit)
    if view.squads[squad].left == 0:
        return _spent(view, squad)
    if "scout" in view.acts_done(unit):
        return Refused("MP-SPEC-18", SCOUTED, Text("went with the Scout"), unit=called(unit))
    return Refused("MP-DEF-04", ONCE, Text("done this turn"), unit=called(unit), deed=ACTION_WORDS[action])


def _spent(view: Picture, squad: str) -> Refused:
    """Why a squad has no action cube left (MP-DEF-02)."""
    if view.squads[squad].intel:
        return Refused("MP-DEF-02", INTEL_TOOK_ALL, GATHERED, squad=SQUAD_WORDS[squad])
    return Refused("MP-DEF-02", NO_CUBES, Text("no actions left"), squad=SQUAD_WORDS[squad])


def _ready(view: Picture, unit: str, action: str) -> Refused | None:
    """The same for a unit that has to be on the board (MP-ACT-20)."""
    if view.units[unit] is None:
        return Refused("MP-ACT-20", Text("{unit} is off the board."), Text("off the board"), unit=called(unit))
    return _idle(view, unit, action)


def _ready_units(view: Picture, action: str) -> list[tuple[str, str]]:
    standing = view.units
    return [(unit, space) for unit in UNITS if (space := standing[unit]) is not None and _can(view, unit, action)]


def _require(why: Refused | None) -> None:
    if why is not None:
        raise why


# --- move (MP-ACT-01..05) ---------------------------------------------------------------------------------------


def _offer_moves(view: Picture) -> Iterable[MoveUnit]:
    return [move for unit, _ in _ready_units(view, "move") for move in unit_moves(view, unit)]


def _check_move(view: Picture, command: MoveUnit) -> MoveUnit:
    _require(_ready(view, command.unit, "move"))
    if command.to == view.units[command.unit]:
        raise Refused("MP-ACT-01", Text("{unit} stands on {to} already.", unit=called(command.unit), to=command.to))
    if not view.map.spaces[command.to].enterable:
        raise Refused(
            "MP-ACT-04",
            Text(
                "Nobody can enter {to}: it is {kind}.", to=command.to, kind=KIND_WORDS[view.map.spaces[command.to].kind]
            ),
        )
    if command.to not in reachable(view, command.unit):
        raise _too_far(view, command)
    if (other := view.unit_on(command.to)) is not None:
        raise Refused(
            "MP-ACT-02",
            Text("{unit} stands on {to}; you may pass there but not stop.", unit=called(other), to=command.to),
        )
    return command


def _too_far(view: Picture, command: MoveUnit) -> Refused:
    start = str(view.units[command.unit])
    walls_away = _within_two(view.map.adjacent, start, command.to)
    if command.to in view.map.walk[start]:
        return Refused(
            "MP-ACT-03",
            Text(
                "At this table a unit that was deployed this turn does not enter difficult terrain: not {to}.",
                to=command.to,
            ),
        )
    if _within_two(view.map.walk, start, command.to):
        return Refused(
            "MP-ACT-03",
            Text(
                "A move that enters difficult terrain goes one space: not {start} to {to}.", start=start, to=command.to
            ),
        )
    if walls_away:
        return Refused("MP-ACT-04", Text("Walls or water lie between {start} and {to}.", start=start, to=command.to))
    return Refused(
        "MP-ACT-01",
        Text("A move goes up to two spaces; from {start} it is farther to {to}.", start=start, to=command.to),
    )


def _within_two(steps: dict[str, tuple[str, ...]], start: str, goal: str) -> bool:
    return any(space == goal or goal in steps[space] for space in steps[start])


def _move(truth: Picture, command: MoveUnit, chance: Chance) -> Iterator[Told]:
    yield to_all(events.Moved(command.unit, str(truth.units[command.unit]), command.to))
    yield from ended_on(truth, command.unit, command.to)


# --- attack (MP-ACT-06, MP-ACT-07) ------------------------------------------------------------------------------


def _offer_attacks(view: Picture) -> Iterable[Attack]:
    ready = [unit for unit, _ in _ready_units(view, "attack")]
    special = [attack for unit in ready if is_officer(unit) for attack in special_attacks(view, squad_of(unit))]
    return [*(ATTACKS[unit] for unit in ready), *special]


def _check_attack(view: Picture, command: Attack) -> Attack:
    if command.use is None and (command.space is not None or command.draw is not None):
        raise Refused("MP-ACT-06", Text("An attack hits the unit's own space, without a draw."))
    _require(_ready(view, command.unit, "attack"))
    return command if command.use is None else check_special_attack(view, command)


def _attack(truth: Picture, command: Attack, chance: Chance) -> Iterable[Told]:
    if command.use is not None:
        return decide_special_attack(truth, command, chance)
    return strike(truth, command.unit, str(truth.units[command.unit]))


# --- spot (MP-ACT-08, MP-ACT-09) --------------------------------------------------------------------------------


def _spots(view: Picture, unit: str) -> tuple[Spot, ...]:
    return acts_of(view.map).spots[unit, str(view.units[unit])]


def _offer_spots(view: Picture) -> Iterable[Spot]:
    return [spot for unit, _ in _ready_units(view, "spot") for spot in _spots(view, unit)]


def _check_spot(view: Picture, command: Spot) -> Spot:
    _require(_ready(view, command.unit, "spot"))
    if command not in _spots(view, command.unit):
        raise Refused(
            "MP-ACT-08",
            Text("Spot a space next to {start} that somebody can be in.", start=str(view.units[command.unit])),
        )
    return command


def _spot(truth: Picture, command: Spot, chance: Chance) -> Iterator[Told]:
    found = truth.mine.space == command.space
    yield to_all(events.Spotted(command.unit, command.space, found))
    if found:
        yield to_all(events.Revealed(command.space, "spot"))
        yield from noise(truth)


# --- sweep (MP-ACT-10..12, R-49) --------------------------------------------------------------------------------


def _offer_sweeps(view: Picture) -> Iterable[Sweep]:
    found = acts_of(view.map).sweeps
    return [sweep for place in _ready_units(view, "sweep") for sweep in found[place]]


def _check_sweep(view: Picture, command: Sweep) -> Sweep:
    _require(_ready(view, command.unit, "sweep"))
    here = str(view.units[command.unit])
    if command in acts_of(view.map).sweeps[command.unit, here]:
        return command
    around = acts_of(view.map).sweepable(here)
    for space in command.spaces:
        if space not in view.map.adjacent[here]:
            raise Refused(
                "MP-ACT-10", Text("A sweep covers neighbours of {here}; {space} is none.", here=here, space=space)
            )
        if space not in around:
            raise Refused(
                "MP-ACT-12",
                Text(
                    "A sweep covers spaces of one kind; {space} is not of the same kind as {here}.",
                    space=space,
                    here=here,
                ),
            )
    if len(set(command.spaces)) != len(command.spaces) or len(command.spaces) != min(2, len(around)):
        raise Refused(
            "MP-ACT-10",
            Text(
                "Name {number} space beside {unit}.",
                "Name {number} different spaces beside {unit}.",
                number=min(2, len(around)),
                unit=called(command.unit),
            ),
        )
    return Sweep(command.unit, tuple(space for space in around if space in command.spaces))


def _sweep(truth: Picture, command: Sweep, chance: Chance) -> Iterator[Told]:
    found = truth.mine.space in (truth.units[command.unit], *command.spaces)
    yield to_all(events.Swept(command.unit, command.spaces, found))


# --- deploy and dismiss (MP-ACT-13..18) -------------------------------------------------------------------------


def officer_home(view: Picture, squad: str) -> str | None:
    """Where a squad's officer stands, if that is in its own sector (MP-ACT-15, MP-INTEL-01)."""
    space = view.officer_at(squad)
    return space if space is not None and view.sector_of(space) == squad else None


def homes(view: Picture, unit: str) -> tuple[str, ...]:
    """Where a unit comes onto the board, spaces that others hold included (MP-ACT-13, MP-ACT-15)."""
    if is_officer(unit):
        return (view.sites.starts[unit],)
    home = officer_home(view, squad_of(unit))
    return () if home is None else view.map.matching[home]


def _deployable(view: Picture, unit: str) -> list[str]:
    held = view.units.values()
    return [space for space in homes(view, unit) if space not in held]


def _barred_deploy(view: Picture, unit: str) -> Refused | None:
    if view.units[unit] is not None:
        return Refused("MP-ACT-20", ON_BOARD, Text("on the board"), unit=called(unit))
    if "dismiss" in view.acts_done(unit):
        return Refused(
            "MP-ACT-18",
            Text("{unit} was dismissed and comes back next turn at the soonest."),
            Text("left this turn"),
            unit=called(unit),
        )
    return _idle(view, unit, "deploy")


def _offer_deploys(view: Picture) -> Iterable[Deploy]:
    absent = [unit for unit in UNITS if view.units[unit] is None and _barred_deploy(view, unit) is None]
    return [Deploy(unit, space) for unit in absent for space in _deployable(view, unit)]


def _check_deploy(view: Picture, command: Deploy) -> Deploy:
    _require(_barred_deploy(view, command.unit))
    if command.space in _deployable(view, command.unit):
        return command
    if is_officer(command.unit):
        raise _officer_barred(view, command)
    squad = squad_of(command.unit)
    if officer_home(view, squad) is None:
        raise Refused(
            "MP-ACT-15", Text("{unit} is not on the board in its own sector.", unit=called(officer_of(squad)))
        )
    raise Refused(
        "MP-ACT-15",
        Text("Deploy on a free space beside the officer, of the same kind; {space} is none.", space=command.space),
    )


def _officer_barred(view: Picture, command: Deploy) -> Refused:
    start = view.sites.starts[command.unit]
    if command.space != start:
        return Refused("MP-ACT-13", Text("{unit} comes back to {start} only.", unit=called(command.unit), start=start))
    there = called(str(view.unit_on(start)))
    return Refused("MP-ACT-14", Text("{unit} stands on {start} and has to be moved first.", unit=there, start=start))


def _deploy(truth: Picture, command: Deploy, chance: Chance) -> Iterator[Told]:
    yield to_all(events.Deployed(command.unit, command.space))


def _offer_dismissals(view: Picture) -> Iterable[Dismiss]:
    return [DISMISSALS[unit] for unit, _ in _ready_units(view, "dismiss")]


def _check_dismissal(view: Picture, command: Dismiss) -> Dismiss:
    _require(_ready(view, command.unit, "dismiss"))
    return command


def _dismiss(truth: Picture, command: Dismiss, chance: Chance) -> Iterator[Told]:
    yield to_all(events.Dismissed(command.unit))


# --- intel (MP-INTEL-01..06) ------------------------------------------------------------------------------------


def _barred_intel(view: Picture, squad: str) -> Refused | None:
    asked = GATHERED if view.squads[squad].intel else None
    if "C" in view.options.experienced_defenders and view.round <= 2:
        return Refused(
            "MP-DIFF-07",
            Text("At this table no intel is gathered in the first two turns."),
            Text("not in the first two turns"),
        )
    if "D" in view.options.experienced_defenders and any(turn.intel for turn in view.squads.values()):
        return Refused(
            "MP-DIFF-08",
            Text("At this table only one squad a turn gathers intel."),
            asked or Text("another squad has asked this turn"),
        )
    if view.squads[squad].left < 2:
        return Refused(
            "MP-INTEL-02",
            BOTH_FOR_INTEL,
            asked or Text("takes both actions"),
            squad=SQUAD_WORDS[squad],
        )
    if officer_home(view, squad) is None:
        return Refused(
            "MP-INTEL-01",
            OFFICER_AWAY,
            Text("its officer is not in its sector"),
            squad=SQUAD_WORDS[squad],
        )
    return None


def _offer_intel(view: Picture) -> Iterable[GatherIntel]:
    return [GatherIntel(squad) for squad in SQUADS if _barred_intel(view, squad) is None]


def _check_intel(view: Picture, command: GatherIntel) -> GatherIntel:
    _require(_barred_intel(view, command.squad))
    return command


def _intel(truth: Picture, command: GatherIntel, chance: Chance) -> Iterator[Told]:
    here = truth.mine.space
    yield to_all(events.Intel(command.squad, here is not None and truth.sector_of(here) == command.squad))


# --- the end of the turn --------------------------------------------------------------------------------------------


def _offer_end(view: Picture) -> Iterable[EndDefendersTurn]:
    return (END_OF_TURN,)


def _check_end(view: Picture, command: EndDefendersTurn) -> Command:
    return command


def _end(truth: Picture, command: EndDefendersTurn, chance: Chance) -> Iterator[Told]:
    """All six cubes advance, used or not (MP-DEF-06, R-85); the miniature goes (MP-TURN-04)."""
    yield to_all(events.TurnEnded(DEFENDERS))
    yield to_all(events.Countdown(truth.countdown - 1))
    if truth.miniature is not None:
        yield to_all(events.MiniatureRemoved())


RULES = [
    Rule(MoveUnit, _offer_moves, _check_move, _move),
    Rule(Attack, _offer_attacks, _check_attack, _attack),
    Rule(Spot, _offer_spots, _check_spot, _spot),
    Rule(Sweep, _offer_sweeps, _check_sweep, _sweep),
    Rule(Deploy, _offer_deploys, _check_deploy, _deploy),
    Rule(Dismiss, _offer_dismissals, _check_dismissal, _dismiss),
    Rule(GatherIntel, _offer_intel, _check_intel, _intel),
    Rule(EndDefendersTurn, _offer_end, _check_end, _end),
]
