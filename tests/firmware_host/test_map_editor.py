"""The map editor's server: what it refuses, what it stores, and its messages about an unfinished drawing."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.graph.builder import grid
from engine.graph.fault import MapError
from engine.text import Text
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from maker.editor.command import drawing_to_edit
from maker.editor.desk import Desk
from maker.editor.drawing_files import BACKUPS, BIGGEST_PHOTO
from maker.editor.judging import find_visible_spaces, locate_fault
from maker.editor.pages import BIGGEST_DRAWING, create_editor
from maker.mapping import drawings
from maker.output_files import format_geojson
from tests.depth import DEPTH
from web_panel.language import DEFAULT, language

KEY = "the-key"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40
Asking = Callable[..., TestResponse]


def document(columns: int = 3, rows: int = 2) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(grid("board", "Board", columns, rows)))
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "board.geojson"
    file.write_text(json.dumps(document()), "utf-8")
    return file


@pytest.fixture
def ask(path: Path) -> Asking:
    client: FlaskClient = create_editor(Desk(path), KEY).test_client()

    def asking(name: str, key: str = KEY, page: str = "", **body: Any) -> TestResponse:
        headers = {"X-Editor-Key": key, "X-Editor-Page": page}
        if not body:
            return client.get(f"/api/{name}", headers=headers)
        return client.post(f"/api/{name}", json=body, headers=headers)

    return asking


def sentence(answer: TestResponse) -> str:
    assert answer.json is not None
    return str(answer.json["error"]["sentence"])


# --- access -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "another", KEY[:-1], "é"])
def test_nothing_is_shown_or_done_without_key(ask: Asking, path: Path, key: str) -> None:
    before = path.read_bytes()
    assert ask("drawing", key).status_code == 403
    assert ask("photo", key).status_code == 403
    assert ask("save", key, document=document(2, 2)).status_code == 403
    assert path.read_bytes() == before


def test_page_of_another_site_is_not_answered(path: Path) -> None:
    client = create_editor(Desk(path), KEY).test_client()
    own = {"X-Editor-Key": KEY}
    assert client.post("/api/draft", json={}, headers={**own, "Origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/drawing", headers={**own, "Host": "evil.example"}).status_code == 421
    assert client.post("/api/save", data="{}", headers=own).status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        {"document": None},
        {"document": []},
        {"document": {"type": "FeatureCollection"}},
        {"document": {**document(), "features": ["a"]}},
        {"document": {**document(), "features": [{}] * 601}},
        {"document": {**document(), "size": [0, 0]}},
        {"document": {**document(), "deep": json.loads("[" * 40 + "]" * 40)}},
    ],
)
def test_invalid_drawing_is_refused_and_file_stays(ask: Asking, path: Path, body: dict[str, Any]) -> None:
    before = path.read_bytes()
    answers = [ask("save", **body), ask("draft", **body)] if body["document"] else [ask("save", **body)]
    assert {answer.status_code for answer in answers} == {400}, [answer.text for answer in answers]
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


def test_too_large_upload_is_refused(ask: Asking, path: Path) -> None:
    assert ask("draft", document={**document(), "note": "x" * BIGGEST_DRAWING}).status_code == 413
    assert ask("photo", photo=b64encode(b"GIF89a").decode()).status_code == 400
    assert ask("photo", photo="not base64!").status_code == 400
    assert [*path.parent.iterdir()] == [path]


def test_unwritable_folder_is_reported(path: Path) -> None:
    desk = Desk(path)
    path.parent.joinpath(f"{path.name}.draft").mkdir()
    with pytest.raises(UserError, match="cannot be written"):
        desk.store_draft(document(2, 2), None)


# --- storage ------------------------------------------------------------------------------------------------------


def test_draft_outlives_command_and_is_ended_by_saving(path: Path) -> None:
    place = {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "opacity": 0.5}
    Desk(path).store_draft(document(2, 2), place)

    again = Desk(path)
    told = again.opened()
    assert (told["document"], told["photo"], told["draft"], told["stale"]) == (document(2, 2), place, True, False)

    saved = again.save(document(2, 2), place, over=False)
    assert saved["backup"] == "board.geojson.1.bak"
    assert json.loads(path.read_text("utf-8")) == document(2, 2)
    assert json.loads(path.with_name("board.geojson.1.bak").read_text("utf-8")) == document()
    assert (Desk(path).opened()["draft"], Desk(path).opened()["photo"]) == (False, place)


DOUBLED = b'{"type": "FeatureCollection", "size": [1, 1], "size": [2, 2], "features": []}'
REFUSED = [DOUBLED, b"\xff\xfe{", "{}".encode("utf-16"), b"{", b"[]", b'{"type": "FeatureCollection"}', b"[" * 9999]


@pytest.mark.parametrize("content", REFUSED)
def test_editor_refuses_what_check_refuses_with_the_same_sentences(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(MapError) as checked:
        drawings.survey_drawing(path, "board")
    with pytest.raises(MapError) as edited:
        Desk(path)
    assert str(edited.value) == str(checked.value)
    assert path.read_bytes() == content


def test_heights_are_left_out_and_reported(path: Path) -> None:
    high = document()
    space = high["features"][0]
    space["geometry"]["coordinates"] = [[[*point, 0.5] for point in space["geometry"]["coordinates"][0]]]
    space["properties"] |= {"spot": [200, 200, 3], "numbers": [1, 2, 3]}
    path.write_text(json.dumps(high), "utf-8")
    told = Desk(path).opened()
    flat = told["document"]["features"][0]
    assert told["flattened"] is True
    assert flat["geometry"] == document()["features"][0]["geometry"]
    assert (flat["properties"]["spot"], flat["properties"]["numbers"]) == ([200, 200], [1, 2, 3])
    path.write_text(json.dumps(document()), "utf-8")
    assert Desk(path).opened()["flattened"] is False


def test_discarding_draft_restores_saved_drawing_and_backs_draft_up(path: Path) -> None:
    desk = Desk(path)
    desk.store_draft(document(1, 2), None)
    assert desk.discard()["document"] == document()
    assert json.loads(path.with_name("board.geojson.1.bak").read_text("utf-8")) == document(1, 2)
    assert not path.with_name("board.geojson.draft").exists()


def small() -> dict[str, Any]:
    """Return a map that can be played as it is: two sectors of three squares, one with a squad."""
    found = document(3, 2) | {"sectors": ["yellow", "white"], "suits": {"yellow": "diamonds", "white": "clubs"}}
    roles = ["officer", "soldier", "soldier"]
    for number, it in enumerate(found["features"]):
        it["properties"]["sector"] = "yellow" if number < 3 else "white"
        it["properties"] |= {"start": roles[number]} if number < 3 else {}
    for space, place in (("a2", [0, 600]), ("c2", [1200, 600])):
        arrow = {"type": "Feature", "properties": {"entry": space}, "geometry": {"type": "Point", "coordinates": place}}
        found["features"].append(arrow)
    return found


def test_map_in_maps_folder_is_compiled_when_saved(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    desk = Desk(folder / "board" / maps.DRAWING)
    said = desk.save(document(), None, over=False)["said"]
    assert str(said).startswith("Saved. It cannot be played yet: ")
    assert maps.drawn(folder) == ["board"]
    with pytest.raises(MapError, match="not compiled"):
        maps.load("board", folder)

    assert desk.save(small(), None, over=False)["said"] == "Saved and compiled: the map can be played."
    assert maps.load("board", folder).distance("a1", "c1") == 2


def test_only_last_backups_are_kept(path: Path) -> None:
    desk = Desk(path)
    for number in range(BACKUPS + 3):
        desk.save({**document(), "name": f"Board {number}"}, None, over=False)
    left = sorted(int(file.name.split(".")[2]) for file in path.parent.glob("*.bak"))
    assert left == list(range(4, BACKUPS + 4))


def test_file_changed_by_another_program_is_overwritten_only_on_request(path: Path) -> None:
    desk = Desk(path)
    path.write_text(json.dumps(document(1, 1)), "utf-8")
    with pytest.raises(UserError) as caught:
        desk.save(document(2, 2), None, over=False)
    assert caught.value.code == "stale"
    assert json.loads(path.read_text("utf-8")) == document(1, 1)
    desk.save(document(2, 2), None, over=True)
    assert json.loads(path.with_name("board.geojson.1.bak").read_text("utf-8")) == document(1, 1)


@pytest.mark.parametrize("change", ["draft", "save"])
def test_page_that_has_not_seen_work_of_another_one_replaces_it_only_on_request(
    ask: Asking, path: Path, change: str
) -> None:
    """A drawing is open on a tablet and a computer; someone forgets what was drawn on the other one."""
    for page in ("tablet", "computer"):
        ask("drawing", page=page)
    for columns in (4, 5):
        assert ask("draft", page="tablet", document=document(columns)).status_code == 200
    refused = ask(change, page="computer", document=document(2))
    assert (refused.status_code, refused.json and refused.json["error"]["code"]) == (409, "stale")
    assert ask("drawing").json == {**(ask("drawing", page="tablet").json or {}), "document": document(5)}

    assert ask(change, page="computer", document=document(2), over=True).status_code == 200
    assert json.loads(path.with_name("board.geojson.1.bak").read_text("utf-8")) == document(5)
    assert ask("draft", page="computer", document=document(3)).status_code == 200
    assert ask("draft", page="tablet", document=document(4)).status_code == 409
    assert ask("drawing", page="tablet").json
    assert ask("draft", page="tablet", document=document(4)).status_code == 200


def test_page_that_has_not_seen_work_of_another_one_replaces_its_photo_only_on_request(ask: Asking) -> None:
    for page in ("tablet", "computer"):
        ask("drawing", page=page)
    first, other = b64encode(PNG).decode(), b64encode(PNG + b" ").decode()
    assert ask("photo", page="tablet", photo=first).status_code == 200
    for picture in (other, None):
        refused = ask("photo", page="computer", photo=picture)
        assert (refused.status_code, refused.json and refused.json["error"]["code"]) == (409, "stale")
    assert ask("photo").data == PNG
    assert ask("photo", page="computer", photo=other, over=True).status_code == 200
    assert ask("photo").data == PNG + b" "


def test_draft_of_another_command_is_replaced_only_on_request(path: Path) -> None:
    """The editor is started twice, on two ports, with the same drawing."""
    one, two = Desk(path), Desk(path)
    one.store_draft(document(4), None)
    with pytest.raises(UserError) as caught:
        two.store_draft(document(2), None)
    assert caught.value.code == "stale"
    assert two.opened()["document"] == document(4)
    two.store_draft(document(5), None)
    with pytest.raises(UserError):
        one.save(document(4), None, over=False)
    one.store_draft(document(4), None, over=True)
    assert json.loads(path.with_name("board.geojson.1.bak").read_text("utf-8")) == document(5)


@pytest.mark.parametrize("text", ["{", "\ud800".encode("utf-8", "surrogatepass"), '{"type": "Feature"}', "[" * 100_000])
def test_unreadable_drawing_or_draft_is_reported_and_left_alone(path: Path, text: str | bytes) -> None:
    content = text if isinstance(text, bytes) else text.encode()
    draft = path.with_name("board.geojson.draft")
    for file in (draft, path):
        file.write_bytes(content)
        with pytest.raises(MapError):
            Desk(path)
        assert file.read_bytes() == content


@pytest.mark.parametrize("slug", maps.drawn())
def test_files_of_installed_maps_have_standard_format(slug: str) -> None:
    text = (maps.FOLDER / slug / maps.DRAWING).read_text("utf-8")
    assert format_geojson(json.loads(text)) == text


def test_photo_is_stored_next_to_drawing(ask: Asking, path: Path) -> None:
    assert ask("photo", photo=b64encode(PNG).decode()).status_code == 200
    answer = ask("photo")
    assert (answer.data, answer.mimetype) == (PNG, "image/png")
    assert Desk(path).opened()["has_photo"] is True
    assert ask("photo", photo=None).status_code == 200
    assert ask("photo").status_code == 404


# --- file names ---------------------------------------------------------------------------------------------------


def test_name_is_installed_or_new_map_and_path_is_path(tmp_path: Path) -> None:
    old = tmp_path / "old" / maps.DRAWING
    old.parent.mkdir()
    old.touch()
    assert drawing_to_edit("old", tmp_path) == old
    assert drawing_to_edit("new-board", tmp_path) == tmp_path / "new-board" / maps.DRAWING
    assert drawing_to_edit(str(old.parent), tmp_path) == old
    assert drawing_to_edit(f"{tmp_path}/other.geojson", tmp_path) == tmp_path / "other.geojson"
    for bad in ("a board", "pathways-2", f"{old}/below.geojson"):
        with pytest.raises(MapError):
            drawing_to_edit(bad, tmp_path)


def test_new_map_starts_as_empty_board(tmp_path: Path) -> None:
    told = Desk(tmp_path / "harbour-wall" / maps.DRAWING).opened()
    assert told["fresh"] is True
    assert {name: told["document"][name] for name in ("slug", "name", "code", "size", "features")} == {
        "slug": "harbour-wall", "name": "Harbour Wall", "code": "HW", "size": [8410, 5940], "features": [],
    }  # fmt: skip
    assert not [*tmp_path.iterdir()]


def test_command_serves_page_until_stopped(path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "map", "edit", str(path), "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    try:
        assert running.stdout.readline() == f"Editing {path}\n"
        found = re.search(r"http://(127\.0\.0\.1:\d+)/#([\w-]{20,})", running.stdout.readline())
        assert found is not None
        with urlopen(f"http://{found[1]}/") as page:
            assert page.status == 200
            assert found[2] not in page.read().decode()
        asking = Request(f"http://{found[1]}/api/drawing", headers={"X-Editor-Key": found[2]})
        with urlopen(asking) as answer:
            assert json.load(answer)["document"] == document()
    finally:
        running.terminate()
        assert running.wait(30) == 0
        running.stdout.close()


def test_taken_port_and_invalid_photo_are_reported(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["map", "edit", str(path), "--port", str(taken.getsockname()[1])]) == 1
    assert "another program uses port" in capsys.readouterr().err
    assert main(["map", "edit", str(path), "--photo", str(path)]) == 1
    assert "not a JPEG or PNG" in capsys.readouterr().err
    large = path.with_name("large.png")
    large.write_bytes(PNG.ljust(BIGGEST_PHOTO + 1))
    assert main(["map", "edit", str(path), "--photo", str(large)]) == 1
    assert "Choose it in the editor" in capsys.readouterr().err
    assert main(["map", "edit", "pathways-2"]) == 1
    assert "generated by a game" in capsys.readouterr().err


# --- messages -----------------------------------------------------------------------------------------------------


def test_sentence_is_located_by_its_spaces_and_places() -> None:
    told = locate_fault(
        "a1 and b1 overlap at (100, 200). Move one of them; see door a1-c2 at (-3, 4).", {"a1", "b1", "c2"}
    )
    assert told["spaces"] == ["a1", "b1", "c2"]
    assert told["places"] == [[100, 200], [-3, 4]]


def test_checks_are_those_of_command_with_their_places(ask: Asking) -> None:
    broken = document()
    broken["features"][0]["geometry"]["coordinates"][0][1] = [350, 60]
    broken["features"][1]["properties"]["kind"] = "swamp"
    told = ask("check", document=broken).json
    with pytest.raises(MapError) as caught:
        drawings.survey_file(json.dumps(broken).encode(), "", "board")
    assert told is not None
    assert [fault["sentence"] for fault in told["faults"]] == list(caught.value.faults)
    named = {name for fault in told["faults"] for name in fault["spaces"]}
    assert {"a1", "a2"} <= named  # one by its id, one by the number of its feature


def test_messages_are_in_language_of_reader(path: Path) -> None:
    client = create_editor(Desk(path), KEY).test_client()
    headers = {"X-Editor-Key": KEY, "Accept-Language": "pl"}
    broken = document(3, 1) | {"sectors": ["yellow", "white"], "suits": {}}
    broken["features"][0]["properties"] |= {"sector": "yelow"}
    broken["features"][1]["properties"] |= {"kind": "obstruction"}
    told = client.post("/api/check", json={"document": broken}, headers=headers).json
    assert told is not None
    faults = [fault["sentence"] for fault in told["faults"]]
    known = "„sector” to yelow. Nadaj polu jeden z sektorów: yellow i white. Czy chodziło o yellow?"
    assert f"obiekt 1, pole a1 w (0, 0): {known}" in faults
    assert "od żadnego wejścia nie da się dojść do a1" in " ".join(faults)
    assert told["faults"][0]["spaces"] == ["a1"]
    why = client.post("/api/blame", json={"document": broken, "space": "a1", "other": "c1"}, headers=headers).json
    assert why is not None
    assert why["why"].startswith("a1 nie widzi c1. Między tymi dwoma polami może leżeć tylko otwarty teren i woda")
    assert why["why"].endswith("Na drodze: b1.")


def test_every_fault_of_drawing_can_be_translated(ask: Asking) -> None:
    broken = document()
    broken["features"][0]["geometry"]["coordinates"][0][1] = [350, 60]
    broken["features"][1]["properties"]["kind"] = "swamp"
    broken["features"][2]["properties"]["id"] = "a1"
    broken["features"][3]["geometry"] = None
    with pytest.raises(MapError) as caught:
        drawings.survey_file(json.dumps(broken).encode(), "", "board")
    assert [fault for fault in caught.value.faults if not isinstance(fault, Text)] == []


def test_warnings_are_listed_with_faults(ask: Asking) -> None:
    broken = document()
    broken["features"].pop()
    broken["features"][0]["properties"]["sector"] = "yelow"
    told = ask("check", document=broken).json
    assert told is not None
    assert told["faults"]
    assert "the spaces leave 16.7 % of the board bare." in [it["sentence"] for it in told["warnings"]]


def test_number_of_listed_faults_is_limited_and_others_are_counted(ask: Asking) -> None:
    features = [{"type": "Feature", "properties": {"id": f"x {n}"}, "geometry": {"type": "Point"}} for n in range(500)]
    told = ask("check", document={**document(), "features": features}).json
    assert told is not None
    assert (len(told["faults"]), told["more"] >= 200) == (300, True)


@pytest.mark.parametrize("slug", maps.drawn())
def test_visible_spaces_match_compiled_map(slug: str) -> None:
    board = maps.load(slug)
    drawing = json.loads((maps.FOLDER / slug / maps.DRAWING).read_text("utf-8"))
    for name in [*board.spaces][5 :: 1 if DEPTH > 1 else 200]:
        told = find_visible_spaces(drawing, name)
        found = {one["space"]: (one["distance"], one["line"], one["through"]) for one in told["seen"]}
        seen = {other: board.sight(name, other) for other in board.spaces}
        assert found == {other: (it.distance, it.line, it.through) for other, it in seen.items() if it}
        assert told["left"] == []


def test_sight_leaves_out_faulty_spaces(ask: Asking) -> None:
    broken = document(4, 1)
    for corner in (0, -1):
        broken["features"][2]["geometry"]["coordinates"][0][corner] = [500, 0]  # into its neighbour b1
    told = ask("sight", document=broken, space="a1").json
    assert told is not None
    assert {one["space"] for one in told["seen"]} == {"a1", "d1"}
    assert told["left"] == ["b1", "c1"]
    assert sentence(ask("sight", document=broken, space="b1")) == "b1 sees nothing yet: fix its outline first."
    assert ask("sight", document=broken, space="zz").status_code == 404
    assert ask("blame", document=broken, space="a1", other="b1").status_code == 409


def test_texts_of_editor_are_loaded_only_by_editor() -> None:
    own = language(DEFAULT).script("editor")
    assert b'"editor.hint.draw"' in own
    assert b"lobby" not in own
    assert b'"editor.' not in language(DEFAULT).script()
