"""The commitment to a game's draws before anything is dealt, and how it is opened at the end.

The draws of a game follow from a seed. The commitment ("promise") is a hash over the seed and a nonce, shown to
everyone at the start. A seal is a hash over the nonce and the chain up to an entry, shown after every public event: it
commits to all secrets so far. Seed and nonce have 256 bits each, so they cannot be found by trial. They are published
when the game has ended. Then anyone can check everything:

    promise   SHA-256 of the compact JSON of [FORMAT, nonce, seed, game, map, source, options]
    seal      SHA-256 of the compact JSON of [FORMAT, nonce, hash of the entry]
    draws     of act number n (0 for the set-up, then the lowest number that no current act has): the 64-bit big-endian
              numbers in the SHA-256 of DRAWS + seed + n + i for i = 0, 1, … (n and i as 8 bytes, big-endian)

A number below k is the next of these numbers modulo k; numbers from the last whole multiple of k on are skipped.
Shuffling goes from the last place down, sampling from the first place up, each by exchanging two places. A die is a
sample of one of its faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.chance import Chance
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry, GameHeader

FORMAT = "sniperboard-promise/1"
DRAWS = b"sniperboard-draws/1"

Digits = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]*$")]

_RANGE = 1 << 64


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """A commitment and the seed and nonce that open it, each with 64 hexadecimal digits.

    `seed` and `nonce` are secret while the game runs.
    """

    promise: Digits
    seed: Digits
    nonce: Digits

    def __repr__(self) -> str:
        return f"Opening({self.promise})"

    def holds(self, header: GameHeader) -> bool:
        """Return whether this opens the commitment of the game that `header` names."""
        return self.promise == _commitment(
            self.nonce, self.seed, header.game, header.map, header.source, header.options
        )

    def seal(self, link: str) -> str:
        """Return the seal of everything up to the entry with the hash `link`."""
        return chain.hash_values(FORMAT, self.nonce, link)

    def draws(self, act: int) -> SeededDraws:
        """Return the draws of act number `act`: the same at every call."""
        return SeededDraws(bytes.fromhex(self.seed), act)


class SealedChance:
    """`opening` is None for games of versions without sealed chance, whose results are drawn directly from `chance`."""

    def __init__(self, chance: Chance, opening: Opening | None) -> None:
        self._chance, self._opening = chance, opening
        self._sealed: str | None = None

    def of_act(self, number: int) -> Chance:
        """Return the chance for the act with this number; the set-up is 0."""
        if self._opening is not None:
            # Each act has its own chance, so repeating an act after a step back draws the same.
            self._chance.draw_from(self._opening.draws(number))
        return self._chance

    def seal(self, link: str) -> None:
        """Seal everything up to the entry with the hash `link`. The seal is public."""
        self._sealed = None if self._opening is None else self._opening.seal(link)

    def facts(self, over: bool) -> dict[str, str | None] | None:
        """Return the public facts: the commitment and the latest seal, and after the game what opens both.

        None for a game without sealed chance.
        """
        if (opening := self._opening) is None:
            return None
        seed, nonce = (opening.seed, opening.nonce) if over else (None, None)
        return {"promise": opening.promise, "seal": self._sealed, "seed": seed, "nonce": nonce}


def new_opening(chance: Chance, game: str, board: str, source: str, options: Any) -> Opening:
    """Return a new commitment for a game."""
    seed, nonce = chance.secret().hex(), chance.secret().hex()
    return Opening(_commitment(nonce, seed, game, board, source, options), seed, nonce)


def read_opening(command: Any) -> Opening | None:
    """Return the opening in the start entry of a game, None if there is none. Raises `msgspec.ValidationError`."""
    return None if command is None else msgspec.convert(command, Opening)


def sealed_entries(entries: Iterable[ChainEntry]) -> Iterator[ChainEntry]:
    """Yield the entries that led to a new seal: the start, acts with public events, and steps back from these."""
    is_public: list[bool] = []
    for entry in entries:
        if entry.kind == "taken-back":
            # Viewers who received the act also learn that it was taken back.
            is_public.append(is_public[-1 if entry.command is None else entry.command])
        else:
            is_public.append(any(event["to"] is None for event in entry.telling))
        if is_public[-1] or entry.kind == "start":
            yield entry


def _commitment(nonce: str, seed: str, game: str, board: str, source: str, options: Any) -> str:
    return chain.hash_values(FORMAT, nonce, seed, game, board, source, options)


class SeededDraws:
    """A source (`engine.chance.Source`) that gives the same draws for a seed and an act in every version of Python."""

    def __init__(self, seed: bytes, act: int) -> None:
        self._numbers = _random_numbers(seed, act)

    def choice(self, seq: Sequence[Any], /) -> Any:
        return seq[self._below(len(seq))]

    def shuffle(self, x: list[Any], /) -> None:
        for place in range(len(x) - 1, 0, -1):
            other = self._below(place + 1)
            x[place], x[other] = x[other], x[place]

    def sample(self, population: Sequence[Any], k: int, /) -> list[Any]:
        left = list(population)
        for place in range(k):
            other = place + self._below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:k]

    def _below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, each with the same probability."""
        # Without this limit, the modulo below would make small numbers a little likelier.
        fair = _RANGE - _RANGE % limit
        return next(number for number in self._numbers if number < fair) % limit


def _random_numbers(seed: bytes, act: int) -> Iterator[int]:
    for block in count():
        digest = sha256(DRAWS + seed + act.to_bytes(8) + block.to_bytes(8)).digest()
        yield from (int.from_bytes(digest[at : at + 8]) for at in range(0, len(digest), 8))
