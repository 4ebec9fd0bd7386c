"""The puzzles of Stalingrad."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from engine.game import TABLE
from firmware_host.play.puzzles import PuzzlePosition
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Commit
from games.stalingrad.rules.picture import ROLLS, Picture
from games.stalingrad.rules.words import CAP, FACES, value_of_die
from games.stalingrad.show.puzzles import commits, key
from lab.puzzles.kinds import Answers, PuzzleDraft, PuzzleKind, RecordedMoment, score

FEWEST_CHOICES = 3


def _find(played: Sequence[RecordedMoment]) -> Iterator[PuzzleDraft]:
    for moment in played:
        view: Picture = moment.pictures[TABLE]
        if view.turn is None or view.phase not in ROLLS or view.die is not None:
            continue
        faces = sorted({*commits(view).values()})
        for least_faces in faces[1:]:
            yield PuzzleDraft(moment.puzzle(view.turn, {"faces": least_faces}), partial(_chosen, moment))


def _solve(position: PuzzlePosition) -> Answers:
    acts = commits(position.view)
    return _fewest(acts, position.puzzle.about["faces"])


def _fewest(acts: Mapping[Commit, int], least_faces: int) -> Answers:
    enough = [act for act, faces in acts.items() if faces >= least_faces]
    least = min((len(act.cards) for act in enough), default=0)
    answers = tuple((key(act),) for act in enough if len(act.cards) == least)
    return answers if least and len(acts) >= FEWEST_CHOICES else ()


def _verify(position: PuzzlePosition) -> Answers:
    """Count the faces of the die one by one."""
    view: Picture = position.view
    lasting = view.aid if view.aid and (view.phase == "target") == view.options.switches.hunt_aid_adds_cards else None

    def faces(act: Commit) -> int:
        cards = [view.card, *act.cards, *([lasting] if lasting and view.phase == "danger" else [])]
        value = view.actor.stat(ROLLS[view.phase]) + sum(CARDS[card].amount for card in cards if card)
        return sum(value_of_die(face) <= min(CAP, value) for face in FACES)

    return _fewest({act: faces(act) for act in commits(view)}, position.puzzle.about["faces"])


def _chosen(moment: RecordedMoment, position: PuzzlePosition) -> Sequence[float]:
    chosen = moment.choices(position.puzzle.seat, [*commits(position.view)])
    return [score(position.puzzle, _solve(position), [key(act)]) for act in chosen if isinstance(act, Commit)]


KINDS: Mapping[str, PuzzleKind] = {
    "shot": PuzzleKind(
        _find,
        _solve,
        _verify,
        lambda puzzle: frozenset({puzzle.position.get("card"), puzzle.about["faces"], *puzzle.answers}),
    )
}
