// Functions for every page: sentences for errors, toasts, announcements, and
// improvements of forms that also work without scripts.
window.colloquy = (() => {
  "use strict";

  const root = document.documentElement;
  root.dataset.scripted = "";

  const sentences = {
    0: "The server did not answer. What you typed is kept; try again in a moment.",
    401: "Please sign in again. What you typed is kept.",
    403: "This was refused. Reload the page and try again; what you typed is kept.",
    404: "This is no longer there. Go back to your classes.",
    409: "Something changed in the meantime. Check the page and try again.",
    413: "This is too long.",
    422: "The server could not accept this. Check it and send it again.",
    429: "Too many requests. Wait a moment and try again.",
    503: "The server is just starting or stopping. Try again in a moment.",
  };

  // errorOf returns the sentence for the person in an answer: from the JSON of the
  // API, from HTML, or the plain text of the body.
  function errorOf(status, body) {
    const fallback = sentences[status] || (status >= 500 ? sentences[503] : sentences[422]);
    const text = (body || "").trim();
    if (!text) return fallback;
    if (text[0] === "{") {
      try {
        return JSON.parse(text).error.message || fallback;
      } catch {
        return fallback;
      }
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const message = page.querySelector(".error-message");
    if (message) return message.textContent.trim() || fallback;
    const plain = page.body.textContent.trim();
    return plain && plain.length < 600 && !page.querySelector("title, main") ? plain : fallback;
  }

  function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", "i");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#i-" + name);
    svg.append(use);
    return svg;
  }

  // toast shows a sentence until it is closed or ten seconds have passed.
  function toast(sentence) {
    const box = document.createElement("div");
    const text = document.createElement("span");
    const close = document.createElement("button");
    box.className = "toast";
    text.textContent = sentence;
    close.type = "button";
    close.className = "button small quiet-button";
    close.textContent = "Close";
    close.onclick = () => box.remove();
    box.append(text, close);
    document.getElementById("toasts").append(box);
    setTimeout(() => box.remove(), 10000);
  }

  function toLogin() {
    location.assign("/login?return=" + encodeURIComponent(location.pathname + location.search));
  }

  const announcements = [];
  // announce announces a sentence to screen readers; sentences within 150 ms are joined.
  function announce(sentence) {
    if (!announcements.length) {
      setTimeout(() => {
        document.getElementById("announce").textContent = announcements.splice(0).join(" ");
      }, 150);
    }
    announcements.push(sentence);
  }

  const isStream = (element) => element && element.id === "stream";

  document.addEventListener("htmx:response:error", (event) => {
    const { ctx } = event.detail;
    if (isStream(ctx.sourceElement)) return;
    if (ctx.response.status === 401 && !ctx.hx.redirect) return toLogin();
    if (ctx.text.includes('id="materials"')) { // the list, with a sentence for each file that was refused
      htmx.swap({ sourceElement: ctx.sourceElement, target: ctx.target, text: ctx.text, swap: "outerHTML" });
      return;
    }
    toast(errorOf(ctx.response.status, ctx.text));
  });
  document.addEventListener("htmx:error", (event) => {
    const ctx = event.detail.ctx;
    if (ctx && !isStream(ctx.sourceElement)) toast(sentences[0]);
  });

  // The Stop button shows at once that it was pressed.
  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.sourceElement.id === "stop-form") labelStop("Stopping…");
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement.id === "stop-form" && !(ctx.response && ctx.response.status < 400)) labelStop("Stop");
  });
  function labelStop(text) {
    const span = document.querySelector("#stop span");
    if (span) span.textContent = text;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if ("prefs" in form.dataset && event.submitter) choosePreference(event, form, event.submitter);
  }, true);

  // choosePreference applies a preference at once and also posts it to the server.
  function choosePreference(event, form, button) {
    event.preventDefault();
    root.dataset[button.name] = button.value;
    for (const other of document.querySelectorAll("form[data-prefs] .choice")) {
      if (other.name === button.name) other.setAttribute("aria-pressed", String(other.value === button.value));
    }
    const body = new URLSearchParams(new FormData(form));
    body.set(button.name, button.value);
    fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
  }

  // random returns 128 random bits in hex. crypto.randomUUID would need TLS.
  function random() {
    const bytes = new Uint8Array(16);
    if (window.crypto && crypto.getRandomValues) crypto.getRandomValues(bytes);
    else for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
    return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  }

  return { errorOf, icon, toast, toLogin, announce, random, sentences };
})();
