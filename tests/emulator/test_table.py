"""The project's own programs at a pseudo-terminal: flashing, and a game on the daemon. They run in threads, by the
emulated clock.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar

import pytest

from firmware_host.app import cli
from firmware_host.app.daemon import Daemon
from firmware_host.core.settings import settle
from hardware.link import flash, port
from tests.drill.screens import Client
from tests.emulator.conftest import Start
from tests.emulator.host import firmware

T = TypeVar("T")
LONG = 3600.0
"""Real seconds: only a test that hangs needs so many."""
WIRING = tomllib.loads(Path("maps/launch-facility/wiring.toml").read_text("utf-8"))
SENSORS: dict[str, int] = WIRING["sensors"]
LAMPS: dict[str, int] = WIRING["lamps"]


class Desk:
    """A Pico at a port, and programs that use it. `monotonic` and `sleep` replace those of the module `time`."""

    def __init__(self, start: Start, folder: Path, files: dict[str, bytes], chips: int) -> None:
        self.name = folder / "port"
        self.pico = start(files, chips=chips, port=self.name)
        self._threads = ThreadPoolExecutor(1)

    def monotonic(self) -> float:
        return self.pico.now

    def sleep(self, seconds: float) -> None:
        until = self.pico.now + seconds
        while self.pico.now < until:
            time.sleep(0.001)

    def does(self, work: Callable[[], T], seconds: float) -> T:
        """Return the result of work in another thread, which takes at most so many emulated seconds."""
        running, end = self._threads.submit(work), self.pico.now + seconds
        while not running.done():
            assert self.pico.now < end
            self.pico.run(0.0005)
            # The emulator keeps the interpreter busy: alone, its seconds would pass faster than the work proceeds.
            wait([running], timeout=0.0005)
        return running.result()


@pytest.fixture
def desk(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Desk]:
    """A Pico; the test's parameter is its files and chips."""
    found = Desk(start, tmp_path, *request.param)
    for module in (flash, port):
        monkeypatch.setattr(module, "time", found)
    # Serial ports wait by the real clock.
    monkeypatch.setattr(port, "WRITE_WITHIN", LONG)
    found.pico.until(found.name.exists, 2)
    yield found
    found.pico.close()


@pytest.mark.parametrize("desk", [({}, 2)], indirect=True)
def test_bare_and_running_board_are_flashed(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.py"
    config.write_bytes(firmware(16, 6)["config.py"])
    words = ["board", "flash", "--port", str(desk.name)]
    assert desk.does(lambda: cli.main([*words, "--config", str(config)]), 60) == 0
    said = capsys.readouterr().out
    assert "It runs MicroPython 1." in said
    assert "runs firmware 1.1, 16 sensors and 6 lamps." in said
    assert "Done." in said
    before = len(desk.pico.resets)
    steps: list[str] = []
    files = {name: flash.firmware_files()[name] for name in ("config.py", "dimmer.py", "main.py")}
    desk.does(lambda: flash.flash(str(desk.name), files, True, steps.append), 20)
    assert "Keeping the Pico's own config.py, which says what is soldered." in steps
    assert "16 sensors" in steps[-2]
    assert len(desk.pico.resets) == before + 1


class Table:
    """The daemon at the desk, and a tablet that holds the defenders' seat."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk = desk
        facts = {"state": str(folder / "state"), "host": "127.0.0.1", "port": 0, "bot_pause_ms": 100}
        link = {"port": str(desk.name)}
        settings = settle({**facts, "board": "board_link"}, {"board_link": link})
        self.daemon = desk.does(lambda: Daemon(settings, desk.monotonic), 5)
        desk.does(self.daemon.start, 5)
        self._client = Client()
        self._client.reach(int(self.daemon.addresses[0].rstrip("/").rpartition(":")[2]))

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        found = self.desk.does(lambda: self._client.post(f"/api/{path}", **body), 5)
        assert found["ok"], found
        return found

    def claim(self) -> None:
        self.desk.does(lambda: self._client.claim("defenders"), 5)

    def picture(self) -> dict[str, Any]:
        """Return what the defenders see."""
        return self.desk.does(lambda: self._client.get("/api/picture/defenders"), 5)

    def waits_for(self, true: Callable[[dict[str, Any]], object], seconds: float = 10) -> dict[str, Any]:
        """Return the defenders' picture once it is like this. Take miniatures off that the sniper shoots meanwhile."""
        end = self.desk.pico.now + seconds
        while not true(seen := self.picture()):
            assert self.desk.pico.now < end, (seen["board"], seen["view"])
            if (hint := seen["board"]["hint"]) and hint["kind"] == "remove":
                for space in hint["spaces"]:
                    self.desk.pico.chain.touch(SENSORS[space], False)
            self.desk.pico.run(0.1)
        return seen

    def close(self) -> None:
        self._client.leave()
        self.desk.does(self.daemon.stop, 10)


@pytest.mark.parametrize("desk", [(firmware(128, 127), 16)], indirect=True)
def test_game_is_played_by_hand_and_survives_pulled_cable(desk: Desk, tmp_path: Path) -> None:
    pico = desk.pico
    assert pico.until(lambda: pico.loads, 2)
    table = Table(desk, tmp_path)
    table.claim()
    table.post("bot", seat="sniper", bot="rambler")
    table.post("start", options={"random_setup": True})
    seen = table.waits_for(lambda seen: seen["board"]["hint"])
    wanted = sorted(LAMPS[space] for space in seen["board"]["hint"]["spaces"])
    assert wanted
    assert pico.until(lambda: [lamp for lamp, lit in enumerate(map(any, pico.strip.shown)) if lit] == wanted, 2)
    for space in seen["view"]["units"].values():
        pico.chain.touch(SENSORS[space], True)
        pico.run(0.06)
    moved: dict[str, str] = {}
    for _ in range(2):
        seen = table.waits_for(lambda seen: seen["view"]["to_act"] == ["defenders"] and not seen["board"]["held"])
        units = seen["view"]["units"]
        moves = [act for act in seen["legal"] if act["type"] == "move" and act["unit"] not in moved]
        act = next(act for act in moves if act["to"] not in units.values())
        before = pico.strip.shown
        pico.chain.touch(SENSORS[units[act["unit"]]], False)
        pico.run(0.6)
        assert pico.strip.shown != before
        pico.chain.touch(SENSORS[act["to"]], True)
        moved[act["unit"]] = act["to"]
        table.waits_for(lambda seen: moved.items() <= seen["view"]["units"].items())
    pico.unplug()
    table.waits_for(lambda seen: seen["board"]["state"] == "away")
    pico.plug()
    after = table.waits_for(lambda seen: seen["board"]["state"] != "away")
    assert moved.items() <= after["view"]["units"].items()
    table.close()
