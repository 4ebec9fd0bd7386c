"""Runs for its Target by the shortest way, and shoots at what comes its way."""

from msgspec.structs import replace

from games.snipers_and_assassins.bots._weighing import RACING, weigher_kind

KIND = weigher_kind("medium", replace(RACING, slips=1))
