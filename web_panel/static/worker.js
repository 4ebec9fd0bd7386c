// Stores the page for an unreachable table and the files that it needs, and nothing else: pictures and pages of a game
// must not stay on a phone. The table puts SHELL and KEPT in front of this file.

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(KEPT[0])));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function keep() {
  const shell = await caches.open(SHELL);
  await shell.addAll(KEPT);
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
}

const kept = (path) => caches.match(path).then((answer) => answer || Response.error());
