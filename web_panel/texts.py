"""The words of the page frames and of the panel's own refusals; the words of the screens are in `static/texts.js`."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "page": {
        "language": "en",
        "product": "sniperboard",
        "skip": "Skip to the controls",
        "lost": "Reconnecting to the table …",
        "no_script": "This screen needs JavaScript. Switch it on for this address, or open it in another browser.",
        "map": "Map",
        "zoom_in": "Zoom in",
        "zoom_out": "Zoom out",
        "fit": "Show the whole map",
        "find": "Show where it matters",
    },
    "titles": {
        "lobby": "Lobby",
        "sniper": "The sniper's seat",
        "defenders": "The defenders",
        "table": "The table",
        "board": "The simulated board",
        "closed": "Not here",
    },
    "lobby": {
        "lead": "One hides, three squads hunt. The board keeps score of both.",
        "about": "An unofficial table for owners and friends of the game. Take a seat with your own phone; "
        "the board shows everybody what everybody may know.",
    },
    "closed": {
        "heading": "This way is barred.",
        "back": "Go to the lobby",
    },
    "failures": {
        "not-found": "There is nothing at this address. The lobby leads everywhere.",
        "not-allowed": "That cannot be done at this address.",
        "not-understood": "The request cannot be read.",
        "too-large": "That is more than this table reads at once.",
        "not-json": "This address takes JSON only.",
        "cross-site": "A page of another site asked for that; only the table's own pages may.",
        "broken": "Something went wrong in the panel. The game is safe; try again.",
        "no-board": "This table has a real board; there is no simulated one to look at.",
        "no-address": "This table does not know its own address.",
    },
}
"""Screen -> key -> text."""
