"""Takes the shortest way to its Target, but often plays any useful act instead of the best one."""

from msgspec.structs import replace

from games.snipers_and_assassins.bots._weighing import RACING, weigher_kind

KIND = weigher_kind("easy", replace(RACING, slips=5))
