// Replaces the table in a lesson: it sends all actions so far and receives the next picture with the next step, which
// is shown on the coach's card. The browser stores the actions, so that a reload continues.

import { LESSON_PATH, post, retry, Seat as TableSeat, whenReleased } from "./net.js";
import { whyLink } from "./reasons.js";
import { t } from "./texts.js";
import { $, button, h, link, paint, recall, store } from "./ui.js";

const { lesson, lessonGame: game } = document.body.dataset;
const KEPT = `lesson ${game}/${lesson}`;
const UNREADABLE = new Set(["not-understood", "too-large"]);

// Without storage a reload restarts the lesson.
const keepActs = (acts) => store(KEPT, acts, "sessionStorage");

let read;
const facts = new Promise((done) => (read = done));

// The glossary of the lesson's game, which may not be the table's game.
export const lessonGlossary = () => facts;

export class PictureStream {
  constructor(viewer, { onPicture, onState }) {
    this.onPicture = onPicture;
    this.onState = onState;
    this.revision = -1;
    this.live = null;
    this.resting = false;
    this.acts = recall(KEPT, [], "sessionStorage");
    this.answers = 0;
  }

  // Repeats until there is an answer. Unreadable actions are discarded.
  open() {
    return retry(async () => {
      const { ok, error } = await this.ask(this.acts);
      if (UNREADABLE.has(error?.code)) this.acts = [];
      return ok;
    });
  }

  // The same actions give the same answer, so a request without an answer is repeated.
  play(action) {
    return retry(async () => {
      const answer = await this.ask([...this.acts, action]);
      return answer.error?.code !== "away" && answer;
    });
  }

  async ask(acts) {
    const answer = await post(LESSON_PATH, { game, lesson, acts });
    this.set(answer.error?.code !== "away");
    if (!answer.lesson) return answer;
    this.acts = acts.slice(0, answer.lesson.taken);
    keepActs(this.acts);
    whenReleased(() => this.show(answer));
    return { ok: true };
  }

  show(picture) {
    this.revision = picture.revision;
    this.resting = picture.lesson.done;
    read(picture.words);
    document.dispatchEvent(new CustomEvent("picture", { detail: picture }));
    this.onPicture(picture);
    this.coached = picture.lesson;
    this.answers += 1;
    showCoach(picture.lesson, this.answers);
  }

  // Marks the step's spaces on the map and shows them.
  laid(map) {
    // A lesson shows all choices.
    map.shown = () => [...map.layers.lit.querySelectorAll(":not(.unit-space, .mark, .unmark)")];
    const { number, done, spaces } = this.coached ?? { spaces: [] };
    map.draw("coach", [number, done], () => spaces.map((space) => map.outline(space, "coach-space")));
    if (!map.ready || this.looked === number) return;
    this.looked = number;
    if (spaces.length) map.reveal(spaces);
  }

  set(live) {
    if (this.live === live) return;
    this.live = live;
    whenReleased(() => this.onState(live));
  }
}

export class Seat extends TableSeat {
  async act(action) {
    if (!this.ready) return false;
    this.busy = true;
    this.onChange();
    const answer = await this.stream.play(action);
    if (!answer.ok) this.onRefused(answer.error);
    this.busy = false;
    whenReleased(this.onChange);
    return answer.ok;
  }
}

// --- the coach's card -------------------------------------------------------------------------------------------

const lessonLink = ({ game: of, name, title }) => link(title, `lesson-${name}`, `/learn/${of}/${name}`);

function restart() {
  keepActs([]);
  location.reload();
}

// Repainted after every answer, so that players notice a repeated message.
function showCoach(now, answers) {
  const { number, steps, say, wrong, rule, done, others } = now;
  $("#dock").hidden = done;
  paint($("#coach"), answers, () => [
    h("div", { class: "coach-head" }, [
      h("b", { testid: "coach-step" }, done ? t("coach.done") : t("coach.step", { step: number, steps })),
      button(t("coach.again"), "coach-again", restart, { class: "small plain" }),
      link(t("coach.leave"), "coach-leave", "/learn", { class: "small plain" }),
    ]),
    h("div", { role: "status" }, [
      wrong && h("p", { class: "coach-wrong", testid: "coach-wrong" }, wrong, " ", rule && whyLink(rule)),
      h("p", { class: "coach-say", testid: "coach-say" }, say),
    ]),
    done &&
      h("div", { class: "row" }, [
        link(t("play.title"), "coach-play", `/?game=${game}#alone`, { class: "main" }),
        others.map(lessonLink),
        link(t("gather.lobby"), "to-lobby", "/"),
      ]),
  ]);
}
