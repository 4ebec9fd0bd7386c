"""What a request must have, what every answer carries, and where secrets must not appear."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.web_panel.conftest import Panel
from web_panel.compression import NEEDLESS
from web_panel.game_screens import sprite_address
from web_panel.language import language
from web_panel.seats import AT_TABLE, Seats
from web_panel.target import host_names, is_ours, names_on_conflict
from web_panel.versions import CACHE_FOREVER

EVERYWHERE = ["/", "/table", "/board", "/sniper", "/nothing", "/api/lobby", "/api/nothing", "/api/picture/table"]
EVERYWHERE += ["/rules", "/static/style.css", "/maps/launch-facility.svg", "/qr.svg"]
TEMPLATES = Path(__file__).resolve().parents[2] / "web_panel" / "templates"


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_has_security_headers(unchanged: Panel, path: str) -> None:
    headers = unchanged.browser().get(path).headers

    policy = headers["Content-Security-Policy"]
    assert policy.startswith(("default-src 'self';", "default-src 'none';"))
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy or path.endswith(".svg")
    assert headers["X-Content-Type-Options"] == "nosniff"
    if headers["Content-Type"].startswith("text/html"):
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_page_resources_carry_no_document_headers(unchanged: Panel) -> None:
    headers = unchanged.browser().get("/static/ui.js").headers

    needless = {"Permissions-Policy", "X-Frame-Options", "Accept-Ranges", "Content-Disposition", "Last-Modified"}
    assert not needless & {*headers.keys()}


def test_answer_has_one_date(served: str) -> None:
    with urlopen(f"{served}static/ui.js") as answer:
        assert len(answer.headers.get_all("Date")) == len(answer.headers.get_all("Server")) == 1


@pytest.mark.parametrize("path", ["/sniper", "/api/picture/sniper", "/api/lobby", "/"])
def test_momentary_or_seat_answers_are_never_cached(panel: Panel, path: str) -> None:
    sniper, _ = panel.sit_down()

    assert sniper.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("find", [lambda: language("pl", "stalingrad").address(), lambda: sprite_address("stalingrad")])
def test_only_the_content_of_an_address_is_kept_for_good(unchanged: Panel, find: Callable[[], str]) -> None:
    """A browser would keep a refusal for a year, and its pages would not work until then."""
    browser, address = unchanged.browser(), find()
    refused = browser.get(address, headers={"Host": "elsewhere.example"})
    other = browser.get(re.sub(r"-[0-9a-f]{12}", "-0123456789ab", address))

    assert (refused.status_code, refused.headers["Cache-Control"]) == (421, "no-store")
    assert (other.status_code, other.headers["Cache-Control"]) == (200, "no-store")
    assert browser.get(address).headers["Cache-Control"] == CACHE_FOREVER


@pytest.mark.parametrize("path", ["/rules", "/static/style.css", "/maps/launch-facility.svg", "/qr.svg"])
def test_unchanged_files_are_sent_once(unchanged: Panel, path: str) -> None:
    browser = unchanged.browser()
    first = browser.get(path)

    assert first.headers["Cache-Control"] == "no-cache"
    again = browser.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "http://["},
        {"Origin": "http://a:b:c"},
        {"Origin": "\xff"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_page_of_another_site_can_do_nothing(unchanged: Panel, headers: dict[str, str]) -> None:
    body = {"seat": "sniper", "pin": "2468", "device": "x"}

    answer = unchanged.browser().client.post("/api/claim", json=body, headers=headers)

    assert answer.json["error"]["code"] == "cross-site"
    assert not unchanged.interface.lobby()["seats"]["sniper"]["taken"]


@pytest.mark.parametrize("path", ["/api/lobby", "/api/picture/table", "/api/stream/table"])
@pytest.mark.parametrize("headers", [{"Origin": "http://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_page_of_another_site_reads_no_picture_or_stream(panel: Panel, path: str, headers: dict[str, str]) -> None:
    assert panel.browser().get(path, headers=headers).json["error"]["code"] == "cross-site"


def test_link_on_another_site_leads_to_the_lobby(unchanged: Panel) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}

    assert unchanged.browser().get("/", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "192.168.1.7.evil.example", "localhost.evil.example", "[::1", ""]
)
@pytest.mark.parametrize("path", ["/", "/api/picture/table", "/static/style.css"])
def test_table_reveals_nothing_under_a_foreign_host_name(unchanged: Panel, host: str, path: str) -> None:
    answer = unchanged.browser().get(path, headers={"Host": host})

    assert answer.status_code in (400, 421)
    assert "evil" not in answer.text
    assert "stage" not in answer.text


@pytest.mark.parametrize(
    "host",
    ["192.168.1.7:8000", "[fd00::7]:8000", "localhost", "raspberrypi:8000", "RaspberryPi.local.", "table.example.org"],
)
def test_table_opens_by_its_address_and_own_names(host: str) -> None:
    assert is_ours(host, host_names("raspberrypi", ["Table.Example.org"]))


def test_flooding_machine_is_limited_and_no_other(panel: Panel) -> None:
    eve = panel.browser()
    refused = None
    for _ in range(2000):
        answer = eve.client.get("/api/nothing", environ_overrides={AT_TABLE: False})
        if answer.status_code == 429:
            refused = answer
            break

    assert refused is not None
    assert refused.json["error"]["code"] == "too-often"
    assert (refused.headers["Retry-After"], refused.headers["Refresh"]) == ("1", "5")
    ada = panel.browser("192.168.1.7").client
    assert ada.get("/api/lobby", environ_overrides={AT_TABLE: False}).status_code == 200


def test_own_pages_may_act(panel: Panel) -> None:
    body = {"seat": "sniper", "pin": "2468", "device": "x"}
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}

    assert panel.browser().client.post("/api/claim", json=body, headers=headers).status_code == 200


def test_seat_cookie_is_unavailable_to_scripts_and_other_sites(panel: Panel) -> None:
    cookie = panel.browser().claims("sniper").headers["Set-Cookie"]

    assert re.match(r"sniperboard-8000-sniper=[\w-]{40,}; ", cookie)
    for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert word in cookie.split("; ")


def test_key_is_in_no_page_answer_or_address(panel: Panel) -> None:
    sniper, _ = panel.start()
    kept = sniper.client.get_cookie("sniperboard-8000-sniper")
    assert kept is not None

    for path in ("/", "/sniper", "/api/lobby", "/api/picture/sniper", "/api/picture/table"):
        assert kept.value not in sniper.get(path).text


def test_held_seat_does_not_print_its_key(panel: Panel) -> None:
    key = panel.interface.claim("sniper", "2468", "x")

    with panel.app.test_request_context(headers={"Cookie": f"sniperboard-8000-sniper={key}"}):
        held_seat = Seats(panel.interface, "sniperboard").seat("sniper")

    assert key not in repr(held_seat)


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_pages_have_no_inline_script_or_style(template: Path) -> None:
    text = template.read_text("utf-8")

    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", text)


def test_page_title_is_only_its_screen(panel: Panel) -> None:
    sniper, _ = panel.start()

    assert re.findall("<title>(.*)</title>", sniper.get("/sniper").text) == ["The sniper&#39;s seat · sniperboard"]


def is_comment(line: str) -> bool:
    """Return whether a line of a script is one whole comment."""
    text = line.lstrip()
    return text.startswith("//") or (text.startswith("/**") and text.find("*/", 3) == len(text) - 2)


def test_minified_scripts_match_line_by_line(unchanged: Panel) -> None:
    browser, whole = unchanged.browser(), list[str]()
    for script in ("/static/map.js", "/games/sniper-elite/static/parts.js"):
        plain = browser.get(script).data.decode().split("\n")
        packed = browser.get(script, headers={"Accept-Encoding": "gzip"})
        read = gzip.decompress(packed.data).decode().split("\n")
        assert sum(line.lstrip().startswith("//") for line in plain) > 3
        assert read == ["" if is_comment(line) else line.lstrip(" ") for line in plain]
        whole += plain
    assert any(line.lstrip().startswith("/**") and is_comment(line) for line in whole)


def test_code_between_two_comments_of_a_line_is_kept() -> None:
    for line in (b"/** @type {Seat} */ go(); /** on */", b"/** @type {Seat} */ (seat).go();"):
        assert NEEDLESS["text/javascript"].sub(b"", b"  " + line) == line


def test_styles_lose_only_spaces_outside_of_strings() -> None:
    style = b'.a .b, .c :is(i) {\n  content: "; {"; margin: 0 -1px; }\n'
    assert NEEDLESS["text/css"].sub(b"", style) == b'.a .b,.c :is(i){\ncontent:"; {";margin:0 -1px;}\n'


def test_picture_with_foreign_text_is_never_compressed(panel: Panel) -> None:
    sniper, defenders = panel.start()
    for browser, seat in ((sniper, "sniper"), (defenders, "defenders"), (defenders, "table")):
        answer = browser.get(f"/api/picture/{seat}", headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
    assert browser.get("/api/lobby", headers={"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"


def test_text_is_compressed_for_clients_that_accept_it(panel: Panel) -> None:
    browser = panel.browser()
    plain = browser.get("/maps/launch-facility.svg")
    packed = browser.get("/maps/launch-facility.svg", headers={"Accept-Encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 3
    assert "Accept-Encoding" in packed.headers["Vary"]
    tag = packed.headers["ETag"]
    assert browser.get("/maps/launch-facility.svg", headers={"If-None-Match": tag}).status_code == 304


def test_minified_styles_have_the_same_rules(unchanged: Panel) -> None:
    browser, path = unchanged.browser(), "/static/style.css"
    packed = browser.get(path, headers={"Accept-Encoding": "gzip"})
    whole, sent = browser.get(path).text, gzip.decompress(packed.data).decode()
    assert "/*" in whole
    assert "/*" not in sent
    assert not re.search(r"^\s", sent, re.MULTILINE)
    text = re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)
    assert "".join(sent.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("raspberrypi-2.local", True),
        ("RaspberryPi-17.local.:8000", True),
        ("raspberrypi-2.lan", False),
        ("raspberrypi-2.local.evil.example", False),
        ("evil-2.local", False),
        ("raspberrypi-2", False),
        ("raspberrypi-x.local", False),
        ("raspberrypi-2-2.local", False),
    ],
)
def test_table_opens_by_avahis_name_on_a_name_conflict(host: str, ours: bool) -> None:
    assert is_ours(host, host_names("raspberrypi", ())) is ours


def test_conflict_name_of_a_numbered_host_counts_up() -> None:
    expected = frozenset(f"table-{number}.local" for number in range(2, 10))
    assert names_on_conflict("table-2") == names_on_conflict("table") == expected
    assert is_ours("table-3.local", host_names("table-2", ()))


def test_non_ascii_host_name_is_matched_as_browsers_send_it() -> None:
    assert is_ours("xn--st-eka.example:8000", host_names("", ["Öst.example."]))
    # A machine's name can have any letters, and the certificate contains ASCII only.
    assert is_ours("xn--kche-0ra.local", host_names("Küche", ()))
    assert all(map(str.isascii, host_names("Küche", ()) | names_on_conflict("Küche")))
