"""The second implementation of Eagle's Nest, and of acts that the solo game shares. See `menu.py`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from engine.graph import Map

State = dict[str, Any]
Told = tuple[str, dict[str, Any]]
"""The audience, `all` or one seat, and the event."""

BAGS = {
    "AS-KARL": (5, 2, 3),
    "AS-WREN": (5, 2, 3),
    "AS-ANVIL": (7, 3, 3),
    "AS-LARK": (5, 1, 3),
    "AS-SABLE": (5, 2, 2),
    "AS-HARROW": (6, 2, 3),
}
"""Aim, noise and recoil of each ally (EN-D-01)."""
GEAR = {"climbing-gear": "elevated", "diving-gear": "water"}
"""Each gear card and the kind of space that a map needs for it (EN-LDO-02, EN-LDO-03)."""


def is_ally(s: State, name: str) -> bool:
    """Return whether the sniper is this ally."""
    return bool(s.get("ally") == f"AS-{name}")


def gear(board: Map, options: dict[str, Any]) -> list[str]:
    """Return the gear in the loadout deck (EN-LDO-01, EN-D-07)."""
    kinds = {space.kind for space in board.spaces.values()}
    played = (options.get("nest") or {}).get("gear", False)
    return [card for card, kind in GEAR.items() if played and kind in kinds for _ in range(2)]


def steps(board: Map, active: str | None, here: str) -> dict[str, bool]:
    """Return where a step can lead -> whether it uses the climb (EN-D-05, EN-D-06, EN-R-20, EN-R-30)."""
    found = dict.fromkeys(board.walk[here], False)
    for space in board.adjacent[here]:
        kinds = {board.spaces[here].kind, board.spaces[space].kind}
        if space not in found and active == "climbing-gear" and kinds == {"elevated", "open"}:
            found[space] = True
        if space not in found and active == "diving-gear" and kinds in ({"water"}, {"open", "water"}):
            found[space] = False
    return found


def paths(board: Map, s: State, entry: str, free: Collection[str]) -> Iterator[list[str]]:
    """Yield paths of up to three spaces that end on a `free` one, whatever they cost (EN-D-08, EN-D-09, EN-R-27)."""
    here, active, held = s["sniper"]["space"], s["sniper"]["active"], {*s["units"].values()}
    if is_ally(s, "HARROW") and s["sniper"]["shot"]:
        return
    first = steps(board, active, here) if here else {entry: False}
    one = [([space], climbs) for space, climbs in first.items()]
    two = [([*path, x], up + more) for path, up in one for x, more in steps(board, active, path[-1]).items()]
    three = [([*path, x], up + more) for path, up in two for x, more in steps(board, active, path[-1]).items()]
    for path, climbed in (*one, *two, *three):
        fits = climbed <= 1 and path[-1] in free
        if fits and len({here, *path}) == len(path) + 1 and not held & set(path):
            yield path


def cards(s: State, card: str) -> Iterator[dict[str, Any]]:
    """Yield the play of a card that is not aimed (R-32, EN-R-30)."""
    me = s["sniper"]
    barred = {"s-mine": me["space"] is None, **dict.fromkeys(("sound-masking", *GEAR), me["moved"])}
    if not barred.get(card, me["acted"]):
        yield {"type": "play", "card": card}


def at_a_number(s: State, number: int | None) -> Iterator[dict[str, Any]]:
    """Yield the acts on a numbered space (MP-LOOT-01, MP-LOOT-03, MP-OBJ-01, SO-LOT-01, SO-LOT-03, SO-CMP-01)."""
    me = s["sniper"]
    if number and number not in me["objectives"] and me["space"] not in me["looted"] and s["loot_deck"]:
        yield {"type": "loot"}
    if number in me["objectives"] and number not in me["completed"]:
        yield {"type": "complete", "objective": number}


class Teller:
    """The events of an act. `s` is the position, changed step by step; `out` are the tokens drawn from the bag."""

    s: State
    me: dict[str, Any]
    told: list[Told]
    out: dict[str, int]
    ghost: bool

    def whisper(self, event: str, /, **fields: Any) -> None:
        """Send an event to the sniper."""
        self.told.append(("sniper", {"type": event, **fields}))

    def tell(self, event: str, /, **fields: Any) -> None:
        """Send an event to all viewers, without what a hidden ghost keeps secret (EN-R-29)."""
        hidden = self.ghost and not self.s["identity_revealed"]
        if hidden and event == "opened":
            self.unmask("game-over")
        if hidden and event == "bag-gained" and fields["token"] != "suppression":
            self.whisper(event, **fields)
            return
        if hidden and event == "ability-used":
            self.unmask("special_ability")
            return
        if hidden and event == "loadout-chosen":
            fields = {"count": None}
        self.told.append(("all", {"type": event, **fields}))
        if hidden and event == "revealed":
            found = {"spot": "found", "attack": "found", "objective": "objective"}
            self.unmask(found.get(fields["why"], "position"))

    def unmask(self, trigger: str) -> None:
        """EN-GHO-07, EN-R-09."""
        self.s["identity_revealed"] = True
        bag = {token: self.s["bag"][token] + self.out[token] for token in self.out}
        waits = self.s["pending"] or {}
        looted = len(waits["cards"]) - 1 if waits.get("for") == "keep" else 0  # the others return to the deck
        hand = len(self.me["hand"]) + (waits.get("for") == "keep")
        counts = {"hand": hand, "loot_deck": len(self.s["loot_deck"]) + looted}
        self.tell("ghost-revealed", ally=self.s["ally"], trigger=trigger, bag=bag, counts=counts)

    def talent(self) -> None:
        """EN-R-10, EN-R-34."""
        self.tell("ability-used", ally=self.s["ally"])
