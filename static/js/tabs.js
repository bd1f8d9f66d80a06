// Browsers give a plain-HTTP origin six connections. So that the seventh tab
// loads too, only the few visible tabs used last hold a stream; this module
// says whether this one is among them.
colloquy.tabs = (() => {
  "use strict";

  const KEEP = 4; // streams; two connections stay free for everything else
  const BEAT = 5000; // ms between signs of life
  const GONE = 3 * BEAT;

  const id = colloquy.random();
  const others = new Map();
  const listeners = [];
  const channel = window.BroadcastChannel && document.getElementById("stream") ? new BroadcastChannel("colloquy-tabs") : null;
  let used = Date.now();

  function tell(extra) {
    if (channel) channel.postMessage({ id, used, visible: !document.hidden, ...extra });
  }

  // mine reports whether this tab may hold a stream.
  function mine() {
    const now = Date.now();
    let before = 0;
    for (const [key, tab] of others) {
      if (now - tab.seen > GONE) others.delete(key);
      else if (tab.visible && (tab.used > used || (tab.used === used && key > id))) before++;
    }
    return before < KEEP;
  }

  function changed() {
    for (const listener of listeners) listener();
  }

  // use says that a person uses this tab.
  function use() {
    const now = Date.now();
    if (now - used < 1000 && mine()) return;
    used = now;
    tell();
    changed();
  }

  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data.gone) others.delete(data.id);
      else others.set(data.id, { used: data.used, visible: data.visible, seen: Date.now() });
      if (data.hello) tell();
      changed();
    };
    tell({ hello: true });
    setInterval(() => {
      tell();
      changed();
    }, BEAT);
    for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) addEventListener(name, use, { passive: true, capture: true });
    addEventListener("focus", use);
    addEventListener("pagehide", () => tell({ gone: true }));
    addEventListener("pageshow", (event) => event.persisted && tell({ hello: true }));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) used = Date.now();
      tell();
      changed();
    });
  }

  return { mine, use, onchange: (listener) => listeners.push(listener) };
})();
