// Lets the browser store the page for an unreachable table. This works only on trusted addresses (https or this
// machine); elsewhere only the connection strip reports it.

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => {});
