// Typing @ in the composer offers the agents by name.
(() => {
  "use strict";

  const box = document.querySelector("textarea[data-agents]");
  if (!box) return;
  let agents = [];
  try {
    agents = JSON.parse(box.dataset.agents);
  } catch {
    return;
  }
  if (!agents.length) return;

  const list = document.createElement("ul");
  list.className = "mentions";
  list.id = "mentions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Agents");
  box.form.append(list);
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);

  let found = [];
  let at = 0;

  const begun = () => /(^|\s)@([^\s@]{0,30})$/.exec(box.value.slice(0, box.selectionStart));

  function show() {
    const match = begun();
    const start = match ? match[2].toLowerCase() : "";
    found = match ? agents.filter((agent) => agent.name.toLowerCase().startsWith(start)).slice(0, 8) : [];
    at = Math.min(at, Math.max(found.length - 1, 0));
    list.hidden = !found.length;
    list.replaceChildren(...found.map(row));
    if (found.length) box.setAttribute("aria-activedescendant", "mention-" + at);
    else box.removeAttribute("aria-activedescendant");
  }

  function row(agent, index) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    const role = document.createElement("span");
    item.id = "mention-" + index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(index === at));
    name.textContent = agent.name;
    role.className = "role";
    role.textContent = agent.role;
    item.append(name, role);
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      choose(index);
    });
    return item;
  }

  function choose(index) {
    const match = begun();
    if (!match || !found[index]) return;
    const from = box.selectionStart - match[2].length;
    box.setRangeText(found[index].name + " ", from, box.selectionStart, "end");
    hide();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const whole = () => found.some((agent) => agent.name.toLowerCase() === begun()[2].toLowerCase());

  function hide() {
    found = [];
    at = 0;
    list.hidden = true;
    box.removeAttribute("aria-activedescendant");
  }

  box.addEventListener("input", show);
  box.addEventListener("click", show);
  box.addEventListener("blur", hide);
  // Before the composer, which would send on Enter.
  box.addEventListener("keydown", (event) => {
    if (!found.length || event.isComposing || event.keyCode === 229) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      show();
    } else if (event.key === "Enter" && whole()) {
      return hide(); // the name stands there already: Enter sends
    } else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") {
      choose(at);
    } else if (event.key === "Escape") {
      hide();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
})();
