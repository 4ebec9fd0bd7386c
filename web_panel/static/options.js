// What somebody in the lobby wishes of the game to come: its options, each with what it means.

import { ruleLink } from "./reasons.js";
import { list, t, tOf } from "./texts.js";
import { h } from "./ui.js";

const SEATS = ["sniper", "defenders"];
const LETTERS = ["A", "B", "C", "D"];
// Two random cards for the sniper, and one card more than usual, contradict each other.
const RIVALS = { sniper: "defenders", defenders: "sniper" };
// Rulings that a house may read the other way.
const RULINGS = ["R-05", "R-06", "R-08", "R-18", "R-24", "R-26", "R-36"];

export class Wish {
  constructor(onChange) {
    this.onChange = onChange;
    this.random = true;
    this.possible = false;
    this.hard = { sniper: [], defenders: [] };
    this.turned = [];
    this.folds = { hard: false, rulings: false };
  }

  get facts() {
    return [this.random, this.possible, this.hard, this.turned];
  }

  // As the game takes them.
  get options() {
    return {
      random_setup: this.random,
      experienced_sniper: this.hard.sniper,
      experienced_defenders: this.hard.defenders,
      switches: Object.fromEntries(this.turned.map((ruling) => [ruling, false])),
    };
  }

  // `hinted` is whether the house allows the hint of where the sniper can be.
  parts(hinted) {
    return [
      this.flag("random", "option-random", t("lobby.random"), t("lobby.random.hint")),
      hinted && this.flag("possible", "option-possible", t("lobby.possible"), t("lobby.possible.hint")),
      this.difficulty(),
      this.rulings(),
    ];
  }

  // A yes or no, kept here under its name.
  flag(name, testid, title, hint) {
    const flip = (event) => {
      this[name] = event.target.checked;
    };
    return option({ checked: this[name], onchange: flip, "data-testid": testid }, title, h("small", {}, hint));
  }

  // Options that few want: folded away, with what is chosen of them in the line that stays.
  folding(name, testid, title, hint, parts) {
    const fold = (event) => {
      this.folds[name] = event.target.open;
    };
    return h(
      "details",
      { class: "hard", open: this.folds[name], ontoggle: fold },
      h("summary", { "data-testid": testid }, h("b", {}, title), h("small", {}, ` ${hint}`)),
      h("div", { class: "hard-sides" }, parts),
    );
  }

  difficulty() {
    const name = (seat) => (letter) => t("lobby.hard.chosen", { seat: tOf("seat", seat), letter });
    const chosen = SEATS.flatMap((seat) => this.hard[seat].map(name(seat)));
    const hint = chosen.length ? list(chosen) : t("lobby.hard.hint");
    return this.folding("hard", "options-hard", t("lobby.hard"), hint, SEATS.map((seat) => this.side(seat)));
  }

  side(seat) {
    return h(
      "fieldset",
      { class: "field" },
      h("legend", {}, tOf("lobby.hard.for", seat)),
      LETTERS.map((letter) => this.letter(seat, letter)),
    );
  }

  letter(seat, letter) {
    const barred = letter === "A" && this.hard[RIVALS[seat]].includes("A");
    const checked = this.hard[seat].includes(letter);
    const flip = (event) => {
      this.hard[seat] = LETTERS.filter((it) => (it === letter ? event.target.checked : this.hard[seat].includes(it)));
      this.onChange();
    };
    return option(
      { checked, disabled: barred, onchange: flip, "data-testid": `option-${seat}-${letter}` },
      letter,
      h("small", {}, seat === "sniper" ? tOf("lobby.hard.sniper", letter) : tOf("lobby.hard.defenders", letter)),
      barred && h("small", { class: "barred" }, t("lobby.hard.barred"), " ", ruleLink("MP-DIFF-09")),
    );
  }

  rulings() {
    const hint = this.turned.length ? list(this.turned) : t("lobby.rulings.hint");
    return this.folding("rulings", "options-rulings", t("lobby.rulings"), hint, RULINGS.map((number) => this.ruling(number)));
  }

  ruling(number) {
    const checked = this.turned.includes(number);
    const flip = (event) => {
      this.turned = RULINGS.filter((it) => (it === number ? event.target.checked : this.turned.includes(it)));
      this.onChange();
    };
    return option(
      { checked, onchange: flip, "data-testid": `option-${number}` },
      number,
      h("small", {}, tOf("lobby.ruling", number), " ", ruleLink(number)),
    );
  }
}

const option = (box, title, ...hints) =>
  h("label", { class: "option" }, h("input", { type: "checkbox", ...box }), h("span", {}, h("b", {}, title), ...hints));
