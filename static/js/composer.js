// The form in which a person writes. Enter sends, unless an input method handles
// it. This tab keeps the text until the server has it, and each draft has an id, so
// that the server ignores a second post of the same draft.
(() => {
  "use strict";

  const POST_TIMEOUT = 20000; // ms

  const boxOf = (form) => form.querySelector("textarea");
  const keyOf = (form) => "colloquy-draft:" + form.dataset.draft;

  function loadDraft(form) {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(form))) || {};
    } catch {
      return {};
    }
  }

  // saveDraft stores the text of the box and, until the server has it, what was sent.
  function saveDraft(form, draft) {
    if (!form.dataset.draft) return;
    try {
      if (draft.text || draft.sent) sessionStorage.setItem(keyOf(form), JSON.stringify(draft));
      else sessionStorage.removeItem(keyOf(form));
    } catch {
      // No storage in this browser: the box itself still holds the text.
    }
  }

  function restoreDraft(form) {
    const box = boxOf(form);
    const draft = loadDraft(form);
    const text = draft.sent || draft.text;
    if (!box || !text || box.value.trim()) return;
    box.value = text;
    form.dataset.id = draft.sent === text ? draft.id : "";
    form.dataset.idFor = form.dataset.id ? text : "";
    fitHeight(box);
  }

  // idFor returns the id of a text, which stays the same until the text is accepted.
  function idFor(form, text) {
    if (!form.dataset.id || form.dataset.idFor !== text) {
      form.dataset.id = colloquy.random();
      form.dataset.idFor = text;
    }
    return form.dataset.id;
  }

  // fitHeight grows the box with its text in browsers without field-sizing.
  function fitHeight(box) {
    if (CSS.supports("field-sizing", "content")) return;
    box.style.height = "auto";
    box.style.height = box.scrollHeight + 2 + "px";
  }

  // showError shows a sentence above the composer, or removes it.
  function showError(form, sentence) {
    const place = document.getElementById("composer-error");
    if (!place) {
      if (sentence) colloquy.toast(sentence);
      return;
    }
    place.replaceChildren();
    if (!sentence) return;
    const line = document.createElement("p");
    const text = document.createElement("span");
    text.className = "error-message";
    text.textContent = sentence;
    line.append(colloquy.icon("circle-alert"), text);
    place.append(line);
  }

  async function post(form, data) {
    const limit = new AbortController();
    const timeout = setTimeout(() => limit.abort(), POST_TIMEOUT);
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams(data),
        headers: { "HX-Request": "true", "HX-Current-URL": location.href, Accept: "text/html" },
        signal: limit.signal,
      });
      return {
        status: answer.status,
        body: await answer.text(),
        to: answer.headers.get("HX-Redirect"),
        url: answer.redirected ? answer.url : "",
      };
    } catch {
      return { status: 0, body: "", to: null, url: "" };
    } finally {
      clearTimeout(timeout);
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
      showError(form, colloquy.text("empty"));
      if (box) box.focus();
      return;
    }
    data.set("client_id", idFor(form, text));
    form.setAttribute("aria-busy", "true");
    showError(form, "");
    if (box) {
      saveDraft(form, { text: "", sent: text, id: form.dataset.id });
      box.value = "";
      fitHeight(box);
    }
    const answer = await post(form, data);
    form.removeAttribute("aria-busy");
    if (answer.status >= 200 && answer.status < 400) onAccepted(form, answer);
    else onRefused(form, text, answer);
  }

  function onAccepted(form, answer) {
    const box = boxOf(form);
    form.dataset.id = form.dataset.idFor = "";
    saveDraft(form, { text: box ? box.value : "" });
    document.dispatchEvent(new CustomEvent("colloquy:sent"));
    if (answer.to) location.assign(answer.to);
    else if (form.dataset.send === "page") location.assign(answer.url || location.pathname);
  }

  // onRefused puts the text back, before anything that was typed in the meantime.
  function onRefused(form, text, answer) {
    const box = boxOf(form);
    if (box) {
      const typed = box.value;
      box.value = typed.trim() ? text + "\n\n" + typed : text;
      saveDraft(form, { text: box.value, sent: typed.trim() ? "" : text, id: form.dataset.id });
      fitHeight(box);
      box.focus();
    }
    if (answer.status === 401) return answer.to ? location.assign(answer.to) : colloquy.toLogin();
    if (answer.status === 422 && answer.body.includes("client_id")) form.dataset.id = "";
    showError(form, colloquy.errorOf(answer.status, answer.body));
    clearWhenConnected = answer.status === 0 || answer.status >= 500;
  }

  // An error of the network is removed once the stream is connected again.
  let clearWhenConnected = false;
  document.addEventListener("colloquy:live", () => {
    const form = document.querySelector("form[data-draft]");
    if (clearWhenConnected && form) showError(form, "");
    clearWhenConnected = false;
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
    else if (button) showError(box.form, colloquy.text("at_barrier"));
  });

  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box.matches || !box.matches("form[data-draft] textarea")) return;
    fitHeight(box);
    const draft = loadDraft(box.form);
    saveDraft(box.form, { text: box.value, sent: box.form.getAttribute("aria-busy") ? draft.sent : "", id: draft.id });
  });

  // The kind of session that is chosen says what to write.
  document.addEventListener("change", ({ target }) => {
    const hint = target.selectedOptions?.[0]?.dataset.placeholder;
    const box = target.form?.querySelector("textarea");
    if (hint && box) box.placeholder = hint;
  });

  for (const form of document.querySelectorAll("form[data-draft]")) restoreDraft(form);
})();
