"""The puzzles of Snipers and Assassins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.game import TABLE
from firmware_host.core.data_files import Puzzle
from firmware_host.play.puzzles import PuzzlePosition
from games.snipers_and_assassins.rules import places, shooting
from games.snipers_and_assassins.rules.assassin import STEPS, goal
from games.snipers_and_assassins.rules.hits import jump_places, places_along
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.show.puzzles import MOST_TURNS, best, standing
from lab.puzzles.kinds import Answers, PuzzleDraft, PuzzleKind, RecordedMoment, score

FEWEST = 2
"""The minimum number of markers in range, and of turns to the Target."""


def _find_shot(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for moment in played:
        view: Picture = moment.pictures[TABLE]
        if view.setup is None and view.over is None and len(_targets(view)) >= FEWEST:
            yield PuzzleDraft(moment.puzzle(view.turn), _read_shot)


def _targets(view: Picture) -> frozenset[str]:
    here = view.at(view.own("sniper"))
    pairs = [(target, place) for target, place in shooting.targets(view) if place in standing(view)]
    return frozenset(place for target, place in pairs if shooting.refusal(view, target, here) is None)


def _solve_shot(position: PuzzlePosition) -> Answers:
    return (tuple(sorted(_targets(position.view))),)


def _verify_shot(position: PuzzlePosition) -> Answers:
    """Measure on a board with every row drawn."""
    view: Picture = position.view
    return (tuple(sorted(_near(view, places.ROW_PITCH))),)


def _near(view: Picture, pitch: int) -> Iterator[str]:
    here = places.place_of(view.at(view.own("sniper")))
    for seat, player in view.players.items():
        markers = [player.sniper] if player.shot in shooting.HEALING else [player.sniper, player.assassin]
        for name in markers if seat != view.turn else ():
            there = places.place_of(str(name))
            rows, columns = pitch * abs(there.pathway - here.pathway), abs(there.column - here.column)
            # Hideouts are closed to shots, unless the table plays otherwise.
            open_ = not view.rulings.closed_hideouts or (there.is_space and here.is_space)
            if open_ and max(rows, columns) <= view.shot_range(view.turn):
                yield str(name)


def _read_shot(position: PuzzlePosition) -> Sequence[float]:
    """Return the scores of three solvers: one that marks all, one that ignores the empty rows, and one that ignores
    half of them."""
    view = position.view
    readers = [standing(view), [*_near(view, 1)], [*_near(view, 2)][:-1] or ["?"]]
    return [score(position.puzzle, _solve_shot(position), answer) for answer in readers]


def _find_reach(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for moment in played:
        view: Picture = moment.pictures[TABLE]
        if view.setup is None and view.over is None and FEWEST <= best(view) <= MOST_TURNS:
            yield PuzzleDraft(moment.puzzle(view.turn), _read_reach)


def _solve_reach(position: PuzzlePosition) -> Answers:
    return ((str(best(position.view)),),)


def _verify_reach(position: PuzzlePosition) -> Answers:
    """Walk and jump on the board, turn by turn."""
    view: Picture = position.view
    end, turns = str(goal(view, view.turn)), 0
    reached = {view.at(view.own("assassin"))}
    while end not in reached:
        steps = {to for here in reached for to in places_along(here, STEPS)}
        jumps = {to for here in reached if places.is_space(here) for to in jump_places(view.pathways, here).values()}
        reached |= {to for to in steps | jumps if places.is_space(to) or to == end}
        turns += 1
    return ((str(turns),),)


def _read_reach(position: PuzzlePosition) -> Sequence[float]:
    """Return the scores of three solvers: one that counts columns, one that takes no jump, and one that doesn't round
    up."""
    view = position.view
    start = places.place_of(view.at(view.own("assassin")))
    end = places.place_of(str(goal(view, view.turn)))
    jumps, columns = abs(start.pathway - end.pathway), abs(start.column - end.column)
    readers = [columns, -(-columns // STEPS), jumps + columns // STEPS]
    return [score(position.puzzle, _solve_reach(position), [str(answer)]) for answer in readers]


def _reach_marks(puzzle: Puzzle) -> frozenset[object]:
    return frozenset({str(puzzle.position.get("players")), puzzle.answers})


KINDS: Mapping[str, PuzzleKind] = {
    "shot": PuzzleKind(_find_shot, _solve_shot, _verify_shot, lambda puzzle: frozenset(puzzle.answers[0])),
    "reach": PuzzleKind(_find_reach, _solve_reach, _verify_reach, _reach_marks),
}
