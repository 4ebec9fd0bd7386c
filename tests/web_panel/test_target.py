"""The request line and the host by RFC 9112, over raw sockets, plain and over TLS."""

from __future__ import annotations

import gc
import io
import json
import shutil
import sys
import weakref
from collections.abc import Iterator

import pytest

from tests.web_panel.conftest import Panel
from tests.web_panel.doors import HOME, Door, opened
from tools.showroom import SIMULATED
from web_panel.target import BAD_HOST, REFUSED, location

SERVED = "GET, HEAD, OPTIONS, POST"
OK, ELSEWHERE = "", "not-its-name"
TABLE = [
    # request line, headers, status, code of the refusal in JSON (empty for an answer)
    ("GET /api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("GET /api/lobby HTTP/1.1", ["hOsT:127.0.0.1:1"], 200, OK),
    ("GET /api/lobby HTTP/1.1", ["Host: localhost."], 200, OK),
    ("GET /api/lobby HTTP/1.1", ["Host: LOCALHOST"], 200, OK),
    ("GET /api/lobby HTTP/1.1", ["Host: [::1]:8000"], 200, OK),
    ("GET /api/lobby HTTP/1.0", [], 200, OK),
    ("GET /api/lobby HTTP/1.0", ["Host: evil.example"], 421, ELSEWHERE),
    ("GET SCHEME://127.0.0.1/api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("GET SCHEME://127.0.0.1:8000/api/lobby?a=b HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("GET SCHEME://localhost/api/lobby HTTP/1.1", ["Host: evil.example"], 200, OK),
    ("GET SCHEME://evil.example/api/lobby HTTP/1.1", [f"Host: {HOME}"], 421, ELSEWHERE),
    ("GET SCHEME://[::1]/api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("GET HTTP://127.0.0.1/api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("HEAD SCHEME://127.0.0.1/api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("GET SCHEME://127.0.0.1/api/lobby HTTP/1.1", [], 400, "bad-request"),
    ("GET SCHEME://me@127.0.0.1/api/lobby HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET SCHEME:///api/lobby HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET ftp://127.0.0.1/api/lobby HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET api/lobby HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET 127.0.0.1:80 HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET * HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("POST * HTTP/1.1", [f"Host: {HOME}", "Content-Length: 0"], 400, "bad-request"),
    ("GET /\xff HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    (f"GET /{'x' * 5000} HTTP/1.1", [f"Host: {HOME}"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", [], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", [f"Host: {HOME}", f"Host: {HOME}"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", [f"Host: {HOME}", "Host: evil.example"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.0", [f"Host: {HOME}", f"Host: {HOME}"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: a,b"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: localhost:evil"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: localhost:8000:80"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: me@localhost"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: [fe80::1%25eth0]"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: [::1"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", [f"Host: localhost:{'9' * 5000}"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: localhost.."], 400, "bad-request"),
    ("GET /static/net.js HTTP/1.1", ["Host: a..b"], 400, "bad-request"),
    ("GET /static/net.js HTTP/1.1", [f"Host: {'a.' * 130}b"], 400, "bad-request"),
    ("GET /static/net.js HTTP/1.1", [f"Host: {'x' * 254}"], 400, "bad-request"),
    ("GET /api/lobby HTTP/1.1", ["Host: [127.0.0.1]"], 421, ELSEWHERE),
    ("GET /api/lobby HTTP/1.1", ["Host: 2130706433"], 421, ELSEWHERE),
    ("GET /api/lobby HTTP/1.1", ["Host:"], 421, ELSEWHERE),
    ("OPTIONS * HTTP/1.1", [f"Host: {HOME}"], 204, OK),
    ("OPTIONS SCHEME://127.0.0.1 HTTP/1.1", [f"Host: {HOME}"], 204, OK),
    ("OPTIONS * HTTP/1.1", ["Host: evil.example"], 421, ELSEWHERE),
    ("OPTIONS /api/lobby HTTP/1.1", [f"Host: {HOME}"], 200, OK),
    ("TRACE / HTTP/1.1", [f"Host: {HOME}", "Cookie: secret=1"], 405, "not-allowed"),
    ("TRACE /api/lobby HTTP/1.1", [f"Host: {HOME}"], 405, "not-allowed"),
    ("CONNECT 127.0.0.1:80 HTTP/1.1", [f"Host: {HOME}"], 405, "not-allowed"),
    ("CONNECT evil.example:443 HTTP/1.1", ["Host: evil.example:443"], 405, "not-allowed"),
    ("DELETE /api/lobby HTTP/1.1", [f"Host: {HOME}"], 405, "not-allowed"),
    ("PUT / HTTP/1.1", [f"Host: {HOME}", "Content-Length: 0"], 405, "not-allowed"),
    ("PATCH /nothing/there HTTP/1.1", [f"Host: {HOME}", "Content-Length: 0"], 404, "not-found"),
    ("get /api/lobby HTTP/1.1", [f"Host: {HOME}"], 501, "not-implemented"),
    ("post /api/claim HTTP/1.1", [f"Host: {HOME}", "Content-Length: 2"], 501, "not-implemented"),
    ("BREW / HTTP/1.1", [f"Host: {HOME}"], 501, "not-implemented"),
    ("PROPFIND / HTTP/1.1", [f"Host: {HOME}"], 501, "not-implemented"),
]


@pytest.fixture(scope="module", params=["plain", "tls"])
def door(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    if request.param == "tls" and shutil.which("openssl") is None:
        pytest.skip("this machine has no openssl")
    panel = Panel(tmp_path_factory.mktemp("panel"), SIMULATED)
    with opened(panel.app, tmp_path_factory.mktemp("tls"), secure=request.param == "tls") as (first, _):
        yield first
    panel.stop()


@pytest.mark.parametrize(("line", "headers", "status", "code"), TABLE, ids=lambda value: repr(value)[:60])
def test_every_request_line_gets_the_answer_of_the_standard(
    door: Door, line: str, headers: list[str], status: int, code: str
) -> None:
    scheme = "https" if door.tls else "http"
    length = next((int(one.partition(":")[2]) for one in headers if one.startswith("Content-Length")), 0)
    text = "\r\n".join([line.replace("SCHEME", scheme), *headers, "Connection: close", "", "x" * length])
    answer = door.sends(text)
    assert answer.status == status
    if status in (405, 501):
        assert {"GET", "HEAD", "OPTIONS"} <= set(answer.header("Allow").split(", "))
        assert b"secret" not in answer.body
    if line.startswith("OPTIONS") and status == 204:
        assert answer.header("Allow") == SERVED
    if line.startswith("HEAD"):
        assert (answer.body, int(answer.header("Content-Length")) > 0) == (b"", True)
    elif code:
        refusal = json.loads(answer.body)
        assert (refusal["ok"], refusal["error"]["code"], refusal["status"]) == (False, code, status)


@pytest.mark.parametrize("line", ["CONNECT evil.example:443", "BREW /", "GET nowhere", "GET *"])
def test_unreadable_request_ends_the_connection(door: Door, line: str) -> None:
    """Data after a CONNECT is for another server, and the end of any other unreadable request is unknown."""
    tunnel = f"GET /api/lobby HTTP/1.1\r\nHost: {HOME}\r\n\r\n"
    answer = door.sends(f"{line} HTTP/1.1\r\nHost: {HOME}\r\n\r\n{tunnel}")
    assert answer.header("Connection") == "close"
    assert json.loads(answer.body)["ok"] is False, "one answer, and nothing after it"


def test_head_is_get_without_a_body(door: Door) -> None:
    got, head = door.asks("/rules"), door.asks("/rules", method="HEAD")
    for name in ("content-length", "etag", "content-type", "cache-control"):
        assert got.header(name) == head.header(name)
    assert (len(got.body) > 0, head.body) == (True, b"")


def test_host_in_the_target_decides_the_origin_check(door: Door) -> None:
    """The header `Host` cannot make a page of another site look like the table's own."""
    scheme = "https" if door.tls else "http"
    origin = f"Origin: {scheme}://evil.example"
    answer = door.asks(f"{scheme}://127.0.0.1/api/lobby", origin, host="evil.example")
    assert answer.code == "cross-site"


@pytest.mark.parametrize("path", ["/\r\nX: y", "/\x00\x7f", "/ü/日本", "//evil", '/"<>', "/%0d", "/a;b=c,d"])
def test_location_has_no_character_forbidden_in_headers(path: str) -> None:
    found = location("https", "table.local:8443", path.encode().decode("latin1"), "a=\r\nb&c=%0d")
    assert found.startswith("https://table.local:8443/")
    assert found.isascii() and found.isprintable() and " " not in found


class Body(io.BytesIO):
    """A body that a reference can watch."""


def test_of_a_request_that_is_refused_nothing_is_kept(panel: Panel) -> None:
    body = Body(b" " * 1000)
    kept = weakref.ref(body)
    panel.app.test_client().get("/", environ_overrides={REFUSED: BAD_HOST, "wsgi.input": body}).close()
    del body
    gc.collect()
    assert kept() is None


def test_no_error_is_stored_to_be_raised_again(panel: Panel) -> None:
    """Each time adds to its traceback, which holds all that was at work."""
    ours = ("engine", "firmware_host", "games", "hardware", "web_panel")
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in ours]
    stored = [
        f"{module.__name__}.{name}"
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, BaseException)
    ]
    assert len(modules) > 100
    assert stored == []
