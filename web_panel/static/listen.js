// Listens to the table: one stream with the pictures of several viewers. For pages and for the shared worker.

// `told(kind, data)` gets every "picture", "beat", "gone" (with the viewer that this browser may not see any more) and
// "error".
/** @type {(viewers: string[], told: (kind: string, data?: any) => any) => { close: () => void }} */
export function listen(viewers, told) {
  const source = new EventSource(`/api/stream/${viewers.join(",")}`);
  source.onmessage = ({ data }) => told("picture", JSON.parse(data));
  source.addEventListener("beat", () => told("beat"));
  source.addEventListener("gone", ({ data }) => told("gone", viewers.includes(data) ? data : viewers[0]));
  source.onerror = () => told("error");
  return source;
}
