// Lets the browser keep the page that says that the table is away. Browsers do so only for addresses that they trust:
// https, or this machine itself. Elsewhere the strip of a lost line has to do.

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => {});
