"""Strays from the way to its Target, and hardly ever plays the best act. For a first game."""

from msgspec.structs import replace

from games.snipers_and_assassins.bots._weighing import RACING, weigher_kind

KIND = weigher_kind("beginner", replace(RACING, slips=9))
