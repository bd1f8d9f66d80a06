// Functions for every page: sentences for errors, toasts, announcements, and
// improvements of forms that also work without scripts.
window.colloquy = (() => {
  "use strict";

  const root = document.documentElement;
  root.dataset.scripted = "";

  // The words of the scripts, in the page's language: see the section "script" of
  // templates/locale.
  const words = JSON.parse(document.querySelector("meta[name=words]")?.content || "{}");

  // text returns the words of a key with the values that it names as {{.Name}}.
  function text(key, values = {}) {
    return (words[key] || key).replace(/\{\{\.(\w+)\}\}/g, (all, name) => values[name] ?? "");
  }

  // sentenceFor returns what is said of an answer with a status that has no sentence.
  function sentenceFor(status) {
    const key = "error_" + status;
    if (key in words) return words[key];
    return text(status >= 500 ? "error_503" : "error_422");
  }

  // errorOf returns the sentence for the person in an answer: from the JSON of the
  // API, from HTML, or the plain text of the body.
  function errorOf(status, body) {
    const fallback = sentenceFor(status);
    const answer = (body || "").trim();
    if (!answer) return fallback;
    if (answer[0] === "{") {
      try {
        return JSON.parse(answer).error.message || fallback;
      } catch {
        return fallback;
      }
    }
    const page = new DOMParser().parseFromString(answer, "text/html");
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
    const said = document.createElement("span");
    const close = document.createElement("button");
    box.className = "toast";
    said.textContent = sentence;
    close.type = "button";
    close.className = "button small quiet-button";
    close.textContent = text("close");
    close.onclick = () => box.remove();
    box.append(said, close);
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
    if (ctx && !isStream(ctx.sourceElement)) toast(text("error_0"));
  });

  // The Stop button shows at once that it was pressed.
  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.sourceElement.id === "stop-form") labelStop(text("stopping"));
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement.id === "stop-form" && !(ctx.response && ctx.response.status < 400)) labelStop(text("stop"));
  });
  function labelStop(label) {
    const span = document.querySelector("#stop span");
    if (span) span.textContent = label;
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

  return { errorOf, icon, toast, toLogin, announce, random, text };
})();
