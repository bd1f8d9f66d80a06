// The box in which a person writes. Enter sends, an input method's Enter never
// does. What was typed is kept in this tab until the server has it, and each
// draft has an id, so that sending it again is the same post.
(() => {
  "use strict";

  const PATIENCE = 20000; // ms until an answer has to come

  const boxOf = (form) => form.querySelector("textarea");
  const keyOf = (form) => "colloquy-draft:" + form.dataset.draft;

  function load(form) {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(form))) || {};
    } catch {
      return {};
    }
  }

  // keep remembers the box and, while it is on its way, what was sent.
  function keep(form, draft) {
    if (!form.dataset.draft) return;
    try {
      if (draft.text || draft.sent) sessionStorage.setItem(keyOf(form), JSON.stringify(draft));
      else sessionStorage.removeItem(keyOf(form));
    } catch {
      // No storage in this browser: the box itself still holds the text.
    }
  }

  function restore(form) {
    const box = boxOf(form);
    const draft = load(form);
    const text = draft.sent || draft.text;
    if (!box || !text || box.value.trim()) return;
    box.value = text;
    form.dataset.id = draft.sent === text ? draft.id : "";
    form.dataset.idFor = form.dataset.id ? text : "";
    fit(box);
  }

  // idFor gives the id of this text: the same for the same text, until it is accepted.
  function idFor(form, text) {
    if (!form.dataset.id || form.dataset.idFor !== text) {
      form.dataset.id = colloquy.random();
      form.dataset.idFor = text;
    }
    return form.dataset.id;
  }

  // fit lets the box grow with its text where the style sheet cannot.
  function fit(box) {
    if (CSS.supports("field-sizing", "content")) return;
    box.style.height = "auto";
    box.style.height = box.scrollHeight + 2 + "px";
  }

  function tell(form, words) {
    const place = document.getElementById("composer-error");
    if (!place) {
      if (words) colloquy.toast(words);
      return;
    }
    place.replaceChildren();
    if (!words) return;
    const line = document.createElement("p");
    const text = document.createElement("span");
    text.className = "error-message";
    text.textContent = words;
    line.append(colloquy.icon("circle-alert"), text);
    place.append(line);
  }

  async function post(form, data) {
    const limit = new AbortController();
    const clock = setTimeout(() => limit.abort(), PATIENCE);
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams(data),
        headers: { "HX-Request": "true", "HX-Current-URL": location.href, Accept: "text/html" },
        signal: limit.signal,
      });
      return { status: answer.status, body: await answer.text(), to: answer.headers.get("HX-Redirect"), url: answer.redirected ? answer.url : "" };
    } catch {
      return { status: 0, body: "", to: null, url: "" };
    } finally {
      clearTimeout(clock);
    }
  }

  async function send(form, submitter) {
    if (form.getAttribute("aria-busy") === "true") return;
    const data = new FormData(form);
    if (submitter && submitter.name) data.set(submitter.name, submitter.value);
    const text = String(data.get("text") || data.getAll("choice").join(", "));
    data.set("text", text);
    const box = boxOf(form);
    if (!text.trim()) {
      tell(form, "Write a question first.");
      if (box) box.focus();
      return;
    }
    data.set("client_id", idFor(form, text));
    form.setAttribute("aria-busy", "true");
    tell(form, "");
    if (box) {
      keep(form, { text: "", sent: text, id: form.dataset.id });
      box.value = "";
      fit(box);
    }
    const answer = await post(form, data);
    form.removeAttribute("aria-busy");
    if (answer.status >= 200 && answer.status < 400) accepted(form, answer);
    else refused(form, text, answer);
  }

  function accepted(form, answer) {
    const box = boxOf(form);
    form.dataset.id = form.dataset.idFor = "";
    keep(form, { text: box ? box.value : "" });
    document.dispatchEvent(new CustomEvent("colloquy:sent"));
    if (answer.to) location.assign(answer.to);
    else if (form.dataset.send === "page") location.assign(answer.url || location.pathname);
  }

  // refused gives the text back, before whatever was typed meanwhile.
  function refused(form, text, answer) {
    const box = boxOf(form);
    if (box) {
      const typed = box.value;
      box.value = typed.trim() ? text + "\n\n" + typed : text;
      keep(form, { text: box.value, sent: typed.trim() ? "" : text, id: form.dataset.id });
      fit(box);
      box.focus();
    }
    if (answer.status === 401) return answer.to ? location.assign(answer.to) : colloquy.toLogin();
    if (answer.status === 422 && answer.body.includes("client_id")) form.dataset.id = "";
    tell(form, colloquy.errorOf(answer.status, answer.body));
    passing = answer.status === 0 || answer.status >= 500;
  }

  // What only the network was to blame for is no longer true once it is back.
  let passing = false;
  document.addEventListener("colloquy:connected", () => {
    const form = document.querySelector("form[data-draft]");
    if (passing && form) tell(form, "");
    passing = false;
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !("send" in form.dataset)) return;
    event.preventDefault();
    send(form, event.submitter);
  });

  document.addEventListener("keydown", (event) => {
    const box = event.target;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    if (!box.matches || !box.matches("form[data-send] textarea")) return;
    event.preventDefault();
    const button = box.form.querySelector("button[data-default]");
    if (button && !button.disabled) box.form.requestSubmit(button);
    else if (button) tell(box.form, "You can send messages again when this agent has finished. Your text is kept.");
  });

  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box.matches || !box.matches("form[data-draft] textarea")) return;
    fit(box);
    const draft = load(box.form);
    keep(box.form, { text: box.value, sent: box.form.getAttribute("aria-busy") ? draft.sent : "", id: draft.id });
  });

  for (const form of document.querySelectorAll("form[data-draft]")) restore(form);
})();
