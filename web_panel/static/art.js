// Pictures of cards and the faces of bots: symbols in one file for each game (`web_panel/game_screens.py`).

import { svg } from "./ui.js";

const { art: sprite, papers = "" } = document.documentElement.dataset;
const hasArt = papers.split(" ").includes("art");

const symbol = (name, look) =>
  svg("svg", { viewBox: "0 0 48 48", class: `art ${look}`, "aria-hidden": "true" }, [
    svg("use", { href: `${sprite}#${name}` }),
  ]);

// Returns the picture of a card by its name in the glossary; null if the game has none.
export const art = (card, look = "") => (hasArt ? symbol(card, look) : null);

export const botFace = (bot) => symbol(`bot-${bot}`, "face");
