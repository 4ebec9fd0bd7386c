"""Runs for its Target like a racer, and often takes any step that helps instead of the best."""

from msgspec.structs import replace

from games.snipers_and_assassins.bots._weighing import RACING, weigher_kind

KIND = weigher_kind("easy", replace(RACING, slips=5))
