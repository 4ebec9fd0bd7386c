"""The game as the referee and the shell meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.chance import Chance
from engine.cues import Show
from engine.events import Event, Told
from engine.game import Command, Cue, Ending
from engine.graph import Map
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.refusal import NotUnderstood
from engine.seats import Seat
from engine.text import Text
from games.stalingrad.map_rules import tracks
from games.stalingrad.rules import acts, commands, events, luck, picture, position, sentences, turn
from games.stalingrad.rules import fold as folding
from games.stalingrad.rules import foresight as foreseeing
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.picture import Options, Picture
from games.stalingrad.rules.telling import Telling
from games.stalingrad.rules.words import called, known
from games.stalingrad.show import captions
from games.stalingrad.show import details as detailing
from games.stalingrad.show import lamps as lighting
from games.stalingrad.show.lamps import lamps
from games.stalingrad.show.lights import LIGHTS, PALETTES
from games.stalingrad.show.options import FORM
from games.stalingrad.show.sounds import SOUNDS


class Stalingrad:
    """The card game of the snipers of Stalingrad (ledger: stalingrad)."""

    name = "stalingrad"
    title = "Stalingrad"
    show = Show(LIGHTS, PALETTES, SOUNDS)
    about = Text("Draw as many cards as you dare, and roll for every target and every danger.")

    # --- starting -----------------------------------------------------------------------------------------------

    def options(self) -> OptionForm:
        """See `show.options`."""
        return FORM

    def read_options(self, raw: Any) -> Options:
        """See `picture.read_options`."""
        return picture.read_options(raw)

    def seats(self, options: Options) -> tuple[Seat, ...]:
        """One for each player, secret where hands are hidden (ST-R-22)."""
        secret = not options.switches.open_hands
        return tuple(Seat(name, called(name), secret=secret) for name in options.seats)

    def blank(self, board: Map | None, options: Options) -> dict[str, Picture]:
        """Everybody with the first stats, and the deck unshuffled. Raises `NotUnderstood` for a board."""
        if board is not None:
            raise NotUnderstood(Text("{game} is played without a map.", game=self.title))
        return picture.pictures(picture.fresh(options))

    def setup(self, board: Map | None, options: Options, chance: Chance) -> Iterable[Told]:
        """See `turn.setup`."""
        return turn.setup(options, chance)

    def position(self, board: Map | None, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
        """See `position.read`."""
        self.blank(board, options)
        return position.read(options, raw, chance)

    # --- playing ------------------------------------------------------------------------------------------------

    def to_act(self, view: Picture) -> tuple[str, ...]:
        """The player whose turn it is, nobody once the game is over."""
        return () if view.turn is None else (view.turn,)

    def legal(self, view: Picture, seat: str) -> list[Command]:
        """See `acts.legal`."""
        return acts.legal(view, seat)

    def part(self, command: Command) -> None:
        """A seat has no parts."""

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """`command` as `legal` lists it. Raises `NotUnderstood` or `Refused`."""
        known(Text("seat"), [seat], view.players)
        if not isinstance(command, commands.Act):
            raise NotUnderstood(Text("This seat cannot do that: {what}.", what=type(command).__name__))
        found = commands.canonical(command)
        why = acts.refusal(view, seat, found)
        if why is not None:
            raise why
        return found

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
        """What follows from a command that `check` let through."""
        telling = Telling(truth, chance)
        acts.RULES[type(command)].decide(telling, command)
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
        return luck.wanted(raw)

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
        """The position without what lies face down, and what follows from it: counts, stars, the value that counts."""
        found = position.write(view)
        players = {seat: {**found["players"][seat], "stars": player.stars} for seat, player in view.players.items()}
        return {
            **found,
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
            "lamps": lamps(view),
        }

    def sentence(self, event: Event) -> Text:
        """See `sentences.sentence`."""
        return sentences.sentence(event)

    def outcome(self, view: Picture) -> Text | None:
        """Who has won, or what a single player has reached; None while the game runs."""
        return None if view.over is None else sentences.outcome(view.over.winners, view.over.ranking)

    # --- capabilities -------------------------------------------------------------------------------------------

    def ending(self, view: Picture) -> Ending | None:
        """Who has won, after how many turns, with the best score: of a single player the one to beat (ST-R-26)."""
        if view.over is None:
            return None
        best = view.over.ranking[0]
        return Ending(view.over.winners, view.over.reason, view.turns, {"stars": best.stars, "kills": best.kills})

    def score(self, view: Picture) -> int | None:
        """The stars of a single player, once the game is over (ST-R-26)."""
        return view.over.ranking[0].stars if view.over is not None and len(view.players) == 1 else None

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """See `foresight.foresight`."""
        return foreseeing.foresight(view, seat)

    def details(self, event: Event) -> dict[str, Any]:
        """See `details.details`."""
        return detailing.details(event)

    def caption(self, command: Command) -> Text:
        """See `captions.caption`."""
        return captions.caption(command)

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        """See `captions.summary`."""
        return captions.summary(view)

    def cues(self, view: Picture) -> list[Cue]:
        """See `lamps.cues`."""
        return lighting.cues(view)

    def map_names(self) -> tuple[str, ...]:
        """The track boards, `tracks-1` to `tracks-6`."""
        return tracks.names()

    def make_map(self, name: str) -> Map:
        """See `tracks.make`."""
        return tracks.make(name)

    def map_options(self, name: str) -> Mapping[str, Any]:
        """A track board is for its number of players."""
        return {"players": tracks.players_on(name)}

    def map_art(self, board: Map, say: Callable[[Text], str] = str) -> Overlay:
        """See `tracks.map_art`."""
        return tracks.map_art(board, say)

    def lamp_board(self, options: Options) -> str:
        """The track board for so many players (ST-X-01)."""
        return tracks.name_for(options.players)

    def glossary(self) -> dict[str, Any]:
        """The cards of the deck by their numbers."""
        return {
            "cards": {
                card.id: {
                    "title": card.title,
                    "kind": card.kind,
                    "stars": card.stars,
                    "letter": card.letter,
                    "amount": card.amount,
                }
                for card in CARDS.values()
            }
        }


GAME = Stalingrad()
