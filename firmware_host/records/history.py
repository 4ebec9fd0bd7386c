"""Replays a finished game for viewers, act by act: the events, and the picture that each viewer had then. Pure.

Acts that were taken back are left out. `past.py` decides which games may be viewed.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import count
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Cue, Deducing, Deduction, Game, Pictures
from engine.graph import Map
from engine.referee import Referee
from engine.seats import Seat
from engine.text import Text
from firmware_host.core import bots, installed, sizes
from firmware_host.core.capabilities import capabilities, deduced, heard_by, said, shown_on
from firmware_host.core.game_files import own_screen
from firmware_host.core.generic import past_facts
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry, read_telling
from firmware_host.records.journal import SavedGame

CHECKPOINT_SPACING = 32
"""Steps between two checkpoints. See `History.steps`."""


class Step(Struct, frozen=True):
    """The game after one act (the set-up is the first): who acted, when, the events, and every viewer's picture.

    `possible` are the spaces that the public facts allow; None if the game deduces none, or is over.
    """

    seat: str
    at: float
    telling: tuple[Told, ...]
    pictures: Pictures
    possible: tuple[str, ...] | None

    @property
    def public(self) -> Any:
        """The public picture."""
        return self.pictures[TABLE]

    @property
    def truth(self) -> Any:
        """The referee's picture."""
        return self.pictures[REFEREE]


class PastAct(NamedTuple):
    """One act that was not taken back. `telling` is the JSON text of its events."""

    seat: str
    at: float
    telling: str


class _Checkpoint(NamedTuple):
    """The game before a step: every viewer's picture, and what could be deduced from the public facts."""

    pictures: Pictures
    known: Deduction | None


class History:
    """A game that can be replayed from any step. It keeps the acts as text and the pictures of every few steps only,
    which bounds its size.

    `board` is None for a game without a map. `shown_on` is the name of the map whose lamps can show the game, if any.
    `breathe` is called between steps so that other threads can run.
    """

    def __init__(
        self,
        game: Game,
        board: Map | None,
        options: Any,
        acts: Sequence[PastAct],
        breathe: Callable[[], None] = lambda: None,
    ) -> None:
        self.game, self.board = game, board
        self.shown_on = shown_on(game, board, options)
        self.seats: tuple[Seat, ...] = game.seats(options)
        self._acts, self._breathe = tuple(acts), breathe
        blank = dict(game.blank(board, options))
        self._blank = _Checkpoint(blank, None)
        self._checkpoints: list[_Checkpoint] = []

    def __len__(self) -> int:
        """Return the number of steps."""
        return len(self._acts)

    @property
    def public_viewer(self) -> str:
        """The viewer whose picture shows what was public: the first seat without secrets, else the table."""
        return next((seat.name for seat in self.seats if not seat.secret), TABLE)

    @cached_property
    def judged(self) -> bool:
        """Whether a bot can judge acts of this game, for its analysis."""
        return bots.can_judge(self.game, self._blank.pictures)

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return not self.game.to_act(self.last[REFEREE])

    @property
    def ended_at(self) -> float:
        """The time of the last act, in seconds since 1970."""
        return self._acts[-1].at

    def tellings(self) -> Iterator[tuple[Told, ...]]:
        """Yield the events of each step with their audiences."""
        for act in self._acts:
            self._breathe()
            yield self._telling(act)

    def told(self) -> Iterator[Told]:
        """Yield all events with their audiences, in order."""
        for telling in self.tellings():
            yield from telling

    def public_acts(self) -> Iterator[tuple[Any, list[Event]]]:
        """Yield the public picture before each step, and the step's public events."""
        view = self._blank.pictures[TABLE]
        for telling in self.tellings():
            events = public_events(telling)
            yield view, events
            view = reduce(self.game.fold, events, view)

    @cached_property
    def last(self) -> Pictures:
        """Every viewer's picture after the last act."""
        referee = Referee(self.game, self._blank.pictures)
        for telling in self.tellings():
            # Only the pictures are needed here, so events are not kept.
            fold_and_drop(referee, telling)
        return dict(referee.pictures)

    def steps(self, first: int = 0) -> Iterator[Step]:
        """Yield the steps from number `first` on, from the nearest checkpoint. Adds checkpoints on the way."""
        # The last checkpoint at or before the step, as far as they have been made.
        begin = min(first // CHECKPOINT_SPACING, max(len(self._checkpoints) - 1, 0)) * CHECKPOINT_SPACING
        checkpoint = self._checkpoint(begin)
        referee, deduction = Referee(self.game, checkpoint.pictures), checkpoint.known
        for number, act in enumerate(self._acts[begin:], begin):
            # Checkpoints are made in order, so the next one is due exactly here.
            if number == len(self._checkpoints) * CHECKPOINT_SPACING:
                self._checkpoints.append(_Checkpoint(dict(referee.pictures), deduction))
            self._breathe()
            # Events are stored as text and decoded again: objects would take several times the memory.
            telling = self._telling(act)
            # Update the deduction first, because it needs the public picture from before the events.
            if deduction is not None:
                deduction, _ = deduced(self.game, deduction, referee.pictures[TABLE], public_events(telling))
            fold_and_drop(referee, telling)
            if number >= first:
                yield Step(act.seat, act.at, telling, dict(referee.pictures), self._possible(referee, deduction))

    def _checkpoint(self, number: int) -> _Checkpoint:
        """Return the checkpoint before step `number`: 0, or a multiple of `CHECKPOINT_SPACING` that was reached."""
        if self._checkpoints:
            return self._checkpoints[number // CHECKPOINT_SPACING]
        game, pictures = self.game, self._blank.pictures
        return _Checkpoint(pictures, game.deduction(pictures[TABLE]) if isinstance(game, Deducing) else None)

    def _possible(self, referee: Referee, deduction: Deduction | None) -> tuple[str, ...] | None:
        # Once the game is over, the truth is public, and a deduction would only confuse.
        hiding = deduction is not None and bool(self.game.to_act(referee.truth))
        return deduction.spaces(referee.pictures[TABLE]) if deduction is not None and hiding else None

    def _telling(self, act: PastAct) -> tuple[Told, ...]:
        return read_telling(self.game, msgspec.json.decode(act.telling))

    # --- for the screens ------------------------------------------------------------------------------------------

    def head(self) -> dict[str, Any]:
        """Return the facts for all steps as JSON values: the seats, the viewer `known`, whether bots can judge the
        game (`judged`), and its glossary (`words`).
        """
        seats = [{"name": seat.name, "title": seat.title, "secret": seat.secret} for seat in self.seats]
        glossary = capabilities(self.game).glossary
        words = {} if glossary is None else glossary.glossary()
        return {"seats": seats, "known": self.public_viewer, "judged": self.judged, "words": words}

    def step_facts(self, step: Step, page: str = "past") -> dict[str, Any]:
        """Return a step as JSON values.

        `at` is seconds from the start; `views` is viewer -> picture. If the game has no such `page` of its own,
        `generic` is viewer -> the facts for the generic page (see `past_facts`).
        """
        own = own_screen(self.game.name, page) is not None
        generic = {} if own else {"generic": past_facts(self.game, step.pictures, self.seats)}
        return {
            "seat": step.seat,
            "at": round(step.at - self._acts[0].at, 1),
            "told": [self._line(told) for told in step.telling],
            "views": {viewer: self.game.view(picture) for viewer, picture in step.pictures.items()},
            "possible": step.possible,
            **generic,
        }

    def moment(self, step: Step) -> dict[str, Any]:
        """Return a step for the table's screen as JSON values: the public picture next to the referee's."""
        facts = self.step_facts(step, "table")
        views = facts.pop("views")
        return {**facts, "known": views[self.public_viewer], "truth": views[REFEREE]}

    def on_screens(self, step: Step) -> dict[str, Any]:
        """Return a `moment` with the seats and the glossary of its game, which may not be the game on the table."""
        seats = {seat.name: {"title": seat.title, "taken": True, "devices": []} for seat in self.seats}
        return {**self.moment(step), "seats": seats, "words": self.head()["words"]}

    def _line(self, told: Told) -> dict[str, Any]:
        seeking = capabilities(self.game).highlights
        return {
            **heard_by(TABLE, said(self.game, told.event)),
            "to": told.audience.seats,
            "highlight": seeking is not None and seeking.is_highlight(told.event),
        }

    def cues(self, step: Step, uncover: bool = True) -> list[Cue]:
        """Return the cues of a step.

        They are the former spaces of the miniatures, then the public cues, then the hidden pieces, if `uncover` is set.
        """
        offered = capabilities(self.game)
        if self.shown_on is None:
            return []
        # Later cues cover earlier ones: the secrets are painted last.
        news = [] if offered.cues is None else offered.cues.cues(step.public)
        hidden = [] if offered.uncovering is None or not uncover else offered.uncovering.uncovered(step.truth)
        return [*self._stood(step), *news, *hidden]

    def _stood(self, step: Step) -> list[Cue]:
        on_board = capabilities(self.game).on_board
        if on_board is None:
            return []
        standing: dict[str, list[str]] = {}
        for miniature, space in on_board.standing(step.public).items():
            if space is not None:
                standing.setdefault(on_board.colour(miniature), []).append(space)
        return [Cue(STOOD_CUE, tuple(spaces), colour) for colour, spaces in standing.items()]


STOOD_CUE = "stood"
"""The cue for the spaces where the miniatures of one colour stood."""


def history_of(
    saved: SavedGame, entries: Sequence[ChainEntry], board: Map | None, breathe: Callable[[], None] = lambda: None
) -> History:
    """Return the history of a game in the journal. Raises `NotUnderstood` and `ValidationError` for unknown entries."""
    game = installed.find(saved.game)
    standing = (act.entry for act in chain.acts_in_effect(entries))
    acts = [PastAct(entry.seat, entry.at, chain.json_text(entry.telling)) for entry in standing]
    return History(game, board, game.read_options(saved.options), acts, breathe)


def fold_and_drop(referee: Referee, telling: Sequence[Told]) -> None:
    """Fold events into every picture, and drop them, because those of a long game take much memory."""
    referee.tell(telling)
    for viewer in referee.told:
        referee.told[viewer].clear()
        referee.private[viewer].clear()


def public_events(telling: Sequence[Told]) -> list[Event]:
    """Return the events that everyone sees."""
    return [told.event for told in telling if told.audience.includes(TABLE)]


def course_of(history: History) -> dict[str, Any]:
    """Return the course of a game as JSON values.

    It has the `figures` of the game (see `Figures`, with `label` and `number`), the `route` of the hidden player (see
    `Routes`), the rounds that were `setbacks` (see `costliest_rounds`), and its `story`.
    """
    counting = capabilities(history.game).figures
    counted = [] if counting is None else counting.figures(told.event for told in history.told())
    return {
        "figures": [{"label": label, "number": count} for label, count in counted],
        "route": route_of(history),
        "setbacks": costliest_rounds(history),
        "story": story_of(history),
    }


def route_of(history: History) -> Sequence[Sequence[str]]:
    """Return where a game's hidden player went in each turn (see `Routes`); nothing for other games."""
    walking = capabilities(history.game).routes
    return [] if walking is None else walking.route(told.event for told in history.told())


def costliest_rounds(history: History) -> list[dict[str, Any]]:
    """Return, for each seat that lost, the round that cost it most (see `Costs`) as JSON values: `seat`, `round`,
    the first `step` that cost something, and what happened (`told`, with a `sentence` each). If
    several rounds cost the same, the first counts, because its effects lasted longest.
    """
    offered = capabilities(history.game)
    ending = None if offered.endings is None else offered.endings.ending(history.last[TABLE])
    if offered.costs is None or offered.progressing is None or ending is None or not ending.winners:
        return []
    cost = Counter[tuple[str, int]]()
    told = defaultdict[tuple[str, int], list[tuple[int, Event]]](list)
    for step, (view, events) in enumerate(history.public_acts()):
        for event in events:
            found = offered.costs.cost(ending, event)
            if found is not None and found.seat not in ending.winners:
                key = found.seat, offered.progressing.progress(view).round
                cost[key] += found.amount
                if len(told[key]) < sizes.MOST_SENTENCES:
                    told[key].append((step, event))
    worst = dict[str, tuple[str, int]]()
    for key, amount in cost.items():
        if amount > cost[worst.get(key[0], ("", 0))]:
            worst[key[0]] = key
    return [
        {
            "seat": seat,
            "round": number,
            "step": told[seat, number][0][0],
            "told": [{"sentence": history.game.sentence(event)} for _, event in told[seat, number]],
        }
        for seat, number in worst.values()
    ]


MOST_MOMENTS: Final = 6


def story_of(history: History) -> list[dict[str, Any]]:
    """Return the events that decided a game (see `Detailed`, `moment`) as JSON values, in order: their `step`, and the
    `sentence` with its round, with `yours` for the seats that it addresses.
    """
    # If several have equal weight, take the later ones, which are closer to the end that they explain.
    weightiest = heapq.nlargest(MOST_MOMENTS, _moments(history), key=itemgetter(0, 1))
    told, rounds = [it for _, _, it in sorted(weightiest, key=itemgetter(1))], _rounds_of(history)

    for it in told if rounds else ():
        dated = Text("Round {round}: {sentence}", round=rounds[it["step"]], sentence=it["sentence"])
        it["sentence"] = dated
        it["yours"] = {seat: dated.with_(round=rounds[it["step"]], sentence=own) for seat, own in it["yours"].items()}
    return told


def _moments(history: History) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield the weight, the number and the words of each event that helped to decide a game."""
    number = count()
    for step, telling in enumerate(history.tellings()):
        for words in (said(history.game, told.event) for told in telling):
            if isinstance(weight := words.get("moment"), int) and weight > 0:
                told = {"step": step, "sentence": words["sentence"], "yours": words.get("yours", {})}
                yield weight, next(number), told


def _rounds_of(history: History) -> list[int]:
    """Return the round in which each step began; empty if the game has no rounds."""
    progressing = capabilities(history.game).progressing
    if progressing is None:
        return []
    return [progressing.progress(view).round for view, _ in history.public_acts()]


def outcome(history: History) -> dict[str, Any]:
    """Return public facts about a past game: its `outcome` in words (None if it did not end), and the number of acts.

    `over` and `rounds` are None if the game does not report them; `sides` is seat -> title. `score` is that of a single
    player (see `Scored`), or None.
    """
    scored = capabilities(history.game).scored
    public = history.last[TABLE]
    state = history.game.state(public)
    progressing, endings = capabilities(history.game).progressing, capabilities(history.game).endings
    # The last picture can already be in a round after the end.
    ending = None if endings is None else endings.ending(public)
    rounds = state.get("round") if progressing is None else progressing.progress(public).round
    if ending is not None:
        rounds = ending.rounds
    # The first step is the set-up, which is not an act.
    facts = {"over": state.get("over"), "rounds": rounds, "acts": len(history) - 1}
    facts["sides"] = {seat.name: seat.title for seat in history.seats}
    facts["score"] = None if scored is None else scored.score(public)
    sizes.check_json_data(facts)
    return {"outcome": history.game.outcome(public), **facts}
