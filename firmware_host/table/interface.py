"""The table's face: everything that the web panel may ask of the running table, and nothing else.

Pictures are JSON text, ready to send, each made for one viewer alone and said in the language of one screen. What else
is said to people (`Text`) is English that remembers how it was made. A viewer is a seat of the game, `table` (the
public view) or `board` (what its lamps show, and where a simulated board's miniatures stand).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from engine.seats import Seat as Seat
from engine.text import PLACE as PLACE
from engine.text import Text as Text
from engine.text import begun as begun
from engine.text import row as row

Say = Callable[[Text], str]
"""What says a sentence or a word in the language of a screen; `str` says it in English."""

TABLE = "table"
BOARD = "board"


class UserError(Exception):
    """A player's slip: `code` is stable, `sentence` is for the player, `rule` names a ledger rule if one forbids it.

    Codes: not-understood, refused, ambiguous (the engine's); no-seat, no-house, seat-taken, wrong-pin, locked, busy,
    stale, halted, not-now, no-board, no-rules, paused, not-over, not-found, too-large, bad-record, broken.
    """

    def __init__(self, code: str, sentence: str, rule: str | None = None, after: int = 5) -> None:
        """`after` is in how many seconds it is worth another try, for the codes that pass by themselves."""
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule
        self.after = after


class Holder(Struct, frozen=True):
    """Who holds a claim: the seat, which parts of it this device leads (`squads`), and its number among those there."""

    seat: str
    squads: tuple[str, ...]
    device: str
    number: int = 0


class Asker(Struct, frozen=True):
    """Who asks, as the door sees it: the keys of seats that the device holds, its key of the house, its address.

    `here` is a device that is the table's own machine: whoever sits there could as well move the miniatures.
    """

    keys: tuple[str, ...] = ()
    house: str = ""
    address: str = ""
    here: bool = False

    def __repr__(self) -> str:
        """Without the keys."""
        return f"Asker(here={self.here})"


NOBODY = Asker()
"""Somebody of whom nothing is known: may look, and sit down."""


class Follower(Protocol):
    """One screen that follows its viewer's picture; only the latest counts, a slow screen never blocks anybody."""

    def next(self, timeout: float) -> str | None:
        """The latest picture if it is new to this screen, else None after `timeout` seconds."""

    def on_news(self, call: Callable[[], None]) -> None:
        """Let `call` be called, from any thread, whenever `next` may have a picture; it must not block."""

    def close(self) -> None:
        """This screen is gone."""


class Face(Protocol):
    """What a running table offers to its screens. Any method may be called from any thread and may raise `UserError`.

    Where an `asker` is wanted and people sit at the table, it has to be one of them, or somebody with the house PIN.
    Whoever sits at the table's own machine may do what concerns the board: the board is within reach there.
    """

    def picture(self, viewer: str, say: Say) -> str:
        """The viewer's picture as it is now, in the language that `say` speaks."""

    def follow(self, viewer: str, say: Say) -> Follower:
        """Follow a viewer in that language; the first `next` gives the picture as it is."""

    def alive(self) -> bool:
        """Whether the table goes on; when it has stopped, what it showed last can still be looked at."""

    def lobby(self) -> dict[str, Any]:
        """Public facts for the front page: what is being played or offered, and who sits where."""

    def seats(self) -> tuple[Seat, ...]:
        """The seats of what is played, or offered in the lobby, in order."""

    def map_svg(self, slug: str) -> str:
        """A map drawn as SVG. Raises `UserError` for an unknown map."""

    def rules(self, tongue: str) -> list[dict[str, Any]]:
        """Every rule in the order of the book: `id`, `kind`, `group`, what the group is `about`, `text` (paragraphs
        parted by an empty line, without markup), `off`, `mentions`, and the `tongue` that it is told in: the one asked
        for, else English. Raises `UserError` where there is no book.
        """

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """Take a seat that is free; the returned token is its key."""

    def take_over(
        self,
        seat: str,
        pin: str,
        device: str,
        squads: tuple[str, ...] = (),
        asker: Asker = NOBODY,
        *,
        share: bool = False,
        instead: int | None = None,
    ) -> str:
        """Take a claimed seat with its PIN; the old key stops working, unless both devices are to `share` it, which a
        seat with parts allows: then this one leads `squads`, or all that the other does beside it. `instead` is the
        number of the device whose place it is, where several have that PIN. After a few wrong PINs, whoever tried them,
        the next try has to wait; a device that has held the seat is counted for itself.
        """

    def lead(self, token: str, squad: str, number: int) -> None:
        """Give a squad that one leads, or that nobody does, to the seat's device of that number, or take it."""

    def release(self, seat: str, asker: Asker = NOBODY, pin: str = "") -> None:
        """Free a seat again: from the device that sits there, with its PIN (see `take_over`), or for the house.

        A bot is sent away by those who sit here; by anybody where none do. While a game is running, a device may only
        leave a seat at which others stay.
        """

    def acknowledge(self, token: str, number: int) -> None:
        """Whoever holds this key has seen that so many wrong PINs were tried at that seat (`wrong_pins` of its
        picture), and need not be told of them again.
        """

    def seat_bot(self, seat: str, bot: str, asker: Asker = NOBODY) -> None:
        """Give a free seat to a bot that can play there; before a game anybody may."""

    def hand_over(self, token: str, bot: str) -> None:
        """Leave one's own seat to a bot; with the PIN one can come back."""

    def holder(self, token: str) -> Holder | None:
        """Who holds this key, or None if it opens nothing (any more)."""

    def start(self, choice: dict[str, Any], asker: Asker = NOBODY) -> None:
        """Start a game once its seats are taken: `map`, `options`, and `possible_hints`, if the house allows them."""

    def abandon(self, asker: Asker = NOBODY) -> None:
        """End the running game and go back to the lobby."""

    def pause(self, paused: bool, asker: Asker = NOBODY) -> None:
        """Call a time-out of the running game, in which nobody can act, or end it."""

    def submit(self, token: str, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for a seat. `revision` is that of the picture acted upon; an outdated one is refused as `stale`.

        An act has a `name` of its own, under which it may be asked for again: it gets the same answer, and is not done
        again.
        """

    def offer(self, token: str, name: str, revision: int, spaces: dict[str, tuple[str, ...]]) -> None:
        """A screen of the seat that acts on the board, called `name`, lets people pick there as well: the spaces of
        `units`, or `choices`, of which `chosen` are picked already; no spaces at all end it. What is picked stands in
        that seat's picture (`picked`). `revision` is that of the picture the screen shows; it has to say so again from
        time to time.
        """

    def answer(self, space: str, asker: Asker = NOBODY) -> None:
        """Answer the board's question by a tap on one of its spaces."""

    def health(self) -> list[dict[str, Any]]:
        """How each sensor is: `space`, `sensor`, `state`, counts and times, and a `sentence` if something is wrong.

        States: good, new, silent, chattering, bouncing, manual.
        """

    def set_manual(self, space: str, manual: bool, asker: Asker = NOBODY) -> None:
        """Whether a space's sensor counts; what happens on a manual space is done on the screens."""

    def heed(self, heeding: bool, asker: Asker = NOBODY) -> None:
        """Whether the sensors count; without them the game goes on by the screens alone."""

    def enter_house(self, pin: str, asker: Asker) -> str:
        """A key of the house, for its PIN. After a few wrong PINs, whoever tried them, the next try has to wait; a
        device that has held a key of the house is counted for itself.
        """

    def leave_house(self, asker: Asker) -> None:
        """The asker's key of the house opens nothing any more."""

    def house(self, asker: Asker) -> dict[str, Any]:
        """What the house page shows: `board` (what sensors feel and lamps show now), `choices`, `addresses`,
        `machine` and `network` (names), `version`, `poweroff` (whether it may be), `log`, and how many `wrong_pins`
        were tried at its door since the PIN was chosen; all of it public.
        """

    def choose(self, wanted: dict[str, Any], asker: Asker) -> None:
        """The house chooses values by name, which count at once; None goes back to the default."""

    def report(self, asker: Asker) -> str:
        """The report for a bug, as text; all of it public."""

    def change_house_pin(self, old: str, new: str, asker: Asker) -> str:
        """Another house PIN from now on, and the asker's new key; all other keys of the house open nothing."""

    def shut_down(self, power_off: bool, asker: Asker) -> None:
        """End the table, and switch its machine off if the settings allow that."""

    def house_language(self) -> str:
        """The language that the house has chosen for devices that ask for none of ours; may be empty."""

    def touch(self, miniature: str, space: str | None, asker: Asker = NOBODY) -> None:
        """Simulated board: put a miniature on a space, or lift it off the board (None)."""

    def tidy(self, asker: Asker = NOBODY) -> None:
        """Simulated board: put every miniature where the game has it."""

    # --- past games ---------------------------------------------------------------------------------------------

    def games(self, before: int | None = None) -> dict[str, Any]:
        """`games`, the newest first, or those older than number `before`, some at a time; and whether there are `more`.

        Of each its `number`, `map` and its `name`, when it `started` and `ended` (seconds since 1970), its `state`
        (running, over, put-away, unknown, damaged), and, unless it runs, the end: `over`, `rounds`, `acts`, `imported`.
        Of a damaged one `map` and `started` are None where they cannot be read, and more is not told.
        """

    def game(self, number: int) -> dict[str, Any]:
        """The facts of one game. Raises `UserError` (not-found) where there is none."""

    def course(self, number: int) -> dict[str, Any]:
        """A finished game's facts and its `steps`: what was told, what was known, what was true. Raises `UserError`
        (not-over) for any game that was not played to its end.
        """

    def record(self, number: int) -> tuple[str, bytes]:
        """A finished game's record and the name of a file for it. Raises `UserError` (not-over)."""

    def take_in(self, record: bytes, asker: Asker = NOBODY) -> int:
        """Take a finished game's record from elsewhere into the journal; its number here. Raises `UserError`."""

    def replay(self, number: int | None, step: int = 0, asker: Asker = NOBODY) -> None:
        """Show a step of a finished game on board and table view, or (None) nothing more; not while a game runs."""
