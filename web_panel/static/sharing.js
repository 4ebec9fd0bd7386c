// The worker that all windows of a browser share: it holds the browser's only stream. A window gets the pictures of the
// viewers that it has asked for, and no others. Nothing is stored: whenever a window comes or goes, the stream is opened
// again, and the table checks every right again.

import { listen } from "/static/listen.js";

const windows = new Map();
let source = null;

function open() {
  source?.close();
  source = null;
  const viewers = [...new Set([...windows.values()].flatMap((it) => it.viewers))];
  if (!viewers.length) return;
  const opened = listen(viewers, (kind, data) => opened === source && tell(kind, data));
  source = opened;
}

function tell(kind, data) {
  if (kind === "error") {
    source.close();
    source = null;
  }
  const viewer = kind === "gone" ? data : data?.viewer;
  for (const [port, { number, viewers }] of windows)
    if (!viewer || viewers.includes(viewer)) port.postMessage({ number, kind, data });
  // Each window asks again by itself.
  if (kind === "error") windows.clear();
}

function follow(port, asked) {
  const before = windows.get(port);
  if (asked.viewers.length) windows.set(port, asked);
  else windows.delete(port);
  if (asked.viewers.length || before) open();
}

self.addEventListener("connect", (/** @type {any} */ { ports: [port] }) => {
  port.onmessage = ({ data }) => follow(port, data);
  // A window that crashed.
  port.addEventListener("close", () => follow(port, { number: 0, viewers: [] }));
});
