// The page's line to the table. All windows of a browser share one connection through a worker (`sharing.js`), because
// browsers open only six; a browser without shared workers opens one for each window.

import { listen } from "./listen.js";

let worker = null;
let broken = !("SharedWorker" in window);
let told = null;
let number = 0;

function connect() {
  worker = new SharedWorker("/sharing.js", { type: "module" });
  worker.onerror = () => {
    broken = true;
    told?.("error");
  };
  worker.port.onmessage = ({ data }) => data.number === number && told?.(data.kind, data.data);
}

// Opens the line; an earlier one of this page has to be closed. For `hear`, see `listen`.
/** @type {(viewers: string[], hear: (kind: string, data?: any) => any) => { close: () => void }} */
export function openLine(viewers, hear) {
  if (broken) return listen(viewers, hear);
  if (!worker) connect();
  const mine = (number += 1);
  told = hear;
  worker.port.postMessage({ number, viewers });
  return { close: () => mine === number && worker.port.postMessage({ number: (number += 1), viewers: [] }) };
}
