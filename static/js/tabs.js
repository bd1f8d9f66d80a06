// Browsers open at most six HTTP/1.1 connections to an origin. So that a seventh tab
// still loads, only the visible tabs that were used last hold a stream. This module
// says whether this tab is one of them.
colloquy.tabs = (() => {
  "use strict";

  const MAX_STREAMS = 4; // two connections stay free for other requests
  const HEARTBEAT = 5000; // ms between messages of a tab to the others
  const TAB_TIMEOUT = 3 * HEARTBEAT;

  const id = colloquy.random();
  const others = new Map();
  const listeners = [];
  const hasStream = window.BroadcastChannel && document.getElementById("stream");
  const channel = hasStream ? new BroadcastChannel("colloquy-tabs") : null;
  let used = Date.now(); // when a person last used this tab

  // send tells the other tabs the state of this one.
  function send(extra) {
    if (channel) channel.postMessage({ id, used, visible: !document.hidden, ...extra });
  }

  // mayStream reports whether this tab may hold a stream.
  function mayStream() {
    const now = Date.now();
    let before = 0;
    for (const [key, tab] of others) {
      if (now - tab.seen > TAB_TIMEOUT) others.delete(key);
      else if (tab.visible && (tab.used > used || (tab.used === used && key > id))) before++;
    }
    return before < MAX_STREAMS;
  }

  function notifyListeners() {
    for (const listener of listeners) listener();
  }

  // markUsed records that a person uses this tab.
  function markUsed() {
    const now = Date.now();
    if (now - used < 1000 && mayStream()) return;
    used = now;
    send();
    notifyListeners();
  }

  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data.gone) others.delete(data.id);
      else others.set(data.id, { used: data.used, visible: data.visible, seen: Date.now() });
      if (data.hello) send();
      notifyListeners();
    };
    send({ hello: true });
    setInterval(() => {
      send();
      notifyListeners();
    }, HEARTBEAT);
    for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) {
      addEventListener(name, markUsed, { passive: true, capture: true });
    }
    addEventListener("focus", markUsed);
    addEventListener("pagehide", () => send({ gone: true }));
    addEventListener("pageshow", (event) => event.persisted && send({ hello: true }));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) used = Date.now();
      send();
      notifyListeners();
    });
  }

  return { mayStream, markUsed, onchange: (listener) => listeners.push(listener) };
})();
