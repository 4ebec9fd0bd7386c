// Set-up for three and more players: a start, whom to hunt, and a Hideout for one's own Leader.

import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { playerName, t, tOf } from "/static/texts.js";
import { button, chips, h, headline } from "/static/ui.js";
import { badge, numberOf } from "./pieces.js";

// The choice as seen by the page; `draft.choice` is the chosen Hideout or player.
export function setupPart({ picture, draft, seat, redraft, news }) {
  const { legal, view, seats } = picture;
  const actionFor = (choice) => legal.find(({ space, seat: prey }) => (space ?? prey) === choice);
  const action = actionFor(draft.choice);
  const choose = (choice) => redraft(draft.choice === choice ? {} : { choice });
  const spaces = legal.map(({ space }) => space).filter(Boolean);
  return {
    dock: () =>
      actionPanel(
        [
          headline(tOf("sa.setup", view.setup)),
          view.setup === "target" && preyButtons(legal, seats, draft.choice, choose),
          h("p", { class: "ask" }, tOf("sa.setup.more", view.setup)),
          // On a phone the Hideouts on the map are smaller than a fingertip.
          spaces.length > 0 && hideoutChips(tOf("sa.setup", view.setup), spaces, draft.choice, choose),
        ],
        {
          report: news(),
          foot: actionButton(seat, confirmLabel(view, action, seats), "confirm", action, { class: "main" }),
        },
      ),
    offers: () => spaces.map((space) => choiceLight(space, space === draft.choice, t("sa.setup.hideout"))),
    tap: (space) => {
      if (!spaces.includes(space)) return redraft({});
      return draft.choice === space ? seat.act(action) : choose(space);
    },
    places: () => spaces,
  };
}

const confirmLabel = ({ setup }, action, seats) =>
  action ? tOf("sa.setup.sure", setup, labelValues(action, seats)) : t("sa.setup.none");

const labelValues = ({ space, seat }, seats) => ({ space, player: seat && playerName(seats, seat) });

const hideoutChips = (title, spaces, chosen, choose) =>
  h("div", { class: "hideouts" }, [
    chips(
      title,
      spaces.map((space) => [space, `hideout-${space}`, space, { class: `on-${space[0]}` }]),
      chosen ?? null,
      choose,
    ),
  ]);

const preyButtons = (legal, seats, chosen, choose) =>
  h("div", { class: "racers preys" }, [
    legal.map(({ seat }) =>
      button(
        [badge(`leader-${numberOf(seat)}`), h("b", {}, playerName(seats, seat))],
        `prey-${seat}`,
        () => choose(seat),
        { class: "racer-button", "aria-pressed": chosen === seat },
      ),
    ),
  ]);
