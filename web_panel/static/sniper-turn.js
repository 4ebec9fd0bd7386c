// The sniper's own turn: planning a way step by step, aiming, and everything that one button does. What is possible and
// what it gives away is read from the picture; nothing is worked out here.

import { telegram, unitList, unitName } from "./parts.js";
import { list, t } from "./texts.js";
import { button, confirmed, h, paint } from "./ui.js";

export function acting(context) {
  return context.draft.target ? aiming(context) : moving(context);
}

const of = ({ picture }, type) => picture.legal.filter((action) => action.type === type);

const headline = (text) => h("p", { class: "headline", "data-testid": "headline" }, text);

const begins = (path, start) => start.every((space, i) => path[i] === space);

// --- the way ----------------------------------------------------------------------------------------------------

function moving(context) {
  const { picture, draft, seat, redraft } = context;
  const { view, outlook } = picture;
  const path = draft.path || [];
  const moves = outlook.moves || [];
  const shots = outlook.shots || [];
  const plan = moves.find((move) => move.path.length === path.length && begins(move.path, path));
  const extend = (space) => {
    if (path.includes(space)) return redraft({ path: path.slice(0, path.indexOf(space) + (path.at(-1) === space ? 0 : 1)) });
    const way = cheapest(moves, path, space) || cheapest(moves, [], space);
    if (way) return redraft({ path: way.path });
    const shot = shots.find((it) => it.space === space && it.odds.length);
    if (shot) redraft(aim(shot));
  };
  return {
    dock: () => [
      view.sniper.acted && telegram(picture.log),
      h("p", { class: "headline", "data-testid": "headline" }, plan ? preview(plan) : standing(view, context, path)),
      plan ? h("p", { class: "path", "data-testid": "path" }, [view.sniper.space, ...path].filter(Boolean).join(" – ")) : hint(context, moves),
      plan
        ? h(
            "div",
            { class: "row" },
            button(t("sniper.undo"), "undo-step", () => redraft({ path: path.slice(0, -1) })),
            button(t("sniper.confirm"), "confirm-move", () => seat.act({ type: "move", path }), { class: plan.noisy ? "main noisy" : "main quiet", disabled: !seat.ready }),
          )
        : acts(context, shots),
    ],
    offers: () => [...reach(moves, path), ...targets(shots)],
    lines: () => ({ path: plan && [view.sniper.space, ...path].filter(Boolean), noisy: plan && plan.noisy, heard: plan ? plan.alerts : [] }),
    tap: extend,
  };
}

function preview({ noisy, alerts }) {
  if (!noisy) return [h("b", { class: "quiet-word" }, t("sniper.silent")), ` ${t("sniper.silent.more")}`];
  return alerts.length ? t("sniper.noisy", { units: unitList(alerts) }) : t("sniper.noisy.none");
}

function standing(view, context) {
  if (of(context, "move").length) return view.sniper.space || !view.entry ? t("sniper.yours") : t("sniper.entered", { sector: view.entry });
  if (context.picture.legal.some(({ type }) => ["shoot", "loot", "complete"].includes(type))) return t("sniper.moved");
  return t("sniper.nothing");
}

function hint(context, moves) {
  if (!moves.length) return null;
  return h("p", { class: "legend" }, t("sniper.plan"));
}

// The ways that begin with `start` and end on `space`: the shortest, and of these the one that fewest hear.
function cheapest(moves, start, space) {
  const ways = moves.filter((move) => move.path.at(-1) === space && begins(move.path, start) && move.path.length > start.length);
  return ways.sort((a, b) => a.path.length - b.path.length || a.alerts.length - b.alerts.length)[0];
}

// Every space that the plan can still lead to: the next step bright, what is farther dimmer; quiet and noisy apart.
function reach(moves, path) {
  const found = new Map();
  for (const space of path) found.set(space, { space, kind: "planned", label: t("sniper.step.planned") });
  for (const move of moves) {
    if (!begins(move.path, path)) continue;
    move.path.slice(path.length).forEach((space, i) => {
      const noisy = path.length + i > 0;
      const old = found.get(space);
      if (old && (old.kind === "planned" || old.far <= i)) return;
      found.set(space, { space, far: i, kind: `${noisy ? "noisy" : "quiet"}${i ? " far" : ""}`, label: noisy ? t("sniper.step.noisy") : t("sniper.step.quiet") });
    });
  }
  return [...found.values()].map(({ space, kind, label }) => ({ space, kind, label }));
}

const targets = (shots) =>
  shots.filter((shot) => shot.odds.length).map(({ target, space, distance }) => ({ space, kind: "target", label: t("sniper.step.target", { unit: unitName(target), distance }) }));

// --- the other acts ---------------------------------------------------------------------------------------------

function acts(context, shots) {
  const { seat, redraft } = context;
  const off = !seat.ready;
  const possible = shots.filter((shot) => shot.odds.length);
  const completions = of(context, "complete");
  return h(
    "div",
    { class: "acts" },
    completions.map((action) => button([h("b", {}, t("sniper.complete", action)), h("small", {}, t("sniper.complete.gives"))], "complete", () => seat.act(action), { class: "main", disabled: off })),
    of(context, "loot").map((action) => button([h("b", {}, t("sniper.loot")), h("small", {}, t("sniper.loot.gives"))], "loot", () => seat.act(action), { disabled: off })),
    possible.length > 0 && h("ul", { class: "targets", "aria-label": t("sniper.shoot.choose") }, possible.map((shot) => h("li", {}, targetButton(shot, () => redraft(aim(shot)), off)))),
    of(context, "end-turn").map((action) => button(t("sniper.end"), "end-turn", () => end(context, action), { disabled: off })),
  );
}

function targetButton(shot, onclick, disabled) {
  return button(
    [h("b", {}, t("sniper.shoot")), ` ${t("sniper.target", { unit: unitName(shot.target), space: shot.space })} `, h("small", {}, t("sniper.distance", shot))],
    `target-${shot.target}`,
    onclick,
    { class: "small", disabled },
  );
}

async function end(context, action) {
  const idle = of(context, "move").length > 0;
  if (idle && !(await confirmed(t("sniper.end.title"), t("sniper.end.sure"), t("sniper.end"), t("menu.back")))) return;
  context.seat.act(action);
}

// --- the shot ---------------------------------------------------------------------------------------------------

// The first number of tokens offered is the one that hits most often.
function aim(shot) {
  const best = shot.odds.reduce((a, b) => (b.hit > a.hit ? b : a));
  return { target: shot.target, draw: best.draw };
}

function aiming(context) {
  const { picture, draft, redraft } = context;
  const shot = picture.outlook.shots.find((it) => it.target === draft.target);
  const others = picture.outlook.shots.filter((it) => it.odds.length);
  return {
    dock: () => [
      headline(t("sniper.target", { unit: unitName(shot.target), space: shot.space })),
      h("p", { class: "quiet" }, t("sniper.distance", shot), shot.through.length ? `, ${t("sniper.through", { spaces: list(shot.through) })}` : ""),
      ...trigger(context, shot),
    ],
    offers: () => targets(others),
    lines: () => ({ shot: shot.line, target: shot.target }),
    tap: (space) => {
      const other = others.find((it) => it.space === space);
      if (other) redraft(aim(other));
    },
  };
}

// The slider stays while its number changes: a slider that is drawn anew slips out of the finger.
function trigger({ draft, seat, redraft }, shot) {
  const chances = h("div", { class: "shot" });
  const choose = (number) => {
    draft.draw = number;
    const odds = shot.odds.find((it) => it.draw === number) || shot.odds[0];
    const fire = () => seat.act({ type: "shoot", target: shot.target, draw: odds.draw });
    paint(chances, odds.draw, () => [
      h("dl", { class: "odds" }, ["hit", "misfire", "reveal"].map((name) => gauge(name, odds))),
      h("p", { class: "quiet small" }, t("sniper.gives.shot")),
      h(
        "div",
        { class: "row" },
        button(t("menu.back"), "aim-back", () => redraft({})),
        button(odds.draw === 1 ? t("sniper.fire.one") : t("sniper.fire", odds), "fire", fire, { class: "main danger", disabled: !seat.ready }),
      ),
    ]);
    shown.textContent = String(odds.draw);
    return odds.draw;
  };
  const shown = h("b", { "data-testid": "draw" });
  const slider = h("input", { type: "range", min: shot.odds[0].draw, max: shot.odds.at(-1).draw, oninput: () => choose(Number(slider.value)), "data-testid": "draw-slider" });
  slider.value = String(choose(draft.draw));
  return [h("label", { class: "field draw" }, h("span", {}, t("sniper.tokens"), shown), slider), chances];
}

const GAUGES = { hit: () => t("sniper.hit"), misfire: () => t("sniper.misfire"), reveal: () => t("sniper.reveal") };

function gauge(name, odds) {
  const percent = (odds[name] * 100).toFixed(odds[name] > 0.0995 || odds[name] === 0 ? 0 : 1);
  return h(
    "div",
    { class: `gauge ${name}`, "data-testid": `odds-${name}` },
    h("dt", {}, GAUGES[name]()),
    h("dd", {}, h("b", {}, t("sniper.odds", { percent })), h("small", {}, odds.exact[name]), h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${odds[name] * 100}%` } }))),
  );
}
