// The sniper's shots: target and number of tokens, later shots, and the one that needs no target. Odds and what is
// possible are read from the picture.

import { HARROW } from "./nest.js";
import { unitList, unitName } from "./parts.js";
import { decimal, list, t } from "/static/texts.js";
import { button, confirmed, h, paint } from "/static/ui.js";

const headline = (text) => h("p", { class: "headline", "data-testid": "headline" }, text);

const aimable = ({ picture }) => (picture.foresight.shots || []).filter((shot) => shot.odds.length);

export const targets = (shots) =>
  shots
    .filter((shot) => shot.odds.length)
    .map(({ target, space, distance }) => ({
      space,
      kind: "target",
      label: t("sniper.step.target", { unit: unitName(target), distance }),
    }));

export function targetButton(shot, onclick, disabled) {
  return button(
    [
      h("b", {}, t("sniper.shoot")),
      ` ${t("sniper.target", { unit: unitName(shot.target), space: shot.space })} `,
      h("small", {}, t("sniper.distance", shot)),
    ],
    `target-${shot.target}`,
    onclick,
    { class: "small", disabled },
  );
}

// The first number of tokens offered is the one that hits most often.
export function aim(shot) {
  const best = shot.odds.reduce((a, b) => (b.hit > a.hit ? b : a));
  return { target: shot.target, draw: best.draw };
}

// A shot at everything around: no target, no draw; null while there is none.
export function sweepingShot({ picture, seat }) {
  const action = picture.legal.find(({ type, target }) => type === "shoot" && !target);
  if (!action) return null;
  const hit = picture.foresight.blast || [];
  return button(
    [
      h("b", {}, t("sniper.trench")),
      h("small", {}, hit.length ? t("sniper.trench.hits", { units: unitList(hit) }) : t("sniper.trench.none")),
    ],
    "fire-trench",
    async () => {
      const gives = hit.length ? t("sniper.trench.hits", { units: unitList(hit) }) : t("sniper.trench.none");
      if (await confirmed(t("sniper.trench"), gives, t("sniper.trench.yes"), t("menu.back"))) seat.act(action);
    },
    { class: "main danger", disabled: !seat.ready },
  );
}

export function aiming(context) {
  const shot = aimable(context).find((it) => it.target === context.draft.target);
  return { ...sighted(context, shot), dock: () => [...sighting(shot), ...trigger(context, shot)] };
}

// An announced later shot: its number of tokens is fixed, its target is not.
export function secondShot(context) {
  const { draft, picture, redraft } = context;
  const { pending } = picture.view;
  const draw = pending.draw ?? pending.draws[0];
  const shots = aimable(context);
  const shot = shots.find((it) => it.target === draft.target);
  return {
    ...sighted(context, shot),
    dock: () => [
      headline(t("sniper.second.now", { draw })),
      h(
        "ul",
        { class: "targets", "aria-label": t("sniper.shoot.choose") },
        shots.map((it) =>
          h(
            "li",
            {},
            targetButton(it, () => redraft({ target: it.target }), false),
          ),
        ),
      ),
      shot ? secondTrigger(context, shot) : h("p", {}, t("sniper.shoot.choose")),
    ],
  };
}

function secondTrigger({ picture, seat }, shot) {
  const action = picture.legal.find(({ type, target }) => type === "shoot-second" && target === shot.target);
  return [
    ...sighting(shot),
    gauges(shot.odds[0]),
    button(t("sniper.second.fire", { unit: unitName(shot.target) }), "fire", () => seat.act(action), {
      class: "main danger",
      disabled: !action || !seat.ready,
    }),
  ];
}

function sighting(shot) {
  const far = [t("sniper.distance", shot), shot.through.length && t("sniper.through", { spaces: list(shot.through) })];
  return [
    headline([
      t("sniper.target", { unit: unitName(shot.target), space: shot.space }),
      h("small", {}, ` ${far.filter(Boolean).join(", ")}`),
    ]),
  ];
}

// What the map shows of it: other targets to tap, and the line to this one.
function sighted(context, shot) {
  const others = aimable(context);
  return {
    offers: () => targets(others),
    lines: () => (shot ? { shot: shot.line, target: shot.target } : {}),
    tap: (space) => {
      const other = others.find((it) => it.space === space);
      if (other) context.redraft(aim(other));
    },
  };
}

// The sliders stay while their number changes: a slider that is drawn anew slips out of the finger.
function trigger({ picture, draft, seat, redraft }, shot) {
  const chances = h("div", { class: "shot" });
  const again = h("div", { class: "again" });
  const third = h("div", { class: "again" });
  const shown = h("b", { "data-testid": "draw" });
  const order = () => ({
    type: "shoot",
    target: shot.target,
    draw: draft.draw,
    ...(draft.second ? { second: draft.second } : {}),
    ...(draft.third ? { third: draft.third } : {}),
  });
  const fire = button("", "fire", () => seat.act(order()), { class: "main danger", disabled: !seat.ready });
  const say = () => {
    fire.textContent = fireLabel(draft);
  };
  const sayThird = () => {
    const thirds = thirdsOf(picture, shot.target, draft.draw, draft.second);
    if (!thirds.includes(draft.third)) draft.third = null;
    paint(third, thirds, () => (thirds.length ? laterSlider(draft, "third", thirds, say) : []));
    say();
  };
  const choose = (number) => {
    const odds = shot.odds.find((it) => it.draw === number) || shot.odds[0];
    const seconds = secondsOf(picture, shot.target, odds.draw);
    draft.draw = odds.draw;
    if (!seconds.includes(draft.second)) draft.second = null;
    paint(chances, odds.draw, () => gauges(odds));
    paint(again, seconds, () => (seconds.length ? laterSlider(draft, "second", seconds, sayThird) : []));
    shown.textContent = String(odds.draw);
    sayThird();
    return odds.draw;
  };
  const slider = h("input", {
    type: "range",
    min: shot.odds[0].draw,
    max: shot.odds.at(-1).draw,
    oninput: () => choose(Number(slider.value)),
    "data-testid": "draw-slider",
  });
  slider.value = String(choose(draft.draw));
  return [
    chances,
    h(
      "div",
      { class: "sliders" },
      h("label", { class: "field draw" }, h("span", {}, t("sniper.tokens"), shown), slider),
      again,
      third,
    ),
    h(
      "div",
      { class: "row end" },
      button(t("menu.back"), "aim-back", () => redraft({})),
      fire,
    ),
    h("p", { class: "quiet small" }, t("sniper.gives.shot")),
    picture.view.ally === HARROW && h("p", { class: "quiet small" }, t("sniper.stays")),
  ];
}

function fireLabel({ draw, second, third }) {
  if (third) return t("sniper.fire.three", { draw, second, third });
  if (second) return t("sniper.fire.two", { draw, second });
  return draw === 1 ? t("sniper.fire.one") : t("sniper.fire", { draw });
}

// The counts that a second shot may have after a first one of `draw` tokens.
const secondsOf = ({ legal }, target, draw) => [
  ...new Set(
    legal.filter((it) => it.type === "shoot" && it.target === target && it.draw === draw && it.second).map(({ second }) => second),
  ),
];

// The counts that a third shot may have after two.
const thirdsOf = ({ legal }, target, draw, second) =>
  legal
    .filter((it) => it.type === "shoot" && it.target === target && it.draw === draw && it.second === second && it.third)
    .map(({ third }) => third);

const LATER = {
  second: { title: () => t("sniper.second"), shown: "second", slider: "second-slider" },
  third: { title: () => t("sniper.third"), shown: "third", slider: "third-slider" },
};

// Chooses the count of a later shot, `second` or `third`, or none.
function laterSlider(draft, which, found, say) {
  const counts = [null, ...found];
  const shown = h("b", { "data-testid": LATER[which].shown });
  const choose = (index) => {
    draft[which] = counts[index];
    shown.textContent = draft[which] ? String(draft[which]) : t("sniper.second.none");
    say();
  };
  const slider = h("input", {
    type: "range",
    min: 0,
    max: found.length,
    oninput: () => choose(Number(slider.value)),
    "data-testid": LATER[which].slider,
  });
  slider.value = String(Math.max(0, counts.indexOf(draft[which])));
  choose(Number(slider.value));
  return h("label", { class: "field draw" }, h("span", {}, LATER[which].title(), shown), slider);
}

function gauges(odds) {
  return h(
    "dl",
    { class: "odds" },
    ["hit", "misfire", "reveal"].map((name) => gauge(name, odds)),
  );
}

const GAUGES = { hit: () => t("sniper.hit"), misfire: () => t("sniper.misfire"), reveal: () => t("sniper.reveal") };

function gauge(name, odds) {
  const percent = decimal(odds[name] * 100, odds[name] > 0.0995 || odds[name] === 0 ? 0 : 1);
  return h(
    "div",
    { class: `gauge ${name}`, "data-testid": `odds-${name}` },
    h("dt", {}, GAUGES[name]()),
    h(
      "dd",
      {},
      h("b", {}, t("sniper.odds", { percent })),
      h("small", {}, odds.exact[name]),
      h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${odds[name] * 100}%` } })),
    ),
  );
}
