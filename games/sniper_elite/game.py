"""The `Game` implementation of Sniper Elite: the rule table and the order of checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import Told, only
from engine.game import REFEREE, TABLE, Command, Placement, Progress
from engine.graph import Map
from engine.lazy import kept_for_latest
from engine.naming import any_of, require_known, tag_of
from engine.plain import PlainGame, facts_of
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from games.sniper_elite.map_rules import faults
from games.sniper_elite.map_rules.sites import PROPERTIES, sites_of
from games.sniper_elite.rules import (
    cards,
    commands,
    events,
    foresight,
    ghost,
    marks,
    movement,
    order,
    sentences,
    setup,
    shooting,
    specialists,
    squads,
    turn,
    words,
)
from games.sniper_elite.rules import fold as folding
from games.sniper_elite.rules import odds as shot_odds
from games.sniper_elite.rules import position as described
from games.sniper_elite.rules.commands import ReturnObjective
from games.sniper_elite.rules.luck import DRAWS
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import GHOST, Dossier, Options, Pending, Picture
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SEAT_WORDS, SEATS, SNIPER, SQUADS, UNITS
from games.sniper_elite.show import captions, lights, options, puzzles
from games.sniper_elite.show import cues as board_cues

_MODULES = (setup, movement, cards, squads, specialists, shooting, turn, marks)
ALL_RULES: dict[type[Command], Rule[Picture]] = {rule.command: rule for module in _MODULES for rule in module.RULES}
RULES: dict[str, dict[type[Command], Rule[Picture]]] = {
    SNIPER: {kind: rule for kind, rule in ALL_RULES.items() if issubclass(kind, commands.SniperCommand)},
    DEFENDERS: {kind: rule for kind, rule in ALL_RULES.items() if issubclass(kind, commands.DefendersCommand)},
}
"""Seat -> command -> rule, in the order in which `legal` lists the commands."""

SWITCHES = tuple(options.SWITCHED_OFF)

PLAYER_SEATS = (
    Seat(SNIPER, SEAT_WORDS[SNIPER], secret=True),
    Seat(DEFENDERS, SEAT_WORDS[DEFENDERS], secret=False, parts=SQUADS, on_board=True),
)


class SniperElite(PlainGame):
    """The multiplayer game (rulebook: `book/multiplayer.md`). A module with the same name implements most methods."""

    name = "sniper-elite"
    title = "Sniper Elite"
    reveals = ("revealed", "killed", "save-offered")
    about = Text("One hides, the others hunt: a sniper against three squads with nine miniatures.")
    show = lights.SHOW
    drawn_properties = PROPERTIES
    event_types = any_of(events.KINDS.values())
    option_type = Options
    option_form = options.FORM
    draws = DRAWS

    # --- starting -----------------------------------------------------------------------------------------------

    position = staticmethod(described.read_position)

    def read_options(self, raw: Any) -> Options:
        chosen: Options = super().read_options(raw)
        require_known(Text("switch"), chosen.switches, SWITCHES)
        require_known(Text("ally"), [chosen.ally], (*ALLIES, GHOST))
        if "A" in chosen.experienced_sniper and "A" in chosen.experienced_defenders:
            text = Text("Two random cards and one more card contradict each other (R-73); choose one.")
            raise Refused("MP-DIFF-09", text)
        return chosen

    def seats(self, options: Options) -> tuple[Seat, ...]:
        return PLAYER_SEATS

    def blank(self, board: Map, options: Options) -> dict[str, Picture]:
        """Return each viewer's picture before the first event (MP-SETUP-12, MP-SETUP-16, MP-SETUP-19, MP-SETUP-20)."""
        setup.require_ground(board)
        # A ghost is dealt during set-up, so it isn't known yet.
        ally = None if options.ghost else options.ally
        public = Picture(
            board,
            options,
            units={unit: sites_of(board).starts[unit] for unit in UNITS},
            bag=setup.start_bag(options, ally),
            pending=Pending("choose-loadout"),
            countdown=options.start_countdown,
            squads=folding.FRESH_SQUADS,
            ally=ally,
        )
        deck = cards.full_deck(public)
        public = replace(public, deck_size=len(deck))
        sniper = replace(public, dossier=Dossier(loot_deck=deck))
        # Only the sniper and the referee keep the whole picture.
        public = ghost.as_unknown(public)
        return {TABLE: public, DEFENDERS: public, SNIPER: sniper, REFEREE: replace(sniper, deck=())}

    def setup(self, board: Map, options: Options, chance: Chance) -> Iterable[Told]:
        return ghost.hide_identity(self.blank(board, options)[REFEREE], setup.begin(board, options, chance))

    # --- maps ---------------------------------------------------------------------------------------------------

    map_faults = staticmethod(faults.map_faults)
    check_drawing = staticmethod(faults.check_drawing)

    def map_facts(self, board: Map) -> dict[str, dict[str, str]]:
        sites = sites_of(board)
        return {"entries": sites.entries, "starts": sites.starts}

    # --- playing ------------------------------------------------------------------------------------------------

    to_act = staticmethod(order.to_act)
    fold = staticmethod(folding.fold)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """Return the results of the `draws`. The objectives in hand are the top of their deck."""
        told = [*telling]
        hand = next((it.event.cards for it in told if isinstance(it.event, events.Objectives)), ())
        results = super().luck(told)
        return [(kind, [*hand, *value] if kind == "objectives" else value) for kind, value in results]

    @kept_for_latest
    def legal(self, view: Picture, seat: str) -> list[Command]:
        if view.over is not None or seat not in SEATS:
            return []
        timely = [rule for rule in RULES[seat].values() if order.is_timely(view, seat, rule)]
        return [command for rule in timely for command in rule.offers(view)]

    def dealt(self, view: Picture, seat: str) -> Command | None:
        """Return the sniper's first card, if one of the two objectives has to go back (MP-SETUP-10)."""
        return next((it for it in self.legal(view, seat) if isinstance(it, ReturnObjective)), None)

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """Return `command` in the form that `legal` lists. The check uses `view` only."""
        rule = RULES[seat].get(type(command))
        if rule is None:
            raise NotUnderstood(Text("This seat has no such action: {what}.", what=tag_of(command)))
        order.require_known_names(view, command)
        if (why := order.not_now(view, seat, rule)) is not None:
            raise why
        return rule.check(view, command)

    def part(self, command: Command) -> str | None:
        """Return the squad that a defenders' command is for (MP-SETUP-02)."""
        if not isinstance(command, commands.DefendersCommand):
            return None
        unit, squad = getattr(command, "unit", None), getattr(command, "squad", None)
        # Most commands name a unit, the others name the squad itself; both may be unknown.
        found = squad if unit is None else words.squad_of(unit)
        return found if found in words.SQUADS else None

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        return ghost.hide_identity(truth, ALL_RULES[type(command)].decide(truth, command, chance))

    def _refusal(self, view: Picture, seat: str, command: Command) -> Refused:
        """Return why `command` is refused, which isn't legal and names only what there is."""
        rule = RULES[seat][type(command)]
        if (why := order.not_now(view, seat, rule)) is not None:
            return why
        try:
            rule.check(view, command)
        except Refused as refused:
            return refused
        raise AssertionError(f"{command} is legal")

    def retractable(self, view: Picture, telling: Iterable[Told]) -> bool:
        """Return whether an act gave no player new information, so it can be taken back.

        This applies to a unit's move or deployment, and to acts that only the sniper sees. While a card is face down, a
        unit's move may trigger a mine, so it can't be taken back.
        """
        secret = events.Entry | events.SniperMoved
        plain = secret | events.Deployed if view.face_down_size else secret | events.Moved | events.Deployed
        return all(isinstance(told.event, plain) or _is_private(told) for told in telling)

    def is_note(self, telling: Iterable[Told]) -> bool:
        """Return whether a tracking cube was placed or removed (MP-DEF-10)."""
        return all(isinstance(told.event, events.Marked | events.Unmarked) for told in telling)

    # --- reading and writing ------------------------------------------------------------------------------------

    read_command = staticmethod(commands.read_command)
    state = staticmethod(described.write_position)

    def view(self, view: Picture) -> dict[str, Any]:
        """Return the picture as JSON data, with public counts that a position leaves out (MP-INFO-01)."""
        # For an unknown ghost, these numbers aren't public.
        dark = view.in_the_dark
        return {
            **described.write_position(view),
            "supply": None if dark else {token: view.supply(token) for token in words.TOKENS},
            "counts": {
                "hand": None if dark else view.hand_size,
                "loot_deck": None if dark else view.deck_size,
                "face_down": view.face_down_size,
                "looted": view.looted_size,
            },
            "to_act": self.to_act(view),
            "face_up": view.face_up,
            "opened": msgspec.to_builtins(view.opened),
        }

    # --- for screens --------------------------------------------------------------------------------------------

    sentence = staticmethod(sentences.sentence)
    caption = staticmethod(captions.caption)
    figures = staticmethod(captions.figures)
    highlights = captions.HIGHLIGHTS
    route = staticmethod(captions.turns_of_sniper)
    cost = staticmethod(captions.cost)
    details = staticmethod(captions.details)
    ending = staticmethod(captions.ending)
    odds = staticmethod(shot_odds.odds_of_any_bag)
    puzzle = staticmethod(puzzles.puzzle)

    def outcome(self, view: Picture) -> Text | None:
        return None if view.over is None else sentences.OUTCOMES[view.over.reason]

    def progress(self, view: Picture) -> Progress:
        return Progress(view.round, view.countdown)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        legal = self.legal(view, seat)
        if seat == SNIPER:
            return foresight.of_sniper(view, legal, order.not_now(view, seat, RULES[seat][commands.Play]))
        not_now = order.not_now(view, seat, RULES[seat][commands.EndDefendersTurn])
        return foresight.of_defenders(view, legal, not_now, partial(self._refusal, view, seat))

    def glossary(self) -> dict[str, Any]:
        """Return the titles and texts of cards, allied snipers and specialists (MP-LOAD-07: public)."""
        card_facts = ("title", "text", "gives", "copies")
        return {
            "cards": facts_of(cards.CARDS, *card_facts),
            "gear": facts_of(cards.GEAR_CARDS, *card_facts),
            "allies": {
                name: {"title": ally.name, "text": ally.about, "bag": ally.bag} for name, ally in ALLIES.items()
            },
            "specialists": facts_of(specialists.SPECIALISTS, "title", "text", "how", "choice", "confirm"),
        }

    # --- for the board ------------------------------------------------------------------------------------------

    cues = staticmethod(board_cues.cues)
    uncovered = staticmethod(board_cues.uncovered)
    alike = staticmethod(board_cues.alike)
    called = staticmethod(words.called)
    colour = staticmethod(words.squad_of)
    random_position = staticmethod(board_cues.random_position)
    public_position = staticmethod(board_cues.public_position)
    deduction = staticmethod(Whereabouts.begin)

    def placements(self, view: Picture) -> list[Placement]:
        return board_cues.placements(view, self.legal(view, DEFENDERS))

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        return view.units

    def optional(self, view: Picture) -> frozenset[str]:
        """Return where the sniper miniature may stand: the last known position (MP-INFO-20)."""
        return frozenset() if view.miniature is None else frozenset({view.miniature})

    def markers(self) -> tuple[str, ...]:
        return (SNIPER,)

    def opening(self, view: Picture) -> bool:
        """Return whether the sniper's first turn hasn't ended yet."""
        return view.round == 1 and view.turn == SNIPER and view.over is None

    def begins(self, command: Command) -> bool:
        """Return whether a command is the sniper's move onto the board.

        The positions of the units decide who hears this move.
        """
        return isinstance(command, commands.Move)


def _is_private(told: Told) -> bool:
    """Return whether this is Wren's ability, which only the sniper is notified of (EN-R-35)."""
    return isinstance(told.event, events.AbilityUsed) and told.audience == only(SNIPER)


GAME = SniperElite()  # The multiplayer game. `rules/__init__.py` describes the rule modules.
