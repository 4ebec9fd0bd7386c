"""The solo game as the referee meets it: the rule modules' commands in one table, and the order of checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.chance import Chance
from engine.cues import Show
from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Command, Cue, Ending, Placement, Progress
from engine.graph import Map
from engine.options import OptionForm
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from games.sniper_elite.rules.cards import CARDS as SHARED
from games.sniper_elite.rules.commands import ChooseEntry, Complete, Keep, Loot, Move, ReturnObjective
from games.sniper_elite.rules.events import CardPlayed, Distracted, Entry, MineLaid
from games.sniper_elite.rules.nest import ALLIES, GEAR
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import SEAT_WORDS, SNIPER, squad_of
from games.sniper_elite_solo.rules import (
    commands,
    defenders,
    events,
    loadout,
    luck,
    movement,
    odds,
    options,
    position,
    sentences,
    setup,
    shooting,
    terrain,
    turn,
)
from games.sniper_elite_solo.rules import fold as folding
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.naming import require_known
from games.sniper_elite_solo.rules.options import Options
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import END_RULES, LOADOUT
from games.sniper_elite_solo.show import captions, cues, lights, recap, sounds
from games.sniper_elite_solo.show import figures as counting
from games.sniper_elite_solo.show import foresight as foreseeing
from games.sniper_elite_solo.show import options as show_options

RULES: list[Rule[Picture]] = [
    *setup.RULES,
    *movement.RULES,
    *loadout.RULES,
    *shooting.RULES,
    *turn.RULES,
    *defenders.RULES,
]

SEATS = (Seat(SNIPER, SEAT_WORDS[SNIPER], secret=True, on_board=True),)

SECRET = (ReturnObjective, ChooseEntry, Loot, Keep, Complete)
"""Acts that depend on what the player alone knows."""

CERTAIN = (
    Entry, events.LksUpdated, events.Possible, events.SniperMoved, events.Hit, CardPlayed, MineLaid, Distracted,
)  # fmt: skip
"""What is told of acts that draw nothing and that everybody could foresee."""

QUESTIONS = {
    "return-objective": ("SO-SET-12", Text("First return one of your two objectives of the same suit.")),
    "choose-entry": ("SO-SET-13", Text("First choose the arrow by which you enter.")),
    "after-hit": ("SO-SHT-05", Text("First choose what your hit brings.")),
    "shoot-second": ("SO-LDO-02", Text("First take the second shot that you announced.")),
    "keep": ("SO-LOT-01", Text("First keep one of the cards that you drew.")),
    "place-return": ("SO-DEF-05", Text("First choose where the defender returns.")),
}


class SniperEliteSolo:
    """The solo game (rulebook: `book/en.md`)."""

    name = "sniper-elite-solo"
    title = Text("Sniper Elite, solo")
    about = Text("You alone against nine defenders, whom a deck of cards commands.")
    show = Show(lights.LIGHTS, lights.PALETTES, sounds.SOUNDS)

    def __init__(self) -> None:
        self._rules = {rule.command: rule for rule in RULES}
        self._answers: dict[str | None, list[Rule[Picture]]] = {}
        for rule in RULES:
            self._answers.setdefault(_question_of(rule), []).append(rule)

    # --- starting -----------------------------------------------------------------------------------------------

    def options(self) -> OptionForm:
        """See `show.options`."""
        return show_options.FORM

    def read_options(self, raw: Any) -> Options:
        """See `options.read`."""
        return options.read(raw)

    def seats(self, chosen: Options) -> tuple[Seat, ...]:
        """The sniper's; the defenders play by themselves (SO-SET-01)."""
        return SEATS

    def blank(self, board: Map | None, chosen: Options) -> dict[str, Picture]:
        """The table as laid out before anything is told. Raises `Refused` for a map that does not suit."""
        return dict.fromkeys((TABLE, SNIPER, REFEREE), setup.blank(_drawn(board), chosen))

    def setup(self, board: Map | None, chosen: Options, chance: Chance) -> Iterable[Told]:
        """See `setup.begin`."""
        return setup.begin(setup.blank(_drawn(board), chosen), chance)

    def position(self, board: Map | None, chosen: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        """See `position.read`."""
        return position.read(_drawn(board), chosen, raw, chance)

    def map_faults(self, board: Map) -> list[Text]:
        """See `terrain.map_faults`."""
        return terrain.map_faults(board)

    # --- playing ------------------------------------------------------------------------------------------------

    def to_act(self, view: Picture) -> tuple[str, ...]:
        """The sniper, as long as the game lasts."""
        return (SNIPER,) if view.over is None else ()

    def legal(self, view: Picture, seat: str) -> list[Command]:
        """Everything that the sniper may do, in the order of the rule table.

        A picture without the objectives, such as the table's, gives what does not depend on them.
        """
        if view.over is not None or seat != SNIPER:
            return []
        found: list[Command] = []
        for rule in self._answers.get(_asked(view), ()):
            if view.objectives is not None or rule.command not in SECRET:
                found += rule.offers(view)
        return found

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """`command` as `legal` lists it. Raises `NotUnderstood` or `Refused`, from what `seat` sees alone."""
        rule = self._rules.get(type(command))
        if rule is None or seat != SNIPER:
            raise NotUnderstood(Text("This seat cannot do that: {what}.", what=type(command).__name__))
        require_known(view, command)
        if view.over is not None:
            raise Refused(END_RULES[view.over.reason], Text("The game is over."))
        asked, answers = _asked(view), _question_of(rule)
        if asked is not None and asked != answers:
            raise Refused(*QUESTIONS[asked])
        if answers is not None and asked != answers:
            raise Refused(QUESTIONS[answers][0], Text("That is not to be decided now."))
        return rule.check(view, command)

    def part(self, command: Command) -> str | None:
        """There is one player."""
        return None

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        """What follows from a command that `check` let through."""
        return self._rules[type(command)].decide(truth, command, chance)

    def fold(self, view: Picture, event: Event) -> Picture:
        """See `fold.fold`."""
        return folding.fold(view, event)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """See `luck.read`."""
        return luck.read(telling)

    # --- words --------------------------------------------------------------------------------------------------

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """See `luck.wanted`."""
        return luck.wanted(_drawn(board), raw)

    def read_command(self, seat: str, raw: Any) -> Command:
        """See `commands.read`."""
        return commands.read(seat, raw)

    def read_event(self, raw: Any) -> Event:
        """See `events.read`."""
        return events.read(raw)

    def state(self, view: Picture) -> dict[str, Any]:
        """See `position.write`."""
        return position.write(view)

    def view(self, view: Picture) -> dict[str, Any]:
        """The picture with the public counts that a position leaves to be derived."""
        return {
            **position.write(view),
            "supply": {token: view.supply(token) for token in ("aim", "noise")},
            "counts": {"deck": view.deck_size, "loot_deck": view.loot_size, "discard": len(view.discard)},
            "to_act": self.to_act(view),
            "opened": _fields(view.opened),
        }

    # --- for screens --------------------------------------------------------------------------------------------

    def sentence(self, event: Event) -> Text:
        """See `sentences.sentence`."""
        return sentences.sentence(event)

    def figures(self, events: Iterable[Event]) -> list[tuple[Text, int]]:
        """See `figures.figures`."""
        return counting.figures(events)

    def details(self, event: Event) -> dict[str, Any]:
        """See `recap.details`."""
        return recap.details(event)

    def outcome(self, view: Picture) -> Text | None:
        """How the game went, in two short sentences; None while it is played."""
        return None if view.over is None else sentences.OUTCOMES[view.over.reason]

    def ending(self, view: Picture) -> Ending | None:
        """Who won and why, with the objectives done and the wounds."""
        if view.over is None:
            return None
        counts = {"completed": len(view.completed), "wounds": view.wounds}
        return Ending((view.over.winner,), view.over.reason, view.round, counts)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """See `show.foresight`."""
        return foreseeing.foresight(view, self.legal(view, seat))

    def odds(self, bag: Mapping[str, int], draw: int, need: int, silenced: bool) -> Mapping[str, Fraction]:
        """See `odds.asked`."""
        return odds.asked(bag, draw, need, silenced)

    def glossary(self) -> dict[str, Any]:
        """Titles and texts of the loadout cards and the allied snipers, and the titles of the solo cards."""
        copies = {name: card.copies for name, card in SHARED.items()} | {name: g.copies for name, g in GEAR.items()}
        return {
            "cards": {
                name: {"title": title, "text": loadout.TEXTS[name], "copies": copies[name]}
                for name, title in LOADOUT.items()
            },
            "allies": {
                name: {"title": ally.name, "text": ally.about, "bag": ally.bag} for name, ally in ALLIES.items()
            },
            "solo_cards": {
                name: {"title": sentences.title(name), "set": card.set, "urgent": card.urgent}
                for name, card in CARDS.items()
            },
        }

    def progress(self, view: Picture) -> Progress:
        """The round."""
        return Progress(view.round)

    def caption(self, command: Command) -> Text:
        """See `captions.caption`."""
        return captions.caption(command)

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        """See `captions.summary`."""
        return captions.summary(view)

    # --- on the board -------------------------------------------------------------------------------------------

    def retractable(self, view: Picture, telling: Iterable[Told]) -> bool:
        """An act that drew nothing: what follows from it was to be foreseen, and there is nobody else."""
        return all(isinstance(told.event, CERTAIN) for told in telling)

    def standing(self, view: Picture) -> dict[str, str | None]:
        """See `cues.standing`."""
        return cues.standing(view)

    def stood(self, view: Picture) -> dict[str, str | None]:
        """Where everybody stood before the defenders moved."""
        return dict(view.stood)

    def optional(self, view: Picture) -> frozenset[str]:
        """Nothing else stands on the board: mines are lamps."""
        return frozenset()

    def colour(self, miniature: str) -> str:
        """The squad's colour; the sniper is one alone."""
        return squad_of(miniature)

    def called(self, miniature: str) -> Text:
        """See `cues.called`."""
        return cues.called(miniature)

    def alike(self, one: str, other: str) -> bool:
        """See `cues.alike`."""
        return cues.alike(one, other)

    def placements(self, view: Picture) -> list[Placement]:
        """See `cues.placements`."""
        return cues.placements(view, self.legal(view, SNIPER))

    def opening(self, view: Picture) -> bool:
        """Until the sniper is on the map."""
        return view.space is None and view.over is None

    def begins(self, command: Command) -> bool:
        """The entering move: what it costs depends on where the defenders stand."""
        return isinstance(command, Move)

    def cues(self, view: Picture) -> list[Cue]:
        """See `cues.cues`."""
        return cues.cues(view)

    def uncovered(self, truth: Picture) -> list[Cue]:
        """See `cues.uncovered`."""
        return cues.uncovered(truth)


def _drawn(board: Map | None) -> Map:
    """The map, which this game cannot be played without. Raises `NotUnderstood`."""
    if board is None:
        raise NotUnderstood(Text("This game is played on a map."))
    return board


def _asked(view: Picture) -> str | None:
    """The question that waits for its answer, or None in the usual course of a turn."""
    if view.pending is not None:
        return view.pending.name
    return "choose-entry" if setup.must_choose_entry(view) else None


def _question_of(rule: Rule[Picture]) -> str | None:
    """The question that a kind of command answers."""
    return "choose-entry" if rule.command is ChooseEntry else rule.pending


def _fields(opened: events.Opened | None) -> dict[str, Any] | None:
    """The event's fields without its type."""
    if opened is None:
        return None
    return {"objectives": opened.objectives, "slots": opened.slots, "deck": opened.deck}


GAME = SniperEliteSolo()
