"""The client's address: that of the connection, or the one that a trusted proxy names, never the client's own claim."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tornado.httputil import HTTPHeaders

from firmware_host.api.interface import Lane, lane_for_address
from firmware_host.core.proxies import NO_PROXIES, Proxies
from tests.web_panel.conftest import PIN, Panel
from tests.web_panel.doors import HOME, Door, opened
from web_panel import rate_limits
from web_panel.connections import Connection, Connections, Limit
from web_panel.origin import Origin, origin_of
from web_panel.settings import PanelSettings

PEER = Origin(HOME, True, "http")
TRUSTED = Proxies([HOME, "10.0.0.0/8", "fd00::/8"])
ADA = "203.0.113.9"
FORWARDING = [
    "X-Forwarded-For: 203.0.113.9",
    "X-Forwarded-For: 127.0.0.1",
    "Forwarded: for=127.0.0.1",
    "Via: 1.1 proxy",
    "X-Real-IP: 127.0.0.1",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Host: localhost",
    "CF-Connecting-IP: 127.0.0.1",
    "True-Client-IP: 127.0.0.1",
]


def headers(*lines: str) -> HTTPHeaders:
    return HTTPHeaders.parse("\r\n".join(lines))


@pytest.mark.parametrize("line", FORWARDING)
def test_proxied_client_is_not_local_and_keeps_its_address(line: str) -> None:
    assert origin_of(PEER, headers(line), NO_PROXIES) == Origin(HOME, False, "http")


def test_connection_without_proxy_header_is_local() -> None:
    assert origin_of(PEER, headers("Accept: */*", "User-Agent: Via"), NO_PROXIES) == PEER


CHAINS = [
    (["X-Forwarded-For: 203.0.113.9"], ADA),
    (["X-Forwarded-For: 127.0.0.1, 203.0.113.9"], ADA),
    (["X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.1.2.3"], ADA),
    (["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 10.1.2.3"], ADA),
    (["X-Forwarded-For: 203.0.113.9:4711"], ADA),
    (["X-Forwarded-For: ::ffff:203.0.113.9"], ADA),
    (["X-Forwarded-For: [2001:db8::9]:4711, 10.1.2.3"], "2001:db8::9"),
    (["X-Forwarded-For: 2001:0db8:0::9"], "2001:db8::9"),
    (["X-Forwarded-For: 10.7.7.7, 10.1.2.3"], "10.7.7.7"),
    (["X-Forwarded-For: 203.0.113.9, unknown, 10.1.2.3"], "10.1.2.3"),
    (["X-Forwarded-For: 127.0.0.1, x' OR 1"], HOME),
    (["X-Forwarded-For: ,,,"], HOME),
    ([], HOME),
    (["X-Real-IP: 203.0.113.9"], HOME),
    (["Forwarded: for=203.0.113.9;proto=http"], ADA),
    (['Forwarded: for="[2001:db8::9]:4711";by=_x, For=10.1.2.3'], "2001:db8::9"),
    (['Forwarded: for="127.0.0.1, for=1.2.3.4", for=203.0.113.9'], ADA),
    (['Forwarded: for=198.51.100.1;x=", for=203.0.113.9'], HOME),
    (['Forwarded: for=198.51.100.1;x=", for="[2001:db8::9]"'], HOME),
    (['Forwarded: for=198.51.100.1;x="\\', "Forwarded: for=203.0.113.9"], HOME),
    (["Forwarded: for=_hidden, for=10.1.2.3"], "10.1.2.3"),
    (["Forwarded: for=203.0.113.9", "X-Forwarded-For: 203.0.113.9"], ADA),
    (["Forwarded: for=198.51.100.1", "X-Forwarded-For: 203.0.113.9"], HOME),
    (['Forwarded: for="[198.51.100.1], for="[2001:db8::9]"'], HOME),  # each started with its own quote
    (['Forwarded: for="198.51.100.1:, for=203.0.113.9'], HOME),
    (['Forwarded: for="fe80::1%, for=203.0.113.9'], HOME),
    (["X-Forwarded-For: [198.51.100.1]evil"], HOME),
    (["X-Forwarded-For: fe80::9%eth0"], "fe80::9"),
]
LONGEST = 15_000
ENDLESS = ['"' + '\\"' * LONGEST, '"\\' * LONGEST, '="' * LONGEST, "a" * LONGEST, " " * LONGEST, "\\" * LONGEST]
"""Input for which a backtracking regular expression takes quadratic time."""


@pytest.mark.parametrize(("lines", "client"), CHAINS, ids=lambda value: str(value)[:60])
def test_client_is_the_nearest_address_that_is_no_trusted_proxy(lines: list[str], client: str) -> None:
    found = origin_of(PEER, headers(*lines), TRUSTED)
    assert (found.address, found.here, found.proxied) == (client, False, True)


@pytest.mark.parametrize("content", ENDLESS, ids=lambda content: content[:4])
def test_header_is_parsed_in_one_pass(content: str) -> None:
    """The server parses it in the thread that serves everyone."""

    before = time.thread_time()
    for name in ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto"):
        origin_of(PEER, HTTPHeaders({name: content[:LONGEST]}), TRUSTED)
    assert time.thread_time() - before < 0.5, "it was 1.4 to 3.5 seconds"


@pytest.mark.parametrize(
    ("lines", "scheme"),
    [
        (["X-Forwarded-Proto: https"], "https"),
        (["X-Forwarded-Proto: HTTPS"], "https"),
        (["X-Forwarded-Proto: https, http"], "http"),
        (["X-Forwarded-Proto: javascript"], "http"),
        (["Forwarded: for=203.0.113.9;proto=https"], "https"),
        (["Forwarded: for=203.0.113.9;proto=https", "X-Forwarded-Proto: http"], "http"),
        ([], "http"),
    ],
)
def test_scheme_is_the_one_the_trusted_proxy_was_asked_by(lines: list[str], scheme: str) -> None:
    assert origin_of(PEER, headers(*lines), TRUSTED).scheme == scheme
    assert origin_of(Origin("192.0.2.1", False, "http"), headers(*lines), TRUSTED).scheme == "http"


@pytest.mark.parametrize("given", ["table.example.org", "0.0.0.0/0", "::/0", "10.0.0.0/99", "*"])
def test_invalid_proxy_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"network|address"):
        Proxies([given])


def test_proxy_connection_takes_the_place_of_its_current_client() -> None:
    """After a seat's request, the next stranger on the connection gets no seat's place, and strangers stay limited."""
    connections = Connections(local=Limit(9, 9), seated=Limit(9, 9), strangers=Limit(2, 2))
    lines = [Connection(HOME, True, "http", lambda: None) for _ in range(3)]
    assert all(connections.add(line) for line in lines)
    stranger = lane_for_address(ADA, False)
    assert connections.move_to_lane(lines[0], Lane("sniper", "1"))
    assert connections.move_to_lane(lines[0], stranger)
    assert not lines[0].lane.trusted
    assert connections.move_to_lane(lines[1], stranger)
    for line in lines[:2]:
        line.stage = line.stage.WORKING
    assert not connections.move_to_lane(lines[2], stranger)


@pytest.fixture(params=["", HOME], ids=["untrusted", "trusted"])
def trusting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Panel, Door, bool]]:
    proxies = (request.param,) if request.param else ()
    panel = Panel(tmp_path, PanelSettings(simulated=True, names=("table.example.org",), proxies=proxies))
    with opened(panel.app, tmp_path, secure=False) as (door, _):
        yield panel, door, bool(proxies)
    panel.stop()


def may_reach_for_the_board(door: Door, *lines: str, address: str = HOME) -> bool:
    """Return whether a device without a seat may use the sensors while others play, as only this machine may."""
    return door.posts("/api/heed", *lines, address=address, heeding=True).status == 200


def test_proxied_client_never_counts_as_local(trusting: tuple[Panel, Door, bool]) -> None:
    panel, door, trusted = trusting
    panel.start()
    assert may_reach_for_the_board(door) is not trusted, "a trusted proxy never makes its own requests"
    for line in FORWARDING:
        assert not may_reach_for_the_board(door, line), line
        assert not may_reach_for_the_board(door, line, address="127.0.0.7"), line


def test_key_is_marked_secure_where_a_trusted_proxy_uses_https(trusting: tuple[Panel, Door, bool]) -> None:
    _, door, trusted = trusting
    host, lines = "table.example.org", ["X-Forwarded-Proto: https", "Origin: https://table.example.org"]
    answer = door.posts("/api/claim", *lines, host=host, seat="sniper", pin=PIN, device="x")
    assert answer.status == 200
    ((name, key),) = answer.cookies.items()
    assert name.startswith("__Host-") is ("Secure" in answer.header("Set-Cookie").split("; ")) is trusted
    assert door.asks("/api/picture/sniper", f"Cookie: {name}={key}", *lines, host=host).status == 200


def test_rate_limit_applies_per_address_behind_a_proxy(
    trusting: tuple[Panel, Door, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "A_SECOND", 0.0)  # no request is accepted again while this lasts
    _, door, trusted = trusting
    eve, seen = f"X-Forwarded-For: {ADA}", set[int]()
    with door.line() as line:
        for _ in range(400):
            line.sendall(f"GET /api/nothing HTTP/1.1\r\nHost: {HOME}\r\n{eve}\r\n\r\n".encode())
            seen.add(int(line.recv(1 << 16).split()[1]))
            if 429 in seen:
                break
    assert 429 in seen
    other = door.asks("/api/lobby", "X-Forwarded-For: 198.51.100.1").status
    assert other == (200 if trusted else 429)


def test_page_loaded_in_clear_text_may_do_nothing_over_https(trusting: tuple[Panel, Door, bool]) -> None:
    _, door, trusted = trusting
    lines = ["X-Forwarded-Proto: https", "Origin: http://table.example.org"]
    answer = door.posts("/api/claim", *lines, host="table.example.org", seat="sniper", pin=PIN, device="x")
    assert answer.status == (403 if trusted else 200)
