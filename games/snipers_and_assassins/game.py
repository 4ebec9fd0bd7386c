"""The `Game` implementation of Snipers and Assassins.

Methods that need only their arguments are module functions, attached unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, Command, Cue, Ending, Placement, Progress
from engine.graph import Map
from engine.lazy import kept_for_latest
from engine.naming import Forced, any_of, require_known
from engine.plain import Draw, PlainGame, facts_of
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat, player_names
from engine.text import Text
from games.snipers_and_assassins.map_rules import pathways
from games.snipers_and_assassins.rules import (
    assassin,
    cards,
    commands,
    events,
    places,
    position,
    sentences,
    setup,
    sniper,
    turn,
)
from games.snipers_and_assassins.rules import fold as folding
from games.snipers_and_assassins.rules.picture import Options, Picture, Player, Telling
from games.snipers_and_assassins.rules.rule import Rule
from games.snipers_and_assassins.rules.turn import require_known_names, why_not_now
from games.snipers_and_assassins.rules.words import FEWEST, MOST, called, seat_of
from games.snipers_and_assassins.show import board as board_rules
from games.snipers_and_assassins.show import captions, puzzles, standing
from games.snipers_and_assassins.show import foresight as foreseeing
from games.snipers_and_assassins.show.lights import SHOW
from games.snipers_and_assassins.show.options import FORM

SEAT = Text("seat")
IMPROVEMENTS = Forced(list[str], "a list of cards, the top one first", Text("card"), cards.CARDS)
RULES: list[Rule] = [*setup.RULES, *sniper.RULES, *assassin.RULES, *turn.RULES]


def _seats_on(board: Map | None) -> tuple[str, ...]:
    """Return the seats of the game on a board. Raises `NotUnderstood` for a board of another game."""
    if board is None:
        text = Text("This game is played on a board; name one of {known}.")
        raise NotUnderstood(text.with_(known=", ".join(pathways.BOARDS.map_names())))
    return player_names(pathways.BOARDS.players_on(board.slug))


def _seat_of(board: Map | None) -> Forced:
    return Forced(str, "a seat", SEAT, _seats_on(board))


class SnipersAndAssassins(PlainGame):
    """The race on the pathways (`book/rules.md`). Methods without a docstring are documented in `engine/game.py`."""

    name = "snipers-and-assassins"
    title = Text("Snipers and Assassins")
    about = Text("A race of Assassins on parallel pathways, with Snipers to stop the others. Nothing is hidden.")
    show = SHOW
    event_types = any_of(events.KINDS.values())
    option_type = Options
    option_form = FORM
    draws = (
        Draw("improvements", events.Deck, "cards", forced=IMPROVEMENTS),
        Draw("first", events.TurnStarted, "seat", top=True, forced=_seat_of),
    )

    fold = staticmethod(folding.fold)
    read_command = staticmethod(commands.read_command)
    state = staticmethod(position.write_position)
    sentence = staticmethod(sentences.sentence)
    caption = staticmethod(captions.caption)
    puzzle = staticmethod(puzzles.puzzle)
    details = staticmethod(captions.details)
    retractable = staticmethod(turn.is_retractable)
    highlights = captions.HIGHLIGHTS
    figures = staticmethod(captions.figures)
    cost = staticmethod(captions.cost)
    summary = staticmethod(standing.summary)
    open_cards = staticmethod(standing.open_cards)
    standing = staticmethod(board_rules.standing)
    owner = staticmethod(called)
    called = staticmethod(called)
    colour = staticmethod(seat_of)
    random_position = staticmethod(board_rules.random_position)
    map_names = staticmethod(pathways.BOARDS.map_names)
    make_map = staticmethod(pathways.BOARDS.make_map)
    map_options = staticmethod(pathways.BOARDS.map_options)
    map_art = staticmethod(pathways.map_art)

    def __init__(self) -> None:
        self._rules = {rule.command: rule for rule in RULES}
        self._possible_rules: dict[tuple[object, ...], list[Rule]] = {}

    def read_options(self, raw: Any) -> Options:
        options: Options = super().read_options(raw)
        require_known(SEAT, [options.first, *(options.layout or ())], player_names(MOST))
        if not FEWEST <= options.players <= MOST:
            raise Refused("SA-BRD-04", Text("There is no board for {players} players.", players=options.players))
        return options

    def seats(self, options: Options) -> tuple[Seat, ...]:
        return tuple(Seat(name, called(name), secret=False, on_board=True) for name in player_names(options.players))

    def blank(self, board: Map | None, options: Options) -> dict[str, Picture]:
        seats = _seats_on(board)
        _require_fitting(seats, options)
        # The board decides the number of players; the option must say the same.
        if options.players != len(seats):
            raise Refused("SA-BRD-04", Text("This board is for {players} players.", players=len(seats)))
        # Two players begin from a fixed layout (SA-SET-03), so there is nothing to choose.
        layout = options.layout or (setup.FOR_TWO if len(seats) == FEWEST else None)
        players = dict.fromkeys(seats, Player())
        if layout is not None:
            players = setup.players_at_starts({seat: layout[seat] for seat in seats})
        pathway_count = len(seats) + places.EXTRA_PATHWAYS
        truth = Picture(pathway_count, options, players, "start" if layout is None else "deal", seats[0])
        if layout is not None:
            position.validate_position(truth)
        return position.pictures(truth)

    def setup(self, board: Map | None, options: Options, chance: Chance) -> Iterable[Told]:
        """Return the deal if the layout makes all choices (SA-R-63), otherwise no events."""
        telling = Telling(self.blank(board, options)[REFEREE], chance, folding.fold)
        setup.begin(telling)
        return telling.told

    def position(self, board: Map | None, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        seats = _seats_on(board)
        _require_fitting(seats, options)
        described = position.read_position(seats, options, raw)
        self.blank(board, options)
        return position.pictures(position.with_deck(described, chance))

    def to_act(self, view: Picture) -> tuple[str, ...]:
        return () if view.over is not None else (view.turn,)

    @kept_for_latest
    def legal(self, view: Picture, seat: str) -> list[Command]:
        if view.over is not None or seat != view.turn:
            return []
        # Bots list acts constantly, and the checks build a refusal for each impossible type. So the rules are cached.
        timing = turn.timing_of(view)
        if (rules := self._possible_rules.get(timing)) is None:
            rules = self._possible_rules[timing] = [rule for rule in RULES if turn.is_possible(view, rule)]
        acts: list[Command] = []
        for rule in rules:
            acts += rule.offers(view)
        return acts

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        require_known_names(view, command)
        rule = self._rules[type(command)]
        # The general reason first: on another player's turn, no detail of the act matters.
        why = why_not_now(view, seat, rule.command) or rule.refusal(view, command)
        if why is not None:
            raise why
        return command

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Telling:
        telling = Telling(truth, chance, folding.fold)
        self._rules[type(command)].decide(telling, command)
        return telling

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """Return the results of the `draws`. The first player is drawn only in the act in which the cards are dealt."""
        results = super().luck(telling)
        return results if "improvements" in dict(results) else []

    def view(self, view: Picture) -> dict[str, Any]:
        """Return the picture with the size of the deck instead of its order; None during set-up."""
        # During set-up there is no deck yet, and turns to go would need starts.
        playing = view.setup is None
        return {
            **position.write_position(view),
            "deck": view.deck_size if playing else None,
            "to_act": self.to_act(view),
            "pathways": view.pathways,
            "turns_to_go": {seat: standing.turns_to_go(view, seat) for seat in view.seats} if playing else {},
            "turns_of_race": {seat: standing.turns_of_race(view, seat) for seat in view.seats} if playing else {},
        }

    def outcome(self, view: Picture) -> Text | None:
        return None if view.over is None else sentences.ending(view.over.winner)

    def ending(self, view: Picture) -> Ending | None:
        if view.over is None:
            return None
        return Ending(() if view.over.winner is None else (view.over.winner,), view.over.reason, view.round)

    def progress(self, view: Picture) -> Progress:
        return Progress(view.round)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """Return why types of act aren't possible, and what follows from legal ones. During set-up, return only how
        soon a Leader can be reached in each Hideout.
        """
        if view.setup == "leader" and seat == view.turn:
            hideouts = [it.space for it in self.legal(view, seat) if isinstance(it, commands.PlaceLeader)]
            return {"turns": standing.turns_to_hide(view, seat, hideouts)}
        if view.over is not None or view.setup is not None or seat not in view.seats:
            return {}
        rules = {kind: rule for kind, rule in self._rules.items() if not issubclass(kind, commands.SetupCommand)}
        if seat != view.turn:
            waits = {str(kind.__struct_config__.tag): why_not_now(view, seat, kind) for kind in rules}
            return {tag: why.reason for tag, why in waits.items() if why is not None}
        legal = self.legal(view, seat)
        return {**foreseeing.reasons(view, rules, legal), **foreseeing.outlooks(view, rules, legal)}

    def glossary(self) -> dict[str, Any]:
        return {"improvements": facts_of(cards.CARDS, "title", "text", "copies")}

    def placements(self, view: Picture) -> list[Placement]:
        return board_rules.placements(view, self.legal(view, view.turn))

    def opening(self, view: Picture) -> bool:
        """Return whether the cards haven't been dealt yet."""
        return view.setup is not None

    def begins(self, command: Command) -> bool:
        """Return whether a command comes after set-up."""
        return not isinstance(command, commands.SetupCommand)

    def cues(self, view: Picture) -> list[Cue]:
        return board_rules.cues(view, self.legal(view, view.turn))


def _require_fitting(seats: tuple[str, ...], options: Options) -> None:
    """Check the seats and Hideouts in the options, and that a layout covers every seat. Raises `NotUnderstood`."""
    layout = options.layout
    require_known(SEAT, [options.first, *(layout or ())], seats)
    hideouts = places.hideouts(len(seats) + places.EXTRA_PATHWAYS)
    for place in (layout or {}).values():
        require_known(SEAT, [place.target], seats)
        require_known(Text("Hideout"), [place.start, place.leader], hideouts)
    if layout is not None and len(layout) < len(seats):
        raise NotUnderstood(Text("Give a start for every player, or leave out the layout."))


GAME = SnipersAndAssassins()
