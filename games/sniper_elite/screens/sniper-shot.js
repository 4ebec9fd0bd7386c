// The sniper's shots: target and number of tokens, later shots, and the shot without a target. Odds and possible shots
// come from the picture.

import { HARROW } from "./nest.js";
import { resultLine, unitList, unitName, unitWord } from "./parts.js";
import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { decimal, list, t, tOf } from "/static/texts.js";
import { button, confirmed, h, headline, icon, paint } from "/static/ui.js";

const CROSSHAIRS = "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM12 2v6M12 16v6M2 12h6M16 12h6";
const MOST_BUTTONS = 4;
// So many buttons fit on a phone, with those of the cards.
const PHONE_BUTTONS = 6;
const roomy = matchMedia("(min-width: 640px) and (min-height: 561px)");

const aimableShots = ({ picture }) => (picture.foresight.shots || []).filter((shot) => shot.odds.length);

export const targetOffers = (shots) =>
  shots
    .filter((shot) => shot.odds.length)
    .map(({ target, space, distance }) => ({
      space,
      kind: "target",
      label: t("sniper.step.target", { unit: unitWord(target), distance }),
    }));

// The shots as buttons next to `others` and those of `cards`; if there are many, one button aims at the nearest target.
// `most` is for games with less room on a phone.
export function shotRow(shots, choose, disabled, { others, cards, most = PHONE_BUTTONS }) {
  const all = shots.length + others;
  if (all <= MOST_BUTTONS && (roomy.matches || all + cards <= most)) return targetList(shots, choose, disabled);
  const [nearest] = byDistance(shots);
  const label = [icon(CROSSHAIRS, { class: "icon shot-sign" }), t("sniper.shoot.any", { number: shots.length })];
  return button(label, "shoot", () => choose(nearest), { class: "small", disabled });
}

const byDistance = (shots) => [...shots].sort((a, b) => a.distance - b.distance);

function targetList(shots, choose, disabled) {
  const label = (shot) => [
    icon(CROSSHAIRS, { class: "icon shot-sign" }),
    h("span", {}, unitName(shot.target)),
    h("small", {}, ` ${t("sniper.target.far", shot)}`),
  ];
  const spoken = (shot) => t("sniper.shoot.at", { ...shot, unit: unitWord(shot.target) });
  const target = (shot) =>
    button(label(shot), `target-${shot.target}`, () => choose(shot), {
      class: "small",
      disabled,
      "aria-label": spoken(shot),
    });
  return h("ul", { class: "targets", "aria-label": t("sniper.shoot.choose") }, [
    shots.map((shot) => h("li", {}, target(shot))),
  ]);
}

// Starts with the number of tokens that hits most often.
export function aimDraft(shot) {
  const best = shot.odds.reduce((a, b) => (b.hit > a.hit ? b : a));
  return { target: shot.target, draw: best.draw };
}

// The shot at everything around: it needs no target and no draw. Null if it isn't possible.
export function sweepButton({ picture, seat }) {
  const action = picture.legal.find(({ type, target }) => type === "shoot" && !target);
  if (!action) return null;
  const hit = picture.foresight.blast || [];
  const gives = hit.length ? t("sniper.trench.hits", { units: unitList(hit) }) : t("sniper.trench.none");
  const fire = async () => {
    if (await confirmed(t("sniper.trench"), gives, t("sniper.trench.yes"), t("menu.back"))) seat.act(action);
  };
  const label = [h("b", {}, t("sniper.trench")), h("small", {}, gives)];
  return button(label, "fire-trench", fire, { class: "main danger", disabled: !seat.ready });
}

export function aimPart(context) {
  const shot = aimableShots(context).find((it) => it.target === context.draft.target);
  return { ...shotPart(context, shot), dock: () => aimDock(context, shot) };
}

// An announced later shot: its number of tokens is fixed, but not its target.
export function secondPart(context) {
  const { draft, picture, redraft } = context;
  const { pending } = picture.view;
  const draw = pending.draw ?? pending.draws[0];
  const shots = aimableShots(context);
  const shot = shots.find((it) => it.target === draft.target);
  return {
    ...shotPart(context, shot),
    dock: () =>
      actionPanel(
        [
          resultLine(picture.log),
          headline(t("sniper.second.now", { draw })),
          targetList(shots, ({ target }) => redraft({ target }), false),
          shot && [...shotHeadline(shot), gauges(shot.odds[0])],
        ],
        { foot: shot && secondButton(context, shot) },
      ),
  };
}

function secondButton({ picture, seat }, shot) {
  const action = picture.legal.find(({ type, target }) => type === "shoot-second" && target === shot.target);
  return actionButton(seat, t("sniper.second.fire", { unit: unitWord(shot.target) }), "fire", action, {
    class: "main danger",
  });
}

function shotHeadline(shot) {
  const far = [t("sniper.distance", shot), shot.through.length && t("sniper.through", { spaces: list(shot.through) })];
  return [
    headline([
      t("sniper.target", { unit: unitWord(shot.target), space: shot.space }),
      h("small", {}, ` ${far.filter(Boolean).join(", ")}`),
    ]),
  ];
}

// What the map shows: other targets to tap, and the line to this one.
function shotPart(context, shot) {
  const others = aimableShots(context);
  return {
    offers: () => targetOffers(others),
    lines: () => (shot ? { shot: shot.line, target: shot.target } : {}),
    tap: (space) => {
      const other = others.find((it) => it.space === space);
      if (other) context.redraft(aimDraft(other));
    },
  };
}

// The sliders are kept while their values change. A repainted slider would slip out from under the finger.
function aimDock(context, shot) {
  const { picture, draft, seat, redraft, aside } = context;
  const all = byDistance(aimableShots(context));
  const another = all[(all.indexOf(shot) + 1) % all.length];
  const chances = h("div", { class: "shot" });
  const shown = h("b", { testid: "draw" });
  const later = LATER.map(() => h("div", { class: "again" }));
  const shotAction = () => ({
    type: "shoot",
    target: shot.target,
    draw: draft.draw,
    ...Object.fromEntries(LATER.filter((name) => draft[name]).map((name) => [name, draft[name]])),
  });
  const fire = button("", "fire", () => seat.act(shotAction()), { class: "main danger", disabled: !seat.ready });
  // Offers what is possible after the shots before: the later shot number `i`, and those after it.
  const offer = (i) => {
    const name = LATER[i];
    if (!name) return void (fire.textContent = fireLabel(draft));
    const found = [...new Set(shotsLike(picture, shot.target, draft, i).map((it) => it[name]))].filter(Boolean);
    if (!found.includes(draft[name])) draft[name] = null;
    paint(later[i], found, () => (found.length ? laterSlider(draft, name, found, () => offer(i + 1)) : []));
    offer(i + 1);
  };
  const choose = (number) => {
    const odds = shot.odds.find((it) => it.draw === number) || shot.odds[0];
    draft.draw = odds.draw;
    paint(chances, odds.draw, () => gauges(odds));
    shown.textContent = String(odds.draw);
    offer(0);
    return odds.draw;
  };
  const slider = range(shot.odds[0].draw, shot.odds.at(-1).draw, "draw-slider", choose);
  slider.value = String(choose(draft.draw));
  return actionPanel(
    [
      ...shotHeadline(shot),
      h("div", { class: "sliders" }, drawField(t("sniper.tokens"), shown, slider), later),
      chances,
      aside?.(),
      h("p", { class: "quiet small" }, t("sniper.gives.shot")),
      picture.view.ally === HARROW && h("p", { class: "quiet small" }, t("sniper.stays")),
    ],
    {
      foot: [
        button(t("menu.back"), "aim-back", () => redraft({})),
        another !== shot && button(t("sniper.shoot.another"), "another", () => redraft(aimDraft(another))),
        fire,
      ],
    },
  );
}

const SLIDERS = { second: "second-slider", third: "third-slider" };
const LATER = Object.keys(SLIDERS);

// The legal shots at a target with the same number of tokens, and the same first `number` of later shots.
const shotsLike = ({ legal }, target, draft, number) =>
  legal.filter(
    (it) =>
      it.type === "shoot" &&
      it.target === target &&
      ["draw", ...LATER.slice(0, number)].every((name) => (it[name] ?? null) === (draft[name] ?? null)),
  );

function fireLabel({ draw, second, third }) {
  if (third) return t("sniper.fire.three", { draw, second, third });
  if (second) return t("sniper.fire.two", { draw, second });
  return draw === 1 ? t("sniper.fire.one") : t("sniper.fire", { draw });
}

// A slider for the number of tokens of a `second` or `third` shot; zero means no shot.
function laterSlider(draft, which, found, say) {
  const counts = [null, ...found];
  const shown = h("b", { testid: which });
  const choose = (index) => {
    draft[which] = counts[index];
    shown.textContent = String(draft[which] ?? 0);
    say();
  };
  const slider = range(0, found.length, SLIDERS[which], choose);
  slider.value = String(Math.max(0, counts.indexOf(draft[which])));
  choose(Number(slider.value));
  return drawField(which === "second" ? t("sniper.second") : t("sniper.third"), shown, slider);
}

const range = (min, max, testid, choose) =>
  h("input", { type: "range", min, max, oninput: ({ target }) => choose(Number(target.value)), testid });

const drawField = (title, shown, slider) => h("label", { class: "field draw" }, h("span", {}, title, shown), slider);

const gauges = (odds) =>
  h("dl", { class: "odds" }, [gauge("hit", odds), gauge("misfire", odds), gauge("reveal", odds)]);

function gauge(name, odds) {
  const percent = decimal(odds[name] * 100, odds[name] > 0.0995 || odds[name] === 0 ? 0 : 1);
  return h("div", { class: `gauge ${name}`, testid: `odds-${name}` }, [
    h("dt", {}, tOf("sniper.chance", name)),
    h("dd", {}, [
      h("b", {}, t("sniper.odds", { percent })),
      h("small", {}, odds.exact[name]),
      h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${odds[name] * 100}%` } })),
    ]),
  ]);
}
