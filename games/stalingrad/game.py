"""The `Game` implementation of Stalingrad.

Methods that need only their arguments are module functions, attached unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Ending
from engine.graph import Map
from engine.naming import any_of, require_known, tag_of
from engine.plain import PlainGame, facts_of
from engine.refusal import NotUnderstood
from engine.seats import Seat
from engine.text import Text
from games.stalingrad.map_rules import tracks
from games.stalingrad.rules import acts, commands, events, luck, picture, position, sentences, turn
from games.stalingrad.rules import fold as folding
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.picture import Options, Picture, Telling
from games.stalingrad.rules.words import ALL_SEATS, called
from games.stalingrad.show import captions, lamps, puzzles
from games.stalingrad.show.lights import SHOW
from games.stalingrad.show.options import FORM

SEAT, SEAT_THAT_ACTS = Text("seat"), Text("seat that acts")


class Stalingrad(PlainGame):
    """The card game (`book/rules.md`). Methods without a docstring are documented in `engine/game.py`."""

    name = "stalingrad"
    title = "Stalingrad"
    about = Text("Lay out as many cards as your Hunt, and roll for every target and every danger.")
    show = SHOW
    command_types = any_of(commands.KINDS.values())
    event_types = any_of(events.KINDS.values())
    option_form = FORM
    draws = luck.DRAWS

    read_options = staticmethod(picture.read_options)
    legal = staticmethod(acts.legal)
    fold = staticmethod(folding.fold)
    luck = staticmethod(luck.results_of)
    state = staticmethod(position.write_position)
    sentence = staticmethod(sentences.sentence)
    foresight = staticmethod(acts.foresight)
    details = staticmethod(captions.details)
    highlights = captions.HIGHLIGHTS
    caption = staticmethod(captions.caption)
    puzzle = staticmethod(puzzles.puzzle)
    summary = staticmethod(captions.summary)
    figures = staticmethod(captions.figures)
    cues = staticmethod(lamps.cues)
    fortunes = staticmethod(captions.fortunes)
    map_names = staticmethod(tracks.BOARDS.map_names)
    make_map = staticmethod(tracks.BOARDS.make_map)
    map_options = staticmethod(tracks.BOARDS.map_options)
    map_art = staticmethod(tracks.map_art)

    def seats(self, options: Options) -> tuple[Seat, ...]:
        """Return one seat for each player. Seats are secret if hands are hidden (ST-R-22)."""
        secret = not options.switches.open_hands
        return tuple(Seat(name, called(name), secret=secret) for name in options.seats)

    def blank(self, board: Map | None, options: Options) -> dict[str, Picture]:
        if board is not None:
            raise NotUnderstood(Text("{game} is played without a map.", game=self.title))
        return picture.pictures(picture.initial_picture(options))

    def setup(self, board: Map | None, options: Options, chance: Chance) -> Iterable[Told]:
        return turn.setup(options, chance)

    def position(self, board: Map | None, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        self.blank(board, options)
        return position.read_position(options, raw, chance)

    def to_act(self, view: Picture) -> tuple[str, ...]:
        return () if view.turn is None else (view.turn,)

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        require_known(SEAT, [seat], view.players)
        if not isinstance(command, commands.SeatCommand):
            raise NotUnderstood(Text("This seat has no such action: {what}.", what=tag_of(command)))
        # Aids can be named in any order; the journal and the menu have one form.
        act = commands.canonical(command)
        why = acts.refusal(view, seat, act)
        if why is not None:
            raise why
        return act

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        telling = Telling(truth, chance, folding.fold)
        acts.RULES[type(command)].decide(telling, command)
        return telling

    def read_command(self, seat: str, raw: Any) -> commands.SeatCommand:
        if seat not in ALL_SEATS:
            require_known(SEAT_THAT_ACTS, [seat], ALL_SEATS)
        return commands.canonical(super().read_command(seat, raw))

    def view(self, view: Picture) -> dict[str, Any]:
        """Return the position as JSON data, with counts, stars and the current value. Face-down cards are left out."""
        fields = position.write_position(view)
        players = {seat: {**fields["players"][seat], "stars": player.stars} for seat, player in view.players.items()}
        return {
            **fields,
            # Their order is hidden from everyone, so screens get counts only.
            **dict.fromkeys(("deck", "facedown", "unseen")),
            "players": players,
            "counts": {
                "deck": view.deck_size,
                "facedown": view.facedown_size,
                "unseen": view.unseen_size,
                "hand": {seat: player.hand_size for seat, player in view.players.items()},
            },
            "switches": msgspec.to_builtins(view.options.switches),
            "to_act": self.to_act(view),
            "value": view.value(),
            "lamps": lamps.lamps(view),
        }

    def outcome(self, view: Picture) -> Text | None:
        return None if view.over is None else sentences.outcome(view.over.winners, view.over.ranking)

    def ending(self, view: Picture) -> Ending | None:
        """Return the winners, the number of turns and the best score, which a single player tries to beat (ST-R-26)."""
        if view.over is None:
            return None
        best = view.over.ranking[0]
        return Ending(view.over.winners, view.over.reason, view.turns, {"stars": best.stars, "kills": best.kills})

    def score(self, view: Picture) -> int | None:
        return view.over.ranking[0].stars if view.over is not None and len(view.players) == 1 else None

    def glossary(self) -> dict[str, Any]:
        return {"cards": facts_of(CARDS, "title", "kind", "stars", "letter", "amount")}

    def lamp_board(self, options: Options) -> str:
        """Return the track board for the number of players (ST-X-01)."""
        return tracks.BOARDS.name_for(options.players)


GAME = Stalingrad()
