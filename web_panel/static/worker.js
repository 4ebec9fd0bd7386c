// Stores the page for an unreachable table and the files that it needs, and nothing else: pictures and pages of a game
// must not stay on a phone. The table prepends SHELL and KEPT to this file.

self.addEventListener("install", (event) => {
  event.waitUntil(storeFiles().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => fromCache(KEPT[0])));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => fromCache(pathname)));
});

async function storeFiles() {
  const shell = await caches.open(SHELL);
  await shell.addAll(KEPT);
}

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
}

const fromCache = (path) => caches.match(path).then((answer) => answer || Response.error());
