"""The published pictures, as tests read them from inside the table. The panel uses `TableInterface` and `HeldSeat`
instead.
"""

from __future__ import annotations

from firmware_host.core.encoding import Translate
from firmware_host.table.followers import Follower, Followers


def latest(followers: Followers, viewer: str, translate: Translate = str) -> tuple[int, str]:
    """Return a viewer's latest picture with its serial number."""
    found = followers.latest(viewer)
    return found.serial, found.picture.text(translate)


def follow(followers: Followers, viewer: str, translate: Translate = str) -> Follower:
    """Follow a viewer regardless of who may read its pictures."""
    return followers.follow(viewer, lambda shown: shown.picture.text(translate))
