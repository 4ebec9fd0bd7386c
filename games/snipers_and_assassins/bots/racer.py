"""Takes the shortest way to its Target, and shoots when it can."""

from msgspec.structs import replace

from games.snipers_and_assassins.bots._weighing import RACING, weigher_kind

KIND = weigher_kind("medium", replace(RACING, slips=1))
