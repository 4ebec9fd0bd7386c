// The end of a game: its story, figures and players; and the question before it is ended for good.

import { botName } from "./bots.js";
import { glossary, request } from "./frame.js";
import { goals, starLine, startMission } from "./missions.js";
import { ask, whenReleased } from "./net.js";
import { askEnding, lengthText, playerLines } from "./past.js";
import { ownersIn, t } from "./texts.js";
import { button, confirmed, h, link, terms } from "./ui.js";

const { screen } = document.body.dataset;

// Fills `place` with facts about the finished game of a picture; unavailable facts are left out.
export async function fill(place, { finished: number, seats }) {
  const told = await askEnding(number);
  if (!told) return;
  const parts = [
    story(told.story, number, ownersIn(seats)),
    ...shown(told),
    screen !== "table" && told.judged && analyseButton(number),
  ];
  whenReleased(() => place.replaceChildren(...parts.filter(Boolean)));
}

const shown = (told) => [
  h("h2", {}, t("ending.players")),
  playerLines(told.seated),
  told.mission ? missionPart(told) : stronger(told),
  told.uncounted && wonAlone(told)?.name && h("p", { class: "quiet", testid: "uncounted" }, told.uncounted),
  h("p", { class: "quiet", testid: "lasted" }, lengthText(told)),
  told.figures.length > 0 && h("h2", {}, t("ending.figures")),
  terms(
    { class: "figures", testid: "figures" },
    told.figures.map(({ label, number }) => [label, String(number)]),
  ),
  h("ul", { class: "plain", testid: "records" }, [
    told.players.filter(({ won }) => won !== null && told.score === null).map(record),
  ]),
  h("ul", { class: "plain achievements", testid: "achievements" }, told.players.flatMap(achieved)),
];

// What decided the game; each sentence leads to its step.
const story = (told, number, named) =>
  told.length > 0 &&
  h("section", { class: "story" }, [
    h("h2", {}, t("ending.story")),
    h(
      "ol",
      { class: "dispatches" },
      told.map((it) => storyLine(it, number, named)),
    ),
  ]);

const storyLine = ({ step, sentence, yours }, number, named) =>
  h("li", {}, h("a", { href: screen !== "table" && `/games/${number}#${step}` }, named(yours[screen] ?? sentence)));

// Starts the analysis, unless it is complete, and shows it on the page of the game.
function analyseButton(number) {
  const start = () => request(`/api/games/${number}/analyse`, { do: "start" });
  const show = async () => (await start()) && location.assign(`/games/${number}?analysis`);
  return button(t("ending.analyse"), "analyse", show);
}

// A seat's own screen shows its people's achievements; public screens show everyone's.
const achieved = ({ seat, name, achievements }) =>
  achievements.map((words) =>
    seat === screen ? h("li", {}, words) : screen === "table" && h("li", {}, h("b", {}, `${name}:`), ` ${words}`),
  );

// Whether a single person has played here, on this screen's seat.
const alone = ({ seated }) => {
  const people = seated.filter(({ bot }) => !bot);
  return people.length === 1 && people[0].seat === screen;
};

// That person, if they have won. A guest, without a name, has no ladder.
const wonAlone = (told) => alone(told) && told.seated.find(({ bot, won }) => !bot && won);

// The stars of a mission; the person who has played it can go on to the next one.
function missionPart(told) {
  const { met, next, ...played } = told.mission;
  const onward = alone(told) && met.length > 0 && next;
  return h("section", { class: "mission", testid: "mission" }, [
    h("h3", {}, [
      played.title,
      " ",
      starLine(played, met),
      alone(told) && link(t("mission.campaign"), "to-campaign", "/campaign", { class: "small plain" }),
    ]),
    onward &&
      button(t("mission.next", { title: next.title }), "mission-next", () => startMission(next), { class: "main" }),
    goals(played, met),
    told.seated.some(({ bot, name }) => !bot && !name) && h("p", {}, t("names.hint")),
  ]);
}

// After a person who played alone against bots has won: a button to play against the next stronger ones. Guests get it,
// too.
function stronger(told) {
  const place = h("div", { class: "stronger" });
  if (wonAlone(told)) offerStronger(place, told).catch(() => {}); // the table is unreachable; the end is shown without it
  return place;
}

const LEVELS = ["beginner", "easy", "medium", "strong", "expert"];

async function offerStronger(place, { seated }) {
  const { bots } = await glossary();
  const next = seated
    .filter(({ bot, level, won }) => bot && level && !won)
    .map(({ seat, level }) => [seat, nextLevel(bots[seat] ?? [], level)])
    .filter(([, bot]) => bot);
  if (!next.length) return;
  const body = { swapped: false, bots: Object.fromEntries(next.map(([seat, { name }]) => [seat, name])) };
  const label = t("ending.stronger", { bot: botName(next[0][1]) });
  place.replaceChildren(button(label, "stronger", () => request("/api/rematch", body), { class: "main" }));
}

const nextLevel = (bots, level) =>
  LEVELS.slice(LEVELS.indexOf(level) + 1)
    .map((it) => bots.find((bot) => bot.level === it))
    .find(Boolean);

const record = ({ name, won, history }) =>
  h("li", { class: won ? "won" : "" }, t("ending.record", { name, won: history.won, played: history.played }));

// --- ending a game for good -------------------------------------------------------------------------------------

// Asks, then ends the game; returns whether it was ended. `seat` is the player's seat; the lobby of a device with
// several seats leaves it out.
export async function abandon(seat) {
  const words = await lost().catch(() => t("menu.abandon.sure"));
  if (!(await confirmed(t("menu.abandon"), words, t("menu.abandon.yes")))) return false;
  return request("/api/abandon", seat ? { seat } : {});
}

async function lost() {
  const [{ body: lobby }, { body: past }] = await Promise.all([ask("/api/lobby"), ask("/api/games")]);
  const { number, name } = past.games.find(({ state }) => state === "running");
  const title = name && name !== lobby.title ? `${lobby.title}, ${name}` : lobby.title;
  return `${t("menu.abandon.what", { title, number })} ${t("menu.abandon.sure")}`;
}
