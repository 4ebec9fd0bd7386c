"""Over https, everything that a secret seat sends or gets has one length per kind, whatever the secret is.

Everyone on the network sees the lengths of TLS records, and every account on the table's machine sees how many bytes a
connection has carried. Whole games are played; for each kind of exchange, all lengths must be equal.
"""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Response
from werkzeug.routing import Rule

from engine.chance import Chance
from engine.game import Game
from engine.referee import Referee
from firmware_host.admin.certificate import ensure_file, tls_context
from firmware_host.core import maps
from firmware_host.core.encoding import Fragment
from firmware_host.play import pictures
from firmware_host.seats.drafts import LARGEST_DRAFT
from games import find, names
from tests.depth import seeds
from tests.firmware_host.evening import fresh_name
from tests.firmware_host.published import latest
from tests.secrecy.test_reads import address
from tests.secrecy.tls import HOME, Exchange, SecureLine
from tests.web_panel.conftest import Panel
from tools.showroom import PIN
from web_panel.gateway import TOO_MUCH
from web_panel.language import codes, language
from web_panel.padding import ANSWER_BYTES, PICTURE_BYTES, PICTURES, padded_size
from web_panel.serve import Server, serve
from web_panel.settings import PanelSettings
from web_panel.streams import STREAM
from web_panel.target import REFUSED

GAMES = Path(__file__).resolve().parents[2] / "games"
STEPS = 24
RECORDS = 9
"""Lengths of a picture: eight full records, and the rest."""
OPTIONS = {"sniper-elite": {"random_setup": True}, "sniper-elite-solo": {}}
"""The shipped games that have a secret seat, with the options used here."""
BESIDE = 16 * 1024
"""The most bytes of a picture apart from the game: seats, board and the head of the answer."""

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")


def random_act(legal: list[dict[str, Any]], random: Random) -> dict[str, Any]:
    """Return a random act of a random kind."""
    kind = random.choice(sorted({act["type"] for act in legal}))
    return random.choice([act for act in legal if act["type"] == kind])


class SecretSeat:
    """The sniper's devices at a table that uses https. They take turns."""

    def __init__(self, folder: Path, code: str, devices: int = 1) -> None:
        settings = PanelSettings(simulated=True, heartbeat=3600, secure=True)
        self.panel = Panel(folder, settings)
        self.server: Server = serve(self.panel.app, HOME, 0, tls=tls_context(ensure_file(folder, [HOME])))
        self.server.start()
        self.company = self.panel.company
        self.company.sit_down()
        self.company.start(random_setup=True)
        self.carry()
        keys = [self.company.keys["sniper"]]
        for _ in range(1, devices):
            keys.append(self.panel.interface.take_over("sniper", PIN, "Ada's tablet", share=True))
        cookies = [f"sniperboard-sniper={key}; sniperboard-language={code}" for key in keys]
        self.lines = [SecureLine(self.server.port, cookie) for cookie in cookies]
        self.streaming = cycle(cookies)
        self.say = language(code, "sniper-elite").say
        self.seen: dict[str, set[Any]] = defaultdict(set)
        """The lengths of records by kind of exchange, in both directions."""
        self.follow()

    def carry(self) -> None:
        """Put the miniatures where the game has them."""
        self.panel.interface.reset_miniatures(self.company.requester)
        self.panel.advance_clock()

    def follow(self) -> None:
        """Follow the seat's pictures, as after a lost connection."""
        self.stream = SecureLine(self.server.port, next(self.streaming))
        self.stream.write("GET", "/api/stream/sniper")
        self.shown, self.events = self.stream.event(), 1

    def hear(self) -> None:
        """Read events until the phone shows the current picture."""
        while self.shown != latest(self.panel.loop.followers, "sniper", self.say)[1]:
            self.shown = self.stream.event()
            self.events += 1

    def leave(self) -> None:
        """Drop the connection that brings pictures. Its records must be the same as the first time, each time."""
        self.hear()
        lengths = self.stream.got.taken()
        opening, pictures = lengths[: -RECORDS * self.events], lengths[-RECORDS * self.events :]
        self.seen["stream"].add((self.stream.sent.taken(), opening))
        self.seen["events"] |= {pictures[at : at + RECORDS] for at in range(0, len(pictures), RECORDS)}
        self.stream.close()

    def note(self, kind: str, exchange: Exchange) -> Exchange:
        """Remember the lengths of an exchange."""
        self.seen[kind].add(exchange.lengths)
        return exchange

    @property
    def picture(self) -> dict[str, Any]:
        """Return the picture that the phone shows."""
        found: dict[str, Any] = json.loads(self.note("picture", self.line.ask("GET", "/api/picture/sniper")).text)
        return found

    def act(self, kind: str, action: dict[str, Any], revision: int) -> Exchange:
        """Send an act."""
        act = {"seat": "sniper", "action": action, "revision": revision, "id": fresh_name()}
        return self.note(kind, self.line.ask("POST", "/api/act", act))

    def step(self, random: Random) -> None:
        """Let the next seat do something. The devices also save plans and make mistakes."""
        self.lines.reverse()
        picture = self.picture
        if "sniper" not in picture["view"]["to_act"]:
            legal = self.company.picture("defenders")["legal"]
            self.company.act("defenders", random.choice([it for it in legal if it["type"] == "end-turn"] or legal))
            return
        draft = {"path": random.choices(["R1", "W12", "L7"], k=random.randrange(100))}
        self.note("draft", self.line.ask("POST", "/api/draft", {"seat": "sniper", "moment": "1", "draft": draft}))
        self.note("drafted", self.line.ask("GET", "/api/draft/sniper"))
        self.act("refused", {"type": "move", "path": ["nowhere"] * random.randrange(9)}, picture["revision"])
        self.act("refused", {"type": "end-turn"}, picture["revision"] - 1)
        kind, action = "take-back", {"type": "take-back"}
        if not picture["undo"] or random.random() < 0.6:
            kind, action = "act", random_act(picture["legal"], random)
        assert self.act(kind, action, picture["revision"]).status == 200
        self.carry()

    @property
    def line(self) -> SecureLine:
        """The line of the device whose turn it is."""
        return self.lines[0]

    def stop(self) -> None:
        """Close the table."""
        for line in self.lines:
            line.close()
        self.stream.close()
        self.server.stop()
        self.panel.stop()


@pytest.fixture(params=(("en", 1), ("pl", 1), ("en", 2)))
def seat(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SecretSeat]:
    found = SecretSeat(tmp_path, *request.param)
    yield found
    found.stop()


def test_each_kind_of_exchange_has_one_length(seat: SecretSeat) -> None:
    random = Random(4)
    for number in range(STEPS):
        seat.step(random)
        seat.hear()
        if number % 6 == 5:
            seat.leave()
            seat.follow()
    seat.leave()
    assert {kind: len(lengths) for kind, lengths in seat.seen.items()} == dict.fromkeys(seat.seen, 1)
    assert seat.seen["act"] == seat.seen["refused"] == seat.seen["take-back"]
    assert {*seat.seen} == {"picture", "act", "take-back", "draft", "drafted", "refused", "stream", "events"}


# --- every route ------------------------------------------------------------------------------------------------


def bodies(rule: Rule) -> Iterator[Any]:
    """Yield bodies for a route that takes one: an unknown field, an empty body, and one about the seat."""
    yield from ({"strange": 1}, {}, {"seat": "sniper"})


def test_refusal_of_a_busy_server_has_a_fixed_size(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    phone, _ = panel.start()
    overrides = {STREAM: None, REFUSED: TOO_MUCH}  # as `Gateway.refused` sets them
    answer = phone.client.post("/api/act", json={"seat": "sniper"}, environ_overrides=overrides)
    panel.stop()
    assert (answer.status_code, size(answer) % ANSWER_BYTES) == (503, 0)


def test_every_json_answer_and_every_refusal_has_a_fixed_size(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    phone, _ = panel.start()
    unequal = []
    for rule in panel.app.url_map.iter_rules():
        path = address(rule)
        unit = PICTURE_BYTES if path.startswith(PICTURES) else ANSWER_BYTES
        for method in [*sorted((rule.methods or set()) - {"OPTIONS"}), "PUT"]:
            for body in bodies(rule) if method == "POST" else [None]:
                answer = phone.client.open(path, method=method, json=body, headers={"Accept-Encoding": "gzip"})
                is_padded = answer.mimetype == "application/json" or answer.status_code >= 400
                if is_padded and (size(answer) % unit or answer.content_encoding):
                    unequal.append((method, path, answer.status, size(answer)))
                answer.close()
    panel.stop()
    assert unequal == []


def size(answer: Any) -> int:
    """Return the bytes of an answer, head and body, without the headers that the server adds to every answer."""
    head = len(answer.status) + sum(len(f"{name}: {value}\r\n") for name, value in answer.headers.items())
    stated = answer.headers["Content-Length"]
    return head - len(f"Content-Length: {stated}\r\n") + int(stated)


@pytest.mark.parametrize("path", ["//api/picture/sniper", "///api/picture/sniper", "/%2fapi/picture/sniper"])
def test_spelling_of_an_address_does_not_change_the_length(tmp_path: Path, path: str) -> None:
    seat = SecretSeat(tmp_path, "en")
    plain = seat.line.ask("GET", "/api/picture/sniper")
    spelled = seat.line.ask("GET", path)
    seat.stop()
    assert (spelled.status, spelled.got) == (200, plain.got)


def test_internal_error_is_padded_too(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    broken_again = False

    def broken() -> None:
        raise ZeroDivisionError

    def undressed(response: Response) -> Response:
        if broken_again:
            raise ZeroDivisionError
        return response

    panel.app.add_url_rule("/api/broken", view_func=broken)
    panel.app.after_request(undressed)
    phone, _ = panel.start()
    first = phone.get("/api/broken")
    broken_again = True
    second = phone.get("/api/broken")
    panel.stop()
    assert [size(answer) % ANSWER_BYTES for answer in (first, second)] == [0, 0]
    assert first.status_code == second.status_code == 500


def test_clients_without_a_secret_seat_get_unpadded_answers(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    _, tablet = panel.start()
    answer = tablet.get("/api/picture/defenders")
    panel.stop()
    assert answer.get_data() == answer.get_data().rstrip(b" ")


# --- sizes --------------------------------------------------------------------------------------------------------


def random_game(game: Game, slug: str, seed: int) -> Iterator[Referee]:
    """Yield a random game after each act."""
    random, chance, board = Random(seed), Chance(Random(seed)), maps.load(slug)
    options = game.read_options(OPTIONS[game.name])
    referee = Referee(game, game.blank(board, options))
    referee.tell(tuple(game.setup(board, options, chance)))
    for _ in range(120):
        if not referee.to_act:
            return
        seat = random.choice(referee.to_act)
        kinds: dict[type, list[Any]] = defaultdict(list)
        for command in referee.legal(seat):
            kinds[type(command)].append(command)
        referee.submit(seat, random.choice(kinds[random.choice([*kinds])]), chance)
        yield referee


@pytest.mark.parametrize("name", OPTIONS)
def test_pictures_of_secret_seats_fit_into_the_fixed_size(name: str) -> None:
    game, largest = find(name), 0
    says = [language(code, name).say for code in codes()]
    for seed in seeds(2):
        for slug in maps.drawn():
            for referee in random_game(game, slug, seed):
                fragment = Fragment(pictures.of_viewer(referee, "sniper"))
                largest = max(largest, *(len(fragment.members(say)) for say in says))
    assert 0 < largest + BESIDE < PICTURE_BYTES


def test_longest_draft_fits_into_the_fixed_size() -> None:
    escaped = 3 * LARGEST_DRAFT  # a letter of two bytes becomes six
    assert padded_size(escaped + 1500, ANSWER_BYTES) == ANSWER_BYTES


def test_every_game_with_a_secret_seat_is_measured() -> None:
    ours = [find(name) for name in names() if (GAMES / name.replace("-", "_")).is_dir()]
    secret = {game.name for game in ours if any(seat.secret for seat in game.seats(game.read_options(None)))}
    assert secret == {*OPTIONS}
