// Draws a whole map in the editor. It sends the events of a mouse and a keyboard, at whole pixels and to the element
// under the pointer, but from inside the page: a round trip for each event would take minutes.
//
// Evaluates to `redraw(document)`, which draws everything of a GeoJSON document on the open sheet.

(() => {
  // Minimum distance in pixels between a corner and the others, so that the right one is pressed.
  const APART = 20;
  // Range of the scale in tenths of a millimetre per pixel: closer, no corner can be pressed; farther, none is exact.
  const [NEAREST, FARTHEST] = [0.04, 0.9];
  const TURN = 120;
  // The zoom factor of one turn of the wheel.
  const STEP = Math.exp(TURN * 0.003);
  // Margin of the sheet in pixels that is kept free, because its buttons are there.
  const BORDER = 80;

  const by = (testid) => document.querySelector(`[data-testid="${testid}"]`);
  const sheet = by("sheet");
  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

  let box = null;

  // Returns the upper left corner of the visible area, and the tenths of a millimetre per pixel.
  function view() {
    const [x, y, w] = sheet.getAttribute("viewBox").split(" ").map(Number);
    return { x, y, scale: w / box.width };
  }

  function pixel([x, y]) {
    const seen = view();
    return [Math.round(box.left + (x - seen.x) / seen.scale), Math.round(box.top + (y - seen.y) / seen.scale)];
  }

  // Returns the element under a pixel. Throws if another part of the page covers the sheet there.
  function under([clientX, clientY]) {
    const target = document.elementFromPoint(clientX, clientY);
    if (!sheet.parentElement.contains(target)) throw new Error(`${clientX}, ${clientY} is not on the sheet`);
    return target;
  }

  function point(target, name, [clientX, clientY], more = {}) {
    target.dispatchEvent(
      new PointerEvent(name, {
        bubbles: true,
        cancelable: true,
        pointerId: 1,
        pointerType: "mouse",
        isPrimary: true,
        clientX,
        clientY,
        ...more,
      }),
    );
  }

  function key(name) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  }

  function turn([clientX, clientY], deltaY) {
    sheet.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX, clientY, deltaY }));
  }

  // Turns the wheel over a pixel until the scale is no more than `most`; returns how often.
  function near(at, most) {
    let turns = 0;
    for (let { scale } = view(); scale > most; scale = view().scale, turns++) {
      if (turns === 40) throw new Error(`the wheel does not zoom to ${most}`);
      turn(at, -TURN);
    }
    return turns;
  }

  // Drags the view with the right button until a place is in the middle; the sheet captures the pointer meanwhile.
  function centre(place) {
    const middle = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
    const there = pixel(place);
    const to = [2 * middle[0] - there[0], 2 * middle[1] - there[1]];
    point(under(middle), "pointerdown", middle, { button: 2, buttons: 2 });
    point(sheet, "pointermove", to, { buttons: 2 });
    point(sheet, "pointerup", to, { button: 2 });
    return middle;
  }

  // Shows points as large as they fit.
  function show(points) {
    const [xs, ys] = [0, 1].map((axis) => points.map((p) => p[axis]));
    const middle = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
    key("0");
    box = sheet.getBoundingClientRect();
    const { width, height } = box;
    const wanted = Math.max(
      (Math.max(...xs) - Math.min(...xs)) / (width - 2 * BORDER),
      (Math.max(...ys) - Math.min(...ys)) / (height - 2 * BORDER),
    );
    near(centre(middle), Math.max(wanted, NEAREST) * STEP);
    centre(middle);
  }

  // Presses a place, zoomed in until none of the `others` is near; with Alt, the place is exact.
  function press(place, others = [], altKey = false) {
    const least = Math.min(...others.filter((it) => apart(it, place) > 0).map((it) => apart(it, place)));
    const turns = near(pixel(place), Math.max(NEAREST, Math.min(FARTHEST, altKey ? NEAREST : least / APART)));
    const at = pixel(place);
    point(sheet, "pointermove", at, { altKey });
    point(under(at), "pointerdown", at, { altKey, buttons: 1 });
    point(sheet, "pointerup", at, { altKey });
    for (let back = 0; back < turns; back++) turn(at, TURN);
  }

  const tool = (name) => by(`tool-${name}`).click();

  function fill(testid, value) {
    const control = by(testid);
    if (control.value === String(value)) return;
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Fills in the side panel for the space that was just drawn.
  function tell(said) {
    for (const name of ["kind", "sector", "area", "objective", "name", "start"])
      if (name in said) fill(`space-${name}`, said[name]);
    for (const name of ["difficult", "under"]) if (said[name]) by(`space-${name}`).click();
    if (by("space-id").value !== said.id) throw new Error(`${said.id} is called ${by("space-id").value}`);
  }

  function mark(name, place) {
    tool(name);
    show([place, [place[0] + 200, place[1] + 200]]);
    press(place);
  }

  return (wanted) => {
    const spaces = wanted.features.filter(({ geometry }) => geometry.type === "Polygon");
    const rings = spaces.map(({ geometry }) => geometry.coordinates[0].slice(0, -1));
    const corners = rings.flat();
    tool("draw");
    for (const [number, { properties }] of spaces.entries()) {
      show(rings[number]);
      for (const place of rings[number]) press(place, corners);
      key("Enter");
      tell(properties);
    }
    for (const { properties } of spaces)
      if (properties.spot) {
        by(`list-${properties.id}`).click();
        tool("spot");
        show([properties.spot, properties.spot.map((it) => it + 200)]);
        press(properties.spot, [], true);
      }
    for (const { properties, geometry } of wanted.features)
      if (geometry.type === "Point") mark(properties.access ?? "entry", geometry.coordinates);
  };
})();
