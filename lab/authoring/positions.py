"""Checks of positions: `state` and `view` describe what a picture contains, and `position` creates pictures from that.

Each check yields a sentence for everything that is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec

import games
from engine.chance import Chance
from engine.game import REFEREE, TABLE, Game
from engine.plain import PlainGame
from engine.referee import Referee
from engine.refusal import RuleError
from lab.authoring.contract import contract, shortened
from lab.authoring.play import LEAST_SEEN, PlayedMoment, Sample, decoded_json, tag

TOO_LITTLE: Final = (
    "{seat} knows {field} from events, but position() hides it (first {after}). {by}Is that too many seats? "
    "If {seat} may know it, show it in {where}()."
)
TOO_MUCH: Final = (
    "position() shows {field} to {seat}, but no event did (first {after}). Hide it in {where}(), or send an event."
)


@contract
def views_are_json_and_show_only_what_the_referee_knows(sample: Sample) -> Iterator[str]:
    """Check that each field of a view is either unknown (null) or true."""
    game = sample.game
    for moment in sample.some:
        whole = decoded_json(game.state(moment.pictures[REFEREE]))
        for viewer in (*sample.names, TABLE):
            picture = moment.pictures[viewer]
            if wrong := differing(decoded_json(game.state(picture)), whole):
                after = f"after {shortened(moment.command)}"
                default = " Is None its default?" if _at(decoded_json(game.state(picture)), wrong) in ([], "") else ""
                yield f"state() of {viewer} must have the true value or null in {wrong} ({after}).{default}"
            if not decoded_json(game.view(picture)):
                yield f"view() is empty for {viewer}."


def differing(known: Any, whole: Any, path: str = "") -> str:
    """Return the first field whose value is neither null nor true; "" if there is none."""
    if known is None:
        return ""
    if isinstance(known, dict) and isinstance(whole, dict):
        if unlike := sorted(known.keys() ^ whole.keys()):
            return f"{path.removeprefix('.') or 'all'}: the fields {unlike} are not in both; null is what is unknown"
        return next(filter(None, (differing(known[name], whole[name], f"{path}.{name}") for name in known)), "")
    if isinstance(known, list) and isinstance(whole, list) and len(known) == len(whole):
        pairs = enumerate(zip(known, whole, strict=True))
        return next(filter(None, (differing(*pair, f"{path}[{number}]") for number, pair in pairs)), "")
    return "" if known == whole else path.removeprefix(".")


def read_back(sample: Sample, pictures: Mapping[str, Any], options: Any) -> Referee:
    """Return a game from the position that `state` of the truth describes."""
    game, raw = sample.game, decoded_json(sample.game.state(pictures[REFEREE]))
    return Referee(game, game.position(sample.board, options, raw, Chance(Random(77))))


def lost(game: Game, twin: Referee, pictures: Mapping[str, Any], to_act: tuple[str, ...], after: str) -> str:
    """Return what such a game has lost of the truth, as a sentence; "" if nothing."""
    if wrong := differing(decoded_json(game.state(twin.truth)), decoded_json(game.state(pictures[REFEREE]))):
        kind, at = type(games.find(game.name)), getattr(pictures[REFEREE], "at", None)
        inherits = getattr(kind, "position", None) is PlainGame.position
        completes = inherits and game.seen_by(REFEREE, at) == at  # type: ignore[attr-defined]
        by = "completed" if completes and getattr(kind, "completed", None) is not PlainGame.completed else "position"
        return f"{by}() loses what state() has said {after}: {wrong}."
    if twin.to_act != to_act:
        return f"position() of the state {after} has other seats to act: {shortened(twin.to_act)}."
    return ""


@contract
def states_can_be_read_as_positions(sample: Sample) -> Iterator[str]:
    """`position` and `state` are inverse to each other, for every viewer."""
    game, knows = sample.game, dict[tuple[str, str, str], tuple[str, str]]()
    for moment in sample.some:
        after = f"after {shortened(moment.command)}"
        try:
            twin = read_back(sample, moment.pictures, sample.options)
        except RuleError as error:
            yield f"position() refuses what state() shows {after}: {error}"
            continue
        # Differences that follow from this one are not reported.
        if wrong := lost(game, twin, moment.pictures, moment.to_act, after):
            yield wrong
            continue
        for seat in (*sample.names, TABLE):
            shows, showed = decoded_json(game.view(twin.pictures[seat])), decoded_json(game.view(moment.pictures[seat]))
            more, less = differing(shows, showed), differing(showed, shows)
            if more and less:
                yield f"position() of the state {after} shows something else to {seat}: {more}."
            elif less:
                knows.setdefault((TOO_LITTLE, seat, less), (after, _told_by(sample, moment, seat, _at(showed, less))))
            elif more:
                knows.setdefault((TOO_MUCH, seat, more), (after, ""))
            elif seat != TABLE and twin.legal(seat) != moment.legal(seat):
                yield f"position() of the state {after} offers other commands to {seat}."
    inherits = getattr(type(games.find(game.name)), "position", None) is PlainGame.position
    where = "seen_by" if inherits else "position"
    for (sentence, seat, field), (after, by) in knows.items():
        yield sentence.format(seat=seat, field=field, after=after, by=by, where=where)


@contract
def positions_with_unknown_spaces_are_refused(sample: Sample) -> Iterator[str]:
    """Lessons and other programs describe positions."""
    game, tried = sample.game, set[str]()
    spaces = {} if sample.board is None else sample.board.spaces
    for moment in sample.some:
        raw = decoded_json(game.state(moment.pictures[REFEREE]))
        for field in raw.keys() - tried if isinstance(raw, dict) else ():
            text = msgspec.json.encode(raw[field]).decode()
            space = next((it for it in re.findall(r'"([^"]+)"', text) if it in spaces), None)
            if space is None:
                continue
            tried.add(field)
            given = {**raw, field: msgspec.json.decode(text.replace(f'"{space}"', '"no-such-space"'))}
            with suppress(RuleError):
                game.position(sample.board, sample.options, given, Chance(Random(77)))
                by = "completed" if hasattr(game, "completed") else "position"
                yield f"{by}() accepts an unknown space in {field}. Refuse it with require_known()."


def _at(value: Any, path: str) -> Any:
    """Return what `differing` has found at a path such as `cargo.red` or `cards[2]`; None if it is no single value."""
    for step in re.findall(r"[^.\[\]]+", path):
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _values(value: Any) -> Iterator[Any]:
    """Yield all values in the fields of an event, also those inside of others."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield inner
        yield from _values(inner)


def _told_by(sample: Sample, moment: PlayedMoment, seat: str, value: Any) -> str:
    """Return the event that contained a value for a seat, and the audience of that event."""
    moments = next(moments for _, moments in sample.games if any(it is moment for it in moments))
    how = "decide_for" if hasattr(sample.game, "decide_for") else "decide"
    until = next(number for number, it in enumerate(moments, 1) if it is moment)
    for told in (it for one in reversed(moments[:until]) for it in reversed(one.telling) if it.audience.includes(seat)):
        # Switches and small numbers are in many events.
        if isinstance(value, str | list) and value in _values(decoded_json(told.event)):
            whom = "everyone" if told.audience.seats is None else ", ".join(told.audience.seats)
            return f"{how}() has told it to {whom} with {tag(told.event)}. "
    return f"{how}() has told it. "


@contract
def positions_are_drawn_where_they_leave_something_out(sample: Sample) -> Iterator[str]:
    """`position` draws what is null, for a lesson, a puzzle, or a bot that doesn't know it."""
    game, drawn, null = sample.game, set[str](), Counter[str]()
    for moment in sample.some:
        raw, truth = (decoded_json(game.state(moment.pictures[viewer])) for viewer in (TABLE, REFEREE))
        try:
            pictures = game.position(sample.board, sample.options, raw, Chance(Random(77)))
        except RuleError:
            continue
        try:
            read_back(sample, pictures, sample.options)
        except RuleError as error:
            yield f"{'completed' if hasattr(game, 'completed') else 'position'}() draws what is then refused: {error}"
        found = decoded_json(game.state(pictures[REFEREE]))
        still = {*left_out(raw, truth, found)}
        null.update(still)
        drawn |= {*left_out(raw, truth, raw)} - still
    for field, times in null.items():
        if times >= LEAST_SEEN and field not in drawn:
            yield f"position() leaves {field} null if it is not given. Draw it with `chance`, so that it is known."


def left_out(raw: Any, truth: Any, drawn: Any, path: str = "") -> Iterator[str]:
    """Yield the fields that a position leaves out, and that are still unknown after `position` has drawn the rest."""
    if isinstance(raw, dict) and isinstance(truth, dict) and isinstance(drawn, dict):
        for name in raw:
            yield from left_out(raw[name], truth.get(name), drawn.get(name), f"{path}.{name}".removeprefix("."))
    elif raw is None and truth is not None and drawn is None:
        yield path
