"""Checks like those of `contract.py` for the capabilities that a game offers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, pairwise
from types import FrameType
from typing import Any

from engine import text
from engine.game import (
    TABLE,
    Automated,
    Captioned,
    Cues,
    Deducing,
    Detailed,
    Glossary,
    LampBoards,
    OnBoard,
    OpenCards,
    OwnMarks,
    Summarized,
)
from firmware_host.core.generic import brings_screen
from lab.authoring.contract import contract, shortened
from lab.authoring.named import untitled
from lab.authoring.play import Sample, decoded_json, tag


@contract
def log_details_do_not_replace_what_each_line_has(sample: Sample) -> Iterator[str]:
    """`details` adds to a line of the log."""
    if isinstance(sample.game, Detailed):
        for event in sample.events:
            if taken := {"n", "type", "sentence", "public"} & decoded_json(sample.game.details(event)).keys():
                yield f"details() of {shortened(event)} replaces {', '.join(sorted(taken))}. Choose other names."


@contract
def glossary_is_not_empty_and_cards_have_title_and_text(sample: Sample) -> Iterator[str]:
    """The generic screens show both."""
    game = sample.game
    if isinstance(game, Glossary) and not decoded_json(game.glossary()):
        yield "glossary() is empty. Leave it out."
    if isinstance(game, OpenCards):
        pictures = (picture for moment in sample.some for picture in moment.pictures.values())
        if not any(map(game.open_cards, pictures)):
            yield "open_cards() never shows a card. Leave it out."
    acts = (decoded_json(it.command).values() for it in sample.moments if not brings_screen(game, it.seat))
    on_buttons = {name for fields in acts for name in fields if isinstance(name, str)}
    yield from untitled(game, on_buttons)


@contract
def captions_of_legal_acts_are_different(sample: Sample) -> Iterator[str]:
    """Check captions: buttons with the same label cannot be distinguished."""
    game = sample.game
    if not isinstance(game, Captioned):
        return
    opening = sample.start(0).referee
    menus = [opening.legal(seat) for seat in opening.to_act]
    menus += [moment.legal(seat) for moment in sample.some for seat in moment.to_act]
    for menu in menus:
        captions: dict[str, Any] = {}
        for command in menu[:200]:
            label = game.caption(command)
            if not label:
                yield f"caption() of {shortened(command)} is empty."
            if captions.get(label, command) != command:  # a command that is offered twice is another fault
                yield f"{shortened(captions[label])} and {shortened(command)} have the same caption: {label}."
            captions[label] = command


@contract
def summary_lines_have_label_and_value(sample: Sample) -> Iterator[str]:
    """Check the summary lines of every viewer."""
    game = sample.game
    if isinstance(game, Summarized):
        for viewer, picture in (it for moment in sample.some for it in moment.pictures.items()):
            for label, value in game.summary(picture):
                if not label or not value:
                    yield f"summary() of {viewer} has a line without a label or a value: {label!s}: {value!s}."


@contract
def listing_legal_commands_formats_no_sentences(sample: Sample) -> Iterator[str]:
    """Most refusals are only counted, so their sentences must be formatted only when they are read."""
    made: list[str] = []

    def listen(frame: FrameType, happening: str, _: Any) -> None:
        if happening == "call" and frame.f_code is text.fill_places.__code__:
            made.append(str(frame.f_locals["text"]))

    for moment in sample.moments:
        for seat in moment.to_act:
            before = sys.getprofile()
            sys.setprofile(listen)
            try:
                sample.game.legal(moment.pictures[seat], seat)
            finally:
                sys.setprofile(before)
    for words in dict.fromkeys(made):
        yield f"legal() fills in the sentence {words!r} each time. Give Refused the text and its values separately."


@contract
def miniatures_have_places_on_the_map(sample: Sample) -> Iterator[str]:
    """Their placements are legal commands. The check of names reports unknown spaces."""
    game, board = sample.game, sample.board
    if not isinstance(game, OnBoard) or board is None:
        return
    on_board = [seat.name for seat in sample.seats if seat.on_board]
    if not on_board and not isinstance(game, Automated):
        yield "The game has miniatures, but no seat is on_board, so moving one does nothing."
        return
    for moment in sample.moments:
        view = moment.pictures[TABLE]
        standing = game.standing(view)
        menus = [moment.legal(seat) for seat in on_board if seat in moment.to_act]
        placements = [*game.placements(view)]
        if twice := next((it for number, it in enumerate(placements) if it in placements[:number]), None):
            yield f"placements() names one act twice, so the board asks which one is meant: {shortened(twice)}."
        for placement in placements:
            if placement.unit not in standing:  # the check of names reports it
                continue
            if standing[placement.unit] != placement.start:
                yield f"placements() moves {placement.unit} from {placement.start}, where it does not stand."
            if placement.to in board.spaces and not any(placement.command in menu for menu in menus):
                yield f"placements() moves {placement.unit} to {placement.to}: not a legal act of a seat on the board."
    miniatures = [*game.standing(sample.blank()[TABLE])]
    for one in miniatures:
        if not game.colour(one):
            yield f"The miniature {one} has no colour."
        if any(game.alike(one, other) != game.alike(other, one) for other in miniatures):
            yield f"alike() must not depend on the order, as it does for {one}."


@contract
def miniatures_arrive_where_placements_move_them(sample: Sample) -> Iterator[str]:
    """People set a miniature down there, so no act of a type may leave it where it was every time, nor move it every
    time if people leave it there.
    """
    game, wrong, right = sample.game, dict[tuple[str, bool], str](), set[tuple[str, bool]]()
    listed, lacking = set[str](), dict[str, str]()
    for before, after in chain.from_iterable(pairwise(moments) for _, moments in sample.games):
        if not isinstance(game, OnBoard):
            return
        standing, act = game.standing(after.pictures[TABLE]), tag(after.command)
        placements = game.placements(before.pictures[TABLE])
        listed.update(tag(it.command) for it in placements)
        for it in placements:
            if it.command != after.command:
                # An act with more fields needs more than a space.
                alike = it.command.__struct_fields__ == after.command.__struct_fields__
                if alike and it.to != it.start and standing.get(it.unit) == it.to:
                    said = f"{act}, which moves {it.unit} from {it.start} to {it.to}, as {tag(it.command)} does."
                    lacking[act] = f"placements() lacks {said} If it needs no more than a space, list both."
                continue
            there, moves = standing.get(it.unit), it.to != it.start
            if (there != it.start) == moves or there is None:
                right.add((act, moves))
                continue
            if moves:
                said = f"moves {it.unit} from {it.start} to {it.to} with {act}, but fold() leaves it there."
                remedy = "Let fold() keep the new space."
            else:
                said = f"leaves {it.unit} on {it.start} with {act}, but fold() moves it to {there}."
                remedy = "Name that space in the Placement."
            wrong.setdefault((act, moves), f"placements() {said} {remedy}")
    yield from (said for act, said in wrong.items() if act not in right)
    sample.notes["not on the board"] = [said for act, said in lacking.items() if act not in listed]


@contract
def cues_are_on_spaces_of_the_map(sample: Sample) -> Iterator[str]:
    """Check cues: their spaces must exist, and a cue without spaces must be left out."""
    game, board = sample.game, sample.board
    if isinstance(game, LampBoards):
        board = game.make_map(game.lamp_board(sample.options))
    spaces = {} if board is None else board.spaces
    for moment in sample.moments:
        cues = [("cues()", cue) for cue in game.cues(moment.pictures[TABLE])] if isinstance(game, Cues) else []
        if isinstance(game, OwnMarks):
            cues += [("marks()", cue) for picture in moment.pictures.values() for cue in game.marks(picture)]
        for place, cue in cues:
            if not cue.spaces or not {*cue.spaces} <= {*spaces}:
                yield f"{place} has {cue.name} on {shortened(cue.spaces)}; name one or more spaces of the map."


@contract
def deduction_gives_spaces_of_the_map_in_order(sample: Sample) -> Iterator[str]:
    """Check the deduction, which follows the public events."""
    game, board = sample.game, sample.board
    if not isinstance(game, Deducing) or board is None:
        return
    for play in sample.plays[:2]:
        view = sample.blank()[TABLE]
        known = game.deduction(view)
        for event in play.referee.told[TABLE]:
            known, view = known.after(view, event), game.fold(view, event)
        found = known.spaces(view)
        if found != tuple(space for space in board.enterable if space in found):
            yield "The deduction must give enterable spaces of the map, in its order."
