"""The server's thread is woken once for all streams that have news, and no stream is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from web_panel.streams import Bell


class Rung(asyncio.SelectorEventLoop):
    """A loop that does only what other threads have asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Callable[[], object]] = []

    def call_soon_threadsafe(self, call, *args, context=None):  # type: ignore[no-untyped-def]
        self.calls.append(call)


def test_loop_is_woken_once_for_all_streams() -> None:
    loop = Rung()
    bell, news = Bell(loop), [asyncio.Event() for _ in range(8)]
    (ring,) = {bell.note(one) for one in news}
    ring()
    bell.note(news[0])()
    assert len(loop.calls) == 1
    loop.calls.pop()()
    assert all(one.is_set() for one in news)
    bell.note(news[0])()
    assert len(loop.calls) == 1, "the next news wakes it again"
    loop.close()


def test_news_while_streams_are_woken_are_not_forgotten() -> None:
    loop = Rung()
    bell, late = Bell(loop), asyncio.Event()

    class Early(asyncio.Event):
        def set(self) -> None:
            bell.note(late)()

    bell.note(Early())()
    while loop.calls:
        loop.calls.pop()()
    assert late.is_set()
    loop.close()


def test_server_that_has_ended_is_not_woken() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    Bell(loop).note(asyncio.Event())()
