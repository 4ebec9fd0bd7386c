"""All checks of a game in play."""

from __future__ import annotations

from typing import Final

from lab.authoring import capabilities, contract, secrecy
from lab.authoring.contract import Check

__all__ = ["CHECKS", "Check"]

CHECKS: Final[dict[str, Check]] = {
    name: check
    # By module: each adds its checks when it is imported, in whatever order that happens.
    for module in (contract, capabilities, secrecy)
    for name, check in contract.CHECKS.items()
    if check.__module__ == module.__name__
}
"""Name -> check, in the order in which they are shown."""
