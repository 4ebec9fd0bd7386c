"""The game as the referee meets it: every rule module's commands in one table, and the order of checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.cues import Show
from engine.events import Event, Told
from engine.game import REFEREE, Command, Cue, Ending, Placement, Progress, RandomPosition
from engine.graph import Map
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from games.snipers_and_assassins.map_rules import pathways
from games.snipers_and_assassins.rules import (
    assassin,
    cards,
    commands,
    events,
    luck,
    places,
    position,
    possible,
    sentences,
    setup,
    sniper,
    turn,
)
from games.snipers_and_assassins.rules import fold as folding
from games.snipers_and_assassins.rules.naming import require_known
from games.snipers_and_assassins.rules.order import Order, late
from games.snipers_and_assassins.rules.picture import Options, Picture, Player
from games.snipers_and_assassins.rules.rule import Rule
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.words import (
    FEWEST,
    MOST,
    called,
    known,
    seat_names,
    seat_of,
)
from games.snipers_and_assassins.show import board as board_rules
from games.snipers_and_assassins.show import captions, positions, standing
from games.snipers_and_assassins.show import foresight as foreseeing
from games.snipers_and_assassins.show.lights import LIGHTS, PALETTES
from games.snipers_and_assassins.show.options import FORM
from games.snipers_and_assassins.show.sounds import SOUNDS

RULES: list[Rule] = [*setup.RULES, *sniper.RULES, *assassin.RULES, *turn.RULES]


class SnipersAndAssassins:
    """The race on the pathways (ledger: assassins)."""

    name = "snipers-and-assassins"
    title = Text("Snipers and Assassins")

    def __init__(self) -> None:
        self._rules = {rule.command: rule for rule in RULES}
        self._order = Order(RULES)

    show = Show(LIGHTS, PALETTES, SOUNDS)
    about = Text("A race of Assassins on parallel pathways, with Snipers to stop the others. All is open.")

    # --- starting -----------------------------------------------------------------------------------------------

    def options(self) -> OptionForm:
        """See `show.options`."""
        return FORM

    def read_options(self, raw: Any) -> Options:
        """The options of a game. Raises `NotUnderstood` for what does not exist, `Refused` for what cannot be had."""
        try:
            options = msgspec.convert(raw if raw is not None else {}, Options)
        except msgspec.ValidationError as error:
            raise NotUnderstood(Text("The options cannot be read: {error}.", error=str(error))) from error
        known(Text("seat"), [options.first, *(options.layout or ())], seat_names(MOST))
        if not FEWEST <= options.players <= MOST:
            raise Refused("SA-BRD-04", Text("There is no board for {players} players.", players=options.players))
        return options

    def seats(self, options: Options) -> tuple[Seat, ...]:
        """One for each player."""
        return tuple(Seat(name, called(name), secret=False, on_board=True) for name in seat_names(options.players))

    def blank(self, board: Map | None, options: Options) -> dict[str, Picture]:
        """The table before anything is told: everybody at the start that the layout says, if it says any."""
        seats = _seats_on(board)
        _understood(seats, options)
        if options.players != len(seats):
            raise Refused("SA-BRD-04", Text("This board is for {players} players.", players=len(seats)))
        layout = options.layout or (setup.FOR_TWO if len(seats) == FEWEST else None)
        players = {seat: Player() for seat in seats} if layout is None else _laid_out(seats, options)
        count = len(seats) + places.EXTRA_PATHWAYS
        truth = Picture(count, options, players, "start" if layout is None else "deal", seats[0])
        if layout is not None:
            possible.judge(truth)
        return position.pictures(truth)

    def setup(self, board: Map | None, options: Options, chance: Chance) -> Iterable[Told]:
        """The deal where there is nothing to choose (SA-R-63); else nothing is told yet."""
        telling = Telling(self.blank(board, options)[REFEREE], chance)
        setup.begin(telling)
        return telling.told

    def position(self, board: Map | None, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        """See `position.read`."""
        seats = _seats_on(board)
        _understood(seats, options)
        described = position.read(seats, options, raw)
        self.blank(board, options)
        return position.pictures(position.dealt(described, chance))

    # --- playing ------------------------------------------------------------------------------------------------

    def to_act(self, view: Picture) -> tuple[str, ...]:
        """The seat whose turn it is, nobody once the game is over."""
        return () if view.over is not None else (view.turn,)

    def legal(self, view: Picture, seat: str) -> list[Command]:
        """Everything that `seat` may do, in the order of the rule tables."""
        if view.over is not None or seat != view.turn:
            return []
        found: list[Command] = []
        for rule in self._order.timely(view):
            found += rule.offers(view)
        return found

    def part(self, command: Command) -> None:
        """A seat has no parts."""

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """`command` as `legal` lists it. Raises `NotUnderstood` or `Refused`."""
        require_known(view, command)
        rule = self._rules[type(command)]
        why = late(view, seat, rule.command) or rule.refusal(view, command)
        if why is not None:
            raise why
        return command

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        """What follows from a command that `check` let through."""
        telling = Telling(truth, chance)
        self._rules[type(command)].decide(telling, command)
        return telling.told

    def fold(self, view: Picture, event: Event) -> Picture:
        """See `fold.fold`."""
        return folding.fold(view, event)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """See `luck.read`."""
        return luck.read(telling)

    # --- words --------------------------------------------------------------------------------------------------

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """See `luck.wanted`."""
        return luck.wanted(_seats_on(board), raw)

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
        """The same for every viewer: the deck is a number of cards, none in set-up."""
        return {
            **position.write(view),
            "deck": None if view.setup else view.deck_size,
            "to_act": self.to_act(view),
            "pathways": view.pathways,
        }

    def sentence(self, event: Event) -> Text:
        """See `sentences.sentence`."""
        return sentences.sentence(event)

    def outcome(self, view: Picture) -> Text | None:
        """How the game went, None while it runs."""
        return None if view.over is None else sentences.ending(view.over.winner)

    def ending(self, view: Picture) -> Ending | None:
        """Who has won and how, None while it is played."""
        if view.over is None:
            return None
        return Ending(() if view.over.winner is None else (view.over.winner,), view.over.reason, view.round)

    def progress(self, view: Picture) -> Progress:
        """The round."""
        return Progress(view.round)

    def caption(self, command: Command) -> Text:
        """See `captions.caption`."""
        return captions.caption(command)

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        """See `standing.summary`."""
        return standing.summary(view)

    def open_cards(self, view: Picture) -> list[tuple[Text, str]]:
        """See `standing.open_cards`."""
        return standing.open_cards(view)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """By the type of an act, why a seat cannot do it now, or what comes of its acts; see `show.foresight`.

        Choices that are over, or have not come yet, are not worth a reason.
        """
        if view.over is not None or view.setup is not None or seat not in view.seats:
            return {}
        kinds = [kind for kind in self._rules if not issubclass(kind, commands.SetupAct)]
        if seat != view.turn:
            waits = {kind.__struct_config__.tag: late(view, seat, kind) for kind in kinds}
            return {str(tag): foreseeing.reason(why) for tag, why in waits.items() if why is not None}
        rules, legal = {kind: self._rules[kind] for kind in kinds}, self.legal(view, seat)
        return {**foreseeing.reasons(view, rules, legal), **foreseeing.outlooks(view, rules, legal)}

    # --- the board ----------------------------------------------------------------------------------------------

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        """See `board.standing`."""
        return board_rules.standing(view)

    def optional(self, view: Picture) -> frozenset[str]:
        """Nothing stands on the board but the markers."""
        return frozenset()

    def colour(self, miniature: str) -> str:
        """The colour of a marker is its owner's."""
        return seat_of(miniature)

    def owner(self, squad: str) -> Text:
        """The player of a colour, see `words.called`."""
        return called(squad)

    def called(self, miniature: str) -> Text:
        """See `words.called`."""
        return called(miniature)

    def alike(self, one: str, other: str) -> bool:
        """No two markers look alike: each has the colour of its owner and the size of its kind."""
        return one == other

    def placements(self, view: Picture) -> list[Placement]:
        """See `board.placements`."""
        return board_rules.placements(view, self.legal(view, view.turn))

    def opening(self, view: Picture) -> bool:
        """Until the cards are dealt."""
        return view.setup is not None

    def begins(self, command: Command) -> bool:
        """Whatever is no choice of set-up."""
        return not isinstance(command, commands.SetupAct)

    def cues(self, view: Picture) -> list[Cue]:
        """See `board.cues`."""
        return board_rules.cues(view, self.legal(view, view.turn))

    def random_position(self, board: Map, random: Random) -> RandomPosition:
        """See `positions.random_position`."""
        return positions.random_position(board, random)

    # --- boards and cards ---------------------------------------------------------------------------------------

    def map_names(self) -> tuple[str, ...]:
        """See `pathways.names`."""
        return pathways.names()

    def make_map(self, name: str) -> Map:
        """See `pathways.make`."""
        return pathways.make(name)

    def map_options(self, name: str) -> dict[str, Any]:
        """A board is made for its number of players (SA-BRD-04)."""
        return {"players": pathways.players_on(name)}

    def map_art(self, board: Map, say: Callable[[Text], str] = str) -> Overlay:
        """See `pathways.map_art`."""
        return pathways.map_art(board, say)

    def glossary(self) -> dict[str, Any]:
        """Titles and texts of the Improvement cards."""
        return {
            "improvements": {
                name: {"title": card.title, "text": card.text, "copies": card.copies}
                for name, card in cards.CARDS.items()
            }
        }


def _seats_on(board: Map | None) -> tuple[str, ...]:
    """The seats of the game on a board. Raises `NotUnderstood` for one that is not this game's."""
    if board is None:
        raise NotUnderstood(
            Text("This game is played on a board; name one of {known}.", known=", ".join(pathways.names()))
        )
    return seat_names(pathways.players_on(board.slug))


def _understood(seats: tuple[str, ...], options: Options) -> None:
    """Raises `NotUnderstood` for options that name a seat or Hideout that does not exist, or not every player."""
    layout = options.layout
    known(Text("seat"), [options.first, *(layout or ())], seats)
    hideouts = places.hideouts(len(seats) + places.EXTRA_PATHWAYS)
    for one in (layout or {}).values():
        known(Text("seat"), [one.target], seats)
        known(Text("Hideout"), [one.start, one.leader], hideouts)
    if layout is not None and len(layout) < len(seats):
        raise NotUnderstood(Text("The layout says where every player begins, or is left out."))


def _laid_out(seats: tuple[str, ...], options: Options) -> dict[str, Player]:
    """The players of the option `layout`, or of the usual one for two."""
    layout = options.layout or setup.FOR_TWO
    return setup.seated({seat: layout[seat] for seat in seats})


GAME = SnipersAndAssassins()
