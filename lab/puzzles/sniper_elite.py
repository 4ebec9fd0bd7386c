"""The puzzles of Sniper Elite. All answers are exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.events import Event
from engine.game import REFEREE, TABLE, Command
from engine.graph import Map
from firmware_host.core.data_files import Puzzle
from firmware_host.play.puzzles import PuzzlePosition
from games.sniper_elite.game import GAME
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.movement import alerted, silent_length
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.shooting import targets
from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from games.sniper_elite.show.puzzles import shot_chances
from lab.puzzles.drawing import best_draw, chances_by_drawing
from lab.puzzles.kinds import Answers, PuzzleDraft, PuzzleKind, RecordedMoment, score

FEWEST_CHOICES = 4
MOST_SPACES, FEWEST_SPACES = 18, 2
MOST_POSSIBLE = 7
MOST_EVENTS = 24
MOST_ANSWERS = 8


def _chance() -> Chance:
    return Chance(Random(0))


def _sniper_turn(moment: RecordedMoment) -> Picture | None:
    """Return the sniper's picture if it can begin its turn on the board now."""
    me: Picture = moment.pictures[SNIPER]
    begins = me.turn == SNIPER and me.pending is None and me.over is None and not (me.acted or me.carded)
    return me if begins and me.mine.space is not None and not me.mine.moved and me.active is None else None


# --- where can the sniper be? -------------------------------------------------------------------------------------

PLAIN = (
    *(e.Alerted, e.Barked, e.DogPlaced, e.TurnEnded, e.Countdown, e.Moved, e.Deployed, e.Dismissed, e.MiniatureRemoved),
    *(e.Attacked, e.Spotted, e.Swept, e.Intel),
)
"""Public events that restrict where the sniper can be, even without knowledge of its cards."""
MOVING = ("distraction",)
"""Cards that move a unit that the sniper sees."""
PINNED = e.Revealed | e.ObjectiveCompleted
"""Events after which everyone knows the sniper's space."""
ANSWERED = e.Attacked | e.Spotted | e.Swept | e.Intel
NOTES = e.Marked | e.Unmarked


def _is_plain(event: Event) -> bool:
    return isinstance(event, PLAIN) or (isinstance(event, e.CardPlayed) and event.card not in (None, *MOVING))


def _find_where(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for start, moment in enumerate(played):
        seen = [event for event in moment.events if isinstance(event, PINNED)]
        truth: Picture = moment.pictures[REFEREE]
        hidden = truth.turn == SNIPER and truth.carded and truth.face_down_size
        if not seen or truth.pending is not None or truth.over is not None or hidden:
            continue
        events: list[Event] = [e.Revealed(seen[-1].space, "spot")]
        for later in played[start + 1 :]:
            events += [event for event in later.events if not isinstance(event, NOTES)]
            view = later.pictures[TABLE]
            if len(events) > MOST_EVENTS or not all(map(_is_plain, events[1:])):
                break
            answered = later.events and isinstance(later.events[0], ANSWERED | e.TurnEnded)
            if answered and view.turn == DEFENDERS and view.over is None:
                yield PuzzleDraft(moment.puzzle(DEFENDERS, events=events), _read_where)


def _solve_where(position: PuzzlePosition) -> Answers:
    spaces = tuple(position.possible or ())
    return (spaces,) if FEWEST_SPACES <= len(spaces) <= MOST_SPACES else ()


def _verify_where(position: PuzzlePosition) -> Answers:
    spaces = _followed(position)
    return (tuple(space for space in _board(position).enterable if space in spaces),)


def _board(position: PuzzlePosition) -> Map:
    assert position.board is not None, "the game has a map"
    return position.board


def _followed(position: PuzzlePosition, *, hears: bool = True, asks: bool = True) -> set[str]:
    """Return where the sniper can be after the events, by trying every legal act in every possible world.

    With `hears`, movements that don't match what the defenders heard are excluded; with `asks`, spaces that don't match
    the answers.
    """
    truth: Picture = _before(position)
    seen = next(event for event in position.events if isinstance(event, e.Revealed))
    # A world is a space, and whether the sniper has moved in this turn.
    worlds = {(seen.space, moved) for moved in (False, True)} if truth.turn == SNIPER else {(seen.space, False)}
    for number, event in enumerate(position.events):
        before, later = position.events[number - 1], position.events[number + 1 : number + 2]
        if isinstance(event, e.Alerted) or (isinstance(event, e.Barked) and not isinstance(before, e.Alerted)):
            noises: list[Event] = [event, *(noise for noise in later if isinstance(noise, e.Barked))]
            audible = noises if hears else None
            worlds = {after for world in worlds for after in _moves(truth, world, audible)}
        if isinstance(event, e.TurnEnded) and event.seat == SNIPER:
            quiet = {after for world in worlds for after in _moves(truth, world, [] if hears else None)}
            worlds = {(space, False) for space, _ in worlds | quiet}
        if asks and isinstance(event, ANSWERED) and (spaces := _asked(truth, event)):
            worlds = {world for world in worlds if (world[0] in spaces) == bool(event.found)}
        truth = GAME.fold(truth, event)
    return {space for space, _ in worlds}


def _before(position: PuzzlePosition) -> Picture:
    pictures = GAME.position(_board(position), position.options, position.puzzle.position, _chance())
    truth: Picture = pictures[REFEREE]
    return truth


def _at(truth: Picture, space: str) -> Picture:
    return replace(truth, dossier=replace(truth.mine, space=space, moved=False, been=()))


def _moves(truth: Picture, world: tuple[str, bool], audible: list[Event] | None) -> Iterator[tuple[str, bool]]:
    """Yield the worlds after each movement that causes exactly these public events; None allows any."""
    space, moved = world
    here = _at(truth, space)
    for command in () if moved else GAME.legal(here, SNIPER):
        if isinstance(command, c.Move):
            public = [told.event for told in GAME.decide(here, command, _chance()) if told.audience.includes(TABLE)]
            if audible is None or public == audible:
                yield command.path[-1], True


def _asked(truth: Picture, event: Any) -> set[str]:
    """Return the spaces that an answer is about; none if there was no answer."""
    if event.found is None:
        return set()
    match event:
        case e.Swept():
            return {str(truth.units[event.unit]), *event.spaces}
        case e.Intel():
            return {space.id for space in truth.map.spaces.values() if space.sector == event.squad}
    return {event.space}


def _read_where(position: PuzzlePosition) -> Sequence[float]:
    """Return the scores of three solvers: one that uses only the distance, one that also uses noise, and one that also
    uses the answers."""
    puzzle, answers = position.puzzle, _solve_where(position)
    readers = [_followed(position, hears=hears, asks=asks) for hears, asks in ((False, False), (True, False))]
    readers.append(_followed(position, hears=False, asks=True))
    return [score(puzzle, answers, [*spaces]) for spaces in readers]


# --- who hears it? ------------------------------------------------------------------------------------------------


def _find_heard(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for moment in played:
        if (me := _sniper_turn(moment)) is None:
            continue
        moves = [command.path for command in GAME.legal(me, SNIPER) if isinstance(command, c.Move)]
        loud = [path for path in moves if len(path) > silent_length(me)]
        # The movement that most units hear is the best question.
        path = max(loud, key=lambda path: (len(alerted(me, me.mine.space, path)), len(path)), default=())
        if len(alerted(me, me.mine.space, path)) > 1:
            yield PuzzleDraft(moment.puzzle(SNIPER, {"path": path}), _read_heard)


def _solve_heard(position: PuzzlePosition) -> Answers:
    view: Picture = position.view
    move = c.Move(tuple(position.puzzle.about["path"]))
    events = [told.event for told in GAME.decide(view, GAME.check(view, SNIPER, move), _chance())]
    units = [unit for event in events if isinstance(event, e.Alerted) for unit in event.units]
    return (tuple(str(view.units[unit]) for unit in units),) if units else ()


def _verify_heard(position: PuzzlePosition) -> Answers:
    view, path = position.view, set(position.puzzle.about["path"]) | {position.view.mine.space}
    return (tuple(space for space in view.units.values() if space and path & set(view.map.adjacent[space])),)


def _read_heard(position: PuzzlePosition) -> Sequence[float]:
    """Return the scores of three solvers: one that considers only the end of the path, one that forgets the start, and
    one that hears through doors."""
    view, path = position.view, position.puzzle.about["path"]
    readers: list[tuple[Mapping[str, Any], Sequence[str]]] = [
        (view.map.adjacent, path[-1:]),
        (view.map.adjacent, path),
        (view.map.walk, [view.mine.space, *path]),
    ]
    answers = [[space for space in view.units.values() if space and {*ways[space]} & {*of}] for ways, of in readers]
    return [score(position.puzzle, _solve_heard(position), answer) for answer in answers]


# --- the best shot ------------------------------------------------------------------------------------------------


def _find_shot(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    seen_keys = set[Any]()
    for moment in played:
        me: Picture = moment.pictures[SNIPER]
        shots = [command for command in GAME.legal(me, SNIPER) if isinstance(command, c.Shoot)] if me.mine else []
        if me.turn != SNIPER or me.active is not None or not shots:
            continue
        for unit in {shot.target for shot in shots if shot.target and shot.second is None}:
            for quiet in (False, True):
                about = {"target": unit, "quiet": quiet}
                # Most shots of a game give the same puzzle.
                key = (*me.bag.values(), targets(me)[unit], quiet)
                if key in seen_keys or len(_options(me, unit)) < FEWEST_CHOICES:
                    continue
                seen_keys.add(key)
                yield PuzzleDraft(moment.puzzle(SNIPER, about), partial(_chosen_shots, moment, unit))


def _options(me: Picture, unit: str) -> range:
    return range(targets(me)[unit], sum(me.bag.values()) + 1)


def _solve_shot(position: PuzzlePosition) -> Answers:
    about = position.puzzle.about
    return best_draw(shot_chances(position.view, about["target"], quiet=about["quiet"]))


def _verify_shot(position: PuzzlePosition) -> Answers:
    about, view = position.puzzle.about, position.view
    need, quiet = targets(view)[about["target"]], about["quiet"]
    return best_draw(
        chances_by_drawing(view.bag, need, lambda noise, suppression: not (quiet and noise - suppression >= 2))
    )


def _chosen_shots(moment: RecordedMoment, unit: str, position: PuzzlePosition) -> Sequence[float]:
    me, answers = moment.pictures[SNIPER], _solve_shot(position)
    legal = [shot for shot in GAME.legal(me, SNIPER) if isinstance(shot, c.Shoot) and shot.target == unit]
    single = [shot for shot in legal if shot.second is None]
    chosen = moment.choices(SNIPER, single)
    return [score(position.puzzle, answers, [str(getattr(shot, "draw", "?"))]) for shot in chosen]


# --- reach the objective unheard ----------------------------------------------------------------------------------


def _find_reach(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for moment in played:
        if (me := _sniper_turn(moment)) is None or me.dogs or me.mine.face_down:
            continue
        for number in me.mine.objectives:
            goal = me.sites.objectives[number]
            if number not in me.completed and me.unit_on(goal) is None:
                for turns in (2, 3):
                    yield PuzzleDraft(
                        moment.puzzle(SNIPER, {"space": goal, "turns": turns}), partial(_chosen_stops, moment)
                    )


def _quiet_ends(view: Picture, space: str) -> set[str]:
    here = _at(view, space)
    moves = [command.path for command in GAME.legal(here, SNIPER) if isinstance(command, c.Move)]
    return {path[-1] for path in moves if not alerted(here, space, path)}


def _ways(start: str, goal: str, turns: int, ends: Callable[[str], set[str]]) -> set[frozenset[str]]:
    """Return the sets of stops on the way; none if fewer turns are enough."""
    ways: set[tuple[str, ...]] = {(start,)}
    for _ in range(turns - 1):
        ways = {(*way, end) for way in ways for end in ends(way[-1]) if end not in way}
        if any(way[-1] == goal for way in ways):
            return set()
    return {frozenset(way[1:]) for way in ways if goal in ends(way[-1])}


def _stops(position: PuzzlePosition, ends: Callable[[str], set[str]]) -> Answers:
    about, view = position.puzzle.about, position.view
    ways = _ways(view.mine.space, about["space"], about["turns"], cache(ends))
    order = {space: number for number, space in enumerate(view.map.enterable)}
    answers = sorted(tuple(sorted(way, key=order.__getitem__)) for way in ways)
    return tuple(answers) if 0 < len(answers) <= MOST_ANSWERS else ()


def _solve_reach(position: PuzzlePosition) -> Answers:
    return _stops(position, lambda space: _quiet_ends(position.view, space))


def _verify_reach(position: PuzzlePosition) -> Answers:
    """Walk on the map alone, step by step."""
    view: Picture = position.view
    board, occupied = view.map, {space for space in view.units.values() if space}
    loud = {near for space in occupied for near in board.adjacent[space]}

    def ends(start: str) -> set[str]:
        ways: list[tuple[str, ...]] = [(start,)]
        ends_of_ways = set[str]()
        while ways:
            way = ways.pop()
            for space in board.walk[way[-1]]:
                longer = (*way, space)
                rough = any(board.spaces[step].difficult for step in longer[1:])
                if space in way or space in occupied or len(longer) - 1 > 3 - rough:
                    continue
                ways.append(longer)
                if len(longer) == 2 or not loud & {*longer}:
                    ends_of_ways.add(space)
        return ends_of_ways

    return _stops(position, ends)


def _chosen_stops(moment: RecordedMoment, position: PuzzlePosition) -> Sequence[float]:
    me = moment.pictures[SNIPER]
    moves = [act for act in GAME.legal(me, SNIPER) if isinstance(act, c.Move)]
    quiet = [move for move in moves if not alerted(me, me.mine.space, move.path)]
    stops = {stop for answer in _solve_reach(position) for stop in answer}
    chosen = moment.choices(SNIPER, quiet)
    return [float(isinstance(move, c.Move) and move.path[-1] in stops) for move in chosen]


# --- catch in two -------------------------------------------------------------------------------------------------


def _is_look(act: Command) -> bool:
    """Return whether an act looks for the sniper without a specialist."""
    return isinstance(act, c.Spot | c.Sweep) or (isinstance(act, c.Attack) and act.use is None)


def _seen(view: Picture, act: Command) -> frozenset[str]:
    match act:
        case c.Attack(unit=unit, use=None):
            return frozenset({str(view.units[unit])})
        case c.Spot():
            return frozenset({act.space})
        case c.Sweep():
            return frozenset({str(view.units[act.unit]), *act.spaces})
    return frozenset()


def _firsts(truth: Picture, possible: Sequence[str]) -> dict[Command, Command]:
    """Return the first acts after which a second act finds the sniper for certain, each with that second act; none if
    one act is enough.
    """
    all_spaces, second_of = frozenset(possible), dict[Command, Command]()
    for act in GAME.legal(truth, DEFENDERS):
        seen = _seen(truth, act) & all_spaces
        if seen == all_spaces:
            return {}
        if seen or isinstance(act, c.MoveUnit):
            unseen = all_spaces - seen
            after = _played(_at(truth, min(unseen)), act)[0]
            seconds = (look for look in GAME.legal(after, DEFENDERS) if _seen(after, look) >= unseen)
            if (second := next(seconds, None)) is not None:
                second_of[act] = second
    return second_of


def _played(truth: Picture, act: Command) -> tuple[Picture, bool]:
    """Return the picture after an act of the defenders, and whether it found the sniper."""
    caught = False
    for told in tuple(GAME.decide(truth, act, _chance())):
        caught = caught or (isinstance(told.event, ANSWERED) and bool(told.event.found))
        truth = GAME.fold(truth, told.event)
    return truth, caught


RIGHT, WRONG = 2, 4
"""The maximum number of right choices, and the number of wrong ones."""


def _about_catch(truth: Picture, possible: Sequence[str]) -> dict[str, Any] | None:
    firsts = _firsts(truth, possible)
    if not firsts:
        return None
    all_spaces, order = frozenset(possible), Random(truth.round)
    right = order.sample([*firsts], min(RIGHT, len(firsts)))
    units = {getattr(act, "unit", None) for act in firsts}
    others = [act for act in GAME.legal(truth, DEFENDERS) if act not in firsts]
    # Plausible wrong choices: acts that look at some of the spaces, and moves of the right unit.
    wrong = [act for act in others if _seen(truth, act) & all_spaces]
    wrong += order.sample(moves := [act for act in others if isinstance(act, c.MoveUnit) and act.unit in units],
                          min(WRONG, len(moves)))  # fmt: skip
    choices = [*right, *wrong[:WRONG]]
    if len(wrong) < WRONG:
        return None
    order.shuffle(choices)
    return {"possible": possible, "choices": choices, "line": [right[0], firsts[right[0]]]}


def _choices(position: PuzzlePosition) -> list[Command]:
    return [GAME.read_command(DEFENDERS, raw) for raw in position.puzzle.about["choices"]]


def _answers(position: PuzzlePosition, right: Callable[[Command], bool]) -> Answers:
    return tuple((str(number),) for number, act in enumerate(_choices(position), 1) if right(act))


def _solve_catch(position: PuzzlePosition) -> Answers:
    firsts = _firsts(position.pictures[REFEREE], position.puzzle.about["possible"])
    return _answers(position, firsts.__contains__)


def _verify_catch(position: PuzzlePosition) -> Answers:
    """Play both acts for each possible space of the sniper."""
    truth, possible = position.pictures[REFEREE], position.puzzle.about["possible"]

    def catches(act: Command) -> bool:
        after = [_played(_at(truth, space), act) for space in possible]
        left = [picture for picture, caught in after if not caught]
        seconds = [look for look in GAME.legal(left[0], DEFENDERS) if _is_look(look)] if left else []
        return any(all(_played(picture, look)[1] for picture in left) for look in seconds)

    return _answers(position, catches)


def _chosen_acts(moment: RecordedMoment, position: PuzzlePosition) -> Sequence[float]:
    acts, answers = _choices(position), _solve_catch(position)
    chosen = moment.choices(DEFENDERS, acts)
    return [score(position.puzzle, answers, [str(acts.index(act) + 1)]) for act in chosen if act in acts]


def _find_catch(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    view: Picture = played[0].blank[TABLE]
    deduction = GAME.deduction(view)
    for moment in played:
        for event in moment.events:
            deduction, view = deduction.after(view, event), GAME.fold(view, event)
        closed = view.pending is not None or view.over is not None or view.face_down_size
        if closed or view.turn != DEFENDERS or not MOST_POSSIBLE >= len(possible := deduction.spaces(view)) > 0:
            continue
        if (about := _about_catch(moment.pictures[REFEREE], possible)) is not None:
            yield PuzzleDraft(moment.puzzle(DEFENDERS, about), partial(_chosen_acts, moment))


def _marks(*names: str) -> Callable[[Puzzle], frozenset[Any]]:
    """Return a function that returns the marks of a puzzle: its answers, and these facts."""

    def marks(puzzle: Puzzle) -> frozenset[Any]:
        facts = {(name, str(puzzle.about.get(name))) for name in names}
        return frozenset({*facts, *(space for answer in puzzle.answers for space in answer)})

    return marks


def _shot_marks(puzzle: Puzzle) -> frozenset[Any]:
    bag = str(puzzle.position.get("bag"))
    return frozenset({(bag, puzzle.about["quiet"], puzzle.answers)})


KINDS: Mapping[str, PuzzleKind] = {
    "where": PuzzleKind(_find_where, _solve_where, _verify_where, _marks()),
    "heard": PuzzleKind(_find_heard, _solve_heard, _verify_heard, _marks("path")),
    "shot": PuzzleKind(_find_shot, _solve_shot, _verify_shot, _shot_marks),
    "reach": PuzzleKind(_find_reach, _solve_reach, _verify_reach, _marks("space")),
    "catch": PuzzleKind(_find_catch, _solve_catch, _verify_catch, lambda puzzle: frozenset(puzzle.about["possible"])),
}
