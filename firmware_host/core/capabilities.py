"""The optional capabilities of a game. Only this module looks for them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, cast, get_args, get_type_hints

from msgspec import Struct

from engine import game as contract
from engine.events import Event, Told
from engine.game import BoardGame, Deduction, Game, OnBoard
from engine.graph import Map
from engine.naming import tag_of
from engine.refusal import NotUnderstood
from engine.text import Text


class Capabilities(Struct, frozen=True):
    """The capabilities of one game. Each field is the game itself, or None if it lacks the capability."""

    cues: contract.Cues | None
    on_board: BoardGame | None
    markers: contract.Markers | None
    retractable: contract.Retractable | None
    notes: contract.Notes | None
    deducing: contract.Deducing | None
    dealing: contract.Dealing | None
    uncovering: contract.Uncovering | None
    own_marks: contract.OwnMarks | None
    detailed: contract.Detailed | None
    foresight: contract.Foresight | None
    glossary: contract.Glossary | None
    introduced: contract.Introduced | None
    captioned: contract.Captioned | None
    summarized: contract.Summarized | None
    open_cards: contract.OpenCards | None
    needs_map: contract.NeedsMap | None
    makes_maps: contract.MakesMaps | None
    lamp_boards: contract.LampBoards | None
    reads_drawings: contract.ReadsDrawings | None
    scored: contract.Scored | None
    endings: contract.Endings | None
    figures: contract.Figures | None
    fortunes: contract.Fortunes | None
    highlights: contract.Highlights | None
    routes: contract.Routes | None
    costs: contract.Costs | None
    progressing: contract.Progressing | None
    puzzling: contract.Puzzling | None

    @property
    def has_map(self) -> bool:
        """Whether the game is played on a map."""
        # The maps of a game with lamp boards only show the game; no act is made there.
        makes_maps = self.makes_maps is not None and self.lamp_boards is None
        return self.on_board is not None or self.needs_map is not None or makes_maps


def capabilities(game: Game) -> Capabilities:
    """Return what `game` offers; cached, because it is asked often."""
    return _find_capabilities(cast(Hashable, game))


PROTOCOLS = {name: get_args(hint)[0] for name, hint in get_type_hints(Capabilities).items()} | {"on_board": OnBoard}
"""The protocol for each field of `Capabilities`. A `BoardGame` is a `Game` that is `OnBoard`."""


# `isinstance` with a runtime protocol looks up every method, which is slow.
@lru_cache(maxsize=32)
def _find_capabilities(game: Game) -> Capabilities:
    return Capabilities(**{name: game if isinstance(game, kind) else None for name, kind in PROTOCOLS.items()})


def is_note(game: Game, telling: Collection[Told]) -> bool:
    """Return whether an act with these events only keeps a note (see `Notes`)."""
    notes = capabilities(game).notes
    return notes is not None and bool(telling) and notes.is_note(telling)


def board_names(maker: contract.MakesMaps) -> tuple[str, ...]:
    """Return the names of the boards that a game generates.

    The game is asked only once, so that pages always get the same names.
    """
    return _ask_board_names(cast(Hashable, maker))


@lru_cache(maxsize=32)
def _ask_board_names(maker: contract.MakesMaps) -> tuple[str, ...]:
    return maker.map_names()


def shown_on(game: Game, board: Map | None, options: Any) -> str | None:
    """Return the name of the map whose lamps can show a game: its own, or its lamp board; None if lamps cannot."""
    offered = capabilities(game)
    if board is not None:
        return None if offered.cues is None else board.slug
    return None if offered.lamp_boards is None else offered.lamp_boards.lamp_board(options)


def deduced(game: Game, deduction: Deduction, view: Any, events: Iterable[Event]) -> tuple[Deduction, Any]:
    """Return the deduction after public events, and the public picture after them. `view` is the picture before."""
    for event in events:
        deduction, view = deduction.after(view, event), game.fold(view, event)
    return deduction, view


def miniatures(game: Game, view: Any) -> tuple[str, ...]:
    """Return the names of all miniatures and markers of a game, from the public view."""
    offered = capabilities(game)
    if offered.on_board is None:
        return ()
    return (*offered.on_board.standing(view), *(() if offered.markers is None else offered.markers.markers()))


def board_game(game: Game) -> BoardGame:
    """Return `game` if it is played with miniatures. Raises `NotUnderstood` if it is not."""
    if not isinstance(game, OnBoard):
        raise NotUnderstood(Text("{game} is played without miniatures on the board.", game=Text(game.title)))
    return game


def said(game: Game, event: Event) -> dict[str, Any]:
    """Return the parts of an event for its viewers (see `heard_by`)."""
    detailed = capabilities(game).detailed
    # The details first, so that a game cannot replace the other members.
    details = {} if detailed is None else detailed.details(event)
    return {**details, "type": tag_of(event), "sentence": game.sentence(event)}


def heard_by(viewer: str, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of an event for one viewer, from `said`, the parts for all viewers.

    A seat gets its own sentence in `yours`. The `moment` of an event is for the story of a finished game (`History`).
    """
    yours: Mapping[str, Text] = words.get("yours", {})
    general = {name: value for name, value in words.items() if name not in ("yours", "moment")}
    return {**general, "sentence": yours[viewer]} if viewer in yours else general
