// A lesson in place of the table: it is told all acts so far, and answers with the picture after them and with what is
// to be done next, which stands on the coach's card. The browser keeps the acts, so that a reload goes on.

import { LESSON, pause, post, Seat as TableSeat } from "./net.js";
import { unpressed } from "./press.js";
import { whyLink } from "./reasons.js";
import { t } from "./texts.js";
import { $, button, h, paint } from "./ui.js";

const { lesson, lessonGame: game } = document.body.dataset;
const KEPT = `lesson ${game}/${lesson}`;
const AGAIN_MS = 2000;
const UNREADABLE = new Set(["not-understood", "too-large"]);

function kept() {
  try {
    const acts = JSON.parse(sessionStorage.getItem(KEPT));
    return Array.isArray(acts) ? acts : [];
  } catch {
    return [];
  }
}

function keep(acts) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(acts));
  } catch {
    // A browser that keeps nothing begins anew after a reload.
  }
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

let read;
const facts = new Promise((done) => (read = done));

// What is known of cards and the like, of the lesson's game, whatever lies on the table.
export const words = () => facts;

export class Line {
  constructor(viewer, { onPicture, onState }) {
    this.onPicture = onPicture;
    this.onState = onState;
    this.revision = -1;
    this.live = null;
    this.resting = false;
    this.acts = kept();
    this.answers = 0;
  }

  // Asks until there is an answer. Acts that cannot be read any more are forgotten.
  async open() {
    for (;;) {
      const { ok, error } = await this.ask(this.acts);
      if (ok) return;
      if (UNREADABLE.has(error.code)) this.acts = [];
      await pause(AGAIN_MS);
    }
  }

  // Whoever is told the same acts twice answers the same, so what got no answer is asked again.
  async play(action) {
    for (;;) {
      const answer = await this.ask([...this.acts, action]);
      if (answer.error?.code !== "away") return answer;
      await pause(AGAIN_MS);
    }
  }

  async ask(acts) {
    const answer = await post(LESSON, { game, lesson, acts });
    this.set(answer.error?.code !== "away");
    if (!answer.lesson) return answer;
    this.acts = acts.slice(0, answer.lesson.taken);
    keep(this.acts);
    unpressed(() => this.show(answer));
    return { ok: true };
  }

  show(picture) {
    this.revision = picture.revision;
    this.resting = picture.lesson.done;
    read(picture.words);
    document.dispatchEvent(new CustomEvent("told", { detail: picture }));
    this.onPicture(picture);
    this.coached = picture.lesson;
    this.answers += 1;
    coach(picture.lesson, this.answers);
  }

  // The map has been laid: what the step is about is marked there, and comes into sight once the page has taken its
  // shape, which may make the map smaller.
  async laid(map) {
    const { number, done, spaces } = this.coached ?? { spaces: [] };
    map.draw("coach", [number, done], () => spaces.map((space) => map.outline(space, "coach-space")));
    if (!map.ready || this.looked === number) return;
    this.looked = number;
    if (!spaces.length) return;
    await nextFrame();
    await nextFrame();
    if (this.looked === number) map.reveal(spaces);
  }

  set(live) {
    if (this.live === live) return;
    this.live = live;
    unpressed(() => this.onState(live));
  }
}

export class Seat extends TableSeat {
  async act(action) {
    if (!this.ready) return false;
    this.busy = true;
    this.onChange();
    const answer = await this.line.play(action);
    if (!answer.ok) this.onRefused(answer.error);
    this.busy = false;
    unpressed(this.onChange);
    return answer.ok;
  }
}

// --- the coach's card -------------------------------------------------------------------------------------------

const link = ({ game: of, name, title }) =>
  h("a", { class: "button", href: `/learn/${of}/${name}`, "data-testid": `lesson-${name}` }, title);

function again() {
  keep([]);
  location.reload();
}

// Made anew for each of the `answers`: who is told the same once more is to see that.
function coach(now, answers) {
  const { number, steps, say, wrong, rule, done, others } = now;
  $("#dock").hidden = done;
  paint($("#coach"), answers, () => [
    h(
      "div",
      { class: "coach-head" },
      h("b", { "data-testid": "coach-step" }, done ? t("coach.done") : t("coach.step", { step: number, steps })),
      button(t("coach.again"), "coach-again", again, { class: "small plain" }),
      h("a", { class: "button small plain", href: "/learn", "data-testid": "coach-leave" }, t("coach.leave")),
    ),
    h(
      "div",
      { role: "status" },
      wrong && h("p", { class: "coach-wrong", "data-testid": "coach-wrong" }, wrong, " ", rule && whyLink(rule)),
      h("p", { class: "coach-say", "data-testid": "coach-say" }, say),
    ),
    done &&
      h(
        "div",
        { class: "row" },
        others.map(link),
        h("a", { class: "button main", href: "/", "data-testid": "to-lobby" }, t("gather.lobby")),
      ),
  ]);
}
