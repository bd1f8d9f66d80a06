// Copies an exchange or its address, also on a page without TLS, where browsers
// have no navigator.clipboard.
(() => {
  "use strict";

  async function copy(text) {
    if (navigator.clipboard && window.isSecureContext) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // Not allowed here; execCommand may be.
      }
    }
    const box = document.createElement("textarea");
    box.value = text;
    box.className = "unseen";
    box.setAttribute("aria-hidden", "true");
    document.body.append(box);
    const focused = document.activeElement;
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    if (focused) focused.focus({ preventScroll: true });
    return done;
  }

  // cardText is a card as plain text: the question, then what each agent said.
  function cardText(card) {
    const parts = [card.querySelector(".long-question, .question").textContent.trim()];
    for (const frame of card.querySelectorAll(".window")) {
      const name = frame.querySelector(".name").textContent;
      const role = frame.querySelector(".role").textContent;
      const texts = [...frame.querySelectorAll(".message > .prose")].map((text) => text.innerText.trim());
      const said = texts.filter(Boolean);
      if (said.length) parts.push(`${name} (${role}):\n${said.join("\n\n")}`);
    }
    return parts.join("\n\n");
  }

  // showCopied shows in the label of the button whether copying worked.
  function showCopied(button, done) {
    const label = button.querySelector("span");
    const was = button.dataset.label || label.textContent;
    button.dataset.label = was;
    label.textContent = colloquy.text(done ? "copied" : "not_copied");
    colloquy.announce(colloquy.text(done ? "copied_said" : "not_copied_said"));
    setTimeout(() => {
      label.textContent = was;
    }, 1600);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-copy-link]");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const card = document.getElementById(button.dataset.copy);
    showCopied(button, await copy(card ? cardText(card) : button.href));
  });
})();
