"""Every attack found so far, repeated on a real table: the game continues, and other clients are not delayed."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_host.admin import pin as pins
from firmware_host.core.sizes import MOST_SEATS
from tests.attacks.target import HOME, MB, PIN, Target, head, read_to_end
from tests.depth import DEPTH
from tests.patience import PATIENCE, until
from web_panel.connections import ARRIVING, LOCAL, MOST_WAITING, SEATED, STRANGERS
from web_panel.gateway import REFUSED_BODY
from web_panel.rate_limits import AT_ONCE, KEPT_FREE, STREAMS_EACH
from web_panel.workers import RequestKind

pytestmark = pytest.mark.true_hashes  # the table is another process

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 200 * MB
"""The most memory that the table may use; the unit's MemoryMax is 256 MB."""
ADMIN_PIN = "135790"
OTHER_LANES = 3
"""Lanes besides those of the seats: of the admin, this computer, and all strangers."""
SURROGATE = '"\\ud800"'
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
POISON = [
    ("act", "sniper", {"seat": "sniper", "action": {"type": "mark", "?": 1}, "revision": 0, "id": "a"}),
    ("act", "defenders", {"seat": "defenders", "action": {"type": "?"}, "revision": 0, "id": "a"}),
    ("offer", "defenders", {"seat": "defenders", "id": "?", "revision": 0, "units": ["?"]}),
    ("claim", "", {"seat": "sniper", "pin": "1234", "device": "?"}),
    ("claim", "", {"seat": "?", "pin": "?", "device": "x", "squads": ["?"]}),
    ("take-over", "", {"seat": "sniper", "pin": "?", "device": "x"}),
    ("start", "", {"map": "?", "options": {"?": True}}),
    ("start", "sniper", {"map": "launch-facility", "options": {"ruling": "?", "?": [{"?": "?"}]}}),
    ("bot", "", {"seat": "sniper", "bot": "?"}),
    ("touch", "", {"miniature": "?", "space": "?"}),
    ("answer", "sniper", {"space": "?"}),
    ("manual", "sniper", {"space": "?", "manual": True}),
    ("replay", "sniper", {"game": 1, "step": 0, "?": 1}),
    ("house/enter", "", {"pin": "?"}),
    ("lead", "defenders", {"squad": "?", "number": 0}),
]
"""Where text is accepted: the address, the seat's name, and the body, in which ? becomes a lone surrogate."""
HOSTILE = ["\ufffe", "\x00", "\u202e", "x" * 60_000, "\U0001f600" * 50, "'\"{}[]%s{0}"]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    found = Target(tmp_path_factory.mktemp("target"))
    yield found
    found.close()


def test_lone_surrogate_is_refused_everywhere(target: Target) -> None:
    for path, seat, body in POISON:
        text = json.dumps(body).replace('"?"', SURROGATE)
        status, _, answer = target.ask("POST", f"/api/{path}", text.encode(), seat)
        assert (status, json.loads(answer)["error"]["code"]) == (400, "not-understood"), path
    target.plays_on()


@pytest.mark.parametrize("text", HOSTILE, ids=["noncharacter", "nul", "override", "long", "emoji", "format"])
def test_no_text_stops_the_table(target: Target, text: str) -> None:
    for path, seat, body in POISON:
        put = json.dumps(body).replace('"?"', json.dumps(text))
        status, _, answer = target.ask("POST", f"/api/{path}", put.encode(), seat)
        assert status < 500, path
        assert json.loads(answer)
    target.plays_on()


@pytest.mark.parametrize("kind", ["words", "art"])
def test_no_browser_keeps_a_refusal(target: Target, kind: str) -> None:
    """A part of a page that is refused once, because its address asks for too much, is asked for again."""
    found = re.search(f'data-{kind}="([^"]+)"', target.ask("GET", "/")[2].decode())
    assert found is not None

    def refusal() -> bytes:
        """Send more requests at once than an address may, and return the head of the first refusal."""
        asked, seen = int(2 * AT_ONCE), b""
        with target.line("127.0.16.1") as line:
            line.sendall(f"HEAD {found[1]} HTTP/1.1\r\nHost: {HOME}\r\n\r\n".encode() * asked)
            while (heads := seen.split(b"\r\n\r\n")[:-1])[asked - 1 :] == []:
                if heads and b" 429 " in heads[-1]:
                    return heads[-1]
                seen += line.recv(1 << 10)
        return b""

    assert b"\r\nCache-Control: no-store" in until(refusal)


def test_slow_senders_block_no_one(target: Target) -> None:
    """Bodies and headers that never end, in either framing, enough to occupy every worker."""
    with contextlib.ExitStack() as held:
        for number in range(12):
            line = held.enter_context(target.line("127.0.9.1"))
            path = ("/api/claim", "/api/games", "/api/act")[number % 3]
            line.sendall(head(path, more=CHUNKED if number % 2 else "Content-Length: 900\r\n\r\n{").encode())
        target.plays_on()


def test_strangers_connections_shut_out_neither_seats_nor_own_machine(target: Target) -> None:
    with contextlib.ExitStack() as held:
        for number in range(STRANGERS.total + 40):
            with contextlib.suppress(OSError):
                line = held.enter_context(target.line(f"127.0.8.{number % 5}"))
                line.sendall(head("/api/claim", more=CHUNKED).encode())
        target.plays_on()
        assert target.ask("GET", "/api/picture/sniper", seat="sniper", address="127.0.7.1")[0] == 200
        assert target.threads < 64


def test_seat_device_connects_while_strangers_hold_every_place(target: Target) -> None:
    page = f"GET /rules HTTP/1.1\r\nHost: {HOME}\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        for number in range(STRANGERS.total + 10):
            line = held.enter_context(target.line(f"127.0.14.{number % 5}"))
            with contextlib.suppress(OSError):
                line.sendall(page * 2)
        for address in ("127.0.15.1", "127.0.15.2"):
            assert target.ask("GET", "/api/picture/sniper", seat="sniper", address=address)[0] == 200
        assert target.ask("GET", "/api/lobby", address="127.0.15.3")[0] == 200


def test_lost_seat_keeps_no_place_of_the_next_holder(target: Target) -> None:
    """The device follows the public picture with its old key, as often as the device of a seat may."""
    with contextlib.ExitStack() as held:
        lines = [held.enter_context(target.line("127.0.16.1")) for _ in range(STREAMS_EACH)]
        for line in lines:
            cookie = target.cookies["sniper"]
            line.sendall(f"GET /api/stream/table HTTP/1.1\r\nHost: {HOME}\r\nCookie: {cookie}\r\n\r\n".encode())
            assert line.recv(12).endswith(b"200")
        status, headers, _ = target.post("take-over", seat="sniper", pin=PIN, device="the next one")
        assert status == 200
        target.cookies["sniper"] = headers["Set-Cookie"].partition(";")[0]
        assert target.ask("GET", "/api/picture/sniper", seat="sniper", address="127.0.16.2")[0] == 200
        assert all(read_to_end(line) for line in lines), "each has ended"


def test_one_address_takes_no_stream_from_seats_machine_or_others(target: Target) -> None:
    with contextlib.ExitStack() as held:

        def follows(address: str, viewer: str = "table", cookie: str = "") -> int:
            line = held.enter_context(target.line(address))
            cookies = f"Cookie: {cookie}\r\n" if cookie else ""
            line.sendall(f"GET /api/stream/{viewer} HTTP/1.1\r\nHost: {HOME}\r\n{cookies}\r\n".encode())
            return int(line.recv(12).split()[1])

        assert {follows("127.0.10.1") for _ in range(40)} == {200, 503}
        for number in range(2, 12):
            assert follows(f"127.0.10.{number}") == 200, "each address must have one stream"
        assert [follows(HOME) for _ in range(KEPT_FREE)] == [200] * KEPT_FREE, "also the streams of TV and kiosk"
        for seat, cookie in target.cookies.items():
            assert follows("127.0.10.1", seat, cookie) == 200


def test_refusals_do_not_reveal_a_keys_requests_at_its_address(target: Target) -> None:
    """Each lane has its own rate limit: the sniper's requests use up no limit of a stranger or another seat."""
    address = "127.0.11.1"
    for _ in range(int(AT_ONCE) - 10):
        assert target.ask("GET", "/api/lobby", seat="sniper", address=address)[0] == 200
    for seat in ("", "defenders"):
        for _ in range(int(AT_ONCE) - 10):
            assert target.ask("GET", "/api/lobby", seat=seat, address=address)[0] == 200


def test_strangers_of_one_address_delay_neither_other_strangers_nor_admin(target: Target) -> None:
    """However many requests one address has pending, the next address gets its turn.

    The admin page has its own lane.
    """
    pins.write_pin(target.daemon.state, ADMIN_PIN)
    body = json.dumps({"pin": ADMIN_PIN}).encode()
    status, headers, _ = target.ask("POST", "/api/house/enter", body)
    assert status == 200
    target.cookies["house"] = headers["Set-Cookie"].partition(";")[0]
    end, done = threading.Event(), list[int]()

    def lean(number: int) -> None:
        claimed = {"seat": "sniper", "pin": f"{number:04}", "device": "Eve"}
        while not end.is_set():
            done.append(target.ask("POST", "/api/take-over", json.dumps(claimed).encode(), address="127.0.12.1")[0])

    threads = [threading.Thread(target=lean, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    try:
        for number in range(10):
            assert target.ask("GET", "/api/house", seat="house", address="127.0.12.1")[0] == 200
            claim = json.dumps({"seat": "sniper", "pin": "1234", "device": "Ada"}).encode()
            answer = target.ask("POST", "/api/claim", claim, address=f"127.0.13.{1 + number}")
            assert answer[0] == 409, "the claim must be answered: the seat is taken"
    finally:
        end.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert set(done) <= {403, 429, 503}


def test_worst_attacks_together_stay_within_memory_limit(target: Target) -> None:
    """Simultaneous claims, unfinished bodies, a record that is one large text, and answers that are never read."""
    record = {"format": "sniperboard-record/1", "started": 1.0, "game": "sniper-elite", "map": "x" * (MB - 300)}
    whole = json.dumps({**record, "source": "", "options": {}, "hash": "", "entries": []}).encode()
    held_body = (head("/api/claim", more="Content-Length: 65000\r\n\r\n") + " " * 64_000).encode()

    def claim(number: int) -> int:
        body = {"seat": "sniper", "pin": f"{number:04}", "device": "x", "squads": []}
        path = "/api/take-over" if number % 2 else "/api/claim"
        return target.ask("POST", path, json.dumps(body).encode(), address=f"127.0.6.{number % 200}")[0]

    with contextlib.ExitStack() as held, ThreadPoolExecutor(30) as many:
        for number in range(STRANGERS.total):
            line = held.enter_context(target.line(f"127.0.5.{number % 8}"))
            with contextlib.suppress(OSError):
                line.sendall(held_body)
        for _ in range(DEPTH):
            claims = [many.submit(claim, number) for number in range(60)]
            for _ in range(3):
                status, _, answer = target.ask("POST", "/api/games", whole, "sniper")
                assert status in (400, 409), answer
            assert all(found.result() in (400, 403, 409, 429, 503) for found in claims)
        for _ in range(30):
            line = held.enter_context(target.line())
            line.sendall(b"GET /rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
        target.plays_on()
    print(f"at most {target.peak / MB:.0f} MB, {target.threads} threads")
    assert target.peak < ENOUGH


def test_strangers_texts_are_not_kept(target: Target) -> None:
    """Each refused body has different words, and each is as long as a body may be."""
    before = target.held
    for number in range(120):
        name = json.dumps(f"\U0001f600{number}" + "x" * 60_000).encode()
        for body in (b"{%s:1}" % name, b'{"seat":%s,"pin":"1234","device":"x"}' % name):
            answer = target.ask("POST", "/api/claim", body)
            assert (answer[0], len(answer[2]) < 1000) == (400, True)
        before = target.held if number == 9 else before
    until(lambda: target.held < before + 10 * MB)


def test_refused_requests_leave_no_memory_behind(target: Target) -> None:
    """Each has the largest head and body that are read before it is refused."""
    large = f"Transfer-Encoding: chunked\r\n\r\nfff0\r\n{' ' * 0xFFF0}\r\n20\r\n{' ' * 0x20}\r\n0\r\n\r\n"
    request = head("/api/claim", more=f"X: {'x' * 12_000}\r\n{large}").encode()

    def asks(line: socket.socket, times: int) -> None:
        for _ in range(times):
            line.sendall(request)
            answer = b""
            while not answer.endswith(b"}\n"):
                answer += line.recv(1 << 16)
            assert answer.startswith(b"HTTP/1.1 413")

    with target.line() as line:
        asks(line, 50)
        before = target.held
        asks(line, 400)
    until(lambda: target.held < before + 10 * MB)


def test_duplicate_name_is_found_in_one_pass(target: Target) -> None:
    """The bodies have so many names that comparing each with all others took half a second per body."""
    names = b",".join(b'"%05d":0' % number for number in range(6400))
    body = b"{" + names + b',"06399":0}'
    with ThreadPoolExecutor(38) as many:
        asked = [many.submit(target.ask, "POST", "/api/claim", body, "", "127.0.4.1") for _ in range(38)]
        target.plays_on()
        assert {found.result()[0] for found in asked} <= {400, 429, 503}


@pytest.mark.parametrize("size", [MB, REFUSED_BODY + 8 * MB])
def test_client_that_still_sends_gets_refusal_of_its_body(target: Target, size: int) -> None:
    """The answer is sent before the body arrives. Closing a connection with unread data would reset it."""
    with target.line("127.0.17.1") as line:
        line.sendall(head("/api/claim", more=f"Content-Length: {size}\r\n\r\n").encode())
        assert line.recv(12).endswith(b"413")
        if size > REFUSED_BODY:
            with pytest.raises(OSError):
                line.sendall(b" " * size)
            return
        line.sendall(b" " * size)
        line.sendall(f"GET /api/lobby HTTP/1.1\r\nHost: {HOME}\r\nConnection: close\r\n\r\n".encode())
        assert b"\nHTTP/1.1 200" in read_to_end(line)


@pytest.mark.parametrize("path", ["/%09/evil.com", "/%0d%0ax", "//evil.com", "/%5cevil.com", "/table", "/games/1"])
def test_choosing_a_language_redirects_nowhere_else(target: Target, path: str) -> None:
    status, headers, _ = target.ask("GET", f"{path}?language=pl")
    assert status in (302, 308, 404)
    place = headers.get("Location", "/")
    assert place.startswith(("/", f"http://{HOME}:{target.port}/"))
    assert not place.startswith(("//", "/\\"))


def test_stream_requested_by_head_ends(target: Target) -> None:
    status, _, body = target.ask("HEAD", "/api/stream/table")
    assert (status, body) == (200, b"")


def test_invalid_cookies_are_ignored(target: Target) -> None:
    with target.line() as line:
        line.sendall(
            b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=\xff; sniperboard-sniper=\xed\xa0\x80\r\n\r\n"
        )
        assert line.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "request_line",
    [
        "GET /\x00 HTTP/1.1",
        "GET /\xff HTTP/1.1",
        "GET / HTTP/9.9",
        "GET http://elsewhere/ HTTP/1.1",
        "GET /%ff%fe%00%ed%a0%80 HTTP/1.1",
        "GET /maps/..%2f..%2fetc%2fpasswd.svg HTTP/1.1",
        "GET /?language=%ed%a0%80&kiosk=%00 HTTP/1.1",
        "POST /api/claim HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6",
        "POST /api/claim HTTP/1.1\r\nContent-Length: -1",
        "POST /api/claim HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        "POST /api/claim HTTP/1.1\r\nTransfer-Encoding: chunked, chunked",
        "GET / HTTP/1.1\r\nCookie: sniperboard-sniper=\xed\xa0\x80; sniperboard-house=\xff",
        "GET / HTTP/1.1\r\nAccept-Language: \xff\xfe;q=zz," + "x" * 8000,
        "GET / HTTP/1.1\r\nHost: a:" + "9" * 5000,
        "GET / HTTP/1.1\r\nX: " + "x" * 40_000,
        "\r\n\r\n\r\n",
        "\x16\x03\x01\x02\x00",
    ],
)
def test_no_request_head_stops_the_table(target: Target, request_line: str) -> None:
    with target.line() as line, contextlib.suppress(OSError):
        line.sendall(f"{request_line}\r\nHost: {HOME}\r\nConnection: close\r\n\r\n".encode("latin1"))
        read_to_end(line)
    target.plays_on()


def test_limits_match_the_unit(target: Target) -> None:
    """The service unit allows every thread and descriptor that the limits allow."""
    unit = (ROOT / "systemd" / "sniperboard.service").read_text("utf-8")
    values = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    allowed = {key: int(values[key].rstrip("M")) for key in ("TasksMax", "MemoryMax", "LimitNOFILE")}
    fixed_files = 64
    seats = len(target.cookies)
    others = target.threads - len(RequestKind) * (OTHER_LANES + seats)
    bots = 2 * MOST_SEATS  # a process and a thread for each
    assert 2 * others + len(RequestKind) * (OTHER_LANES + MOST_SEATS) + bots <= allowed["TasksMax"]
    lanes = 1 + MOST_SEATS  # including the admin's
    assert (
        ARRIVING.total + LOCAL.total + lanes * SEATED.total + STRANGERS.total + fixed_files + MOST_WAITING
        <= allowed["LimitNOFILE"]
    )
    assert allowed["MemoryMax"] > ENOUGH / MB
