// The stream of a session: when to connect, how to retry, and what to do with its
// control frames. The state of the stream is not that of the run, which only the
// cards show.
//
// htmx's hx-sse extension reads the stream and swaps the patches. Each connection has
// an element of its own, so that events of an old connection cannot be taken for
// those of a new one. Waiting and retrying happen here.
(() => {
  "use strict";

  const template = document.getElementById("stream"); // cloned for each connection
  if (!template || !window.htmx) return;

  // Times in ms.
  const CONNECT_TIMEOUT = 15000; // until "connected" on the first attempt
  const RETRY_TIMEOUT = 6000; // the same on a retry
  const FIRST_DELAY = 500; // before the first retry; it doubles with each
  const FAST_RETRIES = 5;
  const SLOW_DELAY = 7000; // between the retries after those
  const STABLE = 5000; // after a connection that lasted this long, the retries start anew
  const RUN_SILENCE = 1000; // without a byte during a run, before the server is probed
  const MAX_SILENCE = 40000; // without a byte at any time; a heartbeat comes every 15 s
  const PROBE_TIMEOUT = 1500;

  const address = template.dataset.address;
  const status = document.getElementById("link");
  const statusText = document.getElementById("link-words");
  const button = document.getElementById("reconnect");

  let cursor = Number(template.dataset.after) || 0;
  let current = null; // the connection, open or opening
  let attempt = 0;
  let timer = 0; // of the next attempt
  let finished = false;

  // htmx processes the page after this script and must not connect by itself.
  template.setAttribute("hx-trigger", "colloquy:connect");
  template.removeAttribute("hx-sse:connect");

  const texts = {
    connecting: () => colloquy.text("connecting"),
    live: () => colloquy.text("live"),
    reconnecting: () => {
      const cause = navigator.onLine ? "reconnecting" : "reconnecting_offline";
      return colloquy.text(cause, { Attempt: attempt, Attempts: FAST_RETRIES });
    },
    interrupted: () => colloquy.text("interrupted"),
    paused: () => colloquy.text("paused"),
    closed: (reason) => reason || colloquy.text("deleted"),
    ended: () => colloquy.text("ended"),
  };

  function show(state, reason) {
    document.documentElement.dataset.link = state;
    if (state === "live") document.dispatchEvent(new CustomEvent("colloquy:live"));
    if (!status) return;
    status.dataset.link = state;
    const text = texts[state](reason);
    if (statusText.textContent !== text) statusText.textContent = text;
    button.hidden = state !== "interrupted";
  }

  // shouldStream reports whether this tab should hold a stream now.
  const shouldStream = () => !finished && !document.hidden && colloquy.tabs.mayStream();

  // update connects or disconnects as the tab needs it.
  function update() {
    if (finished) return;
    if (!shouldStream()) {
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
    const element = template.cloneNode(false);
    const c = {
      element,
      abort: null, // AbortController of the request
      status: 0, // of the response
      sse: null, // the extension's connection
      connectedAt: 0,
      lastByteAt: performance.now(),
      probedAt: 0,
      probeInterval: 1, // in RUN_SILENCE; it doubles while the server answers but sends nothing
      timer: 0, // of the timeout until "connected"
    };
    current = c;
    element.removeAttribute("data-htmx-powered");
    element.setAttribute("hx-sse:connect", address + (address.includes("?") ? "&" : "?") + "after=" + cursor);
    element.setAttribute("hx-config", '{"sse":{"reconnect":false,"pauseOnBackground":false,"connectTimeout":0}}');
    listen(c);
    document.getElementById("stream").replaceWith(element);
    htmx.process(element);
    c.timer = setTimeout(() => disconnected(c), attempt ? RETRY_TIMEOUT : CONNECT_TIMEOUT);
    htmx.trigger(element, "colloquy:connect", {}, false);
  }

  // close ends a connection. Removing the element ends the loop of the extension;
  // then the request is aborted.
  function close(c) {
    clearTimeout(c.timer);
    if (c.element.isConnected) c.element.replaceWith(template.cloneNode(false));
    c.abort?.abort();
  }

  function listen(c) {
    const on = (name, handler) => c.element.addEventListener(name, (event) => c === current && handler(event.detail));
    on("htmx:config:request", ({ ctx }) => {
      ctx.fetch = (url, options) => fetchStream(c, url, options);
    });
    on("htmx:sse:before:connection", ({ connection }) => {
      c.sse = connection;
    });
    on("htmx:finally:request", () => c.sse || disconnected(c));
    on("htmx:sse:close", () => disconnected(c));
    on("htmx:sse:after:message", ({ message }) => {
      if (!message.event) setCursor(Number(message.id));
      colloquy.patched();
    });
    on("connected", () => {
      clearTimeout(c.timer);
      c.connectedAt = performance.now();
      show("live");
    });
    on("caught_up", ({ data }) => setCursor(parseData(data).cursor));
    on("reset", reload);
    on("startup_error", ({ data }) => {
      colloquy.toast(parseData(data).message || colloquy.text("error_503"));
      disconnected(c);
    });
    on("bye", ({ data }) => bye(c, parseData(data).reason));
  }

  function parseData(data) {
    try {
      return JSON.parse(data) || {};
    } catch {
      return {};
    }
  }

  // fetchStream opens the stream and notes when bytes arrive, heartbeats included. A
  // failure becomes a 503: htmx would log an exception, and the page shows it anyway.
  async function fetchStream(c, url, options) {
    c.abort = new AbortController();
    let answer;
    try {
      answer = await fetch(url, { ...options, signal: c.abort.signal });
    } catch {
      return new Response("", { status: 503 });
    }
    c.status = answer.redirected ? 401 : answer.status; // the only redirect is that to /login
    c.lastByteAt = performance.now();
    const type = answer.headers.get("Content-Type") || "";
    if (!answer.ok || !answer.body || !type.includes("text/event-stream")) return answer;
    return new Response(watchBytes(c, answer.body.getReader()), { status: answer.status, headers: answer.headers });
  }

  // watchBytes passes on the bytes of reader and records when they arrive.
  function watchBytes(c, reader) {
    return new ReadableStream({
      async pull(out) {
        try {
          const { done, value } = await reader.read();
          if (done) return out.close();
          c.lastByteAt = performance.now();
          c.probeInterval = 1;
          out.enqueue(value);
        } catch {
          out.close();
        }
      },
      cancel: () => reader.cancel().catch(() => {}),
    });
  }

  // setCursor moves the cursor forward, which is also progress for the retries.
  function setCursor(to) {
    if (!(to > cursor)) return;
    cursor = to;
    attempt = 0;
    for (const link of document.querySelectorAll("a[data-at-link]")) {
      link.href = link.href.replace(/at=\d+/, "at=" + cursor);
    }
  }

  // disconnected handles the end of a connection, whatever its cause.
  function disconnected(c) {
    if (c !== current) return;
    if (c.connectedAt && performance.now() - c.connectedAt > STABLE) attempt = 0;
    current = null;
    close(c);
    if (c.status === 401) return colloquy.toLogin();
    if (c.status === 404 || c.status === 410 || c.status === 403) return finish("closed");
    if (c.status === 204) return finish("ended");
    if (!shouldStream()) return update();
    retry();
  }

  function retry() {
    attempt++;
    let delay = SLOW_DELAY;
    if (attempt <= FAST_RETRIES) {
      delay = FIRST_DELAY * 2 ** (attempt - 1);
      show("reconnecting");
    } else {
      show("interrupted");
    }
    timer = setTimeout(() => {
      timer = 0;
      connect();
    }, delay);
  }

  function finish(state, reason) {
    finished = true;
    stop();
    show(state, reason);
  }

  function bye(c, reason) {
    if (reason === "logout") {
      finish("closed", colloquy.text("signed_out"));
      return colloquy.toLogin();
    }
    if (reason === "expired" || reason === "revoked") return finish("closed", colloquy.text("link_ended"));
    if (reason === "deleted") return finish("closed");
    if (reason === "end") return finish("ended");
    disconnected(c);
  }

  // reload gets a new page after a reset: the log is not the one that this page shows.
  // It reloads at most once in five seconds.
  function reload() {
    const key = "colloquy-reload";
    const last = Number(sessionStorage.getItem(key)) || 0;
    if (Date.now() - last < 5000) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  }

  // reconnect tries at once, with a new count of retries.
  function reconnect() {
    attempt = 0;
    clearTimeout(timer);
    timer = 0;
    if (current) return;
    document.documentElement.dataset.link = "";
    update();
  }

  const running = () => document.querySelector('.card-foot[data-state="running"]') !== null;

  // A connection can die without an error. During a run, a second without a byte is
  // reason to ask whether the server still answers.
  setInterval(() => {
    const c = current;
    if (!c || !c.connectedAt) return;
    const time = performance.now();
    const silent = time - c.lastByteAt;
    if (silent > MAX_SILENCE) return disconnected(c);
    if (silent > RUN_SILENCE && running() && time - c.probedAt > c.probeInterval * RUN_SILENCE) probe(c);
  }, 250);

  async function probe(c) {
    const asked = performance.now();
    c.probedAt = asked + PROBE_TIMEOUT;
    c.probeInterval = Math.min(c.probeInterval * 2, 15);
    const limit = new AbortController();
    const timeout = setTimeout(() => limit.abort(), PROBE_TIMEOUT);
    try {
      await fetch("/healthz", { cache: "no-store", signal: limit.signal });
      c.probedAt = performance.now();
    } catch {
      if (c.lastByteAt < asked) disconnected(c);
    } finally {
      clearTimeout(timeout);
    }
  }

  button?.addEventListener("click", reconnect);
  addEventListener("online", reconnect);
  addEventListener("offline", () => current && probe(current));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && update());
  document.addEventListener("visibilitychange", update);
  document.addEventListener("colloquy:sent", reconnect);
  colloquy.tabs.onchange(update);
  update();
})();
