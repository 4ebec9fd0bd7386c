"""The facts about a game that generic screens show.

They are whose turn it is, the names of its acts, what a viewer knows in a few lines, and the pieces on the map. All of
them come from the viewer's picture and from the public one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from engine.cues import Colour, Palette, Show, show_of
from engine.game import REFEREE, TABLE, Command, Cue, Game
from engine.graph import Map
from engine.refusal import RuleError
from engine.seats import Seat
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities
from firmware_host.core.game_files import SEAT, own_screen

PALETTE_NAME = "night"
"""The palette for pieces and marks."""
HIGHEST_LEVEL = 9
"""The maximum level of a light."""


def brings_screen(game: Game, viewer: str) -> bool:
    """Return whether the page of `viewer` is the game's own."""
    return own_screen(game.name, *(("table",) if viewer == TABLE else (viewer, SEAT))) is not None


def brings_all_screens(name: str) -> bool:
    """Return whether no page of the game called `name` is generic, with its default options."""
    try:
        game = installed.find(name)
        viewers = (TABLE, *(seat.name for seat in game.seats(game.read_options(None))))
    except RuleError:
        return False
    return own_screen(name, "past") is not None and all(brings_screen(game, viewer) for viewer in viewers)


def generic_facts(
    game: Game, pictures: Mapping[str, Any], viewer: str, seats: Iterable[Seat], legal: Sequence[Command]
) -> dict[str, Any]:
    """Return what a generic page shows of the picture of `viewer`, JSON-ready.

    `to_act` are the `seats` that are to act. `captions` are the names of `legal`, in order, and `summary` are pairs of
    label and value; both are None if the game does not offer them. `marks` are the marks on the map for this viewer
    only. `cards` are the open cards, each with `holder`, `name`, `title` and `text`; `named` are the cards in `legal`
    acts: name -> `title` and `text`. `colours` are the colours of the seats, each with its `title`, and of all
    miniatures. `outcome` is None until the end.
    """
    offered, view, public, seats = capabilities(game), pictures[viewer], pictures[TABLE], tuple(seats)
    waiting = game.to_act(public if viewer == REFEREE else view)
    captioned, summarized = offered.captioned, offered.summarized
    standing = {} if offered.on_board is None else offered.on_board.standing(public)
    return {
        "map": offered.has_map,
        "to_act": [{"seat": seat.name, "title": seat.title} for seat in seats if seat.name in waiting],
        "outcome": game.outcome(public),
        "captions": None if captioned is None else [captioned.caption(command) for command in legal],
        "summary": None if summarized is None else [*summarized.summary(view)],
        "cards": [*_cards(game, view)],
        "named": _named(game, legal),
        "pieces": _pieces(game, standing),
        "colours": _colours(game, standing, seats),
        "marks": [] if offered.own_marks is None else _marks(game, offered.own_marks.marks(view)),
    }


def _known_cards(game: Game) -> dict[str, Any]:
    """Return the cards of the game's glossary by their names."""
    glossary = capabilities(game).glossary
    groups: Mapping[str, Any] = {} if glossary is None else glossary.glossary()
    card_items = (cards.items() for cards in groups.values() if isinstance(cards, Mapping))  # a glossary has any form
    return {name: card for cards in card_items for name, card in cards}


def _cards(game: Game, view: Any) -> Iterator[dict[str, Any]]:
    """Yield the cards that a viewer sees, with the texts of the game's glossary."""
    offered = capabilities(game)
    if offered.open_cards is None:
        return
    cards = _known_cards(game)
    for holder, name in offered.open_cards.open_cards(view):
        yield {"holder": holder, "name": name, "title": cards[name]["title"], "text": cards[name]["text"]}


def _named(game: Game, legal: Sequence[Command]) -> dict[str, Any]:
    """Return the cards that a command names in one of its fields, so that the button for it can show them."""
    fields = {value for command in legal for value in structs.astuple(command) if isinstance(value, str)}
    all_cards = _known_cards(game) if fields else {}
    cards = {name: all_cards[name] for name in sorted(fields) if isinstance(all_cards.get(name), Mapping)}
    return {
        name: {"title": card["title"], "text": card["text"]}
        for name, card in cards.items()
        if {"title", "text"} <= {*card}
    }


def _pieces(game: Game, standing: Mapping[str, str | None]) -> list[dict[str, Any]]:
    """Return the miniatures on the map: `id`, `space`, `name` for use in a sentence, and `colour` (None: any)."""
    on_board = capabilities(game).on_board
    if on_board is None:
        return []
    colours = _palette(game)
    return [
        {"id": name, "space": space, "name": on_board.called(name), "colour": colours.get(on_board.colour(name))}
        for name, space in standing.items()
        if space is not None
    ]


def _colours(game: Game, standing: Iterable[str], seats: Iterable[Seat]) -> dict[str, dict[str, Any]]:
    """Return the colours that the game gives its seats and miniatures, by name.

    A seat without miniatures has the colour with the name of the seat.
    """
    on_board, palette = capabilities(game).on_board, _palette(game)
    minis = {} if on_board is None else {name: on_board.colour(name) for name in standing}
    titles = {seat.name: seat.title for seat in seats}
    roles = {**{name: name for name in titles}, **minis}
    return {
        name: {"title": titles.get(name), "colour": palette[role]} for name, role in roles.items() if role in palette
    }


def _palette(game: Game) -> Palette:
    return show_of(game).palettes.get(PALETTE_NAME, {})


def past_facts(game: Game, pictures: Mapping[str, Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """Return what the generic page of past games shows of one step: `generic_facts` of each viewer, and `marks`."""
    offered = capabilities(game)
    cues = [] if offered.cues is None else offered.cues.cues(pictures[TABLE])
    # A seat's own secrets are marked as hidden, because the others do not see them.
    marks = [] if offered.own_marks is None else offered.own_marks.marks(pictures[REFEREE])
    hidden = marks if offered.uncovering is None else offered.uncovering.uncovered(pictures[REFEREE])
    public, all_marks = _marks(game, cues), _marks(game, [*cues, *hidden])
    return {
        viewer: {
            **(facts := generic_facts(game, pictures, viewer, seats, ())),
            "marks": all_marks if viewer == REFEREE else [*public, *facts["marks"]],
        }
        for viewer in pictures
    }


def still_lamps(game: Game, view: Any, board: Map) -> dict[str, str]:
    """Return what the lamps of `board` would show of the public view without motion: space -> rrggbb, dark ones too.

    A light has the mean of its levels; if several meet, the most important one is shown. Only the game's own lights
    count, because the table's lights are for lifted miniatures.
    """
    offered, show = capabilities(game), show_of(game)
    colour_of = dict.fromkeys(board.spaces, "000000")
    for cue in [] if offered.cues is None else offered.cues.cues(view):
        light, colour = show.lights.get(cue.name), _colour(show, cue)
        if light is None or colour is None:
            continue
        level = sum(map(int, light.rhythm.levels)) / (HIGHEST_LEVEL * len(light.rhythm.levels))
        lit = "".join(f"{round(part * level):02x}" for part in colour)
        colour_of |= dict.fromkeys(cue.spaces, lit)
    return colour_of


def _marks(game: Game, cues: Iterable[Cue]) -> list[dict[str, Any]]:
    """Return the spaces that the lamps showed, followed by the hidden ones, each with its `colour`.

    Later spaces are drawn on top.
    """
    show = show_of(game)
    return [{"space": space, "colour": _colour(show, cue)} for cue in cues for space in cue.spaces]


def _colour(show: Show, cue: Cue) -> Colour | None:
    """Return the colour that a cue names; if it names none, that of its light."""
    light, colours = show.lights.get(cue.name), show.palettes.get(PALETTE_NAME, {})
    return colours.get(cue.colour or "", colours.get("" if light is None else light.role))
