// The stream of a session: when to hold one, what its state is, and what its
// control frames mean. The state of the stream is never that of the run: only
// the cards say how a run stands.
//
// htmx's hx-sse extension reads the stream and swaps the patches. Each
// connection gets an element of its own, so that an old one can never speak
// for a new one; waiting and retrying happen here.
(() => {
  "use strict";

  const placed = document.getElementById("stream");
  if (!placed || !window.htmx) return;

  const READY = 15000; // ms until "connected" has to come, the first time
  const AGAIN = 6000; // the same on a retry
  const FIRST = 500; // before the first retry; doubles
  const TRIES = 5;
  const SLOW = 7000; // between tries after the last of these
  const STEADY = 5000; // a connection that lived so long counts as progress
  const HUSH = 1000; // of silence while a run is on, before the server is asked whether it is there
  const QUIET = 40000; // of silence at any time; a heartbeat comes every 15 s
  const PROBE = 1500;

  const address = placed.dataset.address;
  const pill = document.getElementById("link");
  const words = document.getElementById("link-words");
  const button = document.getElementById("reconnect");

  let cursor = Number(placed.dataset.after) || 0;
  let current = null; // the connection, open or opening
  let attempt = 0;
  let timer = 0; // of the next try
  let finished = false;

  // htmx looks at the page once this script has run: it must not connect by itself.
  placed.setAttribute("hx-trigger", "colloquy:connect");
  placed.removeAttribute("hx-sse:connect");

  const texts = {
    connecting: () => "Connecting…",
    live: () => "Live",
    reconnecting: () => (navigator.onLine ? "Connection lost" : "This device is offline") + `. Trying again, ${attempt} of ${TRIES}`,
    interrupted: () => "No connection to the server",
    paused: () => "Paused until this tab is used",
    closed: (why) => why || "This session was deleted",
    ended: () => "At the end",
  };

  function show(state, why) {
    document.documentElement.dataset.link = state;
    if (state === "connected") document.dispatchEvent(new CustomEvent("colloquy:connected"));
    if (!pill) return;
    pill.dataset.link = state;
    const text = texts[state](why);
    if (words.textContent !== text) words.textContent = text;
    button.hidden = state !== "interrupted";
  }

  const wanted = () => !finished && !document.hidden && colloquy.tabs.mine();

  // settle opens, keeps or lets go of the stream, as the tab is used.
  function settle() {
    if (finished) return;
    if (!wanted()) {
      stop();
      attempt = 0;
      show("paused");
    } else if (!current && !timer) {
      if (document.documentElement.dataset.link !== "interrupted") show("connecting");
      connect();
    }
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    if (current) close(current);
    current = null;
  }

  function connect() {
    stop();
    const element = placed.cloneNode(false);
    const c = { element, heard: performance.now(), ready: 0, moved: false, status: 0, sse: null, probed: 0, patience: 1, timer: 0 };
    current = c;
    element.removeAttribute("data-htmx-powered");
    element.setAttribute("hx-sse:connect", address + (address.includes("?") ? "&" : "?") + "after=" + cursor);
    element.setAttribute("hx-config", '{"sse":{"reconnect":false,"pauseOnBackground":false,"connectTimeout":0}}');
    listen(c);
    document.getElementById("stream").replaceWith(element);
    htmx.process(element);
    c.timer = setTimeout(() => lost(c), attempt ? AGAIN : READY);
    htmx.trigger(element, "colloquy:connect", {}, false);
  }

  // close ends a connection for good: the element leaves the page first, which
  // ends the extension's loop, then the request is given up.
  function close(c) {
    clearTimeout(c.timer);
    if (c.element.isConnected) {
      const bare = placed.cloneNode(false);
      c.element.replaceWith(bare);
    }
    c.abort?.abort();
  }

  function listen(c) {
    const on = (name, handler) => c.element.addEventListener(name, (event) => c === current && handler(event.detail));
    on("htmx:config:request", ({ ctx }) => {
      ctx.fetch = (url, options) => fetched(c, url, options);
    });
    on("htmx:sse:before:connection", ({ connection }) => {
      c.sse = connection;
    });
    on("htmx:finally:request", () => c.sse || lost(c));
    on("htmx:sse:close", () => lost(c));
    on("htmx:sse:after:message", ({ message }) => {
      if (!message.event) moved(c, Number(message.id));
      announce();
    });
    on("connected", () => {
      clearTimeout(c.timer);
      c.ready = performance.now();
      show("live");
    });
    on("caught_up", ({ data }) => moved(c, parsed(data).cursor));
    on("reset", reload);
    on("startup_error", ({ data }) => {
      colloquy.toast(parsed(data).message || colloquy.sentences[503]);
      lost(c);
    });
    on("bye", ({ data }) => bye(c, parsed(data).reason));
  }

  function parsed(data) {
    try {
      return JSON.parse(data) || {};
    } catch {
      return {};
    }
  }

  // fetched opens the stream and listens in on its bytes, heartbeats included.
  // It never fails: htmx would write what a person is told anyway into the console.
  async function fetched(c, url, options) {
    c.abort = new AbortController();
    let answer;
    try {
      answer = await fetch(url, { ...options, signal: c.abort.signal });
    } catch {
      return new Response("", { status: 503 });
    }
    c.status = answer.redirected ? 401 : answer.status; // only a missing login leads elsewhere
    c.heard = performance.now();
    if (!answer.ok || !answer.body || !(answer.headers.get("Content-Type") || "").includes("text/event-stream")) return answer;
    return new Response(overheard(c, answer.body.getReader()), { status: answer.status, headers: answer.headers });
  }

  function overheard(c, reader) {
    return new ReadableStream({
      async pull(out) {
        try {
          const { done, value } = await reader.read();
          if (done) return out.close();
          c.heard = performance.now();
          c.patience = 1;
          out.enqueue(value);
        } catch {
          out.close();
        }
      },
      cancel: () => reader.cancel().catch(() => {}),
    });
  }

  function moved(c, to) {
    if (!(to > cursor)) return;
    cursor = to;
    c.moved = true;
    attempt = 0;
    for (const link of document.querySelectorAll("a[data-at-link]")) {
      link.href = link.href.replace(/at=\d+/, "at=" + cursor);
    }
  }

  // lost is called once a connection is over, for whatever reason.
  function lost(c) {
    if (c !== current) return;
    if (c.ready && performance.now() - c.ready > STEADY) attempt = 0;
    current = null;
    close(c);
    if (c.status === 401) return colloquy.toLogin();
    if (c.status === 404 || c.status === 410 || c.status === 403) return finish("closed");
    if (c.status === 204) return finish("ended");
    if (!wanted()) return settle();
    retry();
  }

  function retry() {
    attempt++;
    let wait = SLOW;
    if (attempt <= TRIES) {
      wait = FIRST * 2 ** (attempt - 1);
      show("reconnecting");
    } else {
      show("interrupted");
    }
    timer = setTimeout(() => {
      timer = 0;
      connect();
    }, wait);
  }

  function finish(state, why) {
    finished = true;
    stop();
    show(state, why);
  }

  function bye(c, reason) {
    if (reason === "logout") {
      finish("closed", "Signed out");
      return colloquy.toLogin();
    }
    if (reason === "deleted") return finish("closed");
    if (reason === "end") return finish("ended");
    lost(c);
  }

  // reload starts from a fresh page, where the log is no longer the one this page knows.
  function reload() {
    const key = "colloquy-reload";
    const last = Number(sessionStorage.getItem(key)) || 0;
    if (Date.now() - last < 5000) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  }

  function now() {
    attempt = 0;
    clearTimeout(timer);
    timer = 0;
    if (current) return;
    document.documentElement.dataset.link = "";
    settle();
  }

  const running = () => document.querySelector('.card-foot[data-state="running"]') !== null;

  // A cut that sends no sign is found by silence: while a run is on, a second
  // without a byte is reason to ask whether the server is there.
  setInterval(() => {
    const c = current;
    if (!c || !c.ready) return;
    const time = performance.now();
    const silent = time - c.heard;
    if (silent > QUIET) return lost(c);
    if (silent > HUSH && running() && time - c.probed > c.patience * HUSH) probe(c);
  }, 250);

  async function probe(c) {
    const asked = performance.now();
    c.probed = asked + PROBE;
    c.patience = Math.min(c.patience * 2, 15);
    const limit = new AbortController();
    const clock = setTimeout(() => limit.abort(), PROBE);
    try {
      await fetch("/healthz", { cache: "no-store", signal: limit.signal });
      c.probed = performance.now();
    } catch {
      if (c.heard < asked) lost(c);
    } finally {
      clearTimeout(clock);
    }
  }

  // Screen readers hear who has finished and how a run ended, not every word.
  const floors = new Map();
  const states = new Map();
  let told = 0;
  function announce() {
    if (!told) told = requestAnimationFrame(look);
  }
  function look() {
    told = 0;
    for (const card of [...document.querySelectorAll("#exchanges > .card")].slice(-2)) {
      for (const head of card.querySelectorAll(".window-head")) {
        const floor = head.dataset.floor;
        const was = floors.get(head.id);
        floors.set(head.id, floor);
        if (was && was !== "closed" && floor === "closed") colloquy.say(head.querySelector(".name").textContent + " has finished.");
      }
      const foot = card.querySelector(".card-foot");
      const state = foot && foot.dataset.state;
      const was = states.get(card.id);
      states.set(card.id, state);
      if (was && was !== state && state !== "running") colloquy.say(foot.querySelector(".verdict-words b").textContent + ".");
    }
  }
  look();

  button?.addEventListener("click", now);
  addEventListener("online", now);
  addEventListener("offline", () => current && probe(current));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && settle());
  document.addEventListener("visibilitychange", settle);
  document.addEventListener("colloquy:sent", now);
  colloquy.tabs.onchange(settle);
  settle();
})();
