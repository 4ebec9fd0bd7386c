// Set-up for three and more players: a start, whom to hunt, and a Hideout for one's own Leader.

import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { playerName, t, tOf } from "/static/texts.js";
import { button, chips, h, headline } from "/static/ui.js";
import { badge, numberOf } from "./pieces.js";

// The choice as seen by the page; `draft.choice` is the chosen Hideout or player.
export function choosing({ picture, draft, seat, redraft, news }) {
  const { legal, view, seats } = picture;
  const of = (choice) => legal.find(({ space, seat: prey }) => (space ?? prey) === choice);
  const action = of(draft.choice);
  const choose = (choice) => redraft(draft.choice === choice ? {} : { choice });
  const spaces = legal.map(({ space }) => space).filter(Boolean);
  return {
    dock: () =>
      actionPanel(
        [
          headline(tOf("sa.setup", view.setup)),
          view.setup === "target" && preys(legal, seats, draft.choice, choose),
          h("p", { class: "ask" }, tOf("sa.setup.more", view.setup)),
          // On a phone the Hideouts on the map are smaller than a fingertip.
          spaces.length > 0 && hideouts(tOf("sa.setup", view.setup), spaces, draft.choice, choose),
        ],
        { report: news(), foot: actionButton(seat, sure(view, action, seats), "confirm", action, { class: "main" }) },
      ),
    offers: () => spaces.map((space) => choiceLight(space, space === draft.choice, t("sa.setup.hideout"))),
    tap: (space) => {
      if (!spaces.includes(space)) return redraft({});
      return draft.choice === space ? seat.act(action) : choose(space);
    },
    places: () => spaces,
  };
}

const sure = ({ setup }, action, seats) =>
  action ? tOf("sa.setup.sure", setup, values(action, seats)) : t("sa.setup.none");

const values = ({ space, seat }, seats) => ({ space, player: seat && playerName(seats, seat) });

const hideouts = (title, spaces, chosen, choose) =>
  h("div", { class: "hideouts" }, [
    chips(
      title,
      spaces.map((space) => [space, `hideout-${space}`, space]),
      chosen ?? null,
      choose,
    ),
  ]);

const preys = (legal, seats, chosen, choose) =>
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
