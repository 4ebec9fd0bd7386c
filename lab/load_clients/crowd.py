"""Other devices: phones that open pages, read pictures, and send requests that must be refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from lab.bench.lines import Connection
from lab.load_clients.hands import SteadyRate

# As long as a real key, which has 32 bytes in base64.
FORGED = {"sniper": "A" * 43, "defenders": "A" * 43}


class RequestKind(NamedTuple):
    """A kind of request: its weight, addresses and allowed statuses. With a `body` it is a POST."""

    kind: str
    weight: int
    paths: tuple[str, ...]
    good: tuple[int, ...]
    keys: str = "none"
    body: dict[str, Any] | None = None

    @property
    def of_seat(self) -> bool:
        """Return whether it is an act with the seat's own key."""
        return self.keys == "own" and self.body is not None


END = {"seat": "defenders", "action": {"type": "end-turn"}, "revision": 1, "id": "of long ago"}
REQUEST_KINDS = (
    RequestKind("pages", 20, ("/", "/table", "/board", "/health", "/rules", "/aids"), (200,)),
    RequestKind("files", 20, ("/static/style.css", "/static/table.js", "/maps/launch-facility.svg", "/qr.svg"), (200,)),
    RequestKind("pictures", 60, ("/api/picture/table", "/api/picture/board", "/api/lobby"), (200,)),
    RequestKind("own pictures", 30, ("/defenders", "/api/picture/defenders", "/api/lobby"), (200,), "own"),
    RequestKind("sensors and past games", 10, ("/api/health", "/api/games"), (200,)),
    RequestKind("forged keys", 20, ("/sniper", "/api/picture/sniper", "/api/stream/sniper"), (403,), "forged"),
    RequestKind("forged acts", 15, ("/api/act",), (403,), "forged", END),
    RequestKind("outdated acts", 10, ("/api/act",), (409,), "own", END),
    RequestKind("malformed acts", 5, ("/api/act",), (400,), "own", {**END, "action": "fly"}),
    RequestKind("touches by strangers", 10, ("/api/touch",), (403,), "none", {"miniature": "red-1", "space": None}),
)


class PhoneLoad:
    """Phones that send requests at a common rate. `own` are the keys of the defenders' seat."""

    def __init__(self, port: int, phones: list[str], own: dict[str, str], random: Random) -> None:
        self._random = random
        self._keys = {"none": {}, "own": own, "forged": FORGED}
        self._phones = [
            {name: Connection(port, address, dict(keys)) for name, keys in self._keys.items()} for address in phones
        ]
        self._idle: asyncio.Queue[dict[str, Connection]] = asyncio.Queue()
        for phone in self._phones:
            self._idle.put_nowait(phone)
        self._under_way: set[asyncio.Task[None]] = set()
        self._acting = False
        """Whether an act with the seat's key is in progress: a screen sends the next one after it has received the
        answer."""
        self.took: dict[str, list[float]] = {request.kind: [] for request in REQUEST_KINDS}
        """Seconds that each answer took."""
        self.bad: Counter[str] = Counter()
        """Number of wrong answers, by request and status."""

    async def open_all(self) -> None:
        """Open every page once, so that everything that is created only once (for example a map's drawing) exists."""
        phone = await self._idle.get()
        for request in REQUEST_KINDS:
            for path in request.paths if request.body is None else ():
                await phone[request.keys].get(path)
        self._idle.put_nowait(phone)

    async def ask(self, pace: SteadyRate, enough: Callable[[], bool]) -> None:
        weights = [request.weight for request in REQUEST_KINDS]
        while not enough():
            await pace.turn()
            phone = await self._idle.get()
            request = self._random.choices(REQUEST_KINDS, weights)[0]
            if request.of_seat:
                if self._acting:
                    self._idle.put_nowait(phone)
                    continue
                self._acting = True
            task = asyncio.create_task(self._ask(phone, request))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        await asyncio.gather(*self._under_way)

    def close(self) -> None:
        for task in self._under_way:
            task.cancel()
        for phone in self._phones:
            for line in phone.values():
                line.close()

    async def _ask(self, phone: dict[str, Connection], request: RequestKind) -> None:
        line, path = phone[request.keys], self._random.choice(request.paths)
        began = monotonic()
        answer = await (line.get(path) if request.body is None else line.post(path, **request.body))
        self.took[request.kind].append(monotonic() - began)
        if answer.status not in request.good:
            self.bad[f"{request.kind}: {path} {answer.status}"] += 1
        if request.of_seat:
            self._acting = False
        self._idle.put_nowait(phone)
