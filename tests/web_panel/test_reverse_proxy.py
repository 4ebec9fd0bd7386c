"""The proxies of docs/playing-elsewhere.md, configured as on the page, in front of a table."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from firmware_host.admin import certificate
from tests.patience import PATIENCE, reserved_port, until
from tests.web_panel.conftest import PIN, Panel
from tests.web_panel.doors import HOME, Door, opened
from web_panel.settings import PanelSettings

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "playing-elsewhere.md").read_text("utf-8")
NAME = "table.example.org"
SPOOFS = ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Forwarded-Host: localhost"]


def block(title: str) -> str:
    """Return the settings below a heading of the page."""
    text = PAGE.partition(f"### {title}\n")[2].partition("###")[0]
    return "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))


def nginx(folder: Path, port: int, table: int, pem: Path) -> list[str]:
    site = (
        block("nginx").replace("listen 80;", f"listen 127.0.0.2:{port};").replace("listen 443", f"listen {HOME}:{port}")
    )
    site = re.sub(r"/etc/letsencrypt\S+\.pem", str(pem), site).replace(":8000", f":{table}")
    logs = f"pid {folder}/pid;\nerror_log {folder}/error.log;\n"
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(f"daemon off;\n{logs}events {{}}\nhttp {{\naccess_log off;\n{places}{site}\n}}\n")
    return ["nginx", "-c", str(path)]


def caddy(folder: Path, port: int, table: int, pem: Path) -> list[str]:
    site = block("Caddy").replace(f"{NAME} {{", f"{NAME}:{port} {{\n    tls {pem} {pem}").replace(":8000", f":{table}")
    path = folder / "Caddyfile"
    path.write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}\n")
    return ["caddy", "run", "--config", str(path), "--adapter", "caddyfile"]


class Named(Door):
    """A door that is addressed by the table's public name, which is also sent in TLS."""

    def line(self, address: str = HOME) -> socket.socket:
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection((HOME, self.port), timeout=PATIENCE, source_address=(address, 0))
        return trusting.wrap_socket(plain, server_hostname=NAME)


def listens(proxy: subprocess.Popen[bytes], port: int) -> bool:
    assert proxy.poll() is None, "the proxy does not start"
    with suppress(ConnectionRefusedError):
        socket.create_connection((HOME, port), timeout=PATIENCE).close()
        return True
    return False


@contextmanager
def in_front(command: list[str], folder: Path, port: int) -> Iterator[Named]:
    place = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=place) as proxy:
        try:
            until(lambda: listens(proxy, port))
            yield Named(port, True)
        finally:
            proxy.terminate()


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Panel, Named, str]]:
    """A table, the proxy in front of it, and a door to the table through the proxy."""
    if shutil.which(request.param.__name__) is None or shutil.which("openssl") is None:
        pytest.skip(f"this machine has no {request.param.__name__}")
    panel = Panel(tmp_path, PanelSettings(simulated=True, names=(NAME,), proxies=(HOME,)))
    pem = certificate.ensure_file(tmp_path, [HOME])
    with opened(panel.app, tmp_path, secure=False) as (table, _), reserved_port() as port:
        command = request.param(tmp_path, port, table.port, pem)
        with in_front(command, tmp_path, port) as door:
            yield panel, door, f"{NAME}:{port}"
    panel.stop()


def test_proxied_visitor_has_a_seat_as_its_own_client(proxied: tuple[Panel, Named, str]) -> None:
    panel, door, host = proxied
    origin = f"Origin: https://{host}"
    taken = door.posts("/api/claim", origin, host=host, seat="sniper", pin=PIN, device="x")
    assert (taken.status, "Secure" in taken.header("Set-Cookie").split("; ")) == (200, True)
    ((name, key),) = taken.cookies.items()
    assert name == "__Host-sniperboard-8000-sniper"
    cookie = f"Cookie: {name}={key}"
    assert door.asks("/api/picture/sniper", cookie, host=host).status == 200
    assert door.posts("/api/claim", f"Origin: http://{host}", host=host).code == "cross-site"
    for spoof in SPOOFS:
        assert door.posts("/api/heed", origin, spoof, host=host, heeding=True).code == "no-seat"
    with door.line() as line:
        line.sendall(f"GET /api/stream/sniper HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n\r\n".encode())
        seen = b""
        for wanted in (b'"viewer":"sniper"', b"event: beat", b"Bo's tablet"):
            if wanted == b"Bo's tablet":
                panel.browser().claims("defenders", "Bo's tablet")
            while wanted not in seen:
                part = line.recv(1 << 16)
                assert part, "the stream has ended"
                seen += part
    led = door.asks("/rules?language=pl", host=host)
    assert (led.status, led.header("Location")) in [(302, "/rules"), (302, f"https://{host}/rules")]


@pytest.mark.parametrize(("page", "seat"), [("/sniper", "sniper"), ("/learn/sniper-elite-solo/alone", "")])
def test_proxy_gets_all_files_of_a_page_at_once(tmp_path: Path, page: str, seat: str) -> None:
    """With HTTP/2 a browser requests all of them at once, and Caddy opens a connection for each."""
    panel = Panel(tmp_path, PanelSettings(simulated=True, proxies=(HOME,)))
    with opened(panel.app, tmp_path, secure=False) as (door, _), ExitStack() as held:
        cookies = door.posts("/api/claim", seat=seat, pin=PIN, device="x").cookies if seat else {}
        headers = [
            "X-Forwarded-For: 192.0.2.7",
            f"Cookie: {'; '.join(f'{name}={key}' for name, key in cookies.items())}",
        ]
        text = door.asks(page, *headers).body.decode()
        files = sorted(set(re.findall(r'(?:href|src)="(/[^"]+\.(?:js|css|svg|png))"', text)))
        assert len(files) > 30
        lines = [held.enter_context(door.line()) for _ in files]
        for line, file in zip(lines, files, strict=True):
            line.sendall("\r\n".join([f"GET {file} HTTP/1.1", f"Host: {HOME}", *headers, "", ""]).encode())
        answers = Counter(line.recv(12) for line in lines)
    panel.stop()
    assert answers == {b"HTTP/1.1 200": len(files)}
