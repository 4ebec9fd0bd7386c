"""What a game offers beside the contract of every game. It is looked for here and nowhere else."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from functools import lru_cache
from typing import Any, cast

from msgspec import Struct

from engine.events import Told
from engine.game import (
    BoardGame,
    Captioned,
    Cues,
    Deducing,
    Detailed,
    Endings,
    Figures,
    Foresight,
    Game,
    Glossary,
    Introduced,
    LampBoards,
    MakesMaps,
    Markers,
    NeedsMap,
    Notes,
    OnBoard,
    OpenCards,
    Progressing,
    ReadsDrawings,
    Retractable,
    Scored,
    Summarized,
    Uncovering,
)
from engine.graph import Map
from engine.refusal import NotUnderstood
from engine.text import Text


class Capabilities(Struct, frozen=True):
    """The capabilities of one game, each the game itself; None where the game does not offer it."""

    cues: Cues | None
    on_board: BoardGame | None
    markers: Markers | None
    retractable: Retractable | None
    notes: Notes | None
    deducing: Deducing | None
    uncovering: Uncovering | None
    detailed: Detailed | None
    foresight: Foresight | None
    glossary: Glossary | None
    introduced: Introduced | None
    captioned: Captioned | None
    summarized: Summarized | None
    open_cards: OpenCards | None
    needs_map: NeedsMap | None
    makes_maps: MakesMaps | None
    lamp_boards: LampBoards | None
    reads_drawings: ReadsDrawings | None
    scored: Scored | None
    endings: Endings | None
    figures: Figures | None
    progressing: Progressing | None

    @property
    def has_map(self) -> bool:
        """Whether the game is played on a map."""
        makes_maps = self.makes_maps is not None and self.lamp_boards is None
        return self.on_board is not None or self.needs_map is not None or makes_maps


def capabilities(game: Game) -> Capabilities:
    """What `game` offers; looked for once, for it is asked all the time."""
    return _found(cast(Hashable, game))


@lru_cache(maxsize=32)
def _found(game: Game) -> Capabilities:
    return Capabilities(
        cues=game if isinstance(game, Cues) else None,
        on_board=game if isinstance(game, OnBoard) else None,
        markers=game if isinstance(game, Markers) else None,
        retractable=game if isinstance(game, Retractable) else None,
        notes=game if isinstance(game, Notes) else None,
        deducing=game if isinstance(game, Deducing) else None,
        uncovering=game if isinstance(game, Uncovering) else None,
        detailed=game if isinstance(game, Detailed) else None,
        foresight=game if isinstance(game, Foresight) else None,
        glossary=game if isinstance(game, Glossary) else None,
        introduced=game if isinstance(game, Introduced) else None,
        captioned=game if isinstance(game, Captioned) else None,
        summarized=game if isinstance(game, Summarized) else None,
        open_cards=game if isinstance(game, OpenCards) else None,
        needs_map=game if isinstance(game, NeedsMap) else None,
        makes_maps=game if isinstance(game, MakesMaps) else None,
        lamp_boards=game if isinstance(game, LampBoards) else None,
        reads_drawings=game if isinstance(game, ReadsDrawings) else None,
        scored=game if isinstance(game, Scored) else None,
        endings=game if isinstance(game, Endings) else None,
        figures=game if isinstance(game, Figures) else None,
        progressing=game if isinstance(game, Progressing) else None,
    )


def is_note(game: Game, telling: Collection[Told]) -> bool:
    """Whether an act that was told like this only keeps a note (see `Notes`)."""
    notes = capabilities(game).notes
    return notes is not None and bool(telling) and notes.is_note(telling)


def shown_on(game: Game, board: Map | None, options: Any) -> str | None:
    """The name of the map whose lamps can show a game: the one it is played on, else its board of lamps; None where
    lamps cannot show it.
    """
    offered = capabilities(game)
    if board is not None:
        return None if offered.cues is None else board.slug
    return None if offered.lamp_boards is None else offered.lamp_boards.lamp_board(options)


def miniatures(game: Game, view: Any) -> tuple[str, ...]:
    """The names of all that the box of a game holds to stand on the board, from the public view."""
    offered = capabilities(game)
    if offered.on_board is None:
        return ()
    return (*offered.on_board.standing(view), *(() if offered.markers is None else offered.markers.markers()))


def board_game(game: Game) -> BoardGame:
    """`game`, where it is played with miniatures on the board. Raises `NotUnderstood` where it is not."""
    if not isinstance(game, OnBoard):
        raise NotUnderstood(Text("{game} is played without miniatures on the board.", game=Text(game.title)))
    return game
