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
        "away": "The table is away",
        "rules": "The rules",
        "health": "The sensors",
    },
    "lobby": {
        "lead": "One hides, three squads hunt. The board keeps score of both.",
        "about": "An unofficial table for owners and friends of the game. Take a seat with your own phone; "
        "the board shows everybody what everybody may know.",
    },
    "rules": {
        "lead": "The law of this table, number by number. A refusal on a screen names the number that forbids the act.",
        "kinds": "Numbers that begin with MP are rules. Those with R are rulings: how this table reads what can be "
        "read in more than one way. Advice and flavour bind nobody.",
        "contents": "Contents",
        "unknown": "This is no number of the book:",
        "unknown_more": "All the rules are below, and your game is where you left it.",
        "advice": "Advice",
        "flavour": "Flavour",
        "off": "Switched off:",
        "up": "To the contents",
    },
    "health": {
        "lead": "How the board's sensors are, as the table has learned it in play.",
        "manual": "A sensor that plays tricks can be set to manual: the game goes on, and what happens on that space "
        "is chosen on the screens. Whoever plays may.",
        "hardware": "The board",
        "doubts": "In doubt",
        "spaces": "Every space",
    },
    "closed": {
        "heading": "This way is barred.",
        "back": "Go to the lobby",
    },
    "away": {
        "heading": "The table is away.",
        "sentence": "This device cannot reach it: the table is switched off, or you are in another network. Nothing is "
        "lost. This page looks again by itself.",
        "again": "Look again",
    },
    "failures": {
        "not-found": "There is nothing at this address. The lobby leads everywhere.",
        "not-allowed": "That cannot be done at this address.",
        "not-understood": "The request cannot be read.",
        "too-large": "That is more than this table reads at once.",
        "not-json": "This address takes JSON only.",
        "not-its-name": "This table does not go by that name. Open it by its address in figures, as its lobby shows "
        "it; the setting names gives it more names.",
        "cross-site": "A page of another site asked for that; only the table's own pages may.",
        "broken": "Something went wrong in the panel. The game is safe; try again.",
        "no-board": "This table has a real board; there is no simulated one to look at.",
        "no-address": "This table does not know its own address.",
    },
}
"""Screen -> key -> text."""
