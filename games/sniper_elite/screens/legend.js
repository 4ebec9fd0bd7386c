// What stands and lies on the map, for its legend. The words of each are `frame.legend.piece.…` in the catalogues.

import { svg } from "/static/ui.js";
import { cube, dog, mine, mini, reticle } from "./pieces.js";

const trio = (member) => () =>
  svg(
    "g",
    { transform: "scale(0.42)" },
    ["yellow", "red", "black"].map((squad, at) => svg("g", { transform: `translate(${330 * (at - 1)} 0)` }, mini(`${squad}-${member}`))),
  );

export const legend = {
  officer: trio("officer"),
  soldier: trio("1"),
  seen: () => reticle("mini seen"),
  sniper: () => reticle("mini me"),
  cube,
  dog,
  mine,
};
