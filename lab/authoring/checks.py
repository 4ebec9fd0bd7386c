"""All checks of a game in play."""

from __future__ import annotations

from lab.authoring import capabilities, secrecy
from lab.authoring.contract import CHECKS, Check

__all__ = ["CHECKS", "Check"]
assert capabilities and secrecy, "importing them has added their checks"
