// The screen of a seat: the line at the top, the panel of the moment, and the sections of the drawer with their tabs.

import { botFailures } from "./bots.js";
import { boardStrip, pausePart } from "./frame.js";
import { whenReleased } from "./net.js";
import { openMenu } from "./on-demand.js";
import { t } from "./texts.js";
import { $, button, h, icon, paint, quiet } from "./ui.js";

class Drawer {
  // `sections` are name -> [key of the title, function that returns the content]; `onChange()` repaints the page.
  /** @type {(sections: Record<string, [string, (...facts: any[]) => Kids]>, onChange: () => void) => void} */
  constructor(sections, onChange) {
    this.sections = Object.entries(sections);
    this.onChange = onChange;
    this.open = null;
    // An open section must not hide the start or the end of a game.
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

  // Repaints tabs and sections if `facts` have changed; nothing is shown before the game starts. `more()` are other tabs.
  paint(shown, facts, more = () => []) {
    paint($("#tabs"), [facts, this.open, shown], () =>
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
    const props = { class: "panel", "data-open": String(open), tabindex: open && "0", testid: `panel-${name}` };
    const close = { "aria-label": t("menu.close"), onclick: () => this.toggle(name) };
    // If the section covers the map, new players need a visible way back.
    return h("section", props, [
      h("h2", {}, t(title)),
      open && h("button", { class: "round shut", testid: `shut-${name}`, ...close }, icon("M6 6l12 12M18 6L6 18")),
      fill(),
    ]);
  }
}

// Common code of all games' screens: stores the latest picture and the player's draft, and paints each part of the page
// when its facts change. The game provides the functions of `own`:
// - `part()`, the panel during the game: `dock()`, its content, and what the map does (`offers`, `tap`, `draw`, …);
//   `over()`, the same after the end; `ended(picture)`, whether that has come;
// - `acting()`, whether it's this seat's turn; `title()`, whose turn it is; `head()`, what is below it and next to it;
// - `strip()`, lines next to those of the board; `sections` and `tabs()` of the drawer;
// - `hear(picture, before)`, called for each; `kept(picture)`, the draft that stays after an action;
// - `draw(part)`, the map; `look(planned)` moves it; `places()`, the spaces to show; `lift(piece)`, the start of a drag;
// - `facts()`, other data that the page besides the dock depends on; `drafted()`, what the dock depends on instead of the
//   draft; `quiet()`, whether the line of the board is left out now; `answers`, whether it has buttons;
//   `badge(id)` draws a miniature there.
export class SeatScreen {
  /** @type {(shell: any, own: any) => void} */
  constructor({ name, map, seat, keep }, own) {
    this.name = name;
    this.map = map;
    this.seat = seat;
    this.keep = keep;
    this.own = { ended: ({ stage, view }) => stage === "over" || Boolean(view.over), ...own };
    this.picture = this.words = null;
    this.draft = {};
    this.loaded = {};
    this.drawer = new Drawer(own.sections, () => this.show());
    $("#drawer").tabIndex = 0; // on wide screens it scrolls by itself
  }

  read(words) {
    this.words = words;
  }

  receive(picture) {
    const before = this.picture;
    for (const [name, module] of Object.entries(this.loaded)) if (module === false) delete this.loaded[name];
    if (before?.revision !== picture.revision) this.draft = this.own.kept?.(picture) ?? {};
    this.picture = picture;
    this.own.hear?.(picture, before);
    this.own.wand?.hear(picture.picked ?? []);
    // A new game starts with a fresh view of the map, not with the view at the end of the previous game.
    if (before && before.sealed?.promise !== picture.sealed?.promise && this.map.ready) this.map.frame();
  }

  // Takes a new draft. The drawer closes, so that the map has room.
  plan = (draft) => {
    this.draft = draft;
    this.keep(draft);
    if (Object.values(draft).some((part) => part && part.length !== 0)) this.drawer.open = null;
    this.show();
    this.laid(true);
  };

  laid(planned = false) {
    if (this.map.ready && this.picture?.view) this.own.look?.(planned);
  }

  mission = () => this.own.mission?.();

  // --- the page -------------------------------------------------------------------------------------------------

  // The text if nobody can play at the moment; null during the game.
  get rest() {
    const { picture, own } = this;
    if (!picture?.view) return "hud.lobby";
    if (own.ended(picture)) return "hud.over";
    return picture.paused === null ? null : "pause.title";
  }

  get part() {
    const { picture, own, rest } = this;
    if (!picture.view)
      return this.later(
        "before",
        () => import("./gather.js"),
        ({ gatherDock }) => ({ dock: () => gatherDock(picture) }),
      );
    if (rest === "hud.over") return own.over();
    return rest ? pausePart(picture) : own.part();
  }

  // A panel from a module that is loaded on first use. If loading fails, the next picture tries again; some browsers
  // need a page reload for that.
  /** @type {(name: string, load: () => Promise<any>, use: (module: any) => any) => any} */
  later(name, load, use) {
    if (this.loaded[name]) return use(this.loaded[name]);
    if (!(name in this.loaded)) this.load(name, load);
    const reload = () => button(t("net.reload"), "reload", () => location.reload());
    return { dock: () => this.loaded[name] === false && [quiet(t("net.away")), reload()] };
  }

  async load(name, load) {
    this.loaded[name] = null;
    this.loaded[name] = await load().catch(() => false);
    whenReleased(() => this.show());
  }

  show() {
    const { picture, map, seat, own, drawer } = this;
    if (!picture) return;
    const { view, revision, stage, paused, seats, board, finished } = picture;
    const { part } = this;
    if (map.drawing) return this.draw(part); // nothing moves under a finger
    const modules = Object.values(this.loaded).map((module) => module && true);
    const common = [revision, stage, paused, seats, finished, Boolean(this.words), modules];
    const facts = [common, own.facts?.()];
    paint($("#hud"), facts, () => this.head());
    paint($("#strip"), [facts, board, drawer.open], () => [
      view &&
        stage !== "over" &&
        !own.quiet?.() &&
        boardStrip(board, own.answers !== false, own.badge, picture.your_turn),
      view && own.strip?.(),
      botFailures(seats),
    ]);
    paint($("#dock"), [common, own.drafted?.() ?? this.draft, seat.ready, map.ready], () => part.dock());
    drawer.paint(Boolean(view), [facts, seat.ready, map.ready], own.tabs);
    if (map.ready) this.draw(part);
  }

  // The line at the top: whose turn it is, and the menu.
  head() {
    const { picture, own, rest, name } = this;
    const [more, ...next] = picture.view ? own.head() : [h("span", {}, document.body.dataset.game)];
    const open = () => openMenu(name, this.picture);
    return [
      h("div", { class: own.acting() ? "whose mine" : "whose" }, [
        h("strong", { testid: "turn" }, rest ? t(rest) : own.title()),
        more,
      ]),
      next,
      h("button", { class: "round", "aria-label": t("menu.title"), testid: "menu", onclick: open }, [
        icon("M4 7h16M4 12h16M4 17h16"),
      ]),
    ];
  }

  draw(part) {
    const { picture, map, seat, own } = this;
    const offers = part.offers?.() ?? [];
    map.offer(seat.ready ? offers : []);
    own.wand?.show(picture, picture.picked && picture.board.heeded ? offers : []);
    if (picture.view) own.draw?.(part);
    else map.clear();
  }

  // --- the map --------------------------------------------------------------------------------------------------

  // The panel, if it currently reacts to the map.
  get usable() {
    return this.rest === null && this.seat.ready ? this.part : {};
  }

  tap = (space) => this.usable.tap?.(space);
  begins = (space) => this.usable.begins?.(space);
  step = (space) => this.usable.step?.(space);
  carries = (space) => this.usable.carries?.(space) || null;
  lift = (piece) => this.own.lift(piece);
  drop = (piece, space) => this.part.drop?.(piece, space);
  focus = () => (this.picture?.view && this.own.places?.()) || [];
}
