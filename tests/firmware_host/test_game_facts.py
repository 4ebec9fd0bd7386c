"""What a game says of itself is checked before a page, the lobby or the list of past games sends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import games
from engine.game import Progress
from engine.options import OptionForm, OptionGroup, Switch
from engine.seats import Seat
from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import RESERVED, SEAT_NAME, GameFault, guarded
from firmware_host.core.remembered import RETRY_SECONDS
from firmware_host.core.sizes import LARGEST_FACTS
from firmware_host.core.time_limit import WATCH, TimeUp
from firmware_host.records import past
from firmware_host.records.imports import read_checked
from firmware_host.records.past import PastGames
from tests.firmware_host.failing_games import FAULTS, Foreign, Rich, failing
from tests.firmware_host.small_games import Cards
from tests.firmware_host.test_failing_games import first, no_interrupts, seated
from tests.web_panel.conftest import Panel
from web_panel.app import create_app
from web_panel.settings import PanelSettings

__all__ = ["no_interrupts"]


class Routed(Rich):
    """The game, with the route of a hidden player."""

    def route(self, events: Iterable[Any]) -> Any:
        return [["a1"]]


def seats(**changes: Any) -> tuple[Seat, ...]:
    """The seats of a game, the first of them changed."""
    north, south = Cards().seats(None)
    return replace(north, **changes), south


def form(**changes: Any) -> OptionForm:
    """A form with one option, changed."""
    return OptionForm((OptionGroup("a", (replace(Switch(("x",), Text("X")), **changes),)),))


UNUSABLE: dict[str, tuple[str, Any]] = {
    "a viewer's name": ("seats", seats(name="board")),
    "the admin's name": ("seats", seats(name="house")),
    "a page's name": ("seats", seats(name="games")),
    "a name with a blank": ("seats", seats(name="red team")),
    "a name with a line": ("seats", seats(name="a\nb")),
    "secret: a set": ("seats", seats(secret={1})),
    "secret: foreign": ("seats", seats(secret=Foreign())),
    "title: a number": ("seats", seats(title=7)),
    "default: foreign": ("options", form(default=Foreign())),
    "title: none": ("options", form(title=None)),
    "path: no texts": ("options", form(path=(7,))),
    "a set": ("glossary", {"cards": {1, 2}}),
    "no number": ("glossary", {"cards": float("nan")}),
    "a huge number": ("glossary", {"cards": 10**400}),
    "foreign": ("glossary", {"cards": Foreign()}),
    "a strange name": ("glossary", {(1, 2): 3}),
    "bytes": ("map_options", {"players": b"x"}),
    "a huge score": ("score", 10**5000),
    "a huge figure": ("figures", [(Text("Steps"), 10**5000)]),
}
"""What is wrong -> the method, and what it returns."""


@pytest.mark.parametrize("wrong", UNUSABLE)
def test_what_a_game_says_is_refused_if_it_cannot_be_sent(wrong: str) -> None:
    method, found = UNUSABLE[wrong]
    game = type("Odd", (Cards,), {method: lambda self, *_: found})()
    with pytest.raises(GameFault):
        getattr(guarded(game), method)(*[None] * (method in ("seats", "map_options", "score", "figures")))


def test_no_seat_has_the_name_of_a_page(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    try:
        app = create_app(panel.interface, PanelSettings(simulated=True))
        pages = {rule.rule[1:] for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    finally:
        panel.stop()
    assert {page for page in pages if SEAT_NAME.fullmatch(page)} <= RESERVED


@pytest.mark.parametrize("method", ["options", "seats"])
def test_a_game_whose_lobby_fails_later_leaves_the_table_open(tmp_path: Path, method: str) -> None:
    wrong = {"options": form(default=Foreign()), "seats": seats(secret={1})}
    game = failing(method)
    for table in seated(game, tmp_path):
        table.begin()
        game.fail = lambda: wrong[method]
        table.act(*first(table))
        table.table.abandon()
        table.wait(100)
        table.table.choose({"game": "stalingrad"})
        table.wait(100)
        assert table.table.snapshot.front["game"] == "stalingrad"


CODE = """
from tests.firmware_host.small_games import Cards
class Named(Cards):
    name, title = "named", "Named"
    def glossary(self):
        return {name: {"a": {"title": "A"}} for name in ("game", "stage", "map", "selection", "bots", "lost", "cards")}
GAME = Named()
"""


def test_facts_of_a_game_replace_none_of_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games" / "named").mkdir(parents=True)
    (tmp_path / "games" / "named" / "__init__.py").write_text(CODE)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "games")])
    panel = Panel(tmp_path / "room")
    try:
        browser = panel.browser()
        assert browser.post("/api/choose", game="named").status_code == 200
        front = browser.get("/api/lobby").json
        assert (front["game"], front["stage"], front["selection"]["game"]) == ("named", "lobby", "named")
        assert front["bots"]["north"]
        assert front["cards"] == {"a": {"title": "A"}}
        for page in ("/", "/table", "/legend", "/games", "/api/games"):
            assert browser.get(page).status_code == 200, page
        assert browser.post("/api/choose", game="stalingrad").status_code == 200
    finally:
        panel.stop()


STATES: dict[str, tuple[str, Callable[[], Any]]] = {
    "over": ("state", lambda: {"over": {"north"}}),
    "round": ("progress", lambda: Progress(Foreign())),  # type: ignore[arg-type]
    "no number": ("progress", lambda: Progress(float("inf"))),  # type: ignore[arg-type]
}
"""What is wrong -> the method that reports it, and what it returns."""


@pytest.mark.parametrize("wrong", STATES)
def test_past_games_are_listed_whatever_one_says_of_itself(tmp_path: Path, wrong: str) -> None:
    method, fail = STATES[wrong]
    game = failing(method)
    for table in seated(game, tmp_path):
        table.begin()
        table.finish()
        game.fail = fail
        finished = partial(getattr, table.table.session, "finished")
        listed = PastGames(table.table.journal.path, finished=finished).listed()
        assert json.loads(json.dumps(listed, allow_nan=False))["games"][0]["state"] == "unknown"


WRONG: dict[str, dict[str, Callable[[], Any]]] = {
    "route": {
        "names of a dictionary": lambda: {"step": Foreign()},
        "many times the same": lambda: [["a" * 60] * 5000] * 40,
    },
    "places_of": {"a refusal": FAULTS["refuses"]},
    "to_act": {"an error": FAULTS["raises"]},
}
"""A method that is called for a past game -> what it can return."""


def asked_of(path: Path, finished: Callable[[], int | None]) -> list[Callable[[], object]]:
    """Return what a screen may ask of game 1, and the import of its record."""
    past, sent = PastGames(path, finished=finished), PastGames(path, finished=finished).record(1)[1]
    return [
        lambda: past.ending(1),
        lambda: past.whole_game(1).decode(),
        lambda: bool(past.moment(1, 1)),
        lambda: bool(read_checked(sent)),
    ]


@pytest.mark.parametrize(("method", "wrong"), [(method, wrong) for method in WRONG for wrong in WRONG[method]])
def test_past_game_that_has_become_faulty_is_refused_with_a_message(tmp_path: Path, method: str, wrong: str) -> None:
    game = failing(method, Routed)
    for table in seated(game, tmp_path):
        table.begin()
        table.finish()
        finished = partial(getattr, table.table.session, "finished")
        asks = asked_of(table.table.journal.path, finished)
        game.fail = WRONG[method][wrong]
        for ask in asks:
            with suppress(UserError):
                assert len(json.dumps(ask(), allow_nan=False)) < LARGEST_FACTS
        assert game.calls


def test_game_that_hangs_keeps_past_games_waiting_for_its_first_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, limits, run = failing("state"), list[float](), WATCH.run
    for table in seated(game, tmp_path):
        for _ in range(5):
            table.begin()
            table.finish()
            table.table.abandon()

        def late() -> None:
            raise TimeUp

        def watched(name: str, limit: float, work: Callable[..., Any], *args: Any) -> Any:
            limits.extend([limit] if work is past._ending_facts else [])
            return run(name, limit, work, *args)

        game.fail = late
        monkeypatch.setattr(WATCH, "run", watched)
        listed = PastGames(table.table.journal.path).listed()["games"]
        assert [game["state"] for game in listed] == ["unknown"] * 5
        assert limits == [20.0, 10.0, 5.0, 2.5, 1.25]


def test_one_fault_hides_a_past_game_for_a_minute_only(tmp_path: Path) -> None:
    """It was hidden until the next start."""
    game, now, calls = failing("state"), [0.0], list[None]()

    def fails() -> None:
        calls.append(None)
        raise MemoryError

    for table in seated(game, tmp_path):
        table.begin()
        table.finish()
        table.table.abandon()

        past_games = PastGames(table.table.journal.path)
        past_games._facts.clock = past_games._faults.clock = lambda: now[0]
        working, game.fail = game.fail, fails
        for _ in range(3):
            assert [it["state"] for it in past_games.listed()["games"]] == ["unknown"]
            assert len(calls) == 1, "a game that fails is not asked again at once"
        game.fail = working
        now[0] = RETRY_SECONDS + 1
        assert [it["state"] for it in past_games.listed()["games"]] == ["over"]
