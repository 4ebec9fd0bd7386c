// What the screens of seats are laid out with: the line at the top, and the sections of the drawer with their tabs.

import { menu } from "./on-demand.js";
import { t } from "./texts.js";
import { $, h, icon, paint } from "./ui.js";

// The line at the top: whose turn it is, `more` below it, `middle` next to it, and the menu of `seat`.
/** @type {(seat: string, mine: boolean, title: Kids, more: Kids, picture: () => any, ...middle: Kids[]) => Kids} */
export const head = (seat, mine, title, more, picture, ...middle) => [
  h("div", { class: mine ? "whose mine" : "whose" }, h("strong", { testid: "turn" }, title), more),
  middle,
  h("button", { class: "round", "aria-label": t("menu.title"), testid: "menu", onclick: () => menu(seat, picture()) }, [
    icon("M4 7h16M4 12h16M4 17h16"),
  ]),
];

export class Drawer {
  // `sections` are name -> [key of the title, function that returns the content]; `onChange()` repaints the page.
  /** @type {(sections: Record<string, [string, (...facts: any[]) => Kids]>, onChange: () => void) => void} */
  constructor(sections, onChange) {
    this.sections = Object.entries(sections);
    this.onChange = onChange;
    this.open = null;
    // A section must not hide that a game has begun or ended.
    document.addEventListener("picture", ({ detail: { stage } }) => {
      if (this.stage !== stage) this.open = null;
      this.stage = stage;
    });
  }

  // Opens a section, or closes it again.
  toggle(name) {
    this.open = this.open === name ? null : name;
    this.onChange();
  }

  // Repaints tabs and sections if `facts` have changed; nothing is shown before the game starts. `more` are further tabs.
  paint(shown, facts, { more = () => [], tabFacts = [] } = {}) {
    paint($("#tabs"), [this.open, shown, tabFacts], () =>
      shown ? [this.sections.map((it) => this.tab(it)), more()] : [],
    );
    paint($("#drawer"), [facts, this.open, shown], () => (shown ? this.sections.map((it) => this.section(it)) : []));
    document.body.classList.toggle("drawer-open", Boolean(this.open && shown));
  }

  tab([name, [title]]) {
    const props = { "aria-expanded": this.open === name, testid: `tab-${name}`, onclick: () => this.toggle(name) };
    return h("button", props, t(title));
  }

  // The open section can have the focus, so that the keyboard can scroll one without buttons.
  section([name, [title, fill]]) {
    const open = this.open === name;
    const props = { class: `panel ${name}`, "data-open": String(open), tabindex: open && "0", testid: `panel-${name}` };
    return h("section", props, h("h2", {}, t(title)), fill());
  }
}
