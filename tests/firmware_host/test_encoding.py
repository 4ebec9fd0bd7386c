"""A picture is encoded once; all languages and followers share the encoded parts."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any

import msgspec
import pytest

from engine.game import TABLE
from engine.referee import Referee
from engine.text import Text, comma_list
from firmware_host.core.encoding import Fragment, Picture
from firmware_host.play import pictures
from firmware_host.table.followers import BOARD, Followers
from firmware_host.table.viewers import Viewers
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import follow

SPOTTED = Text("{unit} spots {number} trace.", "{unit} spots {number} traces.", unit=Text("The medic"), number=2)
DATA: dict[str, Any] = {
    "log": [{"n": 0, "sentence": SPOTTED}, {"n": 1, "sentence": "as it is"}],
    "row": comma_list(["A", "B\0", '"C"']),
    "nul": "\0",
    "none": None,
    "numbers": (1, 2.5, True),
}


class Polish:
    """Translates, and counts the texts it gets."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, text: Text) -> str:
        self.asked[text] += 1
        return f"po polsku: „{text}”"


def test_text_is_json_of_data_in_that_language() -> None:
    for translate in (str, Polish()):
        whole = {"revision": 3, **DATA, "empty": {}}
        picture = Picture(Fragment({"revision": 3}), Fragment({}), Fragment(DATA), Fragment({"empty": {}}))
        assert picture.text(translate) == msgspec.json.encode(whole, enc_hook=translate).decode()
    assert json.loads(Picture(Fragment({})).text(str)) == {}


def test_each_text_is_translated_once_per_language() -> None:
    followers, polish, game = Followers(), Polish(), Fragment(DATA)
    screens = [follow(followers, "table", polish) for _ in range(5)]
    for revision in range(3):
        followers.publish("table", Picture(Fragment({"revision": revision}), game))
        pictures = {screen.next(0.0) for screen in screens}
        assert len(pictures) == 1
    assert set(polish.asked.values()) == {1}
    assert len(polish.asked) == 2, "the words inside are translated by their sentence"


@pytest.mark.parametrize(
    "other",
    [
        {**DATA, "none": 0},
        {**DATA, "row": str(DATA["row"])},
        {**DATA, "row": Text("A, B\0, {last}", last='"C"')},
        {"log": [{"n": 0, "sentence": SPOTTED.with_(unit="The medic")}, DATA["log"][1]], **DATA, "log2": 1},
    ],
)
def test_data_that_differs_in_some_language_is_not_same(other: dict[str, Any]) -> None:
    assert not Fragment(DATA).same(Fragment(other))
    assert not Picture(Fragment(DATA)).same(Picture(Fragment(other)))
    assert not Picture(Fragment(DATA)).same(Picture(Fragment(DATA), Fragment({"more": 1})))


def test_texts_with_equal_english_but_different_parts_are_not_same() -> None:
    name, word = (Fragment({"said": Text("{unit} is hit.", unit=unit)}) for unit in ("The medic", Text("The medic")))
    assert name.members(str) == word.members(str)
    assert not name.same(word)


def test_equal_data_is_same() -> None:
    again = {**DATA, "row": comma_list(["A", "B\0", '"C"']), "numbers": [1, 2.5, True]}
    assert Fragment(DATA).same(Fragment(again))
    assert Picture(Fragment(DATA)).same(Picture(Fragment(again)))


def test_object_that_is_no_data_is_not_published() -> None:
    with pytest.raises(TypeError, match="holds no object"):
        Fragment({"secret": object()})


def test_act_at_the_board_translates_nothing_of_the_game_again(defending: Evening) -> None:
    polish = Polish()
    screen = follow(defending.table.followers, "defenders", polish)
    assert screen.next(0.0) is not None
    log = [line["sentence"] for line in defending.sees("defenders")["log"]]
    assert log
    before = Counter(polish.asked)
    defending.table.board.use_sensors(False)
    defending.table.tick()
    assert screen.next(0.0) is not None, "the board's message has changed"
    assert all(polish.asked[sentence] == before[sentence] for sentence in log)


def test_secret_act_translates_nothing_of_the_common_picture_again(evening: Evening) -> None:
    evening.start()
    polish = Polish()
    screen = follow(evening.table.followers, "sniper", polish)
    assert screen.next(0.0) is not None
    shared = evening.sees("sniper")["board"]["sentence"]
    before = polish.asked[shared]
    assert before
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    assert screen.next(0.0) is not None
    assert evening.sees("sniper")["board"]["sentence"] == shared
    assert polish.asked[shared] == before


def test_board_is_published_before_seats(defending: Evening) -> None:
    """A person with a lifted miniature waits for the lamps."""
    woken: list[str] = []
    for viewer in ("sniper", "defenders", TABLE, BOARD):
        screen = follow(defending.table.followers, viewer)
        screen.next(0.0)
        screen.on_news(partial(woken.append, viewer))
    defending.defenders(defending.legal("defenders", "spot")[0])
    assert set(woken) >= {BOARD, "defenders"}
    assert woken[0] == BOARD


def test_secret_act_makes_the_picture_of_its_seat_only(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.start()
    made, known = list[str](), pictures.view_facts

    def counted(referee: Referee, viewer: str) -> dict[str, Any]:
        made.append(viewer)
        return known(referee, viewer)

    monkeypatch.setattr(pictures, "view_facts", counted)
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    assert set(made) == {"sniper"}
    assert len(made) == 1


@pytest.mark.parametrize(
    ("start", "end", "again"),
    [(0, 4, 0), (0, 6, 2), (1, 4, 0), (2, 6, 2), (1, 2, 0), (0, 0, 0), (4, 6, 2)],
    ids=["same", "longer", "older gone", "moved on", "taken back", "empty", "all new"],
)
def test_log_is_encoded_sentence_by_sentence(start: int, end: int, again: int) -> None:
    viewers = Viewers(1)
    lines = [{"n": number, "sentence": Text("{number} steps", number=number)} for number in range(6)]
    before = viewers._encoded_log("sniper", lines[0:4])
    log = viewers._encoded_log("sniper", lines[start:end])
    expected = [{"n": n, "sentence": f"{n} steps"} for n in range(start, end)]
    assert json.loads(Picture(log).text(lambda text: str(text)))["log"] == expected
    assert len([part for part in log._items if part not in before._items]) == again
    assert (log is before) == ((start, end) == (0, 4))


def test_log_of_same_numbers_with_other_sentences_is_encoded_again() -> None:
    viewers = Viewers(1)
    first, other = ([{"n": n, "sentence": Text(words)} for n in range(3)] for words in ("a step", "a shot"))
    viewers._encoded_log("sniper", first)
    log = viewers._encoded_log("sniper", [first[0], *other[1:]])
    assert [line["sentence"] for line in json.loads(Picture(log).text(str))["log"]] == ["a step", "a shot", "a shot"]
