"""`python -m tools.measure_pictures`: what it costs to put a game's pictures on its screens, two ways in one run.

A game of some acts is played, and what each viewer is shown is kept. Then the same pictures are made twice: as whole
objects that are encoded to compare them, to publish them and again for each language; and as fragments that are
encoded once (`firmware_host/table/encoding.py`). Printed for each act: bytes that the encoder wrote, CPU time of the
loop, which compares and publishes, and that of the screens, which put the pictures into their languages.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.table.encoding import Fragment, Picture, Translate
from firmware_host.table.table import Table
from firmware_host.table.viewers import common_part, game_part
from tools.showroom import Showroom
from web_panel.language import language

ACTS = 60
ROUNDS = 20
"""The pictures are made so often; the quickest counts."""


class Moment(Struct, frozen=True):
    """What the viewers are shown after an act: the game of each, and what all share."""

    games: dict[str, dict[str, Any]]
    common: dict[str, Any]


def played(acts: int) -> list[Moment]:
    """The moments of a game with everything dealt at random."""
    random = Random(1)
    with TemporaryDirectory() as folder:
        room = Showroom(Path(folder))
        try:
            room.company.sit_down()
            room.company.start(random_setup=True)
            found = [moment(room, random) for _ in range(acts)]
            return [one for one in found if one is not None]
        finally:
            room.stop()


def moment(room: Showroom, random: Random) -> Moment | None:
    """Somebody acts, and this is what there is to see; None once nobody can act."""
    legal = [(seat, action) for seat in room.company.keys for action in room.company.picture(seat)["legal"]]
    if not legal:
        return None
    room.company.act(*random.choice(legal))

    def seen(table: Table) -> Moment:
        viewers = ["table", *(seat.name for seat in table.session.seats)]
        games = {viewer: game_part(table.session, viewer) for viewer in viewers}
        return Moment(games, common_part(table.session, table.seating, table.upkeep))

    return room.loop.call(seen)


def whole(moments: Iterable[Moment], languages: list[Translate]) -> None:
    """Make the pictures as whole objects."""

    def made(text: Text) -> tuple[Any, ...]:
        return text.text, text.many, text.values

    compared: dict[str, bytes] = {}
    published: dict[str, bytes] = {}
    for now in moments:
        msgspec.json.encode(now.common, enc_hook=made)
        for viewer, game in now.games.items():
            compared[viewer] = msgspec.json.encode(game, enc_hook=str)
            picture = {"viewer": viewer, **now.common, **game}
            found = msgspec.json.encode(picture, enc_hook=made)
            if published.get(viewer) != found:
                published[viewer] = found
                for translate in languages:
                    msgspec.json.encode(picture, enc_hook=translate).decode()


def fragments(moments: Iterable[Moment], languages: list[Translate]) -> None:
    """Make the pictures of fragments, as the table does."""
    games, common, published = dict[str, Fragment](), Fragment({}), dict[str, Picture]()
    for now in moments:
        common = kept(Fragment(now.common), common)
        for viewer, game in now.games.items():
            games[viewer] = kept(Fragment(game), games.get(viewer))
            picture = Picture(Fragment({"viewer": viewer}), common, games[viewer])
            if viewer not in published or not picture.same(published[viewer]):
                published[viewer] = picture
                for translate in languages:
                    picture.text(translate)


def kept(now: Fragment, before: Fragment | None) -> Fragment:
    """The fragment of before where nothing has changed."""
    return before if before is not None and now.same(before) else now


@contextmanager
def counted(sizes: list[int]) -> Iterator[None]:
    """Note how many bytes each encoding writes."""
    encode = msgspec.json.encode

    def noting(data: Any, **more: Any) -> bytes:
        found = encode(data, **more)
        sizes.append(len(found))
        return found

    msgspec.json.encode = noting
    try:
        yield
    finally:
        msgspec.json.encode = encode


def seconds(make: Callable[[], None]) -> float:
    """CPU time of the quickest of some rounds."""

    def once() -> float:
        began = time.process_time()
        make()
        return time.process_time() - began

    return min(once() for _ in range(ROUNDS))


def main() -> int:
    """Print a line for each way."""
    moments = played(ACTS)
    languages: list[Translate] = [language("en").say, language("pl").say]
    print(f"{len(moments)} acts, {len(moments[0].games)} viewers, each in {len(languages)} languages; for each act:")
    for name, make in (("whole objects", whole), ("fragments", fragments)):
        sizes: list[int] = []
        with counted(sizes):
            make(moments, languages)
        loop, both = (1000 * seconds(partial(make, moments, wanted)) / len(moments) for wanted in ([], languages))
        written = sum(sizes) / len(moments) / 1024
        print(f"{name:14} {written:6.1f} KiB encoded, loop {loop:.2f} ms, screens {both - loop:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
