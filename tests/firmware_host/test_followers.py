"""Screens get the latest picture, and wake only for a different picture."""

from __future__ import annotations

import json

from firmware_host.core.encoding import EncodedPicture, Fragment
from firmware_host.table.followers import Followers, Ring
from tests.firmware_host.published import follow


def test_new_screen_gets_current_picture_and_then_waits() -> None:
    followers = Followers()
    followers.publish("table", EncodedPicture(Fragment({"round": 1})))
    screen = follow(followers, "table")
    assert json.loads(screen.next(0.0) or "null") == {"round": 1}
    assert screen.next(0.0) is None


def test_only_latest_of_several_pictures_counts() -> None:
    followers = Followers()
    followers.publish("table", EncodedPicture(Fragment({"round": 1})))
    screen = follow(followers, "table")
    screen.next(0.0)
    followers.publish("table", EncodedPicture(Fragment({"round": 2})))
    followers.publish("table", EncodedPicture(Fragment({"round": 3})))
    assert json.loads(screen.next(0.0) or "null") == {"round": 3}
    assert screen.next(0.0) is None


def test_unchanged_picture_or_picture_of_another_viewer_wakes_no_screen() -> None:
    followers = Followers()
    followers.publish("table", EncodedPicture(Fragment({"round": 1})))
    screen = follow(followers, "table")
    screen.next(0.0)
    followers.publish("table", EncodedPicture(Fragment({"round": 1})))
    followers.publish("sniper", EncodedPicture(Fragment({"space": "Y3"})))
    assert screen.next(0.0) is None


def test_closed_screen_is_not_woken() -> None:
    followers = Followers()
    followers.publish("table", EncodedPicture(Fragment({"round": 1})))
    screen = follow(followers, "table")
    screen.next(0.0)
    screen.close()
    screen.close()
    followers.publish("table", EncodedPicture(Fragment({"round": 2})))
    assert screen.next(0.0) is None


def test_screens_of_one_server_are_woken_once_for_all_pictures() -> None:
    followers, rung, noted = Followers(), list[str](), list[str]()

    def server(name: str) -> Ring:
        return lambda: rung.append(name)

    rings = {"panel": server("panel"), "other": server("other")}
    for viewer, name in [("table", "panel"), ("table", "panel"), ("sniper", "panel"), ("sniper", "other")]:
        screen = follow(followers, viewer)
        screen._fresh.clear()
        screen.on_news(lambda name=name: (noted.append(name), rings[name])[1])
    with followers.batched():
        for viewer in ("table", "sniper"):
            followers.publish(viewer, EncodedPicture(Fragment({"round": 1})))
        assert (sorted(noted), rung) == (["other", "panel", "panel", "panel"], [])
    assert sorted(rung) == ["other", "panel"]
