"""The game as the referee meets it: every rule module's commands in one table, and the order of checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.cues import Show
from engine.events import Event, Told, only
from engine.game import REFEREE, TABLE, Command, Cue, Ending, Placement, Progress, RandomPosition
from engine.graph import Map
from engine.graph.drawing import Drawing, Verdict
from engine.options import OptionForm
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from games.sniper_elite.map_rules import drawn, faults, fit
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules import (
    cards,
    commands,
    events,
    foresight,
    ghost,
    luck,
    marks,
    movement,
    odds,
    order,
    position,
    sentences,
    setup,
    shooting,
    specialists,
    squads,
)
from games.sniper_elite.rules import fold as folding
from games.sniper_elite.rules import turn as turns
from games.sniper_elite.rules.commands import DefendersCommand, SniperCommand
from games.sniper_elite.rules.naming import require_known
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.order import Order
from games.sniper_elite.rules.picture import GHOST, Dossier, Options, Pending, Picture
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import (
    DEFENDERS,
    SEAT_WORDS,
    SEATS,
    SNIPER,
    SQUADS,
    TOKENS,
    UNITS,
    called,
    known,
    squad_of,
)
from games.sniper_elite.show import cues as board_rules
from games.sniper_elite.show import details as detailing
from games.sniper_elite.show import figures as counting
from games.sniper_elite.show import lights, options, positions, sounds

SNIPER_RULES: list[Rule[Picture]] = [*setup.RULES, *movement.RULES, *cards.RULES, *shooting.RULES, *turns.RULES]
DEFENDERS_RULES: list[Rule[Picture]] = [
    *setup.RULES,
    *squads.RULES,
    *specialists.RULES,
    *shooting.RULES,
    *marks.RULES,
]

SWITCHES = tuple(options.RULINGS)

CHAIRS = (
    Seat(SNIPER, SEAT_WORDS[SNIPER], secret=True),
    Seat(DEFENDERS, SEAT_WORDS[DEFENDERS], secret=False, parts=SQUADS, on_board=True),
)


def _table(rules: Iterable[Rule[Picture]], kind: type[Command]) -> dict[type[Command], Rule[Picture]]:
    return {rule.command: rule for rule in rules if issubclass(rule.command, kind)}


class SniperElite:
    """The multiplayer game (ledger: multiplayer)."""

    name = "sniper-elite"
    title = "Sniper Elite"
    about = Text("One hides, the others hunt: a sniper against three squads with nine miniatures.")
    show = Show(lights.LIGHTS, lights.PALETTES, sounds.SOUNDS)
    drawn_properties = drawn.PROPERTIES

    def __init__(self) -> None:
        self._rules = {
            SNIPER: _table(SNIPER_RULES, SniperCommand),
            DEFENDERS: _table(DEFENDERS_RULES, DefendersCommand),
        }
        self._order = Order(self._rules)
        self._decide_by_kind = {kind: rule.decide for table in self._rules.values() for kind, rule in table.items()}

    # --- starting -----------------------------------------------------------------------------------------------

    def options(self) -> OptionForm:
        """See `show.options`."""
        return options.FORM

    def read_options(self, raw: Any) -> Options:
        """The options of a game. Raises `NotUnderstood` for what does not exist, `Refused` for what cannot be had."""
        try:
            chosen = msgspec.convert(raw if raw is not None else {}, Options)
        except msgspec.ValidationError as error:
            raise NotUnderstood(Text("The options cannot be read: {error}.", error=str(error))) from error
        known(Text("switch"), chosen.switches, SWITCHES)
        known(Text("ally"), [chosen.ally], (*ALLIES, GHOST))
        if "A" in chosen.experienced_sniper and "A" in chosen.experienced_defenders:
            raise Refused(
                "MP-DIFF-09", Text("Two random cards and one card more contradict each other (R-73); choose one.")
            )
        return chosen

    def seats(self, options: Options) -> tuple[Seat, ...]:
        """Two, whatever the options are."""
        return CHAIRS

    def blank(self, board: Map, options: Options) -> dict[str, Picture]:
        """The table as laid out before anything is told (MP-SETUP-12, MP-SETUP-16, MP-SETUP-19, MP-SETUP-20)."""
        setup.require_ground(board)
        units = {unit: sites_of(board).starts[unit] for unit in UNITS}
        pending = Pending("choose-loadout")
        squads_fresh = folding.FRESH_SQUADS
        countdown = setup.start_countdown(options)
        ally = None if options.ghost else options.ally
        bag = setup.start_bag(options, ally)
        public = Picture(
            board, options, units, bag, pending=pending, countdown=countdown, squads=squads_fresh, ally=ally
        )
        public = msgspec.structs.replace(public, deck_size=len(cards.full_deck(public)))
        sniper = msgspec.structs.replace(public, dossier=Dossier(loot_deck=cards.full_deck(public)))
        public = ghost.unknown(public)
        referee = msgspec.structs.replace(sniper, deck=())
        return {TABLE: public, DEFENDERS: public, SNIPER: sniper, REFEREE: referee}

    def setup(self, board: Map, options: Options, chance: Chance) -> Iterable[Told]:
        """See `setup.begin`."""
        return ghost.kept(self.blank(board, options)[REFEREE], setup.begin(board, options, chance))

    def position(self, board: Map, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        """See `position.read`."""
        return position.read(board, options, raw, chance)

    # --- maps ---------------------------------------------------------------------------------------------------

    def map_faults(self, board: Map) -> list[Text]:
        """See `fit.map_faults`."""
        return fit.map_faults(board)

    def check_drawing(self, drawing: Drawing) -> Verdict:
        """See `faults.check_drawing`."""
        return faults.check_drawing(drawing)

    def map_facts(self, board: Map) -> dict[str, dict[str, str]]:
        """The arrows and the start circles of a map."""
        sites = sites_of(board)
        return {"entries": sites.entries, "starts": sites.starts}

    # --- playing ------------------------------------------------------------------------------------------------

    def to_act(self, view: Picture) -> tuple[str, ...]:
        """See `order.to_act`."""
        return order.to_act(view)

    def legal(self, view: Picture, seat: str) -> list[Command]:
        """Everything that `seat` may do, in the order of the rule tables."""
        if view.over is not None or seat not in SEATS:
            return []
        found: list[Command] = []
        for rule in self._order.timely(view, seat).values():
            found.extend(rule.offers(view))
        return found

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """`command` as `legal` lists it. Raises `NotUnderstood` or `Refused`, from what `seat` sees alone."""
        rule = self._rules[seat].get(type(command))
        if rule is None:
            raise NotUnderstood(Text("This seat cannot do that: {what}.", what=type(command).__name__))
        require_known(view, command)
        if (why := self._order.late(view, seat, rule)) is not None:
            raise why
        return rule.check(view, command)

    def part(self, command: Command) -> str | None:
        """The squad that a command of the defenders is for (MP-SETUP-02)."""
        if not isinstance(command, DefendersCommand):
            return None
        unit, squad = getattr(command, "unit", None), getattr(command, "squad", None)
        return squad if unit is None else squad_of(unit)

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        """What follows from a command that `check` let through."""
        decided = self._decide_by_kind[type(command)](truth, command, chance)
        return ghost.kept(truth, decided)

    fold = staticmethod(folding.fold)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """See `luck.read`."""
        return luck.read(telling)

    def _refusal(self, view: Picture, seat: str, command: Command) -> Refused:
        """Why `command`, which is not legal, is refused."""
        try:
            self.check(view, seat, command)
        except Refused as refused:
            return refused
        raise AssertionError(f"{command} is legal")

    # --- words --------------------------------------------------------------------------------------------------

    def read_luck(self, board: Map, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """See `luck.wanted`."""
        return luck.wanted(board, raw)

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
        """The picture with the public counts that a position leaves to be derived (MP-INFO-01)."""
        dark = view.in_the_dark
        sizes = {"hand": None if dark else view.hand_size, "loot_deck": None if dark else view.deck_size}
        counts = {**sizes, "face_down": view.face_down_size}
        return {
            **position.write(view),
            "supply": None if dark else {token: view.supply(token) for token in TOKENS},
            "counts": {**counts, "looted": view.looted_size},
            "to_act": self.to_act(view),
            "face_up": view.face_up,
            "opened": msgspec.to_builtins(view.opened),
        }

    # --- for screens and board ----------------------------------------------------------------------------------

    def sentence(self, event: Event) -> Text:
        """See `sentences.sentence`."""
        return sentences.sentence(event)

    def outcome(self, view: Picture) -> Text | None:
        """How the game went, in two short sentences; None while it is played."""
        return None if view.over is None else sentences.OUTCOMES[view.over.reason]

    def ending(self, view: Picture) -> Ending | None:
        """Who won and why, with the objectives done and the wounds."""
        if view.over is None:
            return None
        counts = {"completed": len(view.completed), "wounds": view.wounds}
        return Ending((view.over.winner,), view.over.reason, view.round, counts)

    def progress(self, view: Picture) -> Progress:
        """The round, and the countdown."""
        return Progress(view.round, view.countdown)

    def figures(self, events: Iterable[Event]) -> list[tuple[Text, int]]:
        """See `figures.figures`."""
        return counting.figures(events)

    def details(self, event: Event) -> dict[str, Any]:
        """See `details.details`."""
        return detailing.details(event)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """See `foresight.of_sniper` and `foresight.of_defenders`."""
        legal = self.legal(view, seat)
        if seat == SNIPER:
            return foresight.of_sniper(view, legal, self._order.late(view, seat, self._rules[seat][commands.Play]))
        late = self._order.late(view, seat, self._rules[seat][commands.EndDefendersTurn])
        return foresight.of_defenders(view, legal, late, partial(self._refusal, view, seat))

    def odds(self, bag: Mapping[str, int], draw: int, need: int, silenced: bool) -> Mapping[str, Fraction]:
        """See `odds.asked`."""
        return odds.asked(bag, draw, need, silenced)

    def opening(self, view: Picture) -> bool:
        """Until the sniper's first turn is over."""
        return view.round == 1 and view.turn == SNIPER and view.over is None

    def begins(self, command: Command) -> bool:
        """The entering move: who hears it depends on where the units stand."""
        return isinstance(command, commands.Move)

    def glossary(self) -> dict[str, Any]:
        """Titles and texts of cards, allied snipers and specialists (MP-LOAD-07: public)."""
        return {
            "cards": {
                name: {"title": card.title, "text": card.text, "gives": card.gives, "copies": card.copies}
                for name, card in cards.CARDS.items()
            },
            "gear": {
                name: {"title": card.title, "text": card.text, "gives": card.gives, "copies": card.copies}
                for name, card in cards.GEAR_CARDS.items()
            },
            "allies": {
                name: {"title": ally.name, "text": ally.about, "bag": ally.bag} for name, ally in ALLIES.items()
            },
            "specialists": {
                name: {"title": card.title, "text": card.text} for name, card in specialists.SPECIALISTS.items()
            },
        }

    def retractable(self, view: Picture, telling: Iterable[Told]) -> bool:
        """A unit's move or deployment that nothing came of; while a card lies face-down, a move looks for mines.

        So is what the sniper alone was told of: the arrow, and a movement that nobody noticed.
        """
        secret = events.Entry | events.SniperMoved
        plain = secret | events.Deployed if view.face_down_size else secret | events.Moved | events.Deployed
        return all(isinstance(told.event, plain) or _private(told) for told in telling)

    def is_note(self, telling: Iterable[Told]) -> bool:
        """A tracking cube is set or taken back (MP-DEF-10)."""
        return all(isinstance(told.event, events.Marked | events.Unmarked) for told in telling)

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        """Where the nine miniatures belong."""
        return view.units

    def optional(self, view: Picture) -> frozenset[str]:
        """The sniper miniature may stand on the last known position (MP-INFO-20)."""
        return frozenset() if view.miniature is None else frozenset({view.miniature})

    def markers(self) -> tuple[str, ...]:
        """The sniper miniature (MP-INFO-20)."""
        return (SNIPER,)

    def colour(self, miniature: str) -> str:
        """The squad's colour."""
        return squad_of(miniature)

    def called(self, miniature: str) -> Text:
        """See `words.called`."""
        return called(miniature)

    def alike(self, one: str, other: str) -> bool:
        """See `board.alike`."""
        return board_rules.alike(one, other)

    def placements(self, view: Picture) -> list[Placement]:
        """See `board.placements`."""
        return board_rules.placements(view, self.legal(view, DEFENDERS))

    def cues(self, view: Picture) -> list[Cue]:
        """See `board.cues`."""
        return board_rules.cues(view)

    def uncovered(self, truth: Picture) -> list[Cue]:
        """See `board.uncovered`."""
        return board_rules.uncovered(truth)

    def random_position(self, board: Map, random: Random) -> RandomPosition:
        """See `positions.random_position`."""
        return positions.random_position(board, random)

    def public_position(self, view: Picture, possible: Sequence[str]) -> dict[str, Any]:
        """See `positions.public_position`."""
        return positions.public_position(view, possible)

    def deduction(self, view: Picture) -> Whereabouts:
        """See `whereabouts`."""
        return Whereabouts.begin(view)


def _private(told: Told) -> bool:
    """Wren's ability, of which the sniper alone hears (EN-R-35)."""
    return isinstance(told.event, events.AbilityUsed) and told.audience == only(SNIPER)


GAME = SniperElite()
