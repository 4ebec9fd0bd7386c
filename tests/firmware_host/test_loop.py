"""The loop's inbox: however many ask, an edge waits for a few of them at most."""

from __future__ import annotations

import threading
from pathlib import Path

from firmware_host.loop import AT_ONCE
from firmware_host.table import Table
from hardware.ports import Edge
from tools.showroom import Showroom


def test_an_edge_waits_for_few_of_those_who_ask(tmp_path: Path) -> None:
    room = Showroom(tmp_path)
    order: list[str] = []
    asking, may_go_on = threading.Event(), threading.Event()

    def hold(_: Table) -> None:
        asking.set()
        assert may_go_on.wait(30)

    room.loop.ask(lambda table: setattr(table, "feel", lambda note: order.append("edge")))
    askers = [threading.Thread(target=room.loop.ask, args=(lambda _: order.append("call"),)) for _ in range(60)]
    holding = threading.Thread(target=room.loop.ask, args=(hold,))
    holding.start()
    assert asking.wait(30)
    for asker in askers:
        asker.start()
    while room.loop._inbox.qsize() < AT_ONCE - 1:
        pass
    room.loop._inbox.put(Edge(0, True, 0.0))
    may_go_on.set()
    for thread in (holding, *askers):
        thread.join(30)
    room.loop.ask(lambda _: None)
    room.stop()
    assert order.index("edge") == AT_ONCE - 1
    assert order.count("call") == len(askers)
