// The stream from the table, with the pictures of several viewers. Browsers open only six connections, so all
// windows of a browser share one through a worker, which is this module, too; a browser without shared workers opens a
// stream for each window.

// `told(kind, data)` gets every "picture", "beat", "gone" (with the viewer that this browser may not see any more) and
// "error". A worker names the language of its pages.
/** @type {(viewers: string[], told: (kind: string, data?: any) => any, language?: string) => { close: () => void }} */
function openSource(viewers, told, language = "") {
  const source = new EventSource(`/api/stream/${viewers.join(",")}${language && `?speak=${language}`}`);
  source.onmessage = ({ data }) => told("picture", JSON.parse(data));
  source.addEventListener("beat", () => told("beat"));
  source.addEventListener("gone", ({ data }) => told("gone", viewers.includes(data) ? data : viewers[0]));
  source.onerror = () => told("error");
  return source;
}

// --- in a window --------------------------------------------------------------------------------------------------

let worker = null;
let broken = !("SharedWorker" in self);
let told = null;
let number = 0;

// There is a worker for each language, which is its name.
function connect() {
  worker = new SharedWorker(import.meta.url, { type: "module", name: document.documentElement.lang });
  worker.onerror = () => {
    broken = true;
    told?.("error");
  };
  worker.port.onmessage = ({ data }) => data.number === number && told?.(data.kind, data.data);
}

// Opens the stream; an earlier one of this page has to be closed.
/** @type {(viewers: string[], hear: (kind: string, data?: any) => any) => { close: () => void }} */
export function openStream(viewers, hear) {
  if (broken) return openSource(viewers, hear);
  if (!worker) connect();
  const mine = (number += 1);
  told = hear;
  worker.port.postMessage({ number, viewers });
  return { close: () => mine === number && worker.port.postMessage({ number: (number += 1), viewers: [] }) };
}

// --- in the worker ------------------------------------------------------------------------------------------------

// A window gets only the pictures of the viewers that it has requested. Nothing is stored: whenever a window opens or
// closes, the stream is opened again, and the table checks all rights again.
const windows = new Map();
let source = null;

function reopen() {
  source?.close();
  source = null;
  const viewers = [...new Set([...windows.values()].flatMap((it) => it.viewers))];
  if (!viewers.length) return;
  const opened = openSource(viewers, (kind, data) => opened === source && forward(kind, data), self.name);
  source = opened;
}

function forward(kind, data) {
  const viewer = kind === "gone" ? data : data?.viewer;
  const asked = [...windows];
  if (kind === "error") {
    source.close();
    source = null;
    windows.clear(); // each window retries by itself
  }
  for (const [port, { number, viewers }] of asked)
    if (!viewer || viewers.includes(viewer)) port.postMessage({ number, kind, data });
}

function setViewers(port, asked) {
  const before = windows.delete(port);
  if (asked.viewers.length) windows.set(port, asked);
  if (asked.viewers.length || before) reopen();
}

self.addEventListener("connect", (/** @type {any} */ { ports: [port] }) => {
  port.onmessage = ({ data }) => setViewers(port, data);
  // The window has crashed.
  port.addEventListener("close", () => setViewers(port, { viewers: [] }));
});
