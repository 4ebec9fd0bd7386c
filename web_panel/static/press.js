// Delays repaints while a button is pressed: a button replaced under a finger would not be clicked.

// The longest press; after it, a finger is only resting.
const LONGEST_MS = 1000;
// After a finger is lifted, the browser may still decide whether it was a tap.
const TAP_MS = 100;
const PRESSED = "button, a, label, summary";

const waiting = [];
let alarm = 0;

// Runs `work` now, or in order once no button is pressed.
export function whenReleased(work) {
  if (alarm) waiting.push(work);
  else work();
}

function hold(ms) {
  clearTimeout(alarm);
  alarm = setTimeout(release, ms);
}

function release() {
  alarm = 0;
  for (const work of waiting.splice(0)) whenReleased(work);
}

window.addEventListener("pointerdown", (/** @type {any} */ { button, target }) => {
  if (button === 0 && target.closest(PRESSED)) hold(LONGEST_MS);
});
window.addEventListener("click", () => alarm && hold(0));
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => alarm && hold(TAP_MS));
