"""A table with the solo game, a board and one player."""

from __future__ import annotations

from typing import Any

from engine.game import TABLE
from games.sniper_elite.rules.words import UNITS
from games.sniper_elite_solo import GAME
from tests.firmware_host.evening import PIN, Evening

Json = Any


class Alone(Evening):
    """One player at a table with the solo game, a board and ten miniatures."""

    def claim_seats(self) -> None:
        """Claim the only seat."""
        self.table.choose({"game": GAME.name})
        self.sniper_key = self.table.seating.claims.claim("sniper", PIN, "Ada's phone", ())

    def enter_by_hand(self) -> None:
        """Start a game and place the sniper on the space of an arrow."""
        self.claim_seats()
        self.table.start({"game": GAME.name})
        self.table.board.use_sensors(True)
        self.finish_dealing()
        self.set_up()
        self.sniper(self.legal("sniper", "choose-entry")[0])
        self.put("sniper", self.legal("sniper", "move")[0]["path"][0])

    def order(self) -> Json:
        """Return the single order that the table shows, or None."""
        hint = self.board["hint"]
        return hint if hint is not None and hint["kind"] == "correction" else None

    def orders(self) -> list[Json]:
        """Return the orders that the table shows, a single one included."""
        hint = self.board["hint"]
        if hint is not None and hint["kind"] == "orders":
            return list(hint["orders"])
        return [order] if (order := self.order()) is not None else []

    def doable(self) -> list[Json]:
        """Return the orders that don't have to wait for another."""
        return [order for order in self.orders() if not order.get("waits")]

    def carries(self, order: Json, to: str | None = None) -> None:
        """Carry out one order, or move the miniature to another space."""
        self.lift(order["unit"])
        self.wait(300)
        self.put(order["unit"], to or order["to"], wait=400)

    def right(self) -> bool:
        """Return whether all miniatures are in their places. Identical ones may be swapped."""
        io = self.table.board.io
        there = {look(unit): set[str]() for unit in UNITS}
        for mini in io.picture()["miniatures"]:
            if mini["id"] in UNITS and mini["space"] is not None:
                there[look(mini["id"])].add(mini["space"])
        wanted = {name: set[str]() for name in there}
        for unit, space in self.view(TABLE)["units"].items():
            if space is not None:
                wanted[look(unit)].add(space)
        return there == wanted

    def defenders_turn(self, orders: int) -> None:
        """End turns until the defenders' turn has moved enough miniatures."""
        for _ in range(40):
            before = self.view(TABLE)["units"]
            self.sniper({"type": "end-turn"})
            while (pending := self.view(TABLE)["pending"]) is not None:
                self.sniper({"type": "place-return", "space": pending["spaces"][0]})
            after = self.view(TABLE)["units"]
            if sum(before[unit] != after[unit] for unit in UNITS) >= orders:
                self.wait(1000)
                return
            self.set_up()
        raise AssertionError("no defenders' turn moved enough miniatures")


def carries(orders: list[Json]) -> set[tuple[str, str | None, str]]:
    """Return which unit an order moves from where to where."""
    return {(order["unit"], order["from"], order["to"]) for order in orders}


def look(unit: str) -> str:
    """Return the first miniature that looks like this one."""
    return next(other for other in UNITS if other == unit or GAME.alike(other, unit))
