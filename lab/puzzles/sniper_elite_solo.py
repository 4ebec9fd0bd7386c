"""The puzzles of the solo game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from engine.game import REFEREE
from firmware_host.play.puzzles import PuzzlePosition
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite_solo.game import GAME
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import targets
from games.sniper_elite_solo.show.puzzles import shot_chances
from lab.puzzles.drawing import best_draw, chances_by_drawing
from lab.puzzles.kinds import Answers, PuzzleDraft, PuzzleKind, RecordedMoment, score

SNIPER = "sniper"
FEWEST_CHOICES = 4


def _find(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    seen_keys = set[Any]()
    for moment in played:
        me: Picture = moment.pictures[REFEREE]
        shots = [act for act in GAME.legal(me, SNIPER) if isinstance(act, Shoot) and act.second is None]
        if me.active is not None or me.ally is not None:
            continue
        for unit in dict.fromkeys(shot.target for shot in shots if shot.target):
            legal = [shot for shot in shots if shot.target == unit]
            key = (*me.bag.values(), targets(me)[unit])
            if key not in seen_keys and len(legal) >= FEWEST_CHOICES:
                seen_keys.add(key)
                yield PuzzleDraft(moment.puzzle(SNIPER, {"target": unit}), partial(_chosen, moment, legal))


def _chosen(moment: RecordedMoment, legal: Sequence[Shoot], position: PuzzlePosition) -> Sequence[float]:
    chosen = moment.choices(SNIPER, legal)
    return [score(position.puzzle, _solve(position), [str(getattr(shot, "draw", "?"))]) for shot in chosen]


def _solve(position: PuzzlePosition) -> Answers:
    return best_draw(shot_chances(position.view, position.puzzle.about["target"]))


def _verify(position: PuzzlePosition) -> Answers:
    view: Picture = position.view
    need = targets(view)[position.puzzle.about["target"]]
    return best_draw(chances_by_drawing(view.bag, need, lambda noise, suppression: True))


KINDS: Mapping[str, PuzzleKind] = {
    "shot": PuzzleKind(
        _find,
        _solve,
        _verify,
        lambda puzzle: frozenset({(str(puzzle.position.get("bag")), puzzle.answers)}),
    )
}
