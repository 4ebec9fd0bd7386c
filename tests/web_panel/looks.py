"""Checks of a page in a browser: contrast where axe cannot judge it, and whether everything is within reach."""

from __future__ import annotations

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
    if (!words || off(element) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const enough = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const [r, g, b, a] = colours(style.color)[0];
    const found = Math.min(...behind(element).map((it) => contrast(over([r, g, b, a * faint(element)], it), it)));
    if (found < enough) pale.add(`${found.toFixed(2)}: ${element.className || element.tagName}: ${words}`);
  }
  return [...pale];
}"""
"""Texts with contrast below AA, including the worst stop of a gradient and faded text; disabled controls are exempt."""

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
