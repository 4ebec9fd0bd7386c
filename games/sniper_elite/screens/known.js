// What the defenders know of the sniper, in a line that is always visible on the sniper's phone. With it next to a
// plan, the sniper gives nothing away by mistake.

import { miniWord } from "/static/frame.js";
import { list, t } from "/static/texts.js";
import { h, icon } from "/static/ui.js";
import { EYE } from "./possible.js";

// Log entries, besides sightings, that tell something about the sniper's position.
const CLUES = new Set(
  "alerted barked intel attacked spotted swept looted shot-declared distracted objective-completed".split(" "),
);
const SEEN = "revealed";

function knownFacts(view, log) {
  const { miniature, space } = view.sniper;
  const told = log.filter((entry) => entry.public);
  const last = told.findLastIndex(({ type }) => type === SEEN);
  const clues = told.slice(last + 1).filter(({ type }) => CLUES.has(type)).length;
  // The miniature is removed when the sniper's turn begins, but everyone remembers where it stood.
  const gone = last < 0 ? t("known.nowhere") : t("known.before", { sentence: told[last].sentence });
  const here = Boolean(miniature) && miniature === space;
  const beside = Object.keys(view.units).filter((unit) => space && view.units[unit] === space);
  const place = here ? t("known.here", { space }) : miniature ? t("known.seen", { space: miniature }) : gone;
  // A unit on the sniper's space changes nothing for the defenders, but the sniper has to know.
  const met = beside.length > 0 && !here && t("known.met", { units: list(beside.map(miniWord)) });
  return { place, clues, here, met, nothing: last < 0 && !miniature && !clues && !met };
}

export function knownLine(view, log, open, onclick) {
  const { place, clues, here, met, nothing } = knownFacts(view, log);
  const look = `known-line ${here || met ? "here" : ""} ${nothing ? "nothing" : ""}`;
  return h("button", { class: look, "aria-expanded": open, testid: "known-line", onclick }, [
    icon(EYE),
    h("span", {}, [
      met ? h("b", { testid: "met" }, met, " ") : place,
      clues > 0 && h("small", {}, ` ${t("known.clues", { number: clues })}`),
    ]),
  ]);
}
