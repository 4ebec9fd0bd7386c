"""A picture is encoded once; all languages and followers share the encoded parts."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any

import msgspec
import pytest

from engine.events import Event
from engine.game import TABLE, Game
from engine.referee import Referee
from engine.text import Text, comma_list
from firmware_host.core.encoding import EncodedPicture, Fragment
from firmware_host.play import pictures
from firmware_host.table.followers import BOARD, Followers
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
        picture = EncodedPicture(Fragment({"revision": 3}), Fragment({}), Fragment(DATA), Fragment({"empty": {}}))
        assert picture.text(translate) == msgspec.json.encode(whole, enc_hook=translate).decode()
    assert json.loads(EncodedPicture(Fragment({})).text(str)) == {}


def test_each_text_is_translated_once_per_language() -> None:
    followers, polish, game = Followers(), Polish(), Fragment(DATA)
    screens = [follow(followers, "table", polish) for _ in range(5)]
    for revision in range(3):
        followers.publish("table", EncodedPicture(Fragment({"revision": revision}), game))
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
    assert not EncodedPicture(Fragment(DATA)).same(EncodedPicture(Fragment(other)))
    assert not EncodedPicture(Fragment(DATA)).same(EncodedPicture(Fragment(DATA), Fragment({"more": 1})))


def test_texts_with_equal_english_but_different_parts_are_not_same() -> None:
    name, word = (Fragment({"said": Text("{unit} is hit.", unit=unit)}) for unit in ("The medic", Text("The medic")))
    assert name.members(str) == word.members(str)
    assert not name.same(word)


def test_equal_data_is_same() -> None:
    again = {**DATA, "row": comma_list(["A", "B\0", '"C"']), "numbers": [1, 2.5, True]}
    assert Fragment(DATA).same(Fragment(again))
    assert EncodedPicture(Fragment(DATA)).same(EncodedPicture(Fragment(again)))


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


def test_what_several_viewers_share_is_made_once(defending: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    said, say = list[Event](), pictures.said

    def counted(game: Game, event: Event) -> dict[str, Any]:
        said.append(event)
        return say(game, event)

    monkeypatch.setattr(pictures, "said", counted)
    defending.defenders(defending.legal("defenders", "spot")[0])
    told = running(defending).told
    assert said
    assert len(said) == len({*map(id, said)})
    assert all(event in told[TABLE] and event in told["sniper"] for event in said)
    shown = defending.table._viewers._shown
    assert shown[TABLE].game[0] is shown["defenders"].game[0]
    assert shown[TABLE].game[0] is not shown["sniper"].game[0]


def running(evening: Evening) -> Referee:
    play = evening.table.session.play
    assert play is not None
    return play.referee


def test_log_is_encoded_sentence_by_sentence(evening: Evening) -> None:
    evening.start()
    referee = running(evening)
    before = pictures.encoded_log(referee, "sniper")._items
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    log = pictures.encoded_log(referee, "sniper")
    assert len(log._items) > len(before) > 0
    assert all(one is other for one, other in zip(before, log._items, strict=False))
    expected = [str(line["sentence"]) for line in pictures.of_viewer(referee, "sniper")["log"]]
    assert [line["sentence"] for line in json.loads(EncodedPicture(log).text(str))["log"]] == expected


def test_log_of_a_screen_is_limited(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.start()
    referee = running(evening)
    complete = pictures.of_viewer(referee, "sniper")["log"]
    monkeypatch.setattr(pictures, "LOG_LENGTH", 1)
    (line,) = json.loads(EncodedPicture(pictures.encoded_log(referee, "sniper")).text(str))["log"]
    assert (line["n"], line["sentence"]) == (complete[-1]["n"], complete[-1]["sentence"])
    assert len(complete) > 1


def test_log_is_encoded_again_after_its_events_were_doubted(evening: Evening) -> None:
    evening.start()
    referee = running(evening)
    before = pictures.encoded_log(referee, "sniper")._items
    pictures.forget(referee)
    after = pictures.encoded_log(referee, "sniper")._items
    assert len(before) == len(after)
    assert not any(one is other for one, other in zip(before, after, strict=True))
