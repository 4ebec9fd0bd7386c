"""Checks of a page in a browser: what axe finds, contrast where it cannot judge that, and what is out of reach."""

from __future__ import annotations

from collections.abc import Collection

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.web_panel.room import expect_value

SIZES = ((360, 640), (740, 360), (1280, 720), (360, 740), (390, 844), (768, 1024), (1920, 1080))
"""Phones, a tablet and screens; tests by day use the first ones."""

FITS = "document.documentElement.scrollWidth <= innerWidth"
"""Whether the page needs no sideways scrolling."""

PALE = """() => {
  const colours = (text) => [...text.matchAll(/rgba?\\(([^)]+)\\)/g)]
    .map(([, parts]) => parts.split(/[\\s,/]+/).map(Number))
    .map(([r, g, b, a = 1]) => [r, g, b, a]);
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  const each = (found) => [...new Map(found.map((it) => [String(it), it])).values()];
  const behind = (element) => {
    if (!element) return [[8, 11, 13]];
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const [plain] = colours(backgroundColor);
    const under = plain[3] === 1 ? [plain.slice(0, 3)] : behind(element.parentElement).map((it) => over(plain, it));
    const stops = colours(backgroundImage);
    return each(stops.length ? stops.flatMap((stop) => under.map((it) => over(stop, it))) : under);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((it) => it / 255)
      .map((it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
    return (more + 0.05) / (less + 0.05);
  };
  const faint = (element) => element ? Number(getComputedStyle(element).opacity) * faint(element.parentElement) : 1;
  const off = (element) => element.closest(":disabled, [aria-disabled=true], svg, .skip, label:has(:disabled)");
  const said = document.createTreeWalker(document.querySelector("dialog") || document.body, NodeFilter.SHOW_TEXT);
  const pale = new Set();
  while (said.nextNode()) {
    const [element, words] = [said.currentNode.parentElement, said.currentNode.data.trim()];
    if (!words || off(element) || !element.checkVisibility({ visibilityProperty: true }) || !faint(element)) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const enough = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const [r, g, b, a] = colours(style.color)[0];
    const found = Math.min(...behind(element).map((it) => contrast(over([r, g, b, a * faint(element)], it), it)));
    if (found < enough) pale.add(`${found.toFixed(2)}: ${element.className || element.tagName}: ${words}`);
  }
  return [...pale];
}"""
"""Texts with contrast below AA, including the worst stop of a gradient and faded text; disabled controls are exempt,
and what is not seen at all until it is pointed at."""

OUT_OF_REACH = """() => {
  const slides = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) &&
    element.scrollWidth > element.clientWidth || slides(element.parentElement));
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
  const things = [...document.querySelectorAll("button, a, input, summary, h1, h2, p")]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest(".skip, .unseen, svg"))
    .filter((it) => !slides(it.parentElement));
  const cut = things.filter((it) => {
    const { left, right } = it.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1;
  });
  const slots = [...document.querySelectorAll(".controls, .dock, .drawer, #hud, #strip, main, footer, .tabs, .tray")];
  const tight = slots.filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1);
  return [...wide, ...cut.map((it) => `cut: ${it.outerHTML.slice(0, 90)}`),
    ...tight.map((it) => `too tight for what is in it: ${it.outerHTML.slice(0, 60)}`)];
}"""
"""Content that needs sideways scrolling, except in rows that are made to scroll."""

MISFITS = """(fold) => {
  const EXPANDS = ".report:not([open]) > summary small"; // ends with an ellipsis
  const seen = (it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (it) => `${it.dataset?.testid || it.className || it.tagName}: ${it.textContent.trim().slice(0, 40)}`;
  const flows = (style) => /auto|scroll/.test(style);
  // The part of a rectangle that its scrolling and clipping ancestors show.
  const shown = (element, { left, top, right, bottom }) => {
    for (let it = element; it && it !== document.body; it = it.parentElement) {
      const style = getComputedStyle(it);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const box = it.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const slides = (it) => it && (flows(getComputedStyle(it).overflowX) && it.scrollWidth > it.clientWidth ||
    slides(it.parentElement));
  const rolls = (it) => it && (flows(getComputedStyle(it).overflowY) && it.scrollHeight > it.clientHeight + 1 ||
    rolls(it.parentElement));
  const root = document.querySelector("dialog") || document.querySelector(".cockpit") || document.body;
  const found = [];
  const acts = [...root.querySelectorAll("button:enabled, select, summary, input:enabled, .button")]
    .filter((it) => seen(it) && !it.closest(".rule-link, .unseen, .map-frame svg"));
  for (const it of acts) {
    const box = (it.closest("label") || it).getBoundingClientRect();
    if (Math.min(box.width, box.height) < 43.5)
      found.push(`small ${Math.round(box.width)}x${Math.round(box.height)}: ${name(it)}`);
    const part = shown(it, box);
    const cut = box.right - part.right > 1 || part.left - box.left > 1 || box.right > innerWidth + 1;
    const below = box.bottom - part.bottom > 1 || part.top - box.top > 1 || box.bottom > innerHeight + 1;
    if (cut && !slides(it)) found.push(`cut: ${name(it)}`);
    if (below && (!rolls(it) || (fold && it.closest(".dock") && !it.closest(".cards, .fold, .report"))))
      found.push(`below the fold: ${name(it)}`);
    const body = it.closest(".panel-body:not(.more)");
    if (body && box.bottom > body.getBoundingClientRect().bottom + 2 && rolls(it))
      found.push(`below the fold without a sign: ${name(it)}`);
  }
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, it] = [walker.currentNode, walker.currentNode.parentElement];
    if (!node.data.trim() || !seen(it) || it.closest("svg, .unseen, .skip, option, .drawer")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    for (const rect of rects) {
      const part = shown(it, rect);
      const [wide, high] = [part.right - part.left, part.bottom - part.top];
      const away = wide <= 1 || high <= 1;
      if (rect.right > innerWidth + 1 || rect.left < -1) found.push(`off the screen: ${name(it)}`);
      else if (!slides(it) && rect.width - Math.max(0, wide) > 1.5) found.push(`clipped: ${name(it)}`);
      else if (!rolls(it) && !it.matches(EXPANDS) && rect.height - Math.max(0, high) > 3)
        found.push(`clipped below: ${name(it)}`);
      if (!away) texts.push([node, it, part]);
    }
    // In running text a long word may break where nothing else helps; in labels it may not.
    const words = it.closest("p") ? [] : node.data.matchAll(/\\p{L}{3,}/gu);
    for (const { index, 0: word } of words) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (new Set(parts.map(({ top }) => Math.round(top))).size > 1) found.push(`broken inside a word: ${word}`);
    }
  }
  for (const [i, [node, it, a]] of texts.entries())
    for (const [other, at, b] of texts.slice(i + 1)) {
      if (node === other) continue;
      const over = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (over[0] > 2 && over[1] > 4) found.push(`overlap: ${name(it)} / ${name(at)}`);
    }
  return [...new Set(found)];
}"""
"""Actions that are too small, cut or (with `fold`) need scrolling; texts that are clipped, overlap or break a word."""

OUT_OF_VIEW = """() => {
  const buttons = document.querySelector(".map-buttons").getBoundingClientRect();
  const frame = document.querySelector("#map").getBoundingClientRect();
  return [...document.querySelectorAll(".lit:not(.unit-space)")].filter((it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1 ||
      (right > buttons.left && left < buttons.right && bottom > buttons.top && top < buttons.bottom);
  }).map((it) => it.dataset.space);
}"""
"""The spaces to choose that are off the map's visible part or under its buttons."""

RANKED_IN_SIGHT = """rows => {
  const { top } = document.querySelector(".dock > .after-game").getBoundingClientRect();
  return [...document.querySelectorAll(rows)].filter((row) => row.getBoundingClientRect().top + 24 <= top).length;
}"""
"""Return how many rows of a ranking have their first line above the buttons at the end of a game."""

AXE = """async ([within, contrast]) => {
  const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast } } };
  const { violations } = await axe.run(within, options);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 120)}`));
}"""
EXCEPT_MAP = {"exclude": [["#map .view > svg"]]}
"""The drawing of the map is hidden from screen readers. The acts it offers are listed next to it and are checked."""


def expect_readable(page: Page, where: object, within: object = EXCEPT_MAP, *, contrast: bool = False) -> None:
    """Check a page, or what is `within`, for screen readers."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT + ";0")
    expect_value(page, AXE, [], [within, contrast], where=where)


def expect_no_faults(page: Page, scene: str, widths: Collection[int], read_at: Collection[int]) -> None:
    """Check a page at every width for reach and contrast, and at some for screen readers."""
    before = page.viewport_size
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        for faults in (OUT_OF_REACH, PALE):
            expect_value(page, faults, [], where=(scene, width))
        if width in read_at:
            expect_readable(page, (scene, width))
    assert before is not None
    page.set_viewport_size(before)
