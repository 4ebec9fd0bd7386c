// A button that is made anew under a finger is not pressed: what would repaint a page waits until the finger is off.

// Nobody presses longer who does not rest on the glass.
const LONGEST_MS = 1000;
// After a finger is off, a browser may still think about whether that was a tap.
const TAP_MS = 100;
const PRESSED = "button, a, label, summary";

const waiting = [];
let alarm = 0;

// Does `work` now, or in its turn once no button is pressed.
export function unpressed(work) {
  if (alarm) waiting.push(work);
  else work();
}

function hold(ms) {
  clearTimeout(alarm);
  alarm = setTimeout(release, ms);
}

function release() {
  alarm = 0;
  for (const work of waiting.splice(0)) unpressed(work);
}

window.addEventListener("pointerdown", ({ button, target }) => {
  if (button === 0 && target.closest(PRESSED)) hold(LONGEST_MS);
});
window.addEventListener("click", () => alarm && hold(0));
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => alarm && hold(TAP_MS));
