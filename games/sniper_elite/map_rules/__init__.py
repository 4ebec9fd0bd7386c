"""Map requirements of this game: squad starts, objectives, suits, and entry arrows of the sectors.

- `sites.py` reads the game's terms in a drawing or a map.
- `faults.py` checks a drawing, and whether a map fits the game.
"""

from games.sniper_elite.map_rules.sites import Sites, sites_of

__all__ = ["Sites", "sites_of"]
