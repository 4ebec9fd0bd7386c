// Decisions of the solo game that the multiplayer game doesn't have, and the cost of an action before it is made.

import { resultLine, TOKENS, unitList, unitWord } from "/games/sniper-elite/static/parts.js";
import { actionButton } from "/static/frame.js";
import { actionGrid, actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { list, t, tOf } from "/static/texts.js";
import { chips, h, headline, quiet } from "/static/ui.js";

const drawnTokens = ({ drawn }) =>
  list(
    TOKENS.filter((token) => drawn?.[token]).map((token) =>
      t("bag.beside", { number: drawn[token], token: tOf("token", token) }),
    ),
  );

const rewardName = ({ option, count }) =>
  option === "recoil" ? t("solo.reward.recoil", { number: count }) : tOf("solo.reward.of", option);

// After a hit: choose the reward.
export function rewardPart({ picture, seat }) {
  const { pending } = picture.view;
  return {
    dock: () =>
      actionPanel([
        resultLine(picture.log),
        headline(t("solo.reward")),
        actionGrid(
          picture.legal
            .filter(({ type }) => type === "after-hit")
            .map((action) =>
              actionButton(seat, rewardName(action), `reward-${action.option}${action.count ?? ""}`, action),
            ),
        ),
        quiet(t("solo.reward.drawn", { tokens: drawnTokens(pending) })),
      ]),
  };
}

// Choose where a removed defender returns.
export function returnPart({ picture, seat, draft, redraft }) {
  const { unit, spaces } = picture.view.pending;
  const action = picture.legal.find(({ type, space }) => type === "place-return" && space === draft.to);
  const title = t("solo.return", { unit: unitWord(unit) });
  const label = action ? t("solo.return.sure", { space: draft.to }) : t("solo.return.choose");
  const places = spaces.map((space) => [space, `place-${space}`, space]);
  return {
    dock: () =>
      actionPanel([headline(title), chips(title, places, draft.to, (to) => redraft({ to }))], {
        foot: actionButton(seat, label, "confirm-return", action, { class: "main" }),
      }),
    offers: () => spaces.map((space) => choiceLight(space, space === draft.to, t("solo.return.here"))),
    tap: (space) => spaces.includes(space) && redraft({ to: space }),
  };
}

// What the planned route, shot or end of turn would cost.
export function costList({ picture, draft }) {
  const { foresight } = picture;
  const lines = draft.path?.length
    ? moveCosts(foresight, draft.path)
    : draft.target
      ? shotCosts(foresight, draft.target)
      : endCosts(picture);
  return (
    lines.length > 0 &&
    h("ul", { class: "costs", testid: "costs" }, [lines.map(([kind, words]) => h("li", { class: kind }, words))])
  );
}

function moveCosts({ moves }, path) {
  const move = moves.find((it) => it.path.join() === path.join());
  if (!move) return [];
  return [
    move.hits > 0 && ["bad", t("solo.cost.hit")],
    move.update && ["bad", t("solo.cost.update", { sector: tOf("sector", move.update) })],
    !move.hits && !move.update && !move.near && ["good", t("solo.cost.none")],
    move.near && ["bad", t("solo.cost.near")],
  ].filter(Boolean);
}

function shotCosts({ shots }, target) {
  const shot = shots.find((it) => it.target === target);
  if (!shot) return [];
  return [
    shot.rewards.length > 0 && ["good", t("solo.cost.rewards", { rewards: shot.rewards.map(rewardName).join(", ") })],
    shot.drawn.length > 0 && ["bad", t("solo.cost.drawn", { units: unitList(shot.drawn) })],
  ].filter(Boolean);
}

const endCosts = ({ foresight, legal }) =>
  foresight.end && legal.some(({ type }) => type === "end-turn") ? [["bad", t("solo.cost.end")]] : [];
