// Set-up for three and more players: a start, whom to hunt, and a Hideout for one's own Leader.

import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { playerName, t, tOf } from "/static/texts.js";
import { button, chips, h, headline } from "/static/ui.js";
import { badge, numberOf } from "./pieces.js";
import { hunterOf } from "./players.js";

// The choice as seen by the page; `draft.choice` is the chosen Hideout or player.
export function setupPart({ picture, draft, seat, redraft, news }) {
  const { legal, view, seats, foresight } = picture;
  const turns = foresight?.turns ?? {};
  const choices = legal.map((it) => it.space ?? it.seat).filter(Boolean);
  const chosen = choices.length === 1 ? choices[0] : draft.choice;
  const actionFor = (choice) => legal.find((it) => (it.space ?? it.seat) === choice);
  const choose = (choice) => redraft(draft.choice === choice ? {} : { choice });
  const spaces = view.setup === "target" ? [] : choices;
  const hunter = hunterOf(view, seat.name);
  const title = tOf("sa.setup", view.setup);
  return {
    dock: () =>
      actionPanel(
        [
          headline(title),
          view.setup === "target" && preyButtons(choices, picture, chosen, choose),
          h("p", { class: "ask" }, [
            view.setup === "leader" && hunter
              ? t("sa.setup.hunter", { player: playerName(seats, hunter) })
              : tOf("sa.setup.more", view.setup),
          ]),
          // On a phone the Hideouts on the map are smaller than a fingertip.
          spaces.length > 0 && hideoutChips(title, spaces, turns, chosen, choose),
        ],
        {
          report: news(),
          foot: chosen
            ? actionButton(seat, sureLabel(view, actionFor(chosen), seats), "confirm", actionFor(chosen), MAIN)
            : actionButton(seat, t("sa.setup.any"), "any", actionFor(suggestion(choices, turns))),
        },
      ),
    offers: () => spaces.map((space) => choiceLight(space, space === chosen, t("sa.setup.hideout"))),
    tap: (space) => {
      if (!spaces.includes(space)) return redraft({});
      return chosen === space ? seat.act(actionFor(space)) : choose(space);
    },
    places: () => spaces,
  };
}

const MAIN = { class: "main" };

// The Hideout that is furthest from the hunter; without one, any choice.
function suggestion(choices, turns) {
  const most = Math.max(...Object.values(turns));
  const best = choices.filter((it) => !(turns[it] < most));
  return best[Math.floor(Math.random() * best.length)];
}

const sureLabel = ({ setup }, { space, seat }, seats) =>
  tOf("sa.setup.sure", setup, { space, player: seat && playerName(seats, seat) });

const hideoutChips = (title, spaces, turns, chosen, choose) =>
  h("div", { class: "hideouts" }, [
    chips(
      title,
      spaces.map((space) => [space, `hideout-${space}`, chipText(space, turns[space]), { class: `on-${space[0]}` }]),
      chosen ?? null,
      choose,
    ),
  ]);

const chipText = (space, number) => [h("b", {}, space), number && h("small", {}, t("sa.turns", { number }))];

const preyButtons = (choices, { seats, view }, chosen, choose) =>
  h("div", { class: "racers preys" }, [
    choices.map((it) =>
      button(
        [
          badge(`leader-${numberOf(it)}`),
          h("b", {}, playerName(seats, it)),
          h("small", {}, t("sa.setup.starts", { space: view.players[it].start })),
        ],
        `prey-${it}`,
        () => choose(it),
        { class: "racer-button", "aria-pressed": chosen === it },
      ),
    ),
  ]);
