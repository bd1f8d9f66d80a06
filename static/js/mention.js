// Typing @ in the composer lists the agents whose names match.
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
  list.setAttribute("aria-label", colloquy.text("agents"));
  box.form.append(list);
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);

  let found = []; // the agents in the list
  let selected = 0; // index in found

  // mention matches the mention that is being typed before the cursor.
  const mention = () => /(^|\s)@([^\s@]{0,30})$/.exec(box.value.slice(0, box.selectionStart));

  function show() {
    const match = mention();
    const start = match ? match[2].toLowerCase() : "";
    found = match ? agents.filter((agent) => agent.name.toLowerCase().startsWith(start)).slice(0, 8) : [];
    selected = Math.min(selected, Math.max(found.length - 1, 0));
    list.hidden = !found.length;
    list.replaceChildren(...found.map(row));
    if (found.length) box.setAttribute("aria-activedescendant", "mention-" + selected);
    else box.removeAttribute("aria-activedescendant");
  }

  function row(agent, index) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    const role = document.createElement("span");
    item.id = "mention-" + index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(index === selected));
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
    const match = mention();
    if (!match || !found[index]) return;
    const from = box.selectionStart - match[2].length;
    box.setRangeText(found[index].name + " ", from, box.selectionStart, "end");
    hide();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // complete reports whether the name was typed in full.
  const complete = () => found.some((agent) => agent.name.toLowerCase() === mention()[2].toLowerCase());

  function hide() {
    found = [];
    selected = 0;
    list.hidden = true;
    box.removeAttribute("aria-activedescendant");
  }

  box.addEventListener("input", show);
  box.addEventListener("click", show);
  box.addEventListener("blur", hide);
  // This listener runs before that of composer.js, which sends on Enter.
  box.addEventListener("keydown", (event) => {
    if (!found.length || event.isComposing || event.keyCode === 229) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      selected = (selected + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      show();
    } else if (event.key === "Enter" && complete()) {
      return hide(); // Enter sends
    } else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") {
      choose(selected);
    } else if (event.key === "Escape") {
      hide();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
})();
