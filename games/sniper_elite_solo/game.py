"""The `Game` implementation of Sniper Elite solo: the rule table and the order of checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, TABLE, Command, Placement, Progress
from engine.graph import Map
from engine.lazy import kept_for_latest
from engine.naming import Naming, Noun, any_of, require_known, tag_of
from engine.plain import PlainGame
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.commands import ChooseEntry, Complete, Keep, Loot, Move, ReturnObjective, read_command
from games.sniper_elite.rules.events import CardPlayed, Distracted, Entry, MineLaid
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.order import NOUNS
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import SEAT_WORDS, SNIPER, UNITS, squad_of
from games.sniper_elite.show import captions as multiplayer
from games.sniper_elite_solo.rules import (
    events,
    loadout,
    movement,
    position,
    sentences,
    setup,
    shooting,
    terrain,
    turn,
)
from games.sniper_elite_solo.rules.act import Telling
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.fold import FOLDS, fold
from games.sniper_elite_solo.rules.luck import DRAWS
from games.sniper_elite_solo.rules.options import Options, read_options
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import END_RULES, LOADOUT
from games.sniper_elite_solo.show import captions, cues, foresight, lights, options, puzzles

RULES: dict[type[Command], Rule[Picture]] = {
    rule.command: rule for module in (setup, movement, loadout, shooting, turn) for rule in module.RULES
}
COMMAND: Any = any_of(RULES)

SEATS = (Seat(SNIPER, SEAT_WORDS[SNIPER], secret=True, on_board=True),)

SECRET = (ReturnObjective, ChooseEntry, Loot, Keep, Complete)
"""Commands that depend on information only the player has."""

CERTAIN = (
    Entry, events.LksUpdated, events.Possible, events.SniperMoved, events.Hit, CardPlayed, MineLaid, Distracted,
)  # fmt: skip
"""Events of acts without chance, which every viewer could predict."""

QUESTIONS = {
    "return-objective": ("SO-SET-12", Text("First return one of your two objectives of the same suit.")),
    "choose-entry": ("SO-SET-13", Text("First choose the arrow by which you enter.")),
    "after-hit": ("SO-SHT-05", Text("First choose what your hit brings.")),
    "shoot-second": ("SO-LDO-02", Text("First take the second shot that you announced.")),
    "keep": ("SO-LOT-01", Text("First keep one of the cards that you drew.")),
    "place-return": ("SO-DEF-05", Text("First choose where the defender returns.")),
}
"""Question -> its rule, and the refusal of all other commands while it is pending."""

_LOADOUT: Final[Noun[Picture]] = (Text("loadout card"), lambda view: LOADOUT)
require_known_names: Final = Naming({**NOUNS, "card": _LOADOUT}).require


class SniperEliteSolo(PlainGame):
    """The solo game (rulebook: `book/en.md`). Methods without a docstring are documented in `engine/game.py`."""

    name = "sniper-elite-solo"
    title = Text("Sniper Elite, solo")
    about = Text("You alone against nine defenders, whom a deck of cards commands.")
    show = lights.SHOW
    event_types = any_of(FOLDS)
    option_form = options.FORM
    draws = DRAWS

    # --- the contract of a game -----------------------------------------------------------------------------------

    read_options = staticmethod(read_options)
    fold = staticmethod(fold)
    state = staticmethod(position.write_position)
    sentence = staticmethod(sentences.sentence)
    caption = staticmethod(captions.caption)

    def seats(self, chosen: Options) -> tuple[Seat, ...]:
        """Return the sniper's seat. The rules control the defenders (SO-SET-01)."""
        return SEATS

    def blank(self, board: Map | None, chosen: Options) -> dict[str, Picture]:
        return dict.fromkeys((TABLE, SNIPER, REFEREE), setup.blank(_require_map(board), chosen))

    def setup(self, board: Map | None, chosen: Options, chance: Chance) -> Iterable[Told]:
        return setup.begin(setup.blank(_require_map(board), chosen), chance)

    def position(self, board: Map | None, chosen: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        return position.read_position(_require_map(board), chosen, raw, chance)

    def to_act(self, view: Picture) -> tuple[str, ...]:
        return (SNIPER,) if view.over is None else ()

    @kept_for_latest
    def legal(self, view: Picture, seat: str) -> list[Command]:
        """Return all legal commands of the sniper, in the order of the rule table.

        If the picture hides the objectives, as the table's does, commands that depend on them are left out.
        """
        if view.over is not None or seat != SNIPER:
            return []
        question = _question(view)
        return [
            command
            for rule in RULES.values()
            # The table's picture hides objectives; a list without them must not depend on them.
            if rule.pending == question and (view.objectives is not None or rule.command not in SECRET)
            for command in rule.offers(view)
        ]

    def dealt(self, view: Picture, seat: str) -> Command | None:
        """Return the sniper's first card, if one of the two objectives has to go back (MP-SETUP-10)."""
        return next((it for it in self.legal(view, seat) if isinstance(it, ReturnObjective)), None)

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """Return `command` in the form that `legal` lists. The check uses only what `seat` sees."""
        rule = RULES.get(type(command))
        if rule is None or seat != SNIPER:
            raise NotUnderstood(Text("This seat has no such action: {what}.", what=tag_of(command)))
        require_known_names(view, command)
        if view.over is not None:
            raise Refused(END_RULES[view.over.reason], Text("The game is over."))
        question = _question(view)
        if question is not None and question != rule.pending:
            raise Refused(*QUESTIONS[question])
        if question is None and rule.pending is not None:
            raise Refused(QUESTIONS[rule.pending][0], Text("That decision isn't due now."))
        return rule.check(view, command)

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        telling = Telling(truth, chance)
        RULES[type(command)].decide(telling, command)
        is_last = not telling.over or isinstance(telling.told[-1].event, events.Opened)
        assert is_last, "no event may follow the end of a game"
        return telling

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        spaces = _require_map(board).spaces
        results = super().read_luck(board, raw)
        for unit, space in (value[0] for kind, value in results if kind == "snafu"):
            require_known("unit", [unit], UNITS)
            require_known("space", [space], spaces)
        return results

    def read_command(self, seat: str, raw: Any) -> Command:
        return read_command(seat, raw, {SNIPER: COMMAND})

    def view(self, view: Picture) -> dict[str, Any]:
        """Return the picture as JSON data, with the public counts that follow from it."""
        # The view has the fields of the event without its type.
        opened = msgspec.to_builtins(view.opened)
        if view.opened is not None:
            del opened["type"]
        return {
            **position.write_position(view),
            "supply": {token: view.supply(token) for token in ("aim", "noise")},
            "counts": {"deck": view.deck_size, "loot_deck": view.loot_size, "discard": len(view.discard)},
            "to_act": self.to_act(view),
            "opened": opened,
        }

    def outcome(self, view: Picture) -> Text | None:
        return None if view.over is None else sentences.OUTCOMES[view.over.reason]

    # --- for screens and statistics -------------------------------------------------------------------------------

    map_faults = staticmethod(terrain.map_faults)
    figures = staticmethod(captions.figures)
    route = staticmethod(captions.route)
    cost = staticmethod(captions.cost)
    highlights = captions.HIGHLIGHTS
    details = staticmethod(captions.details)
    ending = staticmethod(multiplayer.ending)
    odds = staticmethod(shooting.draw_odds)
    puzzle = staticmethod(puzzles.puzzle)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        return foresight.foresight(view, self.legal(view, seat))

    def glossary(self) -> dict[str, Any]:
        return {
            "cards": {
                name: {"title": card.title, "text": loadout.TEXTS[name], "copies": card.copies}
                for name, card in EVERY_CARD.items()
            },
            "allies": {
                name: {"title": ally.name, "text": ally.about, "bag": ally.bag} for name, ally in ALLIES.items()
            },
            "solo_cards": {
                name: {"title": sentences.TITLES[name], "set": card.set, "urgent": card.urgent}
                for name, card in CARDS.items()
            },
        }

    def progress(self, view: Picture) -> Progress:
        return Progress(view.round)

    # --- on the board ---------------------------------------------------------------------------------------------

    standing = staticmethod(cues.standing)
    colour = staticmethod(squad_of)
    called = staticmethod(cues.called)
    alike = staticmethod(cues.alike)
    uncovered = staticmethod(cues.uncovered)
    cues = staticmethod(cues.cues)

    def retractable(self, view: Picture, told: Iterable[Told]) -> bool:
        """Return whether an act drew nothing, so the player learned nothing new and can take it back."""
        # A draw, a die or a card of the defenders would let the player choose again with new knowledge.
        return all(isinstance(one.event, CERTAIN) for one in told)

    def stood(self, view: Picture) -> dict[str, str | None]:
        return {} if view.stood is None else {**view.stood[0], SNIPER: view.stood[1]}

    def placements(self, view: Picture) -> list[Placement]:
        return cues.placements(view, self.legal(view, SNIPER))

    def opening(self, view: Picture) -> bool:
        """Return whether the sniper is still off the map."""
        return view.space is None and view.over is None

    def begins(self, command: Command) -> bool:
        """Return whether the command is a move: its cost depends on where the defenders stand."""
        return isinstance(command, Move)


def _require_map(board: Map | None) -> Map:
    """Return the map. Raises `NotUnderstood` if there is none."""
    if board is None:
        raise NotUnderstood(Text("This game is played on a map."))
    return board


def _question(view: Picture) -> str | None:
    """Return the question that the player must answer, or None in a normal turn."""
    if view.pending is not None:
        return view.pending.name
    return "choose-entry" if setup.must_choose_entry(view) else None


GAME = SniperEliteSolo()
