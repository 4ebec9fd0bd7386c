// What is on the map, for its legend. The texts are `frame.legend.piece.…` in the catalogues.

import { distanceSign } from "/static/scene.js";
import { svg } from "/static/ui.js";
import { cube, dog, earArcs, minePiece, mini, reticle } from "./pieces.js";
import { searchMark, missMark, seenMark } from "./recap.js";

const trio = (member) => () =>
  svg("g", { transform: "scale(0.42)" }, [
    ["yellow", "red", "black"].map((squad, at) =>
      svg("g", { transform: `translate(${330 * (at - 1)} 0)` }, mini(`${squad}-${member}`)),
    ),
  ]);

// One line for each squad, in the style of a line on the map.
const squadLines = (look) => () =>
  ["yellow", "red", "black"].map((squad, at) =>
    svg("path", { class: `${look} ${squad}`, d: `M-150 ${(at - 1) * 95}H150` }),
  );

export const legend = {
  officer: trio("officer"),
  soldier: trio("1"),
  distance: () => distanceSign(3),
  seen: () => reticle("mini seen"),
  sniper: () => reticle("mini me"),
  cube,
  dog,
  mine: minePiece,
  moved: squadLines("trail"),
  heard: () => svg("g", { transform: "scale(0.55)" }, mini("red-1"), earArcs()),
  searched: searchMark,
  "seen-here": seenMark,
  intel: squadLines("intel"),
  "intel-not": () => svg("g", { transform: "scale(0.6)" }, missMark("red")),
};
